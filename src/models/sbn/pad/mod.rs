//! The pad: bounds, samples and completions of ten networks for a drawing, updated while it is drawn.

mod figures;
mod report;
mod run;

pub use figures::{bounds, drawing, dreams};

use serde::{Deserialize, Serialize};

use crate::models::sbn::digits::prepare::Bits;

/// Live classification of a drawing.
pub struct Pad;

/// What a worker sends of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PadSnapshot {
    /// Once all is computed.
    pub seen: Option<Seen>,
}

/// Results of the networks for a drawing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// The image that the networks see, and its missing pixels.
    pub image: Bits,
    /// See `image`.
    pub missing: Bits,
    /// What the networks were trained on.
    pub trained_on: String,
    /// One row for each network.
    pub rows: Vec<Row>,
    /// The network with the largest bound, among the rows.
    pub best: usize,
    /// The network that is shown in detail, among the rows.
    pub looked: usize,
    /// Of the best network: the mean of each pixel given the others, as the hidden units have it.
    pub filled: Vec<f32>,
    /// ln P of the image under the best network, by importance sampling.
    pub estimate: Estimated,
    /// The network shown after 1, 2, … passes.
    pub passes: Vec<Pass>,
    /// Images sampled from the network shown.
    pub drawn: Vec<Vec<f32>>,
    /// Weights from each unit above the pixels to them, of the network shown.
    pub fields: Vec<Vec<f32>>,
}

/// A network after some passes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pass {
    /// μ of the hidden units, the top layer first.
    pub mu: Vec<f32>,
    /// ξ of the same units.
    pub xi: Vec<f32>,
    /// The bound (24), in nats.
    pub bound: f64,
}

/// An image under one network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The network's digit.
    pub digit: u8,
    /// The bound (24) on ln P of the image, in nats.
    pub bound: f64,
    /// Passes of the solve.
    pub passes: usize,
    /// Whether it reached the tolerance.
    pub converged: bool,
    /// An image drawn from the network: the probability of each pixel.
    pub dream: Vec<f32>,
}

/// See [`crate::models::sbn::network::importance::Estimate`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimated {
    /// ln P, its standard error, and the effective sample size of as many draws.
    pub ln_p: f64,
    /// See `ln_p`.
    pub se: f64,
    /// See `ln_p`.
    pub ess: f64,
    /// See `ln_p`.
    pub draws: usize,
}

impl Seen {
    /// Probability of each digit by Bayes' rule, all equally frequent, with the bounds in place of ln P.
    pub fn probabilities(&self) -> Vec<f64> {
        let most = self.rows[self.best].bound;
        let weights: Vec<f64> = self.rows.iter().map(|row| libm::exp(row.bound - most)).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }
}
