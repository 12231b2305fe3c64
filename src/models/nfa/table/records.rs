//! The file of the sources and the reconstruction of every row.

use super::{TableRow, TableSnapshot, TableSpec};
use crate::data::DataRef;
use crate::figure::{Cell, Records};

/// Returns one row per row of the table and, once they have been inferred, of the second table: mean and standard deviation of each
/// source, the measurement of each channel and, once the fit is finished, its reconstruction with the standard deviation of a measurement.
/// With a second table, a column says to which table a row belongs. `None` before the first fit.
pub fn records(spec: &TableSpec, snapshot: &TableSnapshot) -> Option<Records> {
    let row = snapshot.shown()?;
    let TableRow { fitted, names, carried, second, .. } = row;
    let learnt = RowNumbers {
        lines: &row.lines,
        numbers: [&fitted.means, &fitted.sds, &row.measured, &row.reconstruction, &row.reconstruction_sd],
    };
    let new = RowNumbers {
        lines: &second.lines,
        numbers: [
            &second.means,
            &second.sds,
            &second.measured,
            &second.reconstruction,
            &second.reconstruction_sd,
        ],
    };
    let has_second = spec.predict.is_some();
    let mut head = vec!["line".to_owned()];
    head.extend(has_second.then(|| "part".to_owned()));
    head.extend(carried.ids.iter().map(|ids| ids.name.clone()));
    for i in 1..=fitted.sources {
        head.extend([format!("source {i}"), format!("sd of source {i}")]);
    }
    let is_done = !row.reconstruction.is_empty();
    for name in names {
        head.push(name.clone());
        if is_done {
            head.extend([format!("reconstruction of {name}"), format!("sd of {name}")]);
        }
    }
    head.extend(carried.originals.iter().map(|column| column.name.clone()));
    let parts = [(learnt, "learnt"), (new, "second file")];
    let places = parts.iter().flat_map(|(rows, part)| (0..rows.lines.len()).map(move |t| (rows, *part, t)));
    let cells = places.enumerate().map(|(at, (rows, part, t))| {
        let mut cells = vec![Cell::number(rows.lines[t])];
        cells.extend(has_second.then(|| Cell::text(part)));
        cells.extend(carried.ids.iter().map(|ids| Cell::text(&ids.cells[at])));
        cells.extend(rows.cells(t, fitted.sources, names.len()));
        cells.extend(carried.originals.iter().map(|column| Cell::text(&column.cells[at])));
        cells
    });
    let file = format!("{}-sources.csv", DataRef::stem(spec.data.as_ref()));
    Some(Records::new(file, head, cells, spec.export_format.notation(carried, spec.escape)))
}

/// Numbers of the rows of a table.
struct RowNumbers<'a> {
    lines: &'a [usize],
    /// Means and standard deviations of the sources; measurements, reconstructions and their standard deviations.
    numbers: [&'a [f32]; 5],
}

impl RowNumbers<'_> {
    /// Returns the cells of row `t`: those of the sources, then those of the channels.
    fn cells(&self, t: usize, sources: usize, channels: usize) -> Vec<Cell> {
        let number = |x: &f32| if x.is_nan() { Cell::text("") } else { Cell::number(x) };
        let [means, sds, measured, reconstruction, reconstruction_sd] = self.numbers;
        let of_sources = (t * sources..(t + 1) * sources).flat_map(|i| [&means[i], &sds[i]]).map(number);
        let of_channels = (t * channels..(t + 1) * channels).flat_map(|cell| {
            let predicted =
                [reconstruction, reconstruction_sd].into_iter().filter_map(move |of| of.get(cell));
            std::iter::once(&measured[cell]).chain(predicted).map(number)
        });
        of_sources.chain(of_channels).collect()
    }
}
