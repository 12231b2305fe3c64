//! The log evidence over σ² by TAP, naive mean field, Laplace's approximation and annealed importance sampling.

mod figures;
mod report;
mod spec;
mod task;
#[cfg(test)]
mod tests;
mod work;

pub use spec::{EvidencePoints, EvidenceSpec};

use serde::{Deserialize, Serialize};

use super::play::Method;
use crate::math::importance::LogMeanWeight;
use crate::math::resampling::Estimate;

/// The task: the log evidence of several σ² by every method.
pub struct EvidenceComparison;

impl EvidenceComparison {
    /// Approximations, in the order of rows and figures.
    pub const METHODS: [Method; 3] = [Method::Tap, Method::Naive, Method::Laplace];
}

/// Results of the units so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EvidenceSnapshot {
    /// Approximations, one row for each σ².
    pub rows: Vec<ApproximateRow>,
    /// Annealed chains.
    pub chains: Vec<ChainRow>,
}

/// Log evidence of one σ² by every approximation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ApproximateRow {
    /// Index of σ² in the specification.
    pub index: usize,
    /// Log evidence in the order of [`EvidenceComparison::METHODS`]; `None` without a solution.
    pub ln_evidence: [Option<f64>; 3],
}

/// Annealed chains of a unit of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChainRow {
    /// Index of σ² in the specification.
    pub index: usize,
    /// Log weights of the chains that have ended.
    pub ln_weights: Vec<f64>,
    /// True if a chain was in a region too narrow for its moves to end.
    pub stuck: bool,
}

/// Results for one σ².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvidencePoint {
    /// Squared length scale σ².
    pub sigma2: f64,
    /// Log evidence in the order of [`EvidenceComparison::METHODS`].
    pub approximate: [Option<f64>; 3],
    /// Log evidence by annealed importance sampling; `None` before the second chain, and if the chains have failed.
    pub sampled: Option<LogMeanWeight>,
}

impl EvidenceSnapshot {
    /// Returns the results for each σ² of which there are any, in increasing order.
    pub fn points(&self, spec: &EvidenceSpec) -> Vec<EvidencePoint> {
        let point = |(index, sigma2): (usize, &f64)| {
            let row = self.rows.iter().find(|row| row.index == index);
            let chains = || self.chains.iter().filter(move |row| row.index == index);
            let ln_weights: Vec<f64> = chains().flat_map(|row| &row.ln_weights).copied().collect();
            let stuck = chains().any(|row| row.stuck);
            EvidencePoint {
                sigma2: *sigma2,
                approximate: row.map_or([None; 3], |row| row.ln_evidence),
                sampled: LogMeanWeight::of(&ln_weights).filter(|_| !stuck),
            }
        };
        let mut points: Vec<EvidencePoint> = spec.sigma2_grid.iter().enumerate().map(point).collect();
        points.retain(|point| point.sampled.is_some() || point.approximate.iter().any(Option::is_some));
        points.sort_by(|a, b| a.sigma2.total_cmp(&b.sigma2));
        points
    }
}

impl EvidencePoint {
    /// Returns the log evidence by the method of this index less the sampled one.
    pub fn error(&self, method: usize) -> Option<f64> {
        Some(self.approximate[method]? - self.sampled?.ln_mean)
    }
}

/// The largest error of an approximation over σ².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LargestError {
    /// Squared length scale σ² at which it is largest.
    pub sigma2: f64,
    /// Log evidence by the approximation less the sampled one there, with the standard error of that σ².
    pub error: Estimate,
}

/// Returns the error of largest magnitude by the method of this index, over the σ² at which the sampled log evidence is reliable; `None`
/// without one.
pub fn largest_error(points: &[EvidencePoint], method: usize) -> Option<LargestError> {
    let reliable = points.iter().filter(|point| point.sampled.is_some_and(|z| !z.is_dominated()));
    let errors = reliable.filter_map(|point| {
        let error = Estimate { value: point.error(method)?, se: point.sampled?.se };
        Some(LargestError { sigma2: point.sigma2, error })
    });
    errors.reduce(|a, b| if b.error.value.abs() > a.error.value.abs() { b } else { a })
}

/// Returns the point at which `of` is largest; `None` if it has no value anywhere.
pub fn largest(
    points: &[EvidencePoint],
    of: impl Fn(&EvidencePoint) -> Option<f64>,
) -> Option<EvidencePoint> {
    let values = points.iter().filter_map(|point| Some((of(point)?, *point)));
    values.reduce(|a, b| if b.0 > a.0 { b } else { a }).map(|(_, point)| point)
}
