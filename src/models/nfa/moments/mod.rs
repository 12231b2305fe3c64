//! The moments lab: mean and variance of a network's output by VL00 and by Gauss–Hermite quadrature, compared with Monte Carlo.

mod figures;
mod network_file;
mod report;
mod spec;
mod task;
mod work;

pub use spec::{BuiltInNetwork, MomentsSpec};

use serde::{Deserialize, Serialize};

use super::monte_carlo::OutputEstimate;
use super::solver::moments::Propagated;

/// The task: moments of the output at the inputs of the specification and over a range of input variances.
pub struct MomentsLab;

/// Results of the units so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MomentsSnapshot {
    /// Results at each input of the specification.
    pub inputs: Vec<InputMoments>,
    /// Results at the first input with other input variances.
    pub grid: Vec<GridPoint>,
}

/// Moments of the output at one input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InputMoments {
    /// Moments by the Taylor series of the paper, and by Gauss–Hermite quadrature.
    pub rules: [Propagated; 2],
    /// Output variances f̃ of both rules with independent hidden units, m each.
    pub f_var_independent: [Vec<f64>; 2],
    /// Monte Carlo estimates.
    pub monte_carlo: OutputEstimate,
}

/// Moments of the first output at one input variance. Ratios are variances divided by the Monte Carlo variance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GridPoint {
    /// Factor of all input variances.
    pub factor: f64,
    /// Median of ỹ over the hidden units.
    pub y_var: f64,
    /// Monte Carlo mean.
    pub monte_carlo_mean: f64,
    /// Monte Carlo variance.
    pub monte_carlo_var: f64,
    /// Standard error of the Monte Carlo variance.
    pub monte_carlo_var_se: f64,
    /// Mean by the Taylor series.
    pub taylor_mean: f64,
    /// Variance ratio of the Taylor series.
    pub taylor_ratio: f64,
    /// Variance ratio of the Taylor series with independent hidden units.
    pub taylor_ratio_without: f64,
    /// Mean by Gauss–Hermite quadrature.
    pub gauss_hermite_mean: f64,
    /// Variance ratio of Gauss–Hermite quadrature.
    pub gauss_hermite_ratio: f64,
}
