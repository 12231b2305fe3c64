//! Averages of derivatives of s over two Gaussian activations, eight examples at once:
//! `G_mn` = E[s⁽ᵐ⁾(a) s⁽ⁿ⁾(b)], (a, b) ~ N((μ, ν), [[S, ρ], [ρ, T]]), with p = 1 + S and q = 1 + T.
//!
//! s″(a) = −a s′(a) and Stein's lemma give the recursion p `G_{m+2,n}` = −μ `G_{m+1,n}` − ρ `G_{m+1,n+1}` − m `G_{m,n}`. The only
//! integral is G₀₀, which Owen's T function gives; BB98 eq. (17) uses a Gauss–Hermite rule instead. By Price's theorem, the
//! derivatives by μ, S and ρ are again such averages.

use std::f64::consts::FRAC_2_PI;

use crate::math::lanes::{Lanes, each, exp_lanes, map};
use crate::math::owen::{four_t_lanes, s_lanes};

/// s′(0) = √(2/π).
pub const SLOPE_AT_ZERO: f64 = 0.797_884_560_802_865_4;

/// Averages E[s⁽ⁿ⁾(a)], n ≤ 3, over one activation a ~ N(μ, S).
#[derive(Clone, Copy, Debug)]
pub struct SingleAverages {
    mu: Lanes,
    /// p = 1 + S.
    p: Lanes,
    /// 1/p.
    inverse: Lanes,
    /// 1/√p.
    root: Lanes,
    /// `E[s]`, `E[s′]`, `E[s″]`, `E[s‴]`.
    pub g: [Lanes; 4],
}

impl SingleAverages {
    /// Computes the averages for mean `mu` and variance `s`.
    #[inline(always)]
    pub fn new(mu: Lanes, s: Lanes) -> Self {
        // The arguments of Owen's T are undefined at μ = 0; its limits from both sides are the same.
        let mu = map(mu, |mu| if mu.abs() < 1e-150 { 1e-150 } else { mu });
        let p = map(s, |s| 1.0 + s);
        let inverse = map(p, |p| 1.0 / p);
        let root = map(inverse, f64::sqrt);
        let (g0, bell) = s_lanes(zip(mu, root, |mu, root| mu * root));
        let g1 = zip(root, bell, |root, bell| SLOPE_AT_ZERO * root * bell);
        let g2: Lanes = each(|i| -mu[i] * g1[i] * inverse[i]);
        let g3 = each(|i| -(mu[i] * g2[i] + g1[i]) * inverse[i]);
        Self { mu, p, inverse, root, g: [g0, g1, g2, g3] }
    }
}

#[inline(always)]
fn zip(a: Lanes, b: Lanes, f: impl Fn(f64, f64) -> f64) -> Lanes {
    each(|i| f(a[i], b[i]))
}

/// Averages over two activations: `g[m][n]` = `G_mn` for m + n ≤ 4.
pub type PairAverages = [[Lanes; 5]; 5];

/// Computes the averages over two activations with covariance `rho`.
#[inline(always)]
pub fn pair_averages(a: &SingleAverages, b: &SingleAverages, rho: Lanes) -> PairAverages {
    let d: Lanes = each(|i| a.p[i] * b.p[i] - rho[i] * rho[i]);
    averages::<false>(a, b, rho, d)
}

/// Computes the averages over one activation taken twice: ρ = S = T, with pq − ρ² = 1 + 2S free of cancellation.
#[inline(always)]
pub fn same_activation_averages(a: &SingleAverages, s: Lanes) -> PairAverages {
    averages::<true>(a, a, s, map(s, |s| 1.0 + 2.0 * s))
}

/// Computes the averages from d = pq − ρ². With `TWICE`, `a` and `b` are the same activation and symmetric terms are shared.
#[inline(always)]
fn averages<const TWICE: bool>(a: &SingleAverages, b: &SingleAverages, rho: Lanes, d: Lanes) -> PairAverages {
    let (mu, nu, p, q) = (a.mu, b.mu, a.p, b.p);
    let inverse = map(d, |d| 1.0 / d);
    let alpha: Lanes = each(|i| (q[i] * mu[i] - rho[i] * nu[i]) * inverse[i]);
    let beta: Lanes = each(|i| (p[i] * nu[i] - rho[i] * mu[i]) * inverse[i]);
    let bell: Lanes = exp_lanes(each(|i| -0.5 * (mu[i] * alpha[i] + nu[i] * beta[i])));
    let by_root = map(inverse, f64::sqrt);
    let g11: Lanes = each(|i| FRAC_2_PI * by_root[i] * bell[i]);
    let root = zip(d, by_root, |d, by_root| d * by_root);
    // One activation given that the other one is 0, standardised.
    let beyond_a: Lanes = each(|i| beta[i] * root[i] * a.root[i]);
    let beyond_b: Lanes = each(|i| alpha[i] * root[i] * b.root[i]);
    let (s_a, _) = s_lanes(beyond_a);
    let s_b = if TWICE { s_a } else { s_lanes(beyond_b).0 };
    let g10: Lanes = each(|i| a.g[1][i] * s_a[i]);
    let g01: Lanes = each(|i| b.g[1][i] * s_b[i]);
    let h = zip(mu, a.root, |mu, root| mu * root);
    let t_a = four_t_lanes(h, beyond_a, a.g[0], s_a);
    let t_b =
        if TWICE { t_a } else { four_t_lanes(zip(nu, b.root, |nu, root| nu * root), beyond_b, b.g[0], s_b) };
    let g00 = each(|i| {
        let opposite = if (mu[i] < 0.0) == (nu[i] < 0.0) { 0.0 } else { 2.0 };
        1.0 - t_a[i] - t_b[i] - opposite
    });
    let mut g: PairAverages = [[[0.0; 8]; 5]; 5];
    g[0][0] = g00;
    g[1][0] = g10;
    g[0][1] = g01;
    g[1][1] = g11;
    for i in 0..8 {
        let (mu, nu, rho, x, y) = (mu[i], nu[i], rho[i], alpha[i], beta[i]);
        let (by_p, by_q, g11) = (a.inverse[i], b.inverse[i], g11[i]);
        let g20 = -(mu * g10[i] + rho * g11) * by_p;
        let g02 = -(nu * g01[i] + rho * g11) * by_q;
        let (g21, g12) = (-x * g11, -y * g11);
        let g31 = (x * x - q[i] * inverse[i]) * g11;
        let g13 = (y * y - p[i] * inverse[i]) * g11;
        let g30 = -(mu * g20 + rho * g21 + g10[i]) * by_p;
        let g03 = -(nu * g02 + rho * g12 + g01[i]) * by_q;
        g[2][0][i] = g20;
        g[0][2][i] = g02;
        g[2][1][i] = g21;
        g[1][2][i] = g12;
        g[3][0][i] = g30;
        g[0][3][i] = g03;
        g[3][1][i] = g31;
        g[1][3][i] = g13;
        g[2][2][i] = (x * y + rho * inverse[i]) * g11;
        g[4][0][i] = -(mu * g30 + rho * g31 + 2.0 * g20) * by_p;
        g[0][4][i] = -(nu * g03 + rho * g13 + 2.0 * g02) * by_q;
    }
    g
}
