//! A classifier fitted within a unit: to some of the rows, or to one class against the others.

use super::classifier::ClassifierWork;
use super::rows::TableRows;
use super::units::ClassifierUnit;
use super::{ClassifierSnapshot, TableSpec};
use crate::lab::Budget;

/// Fit of the hyperparameters, classifier and possibly baseline, one after the other.
pub struct NestedFit {
    work: Box<ClassifierWork>,
    units: Vec<ClassifierUnit>,
    /// Number of units done.
    done: usize,
}

impl NestedFit {
    /// Prepares the starts of the fit that `spec` requests, the classifier, and then `last`.
    pub fn new(spec: &TableSpec, rows: TableRows, last: Option<ClassifierUnit>) -> Self {
        let starts = (0..spec.starts()).map(ClassifierUnit::Start);
        let units: Vec<_> = starts.chain([ClassifierUnit::Main]).chain(last).collect();
        let mut work = Box::new(ClassifierWork::new(spec.clone(), rows, None));
        work.begin(units[0]);
        Self { work, units, done: 0 }
    }

    /// Makes a step; returns true after the last.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        if self.work.step(budget) {
            self.done += 1;
            self.units.get(self.done).into_iter().for_each(|unit| self.work.begin(*unit));
        }
        self.done == self.units.len()
    }

    /// Returns the fraction done, an estimate.
    pub fn fraction(&self) -> f64 {
        (self.done as f64 + self.work.fraction()) / self.units.len() as f64
    }

    /// Describes the current step.
    pub fn note(&self) -> String {
        self.work.note()
    }

    /// Returns the results so far.
    pub fn snapshot(&self) -> &ClassifierSnapshot {
        self.work.snapshot()
    }
}
