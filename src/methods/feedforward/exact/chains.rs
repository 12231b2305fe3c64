//! Markov chains for the exact posterior, each a unit of its own; see [`crate::math::annealing`].
//!
//! The posterior of a committee with little noise may fall into parts between which no chain moves. Where labels are never
//! wrong most chains may end where no weights are allowed; then all chains begin anew at weights that are.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::Averages;
use super::fresh::Fresh;
use super::posterior::{Posterior, Tempered};
use crate::math::Budget;
use crate::math::annealing::{Annealed, AnnealedChain, ChainEnd};
use crate::math::chains::{ChainEnsemble, ChainMean};
use crate::math::random::Stream;

/// How many chains there are: the more draws, the more chains, so that more draws help whatever the posterior.
const FEWEST: usize = 16;
const MOST: usize = 512;
const DRAWS_EACH: usize = 64;
/// Moves while the likelihood grows.
const STEPS: usize = 40;

/// How many chains share so many draws.
pub fn count(draws: usize) -> usize {
    (draws / DRAWS_EACH).clamp(FEWEST, MOST)
}

/// A chain that has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChainRow {
    /// Its draws.
    pub draws: usize,
    /// What it says of the weights (by which chains are compared), the outputs at fresh inputs and Σ w²; nothing where it did
    /// not come to weights that the labels allow.
    mean: Option<ChainMean>,
}

/// The posterior with the inputs at which outputs are averaged.
pub struct Target {
    /// Of the weights.
    pub posterior: Posterior,
    /// The inputs.
    pub fresh: Fresh,
}

impl Annealed for Target {
    type Tempered<'a> = Tempered<'a>;

    fn tempered(&self, log_odds: f64) -> Tempered<'_> {
        self.posterior.tempered(log_odds)
    }

    fn log_odds(&self) -> f64 {
        self.posterior.log_odds()
    }

    fn weights(&self) -> (usize, usize) {
        (self.posterior.inputs(), self.posterior.branch())
    }

    fn quantities(&self) -> (usize, usize) {
        (self.posterior.inputs(), self.fresh.count() + 1)
    }

    fn add(&self, u: &[f64], compared: &mut [f64], others: &mut [f64]) {
        let mut w = u.to_vec();
        self.posterior.colour_weights(&mut w);
        compared.iter_mut().zip(&w).for_each(|(sum, w)| *sum += w);
        if let Some((square, votes)) = others.split_last_mut() {
            *square += w.iter().map(|w| w * w).sum::<f64>();
            self.fresh.vote(&w, 1.0, votes);
        }
    }

    fn cost(&self) -> u64 {
        self.fresh.cost() as u64
    }
}

/// A chain under way.
pub struct Walk {
    chain: AnnealedChain,
    draws: usize,
}

impl Walk {
    /// Chain number `index` of those that share `draws`, from the prior, or from the white weights `start`.
    pub fn new(target: &Target, draws: usize, index: usize, start: Option<&[f64]>, stream: Stream) -> Self {
        let ends = |index: usize| draws * index / count(draws);
        let draws = ends(index + 1) - ends(index);
        let chain = match start {
            None => AnnealedChain::new(target, target.posterior.examples(), STEPS, draws, stream),
            Some(u) => AnnealedChain::at(target, u, draws, stream),
        };
        Self { chain, draws }
    }

    /// Works until the budget is spent; its row when it has ended.
    pub fn advance(&mut self, target: &Target, budget: &mut Budget) -> Option<ChainRow> {
        let end = self.chain.advance(target, budget)?;
        let mean = self.chain.mean().filter(|_| end == ChainEnd::Whole);
        Some(ChainRow { draws: self.draws, mean })
    }

    /// Fraction done.
    pub fn fraction(&self) -> f64 {
        self.chain.fraction()
    }
}

/// Whether those of all chains that came to weights that the labels allow are so few that they are a poor sample.
pub fn few(chains: &[Rc<ChainRow>]) -> bool {
    4 * chains.iter().filter(|chain| chain.mean.is_some()).count() < chains.len()
}

/// The averages over chains that have ended; `None` before there are two.
pub fn averages(chains: &[Rc<ChainRow>]) -> Option<Averages> {
    let ensemble = ChainEnsemble::of(chains.iter().filter_map(|chain| chain.mean.as_ref()))?;
    let agreement = ensemble.agreement();
    if agreement.count < 2 {
        return None;
    }
    let (mean, mut outputs) = (ensemble.mean(), ensemble.others());
    let se = ensemble.standard_errors();
    let variance = outputs.pop()? - mean.iter().map(|mean| mean * mean).sum::<f64>();
    let square_error: f64 = se.iter().map(|se| se * se).sum();
    Some(Averages {
        effective: if square_error > 0.0 { variance.max(0.0) / square_error } else { f64::NAN },
        draws: chains.iter().map(|chain| chain.draws).sum(),
        disagree: !agreement.agree(),
        mean,
        se,
        outputs,
    })
}
