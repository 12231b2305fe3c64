//! Roles of a table's columns for given choices: identifiers, split, label and inputs.

use super::default_roles::{self, ColumnOutline};
use super::error::{ColumnError, listed};
use super::facts::ColumnFacts;
use super::missing::MissingPolicy;
use super::name_list::{join_names, quoted_name, split_names};
use super::table::{Column, Table};
use super::target::TargetKind;

/// A user's choices about the columns of a table; empty texts stand for the defaults.
#[derive(Clone, Copy, Debug, Default)]
pub struct ColumnChoices<'a> {
    /// Label column; by default the last column.
    pub label: &'a str,
    /// Positive value of the label (+1); by default the last value of `Column::distinct`.
    pub positive: &'a str,
    /// List of columns that are not inputs.
    pub ignore: &'a str,
    /// Column that identifies the rows and is not an input.
    pub id: &'a str,
    /// Group column: rows with equal values form a group. It is not an input.
    pub group: &'a str,
    /// True if files of predictions repeat all columns of the table.
    pub originals: bool,
    /// Column that separates training from test rows; by default the only column of such words.
    pub split: &'a str,
    /// Treatment of missing inputs.
    pub missing: MissingPolicy,
    /// List of further texts that stand for a missing value.
    pub codes: &'a str,
    /// True if rows with another number of cells than the first are skipped instead of refused.
    pub skip_malformed: bool,
}

impl ColumnChoices<'_> {
    /// Returns true if the original text of some columns is needed.
    pub(super) fn keeps_text(&self) -> bool {
        self.originals || !self.id.is_empty() || !self.group.is_empty()
    }
}

/// Indices of the columns in each role.
pub(super) struct ColumnIndices<'a> {
    /// Names of the ignored columns.
    pub ignored: Vec<&'a str>,
    pub split: Option<usize>,
    pub label: Option<usize>,
    pub inputs: Vec<usize>,
}

impl<'a> ColumnIndices<'a> {
    /// Determines the roles of the columns.
    ///
    /// # Errors
    /// If the choice for `data`, `label`, `ignore`, `id`, `group` or `split` does not suit the table.
    pub fn new(table: &Table, choices: ColumnChoices<'a>, kind: TargetKind) -> Result<Self, ColumnError> {
        let ignored = split_names(choices.ignore);
        check_ignored(table, &ignored)?;
        let mut left: Vec<usize> =
            (0..table.columns.len()).filter(|c| !ignored.contains(&table.names[*c].as_str())).collect();
        check_id(table, choices.id, &left)?;
        if !choices.group.is_empty() {
            optional_column(table, "group", choices.group, &left)?;
        }
        left.retain(|c| ![choices.id, choices.group].contains(&table.names[*c].as_str()));
        let split = split_among(table, &left, choices)?;
        left.retain(|c| Some(*c) != split);
        let has_label = kind != TargetKind::NoTarget;
        let label = if has_label { Some(label_among(table, &left, choices, kind)?) } else { None };
        left.retain(|c| Some(*c) != label);
        if left.is_empty() {
            let needed = if has_label { "a label and at least one other column" } else { "a column" };
            return Err(ColumnError::of_table(format!("{needed} must be left")));
        }
        Ok(Self { ignored, split, label, inputs: left })
    }
}

/// Checks that the ID column, if one is chosen, is among the columns `left`.
///
/// # Errors
/// Returns an error of the field `id` if it is not.
pub(super) fn check_id(table: &Table, id: &str, left: &[usize]) -> Result<(), ColumnError> {
    if id.is_empty() { Ok(()) } else { optional_column(table, "id", id, left).map(|_| ()) }
}

/// Checks that all ignored columns exist.
///
/// # Errors
/// Returns an error of the field `ignore` if a name is unknown.
pub(super) fn check_ignored(table: &Table, ignored: &[&str]) -> Result<(), ColumnError> {
    let is_known = |name: &&str| table.column_index(name).is_some();
    let Some(unknown) = ignored.iter().find(|name| !is_known(name)) else { return Ok(()) };
    let all: Vec<String> = table.names.iter().map(|name| quoted_name(name)).collect();
    Err(ColumnError {
        field: "ignore",
        given: (*unknown).to_owned(),
        accepted: format!("some of the columns {}", listed(&all, ColumnFacts::FEW)),
        nearest: Some(join_names(ignored.iter().copied().filter(is_known))),
    })
}

fn split_among(
    table: &Table,
    left: &[usize],
    choices: ColumnChoices<'_>,
) -> Result<Option<usize>, ColumnError> {
    if !choices.split.is_empty() {
        return optional_column(table, "split", choices.split, left).map(Some);
    }
    let outlines = left.iter().map(|c| ColumnOutline {
        name: &table.names[*c],
        words: match &table.columns[*c] {
            Column::Text { levels, .. } => Some(levels.as_slice()),
            Column::Numbers(_) => None,
        },
    });
    Ok(default_roles::split_column(outlines, choices.label).map(|index| left[index]))
}

/// Returns the index of the column in an optional field.
fn optional_column(
    table: &Table,
    field: &'static str,
    name: &str,
    left: &[usize],
) -> Result<usize, ColumnError> {
    left.iter().copied().find(|c| table.names[*c] == name).ok_or_else(|| ColumnError {
        field,
        given: name.to_owned(),
        accepted: format!("nothing, or one of the columns {}", listed_columns(table, left)),
        nearest: Some(String::new()),
    })
}

fn label_among(
    table: &Table,
    left: &[usize],
    choices: ColumnChoices<'_>,
    kind: TargetKind,
) -> Result<usize, ColumnError> {
    let names = left.iter().map(|c| table.names[*c].as_str());
    let Some(index) = default_roles::label_column(names, choices.label) else {
        let is_fit =
            |c: &&usize| kind != TargetKind::Numbers || matches!(table.columns[**c], Column::Numbers(_));
        return Err(ColumnError {
            field: "label",
            given: choices.label.to_owned(),
            accepted: format!("one of the columns {}", listed_columns(table, left)),
            nearest: left.iter().rev().find(is_fit).or(left.last()).map(|c| table.names[*c].clone()),
        });
    };
    let c = left[index];
    if choices.label.is_empty() && choices.split.is_empty() && may_be_split(table, c) {
        let name = &table.names[c];
        return Err(ColumnError {
            field: "label",
            given: String::new(),
            accepted: format!(
                "a column: by its name and values, “{name}” is the label or the train/test column; choose it for one"
            ),
            nearest: Some(name.clone()),
        });
    }
    Ok(c)
}

/// Returns true for a column of 1 and 0 whose name contains train, test or split.
fn may_be_split(table: &Table, c: usize) -> bool {
    let name = table.names[c].to_ascii_lowercase();
    ["train", "test", "split"].iter().any(|word| name.contains(word))
        && table.columns[c].distinct(2) == ["0", "1"]
}

fn listed_columns(table: &Table, columns: &[usize]) -> String {
    let names: Vec<String> = columns.iter().map(|c| table.names[*c].clone()).collect();
    listed(&names, ColumnFacts::FEW)
}
