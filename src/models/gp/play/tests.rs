//! Runs of the playground, from settings to figures.

use super::points::PlayPoints;
use super::*;
use crate::data::Store;
use crate::figure::Mark;
use crate::lab::{Checked, Link, Live, Progress, Raw, Status, TypedTask, complete};

fn spec(pairs: &[(&str, &str)]) -> Checked<PlaySpec> {
    let raw: Raw = pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
    Checked::new(&raw).unwrap()
}

/// Returns snapshot and status of a completed run, and its number of slices.
fn run<V: TypedTask<Spec = PlaySpec, Snapshot = PlaySnapshot>>(
    pairs: &[(&str, &str)],
) -> (PlaySnapshot, Status, usize) {
    let spec = spec(pairs);
    let (mut parts, mut slices) = (Vec::new(), 0);
    for stage in V::plan(&spec, None).stages() {
        let before = (stage.start > 0).then(|| V::merge(parts.clone()));
        let mut run = V::start(&spec, stage, &Store::default(), before).unwrap();
        slices += 1;
        while run.advance() != Progress::Done {
            slices += 1;
        }
        parts.push(run.snapshot());
    }
    let snapshot = V::merge(parts);
    let status = V::status(&spec, &snapshot);
    (snapshot, status, slices)
}

/// With these flips the solver does not converge.
#[test]
fn a_solve_that_does_not_converge_is_sliced_and_ended() {
    let hard = [("examples", "200"), ("set", "xor"), ("kernel", "linear"), ("v", "0"), ("kappa", "0.0001")];
    let (snapshot, status, slices) = run::<Live<MapComparison>>(&hard);
    assert!(status.reason.unwrap().contains("no fixed point"));
    assert!(snapshot.rows[0].newton_solves <= 300 && slices >= 200, "{slices} slices");
}

#[test]
fn the_fine_map_uses_the_solution_of_the_coarse_map() {
    let spec = spec(&[]);
    let mut run = Live::<MapComparison>::start(&spec, 0..1, &Store::default(), None).unwrap();
    while run.snapshot().rows.is_empty() {
        run.advance();
    }
    let coarse = run.snapshot().rows.remove(0);
    while run.advance() != Progress::Done {}
    let fine = run.snapshot().rows.remove(0);
    assert_eq!((coarse.map.len(), fine.map.len()), (24 * 18, 96 * 72));
    assert_eq!((coarse.minus_g, coarse.newton_solves), (fine.minus_g, fine.newton_solves));
}

#[test]
fn a_method_that_does_not_apply_does_not_fail_the_run() {
    let (snapshot, status, _) = run::<MapComparison>(&[("v", "0"), ("examples", "12"), ("draws", "100")]);
    assert_eq!(status, Status::CONVERGED);
    assert!(snapshot.rows[2].failed.as_ref().unwrap().contains("needs v > 0"));
}

#[test]
fn every_approximation_has_leave_one_out_errors() {
    let (snapshot, ..) = run::<MapComparison>(&[("set", "mixture"), ("draws", "100")]);
    let wrong: Vec<_> = snapshot.methods().iter().map(MethodRow::left_out_errors).collect();
    assert!(wrong[..3].iter().all(|wrong| wrong.is_some_and(|w| (1..15).contains(&w))), "{wrong:?}");
    assert_eq!(wrong[3], None);
}

/// Maps of one posterior from different seeds.
#[test]
fn standard_errors_match_the_spread_over_seeds() {
    let points = "-1,0,-1,1,0.3,1,0.5,-1,1,-0.4,0.8,-1,0.2,0.1,1";
    let chain = |seed: &str| {
        let settings =
            [("set", "own"), ("points", points), ("examples", "5"), ("draws", "400"), ("seed", seed)];
        run::<MapComparison>(&settings).0.methods().remove(3)
    };
    let rows: Vec<MethodRow> = (0..30).map(|seed| chain(&seed.to_string())).collect();
    let (mut spread, mut estimated) = (0.0, 0.0);
    for cell in 0..rows[0].map.len() {
        let mean = rows.iter().map(|row| f64::from(row.map[cell])).sum::<f64>() / 30.0;
        spread += rows.iter().map(|row| (f64::from(row.map[cell]) - mean).powi(2)).sum::<f64>() / 29.0;
        estimated += rows.iter().map(|row| f64::from(row.se[cell]).powi(2)).sum::<f64>() / 30.0;
    }
    let ratio = (estimated / spread).sqrt();
    assert!((0.75..1.35).contains(&ratio), "{ratio}");
}

/// Few flips and no noise: several distant lines misclassify equally few points, and no chain moves from one to another.
#[test]
fn chains_that_have_not_mixed_are_reported() {
    let caption = |pairs: &[(&str, &str)], snapshot: &PlaySnapshot, id: &str| {
        let figures = MapComparison::figures(&spec(pairs), snapshot);
        figures.into_iter().find(|figure| figure.id == id).unwrap().caption.clone()
    };
    let set = [("set", "mixture"), ("kernel", "linear"), ("v", "0"), ("kappa", "0.0001")];
    let (mut snapshot, ..) = run::<MapComparison>(&set);
    let hard = caption(&set, &snapshot, "sampled");
    assert!(
        !snapshot.methods()[3].chains.unwrap().agree() && hard.contains("The chains have not mixed"),
        "{hard}"
    );
    // A map that differs where all chains agree.
    let sampled = &snapshot.methods()[3];
    let same = sampled.se.iter().position(|se| *se < 1e-6).unwrap();
    let mut off =
        MethodRow { method: Method::Tap, failed: None, se: Vec::new(), chains: None, ..sampled.clone() };
    off.map[same] = 1.0 - off.map[same];
    snapshot.rows[0] = off;
    let off = caption(&set, &snapshot, "map");
    assert!(off.contains("whose chains have not mixed"), "{off}");
    assert!(off.contains("all chains agree there") && !off.contains("s.e."), "{off}");
    let easy = [("draws", "1000")];
    let (snapshot, ..) = run::<MapComparison>(&easy);
    let (chains, easy) = (snapshot.methods()[3].chains.unwrap(), caption(&easy, &snapshot, "sampled"));
    assert!(chains.agree() && chains.count == 22 && !easy.contains("mixed"), "{easy}");
}

#[test]
fn wrong_labels_are_a_fraction_of_every_drawn_set() {
    let labels = |settings: &[(&str, &str)]| PlayPoints::new(&spec(settings)).tau;
    let flipped = |settings: &[(&str, &str)]| {
        let clean = labels(&[settings, &[("kappa", "0")]].concat());
        let labels = labels(settings);
        labels.iter().zip(&clean).filter(|(a, b)| a != b).count()
    };
    let preset = spec::PRESETS.iter().find(|preset| preset.label == "Wrong labels").unwrap();
    let wrong = Link::parse(&format!("#/gp?{}", preset.query)).raw;
    let wrong: Vec<(&str, &str)> = wrong.iter().map(|(key, text)| (key.as_str(), text.as_str())).collect();
    for seed in ["1", "2", "3", "4", "5"] {
        assert_eq!(flipped(&[&wrong[..], &[("seed", seed)]].concat()), 8, "seed {seed}");
        for set in ["moons", "rings", "mixture"] {
            let settings = [("set", set), ("examples", "50"), ("kappa", "0.2"), ("seed", seed)];
            assert_eq!(flipped(&settings), 10, "{set}, seed {seed}");
        }
    }
    assert_eq!(labels(&wrong), labels(&wrong));
    assert_ne!(
        labels(&[&wrong[..], &[("seed", "1")]].concat()),
        labels(&[&wrong[..], &[("seed", "2")]].concat())
    );
    // Points of the user have the labels that the user gave.
    let own = [("set", "own"), ("points", "0,0,1,1,1,-1,1,0,1"), ("kappa", "0.4")];
    assert_eq!(labels(&own), [1.0, -1.0, 1.0]);
}

/// Regression: the preset showed only the naive theory, and its headline compared TAP with Laplace's approximation.
#[test]
fn the_preset_of_two_theories_shows_and_names_both() {
    let preset = spec::PRESETS.iter().find(|preset| preset.label == "Naive against TAP").unwrap();
    let link = Link::parse(&format!("#/gp?{}&draws=200", preset.query));
    let settings = Checked::new(&link.raw).unwrap();
    let snapshot = complete::<MapComparison>(&settings, &Store::default()).unwrap();
    let map = MapComparison::figures(&settings, &snapshot).remove(0);
    let contours = map.find("tap").unwrap();
    assert!(!contours.is_empty() && !contours.info().hidden);
    // The lines lie in the map, where TAP has one of their probabilities.
    let of_tap = Checked::new(&Link::parse(&format!("#/gp?{}&method=tap", preset.query)).raw).unwrap();
    let figure = MapComparison::figures(&of_tap, &snapshot).remove(0);
    let Some(Mark::Grid(tap)) = figure.find("map") else { panic!("no map") };
    for datum in contours.data() {
        let p = tap.under(datum.x, datum.y).unwrap_or_else(|| panic!("{datum:?} is outside the map"));
        let off = [0.1, 0.5, 0.9].map(|level| (p - level).abs()).into_iter().fold(1.0, f32::min);
        assert!(off < 0.12, "{datum:?}: {p}");
    }
    assert!(contours.data().all(|datum| datum.get("line").is_some()));
    let methods = snapshot.methods();
    let difference =
        |method: usize| format!("{:.1}", 100.0 * methods[method].difference(&methods[3]).unwrap().0);
    assert!(["Naive", "TAP", &difference(0), &difference(1)].iter().all(|part| map.finding.contains(part)));
    assert!(!map.finding.contains("Laplace"), "{}", map.finding);
    let (stock, _, _) = run::<MapComparison>(&[("draws", "200")]);
    assert!(MapComparison::figures(&spec(&[]), &stock)[0].find("tap").is_none());
}

/// The error map is p − p(exact), on the colour scale of all methods, with the largest error marked.
#[test]
fn the_large_map_can_show_the_errors_of_its_method() {
    use crate::figure::Colours;
    use crate::lab::HasLive;
    let query = [("examples", "12"), ("draws", "200"), ("method", "naive")];
    let (probability, error) = (spec(&query), spec(&[&query[..], &[("content", "error")]].concat()));
    let snapshot = complete::<MapComparison>(&error, &Store::default()).unwrap();
    let [before, after] = [&probability, &error].map(|spec| MapComparison::figures(spec, &snapshot));
    assert_eq!((&before[0].id, &before[0].handles), (&after[0].id, &after[0].handles));
    assert_eq!(before[1..], after[1..]);
    let Some(Mark::Grid(map)) = after[0].find("error") else { panic!("no map") };
    let all: Vec<_> = after[1].grids().collect();
    assert_eq!(all.iter().find(|grid| grid.info.key == "naive").unwrap().values, map.values);
    assert!(matches!(map.colours, Colours::Diverging { low, centre: 0.0, high } if low == -high));
    assert!(all.iter().all(|grid| grid.colours == map.colours));
    let largest = map.values.iter().fold(0.0_f32, |largest, d| largest.max(d.abs()));
    let worst = after[0].curve("worst").unwrap().points[0];
    assert_eq!(map.under(worst.x, worst.y).map(f32::abs), Some(largest));
    // While points are dragged there is no exact posterior to compare with.
    let live = MapComparison::live_figures(&error, &snapshot).remove(0);
    assert!(live.grids().next().is_none() && live.handles == after[0].handles);
}
