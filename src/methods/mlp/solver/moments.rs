//! ⟨f⟩ and ⟨f²⟩ at eight inputs under a Gaussian over the weights, and their gradients: BB98 eqs. (11)–(16) by Stein's lemma,
//! without inverting any block of the covariance.

use super::correlation::{SingleAverages, pair_averages, same_activation_averages};
use crate::math::lanes::{LANES, Lanes, each};

/// Distribution of the output weights: means v̄ (H) and covariances P (H×H).
#[derive(Clone, Debug)]
pub struct OutputWeights {
    /// v̄.
    pub mean: Vec<f64>,
    /// P, row by row.
    pub covariance: Vec<f64>,
}

/// Distribution of the activations at eight inputs: means μ (H), covariances S (H×H, elements i ≤ j) and R (H×H),
/// `r[i·H + j]` = Cov(vᵢ, aⱼ). In a gradient, the derivatives by these.
#[derive(Clone, Debug)]
pub struct Activations {
    /// μ.
    pub mu: Vec<Lanes>,
    /// S.
    pub s: Vec<Lanes>,
    /// R.
    pub r: Vec<Lanes>,
}

impl Activations {
    /// Returns zeros for `hidden` units.
    pub fn new(hidden: usize) -> Self {
        let square = vec![[0.0; LANES]; hidden * hidden];
        Self { mu: vec![[0.0; LANES]; hidden], s: square.clone(), r: square }
    }
}

/// Gradient of a function of ⟨f⟩ and ⟨f²⟩ by the distributions of output weights and activations.
#[derive(Clone, Debug)]
pub struct MomentGradient {
    /// By the activations of the last block.
    pub activations: Activations,
    /// By v̄, summed over blocks.
    pub mean: Vec<Lanes>,
    /// By P (elements i ≤ j; an off-diagonal pair counts as one variable), summed over blocks.
    pub covariance: Vec<Lanes>,
    singles: Vec<SingleAverages>,
}

impl MomentGradient {
    /// Returns a zero gradient for `hidden` units.
    pub fn new(hidden: usize) -> Self {
        let activations = Activations::new(hidden);
        let (mean, covariance) = (activations.mu.clone(), activations.s.clone());
        Self { activations, mean, covariance, singles: Vec::with_capacity(hidden) }
    }
}

/// Adds `value(i)` to each lane i.
#[inline(always)]
fn add(to: &mut Lanes, value: impl Fn(usize) -> f64) {
    for i in 0..LANES {
        to[i] += value(i);
    }
}

/// Computes ⟨f⟩, BB98 eq. (11).
#[inline(always)]
pub fn mean<const CORRELATED: bool>(v: &OutputWeights, a: &Activations) -> Lanes {
    let hidden = v.mean.len();
    let mut f = [0.0; LANES];
    for i in 0..hidden {
        let single = SingleAverages::new(a.mu[i], a.s[i * hidden + i]);
        add_unit::<CORRELATED>(v.mean[i], &a.r[i * hidden + i], &single, &mut f);
    }
    f
}

/// Adds the term of a unit to ⟨f⟩, v̄ᵢ g₀ + R_ii g₁.
#[inline(always)]
fn add_unit<const CORRELATED: bool>(mean: f64, r: &Lanes, single: &SingleAverages, f: &mut Lanes) {
    for l in 0..LANES {
        f[l] += mean * single.g[0][l] + if CORRELATED { r[l] * single.g[1][l] } else { 0.0 };
    }
}

/// Computes ⟨f⟩ and ⟨f²⟩. With `GRADIENT`, adds to `gradient` for a function with derivatives `by_f` and `by_ff` by the two. Without
/// `CORRELATED`, the covariance of the weights is diagonal: R is 0 and the units are independent.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn moments<const CORRELATED: bool, const GRADIENT: bool>(
    v: &OutputWeights,
    a: &Activations,
    by_f: Lanes,
    by_ff: Lanes,
    gradient: &mut MomentGradient,
) -> (Lanes, Lanes) {
    let hidden = v.mean.len();
    gradient.singles.clear();
    let mut f = [0.0; LANES];
    for i in 0..hidden {
        let single = SingleAverages::new(a.mu[i], a.s[i * hidden + i]);
        add_unit::<CORRELATED>(v.mean[i], &a.r[i * hidden + i], &single, &mut f);
        gradient.singles.push(single);
    }
    if GRADIENT {
        // For independent units, <f²> is <f>² plus the variance of each unit.
        let by_f = if CORRELATED { by_f } else { each(|l| by_f[l] + 2.0 * f[l] * by_ff[l]) };
        for i in 0..hidden {
            mean_term::<CORRELATED>(v.mean[i], &a.r[i * hidden + i], i, by_f, gradient);
        }
    }
    let mut ff: Lanes = if CORRELATED { [0.0; LANES] } else { each(|l| f[l] * f[l]) };
    for i in 0..hidden {
        same_unit::<CORRELATED, GRADIENT>(v, a, i, by_ff, &mut ff, gradient);
        if CORRELATED {
            for j in i + 1..hidden {
                unit_pair::<GRADIENT>(v, a, (i, j), by_ff, &mut ff, gradient);
            }
        }
    }
    (f, ff)
}

/// Sets the derivatives of unit `i`'s term of <f>, v̄ᵢ g₀ + R_ii g₁; the first ones of a block.
#[inline(always)]
fn mean_term<const CORRELATED: bool>(
    mean: f64,
    r: &Lanes,
    i: usize,
    by_f: Lanes,
    gradient: &mut MomentGradient,
) {
    let hidden = gradient.mean.len();
    let g = gradient.singles[i].g;
    let r = if CORRELATED { *r } else { [0.0; LANES] };
    let ii = i * hidden + i;
    add(&mut gradient.mean[i], |l| by_f[l] * g[0][l]);
    let to = &mut gradient.activations;
    to.mu[i] = each(|l| by_f[l] * (mean * g[1][l] + r[l] * g[2][l]));
    to.s[ii] = each(|l| 0.5 * by_f[l] * (mean * g[2][l] + r[l] * g[3][l]));
    if CORRELATED {
        for j in 0..hidden {
            to.r[i * hidden + j] = [0.0; LANES];
        }
        to.r[ii] = each(|l| by_f[l] * g[1][l]);
    }
}

/// Adds the term `T_ii` of <f²>, BB98 eq. (13) with i = j. For independent units, subtracts unit i's term of <f>².
#[inline(always)]
fn same_unit<const CORRELATED: bool, const GRADIENT: bool>(
    v: &OutputWeights,
    a: &Activations,
    i: usize,
    by_ff: Lanes,
    ff: &mut Lanes,
    gradient: &mut MomentGradient,
) {
    let hidden = v.mean.len();
    let at = i * hidden + i;
    let single = gradient.singles[i];
    let g = same_activation_averages(&single, a.s[at]);
    let (mean, a00) = (v.mean[i], v.covariance[at] + v.mean[i] * v.mean[i]);
    let r = if CORRELATED { a.r[at] } else { [0.0; LANES] };
    let squared = if CORRELATED { 0.0 } else { mean * mean };
    let (g0, g1, g2) = (single.g[0], single.g[1], single.g[2]);
    add(ff, |l| {
        let (r, mixed) = (r[l], 4.0 * mean * g[1][0][l] + 2.0 * r[l] * (g[2][0][l] + g[1][1][l]));
        a00 * g[0][0][l] + r * mixed - squared * g0[l] * g0[l]
    });
    if GRADIENT {
        let once = if CORRELATED { 0.0 } else { mean };
        add(&mut gradient.mean[i], |l| {
            by_ff[l] * (2.0 * mean * g[0][0][l] + 4.0 * r[l] * g[1][0][l] - 2.0 * once * g0[l] * g0[l])
        });
        add(&mut gradient.covariance[at], |l| by_ff[l] * g[0][0][l]);
        let to = &mut gradient.activations;
        add(&mut to.mu[i], |l| {
            let (a1, a2) = (2.0 * mean * r[l], r[l] * r[l]);
            let sum =
                a00 * g[1][0][l] + a1 * (g[2][0][l] + g[1][1][l]) + a2 * (g[3][0][l] + 3.0 * g[2][1][l]);
            2.0 * by_ff[l] * (sum - squared * g0[l] * g1[l])
        });
        add(&mut to.s[at], |l| {
            let (a1, a2) = (2.0 * mean * r[l], r[l] * r[l]);
            let sum = a00 * (g[2][0][l] + g[1][1][l])
                + a1 * (g[3][0][l] + 3.0 * g[2][1][l])
                + a2 * (g[4][0][l] + 3.0 * g[2][2][l] + 4.0 * g[3][1][l]);
            by_ff[l] * (sum - squared * g0[l] * g2[l])
        });
        if CORRELATED {
            add(&mut to.r[at], |l| 4.0 * by_ff[l] * (mean * g[1][0][l] + r[l] * (g[2][0][l] + g[1][1][l])));
        }
    }
}

/// Adds the terms `T_ij` + `T_ji` of <f²> for units `i` < `j`, BB98 eq. (13).
#[inline(always)]
fn unit_pair<const GRADIENT: bool>(
    v: &OutputWeights,
    a: &Activations,
    (i, j): (usize, usize),
    by_ff: Lanes,
    ff: &mut Lanes,
    gradient: &mut MomentGradient,
) {
    let hidden = v.mean.len();
    let (ii, ij, ji, jj) = (i * hidden + i, i * hidden + j, j * hidden + i, j * hidden + j);
    let g = pair_averages(&gradient.singles[i], &gradient.singles[j], a.s[ij]);
    let (vi, vj) = (v.mean[i], v.mean[j]);
    let a00 = v.covariance[ij] + vi * vj;
    let (r_ii, r_ij, r_ji, r_jj) = (a.r[ii], a.r[ij], a.r[ji], a.r[jj]);
    // Coefficients of the averages G; BB98 eqs. (14) to (16) without the inverse of C_uu.
    let a10: Lanes = each(|l| vi * r_ji[l] + vj * r_ii[l]);
    let a01: Lanes = each(|l| vi * r_jj[l] + vj * r_ij[l]);
    let a20: Lanes = each(|l| r_ii[l] * r_ji[l]);
    let a11: Lanes = each(|l| r_ii[l] * r_jj[l] + r_ij[l] * r_ji[l]);
    let a02: Lanes = each(|l| r_ij[l] * r_jj[l]);
    // T_ij for m = n = 0; raising m or n gives the derivatives by μ, ν, S, T and ρ.
    macro_rules! sum {
        ($m:literal, $n:literal, $l:ident) => {
            a00 * g[$m][$n][$l]
                + a10[$l] * g[$m + 1][$n][$l]
                + a01[$l] * g[$m][$n + 1][$l]
                + a20[$l] * g[$m + 2][$n][$l]
                + a11[$l] * g[$m + 1][$n + 1][$l]
                + a02[$l] * g[$m][$n + 2][$l]
        };
    }
    add(ff, |l| 2.0 * (sum!(0, 0, l)));
    if GRADIENT {
        let by: Lanes = each(|l| 2.0 * by_ff[l]);
        add(&mut gradient.mean[i], |l| {
            by[l] * (vj * g[0][0][l] + r_ji[l] * g[1][0][l] + r_jj[l] * g[0][1][l])
        });
        add(&mut gradient.mean[j], |l| {
            by[l] * (vi * g[0][0][l] + r_ii[l] * g[1][0][l] + r_ij[l] * g[0][1][l])
        });
        add(&mut gradient.covariance[ij], |l| by[l] * g[0][0][l]);
        let to = &mut gradient.activations;
        add(&mut to.r[ii], |l| by[l] * (vj * g[1][0][l] + r_ji[l] * g[2][0][l] + r_jj[l] * g[1][1][l]));
        add(&mut to.r[ji], |l| by[l] * (vi * g[1][0][l] + r_ii[l] * g[2][0][l] + r_ij[l] * g[1][1][l]));
        add(&mut to.r[jj], |l| by[l] * (vi * g[0][1][l] + r_ii[l] * g[1][1][l] + r_ij[l] * g[0][2][l]));
        add(&mut to.r[ij], |l| by[l] * (vj * g[0][1][l] + r_ji[l] * g[1][1][l] + r_jj[l] * g[0][2][l]));
        add(&mut to.mu[i], |l| by[l] * (sum!(1, 0, l)));
        add(&mut to.mu[j], |l| by[l] * (sum!(0, 1, l)));
        add(&mut to.s[ii], |l| 0.5 * by[l] * (sum!(2, 0, l)));
        add(&mut to.s[jj], |l| 0.5 * by[l] * (sum!(0, 2, l)));
        to.s[ij] = each(|l| by[l] * (sum!(1, 1, l)));
    }
}
