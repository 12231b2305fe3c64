//! Learning from beginning to end: principal components, three phases, and then mixtures of Gaussians for the sources.

use serde::{Deserialize, Serialize};

use super::cost::{Parts, parts};
use super::evaluation::{Evaluation, Gradient, Wanted};
use super::hyper;
use super::linear::principal_components;
use super::mixture;
use super::moments::Moments;
use super::network::Network;
use super::observations::Observations;
use super::source_step::{self, Joint};
use super::sources::Sources;
use super::state::State;
use super::weight_step;
use crate::math::Budget;
use crate::math::random::Stream;

/// Sweeps before the sources move.
pub const SOURCES_FROM: usize = 50;
/// Sweeps before the hyperparameters do.
pub const ALL_FROM: usize = 100;
/// Sweeps between the rotation of the sources and their mixtures.
pub const SETTLING: usize = 25;
/// What a sweep may raise the cost by, in nats a cell.
const TOLERANCE: f64 = 1e-3;
/// The smallest rate that the guard halves to.
const GUARD_FLOOR: f64 = 1e-5;
/// Where learning begins.
const WEIGHT_VAR: f64 = 1e-3;
const SOURCE_VAR: f64 = 0.01;
const SECOND_SD: f64 = 0.3;
const NOISE_SD: f64 = 0.3;

crate::choice! {
    /// How a sweep moves.
    #[derive(Serialize, Deserialize)]
    pub enum Updates {
        /// The output layer solved, the sources of a sample by Gauss and Newton's step.
        Block = "block" "block, with Gauss–Newton steps",
        /// Every variable by itself, damped, as in the papers.
        Paper = "paper" "damped steps of all variables (papers)",
    }
}

/// Options of learning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// n.
    pub sources: usize,
    /// H.
    pub hidden: usize,
    /// L of the mixtures; 1 for Gaussian sources to the end.
    pub components: usize,
    /// Sweeps with Gaussian sources.
    pub sweeps: usize,
    /// Sweeps with mixtures, after those.
    pub mixture_sweeps: usize,
    /// How moments go through tanh.
    pub moments: Moments,
    /// How a sweep moves.
    pub updates: Updates,
    /// Standard deviation of the first layer's initial weights.
    pub weight_sd: f64,
}

/// What moves in a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// The network only: sources that a random network cannot use yet would be pruned for good.
    Network,
    /// The sources too.
    Sources,
    /// All of it, with Gaussian sources.
    All,
    /// The same, after FastICA has rotated the sources.
    Rotated,
    /// All of it, with mixtures.
    Mixtures,
}

/// Learning in progress.
pub struct Learning {
    options: Options,
    observations: Observations,
    state: State,
    evaluation: Evaluation,
    rates: (weight_step::Rates, source_step::Rates),
    /// The last sweep that was accepted: its state, gradient and cost.
    accepted: Option<(State, Gradient, Parts)>,
    phase: Phase,
    history: Vec<Parts>,
    phases: Vec<(usize, Phase)>,
    /// Sweeps that were taken back.
    taken_back: usize,
    /// Means of the sources before they were rotated.
    gaussian: Option<Vec<Vec<f64>>>,
    stream: Stream,
    failed: bool,
}

impl Learning {
    /// Before the first sweep. `rows` are T samples of m channels, of about unit variance over all and each of mean about 0; what
    /// is not finite is missing.
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
        let state = State::new(network, sources, NOISE_SD);
        let evaluation = Evaluation::new(&state, options.wanted());
        Self {
            rates: options.rates(&state),
            options,
            observations,
            state,
            evaluation,
            accepted: None,
            phase: Phase::Network,
            history: Vec::new(),
            phases: vec![(0, Phase::Network)],
            taken_back: 0,
            gaussian: None,
            stream,
            failed: false,
        }
    }

    /// Goes on within `budget`; `true` once all sweeps are done.
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
            self.evaluation.restart(&self.state, self.options.wanted());
            if budget.is_spent() {
                return false;
            }
        }
        true
    }

    /// Whether all sweeps are done, or nothing can be.
    pub fn is_done(&self) -> bool {
        self.failed || self.history.len() >= self.options.total()
    }

    /// Hyperparameters, the cost, and the guard.
    fn finish_sweep(&mut self) {
        let residuals = &self.evaluation.gradient().residuals;
        if self.phase >= Phase::All {
            hyper::update(&mut self.state, &self.observations, residuals);
        }
        let cost = parts(&self.state, &self.observations, residuals);
        let cells = (self.observations.samples() * self.observations.channels()) as f64;
        let limit = self.accepted.as_ref().map_or(f64::INFINITY, |last| last.2.total() + TOLERANCE * cells);
        if cost.total() < limit {
            self.accepted = Some((self.state.clone(), self.evaluation.gradient().clone(), cost));
        } else if let Some((state, ..)) = &self.accepted {
            self.state.clone_from(state);
            self.rates.0.halve(GUARD_FLOOR);
            self.rates.1.halve(GUARD_FLOOR);
            self.taken_back += 1;
        } else {
            // Not even the start has a cost.
            self.failed = !cost.total().is_finite();
        }
        self.history.push(self.accepted.as_ref().map_or(cost, |last| last.2));
    }

    /// Before the next sweep.
    fn change_phase(&mut self) {
        let next = self.options.phase(self.history.len());
        if next == self.phase {
            return;
        }
        self.phase = next;
        self.phases.push((self.history.len(), next));
        match next {
            Phase::Rotated => {
                self.gaussian = Some(self.means());
                mixture::rotate(&mut self.state, &mut self.stream);
            }
            Phase::Mixtures => mixture::begin(&mut self.state, self.options.components),
            _ => return,
        }
        // The accepted step belongs to the old parametrisation: the gradient must be recomputed.
        self.rates = self.options.rates(&self.state);
        self.accepted = None;
    }

    /// Everything that moves in this phase moves at once.
    fn step(&mut self) {
        let Some((_, gradient, _)) = &self.accepted else { return };
        weight_step::step(&mut self.state, gradient, self.options.updates.fastest(), &mut self.rates.0);
        if self.phase > Phase::Network {
            let (by_mean, by_var) = (&gradient.by_mean, &gradient.by_var);
            let joint = self.options.updates.joint();
            source_step::step(
                &mut self.state,
                by_mean,
                by_var,
                &gradient.curvature,
                joint,
                &mut self.rates.1,
            );
        }
    }

    /// What has been learnt so far, at the last sweep that was accepted.
    pub fn state(&self) -> &State {
        self.accepted.as_ref().map_or(&self.state, |last| &last.0)
    }

    /// s̄ of every sample: T rows of n.
    pub fn means(&self) -> Vec<Vec<f64>> {
        let sources = &self.state().sources;
        (0..sources.samples).map(|t| sources.means(t)).collect()
    }

    /// The same at the end of the sweeps with Gaussian sources, if others have begun.
    pub fn gaussian_means(&self) -> Option<&[Vec<f64>]> {
        self.gaussian.as_deref()
    }

    /// The cost after every sweep.
    pub fn history(&self) -> &[Parts] {
        &self.history
    }

    /// The phases so far, each with its first sweep.
    pub fn phases(&self) -> &[(usize, Phase)] {
        &self.phases
    }

    /// Sweeps that raised the cost and were taken back.
    pub fn taken_back(&self) -> usize {
        self.taken_back
    }

    /// Whether there was no finite cost.
    pub fn has_failed(&self) -> bool {
        self.failed
    }

    /// The measurements.
    pub fn observations(&self) -> &Observations {
        &self.observations
    }
}

impl PartialOrd for Phase {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        (*self as u8).partial_cmp(&(*other as u8))
    }
}

impl Updates {
    /// The largest rate of a weight. With the output layer solved there is no overshooting together, and long steps save sweeps.
    fn fastest(self) -> f64 {
        match self {
            Self::Block => 50.0,
            Self::Paper => 1.0,
        }
    }

    fn joint(self) -> Joint {
        match self {
            Self::Block => Joint::GaussNewton,
            Self::Paper => Joint::Projected,
        }
    }
}

impl Options {
    /// All sweeps.
    pub fn total(&self) -> usize {
        self.sweeps + self.mixture_total()
    }

    fn mixture_total(&self) -> usize {
        if self.components > 1 { SETTLING + self.mixture_sweeps } else { 0 }
    }

    /// The phase of a sweep.
    fn phase(&self, sweep: usize) -> Phase {
        if sweep >= self.sweeps {
            if sweep >= self.sweeps + SETTLING { Phase::Mixtures } else { Phase::Rotated }
        } else if sweep < SOURCES_FROM {
            Phase::Network
        } else if sweep < ALL_FROM {
            Phase::Sources
        } else {
            Phase::All
        }
    }

    fn wanted(&self) -> Wanted {
        let solve_output = self.updates == Updates::Block;
        Wanted { moments: self.moments, solve_output, curvature: true, clip: true }
    }

    fn rates(&self, state: &State) -> (weight_step::Rates, source_step::Rates) {
        let rate = if self.updates == Updates::Block { 0.5 } else { 0.1 };
        let sources = source_step::Rates::new(state.sources.samples, state.network.sources, rate);
        (weight_step::Rates::new(state, rate), sources)
    }
}
