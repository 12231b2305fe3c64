//! How a run on the user's data ended, and what would help.

use super::{Main, Method, OwnSnapshot, OwnSpec};
use crate::lab::{Outcome, Status};

/// That of the classifier; or, where it has a solution, what failed besides.
pub fn status(spec: &OwnSpec, snapshot: &OwnSnapshot) -> Status {
    for one in &snapshot.classes {
        let Status { outcome, reason } = status(spec, &one.found);
        if let (Some(reason), Some(main)) = (reason, &one.found.main) {
            let reason = Some(format!("{} against the others: {reason}", main.table.class(1.0)));
            return Status { outcome, reason };
        }
    }
    if let Some(main) = &snapshot.main
        && let Some(status) = failed(spec, main)
    {
        return status;
    }
    let unsolved = snapshot.scan.iter().filter(|attempt| attempt.scores.is_none()).count();
    let untrained = snapshot.retrained.iter().filter(|row| row.prediction.is_none()).count();
    let mut reasons = Vec::new();
    if let Some(end) = snapshot.best_search().filter(|end| end.failed) {
        reasons.push(format!("the fit: {}", end.words));
    }
    if unsolved > 0 {
        reasons.push(format!("{unsolved} of {} values of σ² have no solution", snapshot.scan.len()));
    }
    if untrained > 0 {
        let all = snapshot.retrained.len();
        reasons.push(format!("{untrained} of {all} leave-one-out problems have no solution"));
    }
    let unsolved = snapshot.folds.iter().filter(|fold| fold.predictions.is_none()).count();
    if unsolved > 0 {
        reasons.push(format!(
            "{unsolved} of {} folds of the cross-validation have no solution",
            snapshot.folds.len()
        ));
    }
    if reasons.is_empty() {
        return Status::CONVERGED;
    }
    Status { outcome: Outcome::MaxIterations, reason: Some(reasons.join("; ")) }
}

fn failed(spec: &OwnSpec, main: &Main) -> Option<Status> {
    let attempt = &main.attempt;
    let ending = attempt.ending.filter(|ending| !ending.is_solution())?;
    let advice = if matches!(spec.method, Method::Parallel | Method::Sequential) {
        "smaller steps may help the parallel iteration; method = tap solves the same equations by Newton's method"
    } else if attempt.v == 0.0 && attempt.kappa == 0.0 {
        "the noise-free likelihood cannot satisfy all labels with this covariance function: increase v or κ, or reduce σ²"
    } else if attempt.kappa > 0.0 && spec.method == Method::Tap {
        "for κ > 0 the equations may have no fixed point: change κ, v or σ²"
    } else {
        "increase v, or change σ²"
    };
    let unit = if spec.standardise { "" } else { "; or standardise the columns" };
    let steps = match spec.method {
        Method::Parallel | Method::Sequential => format!("{} sweeps", attempt.outer_iterations),
        _ => format!("{} Newton solves", attempt.newton_solves),
    };
    let reason = format!("no solution in {steps} (residual {:.1e}); {advice}{unit}", attempt.residual);
    Some(Status { outcome: ending.into(), reason: Some(reason) })
}
