//! The mode of the posterior (MAP) and Laplace's Gaussian about it, with MacKay's re-estimation of α and β.

use super::gaussian::{Covariance, Gaussian};
use super::inputs::Examples;
use super::network::{Shape, error, hessian};
use crate::math::eigen::Eigen;

/// Rounds of re-estimation at most, and where they begin.
const ROUNDS: usize = 15;
/// α and β before the first round.
pub const FIRST: (f64, f64) = (1.0, 20.0);
/// A round that changes neither by more than this, relatively, is the last.
const SETTLED: f64 = 1e-4;

/// β `E_D` + (α/2)|w|² and its gradient, k.
pub fn energy(shape: Shape, w: &[f64], examples: &Examples, alpha: f64, beta: f64) -> (f64, Vec<f64>) {
    let (value, mut gradient) = error(shape, w, examples);
    let square: f64 = w.iter().map(|w| w * w).sum();
    gradient.iter_mut().zip(w).for_each(|(g, w)| *g = beta * *g + alpha * w);
    (beta * value + 0.5 * alpha * square, gradient)
}

/// The curvature at a mode.
#[derive(Clone, Debug)]
pub struct Curvature {
    /// Of β ∇∇E_D + α I.
    eigen: Eigen,
    alpha: f64,
    /// Eigenvalues below α, which are set to α: the exact Hessian of the data term need not be positive.
    pub clipped: usize,
}

impl Curvature {
    /// At weights `w`.
    pub fn new(shape: Shape, w: &[f64], examples: &Examples, alpha: f64, beta: f64) -> Self {
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

    /// Laplace's Gaussian about `w`.
    pub fn gaussian(&self, w: &[f64]) -> Gaussian {
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
        Gaussian { mean: w.to_vec(), covariance: Covariance::Full(matrix) }
    }

    /// ln|C| of it.
    pub fn ln_det(&self) -> f64 {
        -self.eigen.values.iter().map(|value| libm::log(value.max(self.alpha))).sum::<f64>()
    }

    /// α and β that MacKay's evidence gives for weights `w` with error `error`: γ = k − α Σ 1/λ, α = γ/|w|², β = (N − γ)/(2 `E_D`).
    pub fn re_estimated(&self, w: &[f64], error: f64, n: usize) -> (f64, f64) {
        let sum: f64 = self.eigen.values.iter().map(|value| 1.0 / value.max(self.alpha)).sum();
        let gamma = w.len() as f64 - self.alpha * sum;
        let square: f64 = w.iter().map(|w| w * w).sum();
        // No weight is determined, or more than there are examples: α and β stay finite.
        let alpha = gamma.max(1e-3) / square.max(1e-9);
        let beta = (n as f64 - gamma).max(0.1) / (2.0 * error).max(1e-9);
        (alpha.clamp(1e-6, 1e6), beta.clamp(1e-6, 1e9))
    }
}

/// α and β of a mode search that goes on in rounds.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    /// Present values.
    pub alpha: f64,
    /// Present values.
    pub beta: f64,
    done: usize,
    most: usize,
}

impl Rounds {
    /// At given values, for good.
    pub fn fixed(alpha: f64, beta: f64) -> Self {
        Self { alpha, beta, done: 0, most: 0 }
    }

    /// Re-estimated from [`FIRST`].
    pub fn re_estimating() -> Self {
        Self { most: ROUNDS, ..Self::fixed(FIRST.0, FIRST.1) }
    }

    /// Whether α and β are still to change.
    pub fn going_on(&self) -> bool {
        self.done < self.most
    }

    /// Takes in the mode of this round; whether there is to be another one at other values.
    pub fn next(&mut self, curvature: &Curvature, w: &[f64], error: f64, n: usize) -> bool {
        if self.done >= self.most {
            return false;
        }
        self.done += 1;
        let (alpha, beta) = curvature.re_estimated(w, error, n);
        let change = (alpha / self.alpha - 1.0).abs().max((beta / self.beta - 1.0).abs());
        if change < SETTLED {
            return false;
        }
        (self.alpha, self.beta) = (alpha, beta);
        // The last values are still searched at.
        true
    }
}
