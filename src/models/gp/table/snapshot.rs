//! Results so far: the classifier, its fit, scan and retraining, and those of each class or fold.

use serde::{Deserialize, Serialize};

use super::TableSpec;
use super::comparison::Comparison;
use super::fit_search::{FitEnd, FitStart, HyperparameterValues, SearchEvaluation};
use crate::data::TableSummary;
use crate::lab::labelled_table::{
    Baseline, ClassWeights, ClassifiedTable, ColumnEffect, DependenceCurve, Fold, HeldOutComparison, Kept,
    NoEffects, PermutedProbabilities, RowPredictions, TwoClassPrediction, Untuned, cross_validated,
};
use crate::lab::{Ending, Residuals};
use crate::models::gp::solver::prediction::Prediction;

/// Results so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableSnapshot {
    /// The classifier of two classes.
    pub classifier: ClassifierSnapshot,
    /// Folds of cross-validation of two classes in their order, each with the settings of its classifier.
    pub folds: Vec<Fold<HyperparameterValues>>,
    /// Effects of the columns on the held-out rows of each fold, if there are no test rows.
    pub fold_effects: Vec<OfSettings<Vec<ColumnEffect>>>,
    /// A classifier for each class if there are more than two; then only the dependence is set besides.
    pub classes: Vec<OneVsRest>,
    /// Partial dependence of the probability of +1 or, with more than two classes, of each class.
    pub dependence: Vec<Vec<DependenceCurve>>,
    /// Reason why the settings are not tuned automatically, if they are not.
    pub untuned: Option<Untuned>,
}

/// Values in a fold at each of the settings that may be kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OfSettings<T> {
    /// At the given settings.
    pub given: T,
    /// At fitted settings with one length scale.
    pub one_length_scale: T,
    /// At fitted settings or, without a fit, at the given ones.
    pub fitted: T,
}

impl<T> OfSettings<T> {
    /// Returns the value at the settings that are kept.
    pub(super) fn of(&self, kept: Kept) -> &T {
        match kept {
            Kept::Given => &self.given,
            Kept::OneLengthScale => &self.one_length_scale,
            Kept::Fitted => &self.fitted,
        }
    }
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
    /// Probabilities of the class for the held-out rows of each fold with permuted columns, if there are no test rows.
    pub fold_permuted: Vec<OfSettings<PermutedProbabilities>>,
}

/// A classifier of two classes. The lists are in the order of the units.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassifierSnapshot {
    /// Starts of the fit, and the search of all rows after them.
    pub starts: Vec<FitStart>,
    /// The classifier with the given settings.
    pub given: Option<Classifier>,
    /// The classifier with fitted settings.
    pub fitted: Option<Classifier>,
    /// The classifier with fitted settings but one length scale, if relevances are fitted.
    pub one_length_scale: Option<Classifier>,
    /// Comparison of the given and fitted settings in folds.
    pub comparison: HeldOutComparison,
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
    /// Comparison of the full model with that by inducing points, if there are any.
    pub comparison: Option<Comparison>,
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
    /// Number of inducing points; `None` for the full model.
    pub points: Option<usize>,
    /// True if this result is by few inducing points and one with more points follows.
    pub is_preliminary: bool,
    /// Effects of the columns on the log loss of test rows; empty without any, and if the columns are too many.
    pub effects: Vec<ColumnEffect>,
    /// Probabilities of test rows with permuted columns, if there are more than two classes.
    pub permuted: PermutedProbabilities,
    /// Reason why there are no effects, if it is known.
    pub no_effects: Option<NoEffects>,
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

impl TableSnapshot {
    /// Describes why the settings are not tuned automatically, if they are not.
    pub(super) fn not_tuned(&self) -> Option<String> {
        Some(self.untuned?.describe("smoothness, noise or column weights are", &TableSpec::FIELDS.fit))
    }
}

impl Classifier {
    /// Returns true if the solve has ended without a solution.
    pub(super) fn has_failed(&self) -> bool {
        self.solve.ending.is_some_and(|ending| !ending.is_solution())
    }

    /// Returns true if the result with more inducing points follows.
    pub(super) fn is_preliminary(&self) -> bool {
        self.solution.as_ref().is_some_and(|solution| solution.is_preliminary)
    }

    /// Takes the end of a solve, without scores. Without a posterior, a preliminary solution is withdrawn; otherwise it stays until there
    /// are predictions.
    pub(super) fn end(&mut self, solve: SolveSummary, has_posterior: bool) {
        if has_posterior {
            let scores = self.solve.scores.take();
            self.solve = SolveSummary { scores, ..solve };
        } else {
            (self.solve, self.solution) = (solve, None);
        }
    }
}

impl ClassifierSnapshot {
    /// Adds the results of later units.
    pub(super) fn extend(&mut self, later: Self) {
        self.starts.extend(later.starts);
        self.given = self.given.take().or(later.given);
        self.fitted = self.fitted.take().or(later.fitted);
        self.one_length_scale = self.one_length_scale.take().or(later.one_length_scale);
        self.scan.extend(later.scan);
        self.retrained.extend(later.retrained);
        self.baseline = self.baseline.take().or(later.baseline);
    }

    /// Returns the ending of the best search.
    pub(super) fn best_start(&self) -> Option<&FitEnd> {
        let ended = self.starts.iter().filter(|start| start.end.is_some());
        ended
            .max_by(|a, b| {
                let solved = |start: &FitStart| start.optimum().is_some();
                solved(a).cmp(&solved(b)).then_with(|| FitStart::compare(a, b))
            })?
            .end
            .as_ref()
    }

    /// Returns every evaluation of the fit with its search.
    pub(super) fn evaluations(&self) -> impl Iterator<Item = (&FitStart, SearchEvaluation)> {
        self.starts.iter().flat_map(|start| start.evaluations.iter().map(move |e| (start, *e)))
    }

    /// Returns the classifier of the results and its solution, if there is one.
    pub(super) fn solved(&self) -> Option<(&Classifier, &TableSolution)> {
        let shown = self.shown()?;
        Some((shown, shown.solution.as_ref()?))
    }

    /// Returns the label and the prediction of each training row for which the classifier was retrained.
    fn retrained_rows(&self) -> impl Iterator<Item = (f64, Prediction)> {
        let labels = self.shown().map_or(&[][..], |shown| &shown.table.labels);
        self.retrained.iter().filter_map(|r| Some((*labels.get(r.row)?, r.prediction?)))
    }

    /// Returns the numbers of rows and of errors of retraining so far; `None` without rows.
    pub(super) fn retrained_errors(&self, weights: ClassWeights) -> Option<(usize, usize)> {
        let shift = weights.shift(&self.shown()?.table.class_counts());
        let misses = |(label, prediction): &(f64, Prediction)| {
            if weights.is_balanced() {
                (shift.of_event(prediction.p) - 0.5) * label <= 0.0
            } else {
                prediction.misses(*label)
            }
        };
        let rows = self.retrained_rows().count();
        (rows > 0).then(|| (rows, self.retrained_rows().filter(misses).count()))
    }

    /// Returns the table with the predictions of the results, once it has been read.
    pub(super) fn classified(
        &self,
        spec: &TableSpec,
        folds: &[Fold<HyperparameterValues>],
    ) -> Option<ClassifiedTable<'_>> {
        let shown = self.shown()?;
        let classified = ClassifiedTable {
            cross_validated: folds_of(spec, folds, self.kept(), &shown.table),
            is_optimistic: self.is_fitted() || !spec.group.is_empty(),
            retrained: self.retrained_rows().map(|(label, prediction)| (prediction.p, label > 0.0)).collect(),
            ..self.predictions(spec, shown)
        };
        Some(classified.weighted(spec.class_weights))
    }

    /// Returns the table with the predictions at the given settings, if the results are those of fitted ones. The rows are those of the
    /// fitted ones: test rows, or the same folds.
    pub(super) fn before_fit(
        &self,
        spec: &TableSpec,
        folds: &[Fold<HyperparameterValues>],
    ) -> Option<ClassifiedTable<'_>> {
        let given = self.given.as_ref().filter(|_| self.is_fitted())?;
        let classified = ClassifiedTable {
            cross_validated: folds_of(spec, folds, Kept::Given, &given.table),
            is_optimistic: true,
            ..self.predictions(spec, given)
        };
        Some(classified.weighted(spec.class_weights))
    }

    /// Returns the table with the predictions of a classifier, without folds and retraining.
    fn predictions<'a>(&'a self, spec: &TableSpec, classifier: &'a Classifier) -> ClassifiedTable<'a> {
        let row = |row: &Prediction| TwoClassPrediction { p: row.p, latent: Some((row.mean, row.var)) };
        ClassifiedTable {
            method: spec.method.title(),
            table: &classifier.table,
            weights: ClassWeights::Equal,
            rows: classifier.solution.as_ref().map(|solution| solution.predictions.map(row)),
            cross_validated: None,
            folds: spec.planned_folds(),
            is_optimistic: !spec.group.is_empty(),
            retrained: Vec::new(),
            baseline: self.baseline.as_ref(),
            threshold: spec.threshold,
        }
    }
}

/// Returns the cross-validated probabilities of the training rows at these settings, if the folds are results.
pub(super) fn folds_of(
    spec: &TableSpec,
    folds: &[Fold<HyperparameterValues>],
    kept: Kept,
    table: &TableSummary,
) -> Option<Vec<f64>> {
    cross_validated(folds, kept, table.labels.len()).filter(|_| spec.shows_folds(table))
}
