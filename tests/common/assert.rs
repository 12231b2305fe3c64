//! Tolerances and assertions for numbers. The name of a tolerance tells how the two numbers are related; a tolerance
//! of a single test is defined in that test.

/// Equal up to rounding.
pub const EXACT: f64 = 1e-13;
/// Two solves of one problem to a residual of 1e-14.
pub const TIGHT: f64 = 1e-10;
/// Two solves of one problem with the default tolerance, or a solve and a closed form.
pub const CONVERGED: f64 = 1e-9;
/// Another computation of the same quantity: printed numbers of an oracle, or the problem in other coordinates.
pub const ORACLE: f64 = 1e-8;

/// Panics unless `ours` is within `tolerance` of `theirs`, relative to 1 + |theirs|.
#[track_caller]
pub fn near(ours: f64, theirs: f64, tolerance: f64, what: &str) {
    assert!((ours - theirs).abs() <= tolerance * (1.0 + theirs.abs()), "{what}: {ours} instead of {theirs}");
}

/// Panics unless each pair of numbers is within `tolerance`.
#[track_caller]
pub fn all_near(ours: &[f64], theirs: &[f64], tolerance: f64, what: &str) {
    assert_eq!(ours.len(), theirs.len(), "{what}: how many");
    for (ours, theirs) in ours.iter().zip(theirs) {
        near(*ours, *theirs, tolerance, what);
    }
}
