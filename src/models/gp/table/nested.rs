//! A classifier fitted within a unit: to some of the rows, or to one class against the others.

use super::classifier::ClassifierWork;
use super::rows::TableRows;
use super::units::ClassifierUnit;
use super::{Classifier, ClassifierSnapshot, HyperparameterValues, TableSpec};
use crate::lab::Budget;
use crate::lab::labelled_table::Fold;

/// Units of a classifier, one after the other.
pub struct NestedFit {
    work: Box<ClassifierWork>,
    /// The units with their expected costs.
    units: Vec<(ClassifierUnit, f64)>,
    /// Number of units done.
    done: usize,
}

impl NestedFit {
    /// Prepares the `units`. `origin` are the settings at which the searches of a fold begin.
    pub fn new(
        spec: &TableSpec,
        rows: TableRows,
        units: Vec<ClassifierUnit>,
        origin: Option<HyperparameterValues>,
    ) -> Self {
        let count = rows.train.len();
        let units: Vec<_> = units.into_iter().map(|unit| (unit, unit.cost(spec, count))).collect();
        let mut work = Box::new(ClassifierWork::new(spec.clone(), rows, None).with_origin(origin));
        units.first().into_iter().for_each(|(unit, _)| work.begin(*unit));
        Self { work, units, done: 0 }
    }

    /// Makes a step; returns true after the last.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        if self.done < self.units.len() && self.work.step(budget) {
            self.done += 1;
            self.units.get(self.done).into_iter().for_each(|(unit, _)| self.work.begin(*unit));
        }
        self.done == self.units.len()
    }

    /// Returns the fraction done, an estimate.
    pub fn fraction(&self) -> f64 {
        if self.done == self.units.len() {
            return 1.0;
        }
        let cost = |units: &[(ClassifierUnit, f64)]| units.iter().map(|(_, cost)| cost).sum::<f64>();
        let current = self.units.get(self.done).map_or(0.0, |(_, cost)| cost * self.work.fraction());
        (cost(&self.units[..self.done]) + current) / cost(&self.units)
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
    /// Prepares the fit to the training rows without `held_out`, which begins at the settings `fitted` to all rows, if there are any.
    pub fn new(
        spec: &TableSpec,
        rows: &TableRows,
        held_out: Vec<usize>,
        fitted: Option<HyperparameterValues>,
    ) -> Self {
        let units = ClassifierUnit::of_fold(spec);
        let fit = NestedFit::new(spec, rows.hold_out(&held_out), units, fitted);
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
        let snapshot = self.fit.snapshot();
        let shown = snapshot.shown()?;
        let p = |classifier: &Classifier| -> Option<Vec<f64>> {
            Some(classifier.solution.as_ref()?.predictions.test.iter().map(|row| row.p).collect())
        };
        let given = snapshot.given.as_ref().filter(|_| snapshot.fitted.is_some());
        let (p, before_fit) = (p(shown), given.and_then(p));
        Some(Fold { hyper: shown.solve.hyper, p, before_fit, rows: self.held_out })
    }
}

/// Work on one class against all others: the given units on all rows, then folds.
pub struct ClassFit {
    /// Index of the class.
    pub class: usize,
    spec: TableSpec,
    rows: TableRows,
    all: NestedFit,
    /// Held-out rows of the remaining folds, in reverse order.
    remaining: Vec<Vec<usize>>,
    fold: Option<FoldFit>,
    folds: Vec<Fold<HyperparameterValues>>,
    /// Expected costs of the units and of a fold.
    costs: (f64, f64),
}

impl ClassFit {
    /// Prepares the work on a class, with the `rows` of the class against all others and the held-out rows of each fold.
    pub fn new(
        spec: &TableSpec,
        class: usize,
        rows: TableRows,
        units: Vec<ClassifierUnit>,
        folds: Vec<Vec<usize>>,
    ) -> Self {
        let count = rows.train.len();
        let cost = units.iter().map(|unit| unit.cost(spec, count)).sum();
        let fold = ClassifierUnit::of_fold(spec).into_iter().map(|unit| unit.cost(spec, count)).sum();
        let costs = (cost, fold);
        let all = NestedFit::new(spec, rows.clone(), units, None);
        let remaining = folds.into_iter().rev().collect();
        Self { class, spec: spec.clone(), rows, all, remaining, fold: None, folds: Vec::new(), costs }
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
        let fitted = self.all.snapshot().fitted_values();
        self.fold =
            self.remaining.pop().map(|held_out| FoldFit::new(&self.spec, &self.rows, held_out, fitted));
        self.fold.is_none()
    }

    /// Returns the fraction done, an estimate.
    pub fn fraction(&self) -> f64 {
        let (all, each) = self.costs;
        let folds = self.folds.len() + usize::from(self.fold.is_some()) + self.remaining.len();
        let done = match &self.fold {
            None => all * self.all.fraction(),
            Some(fold) => all + each * (self.folds.len() as f64 + fold.fraction()),
        };
        done / (all + each * folds as f64)
    }

    /// Describes the current step.
    pub fn note(&self) -> String {
        if self.fold.is_some() { "cross-validation".to_owned() } else { self.all.note() }
    }

    /// Returns the results of all rows so far.
    pub fn snapshot(&self) -> &ClassifierSnapshot {
        self.all.snapshot()
    }

    /// Returns the finished folds.
    pub fn folds(&self) -> &[Fold<HyperparameterValues>] {
        &self.folds
    }
}
