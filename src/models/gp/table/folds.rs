//! A fold of cross-validation: settings and classifier of the rows that are not held out, found just as those of all rows are.

use super::rows::Rows;
use super::within::Within;
use super::{Fold, Main, OwnSpec};
use crate::data::folds::stratified;
use crate::lab::Budget;

/// A fold under way.
pub struct Folding {
    held_out: Vec<usize>,
    inner: Within,
}

impl Folding {
    /// Fold number `fold` of those that `spec` asks for, of these rows.
    pub fn new(spec: &OwnSpec, rows: &Rows, fold: usize) -> Self {
        let folds = stratified(&rows.tau, spec.folds, spec.seed);
        let held_out = (0..folds.len()).filter(|row| folds[*row] == fold).collect();
        Self { held_out, inner: Within::new(spec, rows.hold_out(|row| folds[row] == fold), None) }
    }

    /// A step of it; the fold when it is done.
    pub fn step(&mut self, budget: &mut Budget) -> Option<Fold> {
        if !self.inner.step(budget) {
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

    /// Fraction done, as far as it is known.
    pub fn fraction(&self) -> f64 {
        self.inner.fraction()
    }
}
