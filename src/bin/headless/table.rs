//! Tables as they are read, for `--table`.

use meanfield::data::{ColumnKind, DataError, Store, Table, TableFacts, contents};
use meanfield::lab::fields::ReadingSettings;
use meanfield::lab::{Checked, InputError, Link, Values};
use serde_json::{Value, json};

/// Reads a table with the settings of a query, and returns it as CSV, or the decisions as JSON.
///
/// # Errors
/// If the file cannot be read, or a setting is not valid.
pub fn show(path: &str, query: &str, as_json: bool) -> Result<String, Vec<InputError>> {
    let refuse = |why: String| vec![InputError::new("table", path).because(why)];
    let link = Link::parse(&format!("#/table?{}", query.trim_start_matches(['#', '/', '?'])));
    let settings = Checked::<ReadingSettings>::new(&link.raw)?;
    let choices = settings.reading().map_err(|error| vec![error.into()])?;
    let file = std::fs::read(path).map_err(|error| refuse(error.to_string()))?;
    let problem = |problem: DataError| refuse(problem.to_string());
    let bytes = contents(&file).map_err(problem)?;
    let table = Table::read_as(&bytes, &choices).map_err(problem)?;
    if as_json {
        return Ok(decisions(&table).to_string());
    }
    let rows = Table::texts_as(&bytes, &choices).map_err(problem)?;
    let line = |row: &Vec<String>| row.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(",");
    Ok(rows.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// Returns a cell of a CSV file, in quotes where it needs them.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

/// Returns the decisions on a table, its columns, and the remarks on it.
fn decisions(table: &Table) -> Value {
    let facts = table.facts();
    let columns: Vec<Value> = facts
        .columns
        .iter()
        .map(|column| match column.kind {
            ColumnKind::Numeric { min, max, mean } => json!({
                "name": column.name, "kind": "number", "missing": column.missing, "min": min, "max": max, "mean": mean,
            }),
            ColumnKind::Text => json!({
                "name": column.name, "kind": "text", "missing": column.missing, "values": column.values,
            }),
        })
        .collect();
    let malformed: Vec<usize> = table.malformed.iter().map(|row| row.line).collect();
    json!({
        "read_as": facts.reading.describe(), "reading": facts.reading, "columns": columns, "remarks": facts.remarks,
        "doubts": facts.doubts, "repairs": facts.repairs, "malformed": malformed,
    })
}

/// Returns the description of the main table of a run as it was read; `None` without a table.
pub fn facts(values: &Values, data: &Store) -> Option<TableFacts> {
    // Other tasks detect everything.
    let choices = ReadingSettings::choices_in(values)?;
    Some(data.table_as(values.data()?, &choices)?.ok()?.facts())
}

/// Returns how the main table of a run was read, with the remarks, questions and repairs shown on the page; null without a table.
pub fn reading(facts: Option<&TableFacts>) -> Value {
    facts.map_or(Value::Null, |facts| {
        let TableFacts { reading, header, remarks, doubts, repairs, .. } = facts;
        let remarks: Vec<String> = header.remark().into_iter().chain(remarks.iter().cloned()).collect();
        json!({
            "read_as": reading.describe(), "decisions": reading, "remarks": remarks, "doubts": doubts, "repairs": repairs,
        })
    })
}
