//! The first pass of a sweep: outputs of the hidden units, and the sums over samples for the output layer.

use std::ops::Range;

use super::activation::{StoredUnit, UnitMoments, store_unit, unit_moments};
use super::blocks::{add, lane_mask, multiply, times};
use super::layouts::Layouts;
use super::moments::Moments;
use super::observations::Observations;
use super::sources::Sources;
use crate::math::lanes::{Lanes, SimdKernel, each, map, sum};

/// Sums over samples for the output layer, lane by lane.
#[derive(Clone, Debug, Default)]
pub struct OutputSums {
    /// Σ ḡ_j ḡ_j′ + Σ_i s̃_i M_ji M_j′i with M = g′A, j′ ≤ j: element j(j+1)/2 + j′.
    gram: Vec<Lanes>,
    /// Σ ḡ_j.
    mean: Vec<Lanes>,
    /// Σ g̃*_j.
    star: Vec<Lanes>,
    /// Σ ḡ_j² + g̃_j.
    power: Vec<Lanes>,
    /// Σ x_k ḡ_j at k·H + j.
    cross: Vec<Lanes>,
    /// Σ x_k.
    x: Vec<Lanes>,
}

/// Sums over the samples in which one channel is measured.
#[derive(Clone, Debug, Default)]
pub struct ChannelSums {
    /// Σ ḡ_j ḡ_j′ + Σ_i s̃_i M_ji M_j′i, as in [`OutputSums`].
    pub gram: Vec<f64>,
    /// Σ ḡ_j, H.
    pub mean: Vec<f64>,
    /// Σ g̃*_j, H.
    pub star: Vec<f64>,
    /// Σ ḡ_j² + g̃_j, H.
    pub power: Vec<f64>,
    /// Number of samples.
    pub count: f64,
}

impl OutputSums {
    /// Creates sums that are zero.
    pub fn new(hidden: usize, channels: usize) -> Self {
        let zeros = |count: usize| vec![Lanes::default(); count];
        Self {
            gram: zeros(hidden * (hidden + 1) / 2),
            mean: zeros(hidden),
            star: zeros(hidden),
            power: zeros(hidden),
            cross: zeros(hidden * channels),
            x: zeros(channels),
        }
    }

    /// Returns the sums over all samples, measured or not.
    pub fn all(&self, samples: usize) -> ChannelSums {
        let numbers = |lanes: &[Lanes]| lanes.iter().map(|lanes| sum(*lanes)).collect();
        ChannelSums {
            gram: numbers(&self.gram),
            mean: numbers(&self.mean),
            star: numbers(&self.star),
            power: numbers(&self.power),
            count: samples as f64,
        }
    }

    /// Returns Σ x_k ḡ_j for each j, and Σ x_k.
    pub fn channel(&self, k: usize) -> (Vec<f64>, f64) {
        let hidden = self.mean.len();
        (self.cross[k * hidden..][..hidden].iter().map(|lanes| sum(*lanes)).collect(), sum(self.x[k]))
    }
}

/// The first pass over blocks of eight samples.
pub struct HiddenPass<'a> {
    pub blocks: Range<usize>,
    pub moments: Moments,
    pub layouts: &'a Layouts,
    pub sources: &'a Sources,
    pub observations: &'a Observations,
    /// Values stored for the second pass: unit j of block b at b·H + j.
    pub stored: &'a mut [StoredUnit],
    /// Sums for the output layer, if it is solved for.
    pub sums: Option<&'a mut OutputSums>,
}

impl SimdKernel for HiddenPass<'_> {
    type Output = ();
    #[inline(always)]
    fn run(mut self) {
        let (n, hidden) = (self.layouts.sources, self.layouts.hidden);
        let mut scratch = vec![Lanes::default(); 3 * hidden + n];
        // A column for the means, and one for each source.
        let mut columns = vec![Lanes::default(); hidden * (n + 1)];
        for b in self.blocks.clone() {
            self.forward(b, &mut scratch);
            if self.sums.is_some() {
                self.add(b, &mut columns, &mut scratch[..n]);
            }
        }
    }
}

impl HiddenPass<'_> {
    /// Computes the moments of the inputs of the hidden units, VL00 eqs. (21), (22), (30), and tanh.
    #[inline(always)]
    fn forward(&mut self, b: usize, scratch: &mut [Lanes]) {
        let layouts = self.layouts;
        let hidden = layouts.hidden;
        let (y, rest) = scratch.split_at_mut(hidden);
        let (star, rest) = rest.split_at_mut(hidden);
        let (shared, squares) = rest.split_at_mut(hidden);
        let (mean, var) = (self.sources.total_mean.block(b), self.sources.total_var.block(b));
        for (square, (s, v)) in squares.iter_mut().zip(mean.iter().zip(var)) {
            *square = add(&times(s, s), v);
        }
        multiply(&layouts.first_t.mean, hidden, mean, 1, y);
        multiply(&layouts.first_t.var, hidden, squares, 1, star);
        multiply(&layouts.first_t.square, hidden, var, 1, shared);
        let (bias, bias_var) = (&layouts.first_bias.mean, &layouts.first_bias.var);
        for (j, stored) in self.stored[b * hidden..][..hidden].iter_mut().enumerate() {
            let y = map(y[j], |y| y + bias[j]);
            let star = map(star[j], |star| star + bias_var[j]);
            // ỹ = ỹ* + Σ_i Ā² s̃, VL00 eq. (22).
            *stored = store_unit(self.moments, y, add(&star, &shared[j]), star);
        }
    }

    /// Adds a block to the sums; `sds` is a buffer of n values.
    #[inline(always)]
    fn add(&mut self, b: usize, columns: &mut [Lanes], sds: &mut [Lanes]) {
        let Some(sums) = self.sums.as_deref_mut() else { return };
        let (n, hidden) = (self.layouts.sources, self.layouts.hidden);
        let mask = lane_mask(b, self.sources.samples);
        let width = n + 1;
        for (sd, var) in sds.iter_mut().zip(self.sources.total_var.block(b)) {
            *sd = map(*var, f64::sqrt);
        }
        let x = self.observations.x.block(b);
        for (j, stored) in self.stored[b * hidden..][..hidden].iter().enumerate() {
            let UnitMoments { mean, var, star, slope } = unit_moments(self.moments, stored);
            let (mean, slope) = (times(&mean, &mask), times(&slope, &mask));
            let row = &mut columns[j * width..][..width];
            row[0] = mean;
            for i in 0..n {
                let weight = self.layouts.first.mean[j * n + i];
                row[1 + i] = each(|l| weight * slope[l] * sds[i][l]);
            }
            sums.mean[j] = add(&sums.mean[j], &mean);
            sums.star[j] = add(&sums.star[j], &times(&star, &mask));
            let power = &mut sums.power[j];
            *power = each(|l| power[l] + mean[l] * mean[l] + var[l] * mask[l]);
            for (k, x) in x.iter().enumerate() {
                let cross = &mut sums.cross[k * hidden + j];
                *cross = add(cross, &times(x, &mean));
            }
        }
        for (sum, x) in sums.x.iter_mut().zip(x) {
            *sum = add(sum, x);
        }
        gram(columns, width, hidden, &mut sums.gram);
    }
}

/// Adds the products of all pairs of rows to the lower triangle `out`, two by two rows at a time.
#[inline(always)]
fn gram(columns: &[Lanes], width: usize, hidden: usize, out: &mut [Lanes]) {
    let row = |j: usize| &columns[j * width..][..width];
    let mut j = 0;
    while j < hidden {
        let last = (j + 1).min(hidden - 1);
        let (upper, lower) = (row(j), row(last));
        let mut other = 0;
        while other <= j {
            let beside = (other + 1).min(hidden - 1);
            let (left, right) = (row(other), row(beside));
            let mut sums = [Lanes::default(); 4];
            for c in 0..width {
                let (u, d, l, r) = (&upper[c], &lower[c], &left[c], &right[c]);
                for lane in 0..crate::math::lanes::LANES {
                    sums[0][lane] += u[lane] * l[lane];
                    sums[1][lane] += u[lane] * r[lane];
                    sums[2][lane] += d[lane] * l[lane];
                    sums[3][lane] += d[lane] * r[lane];
                }
            }
            let (at, below) = (j * (j + 1) / 2, last * (last + 1) / 2);
            let mut put = |index: usize, sum: &Lanes| out[index] = add(&out[index], sum);
            put(at + other, &sums[0]);
            if beside <= j && beside > other {
                put(at + beside, &sums[1]);
            }
            if last > j {
                put(below + other, &sums[2]);
                if beside > other {
                    put(below + beside, &sums[3]);
                }
            }
            other += 2;
        }
        j += 2;
    }
}

/// Subtracts the contribution of sample t from the sums, for a channel that is missing in it.
pub fn subtract_sample(
    sums: &mut ChannelSums,
    t: usize,
    moments: Moments,
    layouts: &Layouts,
    sources: &Sources,
    stored: &[StoredUnit],
) {
    let (n, hidden) = (layouts.sources, layouts.hidden);
    let (b, lane) = (t / crate::math::lanes::LANES, t % crate::math::lanes::LANES);
    let sd: Vec<f64> = sources.vars(t).into_iter().map(f64::sqrt).collect();
    // One column for the means and one for each source, each contiguous.
    let mut columns = vec![0.0; (n + 1) * hidden];
    for (j, stored) in stored[b * hidden..][..hidden].iter().enumerate() {
        let unit = unit_moments(moments, stored);
        let mean = unit.mean[lane];
        columns[j] = mean;
        for i in 0..n {
            columns[(1 + i) * hidden + j] = layouts.first.mean[j * n + i] * unit.slope[lane] * sd[i];
        }
        sums.mean[j] -= mean;
        sums.star[j] -= unit.star[lane];
        sums.power[j] -= mean * mean + unit.var[lane];
    }
    for column in columns.chunks_exact(hidden) {
        for j in 0..hidden {
            let left = column[j];
            for (sum, right) in sums.gram[j * (j + 1) / 2..][..=j].iter_mut().zip(column) {
                *sum -= left * right;
            }
        }
    }
    sums.count -= 1.0;
}
