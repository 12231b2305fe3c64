//! The pretrained networks of the page, trained on simulated strokes (`scripts/pretrain`) and rounded to 8 bits per number.

use serde::{Deserialize, Serialize};

use super::ensemble::{DigitClassifier, DigitEnsemble, Member};
use super::network::model::Network;
use crate::lab::{decode, encode};

/// Permalink of the training run.
pub const LINK: &str = "#/sbn?per_digit=2000&test=1000";
/// Description of the training set.
const TRAINED_ON: &str = "2000 drawn strokes per digit";
/// The file written by `scripts/pretrain`.
static SHIPPED: &[u8] = include_bytes!("../../../assets/sbn/networks.bin");
/// Largest magnitude of a rounded number, in steps.
const MAX_STEPS: f32 = 127.0;

/// A member with 8 bits per number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundedMember {
    /// The digit.
    pub digit: u8,
    /// Number of units in each layer, the top layer first.
    pub layers: Vec<u16>,
    /// Step size, for the weights of each layer and then for the biases of each layer.
    pub steps: Vec<f32>,
    /// Weights and biases in steps, plus 128.
    #[serde(with = "serde_bytes")]
    pub numbers: Vec<u8>,
}

/// Returns the lengths of the lists of weights and biases of a member.
fn lengths(layers: &[u16]) -> Vec<usize> {
    let sizes: Vec<usize> = layers.iter().map(|n| usize::from(*n)).collect();
    let network = Network::zero(&sizes);
    network.weights.iter().chain(&network.biases).map(Vec::len).collect()
}

impl RoundedMember {
    /// Rounds a member.
    pub fn new(member: &Member) -> Self {
        let (mut steps, mut numbers, mut rest) = (Vec::new(), Vec::new(), &member.numbers[..]);
        for length in lengths(&member.layers) {
            let (list, later) = rest.split_at(length);
            rest = later;
            let largest = list.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
            let step = if largest > 0.0 { largest / MAX_STEPS } else { 1.0 };
            steps.push(step);
            numbers.extend(list.iter().map(|x| (libm::roundf(x / step) + 128.0) as u8));
        }
        Self { digit: member.digit, layers: member.layers.clone(), steps, numbers }
    }

    /// Returns the member.
    pub fn member(&self) -> Member {
        let steps = lengths(&self.layers).into_iter().zip(&self.steps);
        let steps = steps.flat_map(|(length, step)| std::iter::repeat_n(*step, length));
        let numbers = self.numbers.iter().zip(steps).map(|(q, step)| (f32::from(*q) - 128.0) * step);
        Member { digit: self.digit, layers: self.layers.clone(), numbers: numbers.collect() }
    }
}

/// Returns the file of rounded members.
pub fn file(members: &[RoundedMember]) -> Vec<u8> {
    encode(&members)
}

/// Returns the pretrained members.
///
/// # Panics
/// If the built-in file is invalid, which a test excludes.
pub fn shipped() -> Vec<RoundedMember> {
    decode(SHIPPED).unwrap_or_else(|why| unreachable!("{why}"))
}

/// Returns the pretrained networks.
pub fn ensemble() -> DigitEnsemble {
    let members = shipped().iter().map(RoundedMember::member).collect();
    DigitEnsemble { trained_on: TRAINED_ON.into(), members }
}

/// Returns a description of the training set and the classifier of the pretrained networks.
///
/// # Panics
/// See [`shipped`].
pub fn classifier() -> (String, DigitClassifier) {
    let networks =
        ensemble().classifier().unwrap_or_else(|| unreachable!("the pretrained networks are valid"));
    (TRAINED_ON.into(), networks)
}
