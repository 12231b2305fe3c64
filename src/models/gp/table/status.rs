//! How a run on one's own data ended, and what would help.

use super::{Main, Method, OwnSnapshot, OwnSpec};
use crate::lab::{Outcome, Status};

/// That of the classifier; or, where it has a solution, what failed besides.
pub fn status(spec: &OwnSpec, snapshot: &OwnSnapshot) -> Status {
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
        reasons.push(format!("{untrained} of {all} rows left out leave a problem without a solution"));
    }
    if reasons.is_empty() {
        return Status::CONVERGED;
    }
    Status { outcome: Outcome::MaxIterations, reason: Some(reasons.join("; ")) }
}

fn failed(spec: &OwnSpec, main: &Main) -> Option<Status> {
    let attempt = &main.attempt;
    let ending = attempt.ending.filter(|ending| !ending.is_solution())?;
    let advice = if spec.method == Method::PaperIteration {
        "a smaller damping may help; method = tap solves the same equations in a dozen steps"
    } else if attempt.v == 0.0 && attempt.kappa == 0.0 {
        "without noise every label must be obeyed, and this covariance function may not be able to: raise v or κ, or take a \
         smaller σ²"
    } else if attempt.kappa > 0.0 && spec.method == Method::Tap {
        "flips (κ > 0) may leave none to be found: another κ, v or σ² may help"
    } else {
        "more noise (v) or another σ² would help"
    };
    let unit = if spec.standardise { "" } else { "; or standardise the columns" };
    let steps = match spec.method {
        Method::PaperIteration => format!("{} sweeps", attempt.outer_iterations),
        _ => format!("{} Newton solves", attempt.newton_solves),
    };
    let reason = format!("no solution in {steps} (residual {:.1e}); {advice}{unit}", attempt.residual);
    Some(Status { outcome: ending.into(), reason: Some(reason) })
}
