//! The Matérn covariance function with ν = 5/2, Rasmussen & Williams (2006) eq. (4.17).

use super::{CovarianceFunction, LowerTriangle, Term, sum_of_square_differences};

/// K(a, b) = (1 + √5 r + (5/3) r²) exp(−√5 r) with r² = Σ wᵢ (aᵢ − bᵢ)²: stationary; its functions are twice differentiable.
pub(super) struct Matern52;

impl CovarianceFunction for Matern52 {
    fn covariance(&self, term: &Term, a: &[f64], b: &[f64]) -> f64 {
        let r2 = term.square_distance(a, b);
        let s = (5.0 * r2).sqrt();
        (1.0 + s + 5.0 / 3.0 * r2) * libm::exp(-s)
    }

    /// Returns ∂K/∂w = −(5/6) (s − s′)² (1 + √5 r) exp(−√5 r).
    fn weight_gradient(
        &self,
        term: &Term,
        rows: &[Vec<f64>],
        _k: &LowerTriangle,
        q: &LowerTriangle,
    ) -> Vec<f64> {
        sum_of_square_differences(rows, term, |i, j| {
            let s = (5.0 * term.square_distance(&rows[i], &rows[j])).sqrt();
            -5.0 / 3.0 * q(i, j) * (1.0 + s) * libm::exp(-s)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::KernelKind;
    use super::super::tests::assert_student_spectrum;

    #[test]
    fn matern_52_has_a_student_t_spectrum_with_5_degrees_of_freedom() {
        let density = |omega: f64| {
            let factor = 1.0 + omega * omega / 5.0;
            8.0 / (3.0 * std::f64::consts::PI * 5.0_f64.sqrt() * factor * factor * factor)
        };
        assert_student_spectrum(KernelKind::Matern52, density);
    }
}
