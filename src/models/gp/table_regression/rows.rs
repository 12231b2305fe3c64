//! The rows of the user's table.

use std::rc::Rc;

use super::TableRegressionSpec;
use crate::data::{DataRequirements, RowRole, Store, TableChoices, TargetKind};
use crate::lab::InputError;
use crate::lab::labelled_table::held_out_rows;
use crate::lab::labelled_table::numeric::{NumericRows, NumericSummary, PredictedTarget};
use crate::models::gp::fields::check_relevances;
use crate::models::gp::regression::Normal;

use super::searches::sample_parts;

/// Largest number of training rows m. A posterior takes a few matrices of m² numbers, and m³/3 multiplications for each evaluation.
pub const MAX_ROWS: usize = 4_000;

/// Maximum number of multiply–adds for the effects of the columns.
const EFFECTS: usize = 400_000_000;
/// Minimum number of rows on which the effects are measured, if there are as many.
const MIN_EFFECT_ROWS: usize = 50;

/// Requirements on the table.
const NEEDS: DataRequirements = DataRequirements {
    target: TargetKind::Numbers,
    training: Some((MAX_ROWS, "memory grows with their square and time with their cube")),
};

/// Rows with targets in units of their standard deviation, so that amplitude and noise do not depend on the units of the table.
pub struct RegressionRows {
    /// Rows with targets in units of the table, or standardised.
    pub rows: NumericRows,
    /// Inputs of the training rows, m of N.
    pub inputs: Rc<Vec<Vec<f64>>>,
    /// Targets of the training rows, m, with mean 0 and mean square 1.
    pub targets: Rc<Vec<f64>>,
    /// Unit of `targets` in the unit of `rows`.
    size: f64,
}

impl RegressionRows {
    /// Returns the rows with scaled targets.
    pub fn new(rows: NumericRows) -> Self {
        let square = rows.targets.iter().map(|t| t * t).sum::<f64>() / rows.targets.len().max(1) as f64;
        let size = if square > 0.0 { square.sqrt() } else { 1.0 };
        let targets = Rc::new(rows.targets.iter().map(|t| t / size).collect());
        Self { inputs: Rc::new(rows.train.clone()), targets, rows, size }
    }

    /// Returns the prediction of a target, given the mean and variance of a new target in units of `targets`.
    pub fn in_units(&self, Normal { mean, var }: Normal) -> PredictedTarget {
        let (mean, sd) = self.rows.scale.in_units(self.size * mean, self.size * var.sqrt());
        PredictedTarget { mean, sd }
    }

    /// Returns the squared errors of predictive `means` of the rows on which the effects of the columns are measured.
    pub fn held_out_errors(&self, means: &[f64]) -> Vec<f64> {
        let means: Vec<f64> = means.iter().map(|mean| self.size * mean).collect();
        self.rows.held_out_errors(&means)
    }

    /// Returns the rows without those in `held_out` (ascending), and these as test rows.
    pub fn hold_out(&self, held_out: &[usize]) -> Self {
        let learnt = self.rows.train.len() - held_out.len();
        let inputs = self.rows.train.first().map_or(0, Vec::len);
        Self::new(self.rows.hold_out(held_out, effect_rows(learnt, inputs)))
    }

    /// Returns inputs and targets of a sample of the training rows, which is drawn by `seed`; of all of them if they are few.
    pub fn sample(&self, seed: u64) -> (Rc<Vec<Vec<f64>>>, Rc<Vec<f64>>) {
        let parts = sample_parts(self.inputs.len());
        if parts == 1 {
            return (Rc::clone(&self.inputs), Rc::clone(&self.targets));
        }
        let sample = held_out_rows(&vec![0.0; self.inputs.len()], &self.rows.groups, parts, seed, 0);
        let (inputs, targets) =
            sample.into_iter().map(|row| (self.inputs[row].clone(), self.targets[row])).unzip();
        (Rc::new(inputs), Rc::new(targets))
    }
}

/// Returns the number of rows on which the effects of the columns are measured with `learnt` training rows of `inputs` inputs.
fn effect_rows(learnt: usize, inputs: usize) -> usize {
    let row = learnt.max(1) * (2 * inputs + 1) * (inputs + 20);
    (EFFECTS / row).max(MIN_EFFECT_ROWS)
}

/// Reads the table that `spec` names: its summary, its rows, and the rows with all labelled ones as training rows, if there are test rows
/// drawn at random and rows to predict.
///
/// # Errors
/// A field that does not fit the table.
pub fn read(
    spec: &TableRegressionSpec,
    store: &Store,
) -> Result<(NumericSummary, RegressionRows, Option<RegressionRows>), InputError> {
    let choices = || spec.table.choices("", spec.seed);
    let set = choices()?.prepare(&NEEDS, store)?;
    check_relevances(&spec.ard, &set)?;
    let rows = NumericRows::of(&set, effect_rows(set.of(RowRole::Train).count(), set.width()));
    let table = NumericSummary::of(&set, &rows, true);
    let refits = set.split.is_none() && table.needs_all_rows(MAX_ROWS);
    let all = if refits {
        let choices = TableChoices { train_fraction: 1.0, ..choices()? };
        let all = choices.prepare(&NEEDS, store)?;
        // A column may be constant among the training rows and not among all rows.
        (all.width() == set.width()).then(|| RegressionRows::new(NumericRows::of(&all, 0)))
    } else {
        None
    };
    Ok((table, RegressionRows::new(rows), all))
}
