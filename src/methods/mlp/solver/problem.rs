//! A regression problem: network, examples and hyperprior.

use super::examples::ExampleBlocks;
use super::expectation::expected_hessian;
use super::gaussian::{CovarianceForm, WeightGaussian};
use super::hyperprior::Hyperprior;
use super::network::{NetworkShape, hessian};
use super::options::InferenceMethod;
use super::precisions::{Precisions, PriorGroups};
use crate::math::cholesky::Cholesky;

/// A network with its training examples and the prior of its precisions.
#[derive(Clone, Debug)]
pub struct RegressionProblem {
    /// Numbers of hidden units and inputs.
    pub shape: NetworkShape,
    /// Training inputs and targets.
    pub examples: ExampleBlocks,
    /// Prior of α and β.
    pub hyper: Hyperprior,
    /// Groups of weights with an α of their own in ensemble learning. The other methods, and the references in `exact/`, have one α.
    pub groups: PriorGroups,
}

impl RegressionProblem {
    /// Returns the α of each weight, k.
    pub fn weight_alphas(&self, precisions: &Precisions) -> Vec<f64> {
        let alpha = |weight| precisions.alphas[self.groups.of(self.shape, weight)];
        (0..self.shape.weights()).map(alpha).collect()
    }

    /// Returns the sum of `square` over the weights of each group.
    pub fn group_squares(&self, square: impl Fn(usize) -> f64) -> Vec<f64> {
        self.groups.sums(self.shape, square)
    }

    /// Returns the mean under `q` of the Hessian of the energy, k×k; if it is not positive definite, the Gauss–Newton approximation at the
    /// mean of `q`.
    pub(super) fn mean_precision(&self, q: &WeightGaussian, precisions: &Precisions) -> Vec<f64> {
        let (k, alphas) = (q.mean.len(), self.weight_alphas(precisions));
        let precision = |mut curvature: Vec<f64>| {
            for (at, by) in curvature.iter_mut().enumerate() {
                *by = precisions.beta * *by + if at / k == at % k { alphas[at / k] } else { 0.0 };
            }
            curvature
        };
        let mean = precision(expected_hessian(self.shape, q, &self.examples));
        if Cholesky::new(k, |i, j| mean[i * k + j]).is_some() {
            return mean;
        }
        precision(hessian(self.shape, &q.mean, &self.examples, true))
    }

    /// Returns the approximate number of multiply–adds of one evaluation of the objective of `method`.
    pub fn cost(&self, method: InferenceMethod) -> u64 {
        let NetworkShape { hidden, inputs } = self.shape;
        let (h, d, k) = (hidden as u64, inputs as u64, self.shape.weights() as u64);
        let pairs = h * (h + 1) / 2;
        let (each, once) = match method {
            InferenceMethod::Map => (h * (4 * d + 60), 0),
            InferenceMethod::Ensemble(CovarianceForm::Diagonal) => (h * (6 * d + 700), 8 * k),
            InferenceMethod::Ensemble(CovarianceForm::Factor(s)) => {
                (pairs * 1400 + h * d * (6 + 4 * s as u64), 20 * k)
            }
            InferenceMethod::Laplace | InferenceMethod::Ensemble(CovarianceForm::Full) => {
                (pairs * (1400 + 2 * d * d), k * k * k)
            }
        };
        (self.examples.count().div_ceil(8) as u64 * 8) * each + once + 200
    }
}
