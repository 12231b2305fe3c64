//! The rows of the user's table.

use std::rc::Rc;

use super::searches::{SAMPLE, sample_parts};
use super::{Method, TableSpec};
use crate::data::{DataRequirements, OTHERS, RowRole, Store, TableSummary, TargetKind};
use crate::lab::InputError;
use crate::lab::labelled_table::{BaselineRows, HeldOutInputs, held_out_rows};
use crate::models::gp::fields::check_relevances;
use crate::models::gp::inducing::Inducing;
use crate::models::gp::inducing::choice::sample;
use crate::models::gp::inducing_points::{COMPARED_ROWS, MAX_ROWS, WHY_MAX_ROWS, compared_rows};

/// Requirements on the table.
const NEEDS: DataRequirements =
    DataRequirements { target: TargetKind::Classes, training: Some((MAX_ROWS, WHY_MAX_ROWS)) };

/// Training rows and predicted rows, with scaled inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct TableRows {
    /// Inputs of the training rows, m×N.
    pub train: Rc<Vec<Vec<f64>>>,
    /// Labels τ = ±1 of the training rows, m.
    pub tau: Vec<f64>,
    /// Inputs of the predicted rows: test rows, rows without a label, and rows of the second file.
    pub predicted: Vec<Vec<f64>>,
    /// Index among the training rows of each row of the file; `None` for the other rows.
    pub train_index: Vec<Option<usize>>,
    /// Group of each training row, m; rows of a group are held out together.
    pub groups: Vec<usize>,
    /// Names, lines and labels; the labels have no meaning with more than two classes.
    pub table: TableSummary,
    /// Labels of more than two classes.
    pub classes: Option<ClassLabels>,
    /// Number of classes of the label.
    pub class_count: usize,
    /// Inducing points; `None` for the full model.
    pub inducing: Option<Inducing>,
    /// Columns without rows, whose effects are measured on test rows; `None` in folds if there are other test rows.
    pub columns: Option<HeldOutInputs>,
    /// True if all training rows are there, not those of a fold.
    is_whole: bool,
}

/// Labels of more than two classes.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassLabels {
    /// Names of the classes.
    pub names: Vec<String>,
    /// Class of each training row.
    pub train: Vec<usize>,
    /// Class of each test row.
    test: Vec<usize>,
    /// Class of each row of the second file; `None` if unknown.
    second: Vec<Option<usize>>,
}

impl TableRows {
    /// Reads the table that `spec` names.
    ///
    /// # Errors
    /// A field that does not fit the table.
    pub fn new(spec: &TableSpec, data: &Store) -> Result<Self, InputError> {
        let set = spec.table.choices(&spec.positive, spec.seed)?.prepare(&NEEDS, data)?;
        check_relevances(&spec.ard, &set)?;
        let inputs = |part| set.of(part).map(|i| set.row(i).to_vec());
        let table = TableSummary::of(&set);
        let classes = |part| set.of(part).filter_map(|i| set.class(i)).collect();
        let classes = (set.classes().len() > 2).then(|| ClassLabels {
            names: set.classes().to_vec(),
            train: classes(RowRole::Train),
            test: classes(RowRole::Test),
            second: set.of(RowRole::Second).map(|i| set.class(i)).collect(),
        });
        if classes.is_some() {
            check_several_classes(spec)?;
        }
        let inducing = spec.inducing_points(table.labels.len());
        if inducing.is_some() {
            check_inducing(spec)?;
        }
        let mut train = 0..;
        Ok(Self {
            train: Rc::new(inputs(RowRole::Train).collect()),
            tau: table.labels.clone(),
            predicted: [RowRole::Test, RowRole::Unlabelled, RowRole::Second]
                .into_iter()
                .flat_map(inputs)
                .collect(),
            train_index: set
                .roles
                .iter()
                .map(|p| if *p == RowRole::Train { train.next() } else { None })
                .collect(),
            groups: set.of(RowRole::Train).map(|i| set.groups[i]).collect(),
            columns: Some(HeldOutInputs::of(&set, &[])),
            table,
            class_count: classes.as_ref().map_or(2, |classes| classes.names.len()),
            classes,
            inducing,
            is_whole: true,
        })
    }

    /// Returns the rows with the label of one class, which is +1, against all others.
    pub fn one_vs_rest(&self, labels: &ClassLabels, class: usize) -> Self {
        let ClassLabels { names, train, test, second } = labels;
        let sign = |k: usize| if k == class { 1.0 } else { -1.0 };
        let signs = |of: &[usize]| of.iter().map(|k| sign(*k)).collect::<Vec<_>>();
        let table = TableSummary {
            classes: [OTHERS.to_owned(), names[class].clone()],
            labels: signs(train),
            test_labels: signs(test),
            second_labels: second.iter().map(|k| k.map_or(0.0, sign)).collect(),
            ..self.table.clone()
        };
        Self { tau: signs(train), table, classes: None, ..self.clone() }
    }

    /// Returns the rows with the label of this class against all others; `None` is that of two classes.
    pub fn of_class(&self, class: Option<usize>) -> Self {
        let labels = self.classes.as_ref().zip(class);
        labels.map_or_else(|| self.clone(), |(labels, class)| self.one_vs_rest(labels, class))
    }

    /// Returns the training rows without those in `held_out` (ascending), and these as test rows.
    pub fn hold_out(&self, held_out: &[usize]) -> Self {
        let learnt: Vec<usize> =
            (0..self.train.len()).filter(|row| held_out.binary_search(row).is_err()).collect();
        self.part(&learnt, held_out)
    }

    /// Returns the training rows `learnt`, and `held_out` ones as test rows.
    fn part(&self, learnt: &[usize], held_out: &[usize]) -> Self {
        let inputs = |rows: &[usize]| rows.iter().map(|row| self.train[*row].clone()).collect();
        let labels = |rows: &[usize]| rows.iter().map(|row| self.tau[*row]).collect::<Vec<_>>();
        let table = TableSummary {
            names: self.table.names.clone(),
            labels: labels(learnt),
            test_labels: labels(held_out),
            ..TableSummary::default()
        };
        Self {
            train: Rc::new(inputs(learnt)),
            tau: labels(learnt),
            predicted: inputs(held_out),
            train_index: Vec::new(),
            groups: learnt.iter().map(|row| self.groups[*row]).collect(),
            table,
            classes: None,
            class_count: self.class_count,
            inducing: self.inducing,
            // The effects are measured in folds only if there are no test rows.
            columns: self.columns.clone().filter(|_| self.table.test_labels.is_empty()),
            is_whole: false,
        }
    }

    /// Returns a random part of the training rows, with others as test rows, for a comparison of inducing points with the full model; `None`
    /// without inducing points, in a fold, or if a class is missing.
    pub fn compared(&self, seed: u64) -> Option<Self> {
        self.inducing.filter(|_| self.is_whole)?;
        let (learnt, tests) = compared_rows(self.tau.len(), seed);
        let part = self.part(&learnt, &tests);
        let has = |sign: f64| part.tau.contains(&sign);
        (has(1.0) && has(-1.0) && !tests.is_empty()).then_some(part)
    }

    /// Returns true if all training rows are there, not those of a fold.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns the number of rows of the search that follows the starts: with inducing points a sample, which has a full model.
    pub fn searched(&self) -> usize {
        if self.inducing.is_some() { self.tau.len().min(COMPARED_ROWS) } else { self.tau.len() }
    }

    /// Returns inputs and labels of these rows, drawn by `seed`.
    pub fn search_rows(&self, seed: u64) -> (Vec<Vec<f64>>, Vec<f64>) {
        self.rows_of(sample(self.tau.len(), self.searched(), seed, 2))
    }

    fn rows_of(&self, rows: Vec<usize>) -> (Vec<Vec<f64>>, Vec<f64>) {
        rows.into_iter().map(|row| (self.train[row].clone(), self.tau[row])).unzip()
    }

    /// Returns inputs and labels of a stratified sample of the training rows, which is drawn by `seed`; of all of them if they are few.
    pub fn sample(&self, seed: u64) -> (Vec<Vec<f64>>, Vec<f64>) {
        if self.inducing.is_some() {
            // A stratified sample may be large if a class is rare.
            return self.rows_of(sample(self.tau.len(), SAMPLE, seed, 3));
        }
        let positive = self.tau.iter().filter(|tau| **tau > 0.0).count();
        let parts = sample_parts(self.tau.len(), positive.min(self.tau.len() - positive));
        self.rows_of(held_out_rows(&self.tau, &self.groups, parts, seed, 0))
    }

    /// Returns the labelled rows for logistic regression.
    pub fn labelled(&self) -> BaselineRows<'_> {
        let tests = self.table.test_labels.len();
        BaselineRows {
            train: self.train.iter().map(Vec::as_slice).zip(self.tau.iter().copied()).collect(),
            groups: self.groups.clone(),
            test: self.predicted[..tests].iter().map(Vec::as_slice).collect(),
        }
    }
}

/// Checks that all settings are possible with inducing points.
fn check_inducing(spec: &TableSpec) -> Result<(), InputError> {
    let fields = TableSpec::FIELDS;
    if spec.method != Method::Tap {
        let error = fields.method.error(spec.method);
        let accepted = "tap, the only method with inducing points, which stand for the rows if there are more than 4,000";
        return Err(error.expected(accepted).nearest(Method::Tap));
    }
    if spec.exact_loo {
        let accepted = "false with inducing points, where retraining without every row would take hours";
        return Err(fields.exact_loo.error(true).expected(accepted).nearest("false"));
    }
    Ok(())
}

/// Checks that no setting is for two classes only.
fn check_several_classes(spec: &TableSpec) -> Result<(), InputError> {
    let fields = TableSpec::FIELDS;
    let only = |error: InputError, accepted: &str, nearest: &str| {
        let why = "since the label has more than two values; or choose its positive value";
        Err(error.expected(format!("{accepted}, {why}")).nearest(nearest))
    };
    match spec {
        TableSpec { exact_loo: true, .. } => only(fields.exact_loo.error(true), "false", "false"),
        TableSpec { sigma2_grid, .. } if !sigma2_grid.is_empty() => {
            let given: Vec<String> = sigma2_grid.iter().map(f64::to_string).collect();
            only(fields.sigma2_grid.error(given.join(",")), "nothing", "")
        }
        _ => Ok(()),
    }
}
