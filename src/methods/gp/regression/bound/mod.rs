//! Regression with inducing points by the variational bound of Titsias (2009), **T09**: the posterior of u that maximises a lower bound
//! of the log evidence, in O(n M²) time and O(M²) memory. With a point at every row it is the full model.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | the posterior and its predictions |
//! | `solve.rs` | the computation of the posterior and of the bound |
//! | `gradient.rs` | the gradient of the bound |
//! | `leave_out.rs` | leave-one-out predictions in closed form |
//!
//! In whitened coordinates: V = L⁻¹ k(Z, X) with k(Z, Z) = L Lᵀ, and B = I + V Vᵀ/s².

pub(in crate::gp::regression) mod gradient;
pub mod leave_out;
pub mod solve;
#[cfg(test)]
mod tests;

use super::{Normal, RegressionModel};
use crate::gp::inducing::{ProjectedRows, Projection, products, square_sums};
use crate::math::cholesky::Cholesky;
use crate::math::lanes::{LANES, dot};

/// The posterior given n examples by M inducing points.
#[derive(Clone, Debug)]
pub struct BoundPosterior {
    model: RegressionModel,
    projection: Projection,
    /// Number of examples n.
    rows: usize,
    /// Factor of B, M×M.
    factor: Cholesky,
    /// Posterior mean of L⁻¹ u, M.
    white_mean: Vec<f64>,
    /// Weights of the covariances with u in the posterior mean of f, M.
    mean_weights: Vec<f64>,
    /// Lower bound of the log evidence.
    bound: f64,
    sums: Sums,
}

/// Sums over the rows.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    /// Σ t².
    targets: f64,
    /// Σ k(x, x).
    prior: f64,
    /// Σ k(x, x) − ‖v‖².
    residual: f64,
    /// μᵀ V t with the posterior mean μ of L⁻¹ u.
    explained: f64,
    /// ‖Vᵀ μ‖².
    fitted: f64,
}

impl BoundPosterior {
    /// Returns the model.
    pub fn model(&self) -> &RegressionModel {
        &self.model
    }

    /// Returns the number of examples n.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Returns true if there are no examples.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Returns the number of inducing points M.
    pub fn points(&self) -> usize {
        self.projection.len()
    }

    /// Returns the lower bound of the log evidence, T09 eq. (9).
    pub fn bound(&self) -> f64 {
        self.bound
    }

    /// Returns the mean prior variance of f at an example given u, relative to its prior variance: 0 if the points say everything.
    pub fn unexplained(&self) -> f64 {
        self.sums.residual / self.sums.prior
    }

    /// Returns the number of multiply–adds of the prediction of eight inputs.
    pub fn block_cost(&self) -> u64 {
        self.projection.cost() + (LANES * self.points() * self.points() / 2) as u64
    }

    /// Returns the mean and variance of f at each of at most eight inputs, T09 eq. (6).
    pub fn predict_block(&self, inputs: &[&[f64]]) -> Vec<Normal> {
        let inputs = &inputs[..inputs.len().min(LANES)];
        let ProjectedRows { white, residual, .. } = self.projection.project(inputs);
        let means = products(&white, &self.white_mean);
        let vars = square_sums(&self.factor.solve_lower_block(white));
        let normal = |lane: usize| Normal { mean: means[lane], var: residual[lane] + vars[lane] };
        (0..inputs.len()).map(normal).collect()
    }

    /// Returns the mean of f at each of `inputs`.
    pub fn means<'a>(&self, inputs: impl Iterator<Item = &'a [f64]>) -> Vec<f64> {
        inputs.map(|at| dot(&self.covariances(at), &self.mean_weights)).collect()
    }

    /// Returns the mean and variance of the average of f over `inputs`.
    pub fn average(&self, inputs: &[&[f64]]) -> Normal {
        let share = 1.0 / inputs.len() as f64;
        let mut k = vec![0.0; self.points()];
        for at in inputs {
            k.iter_mut().zip(self.covariances(at)).for_each(|(sum, k)| *sum += share * k);
        }
        self.projection.factor().solve_lower(&mut k);
        let prior = self.projection.prior();
        let pairs = inputs.iter().flat_map(|a| inputs.iter().map(move |b| (*a, *b)));
        let variance: f64 = share * share * pairs.map(|(a, b)| prior.covariance(a, b)).sum::<f64>();
        let residual = (variance - dot(&k, &k)).max(0.0);
        let mean = dot(&k, &self.white_mean);
        self.factor.solve_lower(&mut k);
        Normal { mean, var: residual + dot(&k, &k) }
    }

    fn covariances(&self, at: &[f64]) -> Vec<f64> {
        let prior = self.projection.prior();
        self.projection.points().iter().map(|point| prior.covariance(point, at)).collect()
    }
}
