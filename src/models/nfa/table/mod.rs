//! One's own measurements: their hidden sources, and predictions of the missing values.

mod figures;
mod records;
mod report;
mod run;
mod spec;
#[cfg(test)]
mod tests;

pub use spec::TableSpec;

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::fit::Fitted;
use crate::data::{Preprocessing, RowIds};

/// Nonlinear factor analysis of the user's table.
pub struct OwnData;

/// What a worker sends: one row a restart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableSnapshot {
    /// In the order of the restarts.
    pub rows: Vec<Rc<TableRow>>,
}

/// One fit of the table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableRow {
    /// Which restart.
    pub restart: usize,
    /// What is seen of it, in units of the table, but for sources of standardised columns.
    pub fitted: Fitted,
    /// Names of the channels.
    pub names: Vec<String>,
    /// Columns that were left out because they do not vary.
    pub constant: Vec<String>,
    /// What was done to its rows.
    pub treated: Preprocessing,
    /// What identifies its rows, if a column does.
    pub ids: Option<RowIds>,
    /// Where each row of the table stands.
    pub lines: Vec<usize>,
    /// The table, T×m; NaN where a cell is missing.
    pub measured: Vec<f32>,
    /// What the network makes of each row, T×m; of a fit that is done.
    pub reconstruction: Vec<f32>,
    /// Standard deviation of a measurement there, T×m.
    pub reconstruction_sd: Vec<f32>,
}

impl TableSnapshot {
    /// The row that is shown: the first until all are done, then that of the lowest cost.
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
    /// Cells that are missing, as (row, channel).
    pub fn holes(&self) -> impl Iterator<Item = (usize, usize)> {
        let channels = self.names.len().max(1);
        let cells = self.measured.iter().enumerate().filter(|(_, x)| x.is_nan());
        cells.map(move |(cell, _)| (cell / channels, cell % channels))
    }
}
