//! A network of two weights: its exact posterior, three Gaussian approximations, and their predictions. Figure 1 of BB98.

mod exact;
mod examples;
mod figures;
mod panels;
mod report;
mod spec;
mod task;
#[cfg(test)]
mod tests;
mod work;

pub use spec::{PlaneSpec, PlaneTrainingSet};

use serde::{Deserialize, Serialize};

use super::fields::Approximation;
use super::fits::{self, FitRow};
use crate::lab::{ChainStats, ChainSummary};

/// The exact posterior, several starts of each fit, and Monte Carlo chains. Its live companion makes at most two starts and no chains.
pub struct TwoWeights;

/// Fitted approximations, in the order of reports and figures.
pub const FITTED: [Approximation; 3] = [Approximation::Laplace, Approximation::Diagonal, Approximation::Full];

/// Snapshot of the task with two weights.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlaneSnapshot {
    /// The exact posterior.
    pub exact: Option<ExactPosterior>,
    /// Starts of the fits; the last one may be in progress.
    pub fits: Vec<FitRow<PlaneFit>>,
    /// Monte Carlo chains.
    pub chains: Vec<PlaneChain>,
}

/// The exact posterior by quadrature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExactPosterior {
    /// ln Z, BB98 eq. (5).
    pub ln_z: f64,
    /// Ranges of u and v in which most of the mass can be seen.
    pub window: [(f64, f64); 2],
    /// Logarithm of the density that is exceeded in the region of 99 %.
    pub ln_level: f64,
    /// Regions of 50, 90 and 99 % of the mass, also beyond the window: u with the limits of v.
    pub regions: Vec<Vec<[f32; 3]>>,
    /// Draws of (u, v).
    pub draws: Vec<(f32, f32)>,
    /// Mean and standard deviation of f at [`PlaneSpec::inputs`].
    pub predicted: Vec<(f64, f64)>,
}

/// Results of a fit to the posterior of two weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaneFit {
    /// Mean m at the mode with u ≥ 0.
    pub mean: [f64; 2],
    /// Covariance C: variance of u, covariance, variance of v.
    pub covariance: [f64; 3],
    /// −ELBO at each evaluation; empty for Laplace.
    pub trace: Vec<f32>,
    /// Means m during the fit.
    pub path: Vec<(f32, f32)>,
    /// Mean and standard deviation of f at [`PlaneSpec::inputs`].
    pub predicted: Vec<(f64, f64)>,
}

/// A Monte Carlo chain with some of its draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaneChain {
    /// Thinned draws of (u, v), reflected to u ≥ 0.
    pub draws: Vec<(f32, f32)>,
    /// Statistics of f.
    pub row: ChainStats,
}

impl PlaneSnapshot {
    /// Returns the best finished start of `method`, or the one in progress if none has finished.
    pub fn best(&self, method: Approximation) -> Option<&FitRow<PlaneFit>> {
        fits::best(&self.fits, method)
    }

    /// Iterates over the best start of each method.
    pub fn best_fits(&self) -> impl Iterator<Item = &FitRow<PlaneFit>> {
        FITTED.into_iter().filter_map(|method| self.best(method))
    }

    /// Returns the Kullback–Leibler divergence F + ln Z of a fit from the posterior, BB98 eq. (7), in nats.
    pub fn kl(&self, row: &FitRow<PlaneFit>) -> Option<f64> {
        Some(row.free_energy + self.exact.as_ref()?.ln_z)
    }

    /// Pools all chains; `None` without draws.
    pub fn sampled(&self) -> Option<ChainSummary> {
        ChainSummary::of(&self.chains.iter().map(|chain| &chain.row).collect::<Vec<_>>())
    }
}
