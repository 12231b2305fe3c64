//! Functions drawn from the prior and the posterior: the Cholesky factor of a covariance matrix times standard normal numbers. With
//! the same numbers, draws change continuously with the hyperparameters and the targets.

use super::{RegressionModel, RegressionPosterior};
use crate::math::cholesky::Cholesky;
use crate::math::lanes::dot;

/// Jitters relative to the largest variance. The smallest one that makes the matrix positive definite in double precision is
/// added to its diagonal.
const JITTERS: [f64; 6] = [1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5];

/// Joint Gaussian of f at n inputs.
pub struct FunctionDraws {
    mean: Vec<f64>,
    factor: Cholesky,
}

impl FunctionDraws {
    /// Returns the prior of f at inputs `at` (n of N); `None` if its covariance cannot be factored.
    pub fn prior(model: &RegressionModel, at: &[Vec<f64>]) -> Option<Self> {
        Self::of(vec![0.0; at.len()], |i, j| model.covariance(&at[i], &at[j]))
    }

    /// Returns the posterior of f at inputs `at` (n of N); `None` if its covariance cannot be factored.
    pub fn posterior(posterior: &RegressionPosterior, at: &[Vec<f64>]) -> Option<Self> {
        let mean = at.iter().map(|at| posterior.predict(at).mean).collect();
        let halves: Vec<Vec<f64>> = at
            .iter()
            .map(|at| {
                let mut k = posterior.covariances(at);
                posterior.factor.solve_lower(&mut k);
                k
            })
            .collect();
        let prior = |i: usize, j: usize| posterior.model.covariance(&at[i], &at[j]);
        Self::of(mean, |i, j| prior(i, j) - dot(&halves[i], &halves[j]))
    }

    fn of(mean: Vec<f64>, covariance: impl Fn(usize, usize) -> f64) -> Option<Self> {
        let n = mean.len();
        let matrix: Vec<f64> =
            (0..n * n).map(|e| if e % n <= e / n { covariance(e / n, e % n) } else { 0.0 }).collect();
        let largest = (0..n).map(|i| matrix[i * n + i]).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        let factor = JITTERS.iter().find_map(|jitter| {
            Cholesky::new(n, |i, j| matrix[i * n + j] + if i == j { jitter * largest } else { 0.0 })
        })?;
        Some(Self { mean, factor })
    }

    /// Returns the function drawn with n standard normal `numbers`: the mean plus the Cholesky factor times the numbers.
    pub fn draw(&self, numbers: &[f64]) -> Vec<f64> {
        let at = |i: usize| (0..=i).map(|j| self.factor.at(i, j) * numbers[j]).sum::<f64>();
        self.mean.iter().enumerate().map(|(i, mean)| mean + at(i)).collect()
    }
}
