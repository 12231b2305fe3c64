//! The prediction of one row.

use serde::{Deserialize, Serialize};

use super::site::probability;

/// The prediction of a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// Mean of the field.
    pub mean: f64,
    /// Variance of the field: without the noise v of a row that is predicted, with it of a training row left out (its cavity variance).
    pub var: f64,
    /// Probability of +1, noise and flips included.
    pub p: f64,
}

impl Prediction {
    /// From a field whose variance includes the noise v.
    pub(super) fn of_noisy_field(mean: f64, var: f64, kappa: f64) -> Self {
        Self { mean, var, p: probability(mean, var, kappa) }
    }

    /// Whether it misclassifies a row of label `tau`; a mean of exactly 0 does.
    pub fn misses(&self, tau: f64) -> bool {
        self.mean * tau <= 0.0
    }
}

/// A difference of two terms of this magnitude, or 0 if it is their rounding: a sign that would be chance, or the label's own.
pub(super) fn zero_if_rounding(difference: f64, magnitude: f64) -> f64 {
    if difference.abs() > ROUNDING * magnitude { difference } else { 0.0 }
}

/// Relative rounding of a difference, in units of its terms.
const ROUNDING: f64 = 1e-13;
