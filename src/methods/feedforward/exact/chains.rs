//! Annealed Markov chains for the exact posterior, each a unit of work; see [`crate::math::annealing`].
//!
//! The posterior of a committee with little noise may have parts between which no chain moves. Without noise most chains may reach no
//! weights that fit all labels; then all chains restart from weights that do.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::PosteriorAverages;
use super::posterior::{TemperedPosterior, WeightPosterior};
use super::test_inputs::TestInputs;
use crate::math::Budget;
use crate::math::annealing::{Annealed, AnnealedChain, ChainEnd};
use crate::math::chains::{ChainEnsemble, ChainMean};
use crate::math::random::Stream;

/// Smallest number of chains.
const MIN_CHAINS: usize = 16;
/// Largest number of chains.
const MAX_CHAINS: usize = 512;
/// Draws of a chain between these limits. More draws give more chains, which helps even if chains do not mix.
const DRAWS_EACH: usize = 64;
/// Temperatures between prior and posterior.
const STEPS: usize = 40;

/// Returns the number of chains for a total number of draws.
pub fn count(draws: usize) -> usize {
    (draws / DRAWS_EACH).clamp(MIN_CHAINS, MAX_CHAINS)
}

/// Result of a chain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChainResult {
    /// Number of draws.
    pub draws: usize,
    /// Means of the weights (by which chains are compared), of the outputs at test inputs and of Σ w²; `None` if the chain did not
    /// reach weights that the labels allow.
    mean: Option<ChainMean>,
}

/// The posterior, and the inputs at which outputs are averaged.
pub struct ChainTarget {
    /// Posterior of the weights.
    pub posterior: WeightPosterior,
    /// Test inputs.
    pub test_inputs: TestInputs,
}

impl Annealed for ChainTarget {
    type Tempered<'a> = TemperedPosterior<'a>;

    fn tempered(&self, log_odds: f64) -> TemperedPosterior<'_> {
        self.posterior.tempered(log_odds)
    }

    fn log_odds(&self) -> f64 {
        self.posterior.log_odds()
    }

    fn weights(&self) -> (usize, usize) {
        (self.posterior.inputs(), self.posterior.branch())
    }

    fn quantities(&self) -> (usize, usize) {
        (self.posterior.inputs(), self.test_inputs.count() + 1)
    }

    fn add(&self, u: &[f64], compared: &mut [f64], others: &mut [f64]) {
        let mut w = u.to_vec();
        self.posterior.colour_weights(&mut w);
        compared.iter_mut().zip(&w).for_each(|(sum, w)| *sum += w);
        if let Some((square, votes)) = others.split_last_mut() {
            *square += w.iter().map(|w| w * w).sum::<f64>();
            self.test_inputs.add_votes(&w, 1.0, votes);
        }
    }

    fn cost(&self) -> u64 {
        self.test_inputs.cost() as u64
    }
}

/// A chain in progress.
pub struct PosteriorChain {
    chain: AnnealedChain,
    draws: usize,
}

impl PosteriorChain {
    /// Returns chain number `index` of those that share `draws`, starting from the prior or from the white weights `start`.
    pub fn new(
        target: &ChainTarget,
        draws: usize,
        index: usize,
        start: Option<&[f64]>,
        stream: Stream,
    ) -> Self {
        let first = |index: usize| draws * index / count(draws);
        let draws = first(index + 1) - first(index);
        let chain = match start {
            None => AnnealedChain::new(target, target.posterior.examples(), STEPS, draws, stream),
            Some(u) => AnnealedChain::at(target, u, draws, stream),
        };
        Self { chain, draws }
    }

    /// Works until the chain ends or the budget is spent; returns `None` in the second case.
    pub fn advance(&mut self, target: &ChainTarget, budget: &mut Budget) -> Option<ChainResult> {
        let end = self.chain.advance(target, budget)?;
        let mean = self.chain.mean().filter(|_| end == ChainEnd::Whole);
        Some(ChainResult { draws: self.draws, mean })
    }

    /// Returns the fraction of the work that is done.
    pub fn fraction(&self) -> f64 {
        self.chain.fraction()
    }
}

/// Returns true if less than a quarter of the chains reached weights that the labels allow.
pub fn too_few_reached(chains: &[Rc<ChainResult>]) -> bool {
    4 * chains.iter().filter(|chain| chain.mean.is_some()).count() < chains.len()
}

/// Returns the averages over chains that have ended; `None` for fewer than two that reached the posterior.
pub fn averages(chains: &[Rc<ChainResult>]) -> Option<PosteriorAverages> {
    let ensemble = ChainEnsemble::of(chains.iter().filter_map(|chain| chain.mean.as_ref()))?;
    let agreement = ensemble.agreement();
    if agreement.count < 2 {
        return None;
    }
    let (mean, mut outputs) = (ensemble.mean(), ensemble.others());
    let se = ensemble.standard_errors();
    let variance = outputs.pop()? - mean.iter().map(|mean| mean * mean).sum::<f64>();
    let square_error: f64 = se.iter().map(|se| se * se).sum();
    Some(PosteriorAverages {
        effective: if square_error > 0.0 { variance.max(0.0) / square_error } else { f64::NAN },
        draws: chains.iter().map(|chain| chain.draws).sum(),
        mixing: Some(agreement.criterion()),
        mean,
        se,
        outputs,
    })
}
