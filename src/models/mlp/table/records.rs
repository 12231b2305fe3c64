//! Predictions of all rows as a CSV file.

use super::{TableSnapshot, TableSpec};
use crate::data::DataRef;
use crate::figure::{Cell, Records};
use crate::math::special::NORMAL_95;

/// Returns the predictions, one line per row that is not a training row of the first split; `None` before there is a fit.
pub fn records(spec: &TableSpec, snapshot: &TableSnapshot) -> Option<Records> {
    let (table, fit) = (snapshot.table.as_ref()?, snapshot.lowest_bound()?);
    let rows = (table.tests.iter().map(|row| (row.line, "test row", Some(row.target))))
        .chain(table.unlabelled.iter().map(|line| (*line, "no target", None)))
        .chain(table.second.iter().map(|line| (*line, "second file", None)));
    let (new, _) = snapshot.new_rows(spec.splits)?;
    let predictions = fit.details.predicted.iter().take(table.tests.len()).chain(new);
    let file = format!("{}-predictions.csv", DataRef::stem(spec.data.as_ref()));
    let carried = &table.carried;
    let mut columns = vec!["line".to_owned()];
    columns.extend(carried.ids.iter().map(|ids| ids.name.clone()));
    let names =
        ["part", table.label.as_str(), "predictive mean", "predictive sd", "lower 95 %", "upper 95 %"];
    columns.extend(names.map(str::to_owned));
    columns.extend(carried.originals.iter().map(|column| column.name.clone()));
    let cells = rows.zip(predictions).enumerate().map(|(at, ((line, part, target), predicted))| {
        let mut cells = vec![Cell::number(line)];
        cells.extend(carried.ids.iter().map(|ids| Cell::text(&ids.cells[at])));
        cells.extend([Cell::text(part), target.map_or_else(|| Cell::text(""), Cell::number)]);
        let (mean, half) = (predicted.mean, NORMAL_95 * predicted.sd);
        cells.extend([mean, predicted.sd, mean - half, mean + half].map(Cell::number));
        cells.extend(carried.originals.iter().map(|column| Cell::text(&column.cells[at])));
        cells
    });
    Some(Records::new(file, columns, cells, spec.export_format.notation(carried, spec.escape)))
}
