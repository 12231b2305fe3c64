//! A person's own table with a numeric target, and Table 1 of BB98: test error, calibration and predictions of every approximation.

mod figures;
mod records;
mod report;
mod rows;
mod run;
mod spec;
#[cfg(test)]
mod tests;
mod work;

pub use spec::TableSpec;

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::fields::Approximation;
use crate::data::{Preprocessing, RowIds};
use crate::lab::Ending;
use crate::math::stats::{Mean, mean};

/// Several starts of each fit, on one or more splits of the rows.
pub struct OwnTable;

/// What is fitted, in this order.
pub const FITTED: [Approximation; 5] = [
    Approximation::Map,
    Approximation::Laplace,
    Approximation::Diagonal,
    Approximation::Factor,
    Approximation::Full,
];
/// Predictive intervals whose coverage is counted: share, and half width in standard deviations.
pub const INTERVALS: [(f64, f64); 3] =
    [(0.5, 0.674_489_750_196_081_7), (0.8, 1.281_551_565_544_600_4), (0.95, 1.959_963_984_540_054)];

/// What a worker sends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableSnapshot {
    /// The rows of the first split.
    pub table: Option<Rc<TableInfo>>,
    /// One for each start of each fit on each split.
    pub fits: Vec<Rc<FitRow>>,
}

/// The rows of the first split, without their inputs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableInfo {
    /// Names of the inputs.
    pub names: Vec<String>,
    /// Names of columns left out, since they are the same in every training row.
    pub constant: Vec<String>,
    /// What was done to rows and columns.
    pub treated: Preprocessing,
    /// Name of the target.
    pub label: String,
    /// What identifies the rows that are predicted, if a column does: test rows, those without a target, those of the second file.
    pub ids: Option<RowIds>,
    /// Training rows.
    pub trained: usize,
    /// Where test rows stand, and their targets in units of the table.
    pub tests: Vec<(usize, f64)>,
    /// Where the rows without a target stand.
    pub unlabelled: Vec<usize>,
    /// Where those of the second file stand in that.
    pub second: Vec<usize>,
    /// Whether columns and target are standardised.
    pub standardised: bool,
}

/// Test scores of predictors without a network; `None` without test rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Baselines {
    /// The mean and the standard deviation of the training targets.
    pub mean: Option<Scores>,
    /// Bayesian linear regression.
    pub linear: Option<Scores>,
}

/// A start of a fit on a split, ended or under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitRow {
    /// Which split, from 0.
    pub split: usize,
    /// What is fitted.
    pub method: Approximation,
    /// Which start, from 0.
    pub restart: usize,
    /// −ELBO; NaN for the mode alone.
    pub negative_elbo: f64,
    /// Least value of what is minimised.
    pub least: f64,
    /// Prior and noise precision found.
    pub alpha: f64,
    /// See `alpha`.
    pub beta: f64,
    /// Evaluations of what is minimised.
    pub evaluations: usize,
    /// How it ended; `None` while it goes on.
    pub ending: Option<Ending>,
    /// Scores on the test rows; `None` without test rows.
    pub scores: Option<Scores>,
    /// Scores of predictors without a network; computed by the first unit of a split.
    pub baselines: Option<Baselines>,
    /// Mean squared error on the training rows, as the network sees targets.
    pub train_mse: f64,
    /// Mean of f and standard deviation of a new target, in units of the table: test rows, rows without a target, rows of the
    /// second file. Of the first split only.
    pub said: Vec<(f64, f64)>,
}

/// Scores of a fit on the test rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// Mean squared error of the mean of f, as the network sees targets: standardised, if they are.
    pub mse: f64,
    /// Root of the mean squared error, in units of the table.
    pub rmse: f64,
    /// Mean log density of the targets, in units of the table.
    pub ln_density: f64,
    /// Share of the targets inside each of [`INTERVALS`].
    pub coverage: [f64; 3],
}

impl TableSnapshot {
    /// The fit that predicts: that of the approximation with the lowest −ELBO on the first split, if there is one.
    pub fn chosen(&self) -> Option<&FitRow> {
        let bounds = FITTED.into_iter().filter_map(|method| self.best(0, method));
        let bounds = bounds.filter(|row| row.negative_elbo.is_finite());
        bounds.reduce(|a, b| if b.negative_elbo < a.negative_elbo { b } else { a })
    }

    /// The best start of a method on a split that has ended.
    pub fn best(&self, split: usize, method: Approximation) -> Option<&FitRow> {
        let rows = self.fits.iter().map(Rc::as_ref).filter(|row| (row.split, row.method) == (split, method));
        let ended = rows.filter(|row| row.ending.is_some() && row.least.is_finite());
        ended.reduce(|a, b| if b.least < a.least { b } else { a })
    }

    /// Mean over splits of a score of a predictor without a network.
    pub fn baseline(
        &self,
        which: impl Fn(&Baselines) -> Option<Scores>,
        score: impl Fn(&Scores) -> f64,
    ) -> Mean {
        let splits = self.fits.iter().filter_map(|row| row.baselines.as_ref());
        mean(splits.filter_map(|split| which(split).as_ref().map(&score)).collect::<Vec<_>>().into_iter())
    }

    /// Mean over splits of a score of a method.
    pub fn over_splits(&self, method: Approximation, score: impl Fn(&Scores) -> f64) -> Mean {
        let splits = self.fits.iter().map(|row| row.split + 1).max().unwrap_or(0);
        let scores: Vec<f64> =
            (0..splits).filter_map(|split| self.best(split, method)?.scores.as_ref().map(&score)).collect();
        mean(scores.into_iter())
    }
}
