//! Predictions of all rows as a CSV file.

use super::{TableSnapshot, TableSpec};
use crate::data::DataRef;
use crate::figure::Records;

/// Returns the predictions of the first split, one line per row that is not a training row; `None` before there is a fit.
pub fn records(spec: &TableSpec, snapshot: &TableSnapshot) -> Option<Records> {
    let (table, fit) = (snapshot.table.as_ref()?, snapshot.lowest_bound()?);
    let rows = (table.tests.iter().map(|row| (row.line, "test row", Some(row.target))))
        .chain(table.unlabelled.iter().map(|line| (*line, "no target", None)))
        .chain(table.second.iter().map(|line| (*line, "second file", None)));
    let file = format!("{}-predictions.csv", DataRef::stem(spec.data.as_ref()));
    let mut columns = vec!["line".to_owned()];
    columns.extend(table.ids.iter().map(|ids| ids.name.clone()));
    columns.extend(["part", table.label.as_str(), "predictive mean", "predictive sd"].map(str::to_owned));
    let mut ids = table.ids.iter().flat_map(|ids| &ids.cells);
    let cells = rows.zip(&fit.details.predicted).map(|((line, part, target), predicted)| {
        let target = target.map_or(String::new(), |target| target.to_string());
        let mut cells = vec![line.to_string()];
        cells.extend(ids.next().cloned());
        cells.extend([part.to_owned(), target, predicted.mean.to_string(), predicted.sd.to_string()]);
        cells
    });
    Some(Records::new(file, columns, cells, spec.escape))
}
