//! Choices of the user about the reading of a table, and the decisions that were made.

use serde::{Deserialize, Serialize};

/// The sign before the decimals of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

    /// Returns the character that may separate thousands.
    pub(crate) fn thousands(self) -> char {
        match self {
            Self::Point => ',',
            Self::Comma => '.',
        }
    }
}

/// How the bytes of a file stand for characters.
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
}

impl ReadingChoices {
    /// True if everything is detected.
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
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
}

impl Reading {
    /// Describes the decisions in one line.
    pub fn describe(&self) -> String {
        let count = |n: usize, noun: &str| if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") };
        let mut parts = vec![format!("{} × {}", count(self.rows, "row"), count(self.columns, "column"))];
        parts.extend(self.separator.map(|c| match c {
            ' ' => "separated by blanks".to_owned(),
            '\t' => "separated by tabs".to_owned(),
            c => format!("separator {c}"),
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
        let skipped = match self.skipped.as_slice() {
            [] => String::new(),
            [line] => format!("; line {line} skipped"),
            lines => format!("; lines {} skipped", ranges(lines)),
        };
        format!("Read as: {}{skipped}.", parts.join(", "))
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
}
