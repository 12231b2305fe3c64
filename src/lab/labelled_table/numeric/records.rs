//! Predictions of targets as a CSV file.

use super::scores::PredictedTarget;
use super::summary::{NumericSummary, TargetRow};
use crate::data::DataRef;
use crate::figure::{Cell, Records};
use crate::labelled_table::{RowPredictions, TableSettings};

/// Line numbers of rows, with their targets if known.
type NumberedTargets = Vec<(usize, Option<f64>)>;

/// Returns the CSV file of the predictions: a line for each row, with its line in the table, its identifier, part, target, predictive mean
/// and standard deviation, the ends of the central 95 % interval, and the original columns on request.
pub fn target_records(
    settings: &TableSettings,
    table: &NumericSummary,
    rows: &RowPredictions<PredictedTarget>,
) -> Records {
    let carried = &table.carried;
    let mut columns = vec!["line".to_owned()];
    columns.extend(carried.ids.iter().map(|ids| ids.name.clone()));
    let names =
        ["part", table.label.as_str(), "predictive mean", "predictive sd", "lower 95 %", "upper 95 %"];
    columns.extend(names.map(str::to_owned));
    columns.extend(carried.originals.iter().map(|column| column.name.clone()));
    let known = |rows: &[TargetRow]| -> NumberedTargets {
        rows.iter().map(|row| (row.line, Some(row.target))).collect()
    };
    let unknown = |lines: &[usize]| -> NumberedTargets { lines.iter().map(|line| (*line, None)).collect() };
    let parts = [
        ("training row (left out)", known(&table.training), &rows.left_out),
        ("test row", known(&table.tests), &rows.test),
        ("no target", unknown(&table.unlabelled), &rows.unlabelled),
        ("second file", unknown(&table.second), &rows.second),
    ];
    let (mut first, mut lines) = (0, Vec::new());
    for (part, numbers, predicted) in parts {
        for (at, ((line, target), predicted)) in (first..).zip(numbers.iter().zip(predicted)) {
            let mut cells = vec![Cell::number(line)];
            cells.extend(carried.ids.iter().map(|ids| Cell::text(&ids.cells[at])));
            cells.extend([Cell::text(part), target.map_or_else(|| Cell::text(""), Cell::number)]);
            let (low, high) = predicted.interval();
            cells.extend([predicted.mean, predicted.sd, low, high].map(Cell::number));
            cells.extend(carried.originals.iter().map(|column| Cell::text(&column.cells[at])));
            lines.push(cells);
        }
        first += numbers.len();
    }
    let file = format!("{}-predictions.csv", DataRef::stem(settings.data.as_ref()));
    Records::new(file, columns, lines, settings.export_format.notation(carried, settings.escape))
}
