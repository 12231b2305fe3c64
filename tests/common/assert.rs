//! How near two numbers have to be, and the assertion that they are. Each tolerance says what the numbers have in common; one
//! that a single test needs stands in that test.

/// Equal but for rounding.
pub const EXACT: f64 = 1e-13;
/// Two solves of one problem to a residual of 1e-14.
pub const TIGHT: f64 = 1e-10;
/// Two solves of one problem as solvers are set by default, or a solve and a closed form.
pub const CONVERGED: f64 = 1e-9;
/// Another computation of the same: an oracle that printed its numbers, or the problem in other coordinates.
pub const ORACLE: f64 = 1e-8;

/// Panics unless `ours` is within `tolerance` of `theirs`, relative to 1 + |theirs|.
#[track_caller]
pub fn near(ours: f64, theirs: f64, tolerance: f64, what: &str) {
    assert!((ours - theirs).abs() <= tolerance * (1.0 + theirs.abs()), "{what}: {ours} instead of {theirs}");
}

/// The same for each of several.
#[track_caller]
pub fn all_near(ours: &[f64], theirs: &[f64], tolerance: f64, what: &str) {
    assert_eq!(ours.len(), theirs.len(), "{what}: how many");
    for (ours, theirs) in ours.iter().zip(theirs) {
        near(*ours, *theirs, tolerance, what);
    }
}
