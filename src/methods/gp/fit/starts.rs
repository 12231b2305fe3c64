//! The starting points of a fit.

use super::options::{FreeParameters, LengthScales};
use crate::gp::solver::hyperparameters::Hyperparameters;

/// Noise below this is replaced by [`INITIAL_NOISE`] at the start if it is fitted: its effect would be too small.
const MIN_NOISE: f64 = 1e-3;
/// See [`MIN_NOISE`].
const INITIAL_NOISE: f64 = 1e-2;
/// The largest κ of a starting point.
const MAX_KAPPA: f64 = 0.3;

/// Returns starting point number `index`: `base` with the free hyperparameters moved up and down by factors, and with more noise at each
/// rescue.
pub(super) fn start_point(
    base: &Hyperparameters,
    free: FreeParameters,
    index: usize,
    rescues: usize,
) -> Hyperparameters {
    let mut start = base.clone();
    if free.v && start.v < MIN_NOISE {
        start.v = INITIAL_NOISE;
    }
    if free.kappa && start.kappa < MIN_NOISE {
        start.kappa = INITIAL_NOISE;
    }
    // If both can move, three length scales for every level of noise.
    let (scale, noise) = match (free.length_scales != LengthScales::Fixed, free.v || free.kappa) {
        (true, true) => (alternating(index % 3), (index / 3) as f64),
        (true, false) => (alternating(index), 0.0),
        (false, _) => (0.0, alternating(index)),
    };
    start.kernel.weights.iter_mut().for_each(|w| *w *= libm::exp(2.0 * scale));
    start.sigma2 *= libm::exp(-2.0 * scale);
    if free.v {
        start.v *= libm::exp(3.0 * noise + 2.5 * rescues as f64);
    }
    if free.kappa {
        start.kappa = (start.kappa * libm::exp(1.5 * noise)).min(MAX_KAPPA);
    }
    if free.kappa && !free.v {
        start.kappa = (start.kappa * libm::exp(rescues as f64)).min(MAX_KAPPA);
    }
    start
}

/// Returns element `index` of 0, 1, −1, 1.5, −1.5, 2, −2, …
fn alternating(index: usize) -> f64 {
    let distance = if index == 0 { 0.0 } else { 0.5 * (1.0 + index.div_ceil(2) as f64) };
    if index % 2 == 1 { distance } else { -distance }
}
