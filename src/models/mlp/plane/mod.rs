//! Two weights: the exact posterior as a map, three Gaussians fitted to it, and their predictions. Figure 1 of BB98.

mod figures;
mod points;
mod report;
mod run;
mod spec;
#[cfg(test)]
mod tests;
mod work;

pub use spec::{PlaneSpec, PointSet};

use serde::{Deserialize, Serialize};

use super::fields::Approximation;
use crate::lab::{ChainRow, Ending, Sampled};

/// Several starts of each fit, the exact posterior, and chains through it.
pub struct TwoWeights;

/// What is fitted, in this order.
pub const FITTED: [Approximation; 3] = [Approximation::Laplace, Approximation::Diagonal, Approximation::Full];

/// What a worker sends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlaneSnapshot {
    /// The exact posterior.
    pub truth: Option<Truth>,
    /// One for each start of each fit; the last may be under way.
    pub fits: Vec<FitRow>,
    /// One for each chain.
    pub chains: Vec<Drawn>,
}

/// The exact posterior by quadrature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// ln Z.
    pub ln_z: f64,
    /// Densities, row by row from below.
    pub map: Vec<f32>,
    /// Columns of the map.
    pub columns: usize,
    /// What it covers: u, v.
    pub window: [(f64, f64); 2],
    /// The densities that half, 90 % and 99 % of the posterior lie above.
    pub levels: Vec<f32>,
    /// Pieces of the lines of these densities, within the window.
    pub contours: Vec<[(f32, f32); 2]>,
    /// Mean and standard deviation of f at the inputs of [`PlaneSpec::inputs`].
    pub predicted: Vec<(f64, f64)>,
}

/// A start of a fit, ended or under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitRow {
    /// What is fitted.
    pub method: Approximation,
    /// Which start, from 0.
    pub restart: usize,
    /// m, with u ≥ 0.
    pub mean: [f64; 2],
    /// C: variance of u, covariance, variance of v.
    pub covariance: [f64; 3],
    /// F, without ln Z.
    pub free_energy: f64,
    /// −ELBO.
    pub negative_elbo: f64,
    /// Evaluations of what is minimised.
    pub evaluations: usize,
    /// −ELBO at each evaluation; empty for Laplace.
    pub trace: Vec<f32>,
    /// The means on the way.
    pub path: Vec<(f32, f32)>,
    /// How it ended; `None` while it goes on.
    pub ending: Option<Ending>,
    /// See [`Truth::predicted`].
    pub predicted: Vec<(f64, f64)>,
}

/// A Markov chain with some of its draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drawn {
    /// Draws of (u, v), not all, with u ≥ 0.
    pub draws: Vec<(f32, f32)>,
    /// What it says of f.
    pub row: ChainRow,
}

impl PlaneSnapshot {
    /// The best start of a method that has ended, or the one under way if none has.
    pub fn best(&self, method: Approximation) -> Option<&FitRow> {
        let rows = || self.fits.iter().filter(move |row| row.method == method);
        let ended = rows().filter(|row| row.ending.is_some() && row.free_energy.is_finite());
        ended.reduce(|a, b| if b.free_energy < a.free_energy { b } else { a }).or_else(|| rows().next_back())
    }

    /// KL of a fit from the posterior.
    pub fn kl(&self, row: &FitRow) -> Option<f64> {
        Some(row.free_energy + self.truth.as_ref()?.ln_z)
    }

    /// All chains together.
    pub fn sampled(&self) -> Option<Sampled> {
        Sampled::of(&self.chains.iter().map(|chain| &chain.row).collect::<Vec<_>>())
    }
}
