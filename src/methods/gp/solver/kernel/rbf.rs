//! The squared-exponential (RBF) covariance function, OW98 eq. (2).

use super::{CovarianceFunction, Kernel, LowerTriangle, sum_of_square_differences, weighted_square_distance};

/// K(a, b) = exp(−½ Σ wᵢ (aᵢ − bᵢ)²): smooth and stationary.
pub(super) struct Rbf;

impl CovarianceFunction for Rbf {
    fn covariance(&self, kernel: &Kernel, a: &[f64], b: &[f64]) -> f64 {
        // OW98 eq. (2).
        libm::exp(-0.5 * weighted_square_distance(a, b, &kernel.weights))
    }

    /// Returns ∂K/∂w = −½ (s − s′)² K; each pair counts twice, and equal inputs have no derivative.
    fn weight_gradient(
        &self,
        kernel: &Kernel,
        rows: &[Vec<f64>],
        k: &LowerTriangle,
        q: &LowerTriangle,
    ) -> Vec<f64> {
        sum_of_square_differences(rows, kernel.weights.len(), |i, j| -q(i, j) * k(i, j))
    }
}
