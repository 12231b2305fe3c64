//! Tests of the sweep over hidden units.

use super::*;
use crate::data::Store;
use crate::lab::{Checked, Outcome, Raw, TypedTask, complete};

fn spec(pairs: &[(&str, &str)]) -> Checked<UnitsSpec> {
    let raw: Raw = pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
    Checked::new(&raw).unwrap()
}

/// Bounds are below the log evidence, and correlations improve them. Factor and full covariance are not compared: their fits can end at
/// different local optima.
#[test]
fn bounds_are_below_the_evidence() {
    let settings = [("hyper", "fixed"), ("examples", "8"), ("most", "2"), ("walks", "120"), ("rungs", "200")];
    let spec = spec(&settings);
    let snapshot = complete::<UnitsSweep>(&spec, &Store::default()).unwrap();
    assert_eq!(UnitsSweep::status(&spec, &snapshot).outcome, Outcome::Converged);
    for hidden in [1, 2] {
        let z = snapshot.ln_evidence(hidden).unwrap();
        let bound = |method| -snapshot.best(method, hidden).unwrap().negative_elbo;
        let [laplace, diagonal, factor, full] = UnitsSweep::METHODS.map(bound);
        assert!(full < z.ln_mean + 4.0 * z.se && z.se < 0.5, "{full} {z:?}");
        assert!(full.min(factor) >= diagonal && full >= laplace, "{laplace} {diagonal} {factor} {full}");
    }
}

/// MacKay 2001: units are switched off although the evidence is in favour of them.
#[test]
fn too_many_units_are_all_switched_off() {
    let spec = spec(&[("most", "8"), ("walks", "0"), ("restarts", "1")]);
    let snapshot = complete::<UnitsSweep>(&spec, &Store::default()).unwrap();
    assert!(snapshot.all_constant(8));
    let bound = -snapshot.best(Approximation::Full, 8).unwrap().negative_elbo;
    // A constant Q = prior would have exactly this bound less the cost of its uncertainty.
    assert!(bound < spec.ln_evidence_of_constant());
    let figures = UnitsSweep::figures(&spec, &snapshot);
    assert!(figures[0].finding.contains("constant"), "{}", figures[0].finding);
    assert!(!figures[0].curve("rings").unwrap().points.is_empty());
}

/// A unit of `mlp.curve` is found by the place of its method.
#[test]
fn the_index_of_a_method_is_its_place_among_all() {
    assert_eq!(Approximation::ALL.map(Approximation::index), [0, 1, 2, 3, 4]);
}
