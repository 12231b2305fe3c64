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

/// Smallest residual of an iteration, and the number of steps since then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmallestResidual {
    /// The smallest residual so far; infinite before the first step.
    pub value: f64,
    /// Number of steps since then.
    pub age: usize,
    /// The last residual that was appreciably smaller than the one before it here, and the number of steps since then.
    progress: (f64, usize),
}

impl SmallestResidual {
    /// Returns the record before the first step.
    pub fn new() -> Self {
        Self { value: f64::INFINITY, age: 0, progress: (f64::INFINITY, 0) }
    }

    /// Adds the residual of a step.
    pub fn add(&mut self, residual: f64) {
        if residual < self.value {
            (self.value, self.age) = (residual, 0);
        } else {
            self.age += 1;
        }
        // A residual that tends to a constant decreases forever.
        let is_progress = residual < 0.9 * self.progress.0;
        self.progress = if is_progress { (residual, 0) } else { (self.progress.0, self.progress.1 + 1) };
    }

    /// Returns the number of steps without progress after which an iteration is given up that takes the fraction `damping` of each
    /// step: 30 whole steps, in which an iteration that converges gains many digits, and at least 150.
    fn patience(damping: f64) -> usize {
        (30.0 / damping).max(150.0) as usize
    }

    /// Returns true if there has been no progress for so long that there will be none.
    pub fn has_stalled(&self, damping: f64) -> bool {
        self.progress.1 >= Self::patience(damping)
    }

    /// Returns the number of steps after which the iteration ends without progress, at most `limit`.
    pub fn steps_left(&self, limit: usize, damping: f64) -> usize {
        limit.min(Self::patience(damping).saturating_sub(self.progress.1))
    }

    /// Estimates the share of the way to `tolerance` that is done, 0 to 1, as if the residual decreased by a constant factor.
    pub fn share(&self, tolerance: f64) -> f64 {
        let share = libm::log(self.value.max(f64::MIN_POSITIVE)) / libm::log(tolerance);
        if self.value.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }
}

impl Default for SmallestResidual {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_iteration_without_a_smaller_residual_is_given_up() {
        let mut smallest = SmallestResidual::new();
        assert_eq!((smallest.share(1e-8), smallest.steps_left(40, 1.0)), (0.0, 40));
        for residual in [1.0, 1e-4, f64::INFINITY, f64::NAN] {
            smallest.add(residual);
        }
        assert_eq!(
            (smallest.age, smallest.steps_left(1000, 1.0), smallest.steps_left(1000, 0.1)),
            (2, 148, 298)
        );
        assert!((smallest.share(1e-8) - 0.5).abs() < 1e-12);
        for _ in 0..148 {
            smallest.add(2e-4);
        }
        assert!(smallest.has_stalled(0.2) && !smallest.has_stalled(0.1));
        smallest.add(9.5e-5);
        assert!(smallest.has_stalled(0.2) && smallest.age == 0, "this is no progress");
        smallest.add(5e-5);
        assert!(!smallest.has_stalled(1.0));
    }
}
