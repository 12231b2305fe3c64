//! A student trained on the user's table, with a leave-one-out prediction of each row.

mod effects;
mod figures;
mod predicting;
mod report;
mod rows;
mod spec;
mod student;
mod task;
#[cfg(test)]
mod tests;
mod work;

pub use spec::{CavityVariances, FitBy, TableSpec};

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::data::TableSummary;
use crate::lab::labelled_table::{
    Baseline, ClassWeights, ClassifiedTable, ColumnEffect, Fold, HeldOutComparison, Kept, NoEffects,
    RowPredictions, TwoClassPrediction, Untuned, cross_validated, describe_gain, effects_over_folds,
};
use crate::lab::{Ending, Residuals};
use crate::models::feedforward::tap::Tap;
use crate::models::feedforward::tap::solution::{FieldVariances, WeightPosterior};

/// Solver with a smaller tolerance than the learning curve's, since single weights and rows are shown.
const SOLVER: Tap = Tap { tolerance: 1e-11 };

/// The TAP equations on the user's table.
pub struct UserTable;

/// Student, baseline and folds so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableSnapshot {
    /// Number of sweeps so far, over all attempts.
    pub sweeps: usize,
    /// Ending of the solve; `None` while it is running.
    pub ending: Option<Ending>,
    /// Solution, if there is one.
    pub solution: Option<TableSolution>,
    /// β and log evidence of every solution found while fitting β, in ascending β.
    pub path: Vec<(f64, f64)>,
    /// True if the fitted β is the largest one tried that has a solution.
    pub at_largest_beta: bool,
    /// Largest β tried below the given one that has a solution; only if the given one has none.
    pub advised_beta: Option<f64>,
    /// Residual after each sweep; only of a solve that failed.
    pub residuals: Residuals,
    /// Predictions of logistic regression.
    pub baseline: Option<Baseline>,
    /// Folds of cross-validation in their order, each with the β of its solution.
    pub folds: Vec<Fold<Option<f64>>>,
    /// Effects of the columns in each fold with a solution.
    pub fold_effects: Vec<Vec<ColumnEffect>>,
    /// The same at the given β, if β is fitted.
    pub fold_effects_before_fit: Vec<Vec<ColumnEffect>>,
    /// Solution at the given β, if β is fitted as well.
    pub before_fit: Option<TableSolution>,
    /// Reason why β is not tuned automatically, if it is not.
    pub untuned: Option<Untuned>,
}

/// A solution and its predictions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableSolution {
    /// Training rows and predicted rows.
    pub table: TableSummary,
    /// Mean weights ⟨w⟩, K×n: one for each input, in their order.
    pub weights: Vec<f64>,
    /// Posterior standard deviations of the weights, K×n.
    pub weight_sd: Vec<f64>,
    /// Inverse temperature β of the output noise.
    pub beta: f64,
    /// True if each row has its own cavity variance.
    pub per_row: bool,
    /// Cavity variances λ: K, or m×K if each row has its own.
    pub lambda: Vec<f64>,
    /// Log evidence.
    pub ln_evidence: f64,
    /// Posterior covariances of the weights of each branch, K of n×n, which predict new rows; empty unless each row has its own cavity
    /// variance.
    pub covariances: Rc<Vec<Vec<f64>>>,
    /// Leave-one-out log probability Σ ln p(label | others).
    pub ln_loo: f64,
    /// Probabilities of +1, label noise included.
    pub p: RowPredictions<f64>,
    /// Number of misclassified test rows; ties count half.
    pub test_errors: f64,
    /// Number of misclassified rows in leave-one-out; ties count half.
    pub loo_errors: f64,
    /// Number of misclassified training rows; ties count half.
    pub train_errors: f64,
    /// The same by the tilted posterior, which includes each row's own factor.
    pub train_errors_tilted: f64,
    /// Effects of the columns on the log loss of the test rows; empty without test rows.
    pub effects: Vec<ColumnEffect>,
    /// Fields of every training row, if requested.
    pub fields: Option<RowFields>,
}

/// Fields of the training rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowFields {
    /// g = i⟨x⟩ of OW96 eq. (5), m×K.
    pub g: Vec<f64>,
    /// Cavity fields z of OW96 eq. (8), m×K.
    pub z: Vec<f64>,
    /// ln⟨F⟩ without −ln(1+e^−β), m.
    pub ln_f: Vec<f64>,
}

impl TableSolution {
    /// Returns the posterior of the weights for predictions.
    fn weight_posterior(&self) -> WeightPosterior<'_> {
        let variances = if self.per_row {
            FieldVariances::Adaptive(&self.covariances)
        } else {
            FieldVariances::Shared(&self.lambda)
        };
        WeightPosterior { weights: &self.weights, variances }
    }
}

impl TableSnapshot {
    /// Returns the comparison of given and fitted β in the folds.
    fn comparison(&self) -> HeldOutComparison {
        let labels = self.solution.as_ref().map_or(&[][..], |solution| &solution.table.labels);
        let folds = if self.before_fit.is_some() { self.folds.as_slice() } else { &[] };
        if labels.is_empty() {
            HeldOutComparison::default()
        } else {
            HeldOutComparison::of_classes(folds, labels)
        }
    }

    /// Returns the β that is kept: the given one if the fitted one predicts held-out rows worse.
    fn kept(&self) -> Kept {
        self.comparison().kept
    }

    /// Returns the solution of the results: that at the given β until β is fitted, and if the given β is kept.
    fn shown(&self) -> Option<&TableSolution> {
        let fitted = self.solution.as_ref().filter(|_| self.kept() == Kept::Fitted);
        fitted.or(self.before_fit.as_ref()).or(self.solution.as_ref())
    }

    /// Returns the classified table, if there is a solution.
    fn classified(&self, spec: &TableSpec) -> Option<ClassifiedTable<'_>> {
        let solution = self.shown()?;
        let is_fitted = spec.is_tuned() && self.solution.is_some();
        let classified = ClassifiedTable {
            cross_validated: self.folds_of(spec, self.kept(), &solution.table),
            is_optimistic: is_fitted || !spec.group.is_empty(),
            ..self.predictions(spec, solution)
        };
        Some(classified.weighted(spec.class_weights))
    }

    /// Returns the table with the predictions at the given β, if β has been fitted. The rows are those of the fit: test rows, or the
    /// same folds.
    fn classified_before_fit(&self, spec: &TableSpec) -> Option<ClassifiedTable<'_>> {
        self.solution.as_ref()?;
        let given = self.before_fit.as_ref()?;
        let classified = ClassifiedTable {
            cross_validated: self.folds_of(spec, Kept::Given, &given.table),
            is_optimistic: true,
            ..self.predictions(spec, given)
        };
        Some(classified.weighted(spec.class_weights))
    }

    /// Returns the cross-validated probabilities of the training rows at the β that is `kept`, if the folds are results.
    fn folds_of(&self, spec: &TableSpec, kept: Kept, table: &TableSummary) -> Option<Vec<f64>> {
        let shown = spec.folds > 0 || table.test_labels.is_empty();
        cross_validated(&self.folds, kept, table.labels.len()).filter(|_| shown)
    }

    /// Returns the table with the predictions of a solution, without folds.
    fn predictions<'a>(&'a self, spec: &TableSpec, solution: &'a TableSolution) -> ClassifiedTable<'a> {
        ClassifiedTable {
            method: spec.machine().to_owned(),
            table: &solution.table,
            weights: ClassWeights::Equal,
            rows: Some(solution.p.map(|p| TwoClassPrediction { p: *p, latent: None })),
            cross_validated: None,
            folds: spec.planned_folds(),
            is_optimistic: !spec.group.is_empty(),
            retrained: Vec::new(),
            baseline: self.baseline.as_ref(),
            threshold: spec.threshold,
        }
    }

    /// Describes why β is not tuned automatically, if it is not.
    fn not_tuned(&self) -> Option<String> {
        Some(self.untuned?.describe("β is", &TableSpec::FIELDS.fit))
    }

    /// Describes the gain of the fit of β in a sentence that follows the headline.
    fn gain(&self, spec: &TableSpec) -> String {
        let Some(fitted) = self.solution.as_ref().filter(|_| spec.is_tuned()) else { return String::new() };
        let Some(before) = self.classified_before_fit(spec) else {
            let [chosen, given] = [fitted.beta, spec.beta].map(beta_text);
            return format!(" Tuned by evidence: β = {chosen} (no solution at β = {given}).");
        };
        if self.kept() == Kept::Given {
            return self.comparison().sentences("evidence");
        }
        let after = self.classified(spec).and_then(|after| after.headline());
        after.map_or(String::new(), |after| describe_gain("evidence", before.headline().as_ref(), &after))
    }

    /// Returns the effects of the columns on test rows or, without them, on the held-out rows of all folds.
    fn effects(&self) -> Vec<ColumnEffect> {
        let on_tests = self.shown().map(|solution| &solution.effects);
        let in_folds = match self.kept() {
            Kept::Given => &self.fold_effects_before_fit,
            Kept::OneLengthScale | Kept::Fitted => &self.fold_effects,
        };
        on_tests
            .filter(|effects| !effects.is_empty())
            .cloned()
            .unwrap_or_else(|| effects_over_folds(in_folds))
    }

    /// Returns the reason why there are no effects, if it is known.
    fn no_effects(&self, spec: &TableSpec) -> Option<NoEffects> {
        let table = &self.shown()?.table;
        NoEffects::of(table.test_labels.len() + spec.planned_folds(), table.names.len())
    }

    /// Returns the reason and a remedy if all attempts failed.
    fn failure(&self, spec: &TableSpec) -> Option<String> {
        self.ending.filter(|ending| *ending != Ending::Converged)?;
        let remedy = match (self.advised_beta.filter(|beta| *beta > 0.0), spec.beta.is_infinite()) {
            (Some(beta), true) => {
                format!("without label noise there may be none: choose a finite β such as {beta}, or fit β")
            }
            (Some(beta), false) => {
                format!("choose β = {beta}, the largest value tried that has one, or fit β")
            }
            (None, _) if spec.standardise => "fit β".into(),
            (None, _) => "standardise the columns, or fit β".into(),
        };
        let at = if spec.is_tuned() { String::new() } else { format!(" at β = {}", beta_text(spec.beta)) };
        Some(format!("no fixed point{at} in {} sweeps; {remedy}", self.sweeps))
    }

    /// Returns a message if folds of the results have no solution. That happens at a given β only: every fit of β has a solution.
    fn unsolved_folds(&self, spec: &TableSpec) -> Option<String> {
        let kept = self.kept();
        let unsolved = self.folds.iter().filter(|fold| fold.of(kept).is_none()).count();
        let (folds, beta) = (self.folds.len(), beta_text(spec.beta));
        let remedy = if spec.is_tuned() { "" } else { "; fit β" };
        (unsolved > 0).then(|| {
            format!(
                "cross-validation: {unsolved} of {folds} folds without a fixed point at β = {beta}{remedy}"
            )
        })
    }

    /// Returns a warning if the fitted β is at the border of those that have a solution.
    fn warning(&self) -> Option<String> {
        let is_kept = self.at_largest_beta && self.kept() == Kept::Fitted;
        let solution = self.solution.as_ref().filter(|_| is_kept)?;
        Some(format!(
            "the log evidence is largest at β = {}, the largest β tried that has a fixed point; it may be larger beyond",
            solution.beta
        ))
    }
}

/// Formats β; infinity is `∞`.
fn beta_text(beta: f64) -> String {
    if beta.is_infinite() { "∞".into() } else { beta.to_string() }
}
