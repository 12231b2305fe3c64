//! Estimate of ln P(V) by importance sampling, for networks too large to enumerate: P(V) = ⟨P(H, V)/Q(H)⟩ over draws of the hidden
//! units from the factorial distribution Q. The logarithm is biased downwards; the bias decreases with the number of draws.

use serde::{Deserialize, Serialize};

use super::model::{Network, Pattern};
use crate::math::Budget;
use crate::math::importance::LogMeanWeight;
use crate::math::random::Stream;

/// An importance sampling estimate of ln P(V).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LikelihoodEstimate {
    /// Logarithm of the mean weight, which estimates ln P, in nats.
    pub ln_p: LogMeanWeight,
    /// Number of draws.
    pub draws: usize,
}

/// Importance sampling in progress.
#[derive(Debug)]
pub struct Importance<'a> {
    network: &'a Network,
    pattern: &'a Pattern,
    mu: &'a [Vec<f64>],
    stream: Stream,
    ln_weights: Vec<f64>,
    draws: usize,
}

impl<'a> Importance<'a> {
    /// Creates a sampler of `draws` draws from the factorial distribution with means `mu`, by layer.
    pub fn new(
        network: &'a Network,
        pattern: &'a Pattern,
        mu: &'a [Vec<f64>],
        draws: usize,
        stream: Stream,
    ) -> Self {
        Self { network, pattern, mu, stream, ln_weights: Vec::with_capacity(draws), draws }
    }

    /// Continues within `budget`. Returns true once all draws are made.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        let work = 2 * self.network.parameters() as u64 + 30 * self.network.hidden() as u64;
        while self.ln_weights.len() < self.draws {
            let ln_weight = self.draw();
            self.ln_weights.push(ln_weight);
            if !budget.spend(work) {
                break;
            }
        }
        self.ln_weights.len() >= self.draws
    }

    /// Draws the hidden units. Returns the log weight ln P(H, V) − ln Q(H).
    fn draw(&mut self) -> f64 {
        let hidden = &self.mu[..self.mu.len() - 1];
        let mut ln_q = 0.0;
        let mut states: Vec<Vec<f64>> = Vec::with_capacity(self.mu.len());
        for layer in hidden {
            let mut drawn = Vec::with_capacity(layer.len());
            for mu in layer {
                let on = self.stream.uniform() < *mu;
                ln_q += libm::log(if on { *mu } else { 1.0 - mu });
                drawn.push(f64::from(u8::from(on)));
            }
            states.push(drawn);
        }
        states.push(self.pattern.visible.clone());
        self.network.ln_joint(&states, &self.pattern.observed) - ln_q
    }

    /// Returns the estimate; `None` before the second draw.
    pub fn estimate(&self) -> Option<LikelihoodEstimate> {
        Some(LikelihoodEstimate { ln_p: LogMeanWeight::of(&self.ln_weights)?, draws: self.ln_weights.len() })
    }
}
