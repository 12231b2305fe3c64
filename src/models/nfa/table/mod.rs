//! The task `nfa.data`: hidden sources of a user's table, and predictions of its missing values.

mod figures;
mod records;
mod report;
mod spec;
mod task;
#[cfg(test)]
mod tests;
mod work;

pub use spec::TableSpec;

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::fit::FitSummary;
use crate::data::{CarriedColumns, Preprocessing};

/// The task: nonlinear factor analysis of a user's table.
pub struct OwnData;

/// Results of the restarts so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableSnapshot {
    /// Fits, in the order of the restarts.
    pub rows: Vec<Rc<TableRow>>,
}

/// A fit to the table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableRow {
    /// Index of the restart.
    pub restart: usize,
    /// Summary of the fit, in the units of the table; its cost is that of the scaled data.
    pub fitted: FitSummary,
    /// Names of the channels.
    pub names: Vec<String>,
    /// Constant columns, which are not used.
    pub constant: Vec<String>,
    /// Preprocessing of the rows.
    pub treated: Preprocessing,
    /// Columns that saved files repeat.
    pub carried: CarriedColumns,
    /// Line number of each row in the file, T.
    pub lines: Vec<usize>,
    /// Measurements, T×m; NaN if missing.
    pub measured: Vec<f32>,
    /// Reconstruction of each row, T×m, once the fit is finished.
    pub reconstruction: Vec<f32>,
    /// Standard deviation of a measurement at the reconstruction, T×m.
    pub reconstruction_sd: Vec<f32>,
}

impl TableSnapshot {
    /// Returns the fit that is shown: the first, and once all are finished that with the lowest cost.
    pub fn shown(&self) -> Option<&TableRow> {
        let rows = || self.rows.iter().map(Rc::as_ref);
        if rows().all(|row| row.fitted.done) {
            rows().min_by(|a, b| a.fitted.final_cost().total_cmp(&b.fitted.final_cost()))
        } else {
            rows().next()
        }
    }
}

impl TableRow {
    /// Returns the share of the variance of a channel that the reconstruction explains, averaged over the channels; `None` before the
    /// fit is finished.
    pub fn explained_variance(&self) -> Option<f64> {
        if self.measured.is_empty() || self.reconstruction.len() != self.measured.len() {
            return None;
        }
        let channels = self.names.len();
        let share = |k: usize| {
            let cells = self.measured.iter().zip(&self.reconstruction).skip(k).step_by(channels);
            let known: Vec<(f64, f64)> =
                cells.filter(|(x, _)| x.is_finite()).map(|(x, r)| (f64::from(*x), f64::from(*r))).collect();
            let mean = known.iter().map(|(x, _)| x).sum::<f64>() / known.len() as f64;
            let square = |of: fn(f64, f64, f64) -> f64| {
                known.iter().map(|(x, r)| of(*x, *r, mean).powi(2)).sum::<f64>()
            };
            1.0 - square(|x, r, _| x - r) / square(|x, _, mean| x - mean)
        };
        Some((0..channels).map(share).sum::<f64>() / channels as f64).filter(|share| share.is_finite())
    }

    /// Iterates over the missing cells, as (row, channel).
    pub fn missing_cells(&self) -> impl Iterator<Item = (usize, usize)> {
        let channels = self.names.len().max(1);
        let cells = self.measured.iter().enumerate().filter(|(_, x)| x.is_nan());
        cells.map(move |(cell, _)| (cell / channels, cell % channels))
    }
}
