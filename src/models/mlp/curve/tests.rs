//! The regression in one dimension, from a specification to what is seen.

use super::*;
use crate::data::Store;
use crate::lab::{Checked, Outcome, Raw, Run, complete};

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

#[test]
fn a_gap_has_no_points_in_it() {
    let inside = |set| {
        spec(&[("set", set), ("examples", "100")]).examples().iter().filter(|(x, _)| x.abs() < 0.5).count()
    };
    assert_eq!((inside("gap"), inside("waves")), (0, 25));
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
