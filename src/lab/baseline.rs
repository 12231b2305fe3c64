//! What a classifier of a table is compared with: logistic regression on the same rows.

use serde::{Deserialize, Serialize};

use crate::data::folds::stratified;
use crate::math::Budget;
use crate::math::logistic::Logistic;

/// Folds in which training rows are predicted where there are no test rows.
const FOLDS: usize = 10;

/// Predictions of logistic regression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Baseline {
    /// Probabilities of +1 of the test rows, learnt from all training rows.
    Test(Vec<f64>),
    /// Where there are none: of the training rows, each learnt from the nine tenths without it; NaN where that is not possible.
    TenFold(Vec<f64>),
}

impl Baseline {
    /// How the rows were predicted, and their probabilities of +1.
    pub fn predictions(&self) -> (&'static str, &[f64]) {
        match self {
            Self::Test(p) => ("test rows", p),
            Self::TenFold(p) => ("10 folds", p),
        }
    }
}

/// The fits of logistic regression, one after the other.
pub struct BaselineFit {
    /// In which fold each training row is held out; none where there are test rows.
    folds: Option<Vec<usize>>,
    fold: usize,
    fit: Option<Logistic>,
    found: Vec<f64>,
}

/// Rows of a table with two classes, as a baseline sees them.
pub struct Examples<'a> {
    /// Inputs and label ±1 of each training row.
    pub train: Vec<(&'a [f64], f64)>,
    /// Inputs of the test rows.
    pub test: Vec<&'a [f64]>,
}

impl BaselineFit {
    /// Before the first. `seed` deals the folds.
    pub fn new(rows: &Examples<'_>, seed: u64) -> Self {
        let labels: Vec<f64> = rows.train.iter().map(|row| row.1).collect();
        let folds = rows.test.is_empty().then(|| stratified(&labels, FOLDS, seed));
        let found = vec![f64::NAN; if folds.is_some() { labels.len() } else { rows.test.len() }];
        Self { folds, fold: 0, fit: None, found }
    }

    /// One evaluation of one fit, of the same rows each time; the predictions after the last.
    pub fn step(&mut self, rows: &Examples<'_>, budget: &mut Budget) -> Option<Baseline> {
        let held_out = |row: usize| self.folds.as_ref().is_some_and(|folds| folds[row] == self.fold);
        let fit = self.fit.get_or_insert_with(|| {
            let learnt = rows.train.iter().enumerate().filter(|(row, _)| !held_out(*row));
            Logistic::new(learnt.map(|(_, row)| *row))
        });
        budget.spend(fit.work());
        if !fit.step() {
            return None;
        }
        match &self.folds {
            None => self.found = rows.test.iter().map(|row| fit.probability(row)).collect(),
            Some(folds) => {
                for (row, _) in folds.iter().enumerate().filter(|(_, fold)| **fold == self.fold) {
                    self.found[row] = fit.probability(rows.train[row].0);
                }
            }
        }
        self.fit = None;
        self.fold += 1;
        let last = if self.folds.is_some() { FOLDS } else { 1 };
        (self.fold == last).then(|| {
            let found = std::mem::take(&mut self.found);
            if self.folds.is_some() { Baseline::TenFold(found) } else { Baseline::Test(found) }
        })
    }

    /// Fraction done.
    pub fn fraction(&self) -> f64 {
        if self.folds.is_some() { self.fold as f64 / FOLDS as f64 } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn predictions(rows: &Examples<'_>) -> Baseline {
        let mut fit = BaselineFit::new(rows, 1);
        loop {
            let mut budget = Budget::slice();
            if let Some(found) = fit.step(rows, &mut budget) {
                return found;
            }
        }
    }

    #[test]
    fn a_row_is_predicted_without_itself() {
        // Every row is a column of its own: what is not learnt from cannot be known.
        let inputs: Vec<Vec<f64>> =
            (0..20).map(|i| (0..20).map(|j| f64::from(u8::from(i == j))).collect()).collect();
        let label = |i: usize| if i < 10 { 1.0 } else { -1.0 };
        let train = inputs.iter().enumerate().map(|(i, row)| (row.as_slice(), label(i))).collect();
        let rows = Examples { train, test: Vec::new() };
        let Baseline::TenFold(found) = predictions(&rows) else { panic!("there are no test rows") };
        assert!(found.iter().all(|p| (p - 0.5).abs() < 1e-3), "{found:?}");
        let test = inputs.iter().map(Vec::as_slice).collect();
        let Baseline::Test(seen) = predictions(&Examples { test, ..rows }) else { panic!("there are") };
        assert!(seen.iter().enumerate().all(|(i, p)| (p - 0.5) * label(i) > 0.1), "{seen:?}");
    }
}
