//! The file of the true and estimated sources of every sample.

use super::{LearnSnapshot, LearnSpec};
use crate::figure::{Cell, FileNotation, Records};

/// Returns one row per sample: the true sources, the posterior mean and standard deviation of each estimated source and, for
/// several sources, the final estimate by FastICA once the fit is finished. `None` before the first fit.
pub fn records(spec: &LearnSpec, snapshot: &LearnSnapshot) -> Option<Records> {
    let row = snapshot.shown(spec)?;
    let (fitted, data) = (&row.fitted, spec.simulate());
    let n = fitted.sources;
    let final_estimate = row.scores.as_ref().filter(|_| n > 1).map(|scores| &scores.final_estimate);
    let mut head = vec!["sample".to_owned()];
    head.extend((1..=spec.data.true_sources()).map(|i| format!("true source {i}")));
    for i in 1..=n {
        head.extend([format!("source {i}"), format!("sd of source {i}")]);
    }
    if final_estimate.is_some() {
        head.extend((1..=n).map(|i| format!("source {i} after FastICA")));
    }
    let rows = data.sources.iter().enumerate().map(|(t, known)| {
        let mut cells = vec![Cell::number(t + 1)];
        cells.extend(known.iter().map(Cell::number));
        for i in t * n..(t + 1) * n {
            cells.extend([fitted.means[i], fitted.sds[i]].map(Cell::number));
        }
        if let Some(final_estimate) = final_estimate {
            cells.extend(final_estimate[t * n..(t + 1) * n].iter().map(Cell::number));
        }
        cells
    });
    Some(Records::new("nfa-sources.csv".to_owned(), head, rows, FileNotation::default()))
}
