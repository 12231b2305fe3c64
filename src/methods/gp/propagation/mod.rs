//! Classification with inducing points by sparse expectation propagation (Csató & Opper 2002; in the batch form of Naish-Guzman & Holden
//! 2007), **CO02**: TAP's equations for a prior in which the fields of different rows depend on each other through u alone, in O(n M²)
//! time for a sweep and O(n + M²) memory. With a point at every row it is TAP.
//!
//! In whitened coordinates a row has the covariances v = L⁻¹ k(Z, x) with L⁻¹ u and the residual variance r = k(x, x) − ‖v‖². Its
//! likelihood, averaged over r and the noise v, is replaced by a Gaussian site exp(ν g − ½ S g²) of g = vᵀ L⁻¹ u. The posterior of L⁻¹ u has
//! precision B = I + Σ S v vᵀ and mean B⁻¹ Σ ν v.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | the posterior and its predictions |
//! | `sites.rs` | the sites and their sums |
//! | `solve.rs` | the sweeps, which can be paused |

pub mod sites;
pub mod solve;
#[cfg(test)]
mod tests;

use crate::gp::inducing::{ProjectedRows, Projection, products, square_sums};
use crate::gp::solver::hyperparameters::Hyperparameters;
use crate::gp::solver::joint::FieldVector;
use crate::gp::solver::prediction::Prediction;
use crate::gp::solver::site::probability;
use crate::math::cholesky::Cholesky;
use crate::math::lanes::{LANES, Lanes};

/// Values of the posterior at the training rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowValues {
    /// Derivatives x of the averaged log likelihoods with respect to γ, n.
    pub x: Vec<f64>,
    /// Cavity means γ, n.
    pub gamma: Vec<f64>,
    /// Cavity variances λ, n, with the residual variances and the noise v.
    pub lambda: Vec<f64>,
    /// Posterior means of the fields, n.
    pub h: Vec<f64>,
    /// Leave-one-out predictions, n.
    pub left_out: Vec<Prediction>,
    /// Leave-one-out log predictive probability Σ ln p(label | others).
    pub ln_loo: f64,
}

/// The approximate posterior by inducing points.
#[derive(Clone, Debug)]
pub struct PropagationPosterior {
    hyperparameters: Hyperparameters,
    gaussian: PointPosterior,
    /// Values at the training rows.
    pub rows: RowValues,
    /// Log evidence by expectation propagation under the approximate prior, nats.
    pub ln_evidence: f64,
}

/// The Gaussian posterior of L⁻¹ u.
#[derive(Clone, Debug)]
struct PointPosterior {
    projection: Projection,
    /// Factor of B, M×M.
    factor: Cholesky,
    /// Mean of L⁻¹ u, M.
    mean: Vec<f64>,
}

/// Means and variances of g = vᵀ L⁻¹ u of up to eight rows.
struct PointFields {
    projected: ProjectedRows,
    mean: Lanes,
    var: Lanes,
}

impl PointPosterior {
    fn fields<R: AsRef<[f64]>>(&self, rows: &[R]) -> PointFields {
        let projected = self.projection.project(rows);
        let mean = products(&projected.white, &self.mean);
        let var = square_sums(&self.factor.solve_lower_block(projected.white.clone()));
        PointFields { projected, mean, var }
    }

    fn cost(&self) -> u64 {
        let points = self.projection.len() as u64;
        self.projection.cost() + LANES as u64 * points * points / 2
    }
}

impl PropagationPosterior {
    /// Returns the number of inducing points M.
    pub fn points(&self) -> usize {
        self.gaussian.projection.len()
    }

    /// Returns the number of multiply–adds of [`Self::predict_block`].
    pub fn block_cost(&self) -> u64 {
        self.gaussian.cost()
    }

    /// Returns the predictions of up to eight inputs.
    pub fn predict_block<R: AsRef<[f64]>>(&self, inputs: &[R]) -> Vec<Prediction> {
        let inputs = &inputs[..inputs.len().min(LANES)];
        let Hyperparameters { v, kappa, .. } = self.hyperparameters;
        let PointFields { projected, mean, var } = self.gaussian.fields(inputs);
        let prediction = |lane: usize| {
            let (mean, var) = (mean[lane], projected.residual[lane] + var[lane]);
            Prediction { mean, var, p: probability(mean, var + v, kappa) }
        };
        (0..inputs.len()).map(prediction).collect()
    }

    /// Returns the field vectors of up to eight inputs. Given u, the fields have their covariances of the prior.
    pub fn field_vectors(&self, inputs: &[&[f64]]) -> Vec<FieldVector> {
        let inputs = &inputs[..inputs.len().min(LANES)];
        let PointPosterior { projection, factor, mean } = &self.gaussian;
        let prior = projection.project(inputs).white;
        let means = products(&prior, mean);
        let posterior = factor.solve_lower_block(prior.clone());
        let parts = |lane: usize| [&prior, &posterior].map(|rows| rows.iter().map(|row| row[lane]).collect());
        (0..inputs.len()).map(|lane| FieldVector { mean: means[lane], parts: parts(lane) }).collect()
    }
}
