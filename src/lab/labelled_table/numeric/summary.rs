//! Rows and columns of a table with a numeric target, without the inputs.

use serde::{Deserialize, Serialize};

use super::rows::NumericRows;
use crate::data::{CarriedColumns, Dataset, Preprocessing, RowRole, Target};

/// Rows and columns of a table with a numeric target.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NumericSummary {
    /// Names of the inputs.
    pub names: Vec<String>,
    /// Names of columns that are left out because they are constant over the training rows.
    pub constant: Vec<String>,
    /// Preprocessing of rows and columns.
    pub treated: Preprocessing,
    /// Name of the target.
    pub label: String,
    /// Columns that files of predictions repeat, for listed training rows, test rows, rows without a target and rows of the second file.
    pub carried: CarriedColumns,
    /// Number of training rows.
    pub trained: usize,
    /// Training rows if they are predicted; otherwise empty.
    pub training: Vec<TargetRow>,
    /// Test rows.
    pub tests: Vec<TargetRow>,
    /// Line numbers of the rows without a target.
    pub unlabelled: Vec<usize>,
    /// Line numbers of the rows of the second file.
    pub second: Vec<usize>,
    /// True if inputs and target are standardised.
    pub standardised: bool,
    /// Unit of the target in the problem, in units of the table.
    pub unit: f64,
}

/// A row with a target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TargetRow {
    /// Line number in the file.
    pub line: usize,
    /// Target in units of the table.
    pub target: f64,
}

impl NumericSummary {
    /// Summarises a data set and its `rows`. Training rows are listed if they are predicted.
    pub fn of(set: &Dataset, rows: &NumericRows, lists_training: bool) -> Self {
        let lines = |role| set.of(role).map(|i| set.lines[i]).collect();
        let targets = |role, targets: &[f64]| -> Vec<TargetRow> {
            let row = |(i, t): (usize, &f64)| TargetRow {
                line: set.lines[i],
                target: rows.scale.in_units(*t, 0.0).0,
            };
            set.of(role).zip(targets).map(row).collect()
        };
        let predicted = [RowRole::Train, RowRole::Test, RowRole::Unlabelled, RowRole::Second];
        let listed = if lists_training { &predicted[..] } else { &predicted[1..] };
        Self {
            names: set.names.clone(),
            constant: set.constant.clone(),
            treated: Preprocessing::of(set),
            label: set.label.clone(),
            carried: set.carried_by(listed),
            trained: rows.train.len(),
            training: if lists_training { targets(RowRole::Train, &rows.targets) } else { Vec::new() },
            tests: targets(RowRole::Test, &rows.tests),
            unlabelled: lines(RowRole::Unlabelled),
            second: lines(RowRole::Second),
            standardised: matches!(set.target, Target::Numbers(_)) && set.scaling.is_some(),
            unit: rows.scale.unit(),
        }
    }

    /// Returns true if there are rows to predict, and test rows that could also be used for training.
    pub fn needs_all_rows(&self, most_rows: usize) -> bool {
        let has_new = !self.unlabelled.is_empty() || !self.second.is_empty();
        !self.tests.is_empty() && has_new && self.trained + self.tests.len() <= most_rows
    }

    /// Describes the `learnt` rows, with advice if others are held out.
    pub fn learnt_rows(&self, learnt: usize) -> String {
        match self.trained + self.tests.len() - learnt {
            0 => format!("all {learnt} rows with a target"),
            tests => format!(
                "{learnt} of {} rows; set the training fraction to 1 to use the {tests} test rows as well",
                learnt + tests
            ),
        }
    }

    /// Returns remarks on columns and rows, as sentences, each preceded by a blank.
    pub fn remarks(&self) -> String {
        let constant = match self.constant.as_slice() {
            [] => String::new(),
            names => format!(" Constant columns, not used: {}.", names.join(", ")),
        };
        constant + &self.treated.remarks()
    }

    /// Returns the words after a name of a loss that has the unit of the problem.
    pub fn unit_words(&self) -> &'static str {
        if self.standardised { ", target standardised" } else { "" }
    }
}
