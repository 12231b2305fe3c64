//! Effect of each column on the log loss of test rows, or of the held-out rows of a fold.

use super::solving::{Solved, Solving};
use super::{Activity, ClassifierWork, Unit};
use crate::lab::labelled_table::EffectParts;
use crate::math::scores::log_loss;

/// Work on the effects beyond that of one factorisation of the covariances, in operations.
const MIN_WORK: f64 = 2e8;
/// Maximum number of rows, and the minimum if there are more: fewer give no useful standard error.
const MAX_ROWS: usize = 1000;
const MIN_ROWS: usize = 20;

/// Effects under way.
pub struct EffectsWork {
    solving: Solving,
    posterior: Solved,
    parts: EffectParts,
    /// Labels of the rows.
    labels: Vec<f64>,
    /// Inputs of the current part, and the losses of its first rows.
    inputs: Vec<Vec<f64>>,
    losses: Vec<f64>,
}

/// Returns the number of rows, at most `tests`, on which the effects of `columns` columns are measured; 0 if too few are affordable. The
/// predictions may cost about as much as one factorisation of a matrix of size `m`; a solve makes many of these.
fn affordable_rows(tests: usize, columns: usize, m: usize) -> usize {
    let m = m as f64;
    let predictions = (m * m * m + MIN_WORK) / (0.5 * m * m).max(1.0);
    let rows = (predictions / EffectParts::count(columns) as f64) as usize;
    if rows < MIN_ROWS.min(tests) { 0 } else { rows.min(tests).min(MAX_ROWS) }
}

impl ClassifierWork {
    /// Begins to measure the effects, if they are wanted, or else the comparison that follows.
    pub(super) fn begin_effects(&mut self, solving: Solving, posterior: Solved) {
        let (rows, tests) = (&self.rows, self.rows.table.test_labels.len());
        let is_result = matches!(self.unit, Unit::Given | Unit::Fitted(_));
        let Some(columns) = rows.columns.as_ref().filter(|_| is_result && tests > 0) else {
            return self.begin_comparison(&solving);
        };
        let size = posterior.points().unwrap_or(rows.train.len());
        let used = affordable_rows(tests, columns.columns(), size);
        let held_out = || (0..used).map(|i| i * tests / used);
        let inputs: Vec<&[f64]> = held_out().map(|i| rows.predicted[i].as_slice()).collect();
        let parts = EffectParts::new(columns.of_rows(&inputs), self.spec.seed);
        let labels = held_out().map(|i| rows.table.test_labels[i]).collect();
        let (inputs, losses) = (Vec::new(), Vec::new());
        self.activity =
            Activity::Effects(Box::new(EffectsWork { solving, posterior, parts, labels, inputs, losses }));
    }

    /// Predicts a few rows of a part; returns the work done.
    pub(super) fn measure_effects(&mut self, mut work: Box<EffectsWork>) -> u64 {
        if work.losses.len() < work.inputs.len() {
            let first = work.losses.len();
            let (predicted, spent) =
                work.solving.predict(&work.posterior, &self.rows.train, &work.inputs[first..]);
            let labels = work.labels[first..].iter();
            work.losses
                .extend(predicted.iter().zip(labels).map(|(row, label)| log_loss(row.p, *label > 0.0)));
            self.activity = Activity::Effects(work);
            return spent;
        }
        if !work.inputs.is_empty() {
            work.parts.take(&work.losses);
        }
        let width = self.rows.train.first().map_or(1, Vec::len).max(1);
        if let Some(inputs) = work.parts.inputs() {
            work.inputs = inputs.chunks_exact(width).map(<[f64]>::to_vec).collect();
            work.losses.clear();
            self.activity = Activity::Effects(work);
            return 0;
        }
        let EffectsWork { solving, parts, .. } = *work;
        if let Some(solution) = self.classifier().and_then(|classifier| classifier.solution.as_mut()) {
            solution.effects = parts.finish();
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
    }
}
