//! The squared-exponential (RBF) covariance function, OW98 eq. (2).

use super::{CovarianceFunction, LowerTriangle, Term, sum_of_square_differences};

/// K(a, b) = exp(−½ Σ wᵢ (aᵢ − bᵢ)²): smooth and stationary.
pub(super) struct Rbf;

impl CovarianceFunction for Rbf {
    fn covariance(&self, term: &Term, a: &[f64], b: &[f64]) -> f64 {
        // OW98 eq. (2).
        libm::exp(-0.5 * term.square_distance(a, b))
    }

    /// Returns ∂K/∂w = −½ (s − s′)² K; each pair counts twice, and equal inputs have no derivative.
    fn weight_gradient(
        &self,
        term: &Term,
        rows: &[Vec<f64>],
        k: &LowerTriangle,
        q: &LowerTriangle,
    ) -> Vec<f64> {
        sum_of_square_differences(rows, term, |i, j| -q(i, j) * k(i, j))
    }
}
