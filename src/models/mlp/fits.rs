//! Starts of fits as the tasks of this model report them: the best start of a method, the status of a run, and predictions.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::fields::Approximation;
use super::solver::fit::{FitResult, NetworkFit};
use super::solver::mode::energy;
use super::solver::problem::RegressionProblem;
use crate::lab::{Ending, Outcome, Status};

/// One start of a fit, finished or in progress, with results `D` that are specific to the task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitRow<D> {
    /// Fitted approximation.
    pub method: Approximation,
    /// Index of the start, from 0.
    pub restart: usize,
    /// Free energy F, without ln Z; NaN for MAP.
    pub free_energy: f64,
    /// −ELBO; NaN for MAP.
    pub negative_elbo: f64,
    /// Criterion for the best start; smaller is better.
    pub objective: f64,
    /// Prior precision α, given or estimated; the geometric mean over several groups of weights.
    pub alpha: f64,
    /// Noise precision β, given or estimated.
    pub beta: f64,
    /// Evaluations of the free energy; for MAP and Laplace, of the log posterior.
    pub evaluations: usize,
    /// Ending of the fit; `None` while it is in progress.
    pub ending: Option<Ending>,
    /// Results that are specific to the task.
    pub details: D,
}

impl<D> FitRow<D> {
    /// Creates the row of start `restart` of `fit`, whose result so far is `result`.
    pub fn new(
        (method, restart): (Approximation, usize),
        fit: &NetworkFit,
        FitResult { bound, evaluations, .. }: &FitResult,
        objective: f64,
        details: D,
    ) -> Self {
        Self {
            method,
            restart,
            free_energy: bound.free_energy,
            negative_elbo: bound.negative_elbo,
            objective,
            alpha: bound.precisions.alpha(),
            beta: bound.precisions.beta,
            evaluations: *evaluations,
            ending: fit.ending(),
            details,
        }
    }

    /// Returns the row with other details.
    pub fn with_details<E>(self, details: E) -> FitRow<E> {
        FitRow {
            method: self.method,
            restart: self.restart,
            free_energy: self.free_energy,
            negative_elbo: self.negative_elbo,
            objective: self.objective,
            alpha: self.alpha,
            beta: self.beta,
            evaluations: self.evaluations,
            ending: self.ending,
            details,
        }
    }
}

/// Returns the energy β `E_D` + (α/2)|w|² at the mean of a fit.
pub fn energy_at_mean(problem: &RegressionProblem, FitResult { q, bound, .. }: &FitResult) -> f64 {
    energy(problem.shape, &q.mean, &problem.examples, bound.precisions.alpha(), bound.precisions.beta).0
}

/// Returns −ELBO at each evaluation; empty for MAP and Laplace, which do not minimise it.
pub fn elbo_trace(method: Approximation, fit: &NetworkFit) -> Vec<f32> {
    if method.is_ensemble() { fit.trace().iter().map(|value| *value as f32).collect() } else { Vec::new() }
}

/// Returns the finished start with the lowest finite objective.
pub fn best_finished<'a, D: 'a>(rows: impl Iterator<Item = &'a FitRow<D>>) -> Option<&'a FitRow<D>> {
    let finished = rows.filter(|row| row.ending.is_some() && row.objective.is_finite());
    finished.reduce(|a, b| if b.objective < a.objective { b } else { a })
}

/// Returns the best finished start of `method`, or the latest start if none has finished.
pub fn best<D>(fits: &[FitRow<D>], method: Approximation) -> Option<&FitRow<D>> {
    let rows = || fits.iter().filter(move |row| row.method == method);
    best_finished(rows()).or_else(|| rows().next_back())
}

/// Returns the status of a run from the best start of each fit: converged if all of them have converged, no result if none has
/// a finite objective.
pub fn status<'a, D: 'a>(best: impl Iterator<Item = &'a FitRow<D>>) -> Status {
    let best: Vec<&FitRow<D>> = best.collect();
    let failed = best.iter().filter(|row| !row.ending.is_some_and(Ending::is_solution));
    let reasons: Vec<String> = failed
        .map(|row| match row.ending {
            Some(Ending::MaxIterations) | None => {
                format!("{}: not converged after {} evaluations", row.method.label(), row.evaluations)
            }
            _ => format!("{}: a value is not finite", row.method.label()),
        })
        .collect();
    let outcome = if reasons.is_empty() {
        Outcome::Converged
    } else if best.iter().any(|row| row.objective.is_finite()) {
        Outcome::Partial
    } else {
        Outcome::NoResult
    };
    Status { outcome, reason: (!reasons.is_empty()).then(|| reasons.join("; ")) }
}

/// Returns the report of the mean and variance of f at inputs `x` under each of the `named` distributions, given as means and standard
/// deviations whose first `offset` elements belong to other inputs.
pub fn prediction_report(x: &[f64], offset: usize, named: &[(&str, &[(f64, f64)])]) -> Value {
    let at = |(i, x): (usize, &f64)| {
        let row = |(name, predicted): &(&str, &[(f64, f64)])| {
            let (mean, sd) = predicted.get(offset + i)?;
            Some(json!({ "x": x, "covariance": name, "mean": mean, "var": sd * sd }))
        };
        named.iter().filter_map(row).collect::<Vec<_>>()
    };
    x.iter().enumerate().flat_map(at).collect()
}
