//! Choices of the user about the reading of a table, and the decisions that were made.

use serde::{Deserialize, Serialize};

use super::counted::counted;
use super::name_list::{join_names, split_names};

/// The sign before the decimals of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DecimalSign {
    /// As in 1.5 and 1,234.5.
    Point,
    /// As in 1,5 and 1.234,5.
    Comma,
}

impl DecimalSign {
    /// Returns the sign as a character.
    pub fn character(self) -> char {
        match self {
            Self::Point => '.',
            Self::Comma => ',',
        }
    }

    /// Returns its name, which is a value of the field `decimal`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Comma => "comma",
        }
    }

    /// Returns the other sign.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Point => Self::Comma,
            Self::Comma => Self::Point,
        }
    }

    /// Returns the character that may separate thousands.
    pub(crate) fn thousands(self) -> char {
        match self {
            Self::Point => ',',
            Self::Comma => '.',
        }
    }
}

/// Encoding of the characters of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Encoding {
    /// UTF-8.
    #[default]
    Utf8,
    /// UTF-16 of either byte order.
    Utf16,
    /// Windows-1252, a superset of Latin-1.
    Windows1252,
}

impl Encoding {
    /// Returns the usual name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16 => "UTF-16",
            Self::Windows1252 => "Windows-1252",
        }
    }
}

/// Choices about the reading of a table; `None` stands for detection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadingChoices {
    /// Character between cells.
    pub separator: Option<u8>,
    /// Sign before the decimals.
    pub decimal: Option<DecimalSign>,
    /// True if the first row has the names of the columns.
    pub header: Option<bool>,
    /// Number of lines above the table.
    pub skip_lines: Option<usize>,
    /// Encoding of the file.
    pub encoding: Option<Encoding>,
    /// Line numbers of rows that are left out.
    pub skip_rows: Option<Vec<usize>>,
    /// Names of columns in which an empty cell repeats the one above.
    pub fill_down: Vec<String>,
    /// Texts that usually stand for a missing value, and are words in this table.
    pub words: Vec<String>,
    /// True if words that differ only in case or blanks are one value.
    pub merge_case: bool,
    /// True if the cells of all columns are kept as they are written.
    pub keeps_text: bool,
}

impl ReadingChoices {
    /// Returns true if everything is detected.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Decisions on the reading of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// Encoding of the file.
    pub encoding: Encoding,
    /// Character between cells; `None` in a table of one column.
    pub separator: Option<char>,
    /// Character around cells that contain separators.
    pub quote: char,
    /// Sign before the decimals.
    pub decimal: char,
    /// Line of the header, from 1; `None` without a header.
    pub header: Option<usize>,
    /// Lines that were left out: titles, comments, units, repeated headers and notes under the table.
    pub skipped: Vec<usize>,
    /// Names of columns in which an empty cell repeats the one above.
    pub filled: Vec<String>,
    /// Texts that usually stand for a missing value, and are words by choice.
    pub words: Vec<String>,
    /// True if words that differ only in case or blanks are one value.
    pub merges_case: bool,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
}

impl Reading {
    /// Describes the decisions in one line.
    pub fn describe(&self) -> String {
        let mut parts = vec![format!("{} × {}", counted(self.rows, "row"), counted(self.columns, "column"))];
        parts.extend(self.separator.map(|c| match c {
            ' ' => "separated by blanks".to_owned(),
            '\t' => "separated by tabs".to_owned(),
            c => format!("separator “{c}”"),
        }));
        parts.push(format!("decimal {}", if self.decimal == ',' { "comma" } else { "point" }));
        parts.push(match self.header {
            Some(line) => format!("header in line {line}"),
            None => "no header".to_owned(),
        });
        if self.quote != '"' {
            parts.push(format!("quotes {}", self.quote));
        }
        if self.encoding != Encoding::Utf8 {
            parts.push(self.encoding.name().to_owned());
        }
        format!("Read as: {}{}.", parts.join(", "), self.repairs())
    }

    /// Describes what was left out or changed, each part preceded by a semicolon.
    fn repairs(&self) -> String {
        let mut parts = vec![String::new()];
        match self.skipped.as_slice() {
            [] => {}
            [line] => parts.push(format!("line {line} skipped")),
            lines => parts.push(format!("lines {} skipped", ranges(lines))),
        }
        if !self.filled.is_empty() {
            parts.push(format!("{} filled down", self.filled.join(", ")));
        }
        if !self.words.is_empty() {
            parts.push(format!("not missing: {}", self.words.join(", ")));
        }
        if self.merges_case {
            parts.push("words in lower case".to_owned());
        }
        parts.join("; ")
    }
}

/// Lists ascending numbers, with consecutive ones as ranges.
fn ranges(numbers: &[usize]) -> String {
    const LISTED: usize = 8;
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for n in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *n => *last = *n,
            _ => runs.push((*n, *n)),
        }
    }
    let one = |(first, last): &(usize, usize)| {
        if first == last { first.to_string() } else { format!("{first}–{last}") }
    };
    let listed: Vec<String> = runs.iter().take(LISTED).map(one).collect();
    listed.join(", ") + if runs.len() > LISTED { ", …" } else { "" }
}

/// Two readings of a table that are nearly as good as each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// Field that decides.
    pub field: String,
    /// Question to the user, ending with a question mark.
    pub question: String,
    /// Values of the field for yes and for no.
    pub answers: [String; 2],
    /// Contents of the table under each answer, in a few words.
    pub previews: [String; 2],
}

/// A change of one field that repairs the reading of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repair {
    /// Text of its button.
    pub label: String,
    /// Field that is changed.
    pub field: String,
    /// Value that the field gets; for a field with a list, the names that are added to it.
    pub value: String,
    /// Remark that holds until the repair is made; empty if the repair causes the table to be read again, which renews the remarks.
    pub remark: String,
}

/// Fields with a list, to which repairs are added.
const LISTS: [&str; 4] = ["skip_rows", "fill_down", "words", "na"];

impl Repair {
    /// Returns a repair.
    pub(crate) fn new(field: &str, value: impl Into<String>, label: impl Into<String>) -> Self {
        Self { label: label.into(), field: field.to_owned(), value: value.into(), remark: String::new() }
    }

    /// Sets the remark that holds until the repair is made.
    pub(crate) fn settling(mut self, remark: Option<String>) -> Self {
        self.remark = remark.unwrap_or_default();
        self
    }

    /// Returns the text of the field after the repair, given the text before it.
    pub fn applied(&self, before: &str) -> String {
        if !LISTS.contains(&self.field.as_str()) {
            return self.value.clone();
        }
        let before = split_names(before);
        let added = split_names(&self.value).into_iter().filter(|name| !before.contains(name));
        join_names(before.iter().copied().chain(added))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repairs_are_added_to_lists() {
        let repair = |field, value| Repair::new(field, value, "");
        assert_eq!(repair("na", "-999").applied("x,\"a,b\""), "x,\"a,b\",-999");
        assert_eq!(repair("skip_rows", "2,7").applied("2"), "2,7");
        assert_eq!(repair("id", "patient").applied("row"), "patient");
    }

    #[test]
    fn repairs_are_described() {
        let reading = Reading {
            rows: 3,
            columns: 2,
            separator: Some(','),
            header: Some(1),
            skipped: vec![5],
            filled: vec!["city".into()],
            words: vec!["NA".into()],
            merges_case: true,
            ..Reading::default()
        };
        let text = reading.describe();
        assert!(
            text.ends_with("; line 5 skipped; city filled down; not missing: NA; words in lower case."),
            "{text}"
        );
    }
}
