//! The file of the sources and the reconstruction of every row.

use super::{TableRow, TableSnapshot, TableSpec};
use crate::data::DataRef;
use crate::figure::{Cell, Records};

/// Returns one row per row of the table: mean and standard deviation of each source, the measurement of each channel and, once the
/// fit is finished, its reconstruction with the standard deviation of a measurement. `None` before the first fit.
pub fn records(spec: &TableSpec, snapshot: &TableSnapshot) -> Option<Records> {
    let TableRow { fitted, names, carried, lines, measured, reconstruction, reconstruction_sd, .. } =
        snapshot.shown()?;
    let (sources, channels) = (fitted.sources, names.len());
    let done = !reconstruction.is_empty();
    let mut head = vec!["line".to_owned()];
    head.extend(carried.ids.iter().map(|ids| ids.name.clone()));
    for i in 1..=sources {
        head.extend([format!("source {i}"), format!("sd of source {i}")]);
    }
    for name in names {
        head.push(name.clone());
        if done {
            head.extend([format!("reconstruction of {name}"), format!("sd of {name}")]);
        }
    }
    let file = format!("{}-sources.csv", DataRef::stem(spec.data.as_ref()));
    head.extend(carried.originals.iter().map(|column| column.name.clone()));
    let number = |x: &f32| if x.is_nan() { Cell::text("") } else { Cell::number(x) };
    let rows = lines.iter().enumerate().map(|(t, line)| {
        let mut cells = vec![Cell::number(line)];
        cells.extend(carried.ids.iter().map(|ids| Cell::text(&ids.cells[t])));
        for i in t * sources..(t + 1) * sources {
            cells.extend([&fitted.means[i], &fitted.sds[i]].map(number));
        }
        for cell in t * channels..(t + 1) * channels {
            cells.push(number(&measured[cell]));
            cells.extend(reconstruction.get(cell).map(number));
            cells.extend(reconstruction_sd.get(cell).map(number));
        }
        cells.extend(carried.originals.iter().map(|column| Cell::text(&column.cells[t])));
        cells
    });
    Some(Records::new(file, head, rows, spec.export_format.notation(carried, spec.escape)))
}
