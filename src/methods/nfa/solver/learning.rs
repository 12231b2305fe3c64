//! Learning: initialisation by principal components, sweeps in three phases, then sweeps with mixtures of Gaussians for the
//! sources.

use serde::{Deserialize, Serialize};

use super::approximate_posterior::ApproximatePosterior;
use super::cost::{CostParts, cost_parts};
use super::evaluation::{CostEvaluation, DataGradient, EvaluationOptions};
use super::hyper;
use super::linear::principal_components;
use super::mixture;
use super::moments::Moments;
use super::network::Network;
use super::observations::Observations;
use super::source_step::{self, JointStep, SourceRates};
use super::sources::Sources;
use super::weight_step::{self, WeightRates};
use crate::math::Budget;
use crate::math::random::Stream;

/// First sweep that updates the sources.
pub const SOURCES_FROM: usize = 50;
/// First sweep that updates the hyperparameters.
pub const ALL_FROM: usize = 100;
/// Number of sweeps between the rotation of the sources and the start of their mixtures.
pub const SETTLING: usize = 25;
/// Largest increase of the cost that a sweep may make, in nats per cell.
const TOLERANCE: f64 = 1e-3;
/// Smallest rate after the halving that follows a rejected sweep.
pub(super) const MIN_RATE: f64 = 1e-5;
/// Initial posterior variance of the weights.
const WEIGHT_VAR: f64 = 1e-3;
/// Initial posterior variance of the sources.
pub(super) const SOURCE_VAR: f64 = 0.01;
/// Standard deviation of the initial means of B.
const SECOND_SD: f64 = 0.3;
/// Initial standard deviation of the noise.
const NOISE_SD: f64 = 0.3;

crate::choice! {
    /// Update rule of a sweep.
    #[derive(Serialize, Deserialize)]
    pub enum UpdateRule {
        /// Solves for the output layer; a Gauss–Newton step for the sources of a sample.
        Block = "block" "block, with Gauss–Newton steps",
        /// A damped step for each variable by itself, as in the papers.
        Paper = "paper" "damped steps of all variables (papers)",
    }
}

/// Options of learning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Number of sources, n.
    pub sources: usize,
    /// Number of hidden units, H.
    pub hidden: usize,
    /// Number of Gaussians per source, L; 1 keeps Gaussian sources to the end.
    pub components: usize,
    /// Number of sweeps with Gaussian sources.
    pub sweeps: usize,
    /// Number of sweeps with mixtures, after those.
    pub mixture_sweeps: usize,
    /// Approximation of the moments of tanh.
    pub moments: Moments,
    /// Update rule of a sweep.
    pub updates: UpdateRule,
    /// Standard deviation of the first layer's initial weights.
    pub weight_sd: f64,
}

/// Phase of learning: the set of variables that a sweep updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LearningPhase {
    /// The network only. Sources that the random initial network cannot use yet would be pruned permanently.
    Network,
    /// The network and the sources.
    Sources,
    /// All variables, with Gaussian sources.
    All,
    /// All variables, with Gaussian sources rotated by FastICA.
    Rotated,
    /// All variables, with mixtures of Gaussians.
    Mixtures,
}

/// Learning in progress.
pub struct Learning {
    options: Options,
    observations: Observations,
    state: ApproximatePosterior,
    evaluation: CostEvaluation,
    weight_rates: WeightRates,
    source_rates: SourceRates,
    /// The last accepted sweep.
    accepted: Option<AcceptedSweep>,
    phase: LearningPhase,
    history: Vec<CostParts>,
    phases: Vec<(usize, LearningPhase)>,
    /// Number of rejected sweeps.
    rejected: usize,
    /// Means of the sources before their rotation, T rows of n.
    gaussian_means: Option<Vec<Vec<f64>>>,
    stream: Stream,
    failed: bool,
}

/// A sweep that did not raise the cost by more than the tolerance.
struct AcceptedSweep {
    state: ApproximatePosterior,
    gradient: DataGradient,
    cost: CostParts,
}

impl Learning {
    /// Creates the initial state. `rows` are T samples of m channels, each channel with mean about 0, all together with variance
    /// about 1; values that are not finite are missing.
    pub fn new(rows: &[Vec<f64>], options: Options, mut stream: Stream) -> Self {
        let observations = Observations::new(rows);
        let sources = Sources::new(&principal_components(rows, options.sources), SOURCE_VAR);
        let mut network = Network::new(options.sources, options.hidden, observations.channels(), WEIGHT_VAR);
        for (weights, sd) in [
            (&mut network.first, options.weight_sd),
            (&mut network.first_bias, options.weight_sd),
            (&mut network.second, SECOND_SD),
        ] {
            for weight in &mut weights.mean {
                *weight = sd * stream.normal();
            }
        }
        let state = ApproximatePosterior::new(network, sources, NOISE_SD);
        let evaluation = CostEvaluation::new(&state, options.evaluation());
        Self {
            weight_rates: WeightRates::new(&state, options.updates.initial_rate()),
            source_rates: options.source_rates(&state),
            options,
            observations,
            state,
            evaluation,
            accepted: None,
            phase: LearningPhase::Network,
            history: Vec::new(),
            phases: vec![(0, LearningPhase::Network)],
            rejected: 0,
            gaussian_means: None,
            stream,
            failed: false,
        }
    }

    /// Continues within `budget`. Returns true once all sweeps are done.
    pub fn advance(&mut self, budget: &mut Budget) -> bool {
        while !self.is_done() {
            if !self.evaluation.advance(&mut self.state, &self.observations, budget) {
                return false;
            }
            self.finish_sweep();
            if self.is_done() {
                break;
            }
            self.change_phase();
            self.step();
            self.evaluation.restart(&self.state, self.options.evaluation());
            if budget.is_spent() {
                return false;
            }
        }
        true
    }

    /// Returns true if all sweeps are done or learning has failed.
    pub fn is_done(&self) -> bool {
        self.failed || self.history.len() >= self.options.total()
    }

    /// Updates the hyperparameters, computes the cost, and accepts or rejects the sweep.
    fn finish_sweep(&mut self) {
        let residuals = &self.evaluation.gradient().residuals;
        if self.phase >= LearningPhase::All {
            hyper::update(&mut self.state, &self.observations, residuals);
        }
        let cost = cost_parts(&self.state, &self.observations, residuals);
        let cells = (self.observations.samples() * self.observations.channels()) as f64;
        let limit =
            self.accepted.as_ref().map_or(f64::INFINITY, |last| last.cost.total() + TOLERANCE * cells);
        if cost.total() < limit {
            let (state, gradient) = (self.state.clone(), self.evaluation.gradient().clone());
            self.accepted = Some(AcceptedSweep { state, gradient, cost });
        } else if let Some(last) = &self.accepted {
            self.state.clone_from(&last.state);
            self.weight_rates.halve(MIN_RATE);
            self.source_rates.halve(MIN_RATE);
            self.rejected += 1;
        } else {
            // The cost of the initial state is not finite.
            self.failed = !cost.total().is_finite();
        }
        self.history.push(self.accepted.as_ref().map_or(cost, |last| last.cost));
    }

    /// Enters the phase of the next sweep.
    fn change_phase(&mut self) {
        let next = self.options.phase(self.history.len());
        if next == self.phase {
            return;
        }
        self.phase = next;
        self.phases.push((self.history.len(), next));
        match next {
            LearningPhase::Rotated => {
                self.gaussian_means = Some(self.means());
                mixture::rotate(&mut self.state, &mut self.stream);
            }
            LearningPhase::Mixtures => mixture::start_mixtures(&mut self.state, self.options.components),
            _ => return,
        }
        // The accepted step belongs to the old parametrisation: the gradient must be recomputed.
        self.weight_rates = WeightRates::new(&self.state, self.options.updates.initial_rate());
        self.source_rates = self.options.source_rates(&self.state);
        self.accepted = None;
    }

    /// Updates all variables of this phase at once.
    fn step(&mut self) {
        let Some(AcceptedSweep { gradient, .. }) = &self.accepted else { return };
        let updates = self.options.updates;
        weight_step::step(&mut self.state, gradient, updates.max_rate(), &mut self.weight_rates);
        if self.phase > LearningPhase::Network {
            let DataGradient { by_mean, by_var, curvature, .. } = gradient;
            let (joint, rates) = (updates.joint_step(), &mut self.source_rates);
            source_step::step(&mut self.state, by_mean, by_var, curvature, joint, rates);
        }
    }

    /// Returns the state of the last accepted sweep.
    pub fn state(&self) -> &ApproximatePosterior {
        self.accepted.as_ref().map_or(&self.state, |last| &last.state)
    }

    /// Returns s̄ of every sample: T rows of n.
    pub fn means(&self) -> Vec<Vec<f64>> {
        let sources = &self.state().sources;
        (0..sources.samples).map(|t| sources.means(t)).collect()
    }

    /// Returns s̄ at the end of the sweeps with Gaussian sources, once the sources have been rotated; T rows of n.
    pub fn gaussian_means(&self) -> Option<&[Vec<f64>]> {
        self.gaussian_means.as_deref()
    }

    /// Returns the cost after every sweep.
    pub fn history(&self) -> &[CostParts] {
        &self.history
    }

    /// Returns the phases so far, each with its first sweep.
    pub fn phases(&self) -> &[(usize, LearningPhase)] {
        &self.phases
    }

    /// Returns the number of sweeps that raised the cost and were rejected.
    pub fn rejected(&self) -> usize {
        self.rejected
    }

    /// Returns true if the cost of the initial state was not finite.
    pub fn has_failed(&self) -> bool {
        self.failed
    }

    /// Returns the measurements.
    pub fn observations(&self) -> &Observations {
        &self.observations
    }
}

impl UpdateRule {
    /// Returns the largest rate of a weight. With the output layer solved for, joint steps do not overshoot, and long steps save
    /// sweeps.
    fn max_rate(self) -> f64 {
        match self {
            Self::Block => 50.0,
            Self::Paper => 1.0,
        }
    }

    /// Returns the initial rate of all variables.
    fn initial_rate(self) -> f64 {
        match self {
            Self::Block => 0.5,
            Self::Paper => 0.1,
        }
    }

    /// Returns the joint step of the sources of a sample.
    pub(super) fn joint_step(self) -> JointStep {
        match self {
            Self::Block => JointStep::GaussNewton,
            Self::Paper => JointStep::Projected,
        }
    }
}

impl Options {
    /// Returns the total number of sweeps.
    pub fn total(&self) -> usize {
        self.sweeps + self.mixture_total()
    }

    /// Returns the number of sweeps after the rotation.
    fn mixture_total(&self) -> usize {
        if self.components > 1 { SETTLING + self.mixture_sweeps } else { 0 }
    }

    /// Returns the phase of a sweep.
    fn phase(&self, sweep: usize) -> LearningPhase {
        if sweep >= self.sweeps {
            if sweep >= self.sweeps + SETTLING { LearningPhase::Mixtures } else { LearningPhase::Rotated }
        } else if sweep < SOURCES_FROM {
            LearningPhase::Network
        } else if sweep < ALL_FROM {
            LearningPhase::Sources
        } else {
            LearningPhase::All
        }
    }

    /// Returns the options of the evaluation in a sweep.
    pub(super) fn evaluation(&self) -> EvaluationOptions {
        let solve_output = self.updates == UpdateRule::Block;
        EvaluationOptions { moments: self.moments, solve_output, curvature: true, clip: true }
    }

    /// Returns the initial rates of the sources.
    pub(super) fn source_rates(&self, state: &ApproximatePosterior) -> SourceRates {
        SourceRates::new(state.sources.samples, state.network.sources, self.updates.initial_rate())
    }
}
