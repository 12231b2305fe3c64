//! Tests of the figures and the file of a fit with several sources.

use super::{Learn, LearnSnapshot, LearnSpec, spec};
use crate::data::Store;
use crate::figure::{Cloud, Figure, Mark};
use crate::lab::{Budget, Checked, Link, TypedTask, complete, raw_of};

fn run(query: &[(&str, &str)]) -> (Checked<LearnSpec>, LearnSnapshot) {
    let spec = Checked::<LearnSpec>::new(&raw_of(query.iter().copied())).unwrap();
    let mut work = Learn::prepare(&spec, &Store::default(), None).unwrap();
    work.begin(0);
    while !work.step(&mut Budget::slice()) {}
    let snapshot = work.snapshot();
    (spec, snapshot)
}

#[test]
fn the_cloud_shows_fitted_values_for_several_sources() {
    let (spec, snapshot) = run(&[
        ("data", "mixtures"),
        ("sources", "4"),
        ("samples", "300"),
        ("weight_sd", "1"),
        ("sweeps", "150"),
    ]);
    let figures = Learn::figures(&spec, &snapshot);
    let points = |key: &str| -> Vec<[f64; 3]> {
        let of = |mark: &Mark| match mark {
            Mark::Cloud(Cloud { info, points, .. }) if info.key == key => Some(points.clone()),
            _ => None,
        };
        figures[0].marks.iter().find_map(of).unwrap()
    };
    let (fitted, data) = (points("fitted"), spec.simulate());
    assert_eq!(fitted.len(), super::CLOUD_POINTS);
    // The squared error is well below the variance of the noise-free values, whose mean is 0.
    let squares = |error: &dyn Fn(usize, usize) -> f64| -> f64 {
        (0..fitted.len()).flat_map(|t| (0..3).map(move |k| (t, k))).map(|(t, k)| error(t, k).powi(2)).sum()
    };
    let error = squares(&|t, k| fitted[t][k] - data.clean[t][k]);
    let total = squares(&|t, k| data.clean[t][k]);
    assert!(error < 0.1 * total, "{error} of {total}");
}

#[test]
fn the_file_has_a_row_per_sample() {
    let (spec, snapshot) =
        run(&[("data", "mixtures"), ("sources", "2"), ("samples", "50"), ("sweeps", "20")]);
    let file = Learn::records(&spec, &snapshot).unwrap();
    let mut lines = file.csv.lines();
    let head = lines.next().unwrap();
    assert!(head.starts_with(
        "sample,true source 1,true source 2,true source 3,true source 4,source 1,sd of source 1,source 2"
    ));
    assert!(head.ends_with("source 1 after FastICA,source 2 after FastICA"), "{head}");
    let third: Vec<&str> = lines.nth(2).unwrap().split(',').collect();
    let data = spec.simulate();
    assert_eq!(third[0], "3");
    assert_eq!(third[1].parse(), Ok(data.sources[2][0]));
    assert_eq!(third[5].parse(), Ok(snapshot.rows[0].fitted.means[4]));
    assert_eq!(lines.count(), 47);
}

/// Regression: the headline of a failed fit reported success.
#[test]
fn a_fit_that_attributes_signal_to_noise_is_reported_as_failed() {
    let finding = |preset: &str| {
        let preset = spec::PRESETS.iter().find(|known| known.label == preset).unwrap();
        let raw = Link::parse(&format!("#/nfa?{}", preset.query)).raw;
        let spec = Checked::<LearnSpec>::new(&raw).unwrap();
        let snapshot = complete::<Learn>(&spec, &Store::default()).unwrap();
        let noise = &snapshot.shown(&spec).unwrap().fitted.noise;
        let largest = noise.iter().copied().fold(0.0, f64::max) / spec.simulate().noise;
        (largest, Learn::figures(&spec, &snapshot).remove(0).finding)
    };
    let (ratio, failed) = finding("Failure with small initial weights");
    assert!(
        ratio > 2.0 && failed.contains("fails") && failed.contains(&format!("{ratio:.1} times")),
        "{failed}"
    );
    for recovered in ["Helix", "A third of the values missing"] {
        let (ratio, finding) = finding(recovered);
        assert!(ratio < 1.2 && !finding.contains("fails"), "{recovered}: {finding}");
    }
}

/// Returns the values of the colours of the points of the first figure, in order; `None` if it has none.
fn colours(figure: &Figure) -> Vec<Option<f64>> {
    let points = figure.find("data").unwrap();
    points.data().map(|datum| datum.get("colour")).collect()
}

#[test]
fn the_points_stand_alone_and_grey_before_their_source_is_found() {
    let query = raw_of([("samples", "500")]);
    let spec = Checked::<LearnSpec>::new(&query).unwrap();
    let mut work = Learn::prepare(&spec, &Store::default(), None).unwrap();
    work.begin(0);
    let before = Learn::figures(&spec, &work.snapshot()).remove(0);
    assert!(before.marks.iter().all(|mark| mark.info().hidden || mark.key() == "data"));
    assert!(colours(&before).iter().all(Option::is_none));
    while !work.step(&mut Budget::slice()) {}
    let snapshot = work.snapshot();
    let figures = Learn::figures(&spec, &snapshot);
    let means: Vec<_> = snapshot.rows[0].fitted.means.iter().map(|s| Some(f64::from(*s))).collect();
    assert!(colours(&figures[0]) == means[..super::CLOUD_POINTS], "the first samples are drawn");
    let Some(Mark::Points(order)) = figures[1].find("source") else { panic!("points") };
    assert_eq!(order.shades.as_ref().unwrap().values, snapshot.rows[0].fitted.means);
    let rho = Learn::report(&spec, &snapshot)["rank_correlation"].as_f64().unwrap();
    let finding = &figures[0].finding;
    assert!(
        rho > 0.9
            && finding.contains("recovers their order")
            && finding.contains(&if rho < 0.9995 { format!("{rho:.3}") } else { "> 0.999".to_owned() }),
        "{rho} {finding}"
    );
}

#[test]
fn the_colours_show_the_chosen_one_of_several_sources() {
    let query = [("data", "mixtures"), ("sources", "4"), ("samples", "100"), ("sweeps", "60")];
    let of = |coloured: &str| {
        let (spec, snapshot) = run(&[&query[..], &[("coloured", coloured)]].concat());
        Learn::figures(&spec, &snapshot)
    };
    let (first, third) = (of("1"), of("3"));
    assert_eq!((first[1].id.as_str(), third[1].id.as_str()), ("source-1", "source-3"));
    for figures in [&first, &third] {
        let panel: Vec<_> =
            figures[1].find("found").unwrap().data().map(|datum| datum.get("colour")).collect();
        let estimates: Vec<_> =
            figures[1].find("found").unwrap().data().map(|datum| datum.y as f32).collect();
        assert_eq!(panel.iter().map(|c| c.unwrap() as f32).collect::<Vec<_>>(), estimates);
        assert_eq!(colours(&figures[0]), panel);
    }
    assert_ne!(colours(&first[0]), colours(&third[0]));
    assert_eq!(of("8")[1].id, "source-4", "there are four sources");
}
