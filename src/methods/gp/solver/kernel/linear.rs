//! The linear covariance function, OW98 §1.

use super::{CovarianceFunction, Kernel, LowerTriangle, pair_sum, sum_of_products, weighted_product};

/// K(a, b) = Σ wᵢ aᵢ bᵢ: a single-layer perceptron with independent Gaussian weights.
pub(super) struct Linear;

impl CovarianceFunction for Linear {
    fn covariance(&self, kernel: &Kernel, a: &[f64], b: &[f64]) -> f64 {
        weighted_product(a, b, &kernel.weights)
    }

    /// Returns ∂K/∂w = s s′; each pair of different examples counts twice.
    fn weight_gradient(
        &self,
        kernel: &Kernel,
        rows: &[Vec<f64>],
        _k: &LowerTriangle,
        q: &LowerTriangle,
    ) -> Vec<f64> {
        sum_of_products(rows, kernel.weights.len(), |i, j| pair_sum(q, i, j))
    }

    fn is_proportional_to_weights(&self) -> bool {
        true
    }
}
