//! The exact posterior of one run, sampled.

pub mod chains;
pub mod fresh;
pub mod posterior;
pub mod prior_draws;

/// Averages over the exact posterior.
#[derive(Clone, Debug, PartialEq)]
pub struct Averages {
    /// Posterior mean of each weight.
    pub mean: Vec<f64>,
    /// One standard error of each mean.
    pub se: Vec<f64>,
    /// Mean output at each fresh input.
    pub outputs: Vec<f64>,
    /// Draws, and how many independent ones they are worth.
    pub draws: usize,
    /// See `draws`.
    pub effective: f64,
    /// Whether they come from Markov chains that do not agree.
    pub disagree: bool,
}
