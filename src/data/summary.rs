//! Summary of the table that a result was trained on.

use serde::{Deserialize, Serialize};

use super::carried::CarriedColumns;
use super::dataset::Dataset;
use super::preprocessing::Preprocessing;
use super::split::RowRole;

/// A table with a label of two classes, without its inputs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableSummary {
    /// Names of the inputs, N.
    pub names: Vec<String>,
    /// Names of inputs that were removed because they are constant over the training rows.
    pub constant: Vec<String>,
    /// Name of the label.
    pub label: String,
    /// Names of the classes −1 and +1.
    pub classes: [String; 2],
    /// Columns that files of predictions repeat, for training rows, test rows, rows without a label and rows of the second file.
    pub carried: CarriedColumns,
    /// Name of the column that separates training from test rows.
    pub split: Option<String>,
    /// Labels ±1 of the training rows, m.
    pub labels: Vec<f64>,
    /// Line numbers of the training rows, m, from 1.
    pub lines: Vec<usize>,
    /// Labels ±1 of the test rows.
    pub test_labels: Vec<f64>,
    /// Line numbers of the test rows.
    pub test_lines: Vec<usize>,
    /// Line numbers of the rows without a label, which are predicted.
    pub unlabelled_lines: Vec<usize>,
    /// Line numbers of the rows of the second file, in that file.
    pub second_lines: Vec<usize>,
    /// Labels ±1 of the rows of the second file, 0 where unknown.
    pub second_labels: Vec<f64>,
    /// Number of rows that are neither training rows nor predicted.
    pub unused: usize,
    /// Preprocessing of rows and columns.
    pub treated: Preprocessing,
}

impl TableSummary {
    /// Returns the numbers of training rows of the classes −1 and +1.
    pub fn class_counts(&self) -> [usize; 2] {
        let positive = self.labels.iter().filter(|label| **label > 0.0).count();
        [self.labels.len() - positive, positive]
    }

    /// Summarises a data set of two classes.
    pub fn of(set: &Dataset) -> Self {
        let labels = |role| set.of(role).map(|i| set.sign(i)).collect();
        let lines = |role| set.of(role).map(|i| set.lines[i]).collect();
        let class = |i: usize| set.classes().get(i).cloned().unwrap_or_default();
        Self {
            names: set.names.clone(),
            constant: set.constant.clone(),
            label: set.label.clone(),
            classes: [class(0), class(1)],
            carried: set.carried_by(&[RowRole::Train, RowRole::Test, RowRole::Unlabelled, RowRole::Second]),
            split: set.split.clone(),
            labels: labels(RowRole::Train),
            lines: lines(RowRole::Train),
            test_labels: labels(RowRole::Test),
            test_lines: lines(RowRole::Test),
            unlabelled_lines: lines(RowRole::Unlabelled),
            second_lines: lines(RowRole::Second),
            second_labels: labels(RowRole::Second),
            unused: set.of(RowRole::Unused).count(),
            treated: Preprocessing::of(set),
        }
    }

    /// Returns a class as `label = value`.
    pub fn class(&self, sign: f64) -> String {
        format!("{} = {}", self.label, self.classes[usize::from(sign > 0.0)])
    }

    /// Returns remarks on automatic decisions about rows and columns, as sentences, each preceded by a blank.
    pub fn remarks(&self) -> String {
        let constant = match self.constant.as_slice() {
            [] => String::new(),
            [one] => {
                format!(" Column {one} is the same in every training row and is left out, with weight 0.")
            }
            [first @ .., last] => {
                let first = first.join(", ");
                format!(
                    " Columns {first} and {last} are the same in every training row and are left out, with weight 0."
                )
            }
        };
        let split = self
            .split
            .as_ref()
            .map_or(String::new(), |split| format!(" Column {split} separates training from test rows."));
        let unused = if self.unused == 0 {
            String::new()
        } else {
            format!(
                " {} more rows are neither training nor test rows: {} drawn test rows are enough.",
                self.unused,
                self.test_labels.len()
            )
        };
        constant + &split + &unused + &self.treated.remarks()
    }
}
