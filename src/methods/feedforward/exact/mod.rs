//! The exact posterior of one training set by sampling.

pub mod chains;
pub mod posterior;
pub mod prior_draws;
pub mod test_inputs;

use crate::math::mixing::MixingCriterion;

/// Monte Carlo averages over the exact posterior.
#[derive(Clone, Debug, PartialEq)]
pub struct PosteriorAverages {
    /// Posterior mean of each weight, N.
    pub mean: Vec<f64>,
    /// Monte Carlo standard error of each mean, N.
    pub se: Vec<f64>,
    /// Probability of the output +1 at each test input.
    pub outputs: Vec<f64>,
    /// Number of draws.
    pub draws: usize,
    /// Effective sample size.
    pub effective: f64,
    /// Mixing of the Markov chains; `None` for independent draws.
    pub mixing: Option<MixingCriterion>,
}

impl PosteriorAverages {
    /// Returns true if the draws are independent or their Markov chains have mixed.
    pub fn has_mixed(&self) -> bool {
        self.mixing.is_none_or(MixingCriterion::is_met)
    }
}
