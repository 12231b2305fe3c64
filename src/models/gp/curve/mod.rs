//! The task `gp.curve`: exact regression in one dimension with a Gaussian process, and its live companion.

mod figures;
mod network;
mod report;
mod spec;
mod task;
#[cfg(test)]
mod tests;
mod view;
mod work;

pub use spec::{RegressionPoints, RegressionSpec};

use serde::{Deserialize, Serialize};

use network::NetworkResult;

use crate::lab::Outcome;
use crate::math::special::{NORMAL_95, phi};
use crate::models::gp::regression::{Normal, RegressionModel};

/// The task: posterior, evidence, draws and leave-one-out predictions of one model. Its live companion does not retrain.
pub struct CurveRegression;

/// Smallest noise standard deviation in a coverage, which is thereby defined for noise-free observations.
const MIN_SD: f64 = 1e-12;

/// Results so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RegressionSnapshot {
    /// Progress of the search for hyperparameters; `None` without a search.
    pub fit: Option<FitProgress>,
    /// Results of the model; `None` before they are computed.
    pub result: Option<RegressionResult>,
    /// True if the covariance matrix is not positive definite in double precision.
    pub failed: bool,
    /// Mean and variance of the target of each example by retraining without it, in the order of the examples.
    pub retrained: Vec<(f64, f64)>,
    /// Starts of the network in their order; none without it.
    pub networks: Vec<NetworkResult>,
}

/// Progress of the search for hyperparameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitProgress {
    /// Number of evaluations of the log evidence with its gradient.
    pub evaluations: usize,
    /// Ending of the best start; `None` until all starts have ended.
    pub outcome: Option<Outcome>,
}

/// Hyperparameters of a model with one input, given or fitted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurveHyperparameters {
    /// Squared length scale σ².
    pub sigma2: f64,
    /// Amplitude a.
    pub amplitude: f64,
    /// Standard deviation s of the noise of a target.
    pub noise: f64,
}

/// Results of one model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegressionResult {
    /// Hyperparameters.
    pub hyper: CurveHyperparameters,
    /// Log evidence, nats.
    pub ln_evidence: f64,
    /// Mean and standard deviation of f at [`RegressionSpec::inputs`].
    pub predicted: Vec<(f64, f64)>,
    /// Mean and standard deviation of f at the examples, m.
    pub fitted: Vec<(f64, f64)>,
    /// Mean and variance of each target given the others, m.
    pub left_out: Vec<(f64, f64)>,
    /// σ² and its log evidence, with the other hyperparameters fixed; `None` where it cannot be computed.
    pub scan: Vec<(f64, Option<f64>)>,
    /// Prior standard deviation of f at the drawn inputs.
    pub prior_sd: Vec<f32>,
    /// Prior and posterior covariance of f(x₀) with f at the drawn inputs, see [`RegressionSpec::reference`].
    pub covariance: Vec<(f32, f32)>,
    /// Functions drawn from the prior, at the drawn inputs.
    pub prior_draws: Vec<Vec<f32>>,
    /// Functions drawn from the posterior with the same random numbers.
    pub posterior_draws: Vec<Vec<f32>>,
}

impl RegressionResult {
    /// Returns the log density of each target given the others, m. `examples` are those of the run.
    pub fn left_out_densities(&self, examples: &[(f64, f64)]) -> Vec<f64> {
        let normal = |(mean, var): &(f64, f64)| Normal { mean: *mean, var: *var };
        self.left_out.iter().zip(examples).map(|(of, (_, t))| normal(of).ln_density(*t)).collect()
    }

    /// Returns the number of targets within their 95 % leave-one-out interval.
    pub fn left_out_within(&self, examples: &[(f64, f64)]) -> usize {
        let within =
            |((mean, var), (_, t)): (&(f64, f64), &(f64, f64))| (t - mean).abs() <= NORMAL_95 * var.sqrt();
        self.left_out.iter().zip(examples).filter(|pair| within(*pair)).count()
    }

    /// Returns the probability that a new target at the input of an example lies in the 95 % band of new observations, averaged over
    /// the examples; `None` if the function is not known.
    pub fn coverage(&self, spec: &RegressionSpec, examples: &[(f64, f64)]) -> Option<f64> {
        let sd = spec.true_noise.max(MIN_SD);
        let share = |((x, _), (mean, f_sd)): (&(f64, f64), &(f64, f64))| {
            let half = NORMAL_95 * libm::hypot(*f_sd, self.hyper.noise);
            let off = spec.noise_free(*x)? - mean;
            Some(phi((half - off) / sd) - phi((-half - off) / sd))
        };
        let shares: Option<Vec<f64>> = examples.iter().zip(&self.fitted).map(share).collect();
        shares.map(|shares| shares.iter().sum::<f64>() / shares.len().max(1) as f64)
    }

    /// Returns the σ² of the scan with the largest log evidence, and this evidence.
    pub fn best_of_scan(&self) -> Option<(f64, f64)> {
        let known = self.scan.iter().filter_map(|(sigma2, ln_evidence)| Some((*sigma2, (*ln_evidence)?)));
        known.reduce(|a, b| if b.1 > a.1 { b } else { a })
    }
}

impl RegressionSnapshot {
    /// Returns the start of the network with the best bound: of the finished starts, or of all if none has finished.
    pub fn network(&self) -> Option<&NetworkResult> {
        let rank = |result: &NetworkResult| (result.ending.is_some(), -result.negative_elbo);
        let bounds = self.networks.iter().filter(|result| result.negative_elbo.is_finite());
        bounds.reduce(|a, b| if rank(b) > rank(a) { b } else { a })
    }

    /// Returns the largest difference between leave-one-out in closed form and retraining, of means and standard deviations; `None`
    /// until all examples have been left out.
    pub fn largest_difference(&self) -> Option<f64> {
        let closed = &self.result.as_ref()?.left_out;
        let difference =
            |(a, b): (&(f64, f64), &(f64, f64))| (a.0 - b.0).abs().max((a.1.sqrt() - b.1.sqrt()).abs());
        let all = self.retrained.len() == closed.len();
        all.then(|| closed.iter().zip(&self.retrained).map(difference).fold(0.0, f64::max))
    }
}

impl CurveHyperparameters {
    /// Returns the model with the covariance function and period of the specification.
    pub fn model(&self, spec: &RegressionSpec) -> RegressionModel {
        let kernel = spec.isotropic_kernel(1, self.sigma2);
        RegressionModel { kernel, amplitude: self.amplitude, noise: self.noise }
    }
}
