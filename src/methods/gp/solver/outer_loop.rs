//! Progress of the outer loop of the double loop.

use crate::math::anderson::Anderson;

/// Outer iterations without damping, and the damping after them; only κ > 0 ever needs more.
const PATIENCE: usize = 30;
const DAMPING: f64 = 0.5;
/// Outer iterations without progress after which the solve has stalled, if the change is below `STALLED_CHANGE`.
const STALLED_AFTER: usize = 4;
const STALLED_CHANGE: f64 = 1e-7;
/// Outer iterations that Anderson acceleration uses.
const MEMORY: usize = 4;
/// Outer iterations without a smaller change, larger than rounding, that the double loop may make after damped sweeps.
const COMPLETING_PATIENCE: usize = 2;
const COMPLETING_CHANGE: f64 = 1e-6;

/// Progress of the outer loop, and its acceleration.
#[derive(Clone, Debug)]
pub(super) struct OuterLoop {
    iterations: usize,
    /// Smallest max |Δλ/λ|, and the number of iterations since then.
    smallest_change: f64,
    stalled: usize,
    /// Anderson acceleration of ln λ.
    pub(super) acceleration: Anderson,
}

impl OuterLoop {
    /// Returns the progress before the first iteration.
    pub(super) fn new() -> Self {
        Self {
            iterations: 0,
            smallest_change: f64::INFINITY,
            stalled: 0,
            acceleration: Anderson::new(MEMORY),
        }
    }

    /// Returns true if the loop makes no progress and is close to a solution.
    pub(super) fn has_stalled(&self) -> bool {
        self.stalled >= STALLED_AFTER && self.smallest_change < STALLED_CHANGE
    }

    /// Returns true if a loop that follows damped sweeps has stalled far from a solution.
    pub(super) fn has_stalled_after_sweeps(&self) -> bool {
        self.stalled >= COMPLETING_PATIENCE && self.smallest_change > COMPLETING_CHANGE
    }

    /// Returns the fraction of the next step that is taken.
    pub(super) fn damping(&self) -> f64 {
        if self.iterations >= PATIENCE { DAMPING } else { 1.0 }
    }

    /// Counts an iteration with its max |Δλ/λ|.
    pub(super) fn count(&mut self, change: f64) {
        self.iterations += 1;
        if change < self.smallest_change {
            (self.smallest_change, self.stalled) = (change, 0);
        } else {
            self.stalled += 1;
        }
    }
}
