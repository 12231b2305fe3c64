//! Predictions of the rows of a second file by the fits of a finished run. If not all labelled rows are training rows and the run had no rows
//! to predict, the predicting fit to all labelled rows follows, as in any run.

use std::rc::Rc;

use super::rows::Split;
use super::work::TableWork;
use super::{TableFit, TableSnapshot, TableSpec};
use crate::lab::labelled_table::numeric::NumericSummary;
use crate::lab::{Budget, Predictions, Work};
use crate::models::mlp::fields::Approximation;
use crate::models::mlp::fits::FitRow;

/// Predictions of new rows by the fits of a finished run.
pub struct NetworkPredictions {
    work: TableWork,
    /// Fits of the finished run, in their order.
    fits: Vec<Rc<FitRow<TableFit>>>,
    /// Number of fits that have predicted.
    done: usize,
    /// True if the fit to all labelled rows follows.
    fits_all_rows: bool,
}

impl NetworkPredictions {
    /// Prepares the predictions by the fits of a `finished` run. `splits` ends with all labelled rows as training rows, if they are needed.
    pub fn new(
        spec: &TableSpec,
        (table, splits): (NumericSummary, Vec<Split>),
        finished: &TableSnapshot,
    ) -> Self {
        let of_all = |fit: &Rc<FitRow<TableFit>>| fit.details.split == spec.splits;
        let mut fits_all_rows = splits.len() > spec.splits && !finished.fits.iter().any(of_all);
        let predicting = finished.lowest_bound().cloned();
        fits_all_rows &= predicting.is_some();
        let mut work = TableWork::new(spec, table, splits, predicting);
        if fits_all_rows {
            work.begin(spec.splits * Approximation::ALL.len() * spec.restarts);
        }
        Self { work, fits: finished.fits.clone(), done: 0, fits_all_rows }
    }

    /// Predicts the rows by the next fit.
    fn predict(&mut self, budget: &mut Budget) {
        if let Some(fit) = self.fits.get_mut(self.done)
            && let Some((predicted, cost)) = self.work.predict(fit)
        {
            budget.spend(cost);
            Rc::make_mut(fit).details.predicted = predicted;
        }
        self.done += 1;
    }
}

impl Predictions for NetworkPredictions {
    type Snapshot = TableSnapshot;

    fn step(&mut self, budget: &mut Budget) -> bool {
        if self.done < self.fits.len() {
            self.predict(budget);
        } else if self.fits_all_rows {
            self.fits_all_rows = !self.work.step(budget);
        }
        self.done >= self.fits.len() && !self.fits_all_rows
    }

    fn fraction(&self) -> f64 {
        let predicted = self.done as f64 / self.fits.len().max(1) as f64;
        if self.fits_all_rows { 0.1 * predicted + 0.9 * self.work.fraction() } else { predicted }
    }

    fn complete(&mut self, _finished: TableSnapshot) -> TableSnapshot {
        let TableSnapshot { table, fits } = self.work.snapshot();
        TableSnapshot { table, fits: self.fits.drain(..).chain(fits).collect() }
    }
}
