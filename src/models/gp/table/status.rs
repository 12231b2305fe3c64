//! Status of a run, with advice.

use super::{Classifier, ClassifierSnapshot, HyperparameterValues, Method, TableSnapshot, TableSpec};
use crate::lab::{Outcome, Status};

/// Returns the first failure among the classes, or the status of the classifier and its folds. `is_automatic` tells that the fit was not
/// requested: a search that ends at its budget is then no failure.
pub fn status(spec: &TableSpec, snapshot: &TableSnapshot, is_automatic: bool) -> Status {
    for class in &snapshot.classes {
        let Status { outcome, reason } = classifier_status(spec, &class.classifier, is_automatic);
        if let (Some(reason), Some(shown)) = (reason, class.classifier.shown()) {
            let reason = Some(format!("{} against the others: {reason}", shown.table.class(1.0)));
            return Status { outcome, reason };
        }
    }
    let status = classifier_status(spec, &snapshot.classifier, is_automatic);
    let kept = snapshot.classifier.kept();
    let shows_folds = snapshot.classifier.shown().is_some_and(|shown| spec.shows_folds(&shown.table));
    let folds = snapshot.folds.iter().filter(|_| shows_folds);
    let unsolved = folds.filter(|fold| fold.of(kept).is_none()).count();
    if unsolved == 0 || snapshot.classifier.shown().is_some_and(Classifier::has_failed) {
        return status;
    }
    let folds =
        format!("{unsolved} of {} folds of the cross-validation have no solution", snapshot.folds.len());
    let reasons: Vec<String> = status.reason.into_iter().chain([folds]).collect();
    Status { outcome: Outcome::Partial, reason: Some(reasons.join("; ")) }
}

/// Returns the status of the classifier or, if it has a solution, of its fit, scan and retraining.
pub fn classifier_status(spec: &TableSpec, snapshot: &ClassifierSnapshot, is_automatic: bool) -> Status {
    if let Some(failure) = snapshot.shown().and_then(|shown| failure(spec, shown)) {
        return failure;
    }
    let mut reasons = Vec::new();
    if snapshot.fitted.as_ref().is_some_and(Classifier::has_failed) {
        let what =
            "the fit: its values have no solution from scratch; the results are those of the given settings";
        reasons.push(what.to_owned());
    } else if let Some(end) = snapshot.best_start().filter(|end| end.failed && !is_automatic) {
        reasons.push(format!("the fit: {}", end.message));
    }
    let unsolved = snapshot.scan.iter().filter(|solve| solve.scores.is_none()).count();
    if unsolved > 0 {
        reasons.push(format!("{unsolved} of {} values of σ² have no solution", snapshot.scan.len()));
    }
    let unsolved = snapshot.retrained.iter().filter(|row| row.prediction.is_none()).count();
    if unsolved > 0 {
        let rows = snapshot.retrained.len();
        reasons.push(format!("{unsolved} of {rows} leave-one-out problems have no solution"));
    }
    if reasons.is_empty() {
        return Status::CONVERGED;
    }
    Status { outcome: Outcome::Partial, reason: Some(reasons.join("; ")) }
}

/// Returns the failure of a classifier without a solution.
fn failure(spec: &TableSpec, classifier: &Classifier) -> Option<Status> {
    let solve = &classifier.solve;
    let ending = solve.ending.filter(|_| classifier.has_failed())?;
    let HyperparameterValues { v, kappa, .. } = solve.hyper;
    let advice = if spec.is_tuned() {
        "the given settings have no solution either: increase v, at which the fit starts"
    } else if spec.method.is_iteration() {
        "smaller steps may help the parallel iteration; method = tap solves the same equations by Newton's method"
    } else if v == 0.0 && kappa == 0.0 {
        "the noise-free likelihood cannot satisfy all labels with this covariance function: increase v or κ, or reduce σ²"
    } else if kappa > 0.0 && spec.method == Method::Tap {
        "for κ > 0 the equations may have no fixed point: change κ, v or σ²"
    } else {
        "increase v, or change σ²"
    };
    let scale = if spec.standardise { "" } else { "; or standardise the columns" };
    let steps = if spec.method.is_iteration() {
        format!("{} sweeps", solve.outer_iterations)
    } else {
        format!("{} Newton solves", solve.newton_solves)
    };
    let reason = format!("no solution in {steps} (residual {:.1e}); {advice}{scale}", solve.residual);
    Some(Status { outcome: ending.into(), reason: Some(reason) })
}
