//! A classifier fitted within a unit: to some of the rows, or to one class against the others.

use super::classifier::ClassifierWork;
use super::rows::TableRows;
use super::units::ClassifierUnit;
use super::{ClassifierSnapshot, HyperparameterValues, TableSpec};
use crate::lab::Budget;
use crate::lab::labelled_table::Fold;

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

/// Fit to the rows of all folds but one.
pub struct FoldFit {
    /// Held-out rows, ascending.
    held_out: Vec<usize>,
    fit: NestedFit,
}

impl FoldFit {
    /// Prepares the fit to the training rows without `held_out`.
    pub fn new(spec: &TableSpec, rows: &TableRows, held_out: Vec<usize>) -> Self {
        let fit = NestedFit::new(spec, rows.hold_out(&held_out), None);
        Self { held_out, fit }
    }

    /// Makes a step; returns true after the last.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        self.fit.step(budget)
    }

    /// Returns the fraction done, an estimate.
    pub fn fraction(&self) -> f64 {
        self.fit.fraction()
    }

    /// Returns the fold with the predictions of its held-out rows.
    pub fn finish(self) -> Option<Fold<HyperparameterValues>> {
        let main = self.fit.snapshot().main.as_ref()?;
        let test = main.solution.as_ref().map(|solution| &solution.predictions.test);
        let p = test.map(|test| test.iter().map(|row| row.p).collect());
        Some(Fold { rows: self.held_out, p, hyper: main.solve.hyper })
    }
}

/// Fit of one class against all others, to all rows and then without each fold.
pub struct ClassFit {
    /// Index of the class.
    pub class: usize,
    spec: TableSpec,
    rows: TableRows,
    all: NestedFit,
    /// Held-out rows of the remaining folds, in reverse order.
    remaining: Vec<Vec<usize>>,
    fold: Option<FoldFit>,
    /// Total number of folds, and the finished ones.
    count: usize,
    folds: Vec<Fold<HyperparameterValues>>,
}

impl ClassFit {
    /// Prepares the fit of a class, with the `rows` of the class against all others and the held-out rows of each fold.
    pub fn new(spec: &TableSpec, class: usize, rows: TableRows, folds: Vec<Vec<usize>>) -> Self {
        let all = NestedFit::new(spec, rows.clone(), Some(ClassifierUnit::Baseline));
        let count = folds.len();
        let remaining = folds.into_iter().rev().collect();
        Self { class, spec: spec.clone(), rows, all, remaining, fold: None, count, folds: Vec::new() }
    }

    /// Makes a step; returns true after the last.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        let done = match &mut self.fold {
            Some(fold) => fold.step(budget),
            None => self.all.step(budget),
        };
        if !done {
            return false;
        }
        self.folds.extend(self.fold.take().and_then(FoldFit::finish));
        self.fold = self.remaining.pop().map(|held_out| FoldFit::new(&self.spec, &self.rows, held_out));
        self.fold.is_none()
    }

    /// Returns the fraction done, an estimate.
    pub fn fraction(&self) -> f64 {
        let fits = (self.count + 1) as f64;
        match &self.fold {
            None => self.all.fraction() / fits,
            Some(fold) => (1.0 + self.folds.len() as f64 + fold.fraction()) / fits,
        }
    }

    /// Describes the current step.
    pub fn note(&self) -> String {
        if self.fold.is_some() { "cross-validation".to_owned() } else { self.all.note() }
    }

    /// Returns the results of the fit to all rows so far.
    pub fn snapshot(&self) -> &ClassifierSnapshot {
        self.all.snapshot()
    }

    /// Returns the finished folds.
    pub fn folds(&self) -> &[Fold<HyperparameterValues>] {
        &self.folds
    }
}
