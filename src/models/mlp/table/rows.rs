//! Training and prediction rows of the table, for each random split.

use std::rc::Rc;

use super::{SplitSummary, TableSpec, TestRow};
use crate::data::{
    ColumnScale, DataRequirements, Dataset, Preprocessing, RowRole, Store, TableChoices, Target, TargetKind,
};
use crate::lab::InputError;
use crate::lab::labelled_table::HeldOutInputs;
use crate::models::mlp::solver::examples::ExampleBlocks;
use crate::models::mlp::solver::expectation::mean_predictions;
use crate::models::mlp::solver::gaussian::WeightGaussian;
use crate::models::mlp::solver::network::{NetworkShape, outputs};
use crate::models::mlp::solver::problem::RegressionProblem;

/// Maximum number of training rows; each evaluation uses all of them.
const MAX_ROWS: usize = 20_000;
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
    /// Targets of the test rows in units of the problem.
    pub tests: Vec<f64>,
    /// Inputs of the test rows for the effects of the columns; without rows except on the first split.
    pub held_out: HeldOutInputs,
    /// Targets of these rows in units of the problem.
    held_out_targets: Vec<f64>,
    /// True if the hidden units have a bias, the last input of `problem` and `queries`.
    bias: bool,
    /// Mean of the training targets before the shift to 0.
    shift: f64,
    /// Standardisation of the targets.
    scale: Option<ColumnScale>,
}

impl Split {
    /// Returns the squared errors of the predictive mean under `q` on the rows of `held_out`, given their inputs without a bias.
    pub fn squared_errors(&self, q: &WeightGaussian, inputs: &[f64]) -> Vec<f64> {
        let means = mean_predictions(self.problem.shape, q, &self.blocks(inputs));
        let pairs = means.into_iter().zip(&self.held_out_targets);
        pairs.map(|(mean, target)| (target - mean) * (target - mean)).collect()
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
        self.in_units(average(mean_predictions(shape, q, &rows)), sd)
    }

    /// Returns rows of `inputs` without a bias as examples.
    fn blocks(&self, inputs: &[f64]) -> ExampleBlocks {
        let width = self.problem.shape.inputs;
        let rows = inputs.chunks_exact((width - usize::from(self.bias)).max(1));
        let rows: Vec<f64> = rows.flat_map(|row| with_bias(row, self.bias)).collect();
        ExampleBlocks::unlabelled(&rows, width)
    }

    /// Converts a mean and a standard deviation of a target to units of the table.
    pub fn in_units(&self, mean: f64, sd: f64) -> (f64, f64) {
        match &self.scale {
            Some(scale) => (scale.invert(mean + self.shift), scale.invert_deviation(sd)),
            None => (mean + self.shift, sd),
        }
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
pub fn read(spec: &TableSpec, store: &Store) -> Result<(SplitSummary, Vec<Split>), InputError> {
    let mut splits = Vec::new();
    let mut first = None;
    let mut is_drawn = false;
    for index in 0..spec.splits as u64 {
        let set = spec.table.choices("", spec.seed.wrapping_add(index))?.prepare(&NEEDS, store)?;
        check_size(spec, &set)?;
        is_drawn = set.split.is_none();
        let (mut split, targets) = split(spec, &set);
        if first.is_none() {
            split.held_out = HeldOutInputs::of(&set, &set.of(RowRole::Test).collect::<Vec<_>>());
            split.held_out_targets =
                split.held_out.rows().iter().map(|row| targets[*row] - split.shift).collect();
            first = Some(summary(spec, &set, &targets, &split));
        }
        splits.push(split);
    }
    let first = first.unwrap_or_default();
    if is_drawn && needs_all_rows(&first) {
        let choices = TableChoices { train_fraction: 1.0, ..spec.table.choices("", spec.seed)? };
        let set = choices.prepare(&NEEDS, store)?;
        // A column may be constant among the training rows and not among all rows.
        splits.extend(check_size(spec, &set).is_ok().then(|| split(spec, &set).0));
    }
    Ok((first, splits))
}

/// Returns true if there are rows to predict, and test rows that could also be used for training.
fn needs_all_rows(table: &SplitSummary) -> bool {
    let has_new = !table.unlabelled.is_empty() || !table.second.is_empty();
    !table.tests.is_empty() && has_new && table.trained + table.tests.len() <= MAX_ROWS
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

/// Returns the split and the targets of all rows, standardised if the table is.
fn split(spec: &TableSpec, set: &Dataset) -> (Split, Vec<f64>) {
    let targets = match &set.target {
        Target::Numbers(numbers) => numbers.clone(),
        Target::Classes { .. } | Target::None => vec![f64::NAN; set.rows()],
    };
    let train: Vec<usize> = set.of(RowRole::Train).collect();
    let shift = train.iter().map(|i| targets[*i]).sum::<f64>() / train.len().max(1) as f64;
    let width = set.width() + usize::from(spec.bias);
    let rows = |which: &mut dyn Iterator<Item = usize>| -> Vec<f64> {
        which.flat_map(|i| with_bias(set.row(i), spec.bias)).collect()
    };
    let trained: Vec<f64> = train.iter().map(|i| targets[*i] - shift).collect();
    let examples = ExampleBlocks::new(&rows(&mut train.iter().copied()), width, &trained);
    let mut to_predict =
        [RowRole::Test, RowRole::Unlabelled, RowRole::Second].into_iter().flat_map(|part| set.of(part));
    let queries = ExampleBlocks::unlabelled(&rows(&mut to_predict), width);
    let shape = NetworkShape { hidden: spec.hidden, inputs: width };
    let problem = Rc::new(RegressionProblem {
        shape,
        examples,
        hyper: spec.hyper.hyperprior(&spec.hyperpriors, spec.alpha, spec.beta),
    });
    let tests = set.of(RowRole::Test).map(|i| targets[i] - shift).collect();
    let scale = set.scaling.as_ref().and_then(|scaling| scaling.target);
    let (held_out, held_out_targets) = (HeldOutInputs::default(), Vec::new());
    (Split { problem, queries, tests, held_out, held_out_targets, bias: spec.bias, shift, scale }, targets)
}

fn summary(spec: &TableSpec, set: &Dataset, targets: &[f64], split: &Split) -> SplitSummary {
    let lines = |part| set.of(part).map(|i| set.lines[i]);
    SplitSummary {
        names: set.names.clone(),
        constant: set.constant.clone(),
        treated: Preprocessing::of(set),
        label: set.label.clone(),
        carried: set.carried_by(&[RowRole::Test, RowRole::Unlabelled, RowRole::Second]),
        trained: set.of(RowRole::Train).count(),
        tests: set
            .of(RowRole::Test)
            .map(|i| TestRow { line: set.lines[i], target: split.in_units(targets[i] - split.shift, 0.0).0 })
            .collect(),
        unlabelled: lines(RowRole::Unlabelled).collect(),
        second: lines(RowRole::Second).collect(),
        standardised: spec.standardise,
    }
}
