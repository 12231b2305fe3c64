//! What a result keeps of the table that it was learnt from.

use serde::{Deserialize, Serialize};

use super::dataset::{Dataset, RowIds, RowRole};
use super::preprocessing::Preprocessing;

/// A table of two classes without its inputs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableSummary {
    /// Names of the N inputs.
    pub names: Vec<String>,
    /// Names of columns that were left out, since they are the same in every training row.
    pub constant: Vec<String>,
    /// Name of the label.
    pub label: String,
    /// What −1 and +1 are called.
    pub classes: [String; 2],
    /// What identifies the rows, if a column does: training rows, test rows, those without a label and those of the second file.
    pub ids: Option<RowIds>,
    /// The column that tells training from test rows, if one does.
    pub split: Option<String>,
    /// Labels ±1 of the m training rows.
    pub labels: Vec<f64>,
    /// Where each of them stands, as a text editor counts lines.
    pub lines: Vec<usize>,
    /// Labels of the test rows.
    pub test_labels: Vec<f64>,
    /// Where they stand.
    pub test_lines: Vec<usize>,
    /// Where the rows without a label stand, which are predicted.
    pub unlabelled_lines: Vec<usize>,
    /// Where the rows of the second file stand in that.
    pub second_lines: Vec<usize>,
    /// How many rows were neither learnt from nor predicted.
    pub unused: usize,
    /// What was done to rows and columns.
    pub treated: Preprocessing,
}

impl TableSummary {
    /// Of a data set of two classes.
    pub fn of(set: &Dataset) -> Self {
        let labels = |part| set.of(part).map(|i| set.sign(i)).collect();
        let lines = |part| set.of(part).map(|i| set.lines[i]).collect();
        let class = |i: usize| set.classes().get(i).cloned().unwrap_or_default();
        Self {
            names: set.names.clone(),
            constant: set.constant.clone(),
            label: set.label.clone(),
            classes: [class(0), class(1)],
            ids: set.ids_of(&[RowRole::Train, RowRole::Test, RowRole::Unlabelled, RowRole::Second]),
            split: set.split.clone(),
            labels: labels(RowRole::Train),
            lines: lines(RowRole::Train),
            test_labels: labels(RowRole::Test),
            test_lines: lines(RowRole::Test),
            unlabelled_lines: lines(RowRole::Unlabelled),
            second_lines: lines(RowRole::Second),
            unused: set.of(RowRole::Unused).count(),
            treated: Preprocessing::of(set),
        }
    }

    /// A class as `label = value`.
    pub fn class(&self, sign: f64) -> String {
        format!("{} = {}", self.label, self.classes[usize::from(sign > 0.0)])
    }

    /// What was decided about rows and columns where nothing was said, each a sentence: constants, and rows that are not used.
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
            .map_or(String::new(), |split| format!(" Column {split} says which rows are for training."));
        let unused = if self.unused == 0 {
            String::new()
        } else {
            format!(
                " {} more rows are neither for training nor for the test, for which {} drawn rows are enough.",
                self.unused,
                self.test_labels.len()
            )
        };
        constant + &split + &unused + &self.treated.remarks()
    }
}
