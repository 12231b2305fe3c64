//! The second pass of a sweep: VL00 eqs. (27)–(29), the residuals, and the exact gradient of the data term in reverse mode.
//!
//! Every loop over lanes writes to one array. The compiler does not vectorise a loop that writes to two, because they might
//! overlap.

use std::ops::Range;

use super::activation::{StoredUnit, UnitGradient, UnitMoments, reverse, unit_moments};
use super::blocks::{Blocks, add, multiply, times};
use super::layouts::Layouts;
use super::moments::Moments;
use super::observations::Observations;
use super::sources::Sources;
use crate::math::lanes::{Lanes, SimdKernel, each, map, sum};

/// Gradients of the data term that are sums over samples, lane by lane.
#[derive(Clone, Debug, Default)]
pub struct WeightSums {
    /// ∂C/∂Ā, ∂C/∂Ã; H×n.
    first: Vec<[Lanes; 2]>,
    /// ∂C/∂ā, ∂C/∂ã; H.
    first_bias: Vec<[Lanes; 2]>,
    /// ∂C/∂B̄, ∂C/∂B̃; m×H, or empty.
    second: Vec<[Lanes; 2]>,
    /// ∂C/∂b̄, ∂C/∂b̃; m.
    second_bias: Vec<[Lanes; 2]>,
    /// Σ_t (x−f̄)² + f̃; m.
    residual: Vec<Lanes>,
}

/// Gradients with respect to means and variances.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MomentGradient {
    /// With respect to the means.
    pub mean: Vec<f64>,
    /// With respect to the variances.
    pub var: Vec<f64>,
}

impl WeightSums {
    /// Creates sums that are zero; those of B only if `second`.
    pub fn new(layouts: &Layouts, second: bool) -> Self {
        let zeros = |count: usize| vec![[Lanes::default(); 2]; count];
        Self {
            first: zeros(layouts.hidden * layouts.sources),
            first_bias: zeros(layouts.hidden),
            second: zeros(if second { layouts.channels * layouts.hidden } else { 0 }),
            second_bias: zeros(layouts.channels),
            residual: vec![Lanes::default(); layouts.channels],
        }
    }

    /// Returns the gradients with respect to A, a, B and b.
    pub fn gradients(&self) -> [MomentGradient; 4] {
        [&self.first, &self.first_bias, &self.second, &self.second_bias].map(|sums| MomentGradient {
            mean: sums.iter().map(|pair| sum(pair[0])).collect(),
            var: sums.iter().map(|pair| sum(pair[1])).collect(),
        })
    }

    /// Returns Σ_t (x−f̄)² + f̃ of each channel, over the samples in which it is observed.
    pub fn residuals(&self) -> Vec<f64> {
        self.residual.iter().map(|lanes| sum(*lanes)).collect()
    }
}

/// The second pass over blocks of samples.
pub struct ReversePass<'a> {
    pub blocks: Range<usize>,
    pub moments: Moments,
    /// True if negative curvature terms are removed; see [`reverse`].
    pub clip: bool,
    pub layouts: &'a Layouts,
    pub sources: &'a Sources,
    pub observations: &'a Observations,
    pub stored: &'a [StoredUnit],
    /// Expected noise precision of each channel, m.
    pub precision: &'a [f64],
    pub sums: &'a mut WeightSums,
    /// ∂C/∂s̄_i(t).
    pub by_mean: &'a mut Blocks,
    /// ∂C/∂s̃_i(t).
    pub by_var: &'a mut Blocks,
    /// JᵀPJ of each sample, i′ ≤ i at i(i+1)/2 + i′; empty if not requested.
    pub curvature: &'a mut Blocks,
}

/// Buffers for a block.
struct ReverseBuffers {
    /// ḡ and M = g′A of each hidden unit, H×(1+n).
    columns: Vec<Lanes>,
    units: Vec<UnitMoments>,
    /// ḡ² + g̃, then ∂C/∂g̃; H.
    power: Vec<Lanes>,
    /// g̃*, then ∂C/∂g̃*; H.
    star: Vec<Lanes>,
    /// f̄ and J, then ∂C/∂f̄ and ∂C/∂J; m×(1+n).
    outputs: Vec<Lanes>,
    /// Two terms of f̃, Σ B̄² g̃* and Σ B̃ (ḡ² + g̃); the first is then replaced by ∂C/∂f̃; m.
    spread: [Vec<Lanes>; 2],
    /// Bᵀ ∂C/∂f̄ and Bᵀ ∂C/∂J; H×(1+n).
    inward: Vec<Lanes>,
    /// ∂C/∂ȳ, ∂C/∂ỹ, ∂C/∂ỹ*; H.
    by_y: [Vec<Lanes>; 3],
    /// Sums over hidden units for ∂C/∂s̄ and ∂C/∂s̃; n.
    by_s: [Vec<Lanes>; 3],
}

impl ReverseBuffers {
    /// Creates buffers for a network.
    fn new(layouts: &Layouts) -> Self {
        let (n, hidden, channels) = (layouts.sources, layouts.hidden, layouts.channels);
        let zeros = |count: usize| vec![Lanes::default(); count];
        let zero = Lanes::default();
        Self {
            columns: zeros(hidden * (1 + n)),
            units: vec![UnitMoments { mean: zero, var: zero, star: zero, slope: zero }; hidden],
            power: zeros(hidden),
            star: zeros(hidden),
            outputs: zeros(channels * (1 + n)),
            spread: [(); 2].map(|()| zeros(channels)),
            inward: zeros(hidden * (1 + n)),
            by_y: [(); 3].map(|()| zeros(hidden)),
            by_s: [(); 3].map(|()| zeros(n)),
        }
    }
}

impl SimdKernel for ReversePass<'_> {
    type Output = ();
    #[inline(always)]
    fn run(mut self) {
        let mut buffers = ReverseBuffers::new(self.layouts);
        for b in self.blocks.clone() {
            self.outputs(b, &mut buffers);
            self.seeds(b, &mut buffers);
            if !self.sums.second.is_empty() {
                self.second_layer(&buffers);
            }
            self.hidden(b, &mut buffers);
            self.first_layer(b, &mut buffers);
        }
    }
}

impl ReversePass<'_> {
    /// Computes f̄, J and the terms of f̃ that are sums over hidden units, VL00 eqs. (27)–(29).
    #[inline(always)]
    fn outputs(&mut self, b: usize, buffers: &mut ReverseBuffers) {
        let layouts = self.layouts;
        let (n, hidden, channels) = (layouts.sources, layouts.hidden, layouts.channels);
        for (j, stored) in self.stored[b * hidden..][..hidden].iter().enumerate() {
            let unit = unit_moments(self.moments, stored);
            let row = &mut buffers.columns[j * (1 + n)..][..=n];
            row[0] = unit.mean;
            for i in 0..n {
                let weight = layouts.first.mean[j * n + i];
                row[1 + i] = map(unit.slope, |slope| weight * slope);
            }
            buffers.power[j] = add(&times(&unit.mean, &unit.mean), &unit.var);
            buffers.star[j] = unit.star;
            buffers.units[j] = unit;
        }
        multiply(&layouts.second_t.mean, channels, &buffers.columns, 1 + n, &mut buffers.outputs);
        let [from_units, from_weights] = &mut buffers.spread;
        multiply(&layouts.second_t.square, channels, &buffers.star, 1, from_units);
        multiply(&layouts.second_t.var, channels, &buffers.power, 1, from_weights);
    }

    /// Computes the residuals, and replaces f̄, f̃ and J with the gradients with respect to them.
    #[inline(always)]
    fn seeds(&mut self, b: usize, buffers: &mut ReverseBuffers) {
        let n = self.layouts.sources;
        let (x, observed) = (self.observations.x.block(b), self.observations.observed.block(b));
        let var = self.sources.total_var.block(b);
        let by_var = self.by_var.block_mut(b);
        by_var.fill(Lanes::default());
        let curvature = if self.curvature.width() > 0 { self.curvature.block_mut(b) } else { &mut [] };
        curvature.fill(Lanes::default());
        let [from_units, from_weights] = &mut buffers.spread;
        for k in 0..x.len() {
            let (bias, bias_var) = (self.layouts.second_bias.mean[k], self.layouts.second_bias.var[k]);
            let p = map(observed[k], |observed| observed * self.precision[k]);
            let (mean, slopes) = buffers.outputs[k * (1 + n)..][..=n].split_at_mut(1);
            let mean = &mut mean[0];
            // VL00 eq. (28).
            let mut f_var: Lanes = each(|l| from_units[k][l] + from_weights[k][l] + bias_var);
            let mut row = 0;
            for i in 0..n {
                let slope = slopes[i];
                let weighted = times(&p, &slope);
                f_var = each(|l| f_var[l] + slope[l] * slope[l] * var[i][l]);
                let sum = by_var[i];
                by_var[i] = each(|l| sum[l] + 0.5 * weighted[l] * slope[l]);
                if !curvature.is_empty() {
                    for (sum, other) in curvature[row..=row + i].iter_mut().zip(slopes.iter()) {
                        *sum = add(sum, &times(&weighted, other));
                    }
                    row += i + 1;
                }
            }
            for i in 0..n {
                slopes[i] = each(|l| p[l] * slopes[i][l] * var[i][l]);
            }
            let residual = &mut self.sums.residual[k];
            let error: Lanes = each(|l| (x[k][l] - mean[l] - bias) * observed[k][l]);
            *residual = each(|l| residual[l] + (error[l] * error[l] + f_var[l] * observed[k][l]));
            *mean = map(error, |error| -error * self.precision[k]);
            from_units[k] = map(p, |p| 0.5 * p);
            let pair = &mut self.sums.second_bias[k];
            *pair = [add(&pair[0], mean), add(&pair[1], &from_units[k])];
        }
    }

    /// Adds the gradients with respect to B.
    #[inline(always)]
    fn second_layer(&mut self, buffers: &ReverseBuffers) {
        let (n, hidden) = (self.layouts.sources, self.layouts.hidden);
        for (k, by_f) in buffers.outputs.chunks_exact(1 + n).enumerate() {
            let by_var = &buffers.spread[0][k];
            for j in 0..hidden {
                let [mean, var] = &mut self.sums.second[k * hidden + j];
                let weight = 2.0 * self.layouts.second.mean[k * hidden + j];
                let (star, power) = (&buffers.star[j], &buffers.power[j]);
                *var = add(var, &times(by_var, power));
                let mut sum: Lanes = each(|l| mean[l] + weight * by_var[l] * star[l]);
                for (by_f, column) in by_f.iter().zip(&buffers.columns[j * (1 + n)..][..=n]) {
                    sum = add(&sum, &times(by_f, column));
                }
                *mean = sum;
            }
        }
    }

    /// Propagates the gradients to the inputs of the hidden units.
    #[inline(always)]
    fn hidden(&mut self, b: usize, buffers: &mut ReverseBuffers) {
        let layouts = self.layouts;
        let (n, hidden) = (layouts.sources, layouts.hidden);
        multiply(&layouts.second.mean, hidden, &buffers.outputs, 1 + n, &mut buffers.inward);
        multiply(&layouts.second.var, hidden, &buffers.spread[0], 1, &mut buffers.power);
        multiply(&layouts.second.square, hidden, &buffers.spread[0], 1, &mut buffers.star);
        for (j, stored) in self.stored[b * hidden..][..hidden].iter().enumerate() {
            let unit = &buffers.units[j];
            let (by_mean, paths) = buffers.inward[j * (1 + n)..][..=n].split_at(1);
            let weights = &layouts.first.mean[j * n..][..n];
            let mut by_slope = Lanes::default();
            for (path, weight) in paths.iter().zip(weights) {
                by_slope = each(|l| by_slope[l] + weight * path[l]);
            }
            let by_var = buffers.power[j];
            let seeds = UnitGradient {
                mean: each(|l| by_mean[0][l] + 2.0 * unit.mean[l] * by_var[l]),
                var: by_var,
                star: buffers.star[j],
                slope: by_slope,
            };
            let inward = reverse(self.moments, self.clip, stored, unit, &seeds);
            [buffers.by_y[0][j], buffers.by_y[1][j], buffers.by_y[2][j]] =
                [inward.mean, inward.var, inward.star];
        }
    }

    /// Adds the gradients with respect to A, a and the sources.
    #[inline(always)]
    fn first_layer(&mut self, b: usize, buffers: &mut ReverseBuffers) {
        let layouts = self.layouts;
        let (n, hidden) = (layouts.sources, layouts.hidden);
        let (s, v) = (self.sources.total_mean.block(b), self.sources.total_var.block(b));
        let [by_mean, by_var, by_star] = &buffers.by_y;
        for j in 0..hidden {
            let (dy, dv, dstar) = (&by_mean[j], &by_var[j], &by_star[j]);
            let pair = &mut self.sums.first_bias[j];
            *pair = [add(&pair[0], dy), add(&pair[1], dstar)];
            let (slope, paths) = (&buffers.units[j].slope, &buffers.inward[j * (1 + n) + 1..][..n]);
            for i in 0..n {
                let weight = 2.0 * layouts.first.mean[j * n + i];
                let [mean, var] = &mut self.sums.first[j * n + i];
                let (s, v, path) = (&s[i], &v[i], &paths[i]);
                let by: Lanes = each(|l| dy[l] * s[l] + weight * dv[l] * v[l] + slope[l] * path[l]);
                *mean = add(mean, &by);
                let by: Lanes = each(|l| dstar[l] * (s[l] * s[l] + v[l]));
                *var = add(var, &by);
            }
        }
        let [through, variable, shared] = &mut buffers.by_s;
        multiply(&layouts.first.mean, n, by_mean, 1, through);
        multiply(&layouts.first.var, n, by_star, 1, variable);
        multiply(&layouts.first.square, n, by_var, 1, shared);
        let (out, out_var) = (self.by_mean.block_mut(b), self.by_var.block_mut(b));
        for i in 0..n {
            let (s, through, variable, shared) = (&s[i], &through[i], &variable[i], &shared[i]);
            out[i] = each(|l| through[l] + 2.0 * s[l] * variable[l]);
            out_var[i] = add(&out_var[i], &add(variable, shared));
        }
    }
}
