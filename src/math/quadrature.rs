//! Integrals over one variable.

/// ∫ f over [a, b] by the trapezoid rule with `n` steps.
///
/// For an analytic f that has died out at both ends the error falls exponentially in n: this is then as good
/// as a Gauss rule, and cannot miss a narrow peak that its step resolves.
///
/// # Panics
/// If `n` is 0.
pub fn trapezoid(a: f64, b: f64, n: usize, f: impl Fn(f64) -> f64) -> f64 {
    assert!(n > 0, "a quadrature needs at least one step");
    let h = (b - a) / n as f64;
    let inner: f64 = (1..n).map(|i| f(a + h * i as f64)).sum();
    h * (inner + 0.5 * (f(a) + f(b)))
}

#[cfg(test)]
mod tests {
    use super::super::special::density;
    use super::*;

    #[test]
    fn gaussian_moments_to_rounding() {
        assert!((trapezoid(-9.0, 9.0, 60, density) - 1.0).abs() < 1e-14);
        assert!((trapezoid(-9.0, 9.0, 60, |x| x * x * density(x)) - 1.0).abs() < 1e-13);
    }
}
