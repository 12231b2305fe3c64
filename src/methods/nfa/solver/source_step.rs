//! The update of the sources: a joint step of the n sources of each sample, and the conjugate update of every component.

use std::ops::Range;

use super::approximate_posterior::ApproximatePosterior;
use super::blocks::Blocks;
use super::cost::component_terms;
use super::cost::logits_of;
use crate::math::lanes::{LANES, Lanes, SimdKernel, each, exp_lanes, ln_lanes, map};

/// Joint step of the n sources of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointStep {
    /// A Gauss–Newton step with the curvature JᵀPJ + prior.
    GaussNewton,
    /// A step of each source by itself, all scaled by the ratio of the assumed to the actual effect.
    Projected,
}

/// Prior of a component of a source.
#[derive(Clone, Copy, Debug)]
struct ComponentPrior {
    precision: f64,
    centre: f64,
    centre_var: f64,
    /// E[−ln P(M = l)] + v̄_s.
    fixed: f64,
}

/// Damping rates of the sources of each sample; the sign is that of the last change.
#[derive(Clone, Debug, Default)]
pub struct SourceRates {
    /// Rates of means and shares, n per sample.
    pub mean: Blocks,
    /// Rates of variances, n per sample.
    pub var: Blocks,
}

impl SourceRates {
    /// Creates rates that all equal `rate`.
    pub fn new(samples: usize, sources: usize, rate: f64) -> Self {
        Self { mean: Blocks::new(samples, sources, rate), var: Blocks::new(samples, sources, rate) }
    }

    /// Halves all rates, down to `floor`.
    pub fn halve(&mut self, floor: f64) {
        for rate in self.mean.lanes_mut().iter_mut().chain(self.var.lanes_mut()).flatten() {
            *rate = halved_rate(*rate, floor);
        }
    }
}

/// Returns half the rate with the same sign, at least `floor` in magnitude.
pub fn halved_rate(rate: f64, floor: f64) -> f64 {
    (0.5 * rate.abs()).max(floor).copysign(rate)
}

/// Returns the next rate of a variable with the proposed change `change`: 0.8 times the old one if the sign of the change differs
/// from the last, else 1.05 times, at most `cap`.
#[inline(always)]
pub fn adapted_rate(rate: f64, change: f64, cap: f64) -> f64 {
    let size = rate.abs();
    let size = match rate * change < 0.0 {
        true if size > FLOOR => 0.8 * size,
        true => size,
        false => 1.05 * size,
    };
    (if size > cap { cap } else { size }).copysign(change)
}

/// Magnitude below which a rate is not reduced.
const FLOOR: f64 = 1e-3;

/// Updates all sources by one damped step. `by_mean` and `by_var` are the gradients of the data term, `curvature` is JᵀPJ of each
/// sample.
pub fn step(
    state: &mut ApproximatePosterior,
    by_mean: &Blocks,
    by_var: &Blocks,
    curvature: &Blocks,
    joint: JointStep,
    rates: &mut SourceRates,
) {
    let components = state.components();
    let priors: Vec<ComponentPrior> = (0..state.network.sources)
        .flat_map(|i| {
            let choices = if components > 1 { component_terms(&logits_of(state, i)) } else { vec![0.0] };
            let of = |(l, choice): (usize, &f64)| {
                let r = i * components + l;
                let (scale, centre) = (state.scales.get(r), state.centres.get(r));
                ComponentPrior {
                    precision: scale.precision(),
                    centre: centre.mean,
                    centre_var: centre.var,
                    fixed: choice + scale.mean,
                }
            };
            choices.iter().enumerate().map(of).collect::<Vec<_>>()
        })
        .collect();
    let blocks = 0..state.sources.samples.div_ceil(LANES);
    let step = SourceStep { blocks, state, by_mean, by_var, curvature, joint, rates, priors: &priors };
    crate::math::lanes::dispatch_simd(step);
}

/// The update of all sources.
struct SourceStep<'a> {
    blocks: Range<usize>,
    state: &'a mut ApproximatePosterior,
    by_mean: &'a Blocks,
    by_var: &'a Blocks,
    curvature: &'a Blocks,
    joint: JointStep,
    rates: &'a mut SourceRates,
    priors: &'a [ComponentPrior],
}

/// Buffers for a block; n values each unless stated otherwise.
struct SourceBuffers {
    /// JᵀPJ + prior, lower triangle.
    matrix: Vec<Lanes>,
    /// Σ_l ṡπ, the prior's curvature.
    stiffness: Vec<Lanes>,
    /// Σ_l ṡπ(s̄−m̄), the prior's gradient.
    pull: Vec<Lanes>,
    /// Proposed change.
    change: Vec<Lanes>,
    /// Proposed mean, variance, log variance and log share of each component, L.
    proposed: Vec<[Lanes; 4]>,
}

impl SimdKernel for SourceStep<'_> {
    type Output = ();
    #[inline(always)]
    fn run(mut self) {
        let n = self.state.network.sources;
        let zeros = |count: usize| vec![Lanes::default(); count];
        let mut buffers = SourceBuffers {
            matrix: zeros(n * (n + 1) / 2),
            stiffness: zeros(n),
            pull: zeros(n),
            change: zeros(n),
            proposed: vec![[Lanes::default(); 4]; self.state.components()],
        };
        for b in self.blocks.clone() {
            self.joint_change(b, &mut buffers);
            for i in 0..n {
                self.source(b, i, &mut buffers);
            }
        }
        self.state.sources.update_moments();
    }
}

impl SourceStep<'_> {
    /// Computes the joint change of all sources of a sample.
    #[inline(always)]
    fn joint_change(&mut self, b: usize, buffers: &mut SourceBuffers) {
        let n = self.state.network.sources;
        let components = self.state.components();
        let sources = &self.state.sources;
        let (mean, share) = (sources.mean.block(b), sources.share.block(b));
        let (by_mean, by_var) = (self.by_mean.block(b), self.by_var.block(b));
        for i in 0..n {
            let (mut stiffness, mut pull) = (Lanes::default(), Lanes::default());
            for (r, prior) in self.priors.iter().enumerate().skip(i * components).take(components) {
                for l in 0..LANES {
                    let weight = share[r][l] * prior.precision;
                    stiffness[l] += weight;
                    pull[l] += weight * (mean[r][l] - prior.centre);
                }
            }
            (buffers.stiffness[i], buffers.pull[i]) = (stiffness, pull);
            buffers.change[i] = each(|l| -(by_mean[i][l] + pull[l]));
        }
        buffers.matrix.copy_from_slice(self.curvature.block(b));
        match self.joint {
            JointStep::GaussNewton => gauss_newton_change(by_var, buffers),
            JointStep::Projected => projected_change(by_var, buffers),
        }
    }

    /// Updates source i: conjugate updates of its components, with the gradient that gives the joint change for this source alone.
    #[inline(always)]
    fn source(&mut self, b: usize, i: usize, buffers: &mut SourceBuffers) {
        let components = self.state.components();
        let sources = &mut self.state.sources;
        let (total, h) = (sources.total_mean.block(b)[i], self.by_var.block(b)[i]);
        let total_var = sources.total_var.block(b)[i];
        let g: Lanes =
            each(|l| -buffers.change[i][l] * (buffers.stiffness[i][l] + 2.0 * h[l]) - buffers.pull[i][l]);
        let first = i * components;
        let mut largest = [f64::NEG_INFINITY; LANES];
        for (proposed, prior) in buffers.proposed.iter_mut().zip(&self.priors[first..]) {
            let stiffness: Lanes = each(|l| prior.precision + 2.0 * h[l]);
            let ln_stiffness = ln_lanes(stiffness);
            for l in 0..LANES {
                let var = 1.0 / stiffness[l];
                let mean = var * (prior.precision * prior.centre + 2.0 * h[l] * total[l] - g[l]);
                let (deviation, change) = (mean - prior.centre, mean - total[l]);
                let cost = prior.fixed
                    + 0.5 * ln_stiffness[l]
                    + 0.5 * prior.precision * (deviation * deviation + var + prior.centre_var)
                    + g[l] * change
                    + h[l] * (change * change + var);
                for (slot, value) in proposed.iter_mut().zip([mean, var, -ln_stiffness[l], -cost]) {
                    slot[l] = value;
                }
                largest[l] = if -cost > largest[l] { -cost } else { largest[l] };
            }
        }
        let (mut all, mut mean, mut second) = (Lanes::default(), Lanes::default(), Lanes::default());
        for proposed in &mut buffers.proposed {
            let share = exp_lanes(each(|l| proposed[3][l] - largest[l]));
            proposed[3] = share;
            for l in 0..LANES {
                all[l] += share[l];
                mean[l] += share[l] * proposed[0][l];
                second[l] += share[l] * (proposed[1][l] + proposed[0][l] * proposed[0][l]);
            }
        }
        let (rate, rate_var) = (&mut self.rates.mean.block_mut(b)[i], &mut self.rates.var.block_mut(b)[i]);
        for l in 0..LANES {
            mean[l] /= all[l];
            rate[l] = adapted_rate(rate[l], mean[l] - total[l], 1.0);
            rate_var[l] =
                adapted_rate(rate_var[l], second[l] / all[l] - mean[l] * mean[l] - total_var[l], 1.0);
        }
        for (r, proposed) in (first..).zip(&buffers.proposed) {
            let [mean, _, ln_var, share] = proposed;
            let old = &mut sources.mean.block_mut(b)[r];
            for l in 0..LANES {
                old[l] += rate[l].abs() * (mean[l] - old[l]);
            }
            let old = &mut sources.ln_var.block_mut(b)[r];
            for l in 0..LANES {
                old[l] += rate_var[l].abs() * (ln_var[l] - old[l]);
            }
            let old = &mut sources.share.block_mut(b)[r];
            for l in 0..LANES {
                old[l] += rate[l].abs() * (share[l] / all[l] - old[l]);
            }
        }
    }
}

/// Replaces the negative gradient in `buffers.change` by the Gauss–Newton step.
#[inline(always)]
fn gauss_newton_change(by_var: &[Lanes], buffers: &mut SourceBuffers) {
    let n = buffers.change.len();
    for i in 0..n {
        let diagonal = &mut buffers.matrix[i * (i + 1) / 2 + i];
        *diagonal = each(|l| {
            let raised = if diagonal[l] < 2.0 * by_var[i][l] { 2.0 * by_var[i][l] } else { diagonal[l] };
            raised + buffers.stiffness[i][l]
        });
    }
    solve(n, &mut buffers.matrix, &mut buffers.change);
}

/// Replaces the negative gradient in `buffers.change` by the steps of single sources, scaled by the ratio of the assumed to the
/// actual effect, (Σ h_i Δ_i²)/(Δᵀ(JᵀPJ + prior)Δ), at most 1.
#[inline(always)]
fn projected_change(by_var: &[Lanes], buffers: &mut SourceBuffers) {
    let n = buffers.change.len();
    let (mut assumed, mut actual) = (Lanes::default(), Lanes::default());
    for i in 0..n {
        let change = &mut buffers.change[i];
        for l in 0..LANES {
            let stiffness = buffers.stiffness[i][l] + 2.0 * by_var[i][l];
            change[l] /= stiffness;
            assumed[l] += change[l] * change[l] * stiffness;
            actual[l] += change[l] * change[l] * buffers.stiffness[i][l];
        }
    }
    for i in 0..n {
        for other in 0..=i {
            let twice = if other == i { 1.0 } else { 2.0 };
            let curvature = &buffers.matrix[i * (i + 1) / 2 + other];
            let (left, right) = (&buffers.change[i], &buffers.change[other]);
            for l in 0..LANES {
                actual[l] += twice * left[l] * right[l] * curvature[l];
            }
        }
    }
    for change in &mut buffers.change {
        for l in 0..LANES {
            let ratio = if assumed[l] < actual[l] { assumed[l] / actual[l] } else { 1.0 };
            change[l] *= ratio;
        }
    }
}

/// Solves eight positive definite systems at once by Cholesky factorisation; lower triangles, row by row.
#[inline(always)]
fn solve(n: usize, matrix: &mut [Lanes], right: &mut [Lanes]) {
    for i in 0..n {
        let row = i * (i + 1) / 2;
        for j in 0..=i {
            let other = j * (j + 1) / 2;
            let mut element = matrix[row + j];
            for k in 0..j {
                let (a, b) = (matrix[row + k], matrix[other + k]);
                for l in 0..LANES {
                    element[l] -= a[l] * b[l];
                }
            }
            let pivot = matrix[other + j];
            matrix[row + j] = if i == j { map(element, f64::sqrt) } else { each(|l| element[l] / pivot[l]) };
        }
        let mut value = right[i];
        for k in 0..i {
            let (a, b) = (matrix[row + k], right[k]);
            for l in 0..LANES {
                value[l] -= a[l] * b[l];
            }
        }
        let pivot = matrix[row + i];
        right[i] = each(|l| value[l] / pivot[l]);
    }
    for i in (0..n).rev() {
        let row = i * (i + 1) / 2;
        let pivot = matrix[row + i];
        right[i] = each(|l| right[i][l] / pivot[l]);
        for k in 0..i {
            let a = matrix[row + k];
            let value = right[i];
            for l in 0..LANES {
                right[k][l] -= a[l] * value[l];
            }
        }
    }
}
