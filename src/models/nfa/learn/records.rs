//! True and estimated sources of every sample as a file.

use super::{LearnSnapshot, LearnSpec};
use crate::figure::Records;

/// A line a sample: the true sources; posterior mean and standard deviation of each estimated source; and once the fit is done,
/// where there are several, the sources that are read out by FastICA and compared with the true ones. `None` before anything is
/// fitted.
pub fn records(spec: &LearnSpec, snapshot: &LearnSnapshot) -> Option<Records> {
    let row = snapshot.shown(spec)?;
    let (fitted, problem) = (&row.fitted, spec.problem());
    let n = fitted.sources;
    let read_out = row.scores.as_ref().filter(|_| n > 1).map(|scores| &scores.read_out);
    let mut head = vec!["sample".to_owned()];
    head.extend((1..=spec.data.true_sources()).map(|i| format!("true source {i}")));
    for i in 1..=n {
        head.extend([format!("source {i}"), format!("sd of source {i}")]);
    }
    if read_out.is_some() {
        head.extend((1..=n).map(|i| format!("source {i} after FastICA")));
    }
    let rows = problem.sources.iter().enumerate().map(|(t, known)| {
        let mut cells = vec![(t + 1).to_string()];
        cells.extend(known.iter().map(f64::to_string));
        for i in t * n..(t + 1) * n {
            cells.extend([fitted.means[i], fitted.sds[i]].map(|x| x.to_string()));
        }
        if let Some(read_out) = read_out {
            cells.extend(read_out[t * n..(t + 1) * n].iter().map(f32::to_string));
        }
        cells
    });
    // Numbers alone.
    Some(Records::new("nfa-sources.csv".to_owned(), head, rows, false))
}
