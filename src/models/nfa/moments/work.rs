//! The work: both rules at once, then Monte Carlo draws; first for the inputs of the specification, then for other input variances.

use super::{GridPoint, InputMoments, MomentsSnapshot};
use crate::lab::{Budget, Work};
use crate::math::random::{Purpose, Stream};
use crate::math::stats::median;
use crate::models::nfa::monte_carlo::{NetworkInput, OutputSampler};
use crate::models::nfa::solver::moments::{Moments, Propagated, propagate};

/// Factors of the input variances on the grid, as powers of ten.
const LOG10_FACTORS: [f64; 9] = [-2.0, -1.5, -1.0, -0.5, 0.0, 0.25, 0.5, 0.75, 1.0];
/// Number of grid points.
pub(super) const GRID_POINTS: usize = LOG10_FACTORS.len();
/// Draws per step.
const DRAWS_PER_STEP: usize = 200;
/// The two rules, in the order of [`InputMoments::rules`].
const RULES: [Moments; 2] = [Moments::Taylor, Moments::GaussHermite];

/// Unit 0 covers the inputs of the specification, one after the other; each further unit is a grid point at the first of them.
pub(super) struct MomentsWork {
    /// Inputs of the specification.
    all: Vec<NetworkInput>,
    seed: u64,
    /// Number of draws per input.
    draws: usize,
    /// The current input.
    input: NetworkInput,
    /// Factor of the input variances, for a grid point.
    factor: Option<f64>,
    sampler: OutputSampler,
    /// Results so far.
    done: MomentsSnapshot,
}

impl MomentsWork {
    /// Creates the work for at least one input.
    pub(super) fn new(all: Vec<NetworkInput>, seed: u64, draws: usize) -> Self {
        let input = all[0].clone();
        let sampler =
            OutputSampler::new(input.network.channels, Stream::for_purpose(seed, Purpose::NfaMoments, 0));
        Self { all, seed, draws, input, factor: None, sampler, done: MomentsSnapshot::default() }
    }

    /// Begins with the next input of the specification. All inputs use the same random numbers.
    fn begin_input(&mut self) {
        self.input = self.all[self.done.inputs.len()].clone();
        self.sampler = OutputSampler::new(
            self.input.network.channels,
            Stream::for_purpose(self.seed, Purpose::NfaMoments, 0),
        );
        let input = &self.input;
        self.done.inputs.push(InputMoments {
            rules: RULES.map(|rule| propagated(input, rule, true)),
            f_var_independent: RULES.map(|rule| propagated(input, rule, false).f_var),
            monte_carlo: self.sampler.estimate(),
        });
    }

    /// Returns the results at a grid point.
    fn grid_point(&self, factor: f64) -> GridPoint {
        let (input, estimate) = (&self.input, self.sampler.estimate());
        let [taylor, gauss_hermite] = RULES.map(|rule| propagated(input, rule, true));
        let taylor_independent = propagated(input, Moments::Taylor, false);
        let var = estimate.var[0];
        GridPoint {
            factor,
            y_var: median(taylor.y_var.iter().copied()),
            monte_carlo_mean: estimate.mean[0],
            monte_carlo_var: var,
            monte_carlo_var_se: estimate.var_se[0],
            taylor_mean: taylor.f_mean[0],
            taylor_ratio: taylor.f_var[0] / var,
            taylor_ratio_without: taylor_independent.f_var[0] / var,
            gauss_hermite_mean: gauss_hermite.f_mean[0],
            gauss_hermite_ratio: gauss_hermite.f_var[0] / var,
        }
    }
}

/// Returns the moments at all layers for an input.
fn propagated(input: &NetworkInput, moments: Moments, interference: bool) -> Propagated {
    propagate(&input.network, moments, interference, &input.mean, &input.var)
}

impl Work for MomentsWork {
    type Snapshot = MomentsSnapshot;

    fn begin(&mut self, unit: usize) {
        self.factor = unit.checked_sub(1).map(|point| libm::pow(10.0, LOG10_FACTORS[point]));
        let Some(factor) = self.factor else {
            self.begin_input();
            return;
        };
        let first = &self.all[0];
        let var = first.var.iter().map(|var| var * factor).collect();
        self.input = NetworkInput { var, ..first.clone() };
        let stream = Stream::for_purpose(self.seed, Purpose::NfaMoments, unit as u64);
        self.sampler = OutputSampler::new(self.input.network.channels, stream);
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        for _ in 0..DRAWS_PER_STEP {
            self.sampler.draw(&self.input);
        }
        budget.spend(DRAWS_PER_STEP as u64 * OutputSampler::cost(&self.input));
        if self.sampler.draws() < self.draws {
            return false;
        }
        if let Some(factor) = self.factor {
            self.done.grid.push(self.grid_point(factor));
            return true;
        }
        self.done = self.snapshot();
        let done = self.done.inputs.len() == self.all.len();
        if !done {
            self.begin_input();
        }
        done
    }

    fn fraction(&self) -> f64 {
        let now = self.sampler.draws() as f64 / self.draws as f64;
        match self.factor {
            Some(_) => now,
            None => (self.done.inputs.len() as f64 - 1.0 + now).max(0.0) / self.all.len() as f64,
        }
    }

    fn note(&self) -> String {
        format!("{} of {} draws", self.sampler.draws(), self.draws)
    }

    fn snapshot(&self) -> MomentsSnapshot {
        let mut snapshot = self.done.clone();
        if self.factor.is_none()
            && let Some(last) = snapshot.inputs.last_mut()
        {
            last.monte_carlo = self.sampler.estimate();
        }
        snapshot
    }
}
