//! Sources and reconstruction of every row as a file.

use super::{TableRow, TableSnapshot, TableSpec};
use crate::data::DataRef;
use crate::figure::Records;

/// One line per row: mean and standard deviation of each source; of each channel what was measured, and once the fit is done its
/// reconstruction with the standard deviation of a measurement there, which predict what is missing. `None` before anything is fitted.
pub fn records(spec: &TableSpec, snapshot: &TableSnapshot) -> Option<Records> {
    let TableRow { fitted, names, ids, lines, measured, reconstruction, reconstruction_sd, .. } =
        snapshot.shown()?;
    let (sources, channels) = (fitted.sources, names.len());
    let done = !reconstruction.is_empty();
    let mut head = vec!["line".to_owned()];
    head.extend(ids.iter().map(|ids| ids.name.clone()));
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
    let number = |x: &f32| if x.is_nan() { String::new() } else { x.to_string() };
    let rows = lines.iter().enumerate().map(|(t, line)| {
        let mut cells = vec![line.to_string()];
        cells.extend(ids.iter().map(|ids| ids.cells[t].clone()));
        for i in t * sources..(t + 1) * sources {
            cells.extend([&fitted.means[i], &fitted.sds[i]].map(number));
        }
        for cell in t * channels..(t + 1) * channels {
            cells.push(number(&measured[cell]));
            cells.extend(reconstruction.get(cell).map(number));
            cells.extend(reconstruction_sd.get(cell).map(number));
        }
        cells
    });
    Some(Records::new(file, head, rows, spec.escape))
}
