//! Tests of the regression in one dimension, from specifications to figures.

use std::fmt::Write as _;

use super::*;
use crate::data::{DataRef, Store};
use crate::figure::Mark;
use crate::lab::{Checked, Live, Outcome, Progress, Raw, TypedTask, complete};

fn spec(pairs: &[(&str, &str)]) -> Checked<CurveSpec> {
    let raw: Raw = pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
    Checked::new(&raw).unwrap()
}

fn run(pairs: &[(&str, &str)]) -> CurveSnapshot {
    complete::<Curve1d>(&spec(pairs), &Store::default()).unwrap()
}

#[test]
fn more_flexible_covariances_have_better_bounds_and_predictions() {
    let settings =
        [("hyper", "fixed"), ("hidden", "2"), ("examples", "12"), ("hmc", "1500"), ("restarts", "2")];
    let snapshot = run(&settings);
    let elbo = |method| snapshot.best(method).unwrap().negative_elbo;
    let [laplace, diagonal, factor, full] =
        [Approximation::Laplace, Approximation::Diagonal, Approximation::Factor, Approximation::Full]
            .map(elbo);
    assert!(
        full <= factor + 1e-6 && factor <= diagonal + 1e-6 && full <= laplace,
        "{full} {factor} {diagonal} {laplace}"
    );
    let sampled = snapshot.sampled().unwrap();
    assert!(sampled.has_mixed(), "{:?}", sampled.mixing);
    let rms = |method| snapshot.best(method).unwrap().details.rms_difference(&sampled);
    assert!(rms(Approximation::Full) < rms(Approximation::Laplace));
    assert_eq!(Curve1d::status(&spec(&settings), &snapshot).outcome, Outcome::Converged);
    assert_eq!(sampled.chains, 4);
}

#[test]
fn superfluous_units_are_off() {
    // A constant function needs no units, because targets are shifted to mean 0.
    let flat =
        [("set", "own"), ("points", "-2,0.3,-1,0.31,0,0.29,1,0.3,2,0.3"), ("hidden", "3"), ("hmc", "0")];
    let snapshot = run(&[&flat[..], &[("restarts", "1")]].concat());
    let fit = &snapshot.best(Approximation::Full).unwrap().details;
    assert_eq!(fit.units_off(3), 3, "{:?}", fit.weights);
    let mean = fit.predicted[50].0;
    assert!((mean - 0.3).abs() < 0.02, "{mean}");
}

/// The preset “Too many units” shows that some of the eight units are needed and some are not.
#[test]
fn only_some_of_too_many_units_are_off() {
    let preset = Curve1d::META.presets.iter().find(|preset| preset.label == "Too many units").unwrap();
    let pairs: Vec<_> = preset.query.split('&').filter_map(|pair| pair.split_once('=')).collect();
    let off = run(&pairs).best(Approximation::Full).unwrap().details.units_off(8);
    assert!((1..8).contains(&off), "{off}");
}

/// Regression: the headline compared the fits with chains that had not mixed.
#[test]
fn chains_that_disagree_are_no_reference() {
    let few = spec(&[("hidden", "2"), ("hmc", "100"), ("restarts", "1")]);
    let snapshot = complete::<Curve1d>(&few, &Store::default()).unwrap();
    assert!(!snapshot.sampled().unwrap().has_mixed());
    let figure = Curve1d::figures(&few, &snapshot).remove(0);
    let reference = figure.curve("hmc").unwrap();
    assert!(reference.info.hidden && reference.info.label.contains("not mixed"), "{:?}", reference.info);
    assert!(figure.finding.contains("not mixed") && !figure.finding.contains("too"), "{}", figure.finding);
}

/// The first view of the page compares with a reference.
#[test]
fn the_chains_of_the_default_settings_mix() {
    let stock = spec(&[("restarts", "1")]);
    let snapshot = complete::<Curve1d>(&stock, &Store::default()).unwrap();
    assert!(snapshot.sampled().unwrap().has_mixed());
    let figure = Curve1d::figures(&stock, &snapshot).remove(0);
    assert!(!figure.curve("hmc").unwrap().info.hidden);
    assert!(
        figure.finding.contains("where there are no data") && figure.finding.contains("too"),
        "{}",
        figure.finding
    );
}

/// The headline of the preset is about the gap that the preset is about.
#[test]
fn headline_and_note_are_about_the_band_in_the_widest_interval_without_data() {
    for (set, low, high) in [("gap", -0.6, 0.6), ("waves", 2.0, 4.0)] {
        let settings =
            spec(&[("set", set), ("examples", "16"), ("hyper", "fixed"), ("hmc", "0"), ("restarts", "1")]);
        let snapshot = complete::<Curve1d>(&settings, &Store::default()).unwrap();
        let figure = Curve1d::figures(&settings, &snapshot).remove(0);
        let Some(Mark::Segments(line)) = figure.find("compared") else { panic!("{set}: no line") };
        let [x, ..] = figure.notes[0].at;
        assert!(line.lines[0].iter().all(|(place, _)| *place == x), "{set}: the note is at the line");
        let finding = figure.finding;
        let at =
            finding.split("x = ").nth(1).and_then(|rest| rest.split(')').next()).unwrap().replace('−', "-");
        let at: f64 = at.parse().unwrap();
        assert!((low..=high).contains(&at) && (at - x).abs() < 0.051, "{finding}, {x}");
    }
}

#[test]
fn a_gap_has_no_points_in_it() {
    let inside = |set| {
        spec(&[("set", set), ("examples", "100")]).examples().iter().filter(|(x, _)| x.abs() < 0.5).count()
    };
    assert_eq!((inside("gap"), inside("waves")), (0, 25));
}

#[test]
fn two_columns_of_a_table_are_examples() {
    let mut text = String::from("name,t,x\n");
    for i in 0..15 {
        let x = f64::from(i) * 0.3 - 2.0;
        writeln!(text, "row,{},{}", 100.0 + 20.0 * libm::sin(x), 1000.0 * x).unwrap();
    }
    text.push_str("row,,5\n");
    let mut store = Store::default();
    store.load(text.as_bytes()).unwrap();
    let named = DataRef::file("t.csv", text.as_bytes()).to_string();
    let settings = |more: &[(&'static str, &'static str)]| {
        let mut raw: Raw = [("hmc", "0"), ("restarts", "1"), ("set", "table")]
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
            .into();
        raw.insert("table".into(), named.clone());
        raw.extend(more.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())));
        Checked::<CurveSpec>::new(&raw).unwrap()
    };
    let columns = settings(&[("input", "x"), ("label", "t")]);
    let snapshot = complete::<Curve1d>(&columns, &store).unwrap();
    let examples = snapshot.examples(&columns);
    assert_eq!((examples.len(), examples[0].0), (15, -2000.0));
    let full = snapshot.best(Approximation::Full).unwrap();
    let inputs = columns.inputs(&examples);
    for (x, (mean, sd)) in inputs.iter().zip(&full.details.predicted).filter(|(x, _)| x.abs() < 1500.0) {
        let truth = 100.0 + 20.0 * libm::sin(x / 1000.0);
        assert!((mean - truth).abs() < 2.0 && *sd < 2.0, "{mean} ± {sd} instead of {truth} at {x}");
    }
    let noise = 1.0 / full.beta.sqrt();
    assert!(
        full.details.train_mse.sqrt() < 2.0 && (0.3..6.0).contains(&noise),
        "{noise} in units of the table"
    );
    // By default the last column is the target, and the first other one the input.
    let swapped = settings(&[]);
    let live = complete::<Live<Curve1d>>(&swapped, &store).unwrap();
    assert_eq!((live.fits.len(), live.examples(&swapped)[0].1), (5, -2000.0));
    let figures = Live::<Curve1d>::figures(&swapped, &live);
    assert!(figures[0].handles.is_some() && !figures[0].finding.is_empty());
    // Errors name the field, and the nearest value is valid.
    for (field, text) in [("label", "name"), ("input", "none"), ("input", "x")] {
        let error = complete::<Curve1d>(&settings(&[(field, text)]), &store).unwrap_err().remove(0);
        assert_eq!(error.field, field);
        let nearest = error.nearest.unwrap();
        let nearest: &'static str = ["t", "x"].into_iter().find(|name| *name == nearest).unwrap();
        assert!(complete::<Live<Curve1d>>(&settings(&[(field, nearest)]), &store).is_ok());
    }
    let without = Checked::<CurveSpec>::new(&[("set".to_owned(), "table".to_owned())].into()).unwrap();
    assert_eq!(complete::<Live<Curve1d>>(&without, &store).unwrap_err()[0].field, "table");
    // A malformed row is an error.
    let broken = text + "row,1\n";
    store.load(broken.as_bytes()).unwrap();
    let of_broken = DataRef::file("broken.csv", broken.as_bytes()).to_string();
    let raw: Raw = [("set", "table".to_owned()), ("table", of_broken)].map(|(k, v)| (k.to_owned(), v)).into();
    let error = complete::<Live<Curve1d>>(&Checked::new(&raw).unwrap(), &store).unwrap_err().remove(0);
    assert!(error.field == "table" && error.expected.contains("Row 18, column “x”"), "{error}");
}

#[test]
fn live_fits_are_shown_only_when_all_are_done() {
    let started = spec(&[("hidden", "2"), ("examples", "10")]);
    let mut work = Live::<Curve1d>::start(&started, 0..1, &Store::default(), None).unwrap();
    while let Progress::Running { shown, .. } = work.advance() {
        assert!(!shown || work.snapshot().fits.len() == Approximation::ALL.len());
    }
    let snapshot: CurveSnapshot = work.snapshot();
    assert_eq!((snapshot.fits.len(), snapshot.chains.len()), (Approximation::ALL.len(), 0));
    assert_eq!(Live::<Curve1d>::status(&started, &snapshot).outcome, Outcome::Converged);
}

#[test]
fn hyperpriors_are_four_numbers() {
    let three: Raw = [("hyperpriors".to_owned(), "1,2,3".to_owned())].into();
    let error = Checked::<CurveSpec>::new(&three).unwrap_err().remove(0);
    assert_eq!((error.field.as_str(), error.nearest.as_deref()), ("hyperpriors", Some("0.25,400,0.05,2000")));
}
