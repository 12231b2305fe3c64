//! A regression problem: network, examples and hyperprior.

use super::examples::ExampleBlocks;
use super::hyperprior::Hyperprior;
use super::network::NetworkShape;
use super::options::InferenceMethod;
use super::parametrisation::CovarianceForm;

/// A network with its training examples and the prior of its precisions.
#[derive(Clone, Debug)]
pub struct RegressionProblem {
    /// Numbers of hidden units and inputs.
    pub shape: NetworkShape,
    /// Training inputs and targets.
    pub examples: ExampleBlocks,
    /// Prior of α and β.
    pub hyper: Hyperprior,
}

impl RegressionProblem {
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
