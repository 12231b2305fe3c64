//! The output layer in one step: for fixed q(s), q(A) and q(a) the cost is exactly quadratic in the means of B and b.

use super::activation::Kept;
use super::hidden_pass::{ChannelSums, OutputSums, take_away};
use super::layouts::Layouts;
use super::moments::Moments;
use super::network::{Gaussian, Network};
use super::observations::Observations;
use super::sources::Sources;
use crate::math::cholesky::Cholesky;

/// What the solve takes from elsewhere.
pub struct OutputLayer<'a> {
    pub sums: &'a OutputSums,
    pub observations: &'a Observations,
    pub moments: Moments,
    pub layouts: &'a Layouts,
    pub sources: &'a Sources,
    pub kept: &'a [Kept],
    /// E e^{−2v} of the prior of column j of B.
    pub column_precision: &'a [f64],
    /// Mean of the prior of b.
    pub bias_mean: f64,
    /// E e^{−2v} of the prior of b.
    pub bias_precision: f64,
    /// E e^{−2v} of the noise of channel k.
    pub noise_precision: &'a [f64],
}

impl OutputLayer<'_> {
    /// Puts the minimum into `network`, channel by channel; `false` if it has none.
    #[must_use]
    pub fn solve(&self, network: &mut Network) -> bool {
        let all = self.sums.all(self.observations.samples());
        (0..self.observations.channels()).all(|k| {
            let missing = self.observations.missing(k);
            if missing.is_empty() {
                return self.channel(k, &all, network);
            }
            let mut own = all.clone();
            for t in missing {
                take_away(&mut own, *t, self.moments, self.layouts, self.sources, self.kept);
            }
            self.channel(k, &own, network)
        })
    }

    /// {P (Σ ḡ⁺ḡ⁺ᵀ + diag Σ g̃* + Σ s̃ M Mᵀ) + diag(prior)} [B̄ b̄] = P Σ x ḡ⁺ + prior mean.
    fn channel(&self, k: usize, sums: &ChannelSums, network: &mut Network) -> bool {
        let hidden = network.hidden;
        let p = self.noise_precision[k];
        let factor = Cholesky::new(hidden + 1, |i, j| {
            let product = match (i == hidden, j == hidden) {
                (true, true) => sums.count,
                (true, false) => sums.mean[j],
                _ => sums.gram[i * (i + 1) / 2 + j],
            };
            let own = if i != j {
                0.0
            } else if i == hidden {
                self.bias_precision
            } else {
                p * sums.star[i] + self.column_precision[i]
            };
            p * product + own
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
