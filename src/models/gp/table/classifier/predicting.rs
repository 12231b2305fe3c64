//! Predictions of the rows of a second file by a classifier of a finished run.

use std::ops::Range;

use super::restoring::RestoredClassifier;
use super::{Classifier, TableSpec};
use crate::data::TableSummary;
use crate::lab::Budget;
use crate::models::gp::solver::prediction::Prediction;
use crate::models::gp::table::rows::TableRows;

/// Predictions of new rows by one classifier.
pub struct ClassifierPredictions {
    classifier: RestoredClassifier,
    predicted: Vec<Prediction>,
}

/// Rows of both files, and the predictions of those of the second one.
pub struct PredictedRows {
    /// Rows and columns.
    pub table: TableSummary,
    /// Predictions of the rows of the second file.
    pub second: Vec<Prediction>,
}

impl ClassifierPredictions {
    /// Prepares the predictions of the second rows of `rows` by a `classifier` of a finished run.
    pub fn new(spec: &TableSpec, rows: TableRows, classifier: &Classifier) -> Self {
        Self { classifier: RestoredClassifier::new(spec, rows, classifier), predicted: Vec::new() }
    }

    /// Makes a step; returns true after the last.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        if !self.classifier.step(budget) {
            return false;
        }
        let rest = &self.classifier.rows().predicted[self.second()][self.predicted.len()..];
        let (predicted, work) = self.classifier.predict(rest);
        budget.spend(work);
        let done = predicted.len() == rest.len() || predicted.is_empty();
        self.predicted.extend(predicted);
        done
    }

    /// Returns the estimated fraction that is done.
    pub fn fraction(&self) -> f64 {
        if self.classifier.is_solved() {
            0.5 + 0.5 * self.predicted.len() as f64 / self.second().len().max(1) as f64
        } else {
            0.0
        }
    }

    /// Returns the rows and their predictions.
    pub fn finish(self) -> PredictedRows {
        PredictedRows { table: self.classifier.rows().table.clone(), second: self.predicted }
    }

    /// Returns the indices of the rows of the second file among the predicted rows.
    fn second(&self) -> Range<usize> {
        let rows = self.classifier.rows();
        let all = rows.predicted.len();
        all - rows.table.second_lines.len()..all
    }
}
