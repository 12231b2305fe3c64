//! The exact joint posterior density of sources and weights given the learnt noise and prior scales, the reference for the
//! factorial posterior. Gaussian sources only.

use super::approximate_posterior::ApproximatePosterior;
use super::blocks::{Blocks, lane_mask};
use super::network::Gaussian;
use super::observations::Observations;
use crate::math::cholesky::Cholesky;
use crate::math::hmc::Density;
use crate::math::lanes::{LANES, Lanes, SimdKernel, dispatch_simd, each, sum, tanh_lanes};

/// The density of x = [s(1), …, s(T), A, a, B, b], T·n + H·n + H + m·H + m numbers, matrices row by row.
#[derive(Clone, Debug)]
pub struct JointPosterior {
    observations: Observations,
    sources: usize,
    hidden: usize,
    /// Expected noise precision of each channel, m.
    noise: Vec<f64>,
    /// Prior mean and precision of each element of x.
    prior: Vec<(f64, f64)>,
}

impl JointPosterior {
    /// Creates the density with the expected precisions of the hyperparameters of `state`.
    pub fn new(state: &ApproximatePosterior, observations: &Observations) -> Self {
        let (network, top) = (&state.network, &state.top);
        let precisions =
            |items: &super::network::Gaussians| items.iter().map(Gaussian::precision).collect::<Vec<f64>>();
        let (scales, columns) = (precisions(&state.scales), precisions(&state.columns));
        let family =
            |family: &super::approximate_posterior::Family| (family.mean.mean, family.log_sd.precision());
        let mut prior = Vec::new();
        (0..observations.samples()).for_each(|_| prior.extend(scales.iter().map(|p| (0.0, *p))));
        prior.extend(network.first.iter().map(|_| (0.0, 1.0)));
        prior.extend(network.first_bias.iter().map(|_| family(&top.first_bias)));
        (0..network.channels).for_each(|_| prior.extend(columns.iter().map(|p| (0.0, *p))));
        prior.extend(network.second_bias.iter().map(|_| family(&top.second_bias)));
        Self {
            observations: observations.clone(),
            sources: network.sources,
            hidden: network.hidden,
            noise: precisions(&state.noise),
            prior,
        }
    }

    /// Returns the dimension of x.
    pub fn dimension(samples: usize, sources: usize, hidden: usize, channels: usize) -> usize {
        (samples + hidden) * sources + hidden + channels * (hidden + 1)
    }

    /// Returns the mean of x under the factorial posterior.
    pub fn means(state: &ApproximatePosterior) -> Vec<f64> {
        let network = &state.network;
        let weights = [&network.first, &network.first_bias, &network.second, &network.second_bias];
        let sources = (0..state.sources.samples).flat_map(|t| state.sources.means(t));
        sources.chain(weights.into_iter().flat_map(|group| group.mean.iter().copied())).collect()
    }

    /// Returns the Gauss–Newton covariance at `x`, the inverse of Σ P ∇f ∇fᵀ plus the prior precision; `None` if that is singular.
    pub fn covariance(&self, x: &[f64]) -> Option<Vec<f64>> {
        let (n, hidden, channels) = (self.sources, self.hidden, self.noise.len());
        let (size, samples) = (x.len(), self.observations.samples());
        let [a, bias, b, out] = self.offsets();
        let mut precision = vec![0.0; size * size];
        let mut slopes: Vec<(usize, f64)> = Vec::new();
        for t in 0..samples {
            let s = &x[t * n..][..n];
            let units = (0..hidden).map(|j| {
                let y: f64 = x[a + j * n..][..n].iter().zip(s).map(|(a, s)| a * s).sum();
                libm::tanh(y + x[bias + j])
            });
            let units: Vec<f64> = units.collect();
            for k in (0..channels).filter(|k| self.observations.get(t, *k).is_some()) {
                slopes.clear();
                let mut by_s = vec![0.0; n];
                for (j, g) in units.iter().enumerate() {
                    let dy = x[b + k * hidden + j] * (1.0 - g * g);
                    for i in 0..n {
                        by_s[i] += dy * x[a + j * n + i];
                        slopes.push((a + j * n + i, dy * s[i]));
                    }
                    slopes.extend([(bias + j, dy), (b + k * hidden + j, *g)]);
                }
                slopes.push((out + k, 1.0));
                slopes.extend(by_s.into_iter().enumerate().map(|(i, slope)| (t * n + i, slope)));
                for (row, left) in &slopes {
                    for (column, right) in &slopes {
                        precision[row * size + column] += self.noise[k] * left * right;
                    }
                }
            }
        }
        let prior = |i: usize, j: usize| if i == j { self.prior[i].1 } else { 0.0 };
        Some(Cholesky::new(size, |i, j| precision[i * size + j] + prior(i, j))?.inverse())
    }

    /// Returns the offsets of A, a, B and b in x.
    fn offsets(&self) -> [usize; 4] {
        let a = self.observations.samples() * self.sources;
        let bias = a + self.hidden * self.sources;
        let b = bias + self.hidden;
        [a, bias, b, b + self.noise.len() * self.hidden]
    }

    /// Returns the sources of x in blocks of samples.
    fn sources(&self, x: &[f64]) -> Blocks {
        let (samples, n) = (self.observations.samples(), self.sources);
        let mut blocks = Blocks::new(samples, n, 0.0);
        for t in 0..samples {
            (0..n).for_each(|i| blocks.set(t, i, x[t * n + i]));
        }
        blocks
    }
}

impl Density for JointPosterior {
    fn ln_density(&self, x: &[f64], gradient: &mut [f64]) -> f64 {
        let (sources, samples) = (self.sources(x), self.observations.samples());
        let (likelihood, by_s, by_weights) =
            dispatch_simd(LikelihoodKernel { posterior: self, sources: &sources, x });
        let weights = samples * self.sources;
        for (at, to) in gradient[..weights].iter_mut().enumerate() {
            *to = by_s.at(at / self.sources, at % self.sources);
        }
        gradient[weights..].iter_mut().zip(by_weights).for_each(|(to, by)| *to = by);
        let mut ln = likelihood;
        for ((g, x), (mean, precision)) in gradient.iter_mut().zip(x).zip(&self.prior) {
            let deviation = x - mean;
            ln -= 0.5 * precision * deviation * deviation;
            *g -= precision * deviation;
        }
        ln
    }
}

/// Computes the log likelihood and its gradients with respect to the sources and the weights.
struct LikelihoodKernel<'a> {
    posterior: &'a JointPosterior,
    sources: &'a Blocks,
    x: &'a [f64],
}

impl SimdKernel for LikelihoodKernel<'_> {
    type Output = (f64, Blocks, Vec<f64>);
    #[inline(always)]
    fn run(self) -> (f64, Blocks, Vec<f64>) {
        let Self { posterior, sources, x } = self;
        let (n, hidden, channels) = (posterior.sources, posterior.hidden, posterior.noise.len());
        let observations = &posterior.observations;
        let samples = observations.samples();
        let [a, bias, b, out] = posterior.offsets();
        let mut by_s = Blocks::new(samples, n, 0.0);
        // Gradient with respect to the weights, starting at A.
        let mut by = vec![Lanes::default(); x.len() - a];
        let (mut units, mut by_unit) = (vec![Lanes::default(); hidden], vec![Lanes::default(); hidden]);
        let mut ln = Lanes::default();
        for block in 0..samples.div_ceil(LANES) {
            let (s, observed) = (sources.block(block), observations.observed.block(block));
            let mask = lane_mask(block, samples);
            hidden_outputs(&x[a..bias], &x[bias..b], s, &mut units);
            by_unit.fill(Lanes::default());
            for k in 0..channels {
                let weights = &x[b + k * hidden..][..hidden];
                let mut f = [x[out + k]; LANES];
                for (weight, unit) in weights.iter().zip(&units) {
                    for l in 0..LANES {
                        f[l] += weight * unit[l];
                    }
                }
                let (precision, measured) = (posterior.noise[k], observations.x.block(block)[k]);
                let residual: Lanes = each(|l| (measured[l] - f[l]) * observed[k][l] * mask[l]);
                for l in 0..LANES {
                    ln[l] -= 0.5 * precision * residual[l] * residual[l];
                    by[out - a + k][l] += precision * residual[l];
                }
                for j in 0..hidden {
                    let slope = &mut by[b - a + k * hidden + j];
                    for l in 0..LANES {
                        slope[l] += precision * residual[l] * units[j][l];
                        by_unit[j][l] += precision * residual[l] * weights[j];
                    }
                }
            }
            let to = by_s.block_mut(block);
            for j in 0..hidden {
                let dy: Lanes = each(|l| by_unit[j][l] * (1.0 - units[j][l] * units[j][l]));
                for l in 0..LANES {
                    by[bias - a + j][l] += dy[l];
                }
                for i in 0..n {
                    for l in 0..LANES {
                        by[j * n + i][l] += dy[l] * s[i][l];
                        to[i][l] += dy[l] * x[a + j * n + i];
                    }
                }
            }
        }
        (sum(ln), by_s, by.into_iter().map(sum).collect())
    }
}

/// Computes tanh(As + a) of a block; `first` is A and `biases` is a.
#[inline(always)]
fn hidden_outputs(first: &[f64], biases: &[f64], s: &[Lanes], units: &mut [Lanes]) {
    let n = s.len();
    for (j, unit) in units.iter_mut().enumerate() {
        let mut y = [biases[j]; LANES];
        for i in 0..n {
            for l in 0..LANES {
                y[l] += first[j * n + i] * s[i][l];
            }
        }
        *unit = tanh_lanes(y);
    }
}
