//! The three tasks as the page uses them: drawings, clamped units, missing pixels, and failed runs.

use std::rc::Rc;

use meanfield::data::Store;
use meanfield::figure::{Figure, Mark};
use meanfield::lab::{Checked, ErasedResult, Link, Outcome, Pixels, Progress, TypedTask};
use meanfield::models::sbn::bound::BoundSpec;
use meanfield::models::sbn::digits::preprocessing::{GREY, PIXELS, Preprocessing, SIDE, rows};
use meanfield::models::sbn::learn::{Learn, LearnSnapshot, LearnSpec, TrainedNetwork, samples};
use meanfield::models::sbn::network::model::Network;
use meanfield::models::task;
use serde_json::Value;

/// Runs a task of one stage to its end.
fn finished(link: &str) -> Box<dyn ErasedResult> {
    let link = Link::parse(link);
    let task = task(&link.task).unwrap();
    let values = task.check(&link.raw).unwrap();
    let units = task.plan(&values, None).stages().remove(0);
    let mut run = task.start(&task.check(&link.raw).unwrap(), units, &Store::default(), &[]).unwrap();
    while run.advance() != Progress::Done {}
    task.result(&values, &[&run.snapshot()]).unwrap()
}

fn figure(result: &dyn ErasedResult, id: &str) -> Figure {
    result.figures().into_iter().find(|figure| figure.id == id).unwrap_or_else(|| panic!("no figure {id}"))
}

/// Returns the values of a grid, row by row from above.
fn grid(figure: &Figure, key: &str) -> Vec<f32> {
    let Some(Mark::Grid(grid)) = figure.find(key) else { panic!("no grid {key}") };
    grid.values.chunks_exact(grid.columns).rev().flatten().copied().collect()
}

#[test]
fn a_pen_drawing_is_reduced_before_the_networks_see_it() {
    // A slanted bar of ink, three pixels wide.
    let shade = |i: usize| {
        let (row, column) = (i / GREY, i % GREY);
        let middle = 8 + row / 2;
        if (5..23).contains(&row) && column.abs_diff(middle) <= 1 { 1.0 } else { 0.0 }
    };
    let shades: Vec<f32> = (0..GREY * GREY).map(shade).collect();
    let ink = Pixels::of_shades(GREY, 15, shades.iter().copied());
    let grey: Vec<f64> = shades.into_iter().map(f64::from).collect();
    let mut images = Vec::new();
    for (word, prepare) in [("paper", Preprocessing::Paper), ("bbox", Preprocessing::Bbox)] {
        let pad = finished(&format!("#/sbn.pad?canvas=pen&preprocess={word}&ink={ink}"));
        let expected = rows(prepare.bits(&grey));
        assert_eq!(pad.report()["image"], Value::from(expected.clone()));
        let drawing = figure(&*pad, "drawing");
        let reduced = grid(&drawing, "reduced");
        let seen: Vec<String> = reduced
            .chunks(SIDE)
            .map(|row| row.iter().map(|x| if *x == 1.0 { '1' } else { '0' }).collect())
            .collect();
        assert_eq!(seen, expected);
        assert_eq!(grid(&drawing, "ink").len(), GREY * GREY);
        images.push(expected);
    }
    assert!(images[0] != images[1] && images[0].concat().contains('1'), "{images:?}");
}

#[test]
fn missing_pixels_are_filled_in_and_observed_ones_are_kept() {
    let whole = finished("#/sbn.pad?drawing=10x10.AAAAFVAQFAQBAEARAEAQAEAQAEAEKKKKKg").report();
    let missing = |i: usize| whole["missing"][i / SIDE].as_str().unwrap().as_bytes()[i % SIDE] == b'1';
    let pad = finished("#/sbn.pad?drawing=10x10.AAAAFVAQFAQBAEARAEAQAEAQAEAEKKKKKg");
    let completed = figure(&*pad, "completed");
    let (seen, filled, means) =
        (grid(&completed, "seen"), grid(&completed, "filled"), grid(&completed, "expected"));
    let mut lost = 0;
    for i in 0..PIXELS {
        assert!(means[i] > 0.0 && means[i] < 1.0);
        if missing(i) {
            lost += 1;
            assert!(seen[i].is_nan() && filled[i] == means[i], "pixel {i}");
        } else {
            assert!((seen[i] == 0.0 || seen[i] == 1.0) && filled[i] == seen[i], "pixel {i}");
        }
    }
    assert!(lost > 0, "this drawing has missing pixels");
}

#[test]
fn the_maps_of_the_passes_have_every_hidden_unit() {
    let pad = finished("#/sbn.pad?look=7");
    let mu = grid(&figure(&*pad, "means"), "means");
    let xi = grid(&figure(&*pad, "xi"), "xi");
    assert_eq!((mu.len(), xi.len()), (52 * 10, 52 * 10));
    assert!(mu.iter().chain(&xi).all(|x| (0.0..=1.0).contains(x)));
    let change =
        |pass: usize| mu.chunks(10).map(|unit| (unit[pass] - unit[pass - 1]).abs()).fold(0.0, f32::max);
    assert!(change(9) < 0.2 * change(1), "{} {}", change(1), change(9));
    assert!(mu != xi);
}

/// Returns a seven on 10×10 pixels.
fn seven() -> Pixels {
    let ink = |i: usize| {
        let (row, column) = (i / SIDE, i % SIDE);
        let stem = column == 7 - row.saturating_sub(2) / 2;
        (row == 1 && (2..8).contains(&column)) || ((1..9).contains(&row) && stem)
    };
    Pixels::of_shades(SIDE, 2, (0..PIXELS).map(|i| f32::from(u8::from(ink(i)))))
}

/// Regression: the detailed figures always showed digit 2.
#[test]
fn the_network_in_detail_is_that_of_the_digit_that_was_read() {
    let fields = |link: &str| {
        let pad = finished(link);
        let detail = ["settling", "drawn", "fields"].map(|id| figure(&*pad, id).caption);
        (pad.report()["digit"].as_u64().unwrap(), detail, grid(&figure(&*pad, "fields"), "unit_0"))
    };
    let drawing = seven();
    let (read, captions, weights) = fields(&format!("#/sbn.pad?drawing={drawing}"));
    assert_eq!(read, 7);
    assert!(captions.iter().all(|caption| caption.contains("network of digit 7")), "{captions:?}");
    assert_eq!(weights, fields(&format!("#/sbn.pad?drawing={drawing}&look=7")).2);
    let (read, captions, chosen) = fields(&format!("#/sbn.pad?drawing={drawing}&look=3"));
    assert!(read == 7 && captions.iter().all(|caption| caption.contains("network of digit 3")));
    assert_ne!(weights, chosen);
}

/// Regression: a blank canvas was classified as 1 with probability 1.
#[test]
fn a_blank_canvas_is_not_read() {
    let blank = Pixels::blank(SIDE, SIDE, 2);
    let mut missing = blank.clone();
    (0..50).for_each(|i| missing.set(i % SIDE, i / SIDE, None));
    let pen = Pixels::blank(GREY, GREY, 15);
    for link in [
        format!("#/sbn.pad?drawing={blank}"),
        format!("#/sbn.pad?drawing={missing}"),
        format!("#/sbn.pad?canvas=pen&ink={pen}"),
        format!("#/sbn.pad?drawing={blank}&look=4&max_passes=1"),
    ] {
        let pad = finished(&link);
        let report = pad.report();
        assert_eq!(report["digit"], Value::Null, "{link}");
        let networks = report["networks"].as_array().unwrap();
        assert!(networks.iter().all(|network| network["probability"].is_null()), "{link}");
        assert_eq!(pad.status().outcome, Outcome::Converged, "{link}");
        let bounds = figure(&*pad, "bounds");
        for figure in [&bounds, &figure(&*pad, "dreams")] {
            assert!(figure.finding == figure.summary && !figure.finding.contains(char::is_numeric), "{link}");
        }
        assert!(bounds.marks.iter().all(Mark::is_empty) && bounds.notes.is_empty(), "{link}");
        let figures = pad.figures();
        let ids: Vec<&str> = figures.iter().map(|figure| figure.id.as_str()).collect();
        let of_chosen: &[&str] = if link.contains("look") { &["drawn", "fields"] } else { &[] };
        assert_eq!(ids, [&["drawing", "dreams", "bounds"], of_chosen].concat(), "{link}");
    }
}

#[test]
fn an_incomplete_solve_is_reported() {
    let status = finished("#/sbn.pad?max_passes=1&tolerance=0.001").status();
    assert_eq!(status.outcome, Outcome::Partial);
    assert!(status.reason.unwrap().contains(" 1 pass"));
    let status = finished("#/sbn.pad?max_passes=1000&tolerance=0.001").status();
    assert_eq!((status.outcome, status.reason), (Outcome::Converged, None));
}

#[test]
fn clamped_top_units_are_held_in_the_samples() {
    // All pixels equal the first top unit; the second has no effect.
    let mut network = Network::zero(&[2, PIXELS]);
    network.weights[0].chunks_exact_mut(2).for_each(|row| row[0] = 200.0);
    network.biases[1].fill(-100.0);
    let drawn = |held: &[f64]| -> Vec<u32> {
        samples(&network, 4, 3, 40, held).iter().map(|sample| sample.bits.count_ones()).collect()
    };
    assert_eq!(drawn(&[1.0]), [100; 40]);
    assert_eq!(drawn(&[0.0, 1.0]), [0; 40]);
    let free = drawn(&[-1.0, 1.0]);
    assert!(free.contains(&0) && free.contains(&100), "{free:?}");
    assert_eq!(free, drawn(&[]), "what is held below does not change what is drawn");
}

#[test]
fn a_diverged_run_names_the_digit() {
    let spec = Checked::<LearnSpec>::new(&Link::parse("#/sbn?digits=3,8").raw).unwrap();
    let row = |digit, diverged| {
        Rc::new(TrainedNetwork {
            digit,
            images: 2,
            bounds: vec![-40.0],
            solves: 2,
            diverged,
            ..TrainedNetwork::default()
        })
    };
    let snapshot =
        |diverged| LearnSnapshot { trained: vec![row(3, false), row(8, diverged)], ..Default::default() };
    assert_eq!(Learn::status(&spec, &snapshot(false)).outcome, Outcome::Converged);
    let status = Learn::status(&spec, &snapshot(true));
    assert_eq!(status.outcome, Outcome::NoResult);
    assert_eq!(status.reason.unwrap(), "training on digit 8 diverged; try smaller learning rates");
    let figures = Learn::figures(&spec, &snapshot(true));
    let errors = figures.iter().find(|figure| figure.id == "errors").unwrap();
    assert_eq!(errors.summary, "No digit is classified yet.", "nothing is made up");
}

#[test]
fn the_factorial_bound_is_below_ln_p_of_enumerable_layers() {
    let report = finished("#/sbn.bound?networks=3&weight_sds=0.5,2&draws=50&v=3").report();
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    for case in rows.iter().flat_map(|row| row["cases"].as_array().unwrap()) {
        let [ln_p, factorial] = ["ln_p", "factorial_bound"].map(|key| case[key].as_f64().unwrap());
        assert!(factorial < ln_p && ln_p < 0.0, "{case}");
    }
    let trace = |report: &Value, key: &str| -> Vec<f64> {
        report["xi"][key].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    };
    let falls = |bounds: Vec<f64>| bounds.windows(2).all(|pair| pair[1] <= pair[0] + 1e-12);
    assert!(falls(trace(&report, "paper")) && falls(trace(&report, "safe")));
    let wild = finished("#/sbn.bound?networks=2&weight_sds=1&v=16").report();
    assert!(!falls(trace(&wild, "paper")) && falls(trace(&wild, "safe")));
    let wrong = Checked::<BoundSpec>::new(&Link::parse("#/sbn.bound?layers=9,9,6").raw).err().unwrap();
    assert_eq!((wrong[0].field.as_str(), wrong[0].nearest.as_deref()), ("layers", Some("7,7,6")));
}
