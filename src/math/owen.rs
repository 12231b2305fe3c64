//! Owen's T function for eight pairs at once (Owen, Ann. Math. Stat. 27, 1075 (1956)), the contribution of a correlation to the
//! distribution function of two normal variables, and s(x) = erf(x/√2) = 2Φ(x) − 1.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

use super::lanes::{LANES, Lanes, bounded_exp_lanes, each, erfcx_lanes, map};

/// Nodes in (0, 1) and weights of the Gauss–Legendre rule of 20 points on [−1, 1]. On an even function they integrate over
/// [0, 1]; for this integrand, with poles at ±i, the error is below 1e-15. They are constants because nodes computed by a crate may differ
/// in the last bit, which would change results.
const RULE: [(f64, f64); 10] = [
    (0.993_128_599_185_094_924, 0.017_614_007_139_152_118),
    (0.963_971_927_277_913_791, 0.040_601_429_800_386_941),
    (0.912_234_428_251_325_905, 0.062_672_048_334_109_063),
    (0.839_116_971_822_218_823, 0.083_276_741_576_704_748),
    (0.746_331_906_460_150_792, 0.101_930_119_817_240_435),
    (0.636_053_680_726_515_025, 0.118_194_531_961_518_417),
    (0.510_867_001_950_827_098, 0.131_688_638_449_176_626),
    (0.373_706_088_715_419_560, 0.142_096_109_318_382_051),
    (0.227_785_851_141_645_078, 0.149_172_986_472_603_746),
    (0.076_526_521_133_497_333, 0.152_753_387_130_725_850),
];

/// Returns s(x), with an error of 3e-16, and exp(−x²/2) of each lane.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn s_lanes(x: Lanes) -> (Lanes, Lanes) {
    let tail = erfcx_lanes(map(x, |x| x.abs() * FRAC_1_SQRT_2));
    let bell = bounded_exp_lanes(map(x, |x| -0.5 * x * x));
    (each(|i| (1.0 - tail[i] * bell[i]).copysign(x[i])), bell)
}

/// Returns 4 T(h, q/h) of each lane, given s(h) and s(q), where T(h, a) = (1/2π) ∫₀ᵃ exp(−h²(1+t²)/2)/(1+t²) dt. For |q| > |h| it is
/// computed by reflection. h must not be 0: use 1e-150 instead.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn four_t_lanes(h: Lanes, q: Lanes, s_h: Lanes, s_q: Lanes) -> Lanes {
    let mut half = [0.0; LANES];
    let mut ratio = [0.0; LANES];
    for i in 0..LANES {
        let reflected = q[i].abs() > h[i].abs();
        let (large, small) = if reflected { (q[i], h[i]) } else { (h[i], q[i]) };
        half[i] = -0.5 * large * large;
        ratio[i] = small / large;
    }
    let square = map(ratio, |a| a * a);
    // Σ e/(1+t²) with a common denominator: a division costs as much as an exponential.
    let (mut above, mut below) = ([0.0; LANES], [1.0; LANES]);
    for (node, weight) in RULE {
        let one_and = map(square, |a| 1.0 + a * (node * node));
        let e: Lanes = bounded_exp_lanes(each(|i| half[i] * one_and[i]));
        for i in 0..LANES {
            above[i] = above[i] * one_and[i] + weight * e[i] * below[i];
            below[i] *= one_and[i];
        }
    }
    each(|i| {
        let integral = FRAC_2_PI * ratio[i] * above[i] / below[i];
        let sign = 1.0_f64.copysign(h[i]) * 1.0_f64.copysign(q[i]);
        if q[i].abs() > h[i].abs() { sign - s_h[i] * s_q[i] - integral } else { integral }
    })
}

#[cfg(test)]
mod tests {
    use super::super::quadrature::trapezoid;
    use super::*;

    /// Integrates over the angle φ = atan t by the trapezoid rule with two steps of Romberg's extrapolation.
    fn reference(h: f64, q: f64) -> f64 {
        let end = libm::atan2(q, h);
        let f = |phi: f64| libm::exp(-0.5 * h * h / (libm::cos(phi) * libm::cos(phi)));
        let t = |n: usize| trapezoid(0.0, end, n, f);
        let (a, b, c) = (t(8000), t(16000), t(32000));
        let (ab, bc) = (b + (b - a) / 3.0, c + (c - b) / 3.0);
        FRAC_2_PI * (bc + (bc - ab) / 15.0)
    }

    #[test]
    fn four_t_agrees_with_direct_integration() {
        for h in [1e-150, 0.01, 0.3, 1.0, 2.5, 6.0] {
            for q in [0.0, 1e-3, 0.2, 0.9, 1.0, 2.4, 5.0, -0.3, -3.0] {
                let s = |x: f64| libm::erf(x * FRAC_1_SQRT_2);
                let ours = four_t_lanes([h; 8], [q; 8], [s(h); 8], [s(q); 8])[3];
                assert!((ours - reference(h, q)).abs() < 2e-14, "h={h} q={q}: {ours} {}", reference(h, q));
                let mirrored = four_t_lanes([-h; 8], [q; 8], [-s(h); 8], [s(q); 8])[5];
                assert!((mirrored + ours).abs() < 1e-15 || q == 0.0, "odd in q/h");
            }
        }
    }

    #[test]
    fn s_agrees_with_the_error_function() {
        for i in -80..=80 {
            let x = f64::from(i) * 0.1;
            let (s, bell) = s_lanes([x; 8]);
            assert!((s[0] - libm::erf(x * FRAC_1_SQRT_2)).abs() < 4e-16, "s({x})");
            assert!((bell[7] - libm::exp(-0.5 * x * x)).abs() < 3e-16);
        }
    }
}
