//! Regression in one dimension: bands of every approximation beside Hamiltonian Monte Carlo.

mod examples;
mod figures;
mod report;
mod run;
mod spec;
#[cfg(test)]
mod tests;
mod work;

pub use spec::{CurveSpec, PointSet};

use serde::{Deserialize, Serialize};

use super::fields::Approximation;
use crate::lab::{ChainRow, Ending};

/// Several starts of each fit, and chains.
pub struct Curve1d;

/// What is fitted, in this order.
pub const FITTED: [Approximation; 5] = [
    Approximation::Map,
    Approximation::Laplace,
    Approximation::Diagonal,
    Approximation::Factor,
    Approximation::Full,
];

/// What a worker sends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CurveSnapshot {
    /// x and t of the rows of the table; none of other examples.
    pub table: Vec<(f64, f64)>,
    /// One for each start of each fit; the last may be under way.
    pub fits: Vec<FitRow>,
    /// One for each chain.
    pub chains: Vec<ChainRow>,
}

/// A start of a fit, ended or under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitRow {
    /// What is fitted.
    pub method: Approximation,
    /// Which start, from 0.
    pub restart: usize,
    /// F; NaN for the mode alone.
    pub free_energy: f64,
    /// −ELBO; for the mode alone NaN.
    pub negative_elbo: f64,
    /// Least value of what is minimised: −ELBO, or minus the log density at the mode.
    pub least: f64,
    /// Prior and noise precision, given or found.
    pub alpha: f64,
    /// See `alpha`.
    pub beta: f64,
    /// Evaluations of what is minimised.
    pub evaluations: usize,
    /// Eigenvalues of the Hessian below α, clipped by Laplace's method.
    pub clipped: usize,
    /// What is minimised at each evaluation; empty but for ensemble learning.
    pub trace: Vec<f32>,
    /// m, and the standard deviations.
    pub weights: Vec<(f32, f32)>,
    /// Mean and standard deviation of f at the inputs of [`CurveSpec::inputs`].
    pub predicted: Vec<(f64, f64)>,
    /// Mean squared error of the mean of f on the examples.
    pub train_mse: f64,
    /// How it ended; `None` while it goes on.
    pub ending: Option<Ending>,
}

impl CurveSnapshot {
    /// x and t of each example.
    pub fn examples(&self, spec: &CurveSpec) -> Vec<(f64, f64)> {
        if spec.set == PointSet::Table { self.table.clone() } else { spec.examples() }
    }

    /// The best start of a method that has ended, or the one under way if none has.
    pub fn best(&self, method: Approximation) -> Option<&FitRow> {
        let rows = || self.fits.iter().filter(move |row| row.method == method);
        let ended = rows().filter(|row| row.ending.is_some() && row.least.is_finite());
        ended.reduce(|a, b| if b.least < a.least { b } else { a }).or_else(|| rows().next_back())
    }
}
