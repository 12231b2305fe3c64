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
    assert!(figures[0].finding.contains("flat line"), "{}", figures[0].finding);
    assert!(!figures[0].curve("rings").unwrap().points.is_empty());
}

/// Regression: two curves and two kinds of rings had one symbol each.
#[test]
fn each_curve_has_its_symbol_and_the_headline_says_from_which_number_on() {
    let spec =
        spec(&[("hyper", "fixed"), ("examples", "6"), ("most", "3"), ("walks", "8"), ("restarts", "1")]);
    let mut snapshot = complete::<UnitsSweep>(&spec, &Store::default()).unwrap();
    let figure = |snapshot: &UnitsSnapshot| UnitsSweep::figures(&spec, snapshot).remove(0);
    let markers: Vec<_> =
        figure(&snapshot).curves().filter_map(|curve| Some((curve.marker?, curve.info.hue))).collect();
    assert!(
        markers.len() >= 6 && (1..markers.len()).all(|i| !markers[..i].contains(&markers[i])),
        "{markers:?}"
    );
    let shown =
        markers.iter().map(|(marker, _)| *marker).filter(|marker| *marker != crate::figure::Marker::Circle);
    let shown: Vec<_> = shown.collect();
    assert!((1..shown.len()).all(|i| !shown[..i].contains(&shown[i])), "{shown:?}");
    // The headline follows the best bound of each number of units.
    for (off, words) in [
        (&[3][..], "With 3 hidden units, the best"),
        (&[2, 3], "With more than 1 hidden unit, the best"),
        (&[1, 3], "With 1 and 3 hidden units, the best"),
        (&[1, 2, 3], "With any number of hidden units up to 3, the best"),
        (&[], "With up to 3 hidden units the best fit uses"),
    ] {
        for row in &mut snapshot.fits {
            row.details.off = if off.contains(&row.details.hidden) { row.details.hidden } else { 0 };
        }
        let finding = figure(&snapshot).finding;
        assert!(finding.starts_with(words), "{finding}");
    }
}

/// A unit of `mlp.curve` is found by the place of its method.
#[test]
fn the_index_of_a_method_is_its_place_among_all() {
    assert_eq!(Approximation::ALL.map(Approximation::index), [0, 1, 2, 3, 4]);
}
