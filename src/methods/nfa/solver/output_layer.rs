//! The exact update of the output layer: for fixed q(s), q(A) and q(a) the cost is quadratic in the means of B and b.

use super::activation::StoredUnit;
use super::hidden_pass::{ChannelSums, OutputSums, subtract_sample};
use super::layouts::Layouts;
use super::moments::Moments;
use super::network::{Gaussian, Network};
use super::observations::Observations;
use super::sources::Sources;
use crate::math::cholesky::Cholesky;

/// Inputs of the update.
pub struct OutputLayer<'a> {
    pub sums: &'a OutputSums,
    pub observations: &'a Observations,
    pub moments: Moments,
    pub layouts: &'a Layouts,
    pub sources: &'a Sources,
    pub stored: &'a [StoredUnit],
    /// Expected prior precision of each column of B, H.
    pub column_precision: &'a [f64],
    /// Prior mean of b.
    pub bias_mean: f64,
    /// Expected prior precision of b.
    pub bias_precision: f64,
    /// Expected noise precision of each channel, m.
    pub noise_precision: &'a [f64],
}

impl OutputLayer<'_> {
    /// Sets B and b of `network` to the minimum, channel by channel. Returns false if a system is not positive definite.
    #[must_use]
    pub fn solve(&self, network: &mut Network) -> bool {
        let all = self.sums.all(self.observations.samples());
        (0..self.observations.channels()).all(|k| {
            let missing = self.observations.missing(k);
            if missing.is_empty() {
                return self.channel(k, &all, network);
            }
            let mut observed = all.clone();
            for t in missing {
                subtract_sample(&mut observed, *t, self.moments, self.layouts, self.sources, self.stored);
            }
            self.channel(k, &observed, network)
        })
    }

    /// Solves {P (Σ ḡ⁺ḡ⁺ᵀ + diag Σ g̃* + Σ s̃ M Mᵀ) + diag(prior)} [B̄ b̄] = P Σ x ḡ⁺ + prior mean for channel k.
    fn channel(&self, k: usize, sums: &ChannelSums, network: &mut Network) -> bool {
        let hidden = network.hidden;
        let p = self.noise_precision[k];
        let factor = Cholesky::new(hidden + 1, |i, j| {
            let product = match (i == hidden, j == hidden) {
                (true, true) => sums.count,
                (true, false) => sums.mean[j],
                _ => sums.gram[i * (i + 1) / 2 + j],
            };
            let diagonal = if i != j {
                0.0
            } else if i == hidden {
                self.bias_precision
            } else {
                p * sums.star[i] + self.column_precision[i]
            };
            p * product + diagonal
        });
        let Some(factor) = factor else { return false };
        let (mut right, x) = self.sums.channel(k);
        right.push(x);
        for right in &mut right {
            *right *= p;
        }
        right[hidden] += self.bias_precision * self.bias_mean;
        factor.solve(&mut right);
        for j in 0..hidden {
            let var = 1.0 / (self.column_precision[j] + p * sums.power[j]);
            network.second.set(k * hidden + j, Gaussian { mean: right[j], var });
        }
        let var = 1.0 / (self.bias_precision + p * sums.count);
        network.second_bias.set(k, Gaussian { mean: right[hidden], var });
        right.iter().all(|x| x.is_finite())
    }
}
