//! Predictions.

use serde::{Deserialize, Serialize};

use super::site::probability;

/// Prediction of one example.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// Mean of the field.
    pub mean: f64,
    /// Variance of the field: without the noise v for a new input, with it for a training example left out (its cavity variance).
    pub var: f64,
    /// Probability of +1, with noise and flips.
    pub p: f64,
}

impl Prediction {
    /// Returns the prediction from a field whose variance includes the noise v.
    pub(in crate::gp) fn of_noisy_field(mean: f64, var: f64, kappa: f64) -> Self {
        Self { mean, var, p: probability(mean, var, kappa) }
    }

    /// Returns true if it misclassifies an example with label `tau`; a mean of exactly 0 counts as misclassified.
    pub fn misses(&self, tau: f64) -> bool {
        self.mean * tau <= 0.0
    }
}

/// Returns `difference`, or 0 where it is only the rounding of its terms, of magnitude `magnitude`: its sign would be arbitrary.
pub(super) fn zero_if_rounding(difference: f64, magnitude: f64) -> f64 {
    if difference.abs() > ROUNDING * magnitude { difference } else { 0.0 }
}

/// Relative rounding of a difference, in units of its terms.
const ROUNDING: f64 = 1e-13;
