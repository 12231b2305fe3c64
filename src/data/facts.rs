//! What is known of a data set without having it: hash, size, columns, and what is wrong with it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Hash;
use super::columns::entries;
use crate::math::decimal;

/// What the page shows of a data set, and what a specification can be checked against.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// Of its contents: those of a compressed file once uncompressed, and of a known file in the form of this project.
    pub hash: Hash,
    /// What it is.
    pub content: FileContent,
}

/// What kind of data a file holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FileContent {
    /// A table with named columns.
    Table(TableFacts),
    /// Images of grey pixels, all of one size.
    Images {
        /// How many.
        count: usize,
        /// Their height in pixels.
        rows: usize,
        /// Their width in pixels.
        columns: usize,
    },
    /// Classes of images.
    Labels {
        /// How many.
        count: usize,
        /// One more than the largest.
        classes: usize,
    },
    /// Named numbers, such as the weights of a network, for the task that asks for them.
    Json,
    /// What a run has made.
    Artefact {
        /// What it is (`sbn.network`).
        kind: String,
        /// Version of its format.
        format: u32,
    },
}

/// A table without its cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableFacts {
    /// Number of rows, the header not counted.
    pub rows: usize,
    /// Where the names of the columns come from.
    pub header: Header,
    /// How the file was read where that is not certain, each a sentence.
    pub remarks: Vec<String>,
    /// In the order of the file.
    pub columns: Vec<ColumnFacts>,
    /// The first few rows as they are written.
    pub head: Vec<Vec<String>>,
}

impl Facts {
    /// The table, if it is one.
    pub fn table(&self) -> Option<&TableFacts> {
        match &self.content {
            FileContent::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Rows, images or labels; nothing else is counted.
    pub fn rows(&self) -> usize {
        match &self.content {
            FileContent::Table(table) => table.rows,
            FileContent::Images { count, .. } | FileContent::Labels { count, .. } => *count,
            FileContent::Artefact { .. } | FileContent::Json => 0,
        }
    }
}

/// A row with another number of cells than the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MalformedRow {
    /// Where it begins, as a text editor counts lines.
    pub line: usize,
    /// How many cells it has.
    pub cells: usize,
}

/// A column of a table: name, values and kind, as the page shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnFacts {
    /// From the header; `x1`, `x2`, … without one.
    pub name: String,
    /// Numbers or words.
    pub kind: ColumnKind,
    /// How many cells are empty, `NA`, `NULL`, `NaN`, `?` or the like.
    pub missing: usize,
    /// The distinct values, if there are at most [`ColumnFacts::FEW`]. Of two, the last is the one that is +1 where nothing
    /// else is said.
    pub values: Vec<String>,
    /// How its values are distributed: rows in each of [`ColumnFacts::BINS`] equal intervals from the smallest number to the
    /// largest, or rows of each of `values` where those are words.
    pub counts: Vec<u32>,
}

/// Where the names of a table's columns come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Header {
    /// From the first row.
    Found,
    /// They are x1, x2, …: the first row is an example.
    None,
    /// The same, though this word in the first row stands over numbers.
    Doubtful(String),
}

/// Which first row is a header.
pub(crate) const HEADER_RULE: &str = "a name in it must not be a number, or the row is taken as data";

impl Header {
    /// What a person should know of it, if anything.
    pub fn remark(&self) -> Option<String> {
        match self {
            Self::Found => None,
            Self::None => {
                Some("There is no header: the columns are x1, x2, …, and the first row is an example.".into())
            }
            Self::Doubtful(word) => Some(format!(
                "“{word}” in the first row stands over numbers. If that row is the header: {HEADER_RULE}."
            )),
        }
    }
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ColumnKind {
    /// Numbers in every cell that is not missing.
    Numeric {
        /// Smallest.
        min: f64,
        /// Largest.
        max: f64,
        /// Average.
        mean: f64,
    },
    /// Anything else.
    Text,
}

impl ColumnFacts {
    /// Up to so many distinct values are listed.
    pub const FEW: usize = 20;
    /// Intervals of a histogram.
    pub const BINS: usize = 12;

    /// How many distinct values there are, if they are few, without those in a list of texts that mean a missing value.
    pub fn classes(&self, codes: &str) -> usize {
        let codes = entries(codes);
        let is = |value: &str, code: &str| {
            value == code || decimal(value).is_some_and(|x| decimal(code) == Some(x))
        };
        self.values.iter().filter(|value| !codes.iter().any(|code| is(value, code))).count()
    }
}

/// Why a file cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub struct DataProblem {
    /// The row as a text editor counts them, from 1, where one is to blame.
    pub row: Option<usize>,
    /// Name of the column, where one is to blame.
    pub column: Option<String>,
    /// What is wrong there.
    pub why: String,
}

impl DataProblem {
    /// One of the whole file.
    pub fn new(why: impl Into<String>) -> Self {
        Self { row: None, column: None, why: why.into() }
    }
}

impl fmt::Display for DataProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.row.map(|row| format!("row {row}"));
        let column = self.column.as_ref().map(|column| format!("column “{column}”"));
        let place = row.into_iter().chain(column).collect::<Vec<_>>().join(", ");
        write!(f, "{place}{}{}", if place.is_empty() { "" } else { ": " }, self.why)
    }
}

/// A table that does not fit what is asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnError {
    /// Which of the usual fields is to blame: `data`, `label`, `positive`, `ignore` or `split`.
    pub field: &'static str,
    /// What was given.
    pub given: String,
    /// What is accepted, or what is wrong where nothing else would be.
    pub accepted: String,
    /// The nearest that would be.
    pub nearest: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_says_where() {
        let problem = DataProblem { row: Some(7), column: Some("x2".into()), why: "no cell".into() };
        assert_eq!(problem.to_string(), "row 7, column “x2”: no cell");
        assert_eq!(DataProblem { column: None, ..problem.clone() }.to_string(), "row 7: no cell");
        assert_eq!(DataProblem::new("too large").to_string(), "too large");
    }
}
