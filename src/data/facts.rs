//! Description of a data set without its contents: hash, size and columns.

use serde::{Deserialize, Serialize};

use super::hash::Hash;
use super::name_list::split_names;
use super::reading::{Doubt, Reading, Repair};
use crate::math::decimal;

/// A description of a data set, which the page shows and against which specifications are checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// Hash of the uncompressed contents; of a known file, those in this project's form.
    pub hash: Hash,
    /// Kind and size.
    pub content: FileContent,
}

/// The kind of data in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::large_enum_variant, reason = "there are few files, mostly tables")]
pub enum FileContent {
    /// A table with named columns.
    Table(TableFacts),
    /// Greyscale images of equal size.
    Images {
        /// Number of images.
        count: usize,
        /// Height in pixels.
        rows: usize,
        /// Width in pixels.
        columns: usize,
    },
    /// Classes of images.
    Labels {
        /// Number of labels.
        count: usize,
        /// Number of classes: the largest label plus 1.
        classes: usize,
    },
    /// A JSON object, such as the weights of a network, to be read by a task.
    Json,
    /// A result of a run.
    Artefact {
        /// Kind, such as `sbn.network`.
        kind: String,
        /// Version of the format.
        format: u32,
    },
}

/// A description of a table without its cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableFacts {
    /// Number of rows without the header.
    pub rows: usize,
    /// Source of the column names.
    pub header: Header,
    /// Decisions on how the file was read.
    pub reading: Reading,
    /// Decisions that the user has to make.
    pub doubts: Vec<Doubt>,
    /// Remarks on how the file was read, each a sentence.
    pub remarks: Vec<String>,
    /// Repairs that the remarks suggest.
    pub repairs: Vec<Repair>,
    /// Columns in the order of the file.
    pub columns: Vec<ColumnFacts>,
    /// First and last lines of the file, without blank lines.
    pub excerpt: Vec<SourceLine>,
}

/// A line of a file, with the cells that were read from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceLine {
    /// Line number in the file, from 1.
    pub line: usize,
    /// Text of the line, truncated.
    pub source: String,
    /// Cells of the first [`TableFacts::MAX_CELLS`] columns, or column names for the header; empty if the line is skipped or continues
    /// the row above.
    pub cells: Vec<String>,
}

impl TableFacts {
    /// Maximum number of columns in an excerpt.
    pub const MAX_CELLS: usize = 40;

    /// Returns the decisions on how the file was read, and the remarks on it, each a sentence.
    pub fn sentences(&self) -> Vec<String> {
        let decisions = [self.reading.describe()].into_iter().chain(self.header.remark());
        decisions.chain(self.remarks.iter().cloned()).collect()
    }
}

impl Facts {
    /// Returns the description of the table; `None` for other kinds of data.
    pub fn table(&self) -> Option<&TableFacts> {
        match &self.content {
            FileContent::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Returns the number of rows, images or labels; 0 for other kinds of data.
    pub fn rows(&self) -> usize {
        match &self.content {
            FileContent::Table(table) => table.rows,
            FileContent::Images { count, .. } | FileContent::Labels { count, .. } => *count,
            FileContent::Artefact { .. } | FileContent::Json => 0,
        }
    }
}

/// A row whose number of cells differs from that of the first row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MalformedRow {
    /// Line number in the file, from 1.
    pub line: usize,
    /// Number of cells.
    pub cells: usize,
}

/// A description of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnFacts {
    /// Name from the header; `x1`, `x2`, … without a header.
    pub name: String,
    /// Kind of its values.
    pub kind: ColumnKind,
    /// Number of missing cells: empty, `NA`, `NULL`, `NaN`, `?` and the like.
    pub missing: usize,
    /// Distinct values, if there are at most [`ColumnFacts::FEW`]. Of two, the last is the default positive one.
    pub values: Vec<String>,
    /// Histogram: number of rows in each of [`ColumnFacts::BINS`] equal intervals from the minimum to the maximum, or with each
    /// of `values` in a column of words.
    pub counts: Vec<u32>,
}

/// The source of a table's column names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Header {
    /// The first row.
    Found,
    /// No header: the names are x1, x2, …, and the first row is an example.
    None,
    /// As `None`, but the first row has this word above a column of numbers.
    Doubtful(String),
}

impl Header {
    /// Returns a remark if there is no header or if it is doubtful.
    pub fn remark(&self) -> Option<String> {
        match self {
            Self::Found => None,
            Self::None => {
                Some("There is no header: the columns are x1, x2, …, and the first row is an example.".into())
            }
            Self::Doubtful(word) => Some(format!(
                "“{word}” in the first row stands above numbers. If that row is the header, choose it under “Header”."
            )),
        }
    }
}

/// The kind of values in a column.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ColumnKind {
    /// A number in every cell that is not missing.
    Numeric {
        /// Minimum.
        min: f64,
        /// Maximum.
        max: f64,
        /// Mean.
        mean: f64,
    },
    /// Words.
    Text,
}

impl ColumnFacts {
    /// Maximum number of distinct values that are listed.
    pub const FEW: usize = 20;
    /// Number of intervals of a histogram.
    pub const BINS: usize = 12;

    /// Returns the number of listed values without those in `codes`, a list of texts that stand for a missing value.
    pub fn classes(&self, codes: &str) -> usize {
        let codes = split_names(codes);
        let is = |value: &str, code: &str| {
            value == code || decimal(value).is_some_and(|x| decimal(code) == Some(x))
        };
        self.values.iter().filter(|value| !codes.iter().any(|code| is(value, code))).count()
    }
}
