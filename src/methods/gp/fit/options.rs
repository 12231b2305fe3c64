//! What is fitted, by what, and how far; and why a fit is not begun.

use super::coordinates::Free;
use crate::gp::solver::tap::MeanField;

/// What is to be as large as possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// TAP's log evidence −G.
    Evidence,
    /// Σ ln p(label | others) by the cavity fields: smooth, where the count of errors is not.
    LeaveOneOut,
}

/// Starts, unless others are asked for.
pub const STARTS: usize = 4;

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What is to be as large as possible.
    pub objective: Objective,
    /// By which theory; the naive one has no evidence, and is fitted by leave-one-out only.
    pub theory: MeanField,
    /// What is fitted; the rest stays as it is.
    pub free: Free,
    /// Starts; the first is the given one, the others are spread about it.
    pub starts: usize,
    /// Evaluations of each start at most.
    pub most_evaluations: usize,
    /// A start is done once no derivative by a logarithm is larger, in nats.
    pub tolerance: f64,
}

impl Options {
    /// [`STARTS`] starts, and a tolerance at which nothing printed changes.
    pub fn new(objective: Objective, free: Free) -> Self {
        Self {
            objective,
            theory: MeanField::Tap,
            free,
            starts: STARTS,
            most_evaluations: 200,
            tolerance: 1e-4,
        }
    }
}

/// Why a fit is not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The naive theory by its evidence.
    #[error(
        "−G of the naive theory is a poor estimate of the log evidence and not a bound: fit it by leave-one-out, or fit TAP"
    )]
    NaiveEvidence,
    /// Nothing is free.
    #[error("nothing is to be fitted: σ² or the weights, v and κ are all fixed")]
    NothingFree,
    /// No examples or no inputs, or not as many weights as inputs or labels as examples.
    #[error("a fit needs examples, each with a label, and a weight for every input")]
    Shape,
    /// A hyperparameter to begin with is out of range.
    #[error("a fit begins at positive weights and σ², v of at least 0 and κ from 0 to below 0.5")]
    Start,
}
