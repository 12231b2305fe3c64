//! Regression on a table of the user, and Table 1 of BB98: test errors, calibration and predictions of every approximation.

mod figures;
mod predicting;
mod report;
mod rows;
mod spec;
mod task;
#[cfg(test)]
mod tests;
mod work;

pub use spec::TableSpec;

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::fields::Approximation;
use super::fits::{self, FitRow};
use crate::lab::labelled_table::numeric::{NumericSummary, PredictedTarget, TargetBaselines, TestScores};
use crate::lab::labelled_table::{ColumnEffect, DependenceCurve, RowPredictions};
use crate::math::resampling::over_splits;
use crate::math::stats::{Mean, mean};
use crate::models::mlp::solver::gaussian::WeightGaussian;

/// Several starts of each fit, on one or more random splits of the rows.
pub struct NetworkRegression;

/// Snapshot of a regression on a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableSnapshot {
    /// Rows and columns of the first split.
    pub table: Option<Rc<NumericSummary>>,
    /// Finished starts of the fits on all splits.
    pub fits: Vec<Rc<FitRow<TableFit>>>,
}

/// Results of a fit on a split.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableFit {
    /// Index of the split, from 0; the number of splits for a fit to all labelled rows.
    pub split: usize,
    /// Scores on the test rows; `None` without test rows.
    pub scores: Option<TestScores>,
    /// Scores of predictors without a network, in the row of the first unit of each split.
    pub baselines: Option<TargetBaselines>,
    /// Mean squared error on the training rows, standardised if the table is.
    pub train_mse: f64,
    /// Predictions of test rows, rows without a target and rows of the second file; empty except on the first split and for a fit to all
    /// labelled rows.
    pub predicted: Vec<PredictedTarget>,
    /// Effects of the columns on the squared error on the test rows, standardised if the table is; empty except on the first split.
    pub effects: Vec<ColumnEffect>,
    /// Partial dependence on the columns with the largest effects, in units of the table; empty except on the first split.
    pub dependence: Vec<DependenceCurve>,
    /// Prior variance 1/α of the weights of each column; empty except on the first split, and with one α.
    pub relevances: Vec<f64>,
    /// Gaussian approximation of the posterior of the weights; `None` except on the first split and for a fit to all labelled rows.
    pub q: Option<WeightGaussian>,
}

/// Difference of the mean squared test errors of two methods on the same splits.
#[derive(Clone, Copy, Debug)]
pub struct PairedDifference {
    /// Method of the first error.
    pub method: Approximation,
    /// Method of the error that is subtracted.
    pub less: Approximation,
    /// Mean over the splits.
    pub mse: Mean,
}

impl TableSnapshot {
    /// Returns the fit that predicts: the one with the lowest −ELBO on the first split.
    pub fn lowest_bound(&self) -> Option<&FitRow<TableFit>> {
        let fits = Approximation::ALL.into_iter().filter_map(|method| self.best(0, method));
        let bounds = fits.filter(|row| row.negative_elbo.is_finite());
        bounds.reduce(|a, b| if b.negative_elbo < a.negative_elbo { b } else { a })
    }

    /// Returns the relevances by the fit with the lowest −ELBO among those that have them; `None` before the first.
    pub fn relevances(&self) -> Option<&[f64]> {
        let fits = Approximation::ALL.into_iter().filter_map(|method| self.best(0, method));
        let fits = fits.filter(|row| !row.details.relevances.is_empty() && row.negative_elbo.is_finite());
        let best = fits.reduce(|a, b| if b.negative_elbo < a.negative_elbo { b } else { a })?;
        Some(&best.details.relevances)
    }

    /// Returns the predictions of rows without a target and rows of the second file, with the number of labelled rows that were fitted:
    /// all of them once the fit to all labelled rows has finished, otherwise the training rows of the first split.
    pub fn new_rows(&self, splits: usize) -> Option<(&[PredictedTarget], usize)> {
        let (table, first) = (self.table.as_ref()?, self.lowest_bound()?);
        let tests = table.tests.len();
        Some(match self.best(splits, first.method) {
            Some(all) => (&all.details.predicted[..], table.trained + tests),
            None => (first.details.predicted.get(tests..).unwrap_or_default(), table.trained),
        })
    }

    /// Returns the predictions of test rows by the predicting fit, and of rows without a target and of the second file by
    /// [`Self::new_rows`].
    pub fn predictions(&self, splits: usize) -> Option<RowPredictions<PredictedTarget>> {
        let (table, fit) = (self.table.as_ref()?, self.lowest_bound()?);
        let (new, _) = self.new_rows(splits)?;
        let (unlabelled, second) = new.split_at(table.unlabelled.len().min(new.len()));
        Some(RowPredictions {
            left_out: Vec::new(),
            test: fit.details.predicted.iter().take(table.tests.len()).copied().collect(),
            unlabelled: unlabelled.to_vec(),
            second: second.to_vec(),
        })
    }

    /// Returns the best start of `method` on a split.
    pub fn best(&self, split: usize, method: Approximation) -> Option<&FitRow<TableFit>> {
        let rows = self.fits.iter().map(Rc::as_ref);
        fits::best_finished(rows.filter(|row| (row.details.split, row.method) == (split, method)))
    }

    /// Returns the mean of a score over the splits. They share rows, which its standard error allows for.
    fn mean_over_splits(&self, scores: impl Iterator<Item = f64>) -> Mean {
        let scores: Vec<f64> = scores.collect();
        let naive = mean(scores.iter().copied());
        let rows = self.table.as_ref().map(|table| (table.trained, table.tests.len()));
        rows.map_or(naive, |(train, test)| Mean {
            se: over_splits(scores.iter().copied(), train, test).se,
            ..naive
        })
    }

    /// Returns the paired differences of test errors that the paper's table implies: each method less the one before.
    pub fn differences(&self, splits: usize) -> [PairedDifference; 2] {
        let mse = |split, method| Some(self.best(split, method)?.details.scores.as_ref()?.mse);
        let [laplace, diagonal, factor] =
            [Approximation::Laplace, Approximation::Diagonal, Approximation::Factor];
        [(diagonal, laplace), (factor, diagonal)].map(|(method, less)| {
            let each = (0..splits).filter_map(|split| Some(mse(split, method)? - mse(split, less)?));
            PairedDifference { method, less, mse: self.mean_over_splits(each) }
        })
    }

    /// Returns the mean over the splits of a score of a predictor without a network.
    pub fn baseline(
        &self,
        which: impl Fn(&TargetBaselines) -> Option<TestScores>,
        score: impl Fn(&TestScores) -> f64,
    ) -> Mean {
        let splits = self.fits.iter().filter_map(|row| row.details.baselines.as_ref());
        self.mean_over_splits(splits.filter_map(|split| which(split).as_ref().map(&score)))
    }

    /// Returns the mean over the splits of a score of `method`.
    pub fn over_splits(&self, method: Approximation, score: impl Fn(&TestScores) -> f64) -> Mean {
        let splits = self.fits.iter().map(|row| row.details.split + 1).max().unwrap_or(0);
        self.mean_over_splits(
            (0..splits).filter_map(|split| self.best(split, method)?.details.scores.as_ref().map(&score)),
        )
    }
}
