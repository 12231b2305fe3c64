//! The network of `mlp.curve` on the same points: ensemble learning with a full covariance, from several starts.

use serde::{Deserialize, Serialize};

use super::RegressionSpec;
use crate::lab::{Budget, Ending};
use crate::methods::curve_network::{CurveNetwork, CurveProblem, EnsembleFit};

/// Number of starts.
pub const STARTS: usize = 3;

/// Result of a fit of the network from one start, or the best point so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkResult {
    /// Index of the start, from 0.
    pub start: usize,
    /// Negative lower bound on the log evidence, nats.
    pub negative_elbo: f64,
    /// Estimated standard deviation of the noise of a target.
    pub noise: f64,
    /// Mean and standard deviation of f at [`RegressionSpec::inputs`].
    pub predicted: Vec<(f64, f64)>,
    /// Ending; `None` while the fit is in progress.
    pub ending: Option<Ending>,
}

/// A fit of the network from one start.
pub struct NetworkStart {
    start: usize,
    fit: EnsembleFit,
}

fn problem(spec: &RegressionSpec, examples: &[(f64, f64)]) -> CurveProblem {
    CurveProblem::new(examples, CurveNetwork::usual(spec.network), false)
}

/// Returns the expected multiply–adds of a start.
pub fn cost(spec: &RegressionSpec) -> f64 {
    EnsembleFit::cost(&problem(spec, &vec![(0.0, 0.0); spec.count()]))
}

impl NetworkStart {
    /// Prepares start number `start`.
    pub fn new(spec: &RegressionSpec, examples: &[(f64, f64)], start: usize) -> Self {
        let inputs = spec.inputs(examples);
        Self { start, fit: EnsembleFit::new(problem(spec, examples), &inputs, start, spec.seed) }
    }

    /// Makes a step; returns true after the last.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        self.fit.step(budget)
    }

    /// Returns the estimated fraction that is done.
    pub fn fraction(&self) -> f64 {
        self.fit.fraction()
    }

    /// Describes the work in progress.
    pub fn note(&self) -> String {
        format!("network, start {}, evaluation {}", self.start + 1, self.fit.evaluations())
    }

    /// Returns the result so far; `None` before the first.
    pub fn result(&self) -> Option<NetworkResult> {
        let curve = self.fit.result()?;
        Some(NetworkResult {
            start: self.start,
            negative_elbo: curve.negative_elbo,
            noise: curve.noise,
            predicted: curve.predicted,
            ending: self.fit.ending(),
        })
    }
}
