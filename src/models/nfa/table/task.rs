//! The task: one fit per restart.

use std::rc::Rc;

use super::predicting::FactorPredictions;
use super::spec::PRESETS;
use super::work::TableWork;
use super::{OwnData, TableRow, TableSnapshot, TableSpec, figures, records, report};
use crate::data::{Channels, ColumnError, Facts, ReadingChoices, Store};
use crate::figure::{Figure, Records};
use crate::lab::{
    Checked, InputError, Meta, Plan, PredictionWork, Predictor, Prepared, Queue, Status, TypedTask,
};
use crate::models::nfa::fields::LearningSettings;

/// Maximum number of cells of a table.
const MAX_CELLS: usize = 1_000_000;

impl TypedTask for OwnData {
    const META: Meta = Meta {
        id: "nfa.data",
        title: "Nonlinear factor analysis of your data",
        question: "Which hidden sources explain the columns of your table?",
        subtitle: "A network explains the columns of a table by a few hidden sources, which it infers.",
        pair: false,
        tab: Some("Your table"),
        queue: Queue::Run,
        live: None,
        exercises: &[],
        challenge: None,
        presets: PRESETS,
    };
    type Spec = TableSpec;
    type Snapshot = TableSnapshot;

    fn plan(spec: &Checked<TableSpec>, facts: Option<&Facts>) -> Plan {
        let Some(facts) = facts else { return Plan::default() };
        let cells = facts.rows() * facts.table().map_or(1, |table| table.columns.len());
        Plan::of(spec.restarts).times((spec.sweeps * cells * spec.hidden) as f64)
    }

    fn merge(parts: Vec<TableSnapshot>) -> TableSnapshot {
        let mut rows: Vec<Rc<TableRow>> = parts.into_iter().flat_map(|part| part.rows).collect();
        rows.sort_by_key(|row| row.restart);
        TableSnapshot { rows }
    }

    fn status(_spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Status {
        snapshot.shown().map_or(Status::CONVERGED, |row| row.fitted.status(row.measured.len()))
    }

    fn figures(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Vec<Figure> {
        figures::figures(snapshot, spec.sources)
    }

    fn records(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Option<Records> {
        records::records(spec, snapshot)
    }

    fn report(_spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> serde_json::Value {
        report::report(snapshot)
    }

    fn predictor(_spec: &Checked<TableSpec>) -> Option<Predictor<Self>> {
        Some(|spec, data, finished| {
            let channels = channels(spec, data).map_err(|error| vec![error])?;
            let predictions = FactorPredictions::new(TableWork::new(spec, channels), &finished);
            Ok(Box::new(PredictionWork::new(predictions, finished)))
        })
    }

    fn prepare(
        spec: &Checked<TableSpec>,
        data: &Store,
        _before: Option<TableSnapshot>,
    ) -> Result<Prepared<TableSnapshot>, Vec<InputError>> {
        let channels = channels(spec, data).map_err(|error| vec![error])?;
        Ok(Box::new(TableWork::new(spec, channels)))
    }
}

/// Returns the channels of the named table.
///
/// # Errors
/// If the table is missing, too large or too small, has columns that are not numeric, or has fewer channels than sources.
fn channels(spec: &TableSpec, data: &Store) -> Result<Channels, InputError> {
    let named = spec.data.as_ref().map(ToString::to_string).unwrap_or_default();
    let of_file = |misfit: ColumnError| match misfit.field {
        "data" => ColumnError { given: named.clone(), ..misfit },
        _ => misfit,
    };
    let refused =
        |accepted: String| ColumnError { field: "data", given: named.clone(), accepted, nearest: None };
    let keeps_text = spec.originals || !spec.id.is_empty();
    let reading = ReadingChoices { keeps_text, ..spec.reading().reading()? };
    let table = spec.data.as_ref().and_then(|named| data.table_as(named, &reading));
    let table = table.ok_or_else(|| refused("load a CSV file first".into()))?;
    let table = table.map_err(|problem| refused(problem.to_string()))?;
    let table = table.with_missing(&spec.na);
    let channels = Channels::from_table(&table, &spec.ignore, &spec.id, spec.skip_malformed, spec.originals)
        .map_err(of_file)?;
    let channels = with_second(channels, spec, data)?;
    let (samples, width) = (channels.rows.len(), channels.names.len());
    if samples * width > MAX_CELLS {
        return Err(refused(format!(
            "the table has {samples} rows of {width} columns; at most {MAX_CELLS} values are allowed"
        ))
        .into());
    }
    if samples < 2 {
        return Err(refused("the table needs at least two rows".into()).into());
    }
    if spec.sources > width {
        let error = LearningSettings::FIELDS.sources.error(spec.sources);
        return Err(error.expected(format!("at most {width}, the number of channels")).nearest(width));
    }
    Ok(channels)
}

/// Appends the rows of the second table, if one is named.
///
/// # Errors
/// If it is missing, too large, or does not have the channels.
fn with_second(mut channels: Channels, spec: &TableSpec, data: &Store) -> Result<Channels, ColumnError> {
    let Some(second) = &spec.predict else { return Ok(channels) };
    let refused = |accepted: String| ColumnError {
        field: TableSpec::FIELDS.predict.key,
        given: second.to_string(),
        accepted,
        nearest: None,
    };
    let reading = spec.reading().reading()?;
    let reading = ReadingChoices {
        decimal: reading.decimal,
        fill_down: reading.fill_down,
        words: reading.words,
        merge_case: reading.merge_case,
        keeps_text: spec.originals || !spec.id.is_empty(),
        ..ReadingChoices::default()
    };
    let table = data.table_as(second, &reading).ok_or_else(|| refused("load a CSV file first".into()))?;
    let table = table.map_err(|problem| refused(problem.to_string()))?;
    let of_file = |error: ColumnError| match error.field {
        "data" => refused(error.accepted),
        _ => error,
    };
    channels.append(&table.with_missing(&spec.na), spec.skip_malformed).map_err(of_file)?;
    let cells = channels.second_rows.len() * channels.names.len();
    if cells > MAX_CELLS {
        return Err(refused(format!("it has {cells} values; at most {MAX_CELLS} are allowed")));
    }
    Ok(channels)
}
