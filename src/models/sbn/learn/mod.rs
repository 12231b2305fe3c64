//! The task `sbn`, the experiment of the paper: one network per digit is trained, and test images are classified by the largest
//! bound.

mod figures;
mod mixture_fit;
mod report;
mod task;
mod testing;
mod training;
mod work;

pub use super::ensemble::{Sample, samples};
pub use super::spec::LearnSpec;

use std::f64::consts::LN_2;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::lab::Confusion;
use crate::models::sbn::baselines::mixture::Mixture;
use crate::models::sbn::digits::preprocessing::{Bits, PIXELS};
use crate::models::sbn::ensemble::{DigitEnsemble, Member};

/// Unit of bounds in figures and reports: bits per pixel, as in figure 2 of SJ98.
const BOUND_UNIT: f64 = PIXELS as f64 * LN_2;

/// The task: training, classification and samples.
pub struct Learn;

/// Results of the units so far, in their order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LearnSnapshot {
    /// Networks of the digits, trained or in training.
    pub trained: Vec<Rc<TrainedNetwork>>,
    /// Mixtures of the digits, fitted or in progress.
    pub mixtures: Vec<Rc<TrainedMixture>>,
    /// Blocks of test images.
    pub tested: Vec<TestBlock>,
}

/// A digit's network, trained or in training.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainedNetwork {
    /// The digit.
    pub digit: u8,
    /// Number of training images.
    pub images: usize,
    /// Mean bound on ln P of an image over each epoch so far, evaluated during training, in nats.
    pub bounds: Vec<f64>,
    /// Number of solves of the mean field equations.
    pub solves: usize,
    /// Total number of passes of the solves.
    pub passes: usize,
    /// Number of solves that did not reach the tolerance.
    pub unconverged: usize,
    /// The network, once it is trained; `None` if training diverged.
    pub network: Option<Member>,
    /// True if training ended in values that are not finite.
    pub diverged: bool,
    /// Samples of the trained network.
    pub samples: Vec<Sample>,
    /// Training images, if nearest neighbours are a baseline.
    pub kept: Vec<Bits>,
}

/// A digit's mixture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainedMixture {
    /// The digit.
    pub digit: u8,
    /// Mean of ln P of an image before each EM step.
    pub ln_p: Vec<f64>,
    /// The mixture.
    pub mixture: Mixture,
}

/// Classifications of a block of test images.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TestBlock {
    /// Digit of each image.
    pub digits: Vec<u8>,
    /// Classification of each image by the networks.
    pub network: Vec<u8>,
    /// Classification of each image by the mixtures; empty without them.
    pub mixture: Vec<u8>,
    /// Classification of each image by k nearest neighbours, k = 1, 3, 5, 7, 9; empty without them.
    pub neighbours: Vec<[u8; 5]>,
    /// Numbers of errors with missing pixels, one row per fraction.
    pub missing: Vec<MissingErrors>,
    /// Total number of passes of the solves, without missing pixels.
    pub passes: usize,
    /// Number of solves, without missing pixels.
    pub solves: usize,
    /// Number of solves that did not reach the tolerance, without missing pixels.
    pub unconverged: usize,
}

/// Numbers of errors with a fraction of the pixels missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MissingErrors {
    /// Fraction of missing pixels.
    pub fraction: f64,
    /// Number of errors of the networks.
    pub network: usize,
    /// Number of errors of the mixtures.
    pub mixture: usize,
    /// Number of errors of the five nearest neighbours.
    pub neighbours: usize,
}

impl LearnSnapshot {
    /// Returns the trained networks; `None` if there are none.
    fn ensemble(&self, spec: &LearnSpec) -> Option<DigitEnsemble> {
        let members: Vec<Member> = self.trained.iter().filter_map(|row| row.network.clone()).collect();
        (!members.is_empty()).then(|| DigitEnsemble { trained_on: spec.trained_on(), members })
    }

    /// Returns the confusion matrix of the networks.
    pub fn confusion(&self) -> Confusion {
        let pairs = self.tested.iter().flat_map(|block| block.digits.iter().zip(&block.network));
        Confusion::new(10, pairs.map(|(digit, class)| (usize::from(*digit), Some(usize::from(*class)))))
    }

    /// Returns the number of test images and of errors of the networks.
    pub fn errors(&self) -> (usize, usize) {
        let count = self.tested.iter().map(|block| block.digits.len()).sum();
        let pairs = self.tested.iter().flat_map(|block| block.digits.iter().zip(&block.network));
        (count, pairs.filter(|(digit, class)| digit != class).count())
    }

    /// Returns the number of errors of the mixtures; `None` without them.
    pub fn mixture_errors(&self) -> Option<usize> {
        let pairs = || self.tested.iter().flat_map(|block| block.digits.iter().zip(&block.mixture));
        pairs().next().map(|_| pairs().filter(|(digit, class)| digit != class).count())
    }

    /// Returns the numbers of errors of k nearest neighbours, k = 1, 3, 5, 7, 9; `None` without them.
    pub fn neighbour_errors(&self) -> Option<[usize; 5]> {
        let pairs = || self.tested.iter().flat_map(|block| block.digits.iter().zip(&block.neighbours));
        pairs().next()?;
        Some(std::array::from_fn(|k| pairs().filter(|(digit, classes)| **digit != classes[k]).count()))
    }

    /// Returns the numbers of errors for each fraction of missing pixels, over all blocks so far.
    pub fn missing(&self) -> Vec<MissingErrors> {
        let mut rows: Vec<MissingErrors> = Vec::new();
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
