//! A table with named columns of numbers or words.

mod column;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::columns::entries;
use super::reader::{Cells, missing, read};
use super::{DataProblem, Header, MalformedRow, TableFacts};

pub use column::Column;

/// How many rows the page previews.
const HEAD: usize = 5;

/// Numbers that often stand for a missing value.
const CODES: [f64; 6] = [-99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0];

/// A person's table, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Names of the columns, all different.
    pub names: Vec<String>,
    /// In the order of the file.
    pub columns: Vec<Column>,
    /// Where each row begins, as a text editor counts lines.
    pub lines: Vec<usize>,
    /// Rows with another number of cells, which are not among these.
    pub malformed: Vec<MalformedRow>,
    /// Cells of the first row of the file.
    pub(super) width: usize,
    /// Whether 1,5 is a number.
    pub(super) decimal_comma: bool,
    pub(super) remarks: Vec<String>,
    pub(super) head: Vec<Vec<String>>,
    pub(super) header: Header,
}

impl Table {
    /// Reads a CSV file: encoding, separator, header, quotes, line breaks, comments and decimal comma are found out. Columns
    /// with nothing in them are left out, rows with another number of cells are set aside.
    ///
    /// # Errors
    /// The first row, and its column, that makes it no table.
    pub fn read(bytes: &[u8]) -> Result<Self, DataProblem> {
        let cells = read(bytes)?;
        let header = cells.header();
        let first = usize::from(header == Header::Found);
        let mut names = names(&cells, header == Header::Found);
        if cells.malformed.len() >= cells.lines.len() {
            whole(&cells.malformed, cells.width, &names)?;
        }
        if cells.lines.len() == first {
            let row = cells.lines.last().copied().unwrap_or(1) + 1;
            return Err(DataProblem {
                row: Some(row),
                column: None,
                why: "there is a header, but no row under it".into(),
            });
        }
        if cells.width < 2 {
            let why = "there is only one column; separate columns by commas, semicolons or tabs".to_owned();
            return Err(DataProblem { row: Some(1), column: names.pop(), why });
        }
        let rows = first..cells.lines.len();
        let empty = |c: &usize| rows.clone().all(|r| cells.get(r, *c).is_empty());
        let (empty, kept): (Vec<usize>, Vec<usize>) = (0..cells.width).partition(empty);
        if kept.is_empty() {
            return Err(DataProblem { row: Some(1), column: None, why: "all cells are empty".into() });
        }
        let mut past = Vec::new();
        let column = |c: &usize| {
            let (column, is_past) = Column::of(&cells, rows.clone(), *c);
            past.extend(is_past.then_some(names[*c].as_str()));
            column
        };
        let columns: Vec<Column> = kept.iter().map(column).collect();
        let head = rows.clone().take(HEAD);
        let head = head.map(|r| kept.iter().map(|c| cells.get(r, *c).to_owned()).collect()).collect();
        let mut remarks = cells.remarks.clone();
        remarks.extend(left_out(&empty.iter().map(|c| names[*c].as_str()).collect::<Vec<_>>()));
        remarks.extend(set_aside(&cells.malformed, cells.width));
        remarks.extend(read_past(&past));
        let nameless = |c: usize| header == Header::Found && cells.get(0, c).is_empty();
        let is_id = |(c, column): &(&usize, &Column)| {
            (nameless(**c) || names_an_id(&names[**c])) && column.differs_in_every_row()
        };
        let ids: Vec<&str> =
            kept.iter().zip(&columns).filter(is_id).map(|(c, _)| names[*c].as_str()).collect();
        remarks.extend(identify(&ids));
        let named = || kept.iter().map(|c| names[*c].as_str()).zip(&columns);
        remarks.extend(CODES.iter().filter_map(|code| {
            let has = |(name, column): (_, &Column)| column.has_code(*code).then_some(name);
            may_be_missing(*code, &named().filter_map(has).collect::<Vec<_>>())
        }));
        remarks.extend(named().filter_map(|(name, column)| column.variants(name)));
        let mixed = |(c, column): (&usize, &Column)| match column {
            Column::Text { .. } => not_numbers(&cells, rows.clone(), *c, &names[*c]),
            Column::Numbers(_) => None,
        };
        remarks.extend(kept.iter().zip(&columns).filter_map(mixed));
        let names = kept.iter().map(|c| std::mem::take(&mut names[*c])).collect();
        let lines = cells.lines[rows].to_vec();
        let (malformed, width, decimal_comma) = (cells.malformed, cells.width, cells.decimal_comma);
        Ok(Self { names, columns, lines, malformed, width, decimal_comma, remarks, head, header })
    }

    /// Whether no row was set aside, for who has no means to be told that it may be.
    ///
    /// # Errors
    /// The first row that has another number of cells.
    pub fn whole(&self) -> Result<(), DataProblem> {
        whole(&self.malformed, self.width, &self.names)
    }

    /// The same table where the texts in a list, too, mean a missing value: a column of numbers with one of them in it becomes
    /// one of numbers.
    pub fn with_missing(&self, codes: &str) -> Cow<'_, Self> {
        let codes = entries(codes);
        if codes.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut table = self.clone();
        for column in &mut table.columns {
            column.forget(&codes, self.decimal_comma);
        }
        Cow::Owned(table)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.lines.len()
    }

    /// What the page shows of it.
    pub fn facts(&self) -> TableFacts {
        let columns = self.names.iter().zip(&self.columns).map(|(name, column)| column.facts(name)).collect();
        let (head, header, remarks) = (self.head.clone(), self.header.clone(), self.remarks.clone());
        TableFacts { rows: self.rows(), header, remarks, columns, head }
    }
}

fn whole(malformed: &[MalformedRow], width: usize, names: &[String]) -> Result<(), DataProblem> {
    let Some(MalformedRow { line, cells }) = malformed.first().copied() else { return Ok(()) };
    let are = if cells == 1 { "cell" } else { "cells" };
    let why = format!("this row has {cells} {are}, the first one {width}");
    Err(DataProblem { row: Some(line), column: names.get(cells).cloned(), why })
}

/// That columns have nothing in them.
fn left_out(empty: &[&str]) -> Option<String> {
    match empty {
        [] => None,
        [one] => Some(format!("Column {one} is empty and is left out.")),
        [first @ .., last] => {
            Some(format!("Columns {} and {last} are empty and are left out.", first.join(", ")))
        }
    }
}

/// Which rows are malformed: the first few, and how many more.
pub(super) fn set_aside(malformed: &[MalformedRow], width: usize) -> Option<String> {
    const LISTED: usize = 5;
    let listed: Vec<String> =
        malformed.iter().take(LISTED).map(|row| format!("row {} has {}", row.line, row.cells)).collect();
    let more = match malformed.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(", and {more} more rows"),
    };
    (!listed.is_empty()).then(|| {
        format!(
            "Rows with another number of cells than the first, which has {width}: {}{more}.",
            listed.join(", ")
        )
    })
}

/// Names from the header, or `x1`, `x2`, …; a name that comes again gets a number.
fn names(cells: &Cells, header: bool) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(cells.width);
    for c in 0..cells.width {
        let own = if header { cells.get(0, c) } else { "" };
        let own = if own.is_empty() { format!("x{}", c + 1) } else { own.to_owned() };
        let mut name = own.clone();
        let mut again = 2;
        while names.contains(&name) {
            name = format!("{own} ({again})");
            again += 1;
        }
        names.push(name);
    }
    names
}

/// Whether a name says that its column identifies rows, as id, Patient_ID and sampleId do.
fn names_an_id(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    if matches!(lower.as_str(), "id" | "uuid" | "guid" | "index" | "row" | "unnamed: 0") {
        return true;
    }
    // Not the end of a word, as in acid.
    let Some(before) = ["id", "Id", "ID"].iter().find_map(|end| name.strip_suffix(end)) else { return false };
    before.ends_with(|last: char| {
        !last.is_ascii_alphanumeric() || last.is_ascii_lowercase() && !name.ends_with("id")
    })
}

/// That these columns look as if they identified rows.
fn identify(names: &[&str]) -> Option<String> {
    let [name, ..] = names else { return None };
    Some(format!(
        "Column {name} seems to identify the rows: all its values are different. Choose it as the ID column; otherwise it is used as an input."
    ))
}

/// That a number in these columns looks like a code.
fn may_be_missing(code: f64, names: &[&str]) -> Option<String> {
    (!names.is_empty()).then(|| {
        format!(
            "{code} is far from all other values in: {}. If it means a missing value, enter it under “MissingPolicy-value codes”; otherwise \
             it is used as a number.",
            names.join(", ")
        )
    })
}

/// That a column has more numbers than words, and where the first word stands: that of a line of totals, or a slip.
fn not_numbers(cells: &Cells, rows: std::ops::Range<usize>, c: usize, name: &str) -> Option<String> {
    let known = || rows.clone().filter(|r| !missing(cells.get(*r, c)));
    let words = || known().filter(|r| cells.number(*r, c).is_none());
    let row = words().next()?;
    (2 * words().count() < known().count()).then(|| {
        let (word, line) = (cells.get(row, c), cells.lines[row]);
        format!("Column {name} is used as words and not as numbers, since one of its cells is “{word}” (row {line}).")
    })
}

/// That signs were read past to get the numbers of these columns.
fn read_past(names: &[&str]) -> Option<String> {
    (!names.is_empty()).then(|| {
        format!(
            "Not only numbers in: {}. Percent and currency signs and separators of thousands are left out; “-”, “.” and “none” are \
             missing values.",
            names.join(", ")
        )
    })
}
