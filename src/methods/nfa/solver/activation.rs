//! Moments of tanh for a hidden unit and eight samples at a time, and their reverse-mode derivatives.

use super::moments::{CENTRE, Moments, OUTER, POINT};
use crate::math::lanes::{LANES, Lanes, each, map, tanh_lanes};

/// Values of a hidden unit stored between the two passes of a sweep: tanh at ȳ and at the two outer quadrature points, ỹ, ỹ*.
pub type StoredUnit = [Lanes; 5];

/// Moments of the output of a hidden unit, VL00 eqs. (25), (26), (31).
#[derive(Clone, Copy, Debug)]
pub struct UnitMoments {
    /// Mean ḡ.
    pub mean: Lanes,
    /// Variance g̃.
    pub var: Lanes,
    /// Variance g̃* without the contribution of the sources.
    pub star: Lanes,
    /// Slope: g′(ȳ), or √(g̃/ỹ) with Gauss–Hermite quadrature.
    pub slope: Lanes,
}

/// Gradient of the cost with respect to the moments of a unit's output.
#[derive(Clone, Copy, Debug)]
pub struct UnitGradient {
    /// ∂C/∂ḡ.
    pub mean: Lanes,
    /// ∂C/∂g̃.
    pub var: Lanes,
    /// ∂C/∂g̃*.
    pub star: Lanes,
    /// ∂C/∂slope.
    pub slope: Lanes,
}

/// Gradient of the cost with respect to the moments of a unit's input. ỹ* is a part of ỹ, and `star` is the total derivative.
#[derive(Clone, Copy, Debug)]
pub struct InputGradient {
    /// ∂C/∂ȳ.
    pub mean: Lanes,
    /// ∂C/∂ỹ.
    pub var: Lanes,
    /// ∂C/∂ỹ*.
    pub star: Lanes,
}

/// Evaluates tanh at ȳ and, for Gauss–Hermite quadrature, at the two outer points.
#[inline(always)]
pub fn store_unit(moments: Moments, y: Lanes, var: Lanes, star: Lanes) -> StoredUnit {
    let middle = tanh_lanes(y);
    match moments {
        Moments::Taylor => [middle, middle, middle, var, star],
        Moments::GaussHermite => {
            let distance = map(var, |var| POINT * var.sqrt());
            let up = tanh_lanes(each(|l| y[l] + distance[l]));
            let down = tanh_lanes(each(|l| y[l] - distance[l]));
            [middle, up, down, var, star]
        }
    }
}

/// Returns the moments of a unit's output.
#[inline(always)]
pub fn unit_moments(moments: Moments, [g, up, down, y_var, y_star]: &StoredUnit) -> UnitMoments {
    let mut unit = UnitMoments { mean: *g, var: *g, star: *g, slope: *g };
    match moments {
        Moments::Taylor => {
            for l in 0..LANES {
                let slope = 1.0 - g[l] * g[l];
                // VL00 eq. (25), with g″ = −2 g g′.
                unit.mean[l] = g[l] - y_var[l] * g[l] * slope;
                // VL00 eqs. (26), (31).
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

/// Propagates a gradient from the moments of a unit's output to those of its input.
///
/// With `clip`, negative curvature terms of ∂C/∂ỹ are set to zero. All gradients with respect to variances are then positive, and
/// the result is not the exact gradient.
#[inline(always)]
pub fn reverse(
    moments: Moments,
    clip: bool,
    stored: &StoredUnit,
    unit: &UnitMoments,
    seeds: &UnitGradient,
) -> InputGradient {
    match moments {
        Moments::Taylor => reverse_taylor(clip, stored, seeds),
        Moments::GaussHermite => reverse_gauss_hermite(clip, stored, unit, seeds),
    }
}

/// Returns x, or with `clip` the larger of x and 0.
#[inline(always)]
fn clipped(clip: bool, x: f64) -> f64 {
    if clip && x < 0.0 { 0.0 } else { x }
}

/// Returns [`reverse`] for the Taylor series.
#[inline(always)]
fn reverse_taylor(clip: bool, [g, _, _, y_var, y_star]: &StoredUnit, seeds: &UnitGradient) -> InputGradient {
    let mut out = InputGradient { mean: *g, var: *g, star: *g };
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

/// Returns [`reverse`] for Gauss–Hermite quadrature.
#[inline(always)]
fn reverse_gauss_hermite(
    clip: bool,
    [g, up, down, y_var, y_star]: &StoredUnit,
    unit: &UnitMoments,
    seeds: &UnitGradient,
) -> InputGradient {
    let mut out = InputGradient { mean: *g, var: *g, star: *g };
    for l in 0..LANES {
        let (g, up, down, v) = (g[l], up[l], down[l], y_var[l]);
        let slopes = [1.0 - g * g, 1.0 - up * up, 1.0 - down * down];
        let deviation = [g - unit.mean[l], up - unit.mean[l], down - unit.mean[l]];
        let half = 0.5 * POINT / v.sqrt();
        // Σ w p′, Σ w D p′, and the same times τ/(2√ỹ).
        let sum = CENTRE * slopes[0] + OUTER * (slopes[1] + slopes[2]);
        let sum_deviation =
            CENTRE * deviation[0] * slopes[0] + OUTER * (deviation[1] * slopes[1] + deviation[2] * slopes[2]);
        let sum_tau = half * OUTER * (slopes[1] - slopes[2]);
        let sum_deviation_tau = half * OUTER * (deviation[1] * slopes[1] - deviation[2] * slopes[2]);
        // The slope is constant where tanh is saturated at all three points.
        let by_slope = if unit.slope[l] > 1e-100 { 0.5 * seeds.slope[l] / unit.slope[l] } else { 0.0 };
        let d_ratio = by_slope + seeds.star[l] * y_star[l];
        let d_var = seeds.var[l] + d_ratio / v;
        let ratio = unit.var[l] / v;
        out.mean[l] = seeds.mean[l] * sum + 2.0 * d_var * sum_deviation;
        out.var[l] = clipped(clip, seeds.mean[l] * sum_tau)
            + clipped(clip, 2.0 * d_var * sum_deviation_tau - d_ratio * ratio / v);
        out.star[l] = seeds.star[l] * ratio + out.var[l];
    }
    out
}
