//! Sources of samples that are not used in the fit: the network and all hyperparameters stay as they are.

use super::approximate_posterior::ApproximatePosterior;
use super::cost::cost_parts;
use super::evaluation::{CostEvaluation, DataGradient, EvaluationOptions};
use super::learning::{MIN_RATE, Options, SOURCE_VAR};
use super::observations::Observations;
use super::source_step::{self, SourceRates};
use super::sources::Sources;
use crate::math::Budget;

/// Maximum number of sweeps.
const MAX_SWEEPS: usize = 300;
/// Decrease of the cost in a sweep at convergence, in nats per sample.
const CONVERGED: f64 = 1e-7;

/// Inference in progress.
pub struct SourceInference {
    options: Options,
    observations: Observations,
    state: ApproximatePosterior,
    evaluation: CostEvaluation,
    rates: SourceRates,
    /// Sources of the last accepted sweep, with the gradient and the cost there.
    accepted: Option<(Sources, DataGradient, f64)>,
    sweeps: usize,
    done: bool,
}

impl SourceInference {
    /// Starts with means `starts`, T of n, of the sources of `rows`, T samples of m channels in the units of the state `learnt`, whose own sources
    /// are not needed; values that are not finite are missing.
    pub fn new(
        learnt: &ApproximatePosterior,
        rows: &[Vec<f64>],
        starts: &[Vec<f64>],
        options: Options,
    ) -> Self {
        let (sources, components) = (Sources::new(starts, SOURCE_VAR), learnt.prior_components());
        let sources = match components {
            1 => sources,
            _ => sources.split(components, |_, _| vec![1.0 / components as f64; components]),
        };
        let state = ApproximatePosterior { sources, ..learnt.clone() };
        Self {
            evaluation: CostEvaluation::new(&state, wanted(options)),
            rates: options.source_rates(&state),
            observations: Observations::new(rows),
            options,
            state,
            accepted: None,
            sweeps: 0,
            done: rows.is_empty(),
        }
    }

    /// Continues within `budget`. Returns true at the end.
    pub fn advance(&mut self, budget: &mut Budget) -> bool {
        while !self.done {
            if !self.evaluation.advance(&mut self.state, &self.observations, budget) {
                return false;
            }
            self.finish_sweep();
            self.evaluation.restart(&self.state, wanted(self.options));
            if budget.is_spent() {
                return self.done;
            }
        }
        true
    }

    /// Accepts or rejects the sources of a sweep, and takes the next step.
    fn finish_sweep(&mut self) {
        self.sweeps += 1;
        let gradient = self.evaluation.gradient();
        let cost = cost_parts(&self.state, &self.observations, &gradient.residuals).total();
        let last = self.accepted.as_ref().map_or(f64::INFINITY, |(_, _, cost)| *cost);
        if cost < last {
            self.done = last - cost < CONVERGED * self.observations.samples() as f64;
            self.accepted = Some((self.state.sources.clone(), gradient.clone(), cost));
        } else {
            self.rates.halve(MIN_RATE);
        }
        self.done |= self.sweeps >= MAX_SWEEPS;
        let Some((sources, gradient, _)) = &self.accepted else {
            // The cost of the start is not finite.
            self.done = true;
            return;
        };
        self.state.sources.clone_from(sources);
        if !self.done {
            let DataGradient { by_mean, by_var, curvature, .. } = gradient;
            let joint = self.options.updates.joint_step();
            source_step::step(&mut self.state, by_mean, by_var, curvature, joint, &mut self.rates);
        }
    }

    /// Returns the posterior of the sources; after the end, that of the lowest cost.
    pub fn sources(&self) -> &Sources {
        &self.state.sources
    }
}

/// Returns the options of an evaluation that leaves the network as it is.
fn wanted(options: Options) -> EvaluationOptions {
    EvaluationOptions { solve_output: false, ..options.evaluation() }
}
