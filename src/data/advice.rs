//! Errors of tables that advise the repair with the smallest loss: cells before rows, and rows before columns.

use std::collections::BTreeMap;

use super::error::ColumnError;
use super::name_list::{join_names, split_names};
use super::table::{Column, Misfits, Table};

/// Maximum number of different words in a column of inputs.
pub(super) const MAX_WORDS: usize = 12;
/// Maximum length of the list of rows, which is that of the field `skip_rows`.
const MAX_LENGTH: usize = 2000;

/// Checks that the `columns` are not made unfit by a few cells or rows.
///
/// # Errors
/// Of the field `skip_rows`, with rows that do not fit several columns, such as totals or a second header; or else of the field `na`, with
/// the texts of the cells that do not fit.
pub(super) fn check_misfits(table: &Table, columns: &[usize]) -> Result<(), ColumnError> {
    let misfits: Vec<(usize, Misfits<'_>)> =
        columns.iter().filter_map(|c| Some((*c, table.columns[*c].misfits()?))).collect();
    let Some((c, Misfits { texts, rows, among })) = misfits.first() else { return Ok(()) };
    check_rows(table, &misfits)?;
    Err(ColumnError {
        field: "na",
        given: String::new(),
        accepted: format!(
            "Row {}, column “{}” is “{}” among {among}. Is that a missing value?",
            table.lines[rows[0]], table.names[*c], texts[0]
        ),
        nearest: Some(join_names(split_names(&table.codes).into_iter().chain(texts.iter().copied()))),
    })
}

/// Checks that no row has cells that do not fit in most columns of numbers.
fn check_rows(table: &Table, misfits: &[(usize, Misfits<'_>)]) -> Result<(), ColumnError> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    misfits
        .iter()
        .flat_map(|(_, misfits)| &misfits.rows)
        .for_each(|row| *counts.entry(*row).or_default() += 1);
    let numeric = table.columns.iter().filter(|column| matches!(column, Column::Numbers(_))).count();
    let is_unfit = |count: usize| count >= 2 && 2 * count >= numeric + misfits.len();
    let unfit: Vec<usize> =
        counts.into_iter().filter(|(_, count)| is_unfit(*count)).map(|(row, _)| table.lines[row]).collect();
    let Some(first) = unfit.first() else { return Ok(()) };
    let rows: Vec<String> = table.removed.iter().chain(&unfit).map(usize::to_string).collect();
    let nearest = rows.join(",");
    if nearest.len() > MAX_LENGTH {
        return Ok(());
    }
    let accepted = match unfit.len() {
        1 => format!("Row {first} has words in most columns of numbers. Skip it?"),
        n => format!(
            "{n} rows have words in most columns of numbers, the first of them row {first}. Skip them?"
        ),
    };
    Err(ColumnError { field: "skip_rows", given: String::new(), accepted, nearest: Some(nearest) })
}

/// Checks that no column has too many words only because of differences in case and blanks.
///
/// # Errors
/// Of the field `merge_case`.
pub(super) fn check_variants(table: &Table, columns: &[usize]) -> Result<(), ColumnError> {
    let count = |c: &usize| match &table.columns[*c] {
        Column::Text { levels, .. } => (levels.len(), table.columns[*c].folded_words()),
        Column::Numbers(_) => (0, 0),
    };
    let merges = |c: &&usize| {
        let (words, folded) = count(c);
        words > MAX_WORDS && folded <= MAX_WORDS
    };
    let Some(c) = columns.iter().find(merges) else { return Ok(()) };
    let (words, folded) = count(c);
    Err(ColumnError {
        field: "merge_case",
        given: String::new(),
        accepted: format!(
            "Column “{}” has {words} different words, and {folded} if case and blanks do not matter. Merge such words?",
            table.names[*c]
        ),
        nearest: Some("true".into()),
    })
}

#[cfg(test)]
mod tests;
