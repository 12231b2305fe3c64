//! The posterior of the sources: q(M_i(t) = l) = ṡ_il(t) and q(s_i(t) | M = l) = N(s̄_il(t), s̃_il(t)).

use super::blocks::{Blocks, add, times};
use crate::math::lanes::{Lanes, each, exp_lanes};

/// Posterior of the sources of T samples, each a mixture of L Gaussians. Value i·L + l of a sample is component l of source i.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sources {
    /// Number of samples, T.
    pub samples: usize,
    /// Number of sources, n.
    pub count: usize,
    /// Number of components, L; 1 is a Gaussian.
    pub components: usize,
    /// s̄_il(t).
    pub mean: Blocks,
    /// s̃_il(t).
    pub var: Blocks,
    /// ln s̃_il(t).
    pub ln_var: Blocks,
    /// ṡ_il(t).
    pub share: Blocks,
    /// s̄_i(t), VL00 eq. (19).
    pub total_mean: Blocks,
    /// s̃_i(t), VL00 eq. (20).
    pub total_var: Blocks,
}

impl Sources {
    /// Creates Gaussian posteriors with means `means[t][i]` and variance `var`.
    pub fn new(means: &[Vec<f64>], var: f64) -> Self {
        let (samples, count) = (means.len(), means.first().map_or(0, Vec::len));
        let fill = |fill: f64| Blocks::new(samples, count, fill);
        let mut mean = fill(0.0);
        for (t, row) in means.iter().enumerate() {
            for (i, value) in row.iter().enumerate() {
                mean.set(t, i, *value);
            }
        }
        Self {
            samples,
            count,
            components: 1,
            total_mean: mean.clone(),
            mean,
            var: fill(var),
            ln_var: fill(libm::log(var)),
            share: fill(1.0),
            total_var: fill(var),
        }
    }

    /// Returns posteriors with `components` Gaussians each, all with the mean and variance of the current posterior and with shares
    /// `share(t, i)[l]`.
    #[must_use]
    pub fn split(&self, components: usize, share: impl Fn(usize, usize) -> Vec<f64>) -> Self {
        let fill = |fill: f64| Blocks::new(self.samples, self.count * components, fill);
        let (mut mean, mut var, mut ln_var, mut shares) =
            (fill(0.0), fill(1.0), fill(0.0), fill(1.0 / components as f64));
        for t in 0..self.samples {
            for i in 0..self.count {
                for (l, share) in share(t, i).into_iter().enumerate() {
                    let r = i * components + l;
                    mean.set(t, r, self.total_mean.at(t, i));
                    var.set(t, r, self.total_var.at(t, i));
                    ln_var.set(t, r, libm::log(self.total_var.at(t, i)));
                    shares.set(t, r, share);
                }
            }
        }
        let mut split = Self { components, mean, var, ln_var, share: shares, ..self.clone() };
        split.update_moments();
        split
    }

    /// Recomputes the variances from their logarithms, and the total moments from the components, VL00 eqs. (19) and (20).
    pub fn update_moments(&mut self) {
        for (var, ln_var) in self.var.lanes_mut().iter_mut().zip(self.ln_var.lanes()) {
            *var = exp_lanes(*ln_var);
        }
        if self.components == 1 {
            self.total_mean.lanes_mut().copy_from_slice(self.mean.lanes());
            self.total_var.lanes_mut().copy_from_slice(self.var.lanes());
            return;
        }
        let width = self.components;
        let parts = self.mean.lanes().chunks_exact(width).zip(self.var.lanes().chunks_exact(width));
        let parts = parts.zip(self.share.lanes().chunks_exact(width));
        let totals = self.total_mean.lanes_mut().iter_mut().zip(self.total_var.lanes_mut());
        for (((mean, var), share), (total_mean, total_var)) in parts.zip(totals) {
            (*total_mean, *total_var) = moments(mean, var, share);
        }
    }

    /// Returns the means s̄_i(t) of sample t, n.
    pub fn means(&self, t: usize) -> Vec<f64> {
        self.total_mean.sample(t)
    }

    /// Returns the variances s̃_i(t) of sample t, n.
    pub fn vars(&self, t: usize) -> Vec<f64> {
        self.total_var.sample(t)
    }
}

/// Returns the mean and variance of a mixture, VL00 eqs. (19) and (20).
fn moments(mean: &[Lanes], var: &[Lanes], share: &[Lanes]) -> (Lanes, Lanes) {
    let (mut total, mut spread) = (Lanes::default(), Lanes::default());
    for (mean, share) in mean.iter().zip(share) {
        total = add(&total, &times(share, mean));
    }
    for ((mean, var), share) in mean.iter().zip(var).zip(share) {
        spread = each(|lane| {
            let deviation = mean[lane] - total[lane];
            spread[lane] + share[lane] * (var[lane] + deviation * deviation)
        });
    }
    (total, spread)
}
