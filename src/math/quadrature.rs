//! Quadrature in one dimension.

/// Integrates f over [a, b] by the trapezoid rule with `n` steps.
///
/// For an analytic f that vanishes at both ends, the error decreases exponentially in n, as for a Gauss rule.
///
/// # Panics
/// If `n` is 0.
pub fn trapezoid(a: f64, b: f64, n: usize, f: impl Fn(f64) -> f64) -> f64 {
    assert!(n > 0, "a quadrature needs at least one step");
    let h = (b - a) / n as f64;
    let inner: f64 = (1..n).map(|i| f(a + h * i as f64)).sum();
    h * (inner + 0.5 * (f(a) + f(b)))
}

/// Integrates f over [start, start + length] by the Gauss–Legendre rule with 8 points.
pub fn gauss_legendre(start: f64, length: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (middle, half) = (start + 0.5 * length, 0.5 * length);
    let pair = |(x, w): (f64, f64)| w * (f(middle - half * x) + f(middle + half * x));
    half * GAUSS_LEGENDRE.into_iter().map(pair).sum::<f64>()
}

/// Nodes and weights of the Gauss–Legendre rule with 8 points on [−1, 1]: the positive half of the symmetric rule. They are constants
/// because nodes computed by a crate (gauss-quad) may differ in the last bit, which would change results.
pub const GAUSS_LEGENDRE: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

#[cfg(test)]
mod tests {
    use super::super::special::density;
    use super::*;

    #[test]
    fn gaussian_moments_are_exact_to_rounding() {
        assert!((trapezoid(-9.0, 9.0, 60, density) - 1.0).abs() < 1e-14);
        assert!((trapezoid(-9.0, 9.0, 60, |x| x * x * density(x)) - 1.0).abs() < 1e-13);
    }

    #[test]
    fn gauss_legendre_is_exact_up_to_degree_fifteen() {
        for degree in 0..=15 {
            let exact = (libm::pow(3.0, f64::from(degree + 1)) - 1.0) / f64::from(degree + 1);
            let ours = gauss_legendre(1.0, 2.0, |x| x.powi(degree));
            assert!((ours / exact - 1.0).abs() < 1e-14, "degree {degree}: {ours} {exact}");
        }
        assert!(
            (gauss_legendre(1.0, 2.0, |x| x.powi(16)) / ((3.0_f64.powi(17) - 1.0) / 17.0) - 1.0).abs()
                > 1e-14
        );
    }
}
