//! The mode of the posterior (MAP) and Laplace's Gaussian, with MacKay's (1995) re-estimation of α and β.

use super::examples::ExampleBlocks;
use super::gaussian::{WeightCovariance, WeightGaussian};
use super::network::{NetworkShape, error, hessian};
use crate::math::eigen::Eigen;

/// Maximum number of rounds of re-estimation.
const MAX_ROUNDS: usize = 15;
/// α and β before the first re-estimation.
pub const INITIAL_PRECISIONS: (f64, f64) = (1.0, 20.0);
/// Relative change of α and β below which re-estimation ends.
const TOLERANCE: f64 = 1e-4;

/// Returns the energy β `E_D` + (α/2)|w|², BB98 eq. (5), and its gradient, k.
pub fn energy(
    shape: NetworkShape,
    w: &[f64],
    examples: &ExampleBlocks,
    alpha: f64,
    beta: f64,
) -> (f64, Vec<f64>) {
    let (value, mut gradient) = error(shape, w, examples);
    let square: f64 = w.iter().map(|w| w * w).sum();
    gradient.iter_mut().zip(w).for_each(|(g, w)| *g = beta * *g + alpha * w);
    (beta * value + 0.5 * alpha * square, gradient)
}

/// Hessian of the energy at a mode, by eigenvalues and eigenvectors.
#[derive(Clone, Debug)]
pub struct Curvature {
    /// Decomposition of β ∇∇`E_D` + α I.
    eigen: Eigen,
    alpha: f64,
    /// Number of eigenvalues below α, which are set to α; the exact Hessian of `E_D` may be indefinite.
    pub clipped: usize,
}

impl Curvature {
    /// Computes the Hessian at weights `w`, k.
    pub fn new(shape: NetworkShape, w: &[f64], examples: &ExampleBlocks, alpha: f64, beta: f64) -> Self {
        let k = shape.weights();
        let mut matrix = hessian(shape, w, examples, false);
        for h in &mut matrix {
            *h *= beta;
        }
        (0..k).for_each(|i| matrix[i * k + i] += alpha);
        let eigen = Eigen::new(k, |i, j| matrix[i * k + j]);
        let clipped = eigen.values.iter().filter(|value| **value < alpha).count();
        Self { eigen, alpha, clipped }
    }

    /// Returns Laplace's Gaussian with mean `w`.
    pub fn gaussian(&self, w: &[f64]) -> WeightGaussian {
        let k = w.len();
        let mut matrix = vec![0.0; k * k];
        for (value, vector) in self.eigen.values.iter().zip(&self.eigen.vectors) {
            let variance = 1.0 / value.max(self.alpha);
            for (row, x) in matrix.chunks_exact_mut(k).zip(vector) {
                for (to, y) in row.iter_mut().zip(vector) {
                    *to += variance * x * y;
                }
            }
        }
        WeightGaussian { mean: w.to_vec(), covariance: WeightCovariance::Full(matrix) }
    }

    /// Returns ln|C| of Laplace's Gaussian.
    pub fn ln_det(&self) -> f64 {
        -self.eigen.values.iter().map(|value| libm::log(value.max(self.alpha))).sum::<f64>()
    }

    /// Returns MacKay's re-estimates of α and β at weights `w` with `E_D` = `error`: γ = k − α Σ 1/λ, α = γ/|w|²,
    /// β = (N − γ)/(2 `E_D`).
    pub fn re_estimated(&self, w: &[f64], error: f64, n: usize) -> (f64, f64) {
        let sum: f64 = self.eigen.values.iter().map(|value| 1.0 / value.max(self.alpha)).sum();
        let gamma = w.len() as f64 - self.alpha * sum;
        let square: f64 = w.iter().map(|w| w * w).sum();
        // Keeps α and β finite if γ = 0 or γ ≥ N.
        let alpha = gamma.max(1e-3) / square.max(1e-9);
        let beta = (n as f64 - gamma).max(0.1) / (2.0 * error).max(1e-9);
        (alpha.clamp(1e-6, 1e6), beta.clamp(1e-6, 1e9))
    }
}

/// α and β of a search for the mode in rounds of MacKay's re-estimation.
#[derive(Clone, Copy, Debug)]
pub struct EvidenceRounds {
    /// Current α.
    pub alpha: f64,
    /// Current β.
    pub beta: f64,
    rounds: usize,
    max_rounds: usize,
}

impl EvidenceRounds {
    /// Returns fixed values.
    pub fn fixed(alpha: f64, beta: f64) -> Self {
        Self { alpha, beta, rounds: 0, max_rounds: 0 }
    }

    /// Returns [`INITIAL_PRECISIONS`], to be re-estimated.
    pub fn re_estimating() -> Self {
        Self { max_rounds: MAX_ROUNDS, ..Self::fixed(INITIAL_PRECISIONS.0, INITIAL_PRECISIONS.1) }
    }

    /// Returns `true` if α and β may still change.
    pub fn in_progress(&self) -> bool {
        self.rounds < self.max_rounds
    }

    /// Re-estimates α and β at the mode of this round; returns `true` if another search is needed.
    pub fn next(&mut self, curvature: &Curvature, w: &[f64], error: f64, n: usize) -> bool {
        if !self.in_progress() {
            return false;
        }
        self.rounds += 1;
        let (alpha, beta) = curvature.re_estimated(w, error, n);
        let change = (alpha / self.alpha - 1.0).abs().max((beta / self.beta - 1.0).abs());
        if change < TOLERANCE {
            return false;
        }
        (self.alpha, self.beta) = (alpha, beta);
        // Also after the last round, so that the mode is that of the final α and β.
        true
    }
}
