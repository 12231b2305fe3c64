//! A single run in detail: mean weights and the teacher's, cavity fields, residuals, and the exact posterior.

mod figures;
mod report;
mod spec;
mod task;
mod work;

pub use spec::{Exact, SingleSpec};

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::lab::{Ending, Residuals};
use crate::math::lanes::dot;
use crate::models::feedforward::exact::PosteriorAverages;
use crate::models::feedforward::exact::chains::{self, ChainResult};
use crate::models::feedforward::exact::prior_draws::{self, WeightedSums};
use crate::models::feedforward::tap::solution::error_share;

/// One teacher, one training set, one solution.
pub struct SingleRun;

/// Partial results of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SingleSnapshot {
    /// Residual after each sweep of the last solve, thinned if there are very many.
    pub residuals: Residuals,
    /// TAP at each size of a growing training set.
    pub growth: Vec<GrowthPoint>,
    /// Replica theory at some of these sizes, if there is a theory.
    pub theory: Vec<GrowthPoint>,
    /// Ending of the last solve; `None` while it is in progress.
    pub ending: Option<Ending>,
    /// Solution for all examples, if there is one.
    pub solution: Option<SolutionSummary>,
    /// Markov chains of the exact posterior that have ended.
    pub chains: Vec<Rc<ChainResult>>,
    /// Chains that were restarted at weights that fit all labels.
    pub fallback_chains: Vec<Rc<ChainResult>>,
    /// Blocks of weighted draws from the prior.
    pub blocks: Vec<Rc<WeightedSums>>,
}

/// Overlaps and error at one size of the training set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrowthPoint {
    /// m/N.
    pub alpha: f64,
    /// Overlap q of ⟨w⟩ with itself.
    pub q: f64,
    /// Overlap R of ⟨w⟩ with the teacher.
    pub r: f64,
    /// Error of the committee ⟨w⟩ against the noiseless teacher.
    pub opt: f64,
}

/// A solution, its teacher, and its errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolutionSummary {
    /// ⟨w⟩, N.
    pub weights: Vec<f64>,
    /// Teacher's weights w₀ in the same coordinates, N.
    pub teacher: Vec<f64>,
    /// λ, K.
    pub lambda: Vec<f64>,
    /// Cavity fields z, m×K.
    pub z: Vec<f64>,
    /// Labels ±1, m.
    pub labels: Vec<f64>,
    /// Overlap q of ⟨w⟩ with itself.
    pub q: f64,
    /// Overlap R of ⟨w⟩ with the teacher.
    pub r: f64,
    /// Error of the Bayes prediction against the noiseless teacher.
    pub bayes: f64,
    /// Error of the committee ⟨w⟩ against the noiseless teacher.
    pub opt: f64,
    /// Leave-one-out estimate of the error of the Bayes prediction on noisy labels.
    pub loo_bayes: f64,
    /// Probability of the noiseless output +1 at test inputs, OW96 eq. (9).
    pub outputs: Vec<f64>,
    /// Noiseless labels ±1 at the test inputs, 0 in a tie.
    pub truth: Vec<f64>,
    /// Sweeps, over all schedules.
    pub sweeps: usize,
}

/// The sampled exact posterior, and the errors of its predictions and of TAP's.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactReference {
    /// Averages over the draws; outputs are at the inputs of [`SolutionSummary::outputs`].
    pub averages: PosteriorAverages,
    /// Error of the exact Bayes prediction at these inputs.
    pub bayes: f64,
    /// Error of TAP's Bayes prediction at these inputs.
    pub tap_bayes: f64,
}

impl SingleSnapshot {
    /// Returns the exact posterior from the draws so far; `None` without a solution or without draws.
    pub fn exact(&self) -> Option<ExactReference> {
        let solution = self.solution.as_ref()?;
        let averages = match (&*self.blocks, &*self.fallback_chains) {
            ([], []) => chains::averages(&self.chains)?,
            ([], fallback) => chains::averages(fallback)?,
            (blocks, _) => prior_draws::averages(blocks)?,
        };
        let error = |outputs: &[f64]| error_share(outputs.iter().map(|p| p - 0.5), &solution.truth);
        Some(ExactReference {
            bayes: error(&averages.outputs),
            tap_bayes: error(&solution.outputs),
            averages,
        })
    }

    /// Returns why there is no exact posterior although draws were made.
    fn exact_failure(&self) -> Option<&'static str> {
        match (&*self.blocks, &*self.chains) {
            ([], []) => None,
            _ if self.exact().is_some() => None,
            ([], _) => {
                Some("the exact posterior was not sampled: no weights that fit every example were found")
            }
            _ => Some("no draw from the prior fits the labels: for so many examples, choose Markov chains"),
        }
    }

    /// Returns q of replica theory for all examples; `None` without a theory, and while the training set grows, so that curves drawn
    /// with q do not flicker.
    fn theory_q(&self, spec: &SingleSpec) -> Option<f64> {
        let last = self.theory.last().filter(|_| self.ending.is_some())?;
        (last.alpha == spec.ratio(spec.examples(spec.alpha))).then_some(last.q)
    }

    /// Returns why there is no solution, and advice; `None` unless all schedules failed.
    fn failure(&self, spec: &SingleSpec) -> Option<String> {
        let sweeps = self.residuals.last().map_or(0, |r| r.step);
        (self.ending.is_some_and(|ending| ending != Ending::Converged))
            .then(|| format!("no fixed point after {sweeps} sweeps{}", spec.advice()))
    }
}

/// Returns the cosine of the angle between two vectors.
fn cosine(a: &[f64], b: &[f64]) -> f64 {
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

/// Returns the largest difference between two predictive probabilities.
fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
