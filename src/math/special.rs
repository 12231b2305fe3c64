//! The normal distribution function, the logistic function and related functions, without cancellation in the tails.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use super::lanes::{erfcx, exp};

/// 1/√(2π).
pub const INV_SQRT_2PI: f64 = 0.398_942_280_401_432_7;
/// Half width of the central interval of a Gaussian with probability 50 %, in standard deviations.
pub const NORMAL_50: f64 = 0.674_489_750_196_081_7;
/// Half width of the central interval of a Gaussian with probability 80 %, in standard deviations.
pub const NORMAL_80: f64 = 1.281_551_565_544_600_4;
/// Half width of the central interval of a Gaussian with probability 95 %, in standard deviations.
pub const NORMAL_95: f64 = 1.959_963_984_540_054;

/// Returns the logistic function σ(x) = 1/(1 + e⁻ˣ).
#[inline]
pub fn sigmoid(x: f64) -> f64 {
    if x < 0.0 {
        let e = libm::exp(x);
        e / (1.0 + e)
    } else {
        1.0 / (1.0 + libm::exp(-x))
    }
}

/// Returns ln(1 + eˣ).
#[inline]
pub fn softplus(x: f64) -> f64 {
    x.max(0.0) + libm::log1p(libm::exp(-x.abs()))
}

/// Returns the density φ(x) of the standard normal distribution.
pub fn density(x: f64) -> f64 {
    INV_SQRT_2PI * exp(-0.5 * x * x)
}

/// Returns the distribution function Φ(x) of the standard normal distribution; 1 − H(x) in OW96.
pub fn phi(x: f64) -> f64 {
    let tail = 0.5 * erfcx(x.abs() * FRAC_1_SQRT_2) * exp(-0.5 * x * x);
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// Returns ln Φ(x), finite and accurate down to x = −10¹⁵⁰.
pub fn ln_phi(x: f64) -> f64 {
    if x < 0.0 { libm::log(0.5 * erfcx(-x * FRAC_1_SQRT_2)) - 0.5 * x * x } else { libm::log1p(-phi(-x)) }
}

/// Returns the hazard φ(x)/Φ(x) = d ln Φ/dx, which approaches −x for x → −∞.
pub fn hazard(x: f64) -> f64 {
    if x < 0.0 { 2.0 * INV_SQRT_2PI / erfcx(-x * FRAC_1_SQRT_2) } else { density(x) / phi(x) }
}

/// Returns Φ⁻¹(p) for p in (0, 1) to rounding error: [`quantile`] with one step of Halley's method.
pub fn inverse_phi(p: f64) -> f64 {
    let x = quantile(p);
    let error = (phi(x) - p) / density(x);
    x - error / (1.0 + 0.5 * x * error)
}

/// Returns Φ⁻¹(p) for p in (0, 1) with a relative error of 1.2e-9 (Acklam's rational approximation).
///
/// Crates such as statrs use the platform's logarithm and other approximations, which would change the last bits of results.
#[inline]
pub fn quantile(p: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969683028665376e1,
        2.209460984245205e2,
        -2.759285104469687e2,
        1.38357751867269e2,
        -3.066479806614716e1,
        2.506628277459239,
    ];
    const B: [f64; 6] = [
        -5.447609879822406e1,
        1.615858368580409e2,
        -1.556989798598866e2,
        6.680131188771972e1,
        -1.328068155288572e1,
        1.0,
    ];
    const C: [f64; 6] = [
        -7.784894002430293e-3,
        -3.223964580411365e-1,
        -2.400758277161838,
        -2.549732539343734,
        4.374664141464968,
        2.938163982698783,
    ];
    const D: [f64; 5] =
        [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1.0];
    const TAIL: f64 = 0.02425;
    let polynomial = |c: &[f64], x: f64| c.iter().fold(0.0, |sum, c| sum * x + c);
    let tail = |p: f64| {
        let q = (-2.0 * libm::log(p)).sqrt();
        polynomial(&C, q) / polynomial(&D, q)
    };
    if p < TAIL {
        tail(p)
    } else if p > 1.0 - TAIL {
        -tail(1.0 - p)
    } else {
        let q = p - 0.5;
        q * polynomial(&A, q * q) / polynomial(&B, q * q)
    }
}

/// Returns the angle between two vectors with this cosine, in units of π: the probability that two perceptrons disagree.
pub fn angle_over_pi(cosine: f64) -> f64 {
    libm::acos(cosine.clamp(-1.0, 1.0)) / PI
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phi_agrees_with_erfc() {
        for i in -370..=370 {
            let x = f64::from(i) * 0.1;
            let reference = 0.5 * libm::erfc(-x * FRAC_1_SQRT_2);
            // The argument of the exponential carries x²/2 ulp.
            assert!((phi(x) - reference).abs() <= 3e-16 * (4.0 + x * x) * reference, "Φ({x})");
        }
    }

    #[test]
    fn ln_phi_and_hazard_are_accurate_in_both_tails() {
        // mpmath, 40 digits.
        for (x, ln, h) in [
            (-40.0, -804.608_442_013_753_8, 40.024_968_847_207_264),
            (-6.0, -20.736_768_949_974_706, 6.158_482_604_544_599),
            (0.0, -std::f64::consts::LN_2, 0.797_884_560_802_865_4),
            (12.0, -1.776_482_112_077_679e-33, 2.146_383_735_663_060_3e-32),
        ] {
            assert!((ln_phi(x) - ln).abs() <= 1e-13 * ln.abs(), "ln Φ({x}) = {}", ln_phi(x));
            assert!((hazard(x) - h).abs() <= 1e-13 * h, "hazard({x}) = {}", hazard(x));
        }
        assert!(ln_phi(-1e10).is_finite());
    }

    #[test]
    fn inverse_phi_is_the_inverse_of_phi() {
        for i in 1..2000 {
            let p = f64::from(i) / 2000.0;
            assert!((phi(inverse_phi(p)) - p).abs() < 1e-15, "{p}");
        }
        assert!((inverse_phi(phi(-8.0)) + 8.0).abs() < 1e-12);
    }

    #[test]
    fn angles_of_special_cosines_are_exact() {
        assert_eq!(angle_over_pi(-1.0), 1.0);
        assert_eq!(angle_over_pi(0.0), 0.5);
        assert_eq!(angle_over_pi(1.0 + 1e-12), 0.0);
    }
}
