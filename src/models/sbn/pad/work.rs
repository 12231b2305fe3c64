//! The work: a solve per network, then all results for the drawing.

use super::input::image;
use super::{DrawingResult, NetworkResult, PadSnapshot, PassTrace};
use crate::lab::{Budget, Work};
use crate::math::importance::LogMeanWeight;
use crate::math::random::{Purpose, Stream};
use crate::models::sbn::digits::preprocessing::{Bits, PIXELS};
use crate::models::sbn::ensemble::{DigitClassifier, Sample, best_of, pattern, samples};
use crate::models::sbn::network::importance::{Importance, LikelihoodEstimate};
use crate::models::sbn::network::inference::{SolveResult, State, StoppingRule};
use crate::models::sbn::network::packed::Packed;
use crate::models::sbn::spec::LearnSpec;

/// Number of draws of the estimate of ln P.
const DRAWS: usize = 150;
/// Number of passes shown.
const SHOWN_PASSES: usize = 10;
/// Number of samples of the network shown in detail.
const SAMPLES: usize = 12;

/// The work of one worker.
pub(super) struct PadWork {
    spec: LearnSpec,
    networks: DigitClassifier,
    trained_on: String,
    image: Bits,
    missing: Bits,
    /// Solves of the networks so far.
    solved: Vec<SolveResult>,
    result: Option<DrawingResult>,
    /// Number of passes of the next solves in a recorded run, which shows the results after each of the first passes.
    passes: Option<usize>,
}

impl PadWork {
    /// Creates the work for networks that were trained on `trained_on`.
    pub(super) fn new(spec: &LearnSpec, networks: DigitClassifier, trained_on: String) -> Self {
        let (image, missing) = image(spec);
        Self {
            spec: spec.clone(),
            networks,
            trained_on,
            image,
            missing,
            solved: Vec::new(),
            result: None,
            passes: None,
        }
    }

    /// Returns the stopping rule of the solves.
    fn stopping_rule(&self) -> StoppingRule {
        match self.passes {
            Some(passes) => StoppingRule { tolerance: 0.0, passes },
            None => self.spec.stopping_rule(),
        }
    }

    /// Returns all results, once all networks are solved.
    fn result(&mut self, budget: &mut Budget) -> DrawingResult {
        let best = best_of(&self.solved);
        let chosen = self.spec.look.digit();
        let chosen = chosen.and_then(|digit| self.networks.digits.iter().position(|other| *other == digit));
        let detailed = chosen.unwrap_or(best);
        let rows: Vec<NetworkResult> =
            (0..self.solved.len()).map(|which| self.network_result(which)).collect();
        let (filled, estimate) = self.completion(best);
        let passes = (1..=SHOWN_PASSES).map(|passes| self.trace(detailed, passes)).collect();
        let network_passes: usize = self.solved.iter().map(|solve| solve.passes).sum();
        budget
            .spend(self.networks.work(network_passes + SHOWN_PASSES * SHOWN_PASSES) + (DRAWS * 8000) as u64);
        DrawingResult {
            image: self.image,
            missing: self.missing,
            trained_on: self.trained_on.clone(),
            rows,
            best,
            detailed,
            filled,
            estimate,
            passes,
            samples: self.samples(detailed, SAMPLES, &self.spec.clamp),
            weights: self.pixel_weights(detailed),
        }
    }

    /// Returns the solve and a sample of a network.
    fn network_result(&self, which: usize) -> NetworkResult {
        let SolveResult { bound, passes, converged } = self.solved[which];
        // Each frame of a replay has another sample.
        let number = self.passes.unwrap_or(0);
        let sample = self.samples(which, number + 1, &[]).swap_remove(number);
        NetworkResult { digit: self.networks.digits[which], bound, passes, converged, sample }
    }

    /// Returns `count` samples of a network, with top units clamped to `clamp`.
    fn samples(&self, which: usize, count: usize, clamp: &[f64]) -> Vec<Sample> {
        let (network, digit) = (&self.networks.networks[which], self.networks.digits[which]);
        samples(network, self.spec.seed, digit, count, clamp)
    }

    /// Returns the means of all pixels under a network, and the estimate of ln P of the drawing.
    fn completion(&mut self, which: usize) -> (Vec<f32>, LikelihoodEstimate) {
        let packed = self.networks.packed[which].clone();
        let hidden_layers = self.networks.networks[which].layers.len() - 1;
        let (_, state) = self.networks.solve(which, self.image, self.missing, self.stopping_rule());
        let mut mu: Vec<Vec<f64>> = (0..hidden_layers).map(|l| state.means(&packed, l)).collect();
        let filled = state.filled(&packed).into_iter().map(|p| p as f32).collect();
        let pattern = pattern(self.image, self.missing);
        mu.push(pattern.visible.clone());
        let stream = Stream::for_purpose(self.spec.seed, Purpose::SbnPadLikelihood, 0);
        let mut sampling = Importance::new(&self.networks.networks[which], &pattern, &mu, DRAWS, stream);
        sampling.step(&mut Budget::new(u64::MAX));
        let none = LikelihoodEstimate {
            ln_p: LogMeanWeight { ln_mean: f64::NAN, se: f64::NAN, ess: 0.0 },
            draws: 0,
        };
        (filled, sampling.estimate().unwrap_or(none))
    }

    /// Returns the state of a network after a number of passes.
    fn trace(&mut self, which: usize, passes: usize) -> PassTrace {
        let packed = self.networks.packed[which].clone();
        let hidden_layers = self.networks.networks[which].layers.len() - 1;
        let rule = StoppingRule { tolerance: 0.0, passes };
        let (solved, state) = self.networks.solve(which, self.image, self.missing, rule);
        let hidden = |of: fn(&State, &Packed, usize) -> Vec<f64>| {
            (0..hidden_layers).flat_map(|l| of(state, &packed, l)).map(|x| x as f32).collect()
        };
        PassTrace { mu: hidden(State::means), xi: hidden(State::xi), bound: solved.bound }
    }

    /// Returns the weights from each unit of the lowest hidden layer to the pixels.
    fn pixel_weights(&self, which: usize) -> Vec<Vec<f32>> {
        let network = &self.networks.networks[which];
        let lowest = network.layers.len() - 2;
        let (units, weights) = (network.layers[lowest], &network.weights[lowest]);
        (0..units).map(|k| (0..PIXELS).map(|i| weights[i * units + k] as f32).collect()).collect()
    }
}

impl Work for PadWork {
    type Snapshot = PadSnapshot;

    fn begin(&mut self, _unit: usize) {}

    fn step(&mut self, budget: &mut Budget) -> bool {
        let next = self.solved.len();
        if next < self.networks.packed.len() {
            let (solved, _) = self.networks.solve(next, self.image, self.missing, self.stopping_rule());
            budget.spend(self.networks.work(solved.passes));
            self.solved.push(solved);
            return false;
        }
        self.result = Some(self.result(budget));
        self.solved.clear();
        let Some(passes) = self.passes else { return true };
        self.passes = Some(passes + 1).filter(|next| *next <= SHOWN_PASSES);
        false
    }

    fn record(&mut self) {
        self.passes = Some(1);
    }

    /// Returns the results so far; `None` while the networks are being solved.
    fn frame(&self) -> Option<PadSnapshot> {
        self.solved.is_empty().then(|| self.snapshot())
    }

    fn fraction(&self) -> f64 {
        self.solved.len() as f64 / (self.networks.packed.len() + 1) as f64
    }

    fn note(&self) -> String {
        "solving the mean field equations".to_owned()
    }

    fn is_drawable(&self) -> bool {
        self.result.is_some()
    }

    fn snapshot(&self) -> PadSnapshot {
        PadSnapshot { result: self.result.clone() }
    }
}
