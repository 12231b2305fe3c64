//! The Matérn covariance function with ν = 3/2, Rasmussen & Williams (2006) eq. (4.17).

use super::{CovarianceFunction, LowerTriangle, Term, sum_of_square_differences};

/// K(a, b) = (1 + √3 r) exp(−√3 r) with r² = Σ wᵢ (aᵢ − bᵢ)²: stationary; its functions are once differentiable.
pub(super) struct Matern32;

impl CovarianceFunction for Matern32 {
    fn covariance(&self, term: &Term, a: &[f64], b: &[f64]) -> f64 {
        let s = (3.0 * term.square_distance(a, b)).sqrt();
        (1.0 + s) * libm::exp(-s)
    }

    /// Returns ∂K/∂w = −(3/2) (s − s′)² exp(−√3 r), which has no singularity at r = 0.
    fn weight_gradient(
        &self,
        term: &Term,
        rows: &[Vec<f64>],
        _k: &LowerTriangle,
        q: &LowerTriangle,
    ) -> Vec<f64> {
        sum_of_square_differences(rows, term, |i, j| {
            let r2 = term.square_distance(&rows[i], &rows[j]);
            -3.0 * q(i, j) * libm::exp(-(3.0 * r2).sqrt())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::KernelKind;
    use super::super::tests::assert_student_spectrum;

    #[test]
    fn matern_32_has_a_student_t_spectrum_with_3_degrees_of_freedom() {
        let density = |omega: f64| {
            let factor = 1.0 + omega * omega / 3.0;
            2.0 / (std::f64::consts::PI * 3.0_f64.sqrt() * factor * factor)
        };
        assert_student_spectrum(KernelKind::Matern32, density);
    }
}
