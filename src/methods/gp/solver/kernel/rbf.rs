//! The squared-exponential (RBF) covariance function, OW98 eq. (2).

use super::{CovarianceFunction, LowerTriangle, weighted_square_distance};

/// K(a, b) = exp(−½ Σ wᵢ (aᵢ − bᵢ)²): smooth and stationary.
pub(super) struct Rbf;

impl CovarianceFunction for Rbf {
    fn covariance(&self, a: &[f64], b: &[f64], w: &[f64]) -> f64 {
        // OW98 eq. (2).
        libm::exp(-0.5 * weighted_square_distance(a, b, w))
    }

    /// ∂K/∂w = −½ (s − s′)² K; each pair counts twice, and equal inputs have no derivative.
    fn weight_gradient(
        &self,
        rows: &[Vec<f64>],
        w: &[f64],
        k: &LowerTriangle,
        q: &LowerTriangle,
    ) -> Vec<f64> {
        let mut sums = vec![0.0; w.len()];
        for (i, a) in rows.iter().enumerate() {
            for (j, b) in rows[..i].iter().enumerate() {
                let factor = -q(i, j) * k(i, j);
                for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
                    *sum += factor * (a - b) * (a - b);
                }
            }
        }
        sums
    }
}
