//! The log evidence by annealed importance sampling: the mean of the weights of annealed chains.

use super::ExactPosterior;
use crate::gp::solver::training_set::TrainingSet;
use crate::math::Budget;
use crate::math::annealing::AnnealedChain;
use crate::math::random::Stream;

/// Annealed chains, one after the other.
pub struct EvidenceChains {
    posterior: ExactPosterior,
    /// Number of log odds of the ladder.
    steps: usize,
    /// Streams of the chains that have not started, the last first.
    streams: Vec<Stream>,
    count: usize,
    chain: Option<AnnealedChain>,
    ln_weights: Vec<f64>,
    stuck: bool,
}

impl EvidenceChains {
    /// Creates one chain for each of `streams`, before its first move. Returns `None` if the covariances are singular.
    pub fn new(set: &TrainingSet, steps: usize, mut streams: Vec<Stream>) -> Option<Self> {
        let posterior = ExactPosterior::new(set, std::iter::empty())?;
        streams.reverse();
        let count = streams.len();
        Some(Self { posterior, steps, streams, count, chain: None, ln_weights: Vec::new(), stuck: false })
    }

    /// Moves until the budget is spent; returns `true` when all chains have ended.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        while !budget.is_spent() && !self.stuck {
            let Some(mut chain) = self.chain.take().or_else(|| self.start_chain()) else { break };
            let end = chain.advance(&self.posterior, budget);
            match chain.ln_importance() {
                Some(ln_weight) => self.ln_weights.push(ln_weight + self.ln_all_correct()),
                None if end.is_some() => self.stuck = true,
                None => self.chain = Some(chain),
            }
        }
        self.stuck || (self.chain.is_none() && self.streams.is_empty())
    }

    fn start_chain(&mut self) -> Option<AnnealedChain> {
        let stream = self.streams.pop()?;
        Some(AnnealedChain::new(&self.posterior, self.posterior.tau.len(), self.steps, 1, stream))
    }

    /// Returns the log likelihood at which every label is correct.
    fn ln_all_correct(&self) -> f64 {
        self.posterior.tau.len() as f64 * libm::log1p(-self.posterior.kappa)
    }

    /// Returns the log weights of the chains that have ended; the mean weight estimates the evidence.
    pub fn ln_weights(&self) -> &[f64] {
        &self.ln_weights
    }

    /// Returns true if a chain was in a region too narrow for its moves to end; the weights are then not representative.
    pub fn is_stuck(&self) -> bool {
        self.stuck
    }

    /// Returns the fraction done, 0 to 1.
    pub fn fraction(&self) -> f64 {
        let moving = self.chain.as_ref().map_or(0.0, AnnealedChain::fraction);
        (self.ln_weights.len() as f64 + moving) / self.count.max(1) as f64
    }
}
