//! One network a digit: what is learnt, saved and used to classify.

use serde::{Deserialize, Serialize};

use super::digits::prepare::{Bits, PIXELS, is_on};
use super::network::inference::{Options, Solved, State};
use super::network::model::{Network, Pattern};
use super::network::packed::Packed;
use crate::data::{Artefact, DataRef, Store};
use crate::lab::{decode, encode};

/// Kind and version of the artefact that holds an ensemble.
pub const KIND: &str = "sbn.networks";
const FORMAT: u32 = 1;
/// Units of a layer at most.
pub const WIDEST: u16 = 200;
/// Layers at most.
pub const DEEPEST: usize = 6;

/// Trained networks, of which each has its digit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ensemble {
    /// In a few words, what they were trained on.
    pub trained_on: String,
    /// Digits and their networks, the digits in their order.
    pub members: Vec<Member>,
}

/// A digit's network, in `f32` as it was learnt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// The digit.
    pub digit: u8,
    /// Units in each layer, the top one first.
    pub layers: Vec<u16>,
    /// Weights of all layers, and then biases of all layers, as in [`Network`].
    pub numbers: Vec<f32>,
}

impl Member {
    /// That of a digit.
    pub fn new(digit: u8, network: &Network) -> Self {
        let numbers = network.weights.iter().chain(&network.biases).flatten().map(|x| *x as f32);
        let layers = network.layers.iter().map(|n| *n as u16).collect();
        Self { digit, layers, numbers: numbers.collect() }
    }

    /// The network; `None` if the numbers are not as many as its layers say, or it is not one for images that can be trained here.
    pub fn network(&self) -> Option<Network> {
        let layers: Vec<usize> = self.layers.iter().map(|n| usize::from(*n)).collect();
        let possible = (2..=DEEPEST).contains(&layers.len())
            && self.layers.iter().all(|n| (1..=WIDEST).contains(n))
            && layers.last() == Some(&PIXELS);
        if !possible {
            return None;
        }
        let mut network = Network::zero(&layers);
        if network.parameters() != self.numbers.len() {
            return None;
        }
        let places = network.weights.iter_mut().chain(&mut network.biases).flatten();
        places.zip(&self.numbers).for_each(|(place, number)| *place = f64::from(*number));
        network.is_sound().then_some(network)
    }
}

impl Ensemble {
    /// As a file that other work can take.
    pub fn artefact(&self) -> Artefact {
        Artefact { kind: KIND.into(), format: FORMAT, bytes: encode(self) }
    }

    /// The one that is named in the store, if it is one.
    pub fn find(store: &Store, named: &DataRef) -> Option<Self> {
        decode(store.artefact(named, KIND, FORMAT)?).ok()
    }

    /// Ready to classify; `None` if there is no member, one is damaged, or their digits are not in increasing order.
    pub fn classifier(&self) -> Option<Classifier> {
        let increasing = self.members.windows(2).all(|pair| pair[0].digit < pair[1].digit);
        let last = self.members.last().filter(|last| increasing && last.digit < 10);
        last?;
        let networks: Option<Vec<Network>> = self.members.iter().map(Member::network).collect();
        let networks = networks?;
        let packed: Vec<Packed> = networks.iter().map(Packed::new).collect();
        let states = packed.iter().map(State::new).collect();
        let digits = self.members.iter().map(|member| member.digit).collect();
        Some(Classifier { digits, networks, packed, states })
    }
}

/// Networks with room to solve their equations.
#[derive(Clone, Debug)]
pub struct Classifier {
    /// The digit of each.
    pub digits: Vec<u8>,
    /// The networks.
    pub networks: Vec<Network>,
    /// The same for the fast solver.
    pub packed: Vec<Packed>,
    states: Vec<State>,
}

impl Classifier {
    /// Solves the equations of network `which` for an image whose pixels in `missing` are not known.
    pub fn solve(&mut self, which: usize, image: Bits, missing: Bits, options: Options) -> (Solved, &State) {
        let (packed, state) = (&self.packed[which], &mut self.states[which]);
        state.clamp(packed, |i| (!is_on(missing, i)).then(|| is_on(image, i)));
        (state.solve(packed, options), state)
    }

    /// How each network solved; the likeliest, the first of several, gives the predicted digit.
    pub fn classify(&mut self, image: Bits, missing: Bits, options: Options) -> (usize, Vec<Solved>) {
        let solved: Vec<Solved> =
            (0..self.packed.len()).map(|which| self.solve(which, image, missing, options).0).collect();
        let better = |best: usize, which: usize| {
            if solved[which].bound > solved[best].bound { which } else { best }
        };
        ((0..solved.len()).reduce(better).unwrap_or_default(), solved)
    }

    /// Multiply–adds that a solve of `passes` passes costs, roughly.
    pub fn work(&self, passes: usize) -> u64 {
        self.packed.first().map_or(1, |packed| 3 * (passes * packed.parameters()) as u64)
    }
}

/// An image as a pattern of a network.
pub fn pattern(image: Bits, missing: Bits) -> Pattern {
    let visible = (0..PIXELS).map(|i| f64::from(u8::from(is_on(image, i)))).collect();
    Pattern { visible, observed: (0..PIXELS).map(|i| !is_on(missing, i)).collect() }
}
