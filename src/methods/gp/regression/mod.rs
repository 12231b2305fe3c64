//! Exact regression with a Gaussian process and Gaussian noise (Williams & Rasmussen 1996; Rasmussen & Williams 2006, ch. 2:
//! **RW06**).
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | the model, its posterior, the log evidence and its gradient |
//! | `solve.rs` | the computation of the posterior and of the gradient, which can be paused |
//! | `leave_out.rs` | leave-one-out predictions in closed form |
//! | `draws.rs` | functions drawn from the prior and the posterior |
//! | `bound/` | the same by inducing points, with a lower bound of the log evidence |
//! | `target.rs` | either posterior, with one set of operations |
//! | `fit.rs` | hyperparameters that maximise the evidence, or its bound |

pub mod bound;
pub mod draws;
pub mod fit;
pub mod leave_out;
pub mod solve;
pub mod target;
#[cfg(test)]
mod tests;

use std::f64::consts::TAU;
use std::rc::Rc;
use std::task::Poll;

use crate::gp::solver::kernel::Kernel;
use crate::math::Budget;
use crate::math::cholesky::Cholesky;
use crate::math::lanes::{LANES, Lanes, dot};
use solve::RegressionSolve;

/// A Gaussian process f with mean 0 and covariance a² K(x, x′), observed with Gaussian noise.
#[derive(Clone, Debug, PartialEq)]
pub struct RegressionModel {
    /// Covariance function K with its weights.
    pub kernel: Kernel,
    /// Amplitude a > 0: the standard deviation of f where K(x, x) = 1.
    pub amplitude: f64,
    /// Standard deviation s > 0 of the noise of a target.
    pub noise: f64,
}

impl RegressionModel {
    /// Returns the prior covariance a² K of f at two inputs.
    pub fn covariance(&self, a: &[f64], b: &[f64]) -> f64 {
        self.amplitude * self.amplitude * self.kernel.covariance(a, b)
    }

    /// Returns the noise variance s².
    pub fn noise_variance(&self) -> f64 {
        self.noise * self.noise
    }
}

/// Mean and variance of a Gaussian.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normal {
    /// Mean.
    pub mean: f64,
    /// Variance.
    pub var: f64,
}

impl Normal {
    /// Returns the log density at `x`.
    pub fn ln_density(&self, x: f64) -> f64 {
        let off = x - self.mean;
        -0.5 * (libm::log(TAU * self.var) + off * off / self.var)
    }

    /// Returns the standard deviation.
    pub fn sd(&self) -> f64 {
        self.var.sqrt()
    }
}

/// The gradient of the log evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct EvidenceGradient {
    /// ∂ ln p/∂ ln w of each weight of the kernel, N.
    pub ln_weights: Vec<f64>,
    /// ∂ ln p/∂ ln a.
    pub ln_amplitude: f64,
    /// ∂ ln p/∂ ln s.
    pub ln_noise: f64,
}

/// The posterior of f given m examples.
#[derive(Clone, Debug)]
pub struct RegressionPosterior {
    model: RegressionModel,
    /// Inputs, m of N.
    rows: Rc<Vec<Vec<f64>>>,
    /// Targets t, m.
    targets: Rc<Vec<f64>>,
    /// Factor of C = a² K + s² I, m×m.
    factor: Cholesky,
    /// C⁻¹ t, m.
    alpha: Vec<f64>,
}

impl RegressionPosterior {
    /// Returns the posterior given inputs `rows` (m of N) and `targets` (m); `None` if C is not positive definite in double
    /// precision, or if the noise is lost in its rounding.
    pub fn new(rows: Vec<Vec<f64>>, targets: Vec<f64>, model: RegressionModel) -> Option<Self> {
        let mut solve = RegressionSolve::new(Rc::new(rows), Rc::new(targets), model);
        match solve.advance(&mut Budget::new(u64::MAX)) {
            Poll::Ready(posterior) => posterior,
            Poll::Pending => None,
        }
    }

    /// Returns the approximate number of multiply–adds of [`Self::new`] for `m` examples.
    pub fn cost(m: usize) -> u64 {
        let m = m as u64;
        m * m * (m / 3 + 40)
    }

    /// Returns the model.
    pub fn model(&self) -> &RegressionModel {
        &self.model
    }

    /// Returns the prior covariances between f at `at` and f at the examples, m.
    fn covariances(&self, at: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|row| self.model.covariance(row, at)).collect()
    }

    /// Returns the mean and variance of f at an input, RW06 eqs. (2.25) and (2.26). For a new target, add the noise variance.
    pub fn predict(&self, at: &[f64]) -> Normal {
        let mut k = self.covariances(at);
        let mean = dot(&k, &self.alpha);
        self.factor.solve_lower(&mut k);
        Normal { mean, var: (self.model.covariance(at, at) - dot(&k, &k)).max(0.0) }
    }

    /// Returns the posterior covariance of f at two inputs, RW06 eq. (2.24).
    pub fn covariance(&self, a: &[f64], b: &[f64]) -> f64 {
        let [mut ka, mut kb] = [a, b].map(|at| self.covariances(at));
        self.factor.solve_lower(&mut ka);
        self.factor.solve_lower(&mut kb);
        self.model.covariance(a, b) - dot(&ka, &kb)
    }

    /// Returns the log evidence ln p(t), RW06 eq. (2.30).
    pub fn ln_evidence(&self) -> f64 {
        let m = self.targets.len() as f64;
        -0.5 * (dot(&self.targets, &self.alpha) + self.factor.ln_det() + m * libm::log(TAU))
    }

    /// Returns the gradient of the log evidence, ½ tr[(α αᵀ − C⁻¹) ∂C/∂θ] with α = C⁻¹ t, RW06 eq. (5.9).
    pub fn evidence_gradient(&self) -> EvidenceGradient {
        let m = self.rows.len();
        let k = |e: usize| self.model.kernel.covariance(&self.rows[e / m], &self.rows[e % m]);
        let k: Vec<f64> = (0..m * m).map(|e| if e % m <= e / m { k(e) } else { 0.0 }).collect();
        self.gradient_from(&k, &self.factor.inverse())
    }

    /// Returns the gradient from the lower triangle of K and from C⁻¹, both m×m.
    fn gradient_from(&self, k: &[f64], inverse: &[f64]) -> EvidenceGradient {
        let m = self.rows.len();
        let variance = self.model.amplitude * self.model.amplitude;
        let q = |i: usize, j: usize| 0.5 * (self.alpha[i] * self.alpha[j] - inverse[i * m + j]);
        let ln_weights =
            self.model.kernel.ln_weight_gradient(&self.rows, |i, j| k[i * m + j], |i, j| variance * q(i, j));
        let pairs = (0..m).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let twice = |i: usize, j: usize| if i == j { 1.0 } else { 2.0 };
        let by_k: f64 = pairs.map(|(i, j)| twice(i, j) * q(i, j) * k[i * m + j]).sum();
        let trace: f64 = (0..m).map(|i| q(i, i)).sum();
        EvidenceGradient {
            ln_weights,
            ln_amplitude: 2.0 * variance * by_k,
            ln_noise: 2.0 * self.model.noise_variance() * trace,
        }
    }

    /// Returns the mean of f at each of `inputs`.
    pub fn means<'a>(&self, inputs: impl Iterator<Item = &'a [f64]>) -> Vec<f64> {
        inputs.map(|at| dot(&self.covariances(at), &self.alpha)).collect()
    }

    /// Returns the mean and variance of f at each of at most eight inputs, in less time than one by one.
    pub fn predict_block<'a>(&self, inputs: impl Iterator<Item = &'a [f64]>) -> Vec<Normal> {
        let inputs: Vec<&[f64]> = inputs.take(LANES).collect();
        let mut block = vec![[0.0; LANES]; self.rows.len()];
        let mut means = [0.0; LANES];
        for (lane, at) in inputs.iter().enumerate() {
            let k = self.covariances(at);
            means[lane] = dot(&k, &self.alpha);
            block.iter_mut().zip(k).for_each(|(row, k)| row[lane] = k);
        }
        let mut explained: Lanes = [0.0; LANES];
        for row in self.factor.solve_lower_block(block) {
            explained.iter_mut().zip(row).for_each(|(sum, x)| *sum += x * x);
        }
        let normal = |(lane, at): (usize, &&[f64])| Normal {
            mean: means[lane],
            var: (self.model.covariance(at, at) - explained[lane]).max(0.0),
        };
        inputs.iter().enumerate().map(normal).collect()
    }

    /// Returns the mean and variance of the average of f over `inputs`.
    pub fn average(&self, inputs: &[&[f64]]) -> Normal {
        let share = 1.0 / inputs.len() as f64;
        let mut k = vec![0.0; self.rows.len()];
        for at in inputs {
            k.iter_mut().zip(self.covariances(at)).for_each(|(sum, k)| *sum += share * k);
        }
        let mean = dot(&k, &self.alpha);
        self.factor.solve_lower(&mut k);
        let pairs = inputs.iter().flat_map(|a| inputs.iter().map(move |b| (*a, *b)));
        let prior: f64 = pairs.map(|(a, b)| self.model.covariance(a, b)).sum();
        Normal { mean, var: (share * share * prior - dot(&k, &k)).max(0.0) }
    }

    /// Returns the number of examples m.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns true if there are no examples.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}
