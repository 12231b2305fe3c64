//! One run looked into: the mean weights beside the teacher's, cavity fields, residuals, and the exact posterior.

mod figures;
#[cfg(feature = "report")]
mod report;
mod run;
mod spec;

pub use spec::{Exact, SingleSpec};

use serde::{Deserialize, Serialize};

use crate::lab::Ending;
use crate::models::feedforward::tap::residual::Residual;

/// One teacher, one training set, one solution.
pub struct SingleRun;

/// What a worker sends of one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SingleSnapshot {
    /// Residual after each sweep of the last solve, thinned where there are very many.
    pub residuals: Vec<Residual>,
    /// One a size of the training set, where it grows.
    pub growth: Vec<Growth>,
    /// Replica theory along the way, where there is any.
    pub theory: Vec<Growth>,
    /// How the last solve ended; `None` while it is under way.
    pub ending: Option<Ending>,
    /// The solution of all examples, where there is one.
    pub solution: Option<Solved>,
    /// The exact posterior, as far as it is sampled.
    pub exact: Option<Sampled>,
    /// Why the exact posterior cannot be had.
    pub no_exact: Option<String>,
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
    /// The probability of +1 without label noise at fresh inputs, by eq. (9).
    pub outputs: Vec<f64>,
    /// Sweeps over all attempts.
    pub sweeps: usize,
    /// q of replica theory at this α, where there is one; not while the training set grows.
    pub theory_q: Option<f64>,
}

/// Averages over samples of the exact posterior.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sampled {
    /// Mean weights, N.
    pub mean: Vec<f64>,
    /// One standard error of each.
    pub se: Vec<f64>,
    /// The probability of +1 at the inputs of [`Solved::outputs`].
    pub outputs: Vec<f64>,
    /// Draws so far, and how many independent ones they are worth.
    pub draws: usize,
    /// See `draws`.
    pub effective: f64,
    /// Whether the chains it comes from do not agree with each other.
    pub disagree: bool,
    /// Error of the exact Bayes prediction at these inputs, and of TAP's.
    pub bayes: f64,
    /// See `bayes`.
    pub tap_bayes: f64,
}

impl SingleSnapshot {
    /// Why there is no solution, and what would help; `None` unless all fall-backs failed.
    fn failure(&self, spec: &SingleSpec) -> Option<String> {
        let sweeps = self.residuals.last().map_or(0, |r| r.sweep);
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
