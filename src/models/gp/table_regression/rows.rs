//! The rows of the user's table.

use std::rc::Rc;

use super::ProcessRegressionSpec;
use crate::data::{DataRequirements, RowRole, Store, TableChoices, TargetKind};
use crate::lab::InputError;
use crate::lab::labelled_table::held_out_rows;
use crate::lab::labelled_table::numeric::{NumericRows, NumericSummary, PredictedTarget};
use crate::models::gp::fields::check_relevances;
use crate::models::gp::inducing::Inducing;
use crate::models::gp::inducing::choice::sample;
use crate::models::gp::inducing_points::{MAX_ROWS, WHY_MAX_ROWS, compared_rows};
use crate::models::gp::regression::Normal;
use crate::models::gp::regression::target::Examples;

use super::searches::sample_parts;

/// Maximum number of multiply–adds for the effects of the columns.
const EFFECTS: usize = 400_000_000;
/// Minimum number of rows on which the effects are measured, if there are as many.
const MIN_EFFECT_ROWS: usize = 50;

/// Requirements on the table.
const NEEDS: DataRequirements =
    DataRequirements { target: TargetKind::Numbers, training: Some((MAX_ROWS, WHY_MAX_ROWS)) };

/// Rows with targets in units of their standard deviation, so that amplitude and noise do not depend on the units of the table.
pub struct RegressionRows {
    /// Rows with targets in units of the table, or standardised.
    pub rows: NumericRows,
    /// Inputs of the training rows and their targets, with mean 0 and mean square 1.
    pub examples: Examples,
    /// Inducing points; `None` for the full model.
    pub inducing: Option<Inducing>,
    /// Unit of `targets` in the unit of `rows`.
    size: f64,
}

impl RegressionRows {
    /// Returns the rows with scaled targets.
    pub fn new(rows: NumericRows, inducing: Option<Inducing>) -> Self {
        let square = rows.targets.iter().map(|t| t * t).sum::<f64>() / rows.targets.len().max(1) as f64;
        let size = if square > 0.0 { square.sqrt() } else { 1.0 };
        let targets = Rc::new(rows.targets.iter().map(|t| t / size).collect());
        let inputs = Rc::clone(&rows.train);
        Self { examples: Examples { inputs, targets }, inducing, rows, size }
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
        let rows = self.rows.hold_out(held_out, effect_rows(learnt, self.inducing, self.width()));
        Self::new(rows, self.inducing)
    }

    /// Returns the number of training rows.
    pub fn len(&self) -> usize {
        self.examples.inputs.len()
    }

    /// Returns the number of inputs N.
    pub fn width(&self) -> usize {
        self.examples.inputs.first().map_or(0, Vec::len)
    }

    /// Returns at most `most` of the training rows, drawn by `seed`.
    pub fn search_rows(&self, most: usize, seed: u64) -> Examples {
        if self.len() <= most {
            return self.examples.clone();
        }
        self.examples_of(&sample(self.len(), most, seed, 2))
    }

    /// Returns a random part of the training rows, with others as test rows, for a comparison of the full model with that by inducing
    /// points: first the rows of the full model, then the same rows of the other.
    pub fn compared(&self, seed: u64) -> [Self; 2] {
        let (learnt, tests) = compared_rows(self.len(), seed);
        let rows = self.rows.part(&learnt, &tests, 0);
        [None, self.inducing].map(|inducing| Self::new(rows.clone(), inducing))
    }

    fn examples_of(&self, rows: &[usize]) -> Examples {
        let Examples { inputs, targets } = &self.examples;
        Examples {
            inputs: Rc::new(rows.iter().map(|row| inputs[*row].clone()).collect()),
            targets: Rc::new(rows.iter().map(|row| targets[*row]).collect()),
        }
    }

    /// Returns a sample of the training rows, which is drawn by `seed`; all of them if they are few.
    pub fn sample(&self, seed: u64) -> Examples {
        let parts = sample_parts(self.len());
        if parts == 1 {
            return self.examples.clone();
        }
        self.examples_of(&held_out_rows(&vec![0.0; self.len()], &self.rows.groups, parts, seed, 0))
    }
}

/// Returns the number of rows on which the effects of the columns are measured with `learnt` training rows of `inputs` inputs.
fn effect_rows(learnt: usize, inducing: Option<Inducing>, inputs: usize) -> usize {
    let covariances = inducing.map_or(learnt, |inducing| inducing.count);
    let row = covariances.max(1) * (2 * inputs + 1) * (inputs + 20);
    (EFFECTS / row).max(MIN_EFFECT_ROWS)
}

/// Reads the table that `spec` names: its summary, its rows, and the rows with all labelled ones as training rows, if there are test rows
/// drawn at random and rows to predict.
///
/// # Errors
/// A field that does not fit the table.
pub fn read(
    spec: &ProcessRegressionSpec,
    store: &Store,
) -> Result<(NumericSummary, RegressionRows, Option<RegressionRows>), InputError> {
    let choices = || spec.table.choices("", spec.seed);
    let set = choices()?.prepare(&NEEDS, store)?;
    check_relevances(&spec.ard, &set)?;
    let learnt = set.of(RowRole::Train).count();
    let inducing = spec.inducing_points(learnt);
    let rows = NumericRows::of(&set, effect_rows(learnt, inducing, set.width()));
    let table = NumericSummary::of(&set, &rows, true);
    let refits = set.split.is_none() && table.needs_all_rows(MAX_ROWS);
    let all = if refits {
        let choices = TableChoices { train_fraction: 1.0, ..choices()? };
        let all = choices.prepare(&NEEDS, store)?;
        // A column may be constant among the training rows and not among all rows.
        (all.width() == set.width()).then(|| RegressionRows::new(NumericRows::of(&all, 0), inducing))
    } else {
        None
    };
    Ok((table, RegressionRows::new(rows, inducing), all))
}
