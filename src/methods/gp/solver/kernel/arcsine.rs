//! The arcsine covariance function, OW98 eq. (1).

use std::f64::consts::FRAC_2_PI;

use super::{CovarianceFunction, LowerTriangle, Term, pair_sum, sum_of_products};

/// K(a, b) = (2/π) arcsin[Σ wᵢ aᵢ bᵢ / √((1 + Σ wᵢ aᵢ²)(1 + Σ wᵢ bᵢ²))]: a two-layer network with infinitely many hidden units
/// and no bias.
pub(super) struct Arcsine;

impl CovarianceFunction for Arcsine {
    fn covariance(&self, term: &Term, a: &[f64], b: &[f64]) -> f64 {
        // OW98 eq. (1).
        let norms = (1.0 + term.product(a, a)) * (1.0 + term.product(b, b));
        FRAC_2_PI * libm::asin((term.product(a, b) / norms.sqrt()).clamp(-1.0, 1.0))
    }

    /// Returns ∂K/∂w = (2/π)/√(1−c²) · [s s′/√(AB) − ½ c (s²/A + s′²/B)] with A = 1 + Σ w s², B of s′ and c the cosine. The terms in s²
    /// are summed for each example first, so that all N derivatives take one pass.
    fn weight_gradient(
        &self,
        term: &Term,
        rows: &[Vec<f64>],
        _k: &LowerTriangle,
        q: &LowerTriangle,
    ) -> Vec<f64> {
        let norms: Vec<f64> = rows.iter().map(|row| 1.0 + term.product(row, row)).collect();
        let mut squares = vec![0.0; rows.len()];
        let product_factor = |i: usize, j: usize| {
            let norm = (norms[i] * norms[j]).sqrt();
            let cosine = term.product(&rows[i], &rows[j]) / norm;
            let sine = ((1.0 - cosine) * (1.0 + cosine)).max(0.0).sqrt();
            // Parallel inputs of infinite length: K is at its maximum, and no weight changes it.
            let slope = if sine > 0.0 { pair_sum(q, i, j) * FRAC_2_PI / sine } else { 0.0 };
            squares[i] -= 0.5 * slope * cosine / norms[i];
            squares[j] -= 0.5 * slope * cosine / norms[j];
            slope / norm
        };
        let mut sums = sum_of_products(rows, term, product_factor);
        for (row, square) in rows.iter().zip(&squares) {
            for (sum, s) in sums.iter_mut().zip(row) {
                *sum += term.scale * square * s * s;
            }
        }
        sums
    }
}
