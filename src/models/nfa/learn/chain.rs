//! Chains through the posterior of sources and weights of one fit, which is computed again: nothing of it but what is seen was sent.

use crate::lab::ChainStats;
use crate::math::Budget;
use crate::math::cholesky::Cholesky;
use crate::math::hmc::{Hmc, Whitening};
use crate::math::random::Stream;
use crate::models::nfa::fit::Fit;
use crate::models::nfa::solver::posterior::Posterior;

/// Chains that there are, if any.
pub const CHAINS: usize = 4;
/// Numbers of sources and weights at most: a move multiplies by a matrix of their square.
pub const MOST_NUMBERS: usize = 400;
/// Sources that are followed draw by draw.
const FOLLOWED: usize = 8;
/// How far from the mean a chain begins, in standard deviations.
const START: f64 = 0.5;

/// A chain, or the fit that it is to begin from.
pub struct Chain {
    fit: Option<Fit>,
    sampling: Option<Sampling>,
    wanted: usize,
    stream: Stream,
}

struct Sampling {
    posterior: Posterior,
    hmc: Hmc,
    /// How many of the numbers are sources.
    sources: usize,
    /// Which of them are followed draw by draw.
    followed: Vec<usize>,
    /// What the draws say of them.
    row: ChainStats,
}

impl Chain {
    /// A chain of `draws` after half as many moves to tune its steps, through the posterior of what `fit` will have learnt.
    pub fn new(fit: Fit, draws: usize, stream: Stream) -> Self {
        Self { fit: Some(fit), sampling: None, wanted: draws, stream }
    }

    /// Goes on within `budget`; `true` once all draws are made, or there can be none.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        if let Some(fit) = &mut self.fit {
            if !fit.advance(budget) {
                return false;
            }
            self.sampling = self.fit.take().and_then(|fit| self.begin(&fit));
            budget.spend(Budget::SLICE);
        }
        let wanted = self.wanted;
        let Some(sampling) = &mut self.sampling else { return true };
        while sampling.row.count < wanted {
            let warming = sampling.hmc.warming_up();
            if sampling.hmc.step(&sampling.posterior) && !warming {
                sampling.row.add(&sampling.hmc.position()[..sampling.sources], &sampling.followed);
            }
            let numbers = sampling.hmc.position().len() as u64;
            if !budget.spend(3 * numbers * numbers) {
                break;
            }
        }
        sampling.row.count >= wanted
    }

    /// About the mean of the factorial posterior; its covariance there is the mass.
    fn begin(&mut self, fit: &Fit) -> Option<Sampling> {
        let (learning, stream) = (fit.learning(), &mut self.stream);
        let state = learning.state();
        let posterior = Posterior::new(state, learning.observations());
        let centre = Posterior::means(state);
        let size = centre.len();
        let covariance = posterior.covariance(&centre)?;
        let factor = Cholesky::new(size, |i, j| covariance[i * size + j])?;
        let at = |i: usize, j: usize| if j <= i { factor.at(i, j) } else { 0.0 };
        let lower: Vec<f64> = (0..size * size).map(|e| at(e / size, e % size)).collect();
        let z: Vec<f64> = (0..size).map(|_| START * stream.normal()).collect();
        let start: Vec<f64> =
            (0..size).map(|i| centre[i] + (0..=i).map(|j| at(i, j) * z[j]).sum::<f64>()).collect();
        let warmup = (self.wanted / 2).max(20);
        let hmc = Hmc::new(&posterior, Whitening::new(centre, lower), &start, warmup, stream.clone());
        let sources = state.sources.samples * state.network.sources;
        let count = FOLLOWED.min(sources);
        let followed: Vec<usize> = (0..count).map(|i| i * sources / count).collect();
        Some(Sampling { posterior, hmc, sources, row: ChainStats::new(sources, count), followed })
    }

    /// What there is so far.
    pub fn row(&self) -> Option<ChainStats> {
        self.sampling.as_ref().map(|sampling| sampling.row.with_moves(sampling.hmc.acceptance()))
    }

    /// Fraction done.
    pub fn fraction(&self) -> f64 {
        match (&self.fit, &self.sampling) {
            (Some(fit), _) => 0.3 * fit.fraction(),
            (_, Some(sampling)) => 0.3 + 0.7 * sampling.row.count as f64 / self.wanted.max(1) as f64,
            _ => 0.0,
        }
    }
}
