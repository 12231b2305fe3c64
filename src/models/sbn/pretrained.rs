//! The networks that come with the page, so that the pad works at once: trained by this project's own command on strokes that this
//! project draws (`scripts/pretrain`), and rounded to 8 bits a number.

use serde::{Deserialize, Serialize};

use super::ensemble::{Classifier, Ensemble, Member};
use super::network::model::Network;
use crate::lab::{decode, encode};

/// The run that trains them.
pub const LINK: &str = "#/sbn?per_digit=2000&test=1000";
/// What it trains them on.
const TRAINED_ON: &str = "2000 drawn strokes per digit";
/// As `scripts/pretrain` writes them.
static SHIPPED: &[u8] = include_bytes!("../../../assets/sbn/networks.bin");
/// Largest rounded number.
const TOP: f32 = 127.0;

/// A member in 8 bits a number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rounded {
    /// See [`Member`].
    pub digit: u8,
    /// See [`Member`].
    pub layers: Vec<u16>,
    /// What one step is, for the weights of each layer and then for the biases of each layer.
    pub steps: Vec<f32>,
    /// Numbers in steps, plus 128.
    #[serde(with = "serde_bytes")]
    pub numbers: Vec<u8>,
}

/// Lengths of the lists of numbers of a member.
fn lengths(layers: &[u16]) -> Vec<usize> {
    let sizes: Vec<usize> = layers.iter().map(|n| usize::from(*n)).collect();
    let network = Network::zero(&sizes);
    network.weights.iter().chain(&network.biases).map(Vec::len).collect()
}

impl Rounded {
    /// A member, rounded.
    pub fn new(member: &Member) -> Self {
        let (mut steps, mut numbers, mut rest) = (Vec::new(), Vec::new(), &member.numbers[..]);
        for length in lengths(&member.layers) {
            let (list, later) = rest.split_at(length);
            rest = later;
            let most = list.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
            let step = if most > 0.0 { most / TOP } else { 1.0 };
            steps.push(step);
            numbers.extend(list.iter().map(|x| (libm::roundf(x / step) + 128.0) as u8));
        }
        Self { digit: member.digit, layers: member.layers.clone(), steps, numbers }
    }

    /// The member that this is.
    pub fn member(&self) -> Member {
        let steps = lengths(&self.layers).into_iter().zip(&self.steps);
        let steps = steps.flat_map(|(length, step)| std::iter::repeat_n(*step, length));
        let numbers = self.numbers.iter().zip(steps).map(|(q, step)| (f32::from(*q) - 128.0) * step);
        Member { digit: self.digit, layers: self.layers.clone(), numbers: numbers.collect() }
    }
}

/// A file of rounded members.
pub fn file(members: &[Rounded]) -> Vec<u8> {
    encode(&members)
}

/// The members that are shipped.
///
/// # Panics
/// If the file that was built in is damaged, which a test would have found.
pub fn shipped() -> Vec<Rounded> {
    decode(SHIPPED).unwrap_or_else(|why| unreachable!("{why}"))
}

/// The networks that are shipped.
pub fn ensemble() -> Ensemble {
    let members = shipped().iter().map(Rounded::member).collect();
    Ensemble { trained_on: TRAINED_ON.into(), members }
}

/// What they were trained on, and themselves, ready to classify.
///
/// # Panics
/// See [`shipped`].
pub fn classifier() -> (String, Classifier) {
    let networks = ensemble().classifier().unwrap_or_else(|| unreachable!("they are sound"));
    (TRAINED_ON.into(), networks)
}
