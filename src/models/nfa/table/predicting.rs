//! Sources and missing values of the rows of a second file by the networks of a finished run.

use std::rc::Rc;

use super::work::{NewRowsInference, TableWork};
use super::{TableRow, TableSnapshot};
use crate::lab::{Budget, Predictions};

/// Inference of new rows by all fits of a finished run, one after the other.
pub struct FactorPredictions {
    work: TableWork,
    /// Fits of the finished run, in their order.
    fits: Vec<Rc<TableRow>>,
    /// Results of the first fits.
    done: Vec<Rc<TableRow>>,
    /// Inference by the next fit, once it has begun.
    current: Option<NewRowsInference>,
}

impl FactorPredictions {
    /// Prepares the inference by the fits of a `finished` run; `work` has the rows of both files.
    pub fn new(work: TableWork, finished: &TableSnapshot) -> Self {
        Self { work, fits: finished.rows.clone(), done: Vec::new(), current: None }
    }
}

impl Predictions for FactorPredictions {
    type Snapshot = TableSnapshot;

    fn step(&mut self, budget: &mut Budget) -> bool {
        let Some(fit) = self.fits.get(self.done.len()) else { return true };
        let current = self.current.get_or_insert_with(|| self.work.inference_of_finished(fit));
        if let Some(row) = self.work.infer(current, budget) {
            self.done.push(Rc::new(row));
            self.current = None;
        }
        self.done.len() == self.fits.len()
    }

    fn fraction(&self) -> f64 {
        self.done.len() as f64 / self.fits.len().max(1) as f64
    }

    fn complete(&mut self, _finished: TableSnapshot) -> TableSnapshot {
        TableSnapshot { rows: self.done.drain(..).collect() }
    }
}
