//! The live task `sbn.pad`: bounds, samples and completions of the networks for a drawing, updated while it is drawn.

mod figures;
mod input;
mod report;
mod task;
mod work;

pub use figures::{bounds, drawing, network_samples};

use serde::{Deserialize, Serialize};

use crate::models::sbn::digits::preprocessing::Bits;
use crate::models::sbn::ensemble::Sample;
use crate::models::sbn::network::importance::LikelihoodEstimate;

/// The live task: classification of a drawing.
pub struct Pad;

/// Results for the drawing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PadSnapshot {
    /// Results, once all are computed.
    pub result: Option<DrawingResult>,
}

/// Results of the networks for a drawing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawingResult {
    /// Input of the networks.
    pub image: Bits,
    /// Missing pixels of the input.
    pub missing: Bits,
    /// Description of the training set.
    pub trained_on: String,
    /// Results of each network.
    pub rows: Vec<NetworkResult>,
    /// Index of the network with the largest bound.
    pub best: usize,
    /// Index of the network shown in detail.
    pub detailed: usize,
    /// Mean ξ of each pixel under the best network.
    pub filled: Vec<f32>,
    /// Importance sampling estimate of ln P of the image under the best network.
    pub estimate: LikelihoodEstimate,
    /// State of the network shown in detail after 1, 2, … passes.
    pub passes: Vec<PassTrace>,
    /// Samples of the network shown in detail.
    pub samples: Vec<Sample>,
    /// Weights from each unit of the lowest hidden layer to the pixels, of the network shown in detail.
    pub weights: Vec<Vec<f32>>,
}

/// State of a network after a number of passes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PassTrace {
    /// Means μ of the hidden units, the top layer first.
    pub mu: Vec<f32>,
    /// Parameters ξ of the hidden units, the top layer first.
    pub xi: Vec<f32>,
    /// Bound (24), in nats.
    pub bound: f64,
}

/// Results of one network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkResult {
    /// Digit of the network.
    pub digit: u8,
    /// Bound (24) on ln P of the image, in nats.
    pub bound: f64,
    /// Number of passes of the solve.
    pub passes: usize,
    /// True if the solve reached the tolerance.
    pub converged: bool,
    /// Sample of the network.
    pub sample: Sample,
}

impl DrawingResult {
    /// Returns true if nothing is drawn: then no digit is read.
    pub fn is_blank(&self) -> bool {
        self.image == 0
    }

    /// Returns the probability of each digit by Bayes' rule with equal priors and the bounds in place of ln P.
    pub fn probabilities(&self) -> Vec<f64> {
        let largest = self.rows[self.best].bound;
        let weights: Vec<f64> = self.rows.iter().map(|row| libm::exp(row.bound - largest)).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }
}
