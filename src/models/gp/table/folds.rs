//! A fold of cross-validation: settings and classifier of the rows that are not held out, found just as those of all rows are.

use super::experiment::OwnWork;
use super::rows::Rows;
use super::units::Unit;
use super::{Fold, Main, OwnSpec};
use crate::data::folds::stratified;
use crate::lab::{Budget, Work};

/// A fold under way.
pub struct Folding {
    held_out: Vec<usize>,
    inner: Box<OwnWork>,
    /// Starts of the fit that have been made, of all there are.
    searched: usize,
    starts: usize,
}

impl Folding {
    /// Fold number `fold` of those that `spec` asks for, of these rows.
    pub fn new(spec: &OwnSpec, rows: &Rows, fold: usize) -> Self {
        let folds = stratified(&rows.tau, spec.folds, spec.seed);
        let held_out = (0..folds.len()).filter(|row| folds[*row] == fold).collect();
        let starts = spec.starts();
        let mut inner = Box::new(OwnWork::new(spec.clone(), rows.hold_out(|row| folds[row] == fold), None));
        inner.enter(if starts > 0 { Unit::Search(0) } else { Unit::Main });
        Self { held_out, inner, searched: 0, starts }
    }

    /// A step of it; the fold when it is done.
    pub fn step(&mut self, budget: &mut Budget) -> Option<Fold> {
        if !self.inner.step(budget) {
            return None;
        }
        if self.searched < self.starts {
            self.searched += 1;
            let more = self.searched < self.starts;
            self.inner.enter(if more { Unit::Search(self.searched) } else { Unit::Main });
            return None;
        }
        let Main { attempt, solved, .. } = self.inner.snapshot().main?;
        Some(Fold {
            rows: std::mem::take(&mut self.held_out),
            predictions: solved.map(|solved| solved.test),
            sigma2: attempt.sigma2,
            v: attempt.v,
            kappa: attempt.kappa,
        })
    }

    /// Fraction done, as far as it can be told.
    pub fn fraction(&self) -> f64 {
        (self.searched as f64 + self.inner.fraction()) / (self.starts as f64 + 1.0)
    }
}
