//! Results so far: the classifier, its fit, scan and retraining, and those of each class or fold.

use serde::{Deserialize, Serialize};

use super::{FitBy, TableSpec};
use crate::data::TableSummary;
use crate::lab::labelled_table::{
    Baseline, ClassifiedTable, Fold, RowPredictions, TwoClassPrediction, cross_validated,
};
use crate::lab::{Ending, Residuals};
use crate::models::gp::solver::hyperparameters::Hyperparameters;
use crate::models::gp::solver::prediction::Prediction;

/// Results so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableSnapshot {
    /// The classifier of two classes.
    pub classifier: ClassifierSnapshot,
    /// Folds of cross-validation of two classes in their order, each with the settings of its classifier.
    pub folds: Vec<Fold<HyperparameterValues>>,
    /// A classifier for each class if there are more than two; then nothing else is set.
    pub classes: Vec<OneVsRest>,
}

/// The classifier of one class against all others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OneVsRest {
    /// Index of the class.
    pub class: usize,
    /// Number of classes K.
    pub of: usize,
    /// Results of its fit, classifier and baseline.
    pub classifier: ClassifierSnapshot,
    /// Folds of cross-validation in their order; the same rows for each class.
    pub folds: Vec<Fold<HyperparameterValues>>,
}

/// A classifier of two classes. The lists are in the order of the units.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassifierSnapshot {
    /// Starts of the fit.
    pub starts: Vec<FitStart>,
    /// The classifier with the given or fitted settings.
    pub main: Option<Classifier>,
    /// Solves at the values of σ² to scan.
    pub scan: Vec<SolveSummary>,
    /// Training rows left out by retraining.
    pub retrained: Vec<RetrainedRow>,
    /// Predictions of logistic regression.
    pub baseline: Option<Baseline>,
}

/// The classifier with the given or fitted settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Classifier {
    /// Training rows and predicted rows.
    pub table: TableSummary,
    /// Residual after each step of the last solve.
    pub residuals: Residuals,
    /// The last solve.
    pub solve: SolveSummary,
    /// Solution and predictions, if there is a solution.
    pub solution: Option<TableSolution>,
}

/// One start of a fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitStart {
    /// Number of the start, from 0.
    pub start: usize,
    /// Evaluations in their order.
    pub evaluations: Vec<SearchEvaluation>,
    /// Ending; `None` while the search is running.
    pub end: Option<FitEnd>,
}

/// Ending of the search from one start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitEnd {
    /// Ending in words.
    pub message: String,
    /// True if the search did not converge.
    pub failed: bool,
    /// Best point, unless the search never began.
    pub optimum: Option<Optimum>,
}

/// Best point of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Optimum {
    /// Objective in nats; −∞ if a solve from scratch has no solution.
    pub value: f64,
    /// σ², v and κ.
    pub hyper: HyperparameterValues,
    /// Weights of the inputs, N.
    pub weights: Vec<f64>,
}

/// One evaluation of a fit's objective.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchEvaluation {
    /// Log evidence or leave-one-out log probability, in nats; `None` without a solution.
    pub value: Option<f64>,
    /// σ², v and κ.
    pub hyper: HyperparameterValues,
}

/// Hyperparameters without the relevances.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HyperparameterValues {
    /// Squared length scale σ².
    pub sigma2: f64,
    /// Noise variance v of the latent function.
    pub v: f64,
    /// Probability κ that a label is flipped.
    pub kappa: f64,
}

/// One solve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolveSummary {
    /// σ², v and κ.
    pub hyper: HyperparameterValues,
    /// Ending; `None` while the solve is running.
    pub ending: Option<Ending>,
    /// Number of updates of λ, or of sweeps of an iteration.
    pub outer_iterations: usize,
    /// Number of Newton solves.
    pub newton_solves: usize,
    /// Residual of the equations.
    pub residual: f64,
    /// Scores of the solution, if there is one.
    pub scores: Option<SolutionScores>,
}

/// Scores of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolutionScores {
    /// −G of OW98 eq. (10) or (11), or Laplace's log evidence, in nats.
    pub minus_g: f64,
    /// The same if it is a log evidence: not in the naive theory.
    pub ln_evidence: Option<f64>,
    /// Leave-one-out log probability Σ ln p(label | others), estimated from the cavity fields.
    pub ln_loo: f64,
    /// Number of training rows misclassified in leave-one-out.
    pub loo_errors: usize,
    /// Number of misclassified training rows.
    pub train_errors: usize,
    /// Number of misclassified test rows.
    pub test_errors: usize,
}

/// A solution and its predictions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableSolution {
    /// Weights `w_i` of the inputs, N.
    pub weights: Vec<f64>,
    /// x = C⁻¹⟨h⟩, m.
    pub x: Vec<f64>,
    /// Cavity variances λ, m.
    pub lambda: Vec<f64>,
    /// Cavity means γ, m.
    pub gamma: Vec<f64>,
    /// Predictions of all rows.
    pub predictions: RowPredictions<Prediction>,
}

/// A training row left out by retraining.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RetrainedRow {
    /// Index among the training rows.
    pub row: usize,
    /// Prediction from the others; `None` if they have no solution.
    pub prediction: Option<Prediction>,
}

impl HyperparameterValues {
    /// Returns those of a solve.
    pub fn of(setting: &Hyperparameters) -> Self {
        Self { sigma2: setting.sigma2, v: setting.v, kappa: setting.kappa }
    }
}

impl Classifier {
    /// Returns true if the solve has ended without a solution.
    pub(super) fn has_failed(&self) -> bool {
        self.solve.ending.is_some_and(|ending| !ending.is_solution())
    }
}

impl ClassifierSnapshot {
    /// Returns the best of the starts that have ended.
    pub(super) fn best_start(&self) -> Option<&FitEnd> {
        let value = |end: &FitEnd| end.optimum.as_ref().map_or(f64::NEG_INFINITY, |optimum| optimum.value);
        let ends = self.starts.iter().filter_map(|start| start.end.as_ref());
        ends.reduce(|a, b| if value(b) > value(a) { b } else { a })
    }

    /// Returns the fitted settings and the weights of the inputs: those of the solution, or the best found so far. While relevances
    /// are fitted, that is the best end of a start, since the weights of each evaluation are not kept.
    pub(super) fn fitted(&self, spec: &TableSpec) -> Option<(SearchEvaluation, &[f64])> {
        if spec.fit == FitBy::Nothing {
            return None;
        }
        if let Some((main, solution)) = self.solved()
            && let SolveSummary { hyper, scores: Some(scores), .. } = main.solve
        {
            let value = Some(if spec.fit == FitBy::Evidence { scores.minus_g } else { scores.ln_loo });
            return Some((SearchEvaluation { value, hyper }, &solution.weights));
        }
        if spec.fit_ard {
            let Optimum { value, hyper, weights } = self.best_start()?.optimum.as_ref()?;
            let evaluation = SearchEvaluation { value: Some(*value), hyper: *hyper };
            return value.is_finite().then_some((evaluation, weights));
        }
        let value = |e: &SearchEvaluation| e.value.unwrap_or(f64::NEG_INFINITY);
        let solved = self.evaluations().map(|(_, evaluation)| evaluation).filter(|e| e.value.is_some());
        solved.max_by(|a, b| value(a).total_cmp(&value(b))).map(|best| (best, &[][..]))
    }

    /// Returns every evaluation of the fit with the number of its start.
    pub(super) fn evaluations(&self) -> impl Iterator<Item = (usize, SearchEvaluation)> {
        self.starts.iter().flat_map(|start| start.evaluations.iter().map(|e| (start.start, *e)))
    }

    /// Returns the classifier and its solution, if there is one.
    pub(super) fn solved(&self) -> Option<(&Classifier, &TableSolution)> {
        let main = self.main.as_ref()?;
        Some((main, main.solution.as_ref()?))
    }

    /// Returns the label and the prediction of each training row for which the classifier was retrained.
    fn retrained_rows(&self) -> impl Iterator<Item = (f64, Prediction)> {
        let labels = self.main.as_ref().map_or(&[][..], |main| &main.table.labels);
        self.retrained.iter().filter_map(|r| Some((*labels.get(r.row)?, r.prediction?)))
    }

    /// Returns the numbers of rows and of errors of retraining so far; `None` without rows.
    pub(super) fn retrained_errors(&self) -> Option<(usize, usize)> {
        let rows = self.retrained_rows().count();
        let errors = self.retrained_rows().filter(|(label, prediction)| prediction.misses(*label)).count();
        (rows > 0).then_some((rows, errors))
    }

    /// Returns the table with its predictions, once it has been read.
    pub(super) fn classified(
        &self,
        spec: &TableSpec,
        folds: &[Fold<HyperparameterValues>],
    ) -> Option<ClassifiedTable<'_>> {
        let main = self.main.as_ref()?;
        let row = |row: &Prediction| TwoClassPrediction { p: row.p, latent: Some((row.mean, row.var)) };
        Some(ClassifiedTable {
            method: spec.method.title(),
            table: &main.table,
            rows: main.solution.as_ref().map(|solution| solution.predictions.map(row)),
            cross_validated: cross_validated(folds, main.table.labels.len()),
            folds: spec.planned_folds(),
            is_optimistic: spec.is_optimistic(),
            retrained: self.retrained_rows().map(|(label, prediction)| (prediction.p, label > 0.0)).collect(),
            baseline: self.baseline.as_ref(),
            threshold: spec.threshold,
        })
    }
}
