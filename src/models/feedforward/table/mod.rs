//! One's own data: a student trained on a table, with a leave-one-out prediction of each row.

mod experiment;
mod figures;
mod folds;
mod report;
mod rows;
mod run;
mod spec;
#[cfg(test)]
mod tests;

pub use spec::{CavityVariances, FitBy, OwnSpec};

use serde::{Deserialize, Serialize};

use crate::data::TableSummary;
use crate::lab::{Baseline, Ending, Raw, Residuals, raw_of};
use crate::models::feedforward::tap::Tap;

/// Sharper than the learning curve's: here it is one solution that is read.
const SOLVER: Tap = Tap { tolerance: 1e-11 };

/// The TAP equations on the user's table.
pub struct OwnData;

/// What a worker sends of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OwnSnapshot {
    /// Sweeps so far, over all attempts.
    pub sweeps: usize,
    /// How the solve ended; `None` while it is under way.
    pub ending: Option<Ending>,
    /// The solution, where there is one.
    pub solved: Option<OwnSolution>,
    /// β and log evidence of every solution that β was chosen from, by β.
    pub path: Vec<(f64, f64)>,
    /// Whether the chosen β is the largest that has a solution.
    pub at_the_edge: bool,
    /// Where there is no solution: the largest β tried below the given one that has one.
    pub advice: Option<f64>,
    /// Residual after each sweep, thinned where there are very many; only of a solve that failed.
    pub residuals: Residuals,
    /// What it is compared with.
    pub baseline: Option<Baseline>,
    /// The folds of cross-validation, in their order.
    pub folds: Vec<Fold>,
}

/// A fold of cross-validation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fold {
    /// The training rows that it holds out, by their number among these.
    pub rows: Vec<usize>,
    /// The β of its solution, where it has one.
    pub beta: Option<f64>,
    /// The probability of +1 of each of these rows, where it has one.
    pub predictions: Option<Vec<f64>>,
}

/// A solution, with what its numbers belong to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnSolution {
    /// The rows that were learnt from and those that are predicted.
    pub table: TableSummary,
    /// Indices of the inputs, the largest |⟨w⟩| first.
    pub order: Vec<usize>,
    /// ⟨w⟩, K×n: one an input, in their order.
    pub weights: Vec<f64>,
    /// The β that it is for.
    pub beta: f64,
    /// Whether each row has a cavity variance of its own.
    pub own: bool,
    /// λ: K, or those of each row's own, m×K.
    pub lambda: Vec<f64>,
    /// Posterior standard deviations of the weights, K×n.
    pub sd: Vec<f64>,
    /// The log evidence.
    pub ln_evidence: f64,
    /// Σ ln p(label | others).
    pub ln_loo: f64,
    /// Leave-one-out probability of +1, label noise included, m.
    pub predictions: Vec<f64>,
    /// Probability of +1 of each test row.
    pub test: Vec<f64>,
    /// Of each row without a label.
    pub unlabelled: Vec<f64>,
    /// Of each row of the second file.
    pub second: Vec<f64>,
    /// How many test rows are predicted wrongly; an undecided one counts half.
    pub test_errors: f64,
    /// How many leave-one-out predictions are wrong; an undecided one counts half.
    pub loo_errors: f64,
    /// How many examples are predicted wrongly after all of them were learnt; an undecided one counts half.
    pub train_errors: f64,
    /// The same by the tilted posterior, each row's own factor included.
    pub train_errors_tilted: f64,
    /// Fields of every example, if they were asked for.
    pub fields: Option<Fields>,
}

/// What the equations say of every example.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fields {
    /// g = i⟨x⟩ of eq. (5), m×K.
    pub g: Vec<f64>,
    /// Cavity fields z of eq. (8), m×K.
    pub z: Vec<f64>,
    /// ln⟨F⟩ without −ln(1+e^−β), m.
    pub ln_f: Vec<f64>,
}

impl OwnSnapshot {
    /// Why there is no solution, and what would help; `None` unless all fall-backs failed.
    fn failure(&self, spec: &OwnSpec) -> Option<String> {
        let failed = self.ending.is_some_and(|ending| ending != Ending::Converged);
        failed.then(|| format!("no fixed point in {} sweeps; {}", self.sweeps, self.advice(spec)))
    }

    /// What would help. A β that is named has a solution, and some β that is fitted.
    fn advice(&self, spec: &OwnSpec) -> String {
        match (self.advice.filter(|beta| *beta > 0.0), spec.beta.is_infinite()) {
            (Some(beta), true) => {
                format!("without label noise there may be none: choose a finite β such as {beta}, or fit β")
            }
            (Some(beta), false) => {
                format!("choose β = {beta}, the largest value tried that has one, or fit β")
            }
            (None, _) if spec.standardise => "fit β".into(),
            (None, _) => "standardise the columns, or fit β".into(),
        }
    }

    /// Of each training row the probability of +1 by cross-validation, NaN where there is none; nothing before any fold is done.
    fn cross_validated(&self) -> Option<Vec<f64>> {
        let mut p = vec![f64::NAN; self.solved.as_ref()?.table.labels.len()];
        for fold in &self.folds {
            let predictions = fold.predictions.iter().flatten();
            fold.rows.iter().zip(predictions).for_each(|(row, said)| p[*row] = *said);
        }
        p.iter().any(|p| p.is_finite()).then_some(p)
    }

    /// That folds have no solution, where some have none: at a β that is given, since some β has one.
    fn unsolved_folds(&self, spec: &OwnSpec) -> Option<String> {
        let unsolved = self.folds.iter().filter(|fold| fold.predictions.is_none()).count();
        let (all, beta) = (self.folds.len(), figures::written(spec.beta));
        (unsolved > 0).then(|| {
            format!("cross-validation: {unsolved} of {all} folds without a fixed point at β = {beta}; fit β")
        })
    }

    /// The fitted β, or one that is advised, as settings of a run without a fit.
    fn found(&self, spec: &OwnSpec) -> Raw {
        let fitted = self.solved.as_ref().filter(|_| spec.fit != FitBy::Nothing).map(|solved| solved.beta);
        let advised = self.advice.filter(|beta| self.failure(spec).is_some() && *beta > 0.0);
        let Some(beta) = fitted.or(advised) else { return Raw::new() };
        let fields = &OwnSpec::FIELDS;
        let beta = if beta.is_infinite() { "inf".to_owned() } else { beta.to_string() };
        raw_of([(fields.fit.key, FitBy::Nothing.word().to_owned()), (fields.beta.key, beta)])
    }

    /// What is to be said of a β that was chosen at the border of those that have a solution.
    fn warning(&self) -> Option<String> {
        let solved = self.solved.as_ref().filter(|_| self.at_the_edge)?;
        Some(format!(
            "the log evidence is largest at β = {}, the largest β tried that has a fixed point; it may be larger beyond",
            solved.beta
        ))
    }
}
