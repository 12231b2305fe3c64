//! Regression in one dimension: predictions of every approximation, compared with Hamiltonian Monte Carlo.

mod examples;
mod figures;
mod report;
mod spec;
mod task;
#[cfg(test)]
mod tests;
mod work;

pub use spec::{CurveSpec, CurveTrainingSet};
pub(super) use work::{CurveWork, costs};

use serde::{Deserialize, Serialize};

use super::fields::Approximation;
use super::fits::{self, FitRow};
use crate::lab::{ChainStats, ChainSummary};

/// Several starts of each fit, and Monte Carlo chains. Its live companion makes one start of each fit.
pub struct Curve1d;

/// Snapshot of a regression in one dimension.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CurveSnapshot {
    /// x and t of the rows of the table; empty for other training sets.
    pub table: Vec<(f64, f64)>,
    /// Starts of the fits; the last one may be in progress.
    pub fits: Vec<FitRow<CurveFit>>,
    /// Monte Carlo chains.
    pub chains: Vec<ChainStats>,
}

/// Results of a fit, in units of x and t.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurveFit {
    /// Number of eigenvalues of the Hessian that Laplace's method clipped.
    pub clipped: usize,
    /// −ELBO at each evaluation; empty for MAP and Laplace.
    pub trace: Vec<f32>,
    /// Mean and standard deviation of each weight, k.
    pub weights: Vec<(f32, f32)>,
    /// Mean and standard deviation of f at [`CurveSpec::inputs`].
    pub predicted: Vec<(f64, f64)>,
    /// Mean squared error of the mean of f on the examples.
    pub train_mse: f64,
}

impl CurveSnapshot {
    /// Returns x and t of each example.
    pub fn examples(&self, spec: &CurveSpec) -> Vec<(f64, f64)> {
        if spec.set == CurveTrainingSet::Table { self.table.clone() } else { spec.examples() }
    }

    /// Returns the best finished start of `method`, or the one in progress if none has finished.
    pub fn best(&self, method: Approximation) -> Option<&FitRow<CurveFit>> {
        fits::best(&self.fits, method)
    }

    /// Iterates over the best start of each method.
    pub fn best_fits(&self) -> impl Iterator<Item = &FitRow<CurveFit>> {
        Approximation::ALL.into_iter().filter_map(|method| self.best(method))
    }

    /// Pools all chains; `None` without draws.
    pub fn sampled(&self) -> Option<ChainSummary> {
        ChainSummary::of(&self.chains.iter().collect::<Vec<_>>())
    }
}

/// A hidden unit is off if each of its weights is within this many standard deviations of 0.
const OFF: f32 = 1.0;

impl CurveFit {
    /// Returns mean / sd of the weights of each of `hidden` units: its input weights, then its output weight.
    pub fn unit_weights(&self, hidden: usize) -> Vec<Vec<f32>> {
        let ratio = |(mean, sd): &(f32, f32)| mean / sd.max(f32::MIN_POSITIVE);
        let (input, output) = self.weights.split_at(self.weights.len() - hidden);
        let units = input.chunks_exact(input.len() / hidden).zip(output);
        units.map(|(input, output)| input.iter().chain([output]).map(ratio).collect()).collect()
    }

    /// Returns the number of hidden units that are off: all of their weights are within one standard deviation of 0.
    pub fn units_off(&self, hidden: usize) -> usize {
        self.unit_weights(hidden).iter().filter(|unit| unit.iter().all(|ratio| ratio.abs() < OFF)).count()
    }

    /// Returns the root mean square difference between the mean of f and that of the chains over the drawn inputs.
    pub fn rms_difference(&self, sampled: &ChainSummary) -> f64 {
        let pairs = self.predicted.iter().zip(&sampled.predicted).take(CurveSpec::DRAWN);
        let sum: f64 = pairs.map(|(a, b)| (a.0 - b.0) * (a.0 - b.0)).sum();
        (sum / CurveSpec::DRAWN as f64).sqrt()
    }
}
