//! Markov chains through the posterior of the sources and weights of a fit. The fit is computed again, because a snapshot holds
//! only its summary.

use crate::math::Budget;
use crate::math::ChainStats;
use crate::math::cholesky::Cholesky;
use crate::math::hmc::{Hmc, Whitening};
use crate::math::random::Stream;
use crate::models::nfa::fit::FactorFit;
use crate::models::nfa::solver::posterior::JointPosterior;

/// Number of chains.
pub const CHAINS: usize = 4;
/// Maximum number of sources and weights; a move multiplies by a square matrix of this size.
pub const MAX_DIMENSION: usize = 400;
/// Number of sources that are stored draw by draw.
const FOLLOWED: usize = 8;
/// Standard deviation of the starting points, in posterior standard deviations.
const START_SD: f64 = 0.5;

/// A chain, or the fit from which it starts.
pub struct PosteriorChain {
    fit: Option<FactorFit>,
    state: Option<ChainState>,
    /// Number of draws.
    draws: usize,
    stream: Stream,
}

/// A chain in progress.
struct ChainState {
    posterior: JointPosterior,
    hmc: Hmc,
    /// Number of sources, the first elements of the position.
    sources: usize,
    /// Indices of the sources that are stored draw by draw.
    followed: Vec<usize>,
    /// Statistics of the draws of the sources.
    row: ChainStats,
}

impl PosteriorChain {
    /// Creates a chain of `draws` draws, after half as many warm-up moves, through the posterior of the completed `fit`.
    pub fn new(fit: FactorFit, draws: usize, stream: Stream) -> Self {
        Self { fit: Some(fit), state: None, draws, stream }
    }

    /// Continues within `budget`. Returns true once all draws are made, or if the posterior has no covariance.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        if let Some(fit) = &mut self.fit {
            if !fit.advance(budget) {
                return false;
            }
            self.state = self.fit.take().and_then(|fit| self.start(&fit));
            budget.spend(Budget::SLICE);
        }
        let Some(state) = &mut self.state else { return true };
        while state.row.count < self.draws {
            let warming_up = state.hmc.is_warming_up();
            if state.hmc.step(&state.posterior) && !warming_up {
                state.row.add(&state.hmc.position()[..state.sources], &state.followed);
            }
            let dimension = state.hmc.position().len() as u64;
            if !budget.spend(3 * dimension * dimension) {
                break;
            }
        }
        state.row.count >= self.draws
    }

    /// Starts the chain near the mean of the factorial posterior, whitened by the Gauss–Newton covariance there.
    fn start(&mut self, fit: &FactorFit) -> Option<ChainState> {
        let (learning, stream) = (fit.learning(), &mut self.stream);
        let state = learning.state();
        let posterior = JointPosterior::new(state, learning.observations());
        let centre = JointPosterior::means(state);
        let size = centre.len();
        let covariance = posterior.covariance(&centre)?;
        let factor = Cholesky::new(size, |i, j| covariance[i * size + j])?;
        let at = |i: usize, j: usize| if j <= i { factor.at(i, j) } else { 0.0 };
        let lower: Vec<f64> = (0..size * size).map(|e| at(e / size, e % size)).collect();
        let z: Vec<f64> = (0..size).map(|_| START_SD * stream.normal()).collect();
        let start: Vec<f64> =
            (0..size).map(|i| centre[i] + (0..=i).map(|j| at(i, j) * z[j]).sum::<f64>()).collect();
        let warmup = (self.draws / 2).max(20);
        let hmc = Hmc::new(&posterior, Whitening::new(centre, lower), &start, warmup, stream.clone());
        let sources = state.sources.samples * state.network.sources;
        let count = FOLLOWED.min(sources);
        let followed: Vec<usize> = (0..count).map(|i| i * sources / count).collect();
        Some(ChainState { posterior, hmc, sources, row: ChainStats::new(sources, count), followed })
    }

    /// Returns the statistics of the draws so far.
    pub fn row(&self) -> Option<ChainStats> {
        self.state.as_ref().map(|state| state.row.with_moves(state.hmc.acceptance()))
    }

    /// Returns the fraction done.
    pub fn fraction(&self) -> f64 {
        match (&self.fit, &self.state) {
            (Some(fit), _) => 0.3 * fit.fraction(),
            (_, Some(state)) => 0.3 + 0.7 * state.row.count as f64 / self.draws.max(1) as f64,
            _ => 0.0,
        }
    }
}
