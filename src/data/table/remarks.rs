//! Remarks on how a table was read, each a sentence.

use std::ops::Range;

use super::Column;
use super::notation::Notation;
use crate::facts::{Header, MalformedRow};
use crate::reader::{Cells, Decimals, any_number, is_missing};

/// Numbers that often stand for a missing value.
pub(crate) const CODES: [f64; 6] = [-99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0];

/// A table that is being read.
pub(super) struct View<'a> {
    pub cells: &'a Cells,
    /// Rows under the header.
    pub rows: Range<usize>,
    pub names: &'a [String],
    pub columns: &'a [Column],
    /// Index of each column in the file.
    pub kept: &'a [usize],
    /// Names of all columns in the file.
    pub all_names: &'a [String],
    pub header: &'a Header,
}

impl View<'_> {
    /// Returns the cells of column `i`.
    pub fn texts(&self, i: usize) -> impl Iterator<Item = &str> + Clone {
        let c = self.kept[i];
        self.rows.clone().map(move |r| self.cells.get(r, c))
    }

    /// Returns the index of a column that probably identifies the rows.
    pub fn id(&self) -> Option<usize> {
        let is_nameless = |i: usize| {
            *self.header == Header::Found && self.all_names[self.kept[i]] == format!("x{}", self.kept[i] + 1)
        };
        (0..self.names.len()).find(|i| {
            (names_an_id(&self.names[*i]) || is_nameless(*i)) && self.columns[*i].differs_in_every_row()
        })
    }
}

/// Returns all remarks on a table. `empty` are the indices of columns that are left out.
pub(super) fn all(
    view: &View<'_>,
    empty: &[usize],
    notations: &[Notation],
    decimals: &Decimals,
) -> Vec<String> {
    let View { cells, rows, names, columns, kept, all_names, .. } = view;
    let named = |has: &dyn Fn(usize) -> bool| -> Vec<&str> {
        (0..names.len()).filter(|i| has(*i)).map(|i| names[i].as_str()).collect()
    };
    let empty: Vec<&str> = empty.iter().map(|c| all_names[*c].as_str()).collect();
    let mut remarks = cells.remarks.clone();
    remarks.extend(empty_columns(&empty));
    remarks.extend(malformed_rows(&cells.malformed, cells.width));
    remarks.extend(removed_signs(&named(&|i| notations[i].has_signs)));
    remarks.extend(in_columns(
        &named(&|i| notations[i].has_parentheses),
        "Numbers in parentheses are negative in:",
    ));
    remarks.extend(in_columns(
        &named(&|i| {
            decimals.grouped.binary_search(&kept[i]).is_ok() && matches!(columns[i], Column::Numbers(_))
        }),
        "A single mark before three digits separates thousands in:",
    ));
    remarks.extend(id_column(view));
    remarks.extend(CODES.into_iter().filter_map(|code| missing_value_code(code, names, columns)));
    remarks.extend(names.iter().zip(*columns).filter_map(|(name, column)| column.variants(name)));
    for i in (0..names.len()).filter(|i| matches!(columns[*i], Column::Text { .. })) {
        remarks.extend(mostly_numbers(cells, rows.clone(), kept[i], &names[i]));
        remarks.extend(word_like_missing(view, i));
        if is_merged(view, i) {
            remarks.push(format!("Cells of column {} seem to be merged: see “Fill down”.", names[i]));
        }
    }
    remarks.extend(repeated_rows(view));
    remarks
}

fn in_columns(names: &[&str], what: &str) -> Option<String> {
    (!names.is_empty()).then(|| format!("{what} {}.", names.join(", ")))
}

/// Returns true if the cells of column `i` seem to be merged: the first is a word, and most others are empty, in runs.
pub(super) fn is_merged(view: &View<'_>, i: usize) -> bool {
    if matches!(view.columns[i], Column::Numbers(_)) {
        return false;
    }
    let (mut filled, mut empty) = (0, 0);
    for cell in view.texts(i) {
        *(if cell.is_empty() { &mut empty } else { &mut filled }) += 1;
    }
    let starts = view.texts(i).next().is_some_and(|cell| !cell.is_empty() && any_number(cell).is_none());
    starts && filled > 0 && empty >= 2 * filled
}

/// Reports that NA is read as missing in a column of two-letter words, such as continents or countries.
fn word_like_missing(view: &View<'_>, i: usize) -> Option<String> {
    has_word_like_missing(view, i).then(|| {
        format!(
            "NA stands among two-letter words in column {} and is read as missing. If it is a word, such as North America or Namibia, \
             enter NA under “Words that are not missing”.",
            view.names[i]
        )
    })
}

/// Returns true for a column of two-letter words in which NA is read as missing.
pub(super) fn has_word_like_missing(view: &View<'_>, i: usize) -> bool {
    let Column::Text { levels, .. } = &view.columns[i] else { return false };
    let is_code = |word: &String| word.len() == 2 && word.bytes().all(|b| b.is_ascii_uppercase());
    let all_codes = levels.len() > 1 && levels.iter().all(is_code);
    all_codes && !levels.iter().any(|word| word == "NA") && view.texts(i).any(|cell| cell == "NA")
}

/// Reports rows that repeat earlier ones in every cell, unless the columns are so few that this is usual.
fn repeated_rows(view: &View<'_>) -> Option<String> {
    /// Maximum number of cells that are compared.
    const MAX_CELLS: usize = 1_000_000;
    let View { cells, rows, .. } = view;
    if rows.len() * cells.width > MAX_CELLS || cells.width < 3 {
        return None;
    }
    let row = |r: usize| (0..cells.width).map(|c| cells.get(r, c)).collect::<Vec<_>>();
    let mut known = std::collections::BTreeSet::new();
    let repeated: Vec<usize> = rows.clone().filter(|r| !known.insert(row(*r))).collect();
    let first = cells.lines[*repeated.first()?];
    Some(match repeated.len() {
        1 => format!("Row {first} is the same as an earlier row."),
        n => format!(
            "{n} rows are the same as earlier rows, the first of them row {first}. Copies of training rows make left-out and test errors \
             too small."
        ),
    })
}

/// Reports empty columns, which are left out.
pub(super) fn empty_columns(names: &[&str]) -> Option<String> {
    match names {
        [] => None,
        [one] => Some(format!("Column {one} is empty and is left out.")),
        [first @ .., last] => {
            Some(format!("Columns {} and {last} are empty and are left out.", first.join(", ")))
        }
    }
}

/// Lists malformed rows: the first few with their numbers of cells, and the number of others.
fn listed(malformed: &[MalformedRow]) -> String {
    const LISTED: usize = 5;
    let listed: Vec<String> =
        malformed.iter().take(LISTED).map(|row| format!("row {} has {}", row.line, row.cells)).collect();
    let more = match malformed.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(", and {more} more rows"),
    };
    listed.join(", ") + &more
}

/// Reports malformed rows.
pub(super) fn malformed_rows(malformed: &[MalformedRow], width: usize) -> Option<String> {
    let rows = listed(malformed);
    (!rows.is_empty()).then(|| format!("Rows that do not have {width} cells like the first: {rows}."))
}

/// Asks whether malformed rows are to be skipped. `first` names the row that has `width` cells.
pub(super) fn skip_question(malformed: &[MalformedRow], width: usize, first: &str) -> Option<String> {
    match malformed {
        [] => None,
        [MalformedRow { line, cells }] => {
            Some(format!("Row {line} has {cells} cells, {first} {width}. Skip it?"))
        }
        rows => Some(format!(
            "{} rows do not have {width} cells like {first}: {}. Skip them?",
            rows.len(),
            listed(rows)
        )),
    }
}

/// Reports columns of numbers from which signs were removed.
pub(super) fn removed_signs(names: &[&str]) -> Option<String> {
    (!names.is_empty()).then(|| {
        format!(
            "Not only numbers in: {}. Percent signs, currency signs and thousands separators are ignored; “-”, “.” and “none” are \
             missing values.",
            names.join(", ")
        )
    })
}

/// Reports a column that probably identifies the rows.
fn id_column(view: &View<'_>) -> Option<String> {
    let name = &view.names[view.id()?];
    Some(format!(
        "Column {name} seems to identify the rows: all its values are different. Choose it as the ID column; otherwise it is used as \
         an input."
    ))
}

/// Returns true if a column of this name usually identifies rows: id, Patient_ID, sampleId and the like.
pub(super) fn names_an_id(name: &str) -> bool {
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

/// Reports a number that may stand for missing values.
pub(super) fn missing_value_code(code: f64, names: &[String], columns: &[Column]) -> Option<String> {
    let named = names.iter().zip(columns).filter(|(_, column)| column.has_code(code));
    let names: Vec<&str> = named.map(|(name, _)| name.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "{code} is far from all other values in: {}. If it means a missing value, enter it under “Missing-value codes”; \
             otherwise it is used as a number.",
            names.join(", ")
        )
    })
}

/// Reports column `c` of the file if it has more numbers than words, with the location of the first word.
pub(super) fn mostly_numbers(cells: &Cells, rows: Range<usize>, c: usize, name: &str) -> Option<String> {
    let known = || rows.clone().filter(|r| !is_missing(cells.get(*r, c)));
    let words = || known().filter(|r| any_number(cells.get(*r, c)).is_none());
    let row = words().next()?;
    (2 * words().count() < known().count()).then(|| {
        let (word, line) = (cells.get(row, c), cells.lines[row]);
        format!("Column {name} is used as words and not as numbers, since one of its cells is “{word}” (row {line}).")
    })
}
