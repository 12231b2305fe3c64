//! Progress of an iterative solve.

use serde::{Deserialize, Serialize};

/// State of an iteration after a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Residual {
    /// Number of the step.
    pub step: usize,
    /// Distance from a solution, in the method's own measure.
    pub residual: f64,
    /// Fraction of the proposed step that was taken.
    pub damping: f64,
}
