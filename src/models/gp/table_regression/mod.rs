//! Regression with a Gaussian process on the user's table: predictions with intervals, leave-one-out in closed form, and hyperparameters of
//! the largest evidence; exact, or by inducing points if there are many rows.

mod choice;
mod comparison;
mod evaluation;
mod figures;
mod fold;
mod model_work;
mod predicting;
mod report;
mod rows;
mod searches;
mod spec;
mod status;
mod task;
#[cfg(test)]
mod tests;
mod units;
mod work;

pub use spec::ProcessRegressionSpec;

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::fit::SIGMA2;
use comparison::Comparison;
use fold::RegressionFold;

use super::regression::RegressionModel;
use super::regression::fit::sigma2;
use super::solver::kernel::Kernel;
use crate::lab::Ending;
use crate::lab::labelled_table::numeric::{NumericSummary, PredictedTarget, TargetBaselines};
use crate::lab::labelled_table::{ColumnEffect, DependenceCurve, HeldOutComparison, RowPredictions};

/// A regression with a Gaussian process on the user's table.
pub struct ProcessRegression;

/// Results so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProcessRegressionSnapshot {
    /// Rows and columns.
    pub table: Option<Rc<NumericSummary>>,
    /// Scores of predictors without a Gaussian process.
    pub baselines: Option<TargetBaselines>,
    /// Searches from each start, on a sample of the rows if there are many.
    pub starts: Vec<EvidenceSearch>,
    /// The search on all training rows, from the best start.
    pub search: Option<EvidenceSearch>,
    /// The search with one length scale, if relevances are fitted.
    pub one_length_scale_search: Option<EvidenceSearch>,
    /// The model with the given hyperparameters.
    pub given: Option<Rc<SolvedModel>>,
    /// The model with the fitted hyperparameters.
    pub fitted: Option<Rc<SolvedModel>>,
    /// The model with fitted hyperparameters but one length scale, if relevances are fitted.
    pub one_length_scale: Option<Rc<SolvedModel>>,
    /// Folds of cross-validation in their order.
    pub folds: Vec<Rc<RegressionFold>>,
    /// Comparison of relevances with one length scale in the folds.
    pub held_out: HeldOutComparison,
    /// The model that has learnt the test rows too, if there are rows to predict.
    pub refitted: Option<Rc<SolvedModel>>,
    /// Comparison of the full model with that by inducing points, if there are any.
    pub comparison: Option<Comparison>,
}

/// Hyperparameters of a model, in units of the standardised target.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelValues {
    /// Weights of the inputs, N.
    pub weights: Vec<f64>,
    /// Amplitude a.
    pub amplitude: f64,
    /// Standard deviation s of the noise.
    pub noise: f64,
}

/// One search for the largest evidence.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EvidenceSearch {
    /// Number of the start, from 0.
    pub start: usize,
    /// Number of rows that it searches.
    pub rows: usize,
    /// True if the values are lower bounds by inducing points.
    pub is_bound: bool,
    /// Log evidence of each evaluation, or its bound, nats; `None` without a posterior.
    pub trace: Vec<Option<f64>>,
    /// Best model so far and its log evidence.
    pub best: Option<(ModelValues, f64)>,
    /// Ending; `None` while the search is running.
    pub ending: Option<Ending>,
}

/// A model and its posterior.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolvedModel {
    /// Hyperparameters.
    pub values: ModelValues,
    /// Number of training rows.
    pub rows: usize,
    /// Number of inducing points; `None` for the full model.
    pub points: Option<usize>,
    /// True if it is the result by few inducing points of a model for which the result with more follows.
    pub is_preliminary: bool,
    /// Results; `None` if C is not positive definite in double precision.
    pub solution: Option<RegressionSolution>,
}

/// Results of a posterior.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RegressionSolution {
    /// Log evidence, nats; with inducing points its lower bound.
    pub ln_evidence: f64,
    /// Mean prior variance of a row given the inducing points, relative to its prior variance; 0 without them.
    pub unexplained: f64,
    /// Predictions of all rows; those of the training rows without themselves.
    pub predictions: RowPredictions<PredictedTarget>,
    /// Effects of the columns on the squared error on the test rows, standardised if the table is.
    pub effects: Vec<ColumnEffect>,
    /// Partial dependence on the columns with the largest effects, in units of the table.
    pub dependence: Vec<DependenceCurve>,
}

impl ModelValues {
    /// Returns the hyperparameters of a model.
    pub fn of(model: &RegressionModel) -> Self {
        let RegressionModel { kernel, amplitude, noise } = model;
        Self { weights: kernel.weights.clone(), amplitude: *amplitude, noise: *noise }
    }

    /// Returns the model with the covariance function and period of `kernel`.
    pub fn model(&self, kernel: &Kernel) -> RegressionModel {
        let kernel = Kernel { weights: self.weights.clone(), ..kernel.clone() };
        RegressionModel { kernel, amplitude: self.amplitude, noise: self.noise }
    }

    /// Returns the σ² of the mean weight, 1/(N w̄), within the bounds of the form.
    pub fn sigma2(&self, kernel: &Kernel) -> f64 {
        sigma2(&self.model(kernel)).clamp(SIGMA2.0, SIGMA2.1)
    }

    /// Returns the relevances wᵢ σ² N, whose mean is 1.
    pub fn relevances(&self) -> Vec<f64> {
        let mean = self.weights.iter().sum::<f64>() / self.weights.len() as f64;
        self.weights.iter().map(|w| w / mean).collect()
    }
}
