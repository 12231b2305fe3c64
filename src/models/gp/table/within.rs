//! An experiment within a unit of another: with some of its rows, or one of its classes against the others.

use super::OwnSnapshot;
use super::OwnSpec;
use super::experiment::OwnWork;
use super::rows::Rows;
use super::units::Unit;
use crate::lab::{Budget, Work};

/// Its units, one after the other.
pub struct Within {
    work: Box<OwnWork>,
    units: Vec<Unit>,
    done: usize,
}

impl Within {
    /// The starts of the fit that `spec` asks for, the classifier, and what comes `after`.
    pub fn new(spec: &OwnSpec, rows: Rows, after: Option<Unit>) -> Self {
        let units: Vec<Unit> =
            (0..spec.starts()).map(Unit::Search).chain([Unit::Main]).chain(after).collect();
        let mut work = Box::new(OwnWork::new(spec.clone(), rows, None));
        work.enter(units[0]);
        Self { work, units, done: 0 }
    }

    /// A step of it; `true` after the last.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        if self.work.step(budget) {
            self.done += 1;
            self.units.get(self.done).into_iter().for_each(|unit| self.work.enter(*unit));
        }
        self.done == self.units.len()
    }

    /// Fraction done, as far as it is known.
    pub fn fraction(&self) -> f64 {
        (self.done as f64 + self.work.fraction()) / self.units.len() as f64
    }

    /// What it is doing.
    pub fn note(&self) -> String {
        self.work.note()
    }

    /// What it has found.
    pub fn snapshot(&self) -> OwnSnapshot {
        self.work.snapshot()
    }
}
