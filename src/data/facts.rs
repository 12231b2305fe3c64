//! What is known of a person's data without having it: name, hash, columns, and what is wrong with it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh64::xxh64;

/// Identifies a data set by its bytes: xxh64, written as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Hash(u64);

impl Hash {
    /// The hash of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh64(bytes, 0))
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for Hash {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let digits = text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
        if digits { u64::from_str_radix(text, 16).map(Self).map_err(|_| ()) } else { Err(()) }
    }
}

/// Names a data set: `sonar.csv@0123456789abcdef`. Without a hash it could be any file of that name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataRef {
    /// The file's name.
    pub name: String,
    /// What its bytes hash to.
    pub hash: Option<Hash>,
}

impl DataRef {
    /// Reads `name`, `name@hash`, or nothing.
    pub fn parse(text: &str) -> Option<Self> {
        let hashed = text.rsplit_once('@').and_then(|(name, hash)| Some((name, hash.parse().ok()?)));
        match hashed {
            Some((name, hash)) => Some(Self { name: name.to_owned(), hash: Some(hash) }),
            None => (!text.is_empty()).then(|| Self { name: text.to_owned(), hash: None }),
        }
    }
}

impl fmt::Display for DataRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.hash.map_or(Ok(()), |hash| write!(f, "@{hash}"))
    }
}

/// What the page shows of a table, and what a specification can be checked against.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// The file's name.
    pub name: String,
    /// Of its bytes.
    pub hash: Hash,
    /// Number of rows, the header not counted.
    pub rows: usize,
    /// Where the names of the columns come from.
    pub header: Header,
    /// In the order of the file.
    pub columns: Vec<ColumnFacts>,
    /// The first few rows as they are written.
    pub head: Vec<Vec<String>>,
}

/// One column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnFacts {
    /// From the header; `x1`, `x2`, … without one.
    pub name: String,
    /// Numbers or words.
    pub kind: ColumnKind,
    /// How many cells are empty, `NA`, `NaN` or `?`.
    pub missing: usize,
    /// The distinct values, if there are at most [`ColumnFacts::FEW`]. Of two, the last is the one that is +1 where nothing
    /// else is said.
    pub values: Vec<String>,
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
}

/// A file that is no table: where, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub struct DataProblem {
    /// The row as a text editor counts them, from 1.
    pub row: usize,
    /// Name of the column, where one is to blame.
    pub column: Option<String>,
    /// What is wrong there.
    pub why: String,
}

impl fmt::Display for DataProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}", self.row)?;
        if let Some(column) = &self.column {
            write!(f, ", column “{column}”")?;
        }
        write!(f, ": {}", self.why)
    }
}

/// A table that does not fit what is asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
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
    fn a_reference_reads_back() {
        for text in ["sonar.csv@0123456789abcdef", "a@b.csv@00000000000000ff", "a b.csv", "x@y"] {
            assert_eq!(DataRef::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(DataRef::parse(""), None);
        assert_eq!(DataRef::parse("a@b").unwrap().hash, None, "b is no hash");
    }

    #[test]
    fn the_hash_is_xxh64() {
        // The reference implementation's values.
        assert_eq!(Hash::of(b"").to_string(), "ef46db3751d8e999");
        assert_eq!(Hash::of(b"abc").to_string(), "44bc2cf5ad770999");
    }

    #[test]
    fn a_problem_says_where() {
        let problem = DataProblem { row: 7, column: Some("x2".into()), why: "no cell".into() };
        assert_eq!(problem.to_string(), "row 7, column “x2”: no cell");
        assert_eq!(DataProblem { column: None, ..problem }.to_string(), "row 7: no cell");
    }
}
