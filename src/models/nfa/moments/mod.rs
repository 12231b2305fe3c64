//! The moments lab: mean and variance of a network's output by VL00 and by Gauss–Hermite quadrature, compared with Monte Carlo.

mod figures;
mod network_file;
mod report;
mod run;
mod spec;

pub use spec::{MomentsSpec, Net};

use serde::{Deserialize, Serialize};

use super::monte_carlo::Sampled;
use super::solver::moments::Propagated;

/// Moments through a network, with many draws and over a range of input variances.
pub struct MomentsLab;

/// What a worker sends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MomentsSnapshot {
    /// At each input of the specification.
    pub inputs: Vec<Passed>,
    /// At the first input, with other input variances.
    pub grid: Vec<Place>,
}

/// One input passed through the network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Passed {
    /// By the paper's Taylor series, and by Gauss and Hermite's rule.
    pub rules: [Propagated; 2],
    /// The variances f̃ of both without the interference of paths, m each.
    pub without: [Vec<f64>; 2],
    /// By Monte Carlo.
    pub sampled: Sampled,
}

/// Both rules and Monte Carlo for the first output at one input variance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// What all input variances are multiplied by.
    pub factor: f64,
    /// Median of ỹ over the hidden units.
    pub y_var: f64,
    /// Monte Carlo: mean, variance, and the standard error of the variance.
    pub sampled: [f64; 3],
    /// Taylor: mean, variance, and the variance without interference.
    pub taylor: [f64; 3],
    /// Gauss–Hermite: the same.
    pub gauss_hermite: [f64; 3],
}
