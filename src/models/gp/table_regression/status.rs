//! Status of a run, with advice.

use super::{ProcessRegressionSnapshot, ProcessRegressionSpec};
use crate::lab::{Ending, Outcome, Status};

/// Returns the failure of the model, or the status of its fit and folds.
pub fn status(spec: &ProcessRegressionSpec, snapshot: &ProcessRegressionSnapshot) -> Status {
    if snapshot.shown().is_none() && snapshot.given.is_some() {
        let advice = if spec.noise < 1.0 { "increase the noise s" } else { "reduce the amplitude a" };
        let reason = format!("the covariance matrix is not positive definite in double precision: {advice}");
        return Status { outcome: Outcome::NoResult, reason: Some(reason) };
    }
    let mut reasons = Vec::new();
    if let Some(search) = snapshot.kept_search() {
        match search.ending {
            None | Some(Ending::Converged | Ending::Stalled) => {}
            Some(Ending::MaxIterations) => reasons.push(format!(
                "the fit stopped at its limit of {} evaluations; the results are those of the best model found",
                search.trace.len()
            )),
            Some(Ending::NoSolution | Ending::NonFinite) => {
                reasons.push("the fit found no model; the results are those of the given values".to_owned());
            }
        }
    }
    let kept = snapshot.kept();
    let has_tests = snapshot.table.as_ref().is_some_and(|table| !table.tests.is_empty());
    let folds = snapshot.folds.iter().filter(|_| spec.shows_folds(has_tests));
    let unsolved = folds.filter(|fold| fold.solution(kept).is_none()).count();
    if unsolved > 0 {
        reasons.push(format!("{unsolved} of {} folds have no solution", snapshot.folds.len()));
    }
    if reasons.is_empty() {
        return Status::CONVERGED;
    }
    Status { outcome: Outcome::Partial, reason: Some(reasons.join("; ")) }
}
