//! tanh of a hidden unit for eight samples at a time, with its reverse pass.

use super::moments::{CENTRE, Moments, OUTER, POINT};
use crate::math::lanes::{LANES, Lanes, each, map, tanh_lanes};

/// What is kept of a hidden unit between the two passes of a sweep.
pub type Kept = [Lanes; 5];

/// A hidden unit's moments, VL00 eqs. (25), (26), (31).
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// ḡ.
    pub mean: Lanes,
    /// g̃.
    pub var: Lanes,
    /// g̃*.
    pub star: Lanes,
    /// g′(ȳ), or √(g̃/ỹ).
    pub slope: Lanes,
}

/// What the cost's gradient is with respect to a unit's moments.
#[derive(Clone, Copy, Debug)]
pub struct Seeds {
    /// ∂C/∂ḡ.
    pub mean: Lanes,
    /// ∂C/∂g̃.
    pub var: Lanes,
    /// ∂C/∂g̃*.
    pub star: Lanes,
    /// ∂C/∂slope.
    pub slope: Lanes,
}

/// The same with respect to the moments of what goes in; `star` is the whole derivative by ỹ*, which is a part of ỹ.
#[derive(Clone, Copy, Debug)]
pub struct Inward {
    /// ∂C/∂ȳ.
    pub mean: Lanes,
    /// ∂C/∂ỹ.
    pub var: Lanes,
    /// ∂C/∂ỹ*.
    pub star: Lanes,
}

/// tanh where it is needed: at ȳ, and with Gauss and Hermite's rule at two points beside it.
#[inline(always)]
pub fn keep(moments: Moments, y: Lanes, var: Lanes, star: Lanes) -> Kept {
    let middle = tanh_lanes(y);
    match moments {
        Moments::Taylor => [middle, middle, middle, var, star],
        Moments::GaussHermite => {
            let reach = map(var, |var| POINT * var.sqrt());
            let up = tanh_lanes(each(|l| y[l] + reach[l]));
            let down = tanh_lanes(each(|l| y[l] - reach[l]));
            [middle, up, down, var, star]
        }
    }
}

/// The moments of a unit.
#[inline(always)]
pub fn unit(moments: Moments, [g, up, down, y_var, y_star]: &Kept) -> Unit {
    let mut unit = Unit { mean: *g, var: *g, star: *g, slope: *g };
    match moments {
        Moments::Taylor => {
            for l in 0..LANES {
                let slope = 1.0 - g[l] * g[l];
                unit.mean[l] = g[l] - y_var[l] * g[l] * slope;
                unit.var[l] = slope * slope * y_var[l];
                unit.star[l] = slope * slope * y_star[l];
                unit.slope[l] = slope;
            }
        }
        Moments::GaussHermite => {
            for l in 0..LANES {
                let mean = CENTRE * g[l] + OUTER * (up[l] + down[l]);
                let (d, d_up, d_down) = (g[l] - mean, up[l] - mean, down[l] - mean);
                let var = CENTRE * d * d + OUTER * (d_up * d_up + d_down * d_down);
                let ratio = var / y_var[l];
                unit.mean[l] = mean;
                unit.var[l] = var;
                unit.star[l] = ratio * y_star[l];
                unit.slope[l] = ratio.sqrt();
            }
        }
    }
    unit
}

/// The reverse pass. With `clip` the negative parts of what curvature adds to ∂C/∂ỹ are left out, which keeps all gradients by
/// variances positive; it is then no exact gradient.
#[inline(always)]
pub fn reverse(moments: Moments, clip: bool, kept: &Kept, unit: &Unit, seeds: &Seeds) -> Inward {
    match moments {
        Moments::Taylor => reverse_taylor(clip, kept, seeds),
        Moments::GaussHermite => reverse_gauss_hermite(clip, kept, unit, seeds),
    }
}

#[inline(always)]
fn clipped(clip: bool, x: f64) -> f64 {
    if clip && x < 0.0 { 0.0 } else { x }
}

#[inline(always)]
fn reverse_taylor(clip: bool, [g, _, _, y_var, y_star]: &Kept, seeds: &Seeds) -> Inward {
    let mut out = Inward { mean: *g, var: *g, star: *g };
    for l in 0..LANES {
        let (g, d_mean, d_var, d_star) = (g[l], seeds.mean[l], seeds.var[l], seeds.star[l]);
        let first = 1.0 - g * g;
        let second = -2.0 * g * first;
        let third = first * (4.0 * g * g - 2.0 * first);
        out.mean[l] = d_mean * (first + 0.5 * y_var[l] * third)
            + 2.0 * first * second * (d_var * y_var[l] + d_star * y_star[l])
            + seeds.slope[l] * second;
        out.var[l] = clipped(clip, 0.5 * second * d_mean) + first * first * d_var;
        out.star[l] = first * first * d_star + out.var[l];
    }
    out
}

#[inline(always)]
fn reverse_gauss_hermite(
    clip: bool,
    [g, up, down, y_var, y_star]: &Kept,
    unit: &Unit,
    seeds: &Seeds,
) -> Inward {
    let mut out = Inward { mean: *g, var: *g, star: *g };
    for l in 0..LANES {
        let (g, up, down, v) = (g[l], up[l], down[l], y_var[l]);
        let slopes = [1.0 - g * g, 1.0 - up * up, 1.0 - down * down];
        let off = [g - unit.mean[l], up - unit.mean[l], down - unit.mean[l]];
        let half = 0.5 * POINT / v.sqrt();
        // Σ w p′, Σ w D p′, and the same times τ/(2√ỹ).
        let sum = CENTRE * slopes[0] + OUTER * (slopes[1] + slopes[2]);
        let sum_off = CENTRE * off[0] * slopes[0] + OUTER * (off[1] * slopes[1] + off[2] * slopes[2]);
        let sum_tau = half * OUTER * (slopes[1] - slopes[2]);
        let sum_off_tau = half * OUTER * (off[1] * slopes[1] - off[2] * slopes[2]);
        // Where tanh is saturated at all three points nothing depends on the slope.
        let by_slope = if unit.slope[l] > 1e-100 { 0.5 * seeds.slope[l] / unit.slope[l] } else { 0.0 };
        let d_ratio = by_slope + seeds.star[l] * y_star[l];
        let d_var = seeds.var[l] + d_ratio / v;
        let ratio = unit.var[l] / v;
        out.mean[l] = seeds.mean[l] * sum + 2.0 * d_var * sum_off;
        out.var[l] = clipped(clip, seeds.mean[l] * sum_tau)
            + clipped(clip, 2.0 * d_var * sum_off_tau - d_ratio * ratio / v);
        out.star[l] = seeds.star[l] * ratio + out.var[l];
    }
    out
}
