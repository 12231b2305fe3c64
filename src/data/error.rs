//! Errors of files and of column choices.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The reason why a file cannot be read, with its location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub struct DataError {
    /// Line number in the file, from 1.
    pub row: Option<usize>,
    /// Name of the column.
    pub column: Option<String>,
    /// Reason.
    pub why: String,
}

impl DataError {
    /// Returns a problem of the file as a whole.
    pub fn new(why: impl Into<String>) -> Self {
        Self { row: None, column: None, why: why.into() }
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.row.map(|row| format!("row {row}"));
        let column = self.column.as_ref().map(|column| format!("column “{column}”"));
        let location = row.into_iter().chain(column).collect::<Vec<_>>().join(", ");
        write!(f, "{location}{}{}", if location.is_empty() { "" } else { ": " }, self.why)
    }
}

/// A table that does not suit the chosen columns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {accepted}")]
pub struct ColumnError {
    /// Field of the form to correct: `data`, `label`, `positive`, `ignore`, `split`, …
    pub field: &'static str,
    /// Given value of the field.
    pub given: String,
    /// Accepted values, as a phrase after “Enter”, or a question about the nearest value; without one, the reason as a clause.
    pub accepted: String,
    /// Nearest valid value of the field.
    pub nearest: Option<String>,
}

impl ColumnError {
    /// Returns an error of the table as a whole. The caller adds the name of the file.
    pub(super) fn of_table(reason: impl Into<String>) -> Self {
        Self { field: "data", given: String::new(), accepted: reason.into(), nearest: None }
    }
}

/// Joins the first `most` items by commas, with an ellipsis for the rest.
pub(super) fn listed(items: &[String], most: usize) -> String {
    let more = if items.len() > most { ", …" } else { "" };
    format!("{}{more}", items[..items.len().min(most)].join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_shown_with_its_location() {
        let problem = DataError { row: Some(7), column: Some("x2".into()), why: "no cell".into() };
        assert_eq!(problem.to_string(), "row 7, column “x2”: no cell");
        assert_eq!(DataError { column: None, ..problem.clone() }.to_string(), "row 7: no cell");
        assert_eq!(DataError::new("too large").to_string(), "too large");
    }
}
