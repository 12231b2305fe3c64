//! Effect of each column on the log loss of test rows, or of the held-out rows of a fold.

use super::solving::{ClassifierPosterior, ClassifierSolve};
use super::{Activity, ClassifierWork, Unit};
use crate::lab::labelled_table::{EffectParts, NoEffects};
use crate::math::scores::log_loss;
use crate::models::gp::solver::prediction::Prediction;

/// Work on the effects beyond that of one factorisation of the covariances, in operations.
const MIN_WORK: f64 = 2e8;
/// Maximum number of rows, and the minimum if there are more: fewer give no useful standard error.
const MAX_ROWS: usize = 1000;
const MIN_ROWS: usize = 20;

/// Effects under way.
pub struct EffectsWork {
    solving: ClassifierSolve,
    posterior: ClassifierPosterior,
    parts: EffectParts,
    /// Indices of the rows among the test rows.
    rows: Vec<usize>,
    /// Inputs of the current part, and the losses of its first rows; with more than two classes, their probabilities.
    inputs: Vec<Vec<f64>>,
    values: Vec<f64>,
}

/// Maximum number of probabilities that all classes together keep for the effects, if there are more than two.
const MAX_KEPT: usize = 30_000;

/// Returns the number of rows, at most `tests`, on which the effects of `columns` columns are measured; 0 if too few are affordable. The
/// predictions may cost about as much as one factorisation of a matrix of size `m`; a solve makes many of these.
fn affordable_rows(tests: usize, columns: usize, m: usize) -> usize {
    let m = m as f64;
    let predictions = (m * m * m + MIN_WORK) / (0.5 * m * m).max(1.0);
    let rows = (predictions / EffectParts::count(columns) as f64) as usize;
    if rows < MIN_ROWS.min(tests) { 0 } else { rows.min(tests).min(MAX_ROWS) }
}

/// Returns the number of rows of which each of `classes` classes can keep its probabilities; 0 if they are too few.
fn kept_rows(tests: usize, columns: usize, classes: usize) -> usize {
    let rows = MAX_KEPT / classes / EffectParts::count(columns);
    if rows < MIN_ROWS.min(tests) { 0 } else { rows }
}

impl ClassifierWork {
    /// Begins to measure the effects, if they are wanted, or else the comparison that follows.
    pub(super) fn begin_effects(&mut self, solving: ClassifierSolve, posterior: ClassifierPosterior) {
        let (rows, tests) = (&self.rows, self.rows.table.test_labels.len());
        let is_result = matches!(self.unit, Unit::Given | Unit::Fitted(_));
        let Some(columns) = rows.columns.as_ref().filter(|_| is_result) else {
            return self.begin_comparison(&solving);
        };
        let (m, all) = (rows.train.len(), columns.columns());
        let size = rows.inducing.map_or(m, |inducing| inducing.count.min(m));
        // Without test rows the effects are measured in folds.
        let held_out = if tests > 0 { tests } else { m.checked_div(self.spec.planned_folds()).unwrap_or(0) };
        let kept = if rows.class_count > 2 { kept_rows(held_out, all, rows.class_count) } else { held_out };
        let used = affordable_rows(held_out, all, size).min(kept);
        let missing = NoEffects::of(held_out, all).or((used == 0).then_some(NoEffects::Costly(all)));
        if missing.is_some() || tests == 0 {
            if let Some(solution) = self.classifier().and_then(|classifier| classifier.solution.as_mut()) {
                solution.no_effects = missing;
            }
            return self.begin_comparison(&solving);
        }
        let used: Vec<usize> = (0..used).map(|i| i * tests / used).collect();
        let inputs: Vec<&[f64]> = used.iter().map(|i| rows.predicted[*i].as_slice()).collect();
        let parts = EffectParts::new(columns.of_rows(&inputs), self.spec.seed);
        self.activity = Activity::Effects(Box::new(EffectsWork {
            solving,
            posterior,
            parts,
            rows: used,
            inputs: Vec::new(),
            values: Vec::new(),
        }));
    }

    /// Predicts a few rows of a part; returns the work done.
    pub(super) fn measure_effects(&mut self, mut work: Box<EffectsWork>) -> u64 {
        let is_one_of_several = self.rows.class_count > 2;
        if work.values.len() < work.inputs.len() {
            let first = work.values.len();
            let (predicted, spent) =
                work.solving.predict(&work.posterior, &self.rows.train, &work.inputs[first..]);
            let labels = work.rows[first..].iter().map(|row| self.rows.table.test_labels[*row]);
            let value = |(row, label): (Prediction, f64)| {
                if is_one_of_several { row.p } else { log_loss(row.p, label > 0.0) }
            };
            work.values.extend(predicted.into_iter().zip(labels).map(value));
            self.activity = Activity::Effects(work);
            return spent;
        }
        if !work.inputs.is_empty() {
            work.parts.take(&work.values);
        }
        let width = self.rows.train.first().map_or(1, Vec::len).max(1);
        if let Some(inputs) = work.parts.inputs() {
            work.inputs = inputs.chunks_exact(width).map(<[f64]>::to_vec).collect();
            work.values.clear();
            self.activity = Activity::Effects(work);
            return 0;
        }
        let EffectsWork { solving, parts, rows, .. } = *work;
        if let Some(solution) = self.classifier().and_then(|classifier| classifier.solution.as_mut()) {
            if is_one_of_several {
                solution.permuted = parts.finish_class(rows);
            } else {
                solution.effects = parts.finish();
            }
        }
        self.begin_comparison(&solving);
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_cost_about_one_factorisation() {
        assert_eq!(affordable_rows(60, 6, 140), 60);
        assert_eq!(affordable_rows(5, 6, 140), 5);
        let rows = affordable_rows(600, 10, 2000);
        assert!((100..300).contains(&rows), "{rows}");
        assert_eq!(affordable_rows(600, 300, 2000), 0);
        assert_eq!(affordable_rows(0, 6, 140), 0);
        assert_eq!([kept_rows(600, 10, 3), kept_rows(600, 300, 3), kept_rows(5, 300, 3)], [476, 0, 16]);
    }
}
