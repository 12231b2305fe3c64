//! Transition from Gaussian sources to mixtures: rotation by FastICA, compensated in the first layer, and a mixture fitted to each
//! source.

use super::approximate_posterior::ApproximatePosterior;
use super::blocks::Blocks;
use super::linear::{fast_ica, inverse, unmixed};
use super::network::{Gaussian, Gaussians};
use crate::math::random::Stream;
use crate::math::stats::sorted;

/// Number of EM iterations of the initial fit of a mixture.
const EM_ITERATIONS: usize = 60;
/// Initial posterior variance of the centres and scales of a mixture.
const PARAMETER_VAR: f64 = 1e-3;
/// Initial posterior variance of the logits of a mixture.
const LOGIT_VAR: f64 = 1e-2;

/// Rotates the sources by FastICA, and A by the inverse, so that the means of f(s) do not change. Does nothing if the covariance of
/// the sources is singular.
pub fn rotate(state: &mut ApproximatePosterior, stream: &mut Stream) {
    let n = state.network.sources;
    let samples = state.sources.samples;
    let means: Vec<Vec<f64>> = (0..samples).map(|t| state.sources.means(t)).collect();
    let Some(w) = fast_ica(&means, stream) else { return };
    let Some(back) = inverse(n, &w) else { return };
    let squares: Vec<f64> = w.iter().map(|w| w * w).collect();
    let rotated = unmixed(&means, &w);
    let vars: Vec<Vec<f64>> = (0..samples).map(|t| state.sources.vars(t)).collect();
    let vars = unmixed(&vars, &squares);
    let sources = &mut state.sources;
    let put = |blocks: &mut Blocks, rows: &[Vec<f64>], f: &dyn Fn(f64) -> f64| {
        for (t, row) in rows.iter().enumerate() {
            for (i, value) in row.iter().enumerate() {
                blocks.set(t, i, f(*value));
            }
        }
    };
    put(&mut sources.mean, &rotated, &|x| x);
    put(&mut sources.ln_var, &vars, &libm::log);
    sources.update_moments();
    let first = &mut state.network.first;
    for (mean, var) in first.mean.chunks_exact_mut(n).zip(first.var.chunks_exact_mut(n)) {
        let (old, old_var) = (mean.to_vec(), var.to_vec());
        for i in 0..n {
            mean[i] = old.iter().zip(0..n).map(|(a, c)| a * back[c * n + i]).sum();
            var[i] = old_var.iter().zip(0..n).map(|(a, c)| a * back[c * n + i] * back[c * n + i]).sum();
        }
    }
    for i in 0..n {
        let power: f64 =
            rotated.iter().zip(&vars).map(|(s, v)| s[i] * s[i] + v[i]).sum::<f64>() / samples as f64;
        state.scales.set(i, Gaussian { mean: 0.5 * libm::log(power), var: 0.5 / samples as f64 });
    }
}

/// Gives every source a mixture of `components` Gaussians, fitted to its means. The moments of each posterior do not change.
pub fn start_mixtures(state: &mut ApproximatePosterior, components: usize) {
    let (n, samples) = (state.network.sources, state.sources.samples);
    let fits: Vec<GaussianMixture> = (0..n)
        .map(|i| {
            let column: Vec<f64> = (0..samples).map(|t| state.sources.total_mean.at(t, i)).collect();
            GaussianMixture::new(&column, components)
        })
        .collect();
    state.sources = state.sources.split(components, |t, i| fits[i].shares(state.sources.total_mean.at(t, i)));
    let all = |value: &dyn Fn(&GaussianMixture, usize) -> f64, var: f64| Gaussians {
        mean: fits.iter().flat_map(|fit| (0..components).map(|l| value(fit, l))).collect(),
        var: vec![var; n * components],
    };
    state.centres = all(&|fit, l| fit.mean[l], PARAMETER_VAR);
    state.scales = all(&|fit, l| 0.5 * libm::log(fit.var[l]), PARAMETER_VAR);
    // The logits of each source have mean 0.
    state.logits = all(
        &|fit, l| {
            let ln = |l: usize| libm::log(fit.share[l].max(1e-6));
            ln(l) - (0..components).map(ln).sum::<f64>() / components as f64
        },
        LOGIT_VAR,
    );
}

/// A one-dimensional mixture of Gaussians.
struct GaussianMixture {
    share: Vec<f64>,
    mean: Vec<f64>,
    var: Vec<f64>,
}

impl GaussianMixture {
    /// Fits a mixture to `x` by expectation–maximisation, starting at the quantiles.
    fn new(x: &[f64], components: usize) -> Self {
        let count = x.len().max(1) as f64;
        let centre = x.iter().sum::<f64>() / count;
        let spread = (x.iter().map(|x| (x - centre) * (x - centre)).sum::<f64>() / count).max(1e-12);
        let sorted = sorted(x);
        let quantile = |l: usize| {
            let rank = (l as f64 + 0.5) / components as f64 * count;
            sorted.get((rank as usize).min(sorted.len().saturating_sub(1))).copied().unwrap_or(0.0)
        };
        let mut fit = Self {
            share: vec![1.0 / components as f64; components],
            mean: (0..components).map(quantile).collect(),
            var: vec![spread; components],
        };
        let floor = 1e-3 * spread;
        for _ in 0..EM_ITERATIONS {
            let mut sums = vec![(0.0, 0.0, 0.0); components];
            for x in x {
                for (sums, share) in sums.iter_mut().zip(fit.shares(*x)) {
                    *sums = (sums.0 + share, sums.1 + share * x, sums.2 + share * x * x);
                }
            }
            for (l, (weight, first, second)) in sums.into_iter().enumerate() {
                if weight > 1e-9 {
                    fit.share[l] = weight / count;
                    fit.mean[l] = first / weight;
                    fit.var[l] = (second / weight - fit.mean[l] * fit.mean[l]).max(floor);
                }
            }
        }
        fit
    }

    /// Returns the posterior probability of each component at `x`.
    fn shares(&self, x: f64) -> Vec<f64> {
        let ln: Vec<f64> = (0..self.share.len())
            .map(|l| {
                let deviation = x - self.mean[l];
                libm::log(self.share[l].max(1e-300))
                    - 0.5 * (deviation * deviation / self.var[l] + libm::log(self.var[l]))
            })
            .collect();
        super::cost::softmax(&ln)
    }
}
