//! Training and prediction rows of the table, for each random split.

use std::rc::Rc;

use super::TableSpec;
use crate::data::{DataRequirements, Dataset, Store, TableChoices, TargetKind};
use crate::lab::InputError;
use crate::lab::labelled_table::numeric::{NumericRows, NumericSummary, PredictedTarget};
use crate::models::mlp::solver::examples::ExampleBlocks;
use crate::models::mlp::solver::expectation::{mean_predictions, predictions};
use crate::models::mlp::solver::gaussian::WeightGaussian;
use crate::models::mlp::solver::network::{NetworkShape, outputs};
use crate::models::mlp::solver::problem::RegressionProblem;

/// Maximum number of training rows; each evaluation uses all of them.
const MAX_ROWS: usize = 100_000;
/// Maximum number of weights k; a full covariance has k(k + 1)/2 elements.
const MAX_WEIGHTS: usize = 400;

const NEEDS: DataRequirements = DataRequirements {
    target: TargetKind::Numbers,
    training: Some((MAX_ROWS, "each of several hundred evaluations uses all of them")),
};

/// Regression problem and prediction rows of one split.
pub struct Split {
    /// Regression problem of the training rows, whose targets have mean 0.
    pub problem: Rc<RegressionProblem>,
    /// Rows to predict: test rows, rows without a target, rows of the second file.
    pub queries: ExampleBlocks,
    /// The same rows without a bias; those for the effects of the columns are empty except on the first split.
    pub rows: NumericRows,
    /// True if the hidden units have a bias, the last input of `problem` and `queries`.
    bias: bool,
}

impl Split {
    /// Returns the problem of the rows of `width` inputs.
    fn new(spec: &TableSpec, rows: NumericRows, width: usize) -> Self {
        let width = width + usize::from(spec.bias);
        let flat = |rows: &[Vec<f64>]| -> Vec<f64> {
            rows.iter().flat_map(|row| with_bias(row, spec.bias)).collect()
        };
        let problem = Rc::new(RegressionProblem {
            shape: NetworkShape { hidden: spec.hidden, inputs: width },
            examples: ExampleBlocks::new(&flat(&rows.train), width, &rows.targets),
            hyper: spec.hyper.hyperprior(&spec.hyperpriors, spec.alpha, spec.beta),
            groups: spec.groups(),
        });
        let queries = ExampleBlocks::unlabelled(&flat(&rows.queries), width);
        Self { problem, queries, rows, bias: spec.bias }
    }

    /// Returns the mean of f and the standard deviation of a new target at each row to predict, under `q` with noise precision `beta`.
    pub fn predict(&self, q: &WeightGaussian, beta: f64) -> Vec<(f64, f64)> {
        let noise = 1.0 / beta;
        let rows = predictions(self.problem.shape, q, &self.queries).into_iter();
        rows.map(|(mean, var)| (mean, (var + noise).sqrt())).collect()
    }

    /// Returns predictions in units of the table.
    pub fn in_units(&self, predicted: &[(f64, f64)]) -> Vec<PredictedTarget> {
        let in_units = |(mean, sd): &(f64, f64)| {
            let (mean, sd) = self.rows.scale.in_units(*mean, *sd);
            PredictedTarget { mean, sd }
        };
        predicted.iter().map(in_units).collect()
    }

    /// Returns the squared errors of the predictive mean under `q` on the rows for the effects of the columns, given their inputs without a bias.
    pub fn squared_errors(&self, q: &WeightGaussian, inputs: &[f64]) -> Vec<f64> {
        self.rows.held_out_errors(&mean_predictions(self.problem.shape, q, &self.blocks(inputs)))
    }

    /// Returns the mean of f over rows of `inputs` without a bias, and its standard deviation under `q` from `draws` of the weights, in
    /// units of the table.
    pub fn average(&self, q: &WeightGaussian, draws: &[Vec<f64>], inputs: &[f64]) -> (f64, f64) {
        let (shape, rows) = (self.problem.shape, self.blocks(inputs));
        let average = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        let averages: Vec<f64> = draws.iter().map(|w| average(outputs(shape, w, &rows))).collect();
        let centre = average(averages.clone());
        let square: f64 = averages.iter().map(|x| (x - centre) * (x - centre)).sum();
        let sd = (square / (draws.len() as f64 - 1.0)).sqrt();
        self.rows.scale.in_units(average(mean_predictions(shape, q, &rows)), sd)
    }

    /// Returns rows of `inputs` without a bias as examples.
    fn blocks(&self, inputs: &[f64]) -> ExampleBlocks {
        let width = self.problem.shape.inputs;
        let rows = inputs.chunks_exact((width - usize::from(self.bias)).max(1));
        let rows: Vec<f64> = rows.flat_map(|row| with_bias(row, self.bias)).collect();
        ExampleBlocks::unlabelled(&rows, width)
    }
}

/// Returns the inputs of a row with the bias, if there is one.
fn with_bias(row: &[f64], bias: bool) -> impl Iterator<Item = f64> {
    row.iter().copied().chain(bias.then_some(1.0))
}

/// Reads the table and draws all splits; returns a summary of the first split as well. If there are rows to predict and test rows that
/// were drawn at random, the last split has all labelled rows as training rows.
///
/// # Errors
/// If a field does not fit the table, or the network has too many weights.
pub fn read(spec: &TableSpec, store: &Store) -> Result<(NumericSummary, Vec<Split>), InputError> {
    let mut splits = Vec::new();
    let mut first = None;
    let mut is_drawn = false;
    for index in 0..spec.splits as u64 {
        let set = spec.table.choices("", spec.seed.wrapping_add(index))?.prepare(&NEEDS, store)?;
        check_size(spec, &set)?;
        is_drawn = set.split.is_none();
        let effect_rows = if first.is_none() { usize::MAX } else { 0 };
        let split = Split::new(spec, NumericRows::of(&set, effect_rows), set.width());
        first.get_or_insert_with(|| NumericSummary::of(&set, &split.rows, false));
        splits.push(split);
    }
    let first = first.unwrap_or_default();
    if is_drawn && first.needs_all_rows(MAX_ROWS) {
        let choices = TableChoices { train_fraction: 1.0, ..spec.table.choices("", spec.seed)? };
        let set = choices.prepare(&NEEDS, store)?;
        // A column may be constant among the training rows and not among all rows.
        let fits = check_size(spec, &set).is_ok();
        splits.extend(fits.then(|| Split::new(spec, NumericRows::of(&set, 0), set.width())));
    }
    Ok((first, splits))
}

/// Returns an error if the network has more than [`MAX_WEIGHTS`] weights.
fn check_size(spec: &TableSpec, set: &Dataset) -> Result<(), InputError> {
    let weights_per_unit = set.width() + 1 + usize::from(spec.bias);
    let max_units = MAX_WEIGHTS / weights_per_unit;
    if spec.hidden <= max_units {
        return Ok(());
    }
    if max_units == 0 {
        let name = spec.data.as_ref().map(ToString::to_string).unwrap_or_default();
        let why = format!(
            "the table has {} input columns; at most {} are allowed",
            set.width(),
            MAX_WEIGHTS + set.width() - weights_per_unit
        );
        return Err(TableSpec::FIELDS.table.data.error(name).because(why));
    }
    let why = format!(
        "with {} input columns at most {max_units} hidden units are allowed ({MAX_WEIGHTS} weights in total)",
        set.width()
    );
    Err(TableSpec::FIELDS.hidden.error(spec.hidden).because(why).nearest(max_units))
}
