//! Tables with named columns of numbers or words.

#[cfg(test)]
mod cases;
mod column;
mod misfits;
mod notation;
mod remarks;
mod repairs;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::error::{ColumnError, DataError};
use super::facts::{Header, MalformedRow, SourceLine, TableFacts};
use super::name_list::{join_names, split_names};
use super::reader::{Cells, decide, is_missing, read};
use super::reading::{DecimalSign, Doubt, Reading, ReadingChoices, Repair};
use notation::Notation;

pub use column::Column;
pub(super) use misfits::Misfits;
pub(super) use remarks::CODES;

/// Fields that a doubt can name.
const DOUBTFUL_FIELDS: [&str; 3] = ["decimal", "header", "skip_rows"];

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
    /// Decimal sign of each column.
    pub(super) signs: Vec<DecimalSign>,
    /// Cells as written, by the index of their column, where whole numbers are not written in their shortest form or all texts are kept.
    pub(super) written: BTreeMap<usize, Vec<String>>,
    /// Decisions on the reading.
    pub reading: Reading,
    /// Questions about the reading.
    pub doubts: Vec<Doubt>,
    /// Names of columns whose cells seem to be merged: each word is followed by empty cells.
    pub(super) merged: Vec<String>,
    /// List of the texts that stand for a missing value by choice.
    pub(super) codes: String,
    /// Line numbers of rows that were left out by choice, or because they hold units or repeat the header.
    pub(super) removed: Vec<usize>,
    pub(super) remarks: Vec<String>,
    pub(super) repairs: Vec<Repair>,
    pub(super) excerpt: Vec<SourceLine>,
    /// Texts of the first row.
    pub(super) first_row: Vec<String>,
    pub(super) header: Header,
}

impl Table {
    /// Reads a CSV file and detects its encoding, separator, header, quotes, line breaks, comments and decimal sign.
    ///
    /// # Errors
    /// Returns the errors of [`Self::read_as`].
    pub fn read(bytes: &[u8]) -> Result<Self, DataError> {
        Self::read_as(bytes, &ReadingChoices::default())
    }

    /// Reads a CSV file. Properties without a choice are detected; two readings that are nearly as good leave a doubt in
    /// [`Self::doubts`]. Empty columns are left out, rows with another number of cells are set aside.
    ///
    /// # Errors
    /// If the file is not a table, with the first row and column at fault.
    pub fn read_as(bytes: &[u8], choices: &ReadingChoices) -> Result<Self, DataError> {
        let RepairedCells { cells, rows, header, names: all_names, mut doubts } =
            RepairedCells::read(bytes, choices)?;
        check_size(&cells, &all_names, &rows)?;
        let decimals = decide(&cells, rows.clone(), choices.decimal);
        doubts.extend(decimals.doubt.clone());
        let is_empty = |c: &usize| rows.clone().all(|r| cells.get(r, *c).is_empty());
        let (empty, kept): (Vec<usize>, Vec<usize>) = (0..cells.width).partition(is_empty);
        if kept.is_empty() {
            return Err(DataError { row: Some(1), column: None, why: "all cells are empty".into() });
        }
        let is_missing = |cell: &str| is_missing(cell) && !choices.words.iter().any(|word| word == cell);
        let texts = |c: usize| rows.clone().map(move |r| (r, c)).map(|(r, c)| cells.get(r, c));
        let (columns, notations): (Vec<Column>, Vec<Notation>) = kept
            .iter()
            .map(|c| Column::of(texts(*c), decimals.columns[*c], is_missing, choices.merge_case))
            .unzip();
        let written = (0..kept.len()).filter(|i| choices.keeps_text || notations[*i].loses_form());
        let written = written.map(|i| (i, texts(kept[i]).map(str::to_owned).collect())).collect();
        let names: Vec<String> = kept.iter().map(|c| all_names[*c].clone()).collect();
        let view = remarks::View {
            cells: &cells,
            rows: rows.clone(),
            names: &names,
            columns: &columns,
            kept: &kept,
            all_names: &all_names,
            header: &header,
        };
        let remarks = remarks::all(&view, &empty, &notations, &decimals);
        let merged: Vec<String> =
            (0..names.len()).filter(|i| remarks::is_merged(&view, *i)).map(|i| names[i].clone()).collect();
        let repairs = repairs::all(&view, &merged);
        let excerpt = excerpt(&view, &cells.excerpt);
        let first_row = kept.iter().map(|c| cells.get(rows.start, *c).to_owned()).collect();
        let mut lines = cells.lines;
        lines.drain(..rows.start);
        Ok(Self {
            lines,
            excerpt,
            first_row,
            width: cells.width,
            signs: kept.iter().map(|c| decimals.columns[*c]).collect(),
            reading: Reading {
                decimal: decimals.file.character(),
                ..described(cells.reading, choices, rows.len(), names.len())
            },
            removed: cells.removed,
            repairs,
            malformed: cells.malformed,
            names,
            columns,
            doubts,
            merged,
            codes: String::new(),
            written,
            remarks,
            header,
        })
    }

    /// Returns the table as text: the names of the columns, and the cells of every row as they are written in the file.
    ///
    /// # Errors
    /// Returns the errors of [`Self::read_as`].
    pub fn texts_as(bytes: &[u8], choices: &ReadingChoices) -> Result<Vec<Vec<String>>, DataError> {
        let RepairedCells { cells, rows, names, .. } = RepairedCells::read(bytes, choices)?;
        let text = |r: usize| (0..cells.width).map(|c| cells.get(r, c).to_owned()).collect();
        Ok(std::iter::once(names).chain(rows.map(text)).collect())
    }

    /// Checks that no decision about the reading is in doubt.
    ///
    /// # Errors
    /// Of the field that decides.
    pub(super) fn check_doubts(&self) -> Result<(), ColumnError> {
        let Some(Doubt { field, question, answers: [yes, no], .. }) = self.doubts.first() else {
            return Ok(());
        };
        let field = DOUBTFUL_FIELDS.iter().find(|known| *known == field).unwrap_or(&"data");
        let accepted = format!("{field}={yes} for yes, {field}={no} for no. {question}");
        Err(ColumnError { field, given: String::new(), accepted, nearest: Some(yes.clone()) })
    }

    /// Checks that no row was set aside.
    ///
    /// # Errors
    /// If a row has another number of cells than the first, with the first such row.
    pub fn check_complete(&self) -> Result<(), DataError> {
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
        table.codes = join_names(codes.iter().copied());
        let merged: Vec<String> = codes.iter().map(|code| column::folded(code)).collect();
        let merged = merged.iter().map(String::as_str).filter(|_| self.reading.merges_case);
        let codes: Vec<&str> = codes.iter().copied().chain(merged).collect();
        for (column, sign) in table.columns.iter_mut().zip(&self.signs) {
            column.set_missing(&codes, *sign);
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
        let c = self.column_index(name);
        if let Some(written) = c.and_then(|c| self.written.get(&c)) {
            return written.clone();
        }
        let column = c.map(|c| &self.columns[c]);
        (0..self.rows()).map(|row| column.and_then(|column| column.text(row)).unwrap_or_default()).collect()
    }

    /// Returns the description of the table.
    pub fn facts(&self) -> TableFacts {
        let columns = self.names.iter().zip(&self.columns).map(|(name, column)| column.facts(name)).collect();
        let (excerpt, header, remarks) = (self.excerpt.clone(), self.header.clone(), self.remarks.clone());
        let (reading, doubts, repairs) = (self.reading.clone(), self.doubts.clone(), self.repairs.clone());
        TableFacts { rows: self.rows(), header, reading, doubts, remarks, repairs, columns, excerpt }
    }
}

/// The cells of a file after all repairs.
struct RepairedCells {
    cells: Cells,
    /// Rows under the header.
    rows: Range<usize>,
    header: Header,
    /// Names of all columns.
    names: Vec<String>,
    doubts: Vec<Doubt>,
}

impl RepairedCells {
    fn read(bytes: &[u8], choices: &ReadingChoices) -> Result<Self, DataError> {
        let mut cells = read(bytes, choices)?;
        let (header, doubt) = cells.header(choices.header);
        let first = usize::from(header == Header::Found);
        cells.reading.header = cells.lines.first().copied().filter(|_| first == 1);
        let names = column_names(&cells, first == 1);
        let repaired = cells.repair_rows(choices.skip_rows.as_deref(), first == 1);
        let filled = |c: &usize| choices.fill_down.contains(&names[*c]);
        cells.fill_down(&(0..cells.width).filter(filled).collect::<Vec<_>>(), first);
        let rows = first..cells.lines.len();
        Ok(Self { cells, rows, header, names, doubts: doubt.into_iter().chain(repaired).collect() })
    }
}

/// Returns lines of the file with the cells that were read from them.
fn excerpt(view: &remarks::View<'_>, lines: &[(usize, String)]) -> Vec<SourceLine> {
    let remarks::View { cells, rows, names, kept, .. } = view;
    let source_line = |(line, source): &(usize, String)| {
        let row = cells.lines.binary_search(line).ok();
        let read = match row {
            Some(row) if rows.contains(&row) => kept.iter().map(|c| cells.get(row, *c)).collect(),
            Some(_) => names.iter().map(String::as_str).collect(),
            None => Vec::new(),
        };
        let shown = read.into_iter().take(TableFacts::MAX_CELLS);
        SourceLine { line: *line, source: source.clone(), cells: shown.map(str::to_owned).collect() }
    };
    lines.iter().map(source_line).collect()
}

/// Adds the size of a table, and the choices about it, to the decisions.
fn described(reading: Reading, choices: &ReadingChoices, rows: usize, columns: usize) -> Reading {
    Reading {
        rows,
        columns,
        filled: choices.fill_down.clone(),
        words: choices.words.clone(),
        merges_case: choices.merge_case,
        ..reading
    }
}

/// Checks that there are well-formed rows under the header.
fn check_size(cells: &Cells, names: &[String], rows: &Range<usize>) -> Result<(), DataError> {
    if cells.malformed.len() >= cells.lines.len() {
        check_widths(&cells.malformed, cells.width, names)?;
    }
    if rows.is_empty() {
        let row = cells.lines.last().copied().unwrap_or(1) + 1;
        return Err(DataError {
            row: Some(row),
            column: None,
            why: "there is a header, but no row under it".into(),
        });
    }
    Ok(())
}

fn check_widths(malformed: &[MalformedRow], width: usize, names: &[String]) -> Result<(), DataError> {
    let Some(MalformedRow { line, cells }) = malformed.first().copied() else { return Ok(()) };
    let noun = if cells == 1 { "cell" } else { "cells" };
    let why = format!("this row has {cells} {noun}, the first one {width}");
    Err(DataError { row: Some(line), column: names.get(cells).cloned(), why })
}

/// Returns the names from the header, or `x1`, `x2`, …; repeated names are numbered.
fn column_names(cells: &Cells, header: bool) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(cells.width);
    let (mut known, mut counts) = (BTreeSet::new(), BTreeMap::<String, usize>::new());
    for c in 0..cells.width {
        let text = if header { cells.get(0, c) } else { "" };
        let base = if text.is_empty() { format!("x{}", c + 1) } else { text.to_owned() };
        let mut name = base.clone();
        while !known.insert(name.clone()) {
            let count = counts.entry(base.clone()).or_insert(1);
            *count += 1;
            name = format!("{base} ({count})");
        }
        names.push(name);
    }
    names
}
