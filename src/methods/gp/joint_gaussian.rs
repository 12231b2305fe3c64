//! Draws from a joint Gaussian: the mean plus the Cholesky factor of the covariance matrix times standard normal numbers. With the same
//! numbers, draws change continuously with mean and covariance.

use crate::math::cholesky::Cholesky;

/// Jitters relative to the scale. The smallest one that makes the matrix positive definite in double precision is added to its
/// diagonal.
const JITTERS: [f64; 6] = [1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5];

/// Joint Gaussian of n variables.
pub struct JointGaussian {
    mean: Vec<f64>,
    factor: Cholesky,
}

impl JointGaussian {
    /// Returns the Gaussian with these means, n, and elements `covariance(i, j)`, j ≤ i; `scale` is the largest variance, or that of the
    /// terms of which the elements are differences. `None` if the covariance matrix cannot be factored.
    pub fn new(mean: Vec<f64>, scale: f64, covariance: impl Fn(usize, usize) -> f64) -> Option<Self> {
        let n = mean.len();
        let scale = scale.max(f64::MIN_POSITIVE);
        let factor = JITTERS.iter().find_map(|jitter| {
            Cholesky::new(n, |i, j| covariance(i, j) + if i == j { jitter * scale } else { 0.0 })
        })?;
        Some(Self { mean, factor })
    }

    /// Returns the draw with n standard normal `numbers`.
    pub fn draw(&self, numbers: &[f64]) -> Vec<f64> {
        let at = |i: usize| (0..=i).map(|j| self.factor.at(i, j) * numbers[j]).sum::<f64>();
        self.mean.iter().enumerate().map(|(i, mean)| mean + at(i)).collect()
    }
}
