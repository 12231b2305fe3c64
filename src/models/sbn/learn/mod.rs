//! The experiment of the paper: one network per digit is trained, and test images are classified by the largest bound.

mod figures;
mod report;
mod run;
mod spec;
mod training;

pub use spec::{Baselines, Canvas, LEVELS, LearnSpec};
pub use training::samples;

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::lab::Confusion;
use crate::models::sbn::baselines::mixture::Mixture;
use crate::models::sbn::digits::prepare::Bits;
use crate::models::sbn::ensemble::{Ensemble, Member};

/// Learning, classification and samples.
pub struct Learn;

/// What a worker sends: rows of digits, and of blocks of test images, in the order of the units.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LearnSnapshot {
    /// One for each digit whose network is trained or in training.
    pub trained: Vec<Rc<Trained>>,
    /// One for each digit whose mixture is trained.
    pub mixtures: Vec<Rc<Mixed>>,
    /// One a block of test images.
    pub tested: Vec<Tested>,
}

/// A digit's network, as far as it is trained.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trained {
    /// The digit.
    pub digit: u8,
    /// Its training images.
    pub images: usize,
    /// Mean bound on ln P of an image over each epoch so far, while its weights changed, in nats.
    pub bounds: Vec<f64>,
    /// Solves of the mean field equations, their passes, and those that did not reach the tolerance.
    pub solves: usize,
    /// See `solves`.
    pub passes: usize,
    /// See `solves`.
    pub unconverged: usize,
    /// The network, once it is trained; none that has numbers that are not finite.
    pub network: Option<Member>,
    /// Whether learning ended in numbers that are not finite.
    pub diverged: bool,
    /// Images drawn from it: the probability of each pixel given the hidden units, and the pixels.
    pub samples: Vec<Sample>,
    /// Its training images themselves, where neighbours are looked for among them.
    pub kept: Vec<Bits>,
}

/// An image drawn from a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Probability of each pixel to be 1, given the units above.
    pub probabilities: Vec<f32>,
    /// The pixels.
    pub bits: Bits,
}

/// A digit's mixture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mixed {
    /// The digit.
    pub digit: u8,
    /// Mean of ln P of an image before each step of EM.
    pub ln_p: Vec<f64>,
    /// The mixture.
    pub mixture: Mixture,
}

/// What classifiers say of a block of test images.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tested {
    /// Digit of each image.
    pub digits: Vec<u8>,
    /// What the networks take it for.
    pub network: Vec<u8>,
    /// What the mixtures do; none without them.
    pub mixture: Vec<u8>,
    /// What the k nearest training images do, k = 1, 3, 5, 7, 9; none without them.
    pub neighbours: Vec<[u8; 5]>,
    /// Errors with missing pixels, one row a fraction.
    pub missing: Vec<Missing>,
    /// Passes of all solves, and solves, without missing pixels.
    pub passes: usize,
    /// See `passes`.
    pub solves: usize,
    /// Solves that did not reach the tolerance.
    pub unconverged: usize,
}

/// Errors of a block with a fraction of its pixels missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Missing {
    /// The fraction.
    pub fraction: f64,
    /// Of the networks.
    pub network: usize,
    /// Of the mixtures.
    pub mixture: usize,
    /// Of the five nearest neighbours.
    pub neighbours: usize,
}

impl LearnSnapshot {
    /// The networks that are trained; `None` before there is one.
    fn ensemble(&self, spec: &LearnSpec) -> Option<Ensemble> {
        let members: Vec<Member> = self.trained.iter().filter_map(|row| row.network.clone()).collect();
        (!members.is_empty()).then(|| Ensemble { trained_on: spec.trained_on(), members })
    }

    /// Test images by digit and what the networks take them for.
    pub fn confusion(&self) -> Confusion {
        let pairs = self.tested.iter().flat_map(|block| block.digits.iter().zip(&block.network));
        Confusion::new(10, pairs.map(|(digit, said)| (usize::from(*digit), Some(usize::from(*said)))))
    }

    /// Number of test images, and errors of the networks.
    pub fn errors(&self) -> (usize, usize) {
        let count = self.tested.iter().map(|block| block.digits.len()).sum();
        let pairs = self.tested.iter().flat_map(|block| block.digits.iter().zip(&block.network));
        (count, pairs.filter(|(digit, said)| digit != said).count())
    }

    /// Errors of the mixtures; `None` without them.
    pub fn mixture_errors(&self) -> Option<usize> {
        let pairs = || self.tested.iter().flat_map(|block| block.digits.iter().zip(&block.mixture));
        pairs().next().map(|_| pairs().filter(|(digit, said)| digit != said).count())
    }

    /// Errors of the k nearest neighbours, k = 1, 3, 5, 7, 9; `None` without them.
    pub fn neighbour_errors(&self) -> Option<[usize; 5]> {
        let pairs = || self.tested.iter().flat_map(|block| block.digits.iter().zip(&block.neighbours));
        pairs().next()?;
        Some(std::array::from_fn(|k| pairs().filter(|(digit, said)| **digit != said[k]).count()))
    }

    /// Errors by fraction of missing pixels, over all blocks that there are.
    pub fn missing(&self) -> Vec<Missing> {
        let mut rows: Vec<Missing> = Vec::new();
        for row in self.tested.iter().flat_map(|block| &block.missing) {
            if let Some(sum) = rows.iter_mut().find(|sum| sum.fraction == row.fraction) {
                sum.network += row.network;
                sum.mixture += row.mixture;
                sum.neighbours += row.neighbours;
            } else {
                rows.push(*row);
            }
        }
        rows
    }
}
