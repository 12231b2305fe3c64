//! Remarks on how a table was read, each a sentence.

use std::ops::Range;

use super::Column;
use crate::facts::MalformedRow;
use crate::reader::{Cells, is_missing};

/// Numbers that often stand for a missing value.
const CODES: [f64; 6] = [-99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0];

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
            "Not only numbers in: {}. Percent and currency signs and separators of thousands are left out; “-”, “.” and “none” are \
             missing values.",
            names.join(", ")
        )
    })
}

/// Reports a column that probably identifies the rows. `nameless` columns have an empty name in the header.
pub(super) fn id_column(
    names: &[String],
    columns: &[Column],
    nameless: impl Fn(usize) -> bool,
) -> Option<String> {
    let is_id = |c: &usize| (nameless(*c) || names_an_id(&names[*c])) && columns[*c].differs_in_every_row();
    let c = (0..names.len()).find(is_id)?;
    Some(format!(
        "Column {} seems to identify the rows: all its values are different. Choose it as the ID column; otherwise it is used as an \
         input.",
        names[c]
    ))
}

/// True if a column of this name usually identifies rows: id, Patient_ID, sampleId and the like.
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

/// Reports numbers that may stand for missing values.
pub(super) fn missing_value_codes(names: &[String], columns: &[Column]) -> impl Iterator<Item = String> {
    CODES.into_iter().filter_map(move |code| {
        let named = names.iter().zip(columns).filter(|(_, column)| column.has_code(code));
        let names: Vec<&str> = named.map(|(name, _)| name.as_str()).collect();
        (!names.is_empty()).then(|| {
            format!(
                "{code} is far from all other values in: {}. If it means a missing value, enter it under “Missing-value codes”; \
                 otherwise it is used as a number.",
                names.join(", ")
            )
        })
    })
}

/// Reports column `c` of the file if it has more numbers than words, with the location of the first word.
pub(super) fn mostly_numbers(cells: &Cells, rows: Range<usize>, c: usize, name: &str) -> Option<String> {
    let known = || rows.clone().filter(|r| !is_missing(cells.get(*r, c)));
    let words = || known().filter(|r| cells.number(*r, c).is_none());
    let row = words().next()?;
    (2 * words().count() < known().count()).then(|| {
        let (word, line) = (cells.get(row, c), cells.lines[row]);
        format!("Column {name} is used as words and not as numbers, since one of its cells is “{word}” (row {line}).")
    })
}
