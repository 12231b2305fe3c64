//! Repairs that the remarks on a table suggest, each the change of one field.

use super::remarks::{CODES, View, has_word_like_missing, missing_value_code, mostly_numbers};
use crate::name_list::quoted_name;
use crate::reading::Repair;

/// Returns the repairs of a table with columns of cells that seem to be `merged`.
pub(super) fn all(view: &View<'_>, merged: &[String]) -> Vec<Repair> {
    let View { cells, names, columns, .. } = view;
    let mut repairs = cells.repairs.clone();
    if !cells.malformed.is_empty() {
        let label = match cells.malformed.as_slice() {
            [row] => format!("Skip row {}", row.line),
            rows => format!("Skip {} malformed rows", rows.len()),
        };
        repairs.push(Repair::new("skip_malformed", "true", label));
    }
    repairs.extend(
        merged.iter().map(|name| Repair::new("fill_down", quoted_name(name), format!("Fill down {name}"))),
    );
    if (0..names.len()).any(|i| has_word_like_missing(view, i)) {
        repairs.push(Repair::new("words", "NA", "NA is a word"));
    }
    repairs.extend(CODES.into_iter().filter_map(|code| {
        let remark = missing_value_code(code, names, columns)?;
        Some(Repair::new("na", code.to_string(), format!("{code} means missing")).settling(Some(remark)))
    }));
    if names.iter().zip(*columns).any(|(name, column)| column.variants(name).is_some()) {
        repairs.push(Repair::new("merge_case", "true", "Merge words that differ only in case or blanks"));
    }
    if let Some(c) = view.id() {
        let name = &names[c];
        repairs.push(Repair::new("id", name.as_str(), format!("Use {name} as the ID column")));
    }
    repairs.extend((0..names.len()).filter_map(|i| misfits(view, i)));
    repairs
}

/// Returns the repair of column `i` if it has numbers with a few words among them.
fn misfits(view: &View<'_>, i: usize) -> Option<Repair> {
    let (misfits, name) = (view.columns[i].misfits()?, &view.names[i]);
    let list = misfits.texts.iter().map(|text| quoted_name(text)).collect::<Vec<_>>().join(",");
    let label = match misfits.texts.as_slice() {
        [one] => format!("“{one}” in {name} means missing"),
        texts => format!("{} words in {name} mean missing", texts.len()),
    };
    let remark = mostly_numbers(view.cells, view.rows.clone(), view.kept[i], name);
    Some(Repair::new("na", list, label).settling(remark))
}
