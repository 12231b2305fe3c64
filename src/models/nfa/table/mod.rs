//! The task `nfa.data`: hidden sources of a user's table, and predictions of its missing values.

mod channels;
mod figures;
mod predicting;
mod records;
mod report;
mod scatter;
mod spec;
mod task;
#[cfg(test)]
mod tests;
mod work;

pub use spec::TableSpec;

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::fit::FitSummary;
use super::solver::approximate_posterior::ApproximatePosterior;
use crate::data::{CarriedColumns, Preprocessing, WordGroups};

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
    /// The learnt network, by which new rows are predicted, once the fit is finished.
    pub learnt: ApproximatePosterior,
    /// Summary of the fit, in the units of the table; its cost is that of the scaled data.
    pub fitted: FitSummary,
    /// Names of the channels.
    pub names: Vec<String>,
    /// Constant columns, which are not used.
    pub constant: Vec<String>,
    /// Columns of words and empty columns, which are not used.
    pub without_numbers: Vec<String>,
    /// A column of few words, by which rows are coloured.
    pub groups: Option<WordGroups>,
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
    /// Share of the variance of each channel that the reconstruction explains, m, once the fit is finished.
    pub explained: Vec<f64>,
    /// The same of as many principal components as there are sources.
    pub linear_explained: Vec<f64>,
    /// Rows of the second table, once their sources have been inferred.
    pub second: NewRows,
}

/// Rows that are not used in the fit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NewRows {
    /// Line number of each row in its file, T.
    pub lines: Vec<usize>,
    /// Measurements, T×m; NaN if missing.
    pub measured: Vec<f32>,
    /// Posterior means of the sources, T×n.
    pub means: Vec<f32>,
    /// Posterior standard deviations of the sources, T×n.
    pub sds: Vec<f32>,
    /// Reconstruction, T×m.
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
        let share = self.explained.iter().sum::<f64>() / self.explained.len() as f64;
        Some(share).filter(|share| share.is_finite())
    }

    /// Iterates over the missing cells, as (row, channel).
    pub fn missing_cells(&self) -> impl Iterator<Item = (usize, usize)> {
        let channels = self.names.len().max(1);
        let cells = self.measured.iter().enumerate().filter(|(_, x)| x.is_nan());
        cells.map(move |(cell, _)| (cell / channels, cell % channels))
    }
}
