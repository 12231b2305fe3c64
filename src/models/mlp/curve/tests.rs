//! The regression in one dimension, from a specification to what is seen.

use std::fmt::Write as _;

use super::*;
use crate::data::{DataRef, Store};
use crate::lab::{Checked, Live, Outcome, Progress, Raw, Run, complete};

fn spec(pairs: &[(&str, &str)]) -> Checked<CurveSpec> {
    let raw: Raw = pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
    Checked::new(&raw).unwrap()
}

fn run(pairs: &[(&str, &str)]) -> CurveSnapshot {
    complete::<Curve1d>(&spec(pairs), &Store::default()).unwrap()
}

#[test]
fn freer_forms_have_tighter_bounds_and_better_predictions() {
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
    let sampled = figures::sampled(&snapshot).unwrap();
    assert!(sampled.mixed(), "{:?}", sampled.mixing);
    let far = |method| figures::difference(snapshot.best(method).unwrap(), &sampled);
    assert!(far(Approximation::Full) < far(Approximation::Laplace));
    assert_eq!(Curve1d::status(&spec(&settings), &snapshot).outcome, Outcome::Converged);
    assert!(Curve1d::figures(&spec(&settings), &snapshot)[0].caption.contains("Monte Carlo: 4 chains"));
}

#[test]
fn units_that_are_not_needed_are_off() {
    // A constant needs no unit: targets have their mean taken away.
    let flat =
        [("set", "own"), ("points", "-2,0.3,-1,0.31,0,0.29,1,0.3,2,0.3"), ("hmc", "0"), ("restarts", "1")];
    let snapshot = run(&flat);
    let figures = Curve1d::figures(&spec(&flat), &snapshot);
    let weights = figures.iter().find(|figure| figure.id == "weights").unwrap();
    assert!(weights.caption.contains("3 of 3 units are off"), "{}", weights.caption);
    let mean = snapshot.best(Approximation::Full).unwrap().predicted[50].0;
    assert!((mean - 0.3).abs() < 0.02, "{mean}");
}

/// Some of eight units, and not all: the preset is to show which are needed.
#[test]
fn too_many_units_are_off_and_some_are_not() {
    let preset = Curve1d::META.presets.iter().find(|preset| preset.label == "Too many units").unwrap();
    let pairs: Vec<_> = preset.query.split('&').filter_map(|pair| pair.split_once('=')).collect();
    let figures = Curve1d::figures(&spec(&pairs), &run(&pairs));
    let caption = &figures.iter().find(|figure| figure.id == "weights").unwrap().caption;
    let (before, _) = caption.split_once(" of 8 units are off").unwrap();
    let off: usize = before.split_whitespace().last().unwrap().parse().unwrap();
    assert!((1..8).contains(&off), "{caption}");
}

#[test]
fn a_gap_has_no_points_in_it() {
    let inside = |set| {
        spec(&[("set", set), ("examples", "100")]).examples().iter().filter(|(x, _)| x.abs() < 0.5).count()
    };
    assert_eq!((inside("gap"), inside("waves")), (0, 25));
}

/// The same numbers in other units give the same fit in those units.
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
    for (x, (mean, sd)) in inputs.iter().zip(&full.predicted).filter(|(x, _)| x.abs() < 1500.0) {
        let truth = 100.0 + 20.0 * libm::sin(x / 1000.0);
        assert!((mean - truth).abs() < 2.0 && *sd < 2.0, "{mean} ± {sd} instead of {truth} at {x}");
    }
    let noise = 1.0 / full.beta.sqrt();
    assert!(full.train_mse.sqrt() < 2.0 && (0.3..6.0).contains(&noise), "{noise} in units of the table");
    // By default the last column is the target, and the first other one the input.
    let swapped = settings(&[]);
    let live = complete::<Live<Curve1d>>(&swapped, &store).unwrap();
    assert_eq!((live.fits.len(), live.examples(&swapped)[0].1), (5, -2000.0));
    let figures = Live::<Curve1d>::figures(&swapped, &live);
    assert!(figures[0].handles.is_some() && !figures[0].finding.is_empty());
    // What does not fit is named, and the advice holds.
    for (field, text) in [("label", "name"), ("input", "none"), ("input", "x")] {
        let problem = complete::<Curve1d>(&settings(&[(field, text)]), &store).unwrap_err().remove(0);
        assert_eq!(problem.field, field);
        let mended = problem.nearest.unwrap();
        let mended: &'static str = ["t", "x"].into_iter().find(|name| *name == mended).unwrap();
        assert!(complete::<Live<Curve1d>>(&settings(&[(field, mended)]), &store).is_ok());
    }
    let without = Checked::<CurveSpec>::new(&[("set".to_owned(), "table".to_owned())].into()).unwrap();
    assert_eq!(complete::<Live<Curve1d>>(&without, &store).unwrap_err()[0].field, "table");
    // No row is lost because it has another number of cells.
    let broken = text + "row,1\n";
    store.load(broken.as_bytes()).unwrap();
    let of_broken = DataRef::file("broken.csv", broken.as_bytes()).to_string();
    let raw: Raw = [("set", "table".to_owned()), ("table", of_broken)].map(|(k, v)| (k.to_owned(), v)).into();
    let problem = complete::<Live<Curve1d>>(&Checked::new(&raw).unwrap(), &store).unwrap_err().remove(0);
    assert!(problem.field == "table" && problem.expected.contains("Row 18, column “x”"), "{problem}");
}

#[test]
fn live_fits_are_drawn_together() {
    let started = spec(&[("hidden", "2"), ("examples", "10")]);
    let mut work = Live::<Curve1d>::start(&started, 0..1, &Store::default(), None).unwrap();
    while let Progress::Running { shown, .. } = work.advance() {
        assert!(!shown || work.snapshot().fits.len() == FITTED.len());
    }
    let snapshot: CurveSnapshot = work.snapshot();
    assert_eq!((snapshot.fits.len(), snapshot.chains.len()), (FITTED.len(), 0));
    assert_eq!(Live::<Curve1d>::status(&started, &snapshot).outcome, Outcome::Converged);
}

#[test]
fn priors_are_four_numbers() {
    let three: Raw = [("hyperpriors".to_owned(), "1,2,3".to_owned())].into();
    let problem = Checked::<CurveSpec>::new(&three).unwrap_err().remove(0);
    assert_eq!(
        (problem.field.as_str(), problem.nearest.as_deref()),
        ("hyperpriors", Some("0.25,400,0.05,2000"))
    );
}
