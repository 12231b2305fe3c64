//! The step of the sources: each sample's system of n equations, and the conjugate update of every component.

use std::ops::Range;

use super::blocks::Blocks;
use super::cost::choice_terms;
use super::cost::logits_of;
use super::state::State;
use crate::math::lanes::{LANES, Lanes, SimdKernel, each, exp_lanes, ln_lanes, map};

/// How the proposed changes of the n sources of a sample are taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// A Newton step with the curvature JᵀPJ + prior.
    GaussNewton,
    /// The step of each source alone, all made shorter by the ratio of the effect each was made for to that of all together.
    Projected,
}

/// A component's prior as the step needs it.
#[derive(Clone, Copy, Debug)]
struct Component {
    precision: f64,
    centre: f64,
    centre_var: f64,
    /// E[−ln P(M = l)] + v̄_s.
    fixed: f64,
}

/// Damping of each sample's sources; the sign is that of the last change.
#[derive(Clone, Debug, Default)]
pub struct Rates {
    /// Of means and shares.
    pub mean: Blocks,
    /// Of variances.
    pub var: Blocks,
}

impl Rates {
    /// All `rate`.
    pub fn new(samples: usize, sources: usize, rate: f64) -> Self {
        Self { mean: Blocks::new(samples, sources, rate), var: Blocks::new(samples, sources, rate) }
    }

    /// Halves all.
    pub fn halve(&mut self, floor: f64) {
        for rate in self.mean.lanes_mut().iter_mut().chain(self.var.lanes_mut()).flatten() {
            *rate = halved(*rate, floor);
        }
    }
}

/// Half the rate, its sign kept.
pub fn halved(rate: f64, floor: f64) -> f64 {
    (0.5 * rate.abs()).max(floor).copysign(rate)
}

/// The next rate of a variable that is to change by `change`: 0.8 of it if the sign differs from last time, else 1.05 of it and
/// at most `cap`.
#[inline(always)]
pub fn adapted(rate: f64, change: f64, cap: f64) -> f64 {
    let size = rate.abs();
    let size = match rate * change < 0.0 {
        true if size > FLOOR => 0.8 * size,
        true => size,
        false => 1.05 * size,
    };
    (if size > cap { cap } else { size }).copysign(change)
}

/// Where a rate is not made smaller any more.
const FLOOR: f64 = 1e-3;

/// Moves all sources by one damped step. `by_mean` and `by_var` are the gradients of the data's part, `curvature` JᵀPJ of each
/// sample.
pub fn step(
    state: &mut State,
    by_mean: &Blocks,
    by_var: &Blocks,
    curvature: &Blocks,
    joint: Joint,
    rates: &mut Rates,
) {
    let components = state.components();
    let priors: Vec<Component> = (0..state.network.sources)
        .flat_map(|i| {
            let choices = if components > 1 { choice_terms(&logits_of(state, i)) } else { vec![0.0] };
            let of = |(l, choice): (usize, &f64)| {
                let r = i * components + l;
                let (scale, centre) = (state.scales.get(r), state.centres.get(r));
                Component {
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
    let step = Step { blocks, state, by_mean, by_var, curvature, joint, rates, priors: &priors };
    crate::math::lanes::dispatch_simd(step);
}

struct Step<'a> {
    blocks: Range<usize>,
    state: &'a mut State,
    by_mean: &'a Blocks,
    by_var: &'a Blocks,
    curvature: &'a Blocks,
    joint: Joint,
    rates: &'a mut Rates,
    priors: &'a [Component],
}

/// Room for a block; a number for each source, but for the matrix.
struct Scratch {
    matrix: Vec<Lanes>,
    /// Σ_l ṡπ, the prior's curvature.
    stiffness: Vec<Lanes>,
    /// Σ_l ṡπ(s̄−m̄), the prior's gradient.
    pull: Vec<Lanes>,
    change: Vec<Lanes>,
    /// For each component: the proposed mean, variance, its logarithm and ln of the share.
    proposed: Vec<[Lanes; 4]>,
}

impl SimdKernel for Step<'_> {
    type Output = ();
    #[inline(always)]
    fn run(mut self) {
        let n = self.state.network.sources;
        let zeros = |count: usize| vec![Lanes::default(); count];
        let mut scratch = Scratch {
            matrix: zeros(n * (n + 1) / 2),
            stiffness: zeros(n),
            pull: zeros(n),
            change: zeros(n),
            proposed: vec![[Lanes::default(); 4]; self.state.components()],
        };
        for b in self.blocks.clone() {
            self.joint_change(b, &mut scratch);
            for i in 0..n {
                self.source(b, i, &mut scratch);
            }
        }
        self.state.sources.gather();
    }
}

impl Step<'_> {
    /// The change of all sources of a sample together.
    #[inline(always)]
    fn joint_change(&mut self, b: usize, scratch: &mut Scratch) {
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
            (scratch.stiffness[i], scratch.pull[i]) = (stiffness, pull);
            scratch.change[i] = each(|l| -(by_mean[i][l] + pull[l]));
        }
        scratch.matrix.copy_from_slice(self.curvature.block(b));
        match self.joint {
            Joint::GaussNewton => {
                for i in 0..n {
                    let own = &mut scratch.matrix[i * (i + 1) / 2 + i];
                    *own = each(|l| {
                        let raised = if own[l] < 2.0 * by_var[i][l] { 2.0 * by_var[i][l] } else { own[l] };
                        raised + scratch.stiffness[i][l]
                    });
                }
                solve(n, &mut scratch.matrix, &mut scratch.change);
            }
            Joint::Projected => {
                let (mut assumed, mut actual) = (Lanes::default(), Lanes::default());
                for i in 0..n {
                    let change = &mut scratch.change[i];
                    for l in 0..LANES {
                        let stiffness = scratch.stiffness[i][l] + 2.0 * by_var[i][l];
                        change[l] /= stiffness;
                        assumed[l] += change[l] * change[l] * stiffness;
                        actual[l] += change[l] * change[l] * scratch.stiffness[i][l];
                    }
                }
                for i in 0..n {
                    for other in 0..=i {
                        let twice = if other == i { 1.0 } else { 2.0 };
                        let curvature = &scratch.matrix[i * (i + 1) / 2 + other];
                        let (left, right) = (&scratch.change[i], &scratch.change[other]);
                        for l in 0..LANES {
                            actual[l] += twice * left[l] * right[l] * curvature[l];
                        }
                    }
                }
                for change in &mut scratch.change {
                    for l in 0..LANES {
                        let ratio = if assumed[l] < actual[l] { assumed[l] / actual[l] } else { 1.0 };
                        change[l] *= ratio;
                    }
                }
            }
        }
    }

    /// One source: its components' conjugate updates, by the gradient that gives the change when taken alone.
    #[inline(always)]
    fn source(&mut self, b: usize, i: usize, scratch: &mut Scratch) {
        let components = self.state.components();
        let sources = &mut self.state.sources;
        let (total, h) = (sources.total_mean.block(b)[i], self.by_var.block(b)[i]);
        let total_var = sources.total_var.block(b)[i];
        let g: Lanes =
            each(|l| -scratch.change[i][l] * (scratch.stiffness[i][l] + 2.0 * h[l]) - scratch.pull[i][l]);
        let first = i * components;
        let mut most = [f64::NEG_INFINITY; LANES];
        for (proposed, prior) in scratch.proposed.iter_mut().zip(&self.priors[first..]) {
            let stiffness: Lanes = each(|l| prior.precision + 2.0 * h[l]);
            let ln_stiffness = ln_lanes(stiffness);
            for l in 0..LANES {
                let var = 1.0 / stiffness[l];
                let mean = var * (prior.precision * prior.centre + 2.0 * h[l] * total[l] - g[l]);
                let (off, moved) = (mean - prior.centre, mean - total[l]);
                let cost = prior.fixed
                    + 0.5 * ln_stiffness[l]
                    + 0.5 * prior.precision * (off * off + var + prior.centre_var)
                    + g[l] * moved
                    + h[l] * (moved * moved + var);
                for (slot, value) in proposed.iter_mut().zip([mean, var, -ln_stiffness[l], -cost]) {
                    slot[l] = value;
                }
                most[l] = if -cost > most[l] { -cost } else { most[l] };
            }
        }
        let (mut all, mut mean, mut second) = (Lanes::default(), Lanes::default(), Lanes::default());
        for proposed in &mut scratch.proposed {
            let share = exp_lanes(each(|l| proposed[3][l] - most[l]));
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
            rate[l] = adapted(rate[l], mean[l] - total[l], 1.0);
            rate_var[l] = adapted(rate_var[l], second[l] / all[l] - mean[l] * mean[l] - total_var[l], 1.0);
        }
        for (r, proposed) in (first..).zip(&scratch.proposed) {
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

/// Solves eight positive definite systems at once by Cholesky's method; lower triangles row by row.
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
