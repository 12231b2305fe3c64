//! The rows of the table that is named, split by split.

use std::rc::Rc;

use super::{TableInfo, TableSpec};
use crate::data::{Dataset, Needs, Part, Scale, Store, Target, Treatment, Wanted};
use crate::lab::InputError;
use crate::models::mlp::solver::examples::ExampleBlocks;
use crate::models::mlp::solver::network::NetworkShape;
use crate::models::mlp::solver::problem::RegressionProblem;

/// Training rows at most: each evaluation goes through all of them.
const MOST_ROWS: usize = 5_000;
/// Weights at most: a full covariance has half the square of their number.
const MOST_WEIGHTS: usize = 400;

const NEEDS: Needs = Needs {
    target: Wanted::Numbers,
    training: Some((MOST_ROWS, "each of several thousand evaluations uses all of them")),
};

/// One split, ready to be fitted.
pub struct Split {
    /// The network with its training rows; targets have zero mean.
    pub problem: Rc<RegressionProblem>,
    /// Rows that are predicted: test rows, those without a target, those of the second file.
    pub queries: ExampleBlocks,
    /// Targets of the test rows, as the network sees them.
    pub tests: Vec<f64>,
    /// Mean of the training targets, where they are not standardised.
    shift: f64,
    scale: Option<Scale>,
}

impl Split {
    /// A mean and a standard deviation in units of the table.
    pub fn in_units(&self, mean: f64, sd: f64) -> (f64, f64) {
        match &self.scale {
            Some(scale) => (scale.invert(mean + self.shift), scale.invert_deviation(sd)),
            None => (mean + self.shift, sd),
        }
    }
}

/// All splits, and what is said of the first.
///
/// # Errors
/// Which field does not fit the table, and what would.
pub fn read(spec: &TableSpec, store: &Store) -> Result<(TableInfo, Vec<Split>), InputError> {
    let mut splits = Vec::new();
    let mut first = None;
    for index in 0..spec.splits as u64 {
        let set = spec.table.choices("", spec.seed.wrapping_add(index)).prepare(&NEEDS, store)?;
        check_size(spec, &set)?;
        let (split, targets) = split(spec, &set);
        first.get_or_insert_with(|| info(spec, &set, &targets, &split));
        splits.push(split);
    }
    Ok((first.unwrap_or_default(), splits))
}

fn check_size(spec: &TableSpec, set: &Dataset) -> Result<(), InputError> {
    // A weight for each input, an output weight, and a bias if there are any.
    let each = set.width() + 1 + usize::from(spec.bias);
    let most = MOST_WEIGHTS / each;
    if spec.hidden <= most {
        return Ok(());
    }
    if most == 0 {
        let named = spec.data.as_ref().map(ToString::to_string).unwrap_or_default();
        let why = format!(
            "the table has {} input columns; at most {} are allowed",
            set.width(),
            MOST_WEIGHTS + set.width() - each
        );
        return Err(TableSpec::FIELDS.table.data.error(named).because(why));
    }
    let why = format!(
        "with {} input columns at most {most} hidden units are allowed ({MOST_WEIGHTS} weights in total)",
        set.width()
    );
    Err(TableSpec::FIELDS.hidden.error(spec.hidden).because(why).nearest(most))
}

/// The split, and the targets of all rows as the table has them, standardised or not.
fn split(spec: &TableSpec, set: &Dataset) -> (Split, Vec<f64>) {
    let targets = match &set.target {
        Target::Numbers(numbers) => numbers.clone(),
        Target::Classes { .. } | Target::None => vec![f64::NAN; set.rows()],
    };
    let train: Vec<usize> = set.of(Part::Train).collect();
    let shift = train.iter().map(|i| targets[*i]).sum::<f64>() / train.len().max(1) as f64;
    let width = set.width() + usize::from(spec.bias);
    let rows = |which: &mut dyn Iterator<Item = usize>| -> Vec<f64> {
        which.flat_map(|i| set.row(i).iter().copied().chain(spec.bias.then_some(1.0))).collect()
    };
    let trained: Vec<f64> = train.iter().map(|i| targets[*i] - shift).collect();
    let examples = ExampleBlocks::new(&rows(&mut train.iter().copied()), width, &trained);
    let mut asked = [Part::Test, Part::Unlabelled, Part::Second].into_iter().flat_map(|part| set.of(part));
    let queries = ExampleBlocks::unlabelled(&rows(&mut asked), width);
    let shape = NetworkShape { hidden: spec.hidden, inputs: width };
    let problem = Rc::new(RegressionProblem {
        shape,
        examples,
        hyper: spec.hyper.hyperprior(&spec.hyperpriors, spec.alpha, spec.beta),
    });
    let tests = set.of(Part::Test).map(|i| targets[i] - shift).collect();
    let scale = set.scaling.as_ref().and_then(|scaling| scaling.target);
    (Split { problem, queries, tests, shift, scale }, targets)
}

fn info(spec: &TableSpec, set: &Dataset, targets: &[f64], split: &Split) -> TableInfo {
    let lines = |part| set.of(part).map(|i| set.lines[i]);
    TableInfo {
        names: set.names.clone(),
        constant: set.constant.clone(),
        treated: Treatment::of(set),
        label: set.label.clone(),
        ids: set.ids_of(&[Part::Test, Part::Unlabelled, Part::Second]),
        trained: set.of(Part::Train).count(),
        tests: set
            .of(Part::Test)
            .map(|i| (set.lines[i], split.in_units(targets[i] - split.shift, 0.0).0))
            .collect(),
        unlabelled: lines(Part::Unlabelled).collect(),
        second: lines(Part::Second).collect(),
        standardised: spec.standardise,
    }
}
