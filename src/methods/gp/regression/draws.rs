//! Functions drawn from the prior and the posterior.

use super::{RegressionModel, RegressionPosterior};
use crate::gp::joint_gaussian::JointGaussian;
use crate::math::lanes::dot;

/// Joint Gaussian of f at n inputs.
pub struct FunctionDraws(JointGaussian);

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
        let largest = (0..n).map(|i| matrix[i * n + i]).fold(0.0, f64::max);
        Some(Self(JointGaussian::new(mean, largest, |i, j| matrix[i * n + j])?))
    }

    /// Returns the function drawn with n standard normal `numbers`.
    pub fn draw(&self, numbers: &[f64]) -> Vec<f64> {
        self.0.draw(numbers)
    }
}
