//! Training and prediction rows of the table, for each random split.

use std::rc::Rc;

use super::{SplitSummary, TableSpec, TestRow};
use crate::data::{
    ColumnScale, DataRequirements, Dataset, Preprocessing, RowRole, Store, TableChoices, Target, TargetKind,
};
use crate::lab::InputError;
use crate::models::mlp::solver::examples::ExampleBlocks;
use crate::models::mlp::solver::network::NetworkShape;
use crate::models::mlp::solver::problem::RegressionProblem;

/// Maximum number of training rows; each evaluation uses all of them.
const MAX_ROWS: usize = 5_000;
/// Maximum number of weights k; a full covariance has k(k + 1)/2 elements.
const MAX_WEIGHTS: usize = 400;

const NEEDS: DataRequirements = DataRequirements {
    target: TargetKind::Numbers,
    training: Some((MAX_ROWS, "each of several thousand evaluations uses all of them")),
};

/// Regression problem and prediction rows of one split.
pub struct Split {
    /// Regression problem of the training rows, whose targets have mean 0.
    pub problem: Rc<RegressionProblem>,
    /// Rows to predict: test rows, rows without a target, rows of the second file.
    pub queries: ExampleBlocks,
    /// Targets of the test rows in units of the problem.
    pub tests: Vec<f64>,
    /// Mean of the training targets before the shift to 0.
    shift: f64,
    /// Standardisation of the targets.
    scale: Option<ColumnScale>,
}

impl Split {
    /// Converts a mean and a standard deviation of a target to units of the table.
    pub fn in_units(&self, mean: f64, sd: f64) -> (f64, f64) {
        match &self.scale {
            Some(scale) => (scale.invert(mean + self.shift), scale.invert_deviation(sd)),
            None => (mean + self.shift, sd),
        }
    }
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
        let (split, targets) = split(spec, &set);
        first.get_or_insert_with(|| summary(spec, &set, &targets, &split));
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
        which.flat_map(|i| set.row(i).iter().copied().chain(spec.bias.then_some(1.0))).collect()
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
    (Split { problem, queries, tests, shift, scale }, targets)
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
