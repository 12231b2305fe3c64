//! The user's data sets on the page: the files that the form names, and the choices that depend on their contents.

mod questions;
mod roles;
#[cfg(test)]
mod tests;

use super::pool::FileState;
use crate::data::default_roles::{ColumnRoles, column_roles, default_positive};
use crate::data::known::KnownSet;
use crate::data::name_list::{quoted_name, split_names};
use crate::data::{
    ColumnFacts, ColumnKind, DataRef, Doubt, FileContent, ReadingChoices, Repair, SourceLine, Table,
    TableFacts, counted,
};
use crate::lab::{Field, Kind, Link, Preset, Raw, Role};

pub use questions::{
    Answer, Question, applied_repairs, forget_reading, offered_repairs, questions, standing_remarks,
};
pub use roles::{ColumnRow, assign, column_rows, describe_roles};

/// Size of the largest file that is read, in bytes.
pub const MAX_FILE_BYTES: f64 = 64e6;

/// Request for a file. `index.html` contains these texts, too, for the time before the program runs.
pub const TABLE: &str = "A table with one row per example. ";
/// Statement on privacy.
pub const STAYS: &str = "It stays in this browser: nothing is sent anywhere.";
/// Text of the button that opens the file picker.
pub const CHOOSE: &str = "Choose a file";
/// Text beside that button.
pub const DROP: &str = "or drop it here";
/// Label of the input of a pasted table.
pub const PASTE: &str = "Paste a table";
/// Label of the list of presets for data sets that are not shipped with the page.
pub const PUBLIC: &str = "Presets for public data sets";
/// Text of the button for the example.
pub const TRY: &str = "Open the example with all settings";
/// Heading of the first rows of its table.
pub const ROWS: &str = "First rows of the example";
/// Heading of the picture of its result.
pub const RESULT: &str = "Result of the example";

/// Returns the keys of the fields that take a data set; the first is the main one, whose columns other fields name.
pub fn keys(fields: &[Field]) -> impl Iterator<Item = &'static str> {
    fields.iter().filter(|field| field.kind == Kind::Data).map(|field| field.key)
}

/// Returns the data set that the form names in the field of that key.
pub fn named(raw: &Raw, key: &str) -> Option<DataRef> {
    raw.get(key).and_then(|text| DataRef::parse(text.trim()))
}

/// Puts a data set into the field of that key. Returns a notice if a link named a file of that name with other contents.
pub fn take(raw: &mut Raw, key: &str, given: &DataRef) -> Option<String> {
    let before = named(raw, key);
    raw.insert(key.to_owned(), given.to_string());
    let before = before.filter(|before| before.name == given.name && before.content() != given.content())?;
    let (name, now, wanted) = (&given.name, given.hash?, before.hash?);
    Some(format!("{name} differs from the file in the link: its hash is {now}, not {wanted}."))
}

/// Settings about the columns and values of its main table.
const OF_COLUMNS: [Role; 7] =
    [Role::Label, Role::Split, Role::Id, Role::Group, Role::Ignored, Role::Positive, Role::PerColumn];

/// Resets settings about columns and values that the main table does not have, and returns a notice. `before` are the names of the
/// columns that the settings were for, if they are known.
pub fn fit(
    fields: &[Field],
    raw: &mut Raw,
    columns: &[ColumnFacts],
    before: Option<&[String]>,
) -> Option<String> {
    let dropped: Vec<String> =
        OF_COLUMNS.iter().filter_map(|role| fit_role(fields, raw, columns, before, *role)).collect();
    (!dropped.is_empty())
        .then(|| format!("Not in this table, and back to the default: {}.", dropped.join(", ")))
}

/// Resets the field of one role, if the table does not have its column or value; returns a description of what was reset.
pub fn fit_role(
    fields: &[Field],
    raw: &mut Raw,
    columns: &[ColumnFacts],
    before: Option<&[String]>,
    role: Role,
) -> Option<String> {
    let field = Field::with_role(fields, role)?;
    let text = raw.get(field.key).filter(|text| !text.is_empty())?;
    let names = || columns.iter().map(|column| &column.name);
    let is_column = |name: &str| names().any(|known| known == name);
    let (kept, lacking) = match role {
        Role::Ignored => {
            let (kept, lacking): (Vec<_>, Vec<_>) =
                split_names(text).into_iter().partition(|name| is_column(name));
            let list = |names: Vec<&str>| names.into_iter().map(quoted_name).collect::<Vec<_>>().join(",");
            (list(kept), list(lacking))
        }
        Role::Label | Role::Split | Role::Id | Role::Group if !is_column(text) => {
            (String::new(), text.clone())
        }
        Role::Positive if !values(fields, raw, columns).contains(text) => (String::new(), text.clone()),
        Role::PerColumn if before.is_some_and(|before| !names().eq(before)) => (String::new(), text.clone()),
        _ => return None,
    };
    if lacking.is_empty() {
        return None;
    }
    raw.insert(field.key.to_owned(), kept);
    Some(format!("{} “{lacking}”", field.label))
}

/// Copies settings of the form to those of a preset: artefacts, and unless the preset is for another data set, the data set with the
/// settings about its rows and columns.
pub fn keep(fields: &[Field], before: &Raw, preset: &mut Raw) {
    let Some(key) = keys(fields).next() else { return };
    let (now, wanted) = (named(before, key), named(preset, key));
    let same = now.is_some_and(|now| wanted.is_none_or(|wanted| wanted.name == now.name));
    for field in fields {
        let kept = field.is_artefact() || same && field.role.concerns_the_table();
        if let Some(text) = before.get(field.key).filter(|_| kept)
            && (field.key == key || !preset.contains_key(field.key))
        {
            preset.insert(field.key.to_owned(), text.clone());
        }
    }
}

/// Returns the file with the picture of the result of the example of a page, for a narrow or a wide screen, in the folder of its model.
pub fn example_picture(page: &str, narrow: bool) -> String {
    format!("first-paint/{page}-{}.html", if narrow { "narrow" } else { "wide" })
}

/// Returns the first preset that names a data set.
pub fn example<'a>(fields: &[Field], presets: &'a [Preset]) -> Option<&'a Preset> {
    let key = keys(fields).next()?;
    presets.iter().find(|preset| named(&Link::settings(preset.query), key).is_some())
}

/// Number of rows of the example that the page shows.
const EXAMPLE_ROWS: usize = 5;

/// Returns the header and the first rows of a table; `None` if it cannot be read.
pub fn first_rows(text: &[u8]) -> Option<(Vec<String>, Vec<Vec<String>>)> {
    let mut lines = Table::texts_as(text, &ReadingChoices::default()).ok()?.into_iter();
    let head = lines.next()?;
    Some((head, lines.take(EXAMPLE_ROWS).collect()))
}

/// Returns the known data set that a preset needs, if it is not shipped with the page.
pub fn needs(fields: &[Field], query: &str) -> Option<&'static KnownSet> {
    let set = named(&Link::settings(query), keys(fields).next()?)?.known()?;
    (!set.is_shipped()).then_some(set)
}

/// Choices of a text field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldChoices {
    /// Choices; empty for a free text.
    pub texts: Vec<String>,
    /// Default choice, if there is one.
    pub default: Option<String>,
}

/// Returns the choices of a field that names a column or a value of the main table.
pub fn options(columns: &[ColumnFacts], fields: &[Field], raw: &Raw, field: &Field) -> FieldChoices {
    let now = raw.get(field.key).map_or("", String::as_str);
    let mut bare = raw.clone();
    bare.insert(field.key.to_owned(), String::new());
    let parts = parts_of(fields, &bare, columns);
    let name = |column: Option<&ColumnFacts>| column.map(|column| column.name.clone());
    let names = || columns.iter().map(|column| column.name.clone()).collect();
    let (mut texts, default): (Vec<String>, _) = match field.role {
        Role::Label => (names(), name(parts.label)),
        Role::Split => (names(), Some(name(parts.split).unwrap_or_else(|| "none".to_owned()))),
        Role::Id | Role::Group => (names(), Some("none".to_owned())),
        Role::Positive => {
            let values = values(fields, &bare, columns);
            let usual = default_positive(&values).cloned();
            (values, usual)
        }
        _ => return FieldChoices::default(),
    };
    // The value of a link is offered even if it is invalid.
    if !(texts.is_empty() || now.is_empty() || texts.iter().any(|text| text == now)) {
        texts.push(now.to_owned());
    }
    FieldChoices { texts, default }
}

/// Returns the roles that the settings give the columns.
fn parts_of<'a>(fields: &[Field], raw: &Raw, columns: &'a [ColumnFacts]) -> ColumnRoles<'a> {
    let text = |role| Field::with_role(fields, role).and_then(|field| raw.get(field.key));
    let text = |role| text(role).map_or("", String::as_str);
    let set_aside = [text(Role::Id), text(Role::Group)];
    column_roles(columns, text(Role::Ignored), set_aside, text(Role::Split), text(Role::Label))
}

/// Returns the distinct values of the label, if they are few.
fn values(fields: &[Field], raw: &Raw, columns: &[ColumnFacts]) -> Vec<String> {
    parts_of(fields, raw, columns).label.map_or(Vec::new(), |label| label.values.clone())
}

/// Preview of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Preview {
    /// One sentence.
    Words(String),
    /// Reason why the file cannot be used.
    Problem(String),
    /// A table: how it was read, and its first and last lines.
    Table {
        /// Name and size.
        size: String,
        /// Description of the reading, in one sentence.
        read_as: String,
        /// Remarks about its format.
        remarks: Vec<String>,
        /// Decisions that the user has to make.
        doubts: Vec<Doubt>,
        /// Repairs that the remarks suggest.
        repairs: Vec<Repair>,
        /// Header of the preview: line number, text of the line, and the names of the columns.
        head: Vec<String>,
        /// Rows of the preview: a description of each column, then the lines with their cells.
        rows: Vec<Vec<String>>,
    },
}

/// Returns the preview of a file.
pub fn preview(name: &str, stage: &FileState) -> Preview {
    let facts = match stage {
        FileState::Waiting | FileState::Reading => return Preview::Words("Reading the file …".to_owned()),
        FileState::Rejected(problem) => {
            return Preview::Problem(format!("{name} could not be read: {problem}."));
        }
        FileState::Read(facts) => facts,
    };
    let words = match &facts.content {
        FileContent::Table(table) => {
            let (head, rows_shown) = excerpt(table);
            return Preview::Table {
                size: format!(
                    "{name}: {} × {}",
                    counted(table.rows, "row"),
                    counted(table.columns.len(), "column")
                ),
                read_as: table.reading.describe(),
                remarks: table.header.remark().into_iter().chain(table.remarks.iter().cloned()).collect(),
                doubts: table.doubts.clone(),
                repairs: table.repairs.clone(),
                head,
                rows: rows_shown,
            };
        }
        FileContent::Images { count, rows, columns } => {
            format!("{count} images of {rows} × {columns} pixels")
        }
        FileContent::Labels { count, classes } => format!("{count} labels, {classes} classes"),
        FileContent::Artefact { kind, .. } => kind.clone(),
        FileContent::Json => "a JSON file, no table".to_owned(),
    };
    Preview::Words(format!("{name}: {words}"))
}

/// Returns the preview of a table: its header, and rows with a description of each column and the first and last lines.
/// A row that has only “…” marks omitted lines.
fn excerpt(table: &TableFacts) -> (Vec<String>, Vec<Vec<String>>) {
    let columns = || table.columns.iter().take(TableFacts::MAX_CELLS);
    let head = ["line", "text of the line"].map(str::to_owned);
    let head = head.into_iter().chain(columns().map(|column| column.name.clone())).collect();
    let kinds = [String::new(), String::new()].into_iter().chain(columns().map(kind)).collect();
    let mut rows: Vec<Vec<String>> = vec![kinds];
    let mut last = 0;
    for SourceLine { line, source, cells } in &table.excerpt {
        if rows.len() > 1 && *line > last + EXCERPT_GAP {
            rows.push(vec!["…".to_owned()]);
        }
        last = *line;
        rows.push([line.to_string(), source.clone()].into_iter().chain(cells.iter().cloned()).collect());
    }
    (head, rows)
}

/// Largest difference between consecutive line numbers of an excerpt that is not marked as a gap; blank lines are not shown.
const EXCERPT_GAP: usize = 4;

/// Describes the contents of a column in a few words.
fn kind(column: &ColumnFacts) -> String {
    let holds = match column.kind {
        ColumnKind::Numeric { min, max, .. } => format!("{min} to {max}"),
        ColumnKind::Text => "text".to_owned(),
    };
    if column.missing == 0 { holds } else { format!("{holds}, {} missing", column.missing) }
}
