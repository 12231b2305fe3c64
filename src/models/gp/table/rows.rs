//! The rows of the table that is named: which are learnt from, which are predicted, and in which units.

use super::OwnSpec;
use crate::data::{DataRequirements, Dataset, OTHERS, RowRole, Store, TableSummary, TargetKind};
use crate::lab::{Examples, InputError};

/// Training rows at most. A solve takes a few matrices of m² numbers and m³ multiplications for each of some twenty steps.
pub const MOST_ROWS: usize = 4_000;

/// What a Gaussian process can learn.
const NEEDS: DataRequirements = DataRequirements {
    target: TargetKind::Classes,
    training: Some((MOST_ROWS, "memory grows with their square and time with their cube")),
};

/// The rows of the table, scaled: those to train on and those to predict.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// Inputs of the training rows, m×N.
    pub train: Vec<Vec<f64>>,
    /// Their labels ±1.
    pub tau: Vec<f64>,
    /// Inputs of the rows that are predicted: first the test rows, then those without a label, and then those
    /// of the second file.
    pub test: Vec<Vec<f64>>,
    /// Index among the training rows of every row of the file that is one.
    pub place: Vec<Option<usize>>,
    /// Everything else that is known of them; where there are several classes without labels.
    pub table: TableSummary,
    /// More than two classes, if there are.
    pub several: Option<Classes>,
}

/// More than two classes.
#[derive(Clone, Debug, PartialEq)]
pub struct Classes {
    /// What they are called.
    pub names: Vec<String>,
    /// Which of them each training row has.
    train: Vec<usize>,
    /// The same of each test row.
    test: Vec<usize>,
}

impl Rows {
    /// Reads what `spec` names.
    ///
    /// # Errors
    /// Which field does not fit the table, and what would.
    pub fn new(spec: &OwnSpec, data: &Store) -> Result<Self, InputError> {
        let set = spec.table.choices(&spec.positive, spec.seed).prepare(&NEEDS, data)?;
        check_relevances(spec, &set)?;
        let inputs = |part| set.of(part).map(|i| set.row(i).to_vec());
        let table = TableSummary::of(&set);
        let classes = |part| set.of(part).filter_map(|i| set.class(i)).collect();
        let several = (set.classes().len() > 2).then(|| Classes {
            names: set.classes().to_vec(),
            train: classes(RowRole::Train),
            test: classes(RowRole::Test),
        });
        if several.is_some() {
            check_several(spec)?;
        }
        let mut train = 0..;
        Ok(Self {
            train: inputs(RowRole::Train).collect(),
            tau: table.labels.clone(),
            test: [RowRole::Test, RowRole::Unlabelled, RowRole::Second]
                .into_iter()
                .flat_map(inputs)
                .collect(),
            place: set.roles.iter().map(|p| if *p == RowRole::Train { train.next() } else { None }).collect(),
            table,
            several,
        })
    }

    /// The rows with two classes: one of several, which is +1, and all others.
    pub fn against_others(&self, Classes { names, train, test }: &Classes, class: usize) -> Self {
        let signs =
            |of: &[usize]| of.iter().map(|k| if *k == class { 1.0 } else { -1.0 }).collect::<Vec<_>>();
        let table = TableSummary {
            classes: [OTHERS.to_owned(), names[class].clone()],
            labels: signs(train),
            test_labels: signs(test),
            ..self.table.clone()
        };
        Self { tau: signs(train), table, several: None, ..self.clone() }
    }

    /// The training rows but those that are held out, and these as test rows with known labels.
    pub fn hold_out(&self, held_out: impl Fn(usize) -> bool) -> Self {
        let of = |held: bool| (0..self.train.len()).filter(|row| held_out(*row) == held).collect::<Vec<_>>();
        let inputs = |held| of(held).into_iter().map(|row| self.train[row].clone()).collect();
        let labels = |held| of(held).into_iter().map(|row| self.tau[row]).collect::<Vec<_>>();
        let table = TableSummary {
            names: self.table.names.clone(),
            labels: labels(false),
            test_labels: labels(true),
            ..TableSummary::default()
        };
        Self {
            train: inputs(false),
            tau: labels(false),
            test: inputs(true),
            place: Vec::new(),
            table,
            several: None,
        }
    }

    /// The rows with a label, as a baseline sees them.
    pub fn examples(&self) -> Examples<'_> {
        let tests = self.table.test_labels.len();
        Examples {
            train: self.train.iter().map(Vec::as_slice).zip(self.tau.iter().copied()).collect(),
            test: self.test[..tests].iter().map(Vec::as_slice).collect(),
        }
    }
}

/// What is done with two classes only.
fn check_several(spec: &OwnSpec) -> Result<(), InputError> {
    let fields = OwnSpec::FIELDS;
    let only = |error: InputError, accepted: &str, nearest: &str| {
        let why = "since the label has more than two values; or choose its positive value";
        Err(error.expected(format!("{accepted}, {why}")).nearest(nearest))
    };
    match spec {
        OwnSpec { exact_loo: true, .. } => only(fields.exact_loo.error(true), "false", "false"),
        OwnSpec { folds: 1.., .. } => only(fields.folds.error(spec.folds), "0", "0"),
        OwnSpec { sigma2_grid, .. } if !sigma2_grid.is_empty() => {
            let given: Vec<String> = sigma2_grid.iter().map(f64::to_string).collect();
            only(fields.sigma2_grid.error(given.join(",")), "nothing", "")
        }
        _ => Ok(()),
    }
}

/// As many relevances as inputs.
fn check_relevances(spec: &OwnSpec, rows: &Dataset) -> Result<(), InputError> {
    if spec.ard.is_empty() || spec.ard.len() == rows.width() {
        return Ok(());
    }
    let left_out = match rows.constant.as_slice() {
        [] => String::new(),
        names => format!("; those that never change are left out: {}", names.join(", ")),
    };
    let expected = format!(
        "nothing, or a number for each of the {} input columns {}{left_out}",
        rows.width(),
        rows.names.join(", ")
    );
    let error = OwnSpec::FIELDS.ard.error(format!("{} numbers", spec.ard.len()));
    Err(error.expected(expected).nearest(vec!["1"; rows.width()].join(",")))
}
