//! Fits with 1, 2, 3, … hidden units on the same examples: the bound of each beside the log evidence, which shows overpruning.

mod curves;
mod figures;
mod report;
mod spec;
mod task;
#[cfg(test)]
mod tests;
mod work;

pub use spec::{UnitsSpec, UnitsTrainingSet};

use serde::{Deserialize, Serialize};

use super::fields::Approximation;
use super::fits::{self, FitRow};
use crate::figure::Hue;
use crate::math::importance::LogMeanWeight;

/// Colour of the fit with the best bound.
const BEST: Hue = Hue::Purple;

/// The task: fits and log evidence against the number of hidden units.
pub struct UnitsSweep;

impl UnitsSweep {
    /// Approximations with a bound, in the order of units, reports and figures.
    pub const METHODS: [Approximation; 4] =
        [Approximation::Laplace, Approximation::Diagonal, Approximation::Factor, Approximation::Full];

    /// Returns the approximations of ensemble learning.
    fn ensemble() -> impl Iterator<Item = Approximation> {
        Self::METHODS.into_iter().filter(|method| method.is_ensemble())
    }
}

/// Results of the units so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UnitsSnapshot {
    /// Finished starts of fits.
    pub fits: Vec<FitRow<UnitsFit>>,
    /// Walks from the prior to the posterior.
    pub walks: Vec<WalkRow>,
}

/// Results of a fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitsFit {
    /// Number of hidden units H.
    pub hidden: usize,
    /// Number of hidden units that are off.
    pub off: usize,
    /// Mean squared error of the mean of f on the examples.
    pub train_mse: f64,
    /// Mean of f at [`UnitsSpec::inputs`].
    pub means: Vec<f32>,
}

/// Walks of a unit of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WalkRow {
    /// Number of hidden units H.
    pub hidden: usize,
    /// Log weights of the walks that have ended.
    pub ln_weights: Vec<f64>,
}

impl UnitsSnapshot {
    /// Returns the best start of `method` with `hidden` units.
    pub fn best(&self, method: Approximation, hidden: usize) -> Option<&FitRow<UnitsFit>> {
        fits::best_finished(
            self.fits.iter().filter(|row| row.method == method && row.details.hidden == hidden),
        )
    }

    /// Returns the log evidence of `hidden` units; `None` before the second walk.
    pub fn ln_evidence(&self, hidden: usize) -> Option<LogMeanWeight> {
        let walks = self.walks.iter().filter(|row| row.hidden == hidden);
        let ln_weights: Vec<f64> = walks.flat_map(|row| &row.ln_weights).copied().collect();
        LogMeanWeight::of(&ln_weights)
    }

    /// Returns the fit of ensemble learning with the best bound; `None` before all of them are done.
    pub fn best_of_all(&self, hidden: usize) -> Option<&FitRow<UnitsFit>> {
        let rows = UnitsSweep::ensemble().map(|method| self.best(method, hidden));
        let rows: Vec<_> = rows.collect::<Option<_>>()?;
        rows.into_iter().min_by(|a, b| a.negative_elbo.total_cmp(&b.negative_elbo))
    }

    /// Returns the largest bound on the log evidence of `hidden` units so far; −∞ without any.
    pub fn bound(&self, hidden: usize) -> f64 {
        let rows = UnitsSweep::METHODS.into_iter().filter_map(|method| self.best(method, hidden));
        rows.fold(f64::NEG_INFINITY, |most, row| most.max(-row.negative_elbo))
    }

    /// Returns true if the fit of ensemble learning with the best bound is the constant; `None` before all of them are done.
    pub fn best_is_constant(&self, hidden: usize) -> Option<bool> {
        Some(self.best_of_all(hidden)?.details.is_constant())
    }

    /// Returns true if every fit of ensemble learning with `hidden` units is the constant; false before all are done.
    pub fn all_constant(&self, hidden: usize) -> bool {
        UnitsSweep::ensemble()
            .all(|method| self.best(method, hidden).is_some_and(|row| row.details.is_constant()))
    }
}

impl UnitsFit {
    /// Returns true if the mean of f is the constant function: all hidden units are off.
    pub fn is_constant(&self) -> bool {
        self.off == self.hidden
    }
}

impl UnitsSpec {
    /// Returns the log evidence of the constant function, with α and β as in the fits.
    pub fn ln_evidence_of_constant(&self) -> f64 {
        let curve = self.curve(1);
        let problem = curve.problem(&curve.examples()).problem;
        let n = problem.examples.count();
        let squares: f64 = (0..n).map(|i| problem.examples.target(i)).map(|t| t * t).sum();
        problem.hyper.ln_likelihood(n, 0.5 * squares)
    }
}
