//! One run looked into: the mean weights beside the teacher's, cavity fields, residuals, and the exact posterior.

mod experiment;
mod figures;
mod report;
mod run;
mod spec;

pub use spec::{Exact, SingleSpec};

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::lab::{Ending, Residuals};
use crate::models::feedforward::exact::Averages;
use crate::models::feedforward::exact::chains::{self, ChainRow};
use crate::models::feedforward::exact::fresh::error;
use crate::models::feedforward::exact::prior_draws::{self, BlockRow};

/// One teacher, one training set, one solution.
pub struct SingleRun;

/// What a worker sends of one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SingleSnapshot {
    /// Residual after each sweep of the last solve, thinned where there are very many.
    pub residuals: Residuals,
    /// One a size of the training set, where it grows.
    pub growth: Vec<Growth>,
    /// Replica theory along the way, where there is any.
    pub theory: Vec<Growth>,
    /// How the last solve ended; `None` while it is under way.
    pub ending: Option<Ending>,
    /// The solution of all examples, where there is one.
    pub solution: Option<Solved>,
    /// Markov chains of the exact posterior that have ended, and those that began anew at weights that the labels allow.
    pub chains: Vec<Rc<ChainRow>>,
    /// See `chains`.
    pub fallback_chains: Vec<Rc<ChainRow>>,
    /// Weighted draws from the prior.
    pub blocks: Vec<Rc<BlockRow>>,
}

/// Overlaps and error at one size of the training set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    /// m/N.
    pub ratio: f64,
    /// Overlap of ⟨w⟩ with itself.
    pub q: f64,
    /// Overlap of ⟨w⟩ with the teacher.
    pub r: f64,
    /// Error of the machine ⟨w⟩ against the noiseless teacher.
    pub opt: f64,
}

/// A solution with its teacher.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solved {
    /// ⟨w⟩, N.
    pub weights: Vec<f64>,
    /// w₀ in the same coordinates, N.
    pub teacher: Vec<f64>,
    /// λ, K.
    pub lambda: Vec<f64>,
    /// Cavity fields z, m×K.
    pub z: Vec<f64>,
    /// Labels, m.
    pub labels: Vec<f64>,
    /// Overlap of ⟨w⟩ with itself, and with the teacher.
    pub q: f64,
    /// See [`Growth::r`].
    pub r: f64,
    /// Error of the Bayes prediction and of the machine ⟨w⟩, against the noiseless teacher.
    pub bayes: f64,
    /// See [`Growth::opt`].
    pub opt: f64,
    /// Moving control for the Bayes prediction.
    pub loo_bayes: f64,
    /// The probability of +1 without label noise at fresh inputs, by eq. (9), and the labels there, 0 where a coin decides.
    pub outputs: Vec<f64>,
    /// See `outputs`.
    pub truth: Vec<f64>,
    /// Sweeps over all attempts.
    pub sweeps: usize,
}

/// The exact posterior, sampled, beside TAP's prediction.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// Averages over its draws; outputs at the inputs of [`Solved::outputs`].
    pub averages: Averages,
    /// Error of the exact Bayes prediction at these inputs, and of TAP's.
    pub bayes: f64,
    /// See `bayes`.
    pub tap_bayes: f64,
}

impl SingleSnapshot {
    /// The exact posterior, as far as it is sampled.
    pub fn exact(&self) -> Option<Sampled> {
        let solution = self.solution.as_ref()?;
        let averages = match (&*self.blocks, &*self.fallback_chains) {
            ([], []) => chains::averages(&self.chains)?,
            ([], fallback) => chains::averages(fallback)?,
            (blocks, _) => prior_draws::averages(blocks)?,
        };
        Some(Sampled {
            bayes: error(&averages.outputs, &solution.truth),
            tap_bayes: error(&solution.outputs, &solution.truth),
            averages,
        })
    }

    /// Why there is no exact posterior though all draws are done.
    fn no_exact(&self) -> Option<&'static str> {
        match (&*self.blocks, &*self.chains) {
            ([], []) => None,
            _ if self.exact().is_some() => None,
            ([], _) => {
                Some("the exact posterior was not sampled: no weights that fit every example were found")
            }
            _ => Some("no draw from the prior was possible: the chain finds the posterior of more examples"),
        }
    }

    /// q of replica theory at the last size, where there is one; not while the training set grows, so that what is drawn with it
    /// does not flicker.
    fn theory_q(&self, spec: &SingleSpec) -> Option<f64> {
        let last = self.theory.last().filter(|_| self.ending.is_some())?;
        (last.ratio == spec.ratio(spec.examples(spec.alpha))).then_some(last.q)
    }

    /// Why there is no solution, and what would help; `None` unless all fall-backs failed.
    fn failure(&self, spec: &SingleSpec) -> Option<String> {
        let sweeps = self.residuals.last().map_or(0, |r| r.step);
        (self.ending.is_some_and(|ending| ending != Ending::Converged))
            .then(|| format!("no fixed point after {sweeps} sweeps{}", spec.advice()))
    }
}

/// Cosine of the angle between two vectors.
fn cosine(a: &[f64], b: &[f64]) -> f64 {
    use crate::math::lanes::dot;
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

/// The largest difference between two predictive probabilities.
fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
