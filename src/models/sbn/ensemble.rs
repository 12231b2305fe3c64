//! Ensembles of one network per digit: saving, classification and samples.

use serde::{Deserialize, Serialize};

use super::digits::preprocessing::{Bits, PIXELS, is_on};
use super::network::inference::{SolveResult, State, StoppingRule};
use super::network::model::{Network, Pattern};
use super::network::packed::Packed;
use crate::data::{Artefact, DataRef, Store};
use crate::lab::{decode, encode};
use crate::math::random::{Purpose, Stream};

/// Kind of the artefact of an ensemble.
pub const KIND: &str = "sbn.networks";
/// Version of the format of the artefact.
const FORMAT: u32 = 1;
/// Maximum number of units of a layer.
pub const MAX_UNITS: u16 = 200;
/// Maximum number of layers.
pub const MAX_LAYERS: usize = 6;

/// Trained networks of several digits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DigitEnsemble {
    /// Description of the training set.
    pub trained_on: String,
    /// Networks, in increasing order of their digits.
    pub members: Vec<Member>,
}

/// A digit's network in `f32`, the precision of learning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// The digit.
    pub digit: u8,
    /// Number of units in each layer, the top layer first.
    pub layers: Vec<u16>,
    /// Weights of all layers, then biases of all layers, as in [`Network`].
    pub numbers: Vec<f32>,
}

impl Member {
    /// Creates the member of a digit.
    pub fn new(digit: u8, network: &Network) -> Self {
        let numbers = network.weights.iter().chain(&network.biases).flatten().map(|x| *x as f32);
        let layers = network.layers.iter().map(|n| *n as u16).collect();
        Self { digit, layers, numbers: numbers.collect() }
    }

    /// Returns the network; `None` if its shape or the number of its parameters is invalid, or a number is not finite.
    pub fn network(&self) -> Option<Network> {
        let layers: Vec<usize> = self.layers.iter().map(|n| usize::from(*n)).collect();
        let valid = (2..=MAX_LAYERS).contains(&layers.len())
            && self.layers.iter().all(|n| (1..=MAX_UNITS).contains(n))
            && layers.last() == Some(&PIXELS);
        if !valid {
            return None;
        }
        let mut network = Network::zero(&layers);
        if network.parameters() != self.numbers.len() {
            return None;
        }
        let parameters = network.weights.iter_mut().chain(&mut network.biases).flatten();
        parameters.zip(&self.numbers).for_each(|(parameter, number)| *parameter = f64::from(*number));
        network.is_valid().then_some(network)
    }
}

impl DigitEnsemble {
    /// Returns the artefact of the ensemble.
    pub fn artefact(&self) -> Artefact {
        Artefact { kind: KIND.into(), format: FORMAT, bytes: encode(self) }
    }

    /// Returns the ensemble `named` in the store; `None` if it is missing or of another kind.
    pub fn find(store: &Store, named: &DataRef) -> Option<Self> {
        decode(store.artefact(named, KIND, FORMAT)?).ok()
    }

    /// Returns the classifier; `None` if there is no member, a member is invalid, or the digits are not in increasing order.
    pub fn classifier(&self) -> Option<DigitClassifier> {
        let increasing = self.members.windows(2).all(|pair| pair[0].digit < pair[1].digit);
        let last = self.members.last().filter(|last| increasing && last.digit < 10);
        last?;
        let networks: Option<Vec<Network>> = self.members.iter().map(Member::network).collect();
        let networks = networks?;
        let packed: Vec<Packed> = networks.iter().map(Packed::new).collect();
        let states = packed.iter().map(State::new).collect();
        let digits = self.members.iter().map(|member| member.digit).collect();
        Some(DigitClassifier { digits, networks, packed, states })
    }
}

/// Networks with the states of their solvers.
#[derive(Clone, Debug)]
pub struct DigitClassifier {
    /// Digit of each network.
    pub digits: Vec<u8>,
    /// The networks.
    pub networks: Vec<Network>,
    /// The networks in the layout of the fast solver.
    pub packed: Vec<Packed>,
    states: Vec<State>,
}

impl DigitClassifier {
    /// Solves the mean field equations of network `which` for an image with missing pixels.
    pub fn solve(
        &mut self,
        which: usize,
        image: Bits,
        missing: Bits,
        rule: StoppingRule,
    ) -> (SolveResult, &State) {
        let (packed, state) = (&self.packed[which], &mut self.states[which]);
        state.clamp(packed, |i| (!is_on(missing, i)).then(|| is_on(image, i)));
        (state.solve(packed, rule), state)
    }

    /// Solves all networks. Returns the index of the network with the largest bound, and all results.
    pub fn classify(&mut self, image: Bits, missing: Bits, rule: StoppingRule) -> (usize, Vec<SolveResult>) {
        let solved: Vec<SolveResult> =
            (0..self.packed.len()).map(|which| self.solve(which, image, missing, rule).0).collect();
        (best_of(&solved), solved)
    }

    /// Returns the approximate work of a solve of `passes` passes, in multiply–adds.
    pub fn work(&self, passes: usize) -> u64 {
        self.packed.first().map_or(1, |packed| 3 * (passes * packed.parameters()) as u64)
    }
}

/// Returns the index of the largest bound, the first of equal ones; 0 for an empty list.
pub fn best_of(solved: &[SolveResult]) -> usize {
    let better = |best: usize, which: usize| {
        if solved[which].bound > solved[best].bound { which } else { best }
    };
    (0..solved.len()).reduce(better).unwrap_or_default()
}

/// Returns the pattern of an image.
pub fn pattern(image: Bits, missing: Bits) -> Pattern {
    let visible = (0..PIXELS).map(|i| f64::from(u8::from(is_on(image, i)))).collect();
    Pattern { visible, observed: (0..PIXELS).map(|i| !is_on(missing, i)).collect() }
}

/// An ancestral sample of a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Probability of each pixel to be 1, given the hidden units above.
    pub probabilities: Vec<f32>,
    /// Pixels of the sample.
    pub bits: Bits,
}

/// Draws `count` ancestral samples of the network of `digit`. `clamp` has the states of top units, negative for units that are
/// drawn.
pub fn samples(network: &Network, seed: u64, digit: u8, count: usize, clamp: &[f64]) -> Vec<Sample> {
    let draw = |i: usize| {
        let mut stream =
            Stream::for_purpose(seed, Purpose::SbnSamples, (usize::from(digit) * 1000 + i) as u64);
        let clamped = |l: usize, k: usize| clamp.get(k).copied().filter(|state| l == 0 && *state >= 0.0);
        let (states, probabilities) = network.sample(clamped, &mut stream);
        let visible = &states[network.layers.len() - 1];
        let bits = visible.iter().enumerate().filter(|(_, s)| **s > 0.5).map(|(i, _)| 1 << i).sum();
        Sample { probabilities: probabilities.iter().map(|p| *p as f32).collect(), bits }
    };
    (0..count).map(draw).collect()
}
