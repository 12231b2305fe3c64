//! The second pass of a sweep: VL00 eqs. (27)–(29), what is left of the data, and its exact gradients in reverse.
//!
//! Every loop over lanes makes one array: of a loop that writes to two, which might overlap, the compiler makes no SIMD code.

use std::ops::Range;

use super::activation::{Kept, Seeds, Unit, reverse, unit};
use super::blocks::{Blocks, add, apply, times};
use super::layouts::Layouts;
use super::moments::Moments;
use super::observations::Observations;
use super::sources::Sources;
use crate::math::lanes::{Lanes, SimdKernel, each, map, sum};

/// Gradients of the data's part of the cost that are sums over samples, lane by lane.
#[derive(Clone, Debug, Default)]
pub struct WeightSums {
    /// ∂C/∂Ā, ∂C/∂Ã; H×n.
    first: Vec<[Lanes; 2]>,
    /// ∂C/∂ā, ∂C/∂ã; H.
    first_bias: Vec<[Lanes; 2]>,
    /// ∂C/∂B̄, ∂C/∂B̃; m×H, or nothing.
    second: Vec<[Lanes; 2]>,
    /// ∂C/∂b̄, ∂C/∂b̃; m.
    second_bias: Vec<[Lanes; 2]>,
    /// Σ_t (x−f̄)² + f̃; m.
    residual: Vec<Lanes>,
}

/// Gradients by means and by variances.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slopes {
    /// By the means.
    pub mean: Vec<f64>,
    /// By the variances.
    pub var: Vec<f64>,
}

impl WeightSums {
    /// Nothing added yet; of the second layer only `if second`.
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

    /// By A, a, B and b.
    pub fn slopes(&self) -> [Slopes; 4] {
        [&self.first, &self.first_bias, &self.second, &self.second_bias].map(|sums| Slopes {
            mean: sums.iter().map(|pair| sum(pair[0])).collect(),
            var: sums.iter().map(|pair| sum(pair[1])).collect(),
        })
    }

    /// Σ_t (x−f̄)² + f̃ of each channel, over the samples where it was measured.
    pub fn residuals(&self) -> Vec<f64> {
        self.residual.iter().map(|lanes| sum(*lanes)).collect()
    }
}

/// The pass over blocks of samples.
pub struct ReversePass<'a> {
    pub blocks: Range<usize>,
    pub moments: Moments,
    /// See [`reverse`].
    pub clip: bool,
    pub layouts: &'a Layouts,
    pub sources: &'a Sources,
    pub observations: &'a Observations,
    pub kept: &'a [Kept],
    /// E e^{−2v} of the noise; m.
    pub precision: &'a [f64],
    pub sums: &'a mut WeightSums,
    /// ∂C/∂s̄_i(t).
    pub by_mean: &'a mut Blocks,
    /// ∂C/∂s̃_i(t).
    pub by_var: &'a mut Blocks,
    /// JᵀPJ of each sample, i′ ≤ i at i(i+1)/2 + i′; may be empty.
    pub curvature: &'a mut Blocks,
}

/// Room for a block.
struct Scratch {
    /// ḡ and M = g′A of each hidden unit, H×(1+n).
    columns: Vec<Lanes>,
    units: Vec<Unit>,
    /// ḡ² + g̃, then ∂C/∂g̃; H.
    power: Vec<Lanes>,
    /// g̃*, then ∂C/∂g̃*; H.
    star: Vec<Lanes>,
    /// f̄ and J, then ∂C/∂f̄ and ∂C/∂J; m×(1+n).
    outputs: Vec<Lanes>,
    /// Two parts of f̃, then ∂C/∂f̃ and nothing; m.
    spread: [Vec<Lanes>; 2],
    /// ∂C/∂ḡ and E; H×(1+n).
    inward: Vec<Lanes>,
    /// ∂C/∂ȳ, ∂C/∂ỹ, ∂C/∂ỹ*; H.
    by_y: [Vec<Lanes>; 3],
    /// Sums over hidden units; n.
    by_s: [Vec<Lanes>; 3],
}

impl Scratch {
    fn new(layouts: &Layouts) -> Self {
        let (n, hidden, channels) = (layouts.sources, layouts.hidden, layouts.channels);
        let zeros = |count: usize| vec![Lanes::default(); count];
        let zero = Lanes::default();
        Self {
            columns: zeros(hidden * (1 + n)),
            units: vec![Unit { mean: zero, var: zero, star: zero, slope: zero }; hidden],
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
        let mut scratch = Scratch::new(self.layouts);
        for b in self.blocks.clone() {
            self.outputs(b, &mut scratch);
            self.seeds(b, &mut scratch);
            if !self.sums.second.is_empty() {
                self.second_layer(&scratch);
            }
            self.hidden(b, &mut scratch);
            self.first_layer(b, &mut scratch);
        }
    }
}

impl ReversePass<'_> {
    /// f̄, J and the parts of f̃ that are sums over hidden units.
    #[inline(always)]
    fn outputs(&mut self, b: usize, scratch: &mut Scratch) {
        let layouts = self.layouts;
        let (n, hidden, channels) = (layouts.sources, layouts.hidden, layouts.channels);
        for (j, kept) in self.kept[b * hidden..][..hidden].iter().enumerate() {
            let unit = unit(self.moments, kept);
            let row = &mut scratch.columns[j * (1 + n)..][..=n];
            row[0] = unit.mean;
            for i in 0..n {
                let weight = layouts.first.mean[j * n + i];
                row[1 + i] = map(unit.slope, |slope| weight * slope);
            }
            scratch.power[j] = add(&times(&unit.mean, &unit.mean), &unit.var);
            scratch.star[j] = unit.star;
            scratch.units[j] = unit;
        }
        apply(&layouts.second_t.mean, channels, &scratch.columns, 1 + n, &mut scratch.outputs);
        let [own, bought] = &mut scratch.spread;
        apply(&layouts.second_t.square, channels, &scratch.star, 1, own);
        apply(&layouts.second_t.var, channels, &scratch.power, 1, bought);
    }

    /// The residuals, and the gradients by f̄, f̃ and J in their place.
    #[inline(always)]
    fn seeds(&mut self, b: usize, scratch: &mut Scratch) {
        let n = self.layouts.sources;
        let (x, seen) = (self.observations.x.block(b), self.observations.seen.block(b));
        let var = self.sources.total_var.block(b);
        let by_var = self.by_var.block_mut(b);
        by_var.fill(Lanes::default());
        let curvature = if self.curvature.width() > 0 { self.curvature.block_mut(b) } else { &mut [] };
        curvature.fill(Lanes::default());
        let [own, bought] = &mut scratch.spread;
        for k in 0..x.len() {
            let (bias, bias_var) = (self.layouts.second_bias.mean[k], self.layouts.second_bias.var[k]);
            let p = map(seen[k], |seen| seen * self.precision[k]);
            let (mean, slopes) = scratch.outputs[k * (1 + n)..][..=n].split_at_mut(1);
            let mean = &mut mean[0];
            let mut spread: Lanes = each(|l| own[k][l] + bought[k][l] + bias_var);
            let mut place = 0;
            for i in 0..n {
                let slope = slopes[i];
                let weighted = times(&p, &slope);
                spread = each(|l| spread[l] + slope[l] * slope[l] * var[i][l]);
                let own = by_var[i];
                by_var[i] = each(|l| own[l] + 0.5 * weighted[l] * slope[l]);
                if !curvature.is_empty() {
                    for (sum, other) in curvature[place..=place + i].iter_mut().zip(slopes.iter()) {
                        *sum = add(sum, &times(&weighted, other));
                    }
                    place += i + 1;
                }
            }
            for i in 0..n {
                slopes[i] = each(|l| p[l] * slopes[i][l] * var[i][l]);
            }
            let residual = &mut self.sums.residual[k];
            let error: Lanes = each(|l| (x[k][l] - mean[l] - bias) * seen[k][l]);
            *residual = each(|l| residual[l] + (error[l] * error[l] + spread[l] * seen[k][l]));
            *mean = map(error, |error| -error * self.precision[k]);
            own[k] = map(p, |p| 0.5 * p);
            let pair = &mut self.sums.second_bias[k];
            *pair = [add(&pair[0], mean), add(&pair[1], &own[k])];
        }
    }

    /// Gradients by B.
    #[inline(always)]
    fn second_layer(&mut self, scratch: &Scratch) {
        let (n, hidden) = (self.layouts.sources, self.layouts.hidden);
        for (k, by_f) in scratch.outputs.chunks_exact(1 + n).enumerate() {
            let by_var = &scratch.spread[0][k];
            for j in 0..hidden {
                let [mean, var] = &mut self.sums.second[k * hidden + j];
                let weight = 2.0 * self.layouts.second.mean[k * hidden + j];
                let (star, power) = (&scratch.star[j], &scratch.power[j]);
                *var = add(var, &times(by_var, power));
                let mut sum: Lanes = each(|l| mean[l] + weight * by_var[l] * star[l]);
                for (by_f, column) in by_f.iter().zip(&scratch.columns[j * (1 + n)..][..=n]) {
                    sum = add(&sum, &times(by_f, column));
                }
                *mean = sum;
            }
        }
    }

    /// Back to the hidden units' inputs.
    #[inline(always)]
    fn hidden(&mut self, b: usize, scratch: &mut Scratch) {
        let layouts = self.layouts;
        let (n, hidden) = (layouts.sources, layouts.hidden);
        apply(&layouts.second.mean, hidden, &scratch.outputs, 1 + n, &mut scratch.inward);
        apply(&layouts.second.var, hidden, &scratch.spread[0], 1, &mut scratch.power);
        apply(&layouts.second.square, hidden, &scratch.spread[0], 1, &mut scratch.star);
        for (j, kept) in self.kept[b * hidden..][..hidden].iter().enumerate() {
            let unit = &scratch.units[j];
            let (by_mean, paths) = scratch.inward[j * (1 + n)..][..=n].split_at(1);
            let weights = &layouts.first.mean[j * n..][..n];
            let mut by_slope = Lanes::default();
            for (path, weight) in paths.iter().zip(weights) {
                by_slope = each(|l| by_slope[l] + weight * path[l]);
            }
            let by_var = scratch.power[j];
            let seeds = Seeds {
                mean: each(|l| by_mean[0][l] + 2.0 * unit.mean[l] * by_var[l]),
                var: by_var,
                star: scratch.star[j],
                slope: by_slope,
            };
            let inward = reverse(self.moments, self.clip, kept, unit, &seeds);
            [scratch.by_y[0][j], scratch.by_y[1][j], scratch.by_y[2][j]] =
                [inward.mean, inward.var, inward.star];
        }
    }

    /// Gradients by A, a and the sources.
    #[inline(always)]
    fn first_layer(&mut self, b: usize, scratch: &mut Scratch) {
        let layouts = self.layouts;
        let (n, hidden) = (layouts.sources, layouts.hidden);
        let (s, v) = (self.sources.total_mean.block(b), self.sources.total_var.block(b));
        let [by_mean, by_var, by_star] = &scratch.by_y;
        for j in 0..hidden {
            let (dy, dv, dstar) = (&by_mean[j], &by_var[j], &by_star[j]);
            let pair = &mut self.sums.first_bias[j];
            *pair = [add(&pair[0], dy), add(&pair[1], dstar)];
            let (slope, paths) = (&scratch.units[j].slope, &scratch.inward[j * (1 + n) + 1..][..n]);
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
        let [through, bought, shared] = &mut scratch.by_s;
        apply(&layouts.first.mean, n, by_mean, 1, through);
        apply(&layouts.first.var, n, by_star, 1, bought);
        apply(&layouts.first.square, n, by_var, 1, shared);
        let (out, out_var) = (self.by_mean.block_mut(b), self.by_var.block_mut(b));
        for i in 0..n {
            let (s, through, bought, shared) = (&s[i], &through[i], &bought[i], &shared[i]);
            out[i] = each(|l| through[l] + 2.0 * s[l] * bought[l]);
            out_var[i] = add(&out_var[i], &add(bought, shared));
        }
    }
}
