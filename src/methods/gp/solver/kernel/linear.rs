//! The linear covariance function, OW98 §1.

use super::{CovarianceFunction, LowerTriangle, Term, pair_sum, sum_of_products};

/// K(a, b) = Σ wᵢ aᵢ bᵢ: a single-layer perceptron with independent Gaussian weights.
pub(super) struct Linear;

impl CovarianceFunction for Linear {
    fn covariance(&self, term: &Term, a: &[f64], b: &[f64]) -> f64 {
        term.product(a, b)
    }

    /// Returns ∂K/∂w = s s′; each pair of different examples counts twice.
    fn weight_gradient(
        &self,
        term: &Term,
        rows: &[Vec<f64>],
        _k: &LowerTriangle,
        q: &LowerTriangle,
    ) -> Vec<f64> {
        sum_of_products(rows, term, |i, j| pair_sum(q, i, j))
    }

    fn is_proportional_to_weights(&self) -> bool {
        true
    }
}
