//! Baseline of a classifier of a table: logistic regression on the same rows.

use serde::{Deserialize, Serialize};

use crate::data::folds::stratified;
use crate::data::{Dataset, RowRole};
use crate::math::Budget;
use crate::math::logistic::Logistic;

/// Folds in which the training rows are predicted if there are no test rows.
const FOLDS: usize = 10;

/// Predictions of logistic regression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Baseline {
    /// Probabilities of +1 of the test rows, fitted to all training rows.
    Test(Vec<f64>),
    /// Probabilities of +1 of the training rows by ten-fold cross-validation, if there are no test rows; NaN for a row without
    /// a prediction.
    TenFold(Vec<f64>),
}

impl Baseline {
    /// Returns the rows that are predicted, in words, and their probabilities of +1.
    pub fn predictions(&self) -> (&'static str, &[f64]) {
        match self {
            Self::Test(p) => ("test rows", p),
            Self::TenFold(p) => ("10 folds", p),
        }
    }
}

/// Fits of logistic regression under way, one after the other.
pub struct BaselineFit {
    /// Fold of each training row; `None` if there are test rows.
    folds: Option<Vec<usize>>,
    fold: usize,
    fit: Option<Logistic>,
    /// Cross-validated probabilities so far, m.
    p: Vec<f64>,
}

/// Labelled rows of a table with two classes.
pub struct BaselineRows<'a> {
    /// Inputs and label ±1 of each training row.
    pub train: Vec<(&'a [f64], f64)>,
    /// Group of each training row; rows of a group are held out together.
    pub groups: Vec<usize>,
    /// Inputs of the test rows.
    pub test: Vec<&'a [f64]>,
}

impl<'a> BaselineRows<'a> {
    /// Returns the labelled rows of a data set.
    pub fn of(set: &'a Dataset) -> Self {
        Self {
            train: set.of(RowRole::Train).map(|i| (set.row(i), set.sign(i))).collect(),
            groups: set.of(RowRole::Train).map(|i| set.groups[i]).collect(),
            test: set.of(RowRole::Test).map(|i| set.row(i)).collect(),
        }
    }
}

impl BaselineFit {
    /// Prepares the first fit. `seed` assigns the rows to folds.
    pub fn new(rows: &BaselineRows<'_>, seed: u64) -> Self {
        let labels: Vec<f64> = rows.train.iter().map(|row| row.1).collect();
        let folds = rows.test.is_empty().then(|| stratified(&labels, &rows.groups, FOLDS, seed));
        Self { folds, fold: 0, fit: None, p: vec![f64::NAN; labels.len()] }
    }

    /// Makes one evaluation of one fit; returns the predictions after the last. `rows` are the same in each step.
    pub fn step(&mut self, rows: &BaselineRows<'_>, budget: &mut Budget) -> Option<Baseline> {
        let held_out = |row: usize| self.folds.as_ref().is_some_and(|folds| folds[row] == self.fold);
        let fit = self.fit.get_or_insert_with(|| {
            let learnt = rows.train.iter().enumerate().filter(|(row, _)| !held_out(*row));
            Logistic::new(learnt.map(|(_, row)| *row))
        });
        budget.spend(fit.work());
        if !fit.step() {
            return None;
        }
        let Some(folds) = &self.folds else {
            return Some(Baseline::Test(rows.test.iter().map(|row| fit.probability(row)).collect()));
        };
        for (row, _) in folds.iter().enumerate().filter(|(_, fold)| **fold == self.fold) {
            self.p[row] = fit.probability(rows.train[row].0);
        }
        self.fit = None;
        self.fold += 1;
        (self.fold == FOLDS).then(|| Baseline::TenFold(std::mem::take(&mut self.p)))
    }

    /// Returns the fraction done.
    pub fn fraction(&self) -> f64 {
        if self.folds.is_some() { self.fold as f64 / FOLDS as f64 } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn predictions(rows: &BaselineRows<'_>) -> Baseline {
        let mut fit = BaselineFit::new(rows, 1);
        loop {
            if let Some(baseline) = fit.step(rows, &mut Budget::slice()) {
                return baseline;
            }
        }
    }

    #[test]
    fn a_training_row_is_predicted_without_itself() {
        // Every row has an input of its own, so nothing is known of a held-out row.
        let inputs: Vec<Vec<f64>> =
            (0..20).map(|i| (0..20).map(|j| f64::from(u8::from(i == j))).collect()).collect();
        let label = |i: usize| if i < 10 { 1.0 } else { -1.0 };
        let train = inputs.iter().enumerate().map(|(i, row)| (row.as_slice(), label(i))).collect();
        let rows = BaselineRows { train, groups: (0..20).collect(), test: Vec::new() };
        let Baseline::TenFold(p) = predictions(&rows) else { panic!("there are no test rows") };
        assert!(p.iter().all(|p| (p - 0.5).abs() < 1e-3), "{p:?}");
        let test = inputs.iter().map(Vec::as_slice).collect();
        let Baseline::Test(p) = predictions(&BaselineRows { test, ..rows }) else {
            panic!("there are test rows")
        };
        assert!(p.iter().enumerate().all(|(i, p)| (p - 0.5) * label(i) > 0.1), "{p:?}");
    }
}
