//! Tables with named columns of numbers or words.

mod column;
mod remarks;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use super::error::{ColumnError, DataProblem};
use super::facts::{HEADER_RULE, Header, MalformedRow, TableFacts};
use super::name_list::split_names;
use super::reader::{Cells, read};

pub use column::Column;

/// Number of rows in the preview.
const HEAD: usize = 5;

/// A table that has been read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Names of the columns, all different.
    pub names: Vec<String>,
    /// Columns in the order of the file.
    pub columns: Vec<Column>,
    /// Line number of each row in the file, from 1.
    pub lines: Vec<usize>,
    /// Rows with another number of cells, which are not included.
    pub malformed: Vec<MalformedRow>,
    /// Number of cells in the first row of the file.
    pub(super) width: usize,
    /// True if 1,5 is a number.
    pub(super) decimal_comma: bool,
    pub(super) remarks: Vec<String>,
    pub(super) head: Vec<Vec<String>>,
    pub(super) header: Header,
}

impl Table {
    /// Reads a CSV file and detects its encoding, separator, header, quotes, line breaks, comments and decimal comma. Empty columns
    /// are left out, rows with another number of cells are set aside.
    ///
    /// # Errors
    /// If the file is not a table, with the first row and column at fault.
    pub fn read(bytes: &[u8]) -> Result<Self, DataProblem> {
        let cells = read(bytes)?;
        let header = cells.header();
        let all_names = column_names(&cells, header == Header::Found);
        let rows = usize::from(header == Header::Found)..cells.lines.len();
        check_size(&cells, &all_names, &rows)?;
        let is_empty = |c: &usize| rows.clone().all(|r| cells.get(r, *c).is_empty());
        let (empty, kept): (Vec<usize>, Vec<usize>) = (0..cells.width).partition(is_empty);
        if kept.is_empty() {
            return Err(DataProblem { row: Some(1), column: None, why: "all cells are empty".into() });
        }
        let (columns, has_signs): (Vec<Column>, Vec<bool>) =
            kept.iter().map(|c| Column::of(&cells, rows.clone(), *c)).unzip();
        let names: Vec<String> = kept.iter().map(|c| all_names[*c].clone()).collect();
        let empty: Vec<&str> = empty.iter().map(|c| all_names[*c].as_str()).collect();
        let signs = names.iter().zip(&has_signs).filter(|(_, has)| **has).map(|(name, _)| name.as_str());
        let nameless = |i: usize| header == Header::Found && cells.get(0, kept[i]).is_empty();
        let words = (0..names.len()).filter(|i| matches!(columns[*i], Column::Text { .. }));

        let mut remarks = cells.remarks.clone();
        remarks.extend(remarks::empty_columns(&empty));
        remarks.extend(remarks::malformed_rows(&cells.malformed, cells.width));
        remarks.extend(remarks::removed_signs(&signs.collect::<Vec<_>>()));
        remarks.extend(remarks::id_column(&names, &columns, nameless));
        remarks.extend(remarks::missing_value_codes(&names, &columns));
        remarks.extend(names.iter().zip(&columns).filter_map(|(name, column)| column.variants(name)));
        remarks
            .extend(words.filter_map(|i| remarks::mostly_numbers(&cells, rows.clone(), kept[i], &names[i])));

        let head = rows.clone().take(HEAD);
        let head = head.map(|r| kept.iter().map(|c| cells.get(r, *c).to_owned()).collect()).collect();
        let lines = cells.lines[rows].to_vec();
        let (malformed, width, decimal_comma) = (cells.malformed, cells.width, cells.decimal_comma);
        Ok(Self { names, columns, lines, malformed, width, decimal_comma, remarks, head, header })
    }

    /// Checks that no row was set aside.
    ///
    /// # Errors
    /// If a row has another number of cells than the first, with the first such row.
    pub fn check_complete(&self) -> Result<(), DataProblem> {
        check_widths(&self.malformed, self.width, &self.names)
    }

    /// Checks that no row was set aside, unless malformed rows are to be skipped.
    ///
    /// # Errors
    /// If a row has another number of cells than the first; of the field `skip_malformed`.
    pub(super) fn check_malformed(&self, skip: bool) -> Result<(), ColumnError> {
        let first = if self.header == Header::Found { "the header" } else { "the first row" };
        let Some(accepted) = remarks::skip_question(&self.malformed, self.width, first).filter(|_| !skip)
        else {
            return Ok(());
        };
        Err(ColumnError {
            field: "skip_malformed",
            given: String::new(),
            accepted,
            nearest: Some("true".into()),
        })
    }

    /// Returns the table with further missing values: the texts in the list `codes`. A column of numbers and such texts becomes a
    /// column of numbers.
    pub fn with_missing(&self, codes: &str) -> Cow<'_, Self> {
        let codes = split_names(codes);
        if codes.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut table = self.clone();
        for column in &mut table.columns {
            column.set_missing(&codes, self.decimal_comma);
        }
        Cow::Owned(table)
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.lines.len()
    }

    /// Returns the index of a column.
    pub(super) fn column_index(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// Returns the cells of a column as text; all empty if there is no such column.
    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        let column = self.column_index(name).map(|c| &self.columns[c]);
        (0..self.rows()).map(|row| column.and_then(|column| column.text(row)).unwrap_or_default()).collect()
    }

    /// Returns advice to append to an error of column `c` if the first row may be its header; otherwise an empty text.
    pub(super) fn header_hint(&self, c: usize) -> String {
        match (&self.header, &self.columns[c]) {
            (Header::Doubtful(word), Column::Text { levels, .. }) if levels.first() == Some(word) => {
                format!(". If the first row is the header: {HEADER_RULE}")
            }
            _ => String::new(),
        }
    }

    /// Returns the description of the table.
    pub fn facts(&self) -> TableFacts {
        let columns = self.names.iter().zip(&self.columns).map(|(name, column)| column.facts(name)).collect();
        let (head, header, remarks) = (self.head.clone(), self.header.clone(), self.remarks.clone());
        TableFacts { rows: self.rows(), header, remarks, columns, head }
    }
}

/// Checks that there are well-formed rows under the header, and at least two columns.
fn check_size(cells: &Cells, names: &[String], rows: &Range<usize>) -> Result<(), DataProblem> {
    if cells.malformed.len() >= cells.lines.len() {
        check_widths(&cells.malformed, cells.width, names)?;
    }
    if rows.is_empty() {
        let row = cells.lines.last().copied().unwrap_or(1) + 1;
        return Err(DataProblem {
            row: Some(row),
            column: None,
            why: "there is a header, but no row under it".into(),
        });
    }
    if cells.width < 2 {
        let why = "there is only one column; separate columns by commas, semicolons or tabs".to_owned();
        return Err(DataProblem { row: Some(1), column: names.last().cloned(), why });
    }
    Ok(())
}

fn check_widths(malformed: &[MalformedRow], width: usize, names: &[String]) -> Result<(), DataProblem> {
    let Some(MalformedRow { line, cells }) = malformed.first().copied() else { return Ok(()) };
    let noun = if cells == 1 { "cell" } else { "cells" };
    let why = format!("this row has {cells} {noun}, the first one {width}");
    Err(DataProblem { row: Some(line), column: names.get(cells).cloned(), why })
}

/// Returns the names from the header, or `x1`, `x2`, …; repeated names are numbered.
fn column_names(cells: &Cells, header: bool) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(cells.width);
    for c in 0..cells.width {
        let text = if header { cells.get(0, c) } else { "" };
        let base = if text.is_empty() { format!("x{}", c + 1) } else { text.to_owned() };
        let mut name = base.clone();
        let mut count = 2;
        while names.contains(&name) {
            name = format!("{base} ({count})");
            count += 1;
        }
        names.push(name);
    }
    names
}
