//! Scores of the shown model on held-out rows: test rows, folds or leave-one-out.

use super::fold::RegressionFold;
use super::{ProcessRegressionSnapshot, ProcessRegressionSpec, RegressionSolution};
use crate::data::thousands;
use crate::figure::{percent, rounded};
use crate::lab::labelled_table::numeric::{
    NumericSummary, PredictedTarget, TargetBaselines, TargetRow, TestScores, comparison, error_details,
    typical_error,
};
use crate::lab::labelled_table::{ColumnEffect, EvaluationRows, effects_over_folds};

/// Predictions of held-out rows, with their targets.
pub struct Evaluation {
    /// The rows.
    pub rows: EvaluationRows,
    /// Lines and targets.
    pub targets: Vec<TargetRow>,
    /// Predictions.
    pub predicted: Vec<PredictedTarget>,
    /// Scores.
    pub scores: TestScores,
}

impl Evaluation {
    /// Returns the predictions of the test rows or, if there are none, of the training rows: those of cross-validation if leave-one-out is
    /// too optimistic, otherwise, and until a fold is done, those of leave-one-out. `None` before there are any.
    pub fn of(spec: &ProcessRegressionSpec, snapshot: &ProcessRegressionSnapshot) -> Option<Self> {
        let (table, (_, solution)) = (snapshot.table.as_ref()?, snapshot.shown()?);
        if !table.tests.is_empty() {
            return Self::on_tests(table, solution);
        }
        let folds = if spec.is_optimistic() { Self::of_folds(spec, snapshot) } else { None };
        folds.or_else(|| Self::left_out(table, solution).filter(|_| snapshot.folds.is_empty()))
    }

    /// Returns the predictions of the test rows.
    pub fn on_tests(table: &NumericSummary, solution: &RegressionSolution) -> Option<Self> {
        Self::new(EvaluationRows::Test, &table.tests, &solution.predictions.test, table.unit)
    }

    /// Returns the leave-one-out predictions of the training rows.
    pub fn left_out(table: &NumericSummary, solution: &RegressionSolution) -> Option<Self> {
        Self::new(EvaluationRows::LeftOut, &table.training, &solution.predictions.left_out, table.unit)
    }

    /// Returns the cross-validated predictions of the training rows in the folds that are done, if they are results.
    pub fn of_folds(spec: &ProcessRegressionSpec, snapshot: &ProcessRegressionSnapshot) -> Option<Self> {
        let table = snapshot.table.as_ref().filter(|table| spec.shows_folds(!table.tests.is_empty()))?;
        let kept = snapshot.kept();
        let of_fold = |fold: &RegressionFold| {
            let predicted = fold.solution(kept).map(|solution| &solution.predictions.test);
            let rows = fold.held_out.iter().zip(predicted.into_iter().flatten());
            rows.map(|(row, predicted)| (*row, *predicted)).collect::<Vec<_>>()
        };
        let mut rows: Vec<(usize, PredictedTarget)> =
            snapshot.folds.iter().flat_map(|fold| of_fold(fold)).collect();
        rows.sort_by_key(|(row, _)| *row);
        let targets: Vec<TargetRow> =
            rows.iter().filter_map(|(row, _)| table.training.get(*row).copied()).collect();
        let predicted: Vec<PredictedTarget> = rows.iter().map(|(_, predicted)| *predicted).collect();
        Self::new(EvaluationRows::Folds(spec.planned_folds()), &targets, &predicted, table.unit)
    }

    fn new(
        rows: EvaluationRows,
        targets: &[TargetRow],
        predicted: &[PredictedTarget],
        unit: f64,
    ) -> Option<Self> {
        let numbers: Vec<f64> = targets.iter().map(|row| row.target).collect();
        let scores =
            TestScores::of_predictions(&numbers, predicted, unit).filter(|_| !predicted.is_empty())?;
        Some(Self { rows, targets: targets.to_vec(), predicted: predicted.to_vec(), scores })
    }

    /// Returns the name of the rows.
    pub fn name(&self) -> String {
        match self.rows {
            EvaluationRows::Test => "test rows".to_owned(),
            EvaluationRows::Folds(folds) => format!("rows in {folds}-fold cross-validation"),
            EvaluationRows::LeftOut => "training rows (leave-one-out)".to_owned(),
        }
    }

    /// Returns the finding: the typical error beside that of the best baseline.
    pub fn sentence(&self, label: &str, baselines: Option<&TargetBaselines>) -> String {
        let [linear, mean] = baseline_errors(baselines);
        let rows = format!("{} {}", thousands(self.scores.rows), self.name());
        let verdict = mean.map_or("", |mean| comparison(self.scores.rmse, linear, mean));
        format!("{}{verdict}", typical_error(label, &rows, self.scores.rmse, [linear, mean]))
    }

    /// Returns sentences, each preceded by a blank: the errors of the model and of both baselines, the share of 95 % intervals that contain the
    /// target, and the log density.
    pub fn details(&self, baselines: Option<&TargetBaselines>) -> String {
        let scores = &self.scores;
        let of_model = [scores.rmse, scores.rmse_se.unwrap_or(f64::NAN), scores.r2_or_nan()];
        format!(
            "{} {} of the bars contain the true value (95 % expected). Mean log density: {}.",
            error_details(of_model, baseline_errors(baselines)),
            percent(scores.coverage[2]),
            rounded(scores.ln_density),
        )
    }
}

/// Returns the root mean squared errors of linear regression and of the mean.
fn baseline_errors(baselines: Option<&TargetBaselines>) -> [Option<f64>; 2] {
    let scores = |pick: fn(&TargetBaselines) -> Option<TestScores>| Some(pick(baselines?)?.rmse);
    [scores(|all| all.linear), scores(|all| all.mean)]
}

impl ProcessRegressionSnapshot {
    /// Returns the effects of the columns, on the test rows or over the folds.
    pub fn effects(&self) -> Vec<ColumnEffect> {
        let shown = self.shown().map(|(_, solution)| solution.effects.clone()).unwrap_or_default();
        if !shown.is_empty() {
            return shown;
        }
        let kept = self.kept();
        let folds = self.folds.iter().filter_map(|fold| fold.solution(kept));
        effects_over_folds(&folds.map(|solution| solution.effects.clone()).collect::<Vec<_>>())
    }
}
