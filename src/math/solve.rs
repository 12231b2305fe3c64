//! What every iterative solver shares: how a solve ended, and how much work it may do before it pauses.

use serde::{Deserialize, Serialize};

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// The residual is below the tolerance.
    Converged,
    /// No further progress within machine precision, close to a solution: usable.
    Stalled,
    /// The iterations were used up.
    MaxIterations,
    /// No solution was found: no step comes closer to one, or the iteration left the region where the equations are defined.
    NoSolution,
    /// A factorisation failed, or a value overflowed or is not finite.
    NonFinite,
}

impl Ending {
    /// Whether there is a solution.
    pub fn is_solution(self) -> bool {
        matches!(self, Self::Converged | Self::Stalled)
    }
}

/// An amount of work in multiply–adds, never a clock, so that every machine pauses at the same places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    left: u64,
}

impl Budget {
    /// The work between two pauses: a few milliseconds on any machine.
    pub const SLICE: u64 = 4_000_000;

    /// `work` multiply–adds.
    pub fn new(work: u64) -> Self {
        Self { left: work }
    }

    /// One slice.
    pub fn slice() -> Self {
        Self::new(Self::SLICE)
    }

    /// Takes away `work` that is done or about to be done; whether anything is left. The last piece of work may exceed the budget.
    pub fn spend(&mut self, work: u64) -> bool {
        self.left = self.left.saturating_sub(work);
        self.left > 0
    }

    /// Whether nothing is left.
    pub fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// What is left.
    pub fn left(&self) -> u64 {
        self.left
    }
}

/// The larger of two magnitudes; NaN if either is, where `f64::max` would hide it.
pub fn max_or_nan(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// The largest magnitude in `values`, 0 of none; NaN if any is.
pub fn largest<'a>(values: impl IntoIterator<Item = &'a f64>) -> f64 {
    values.into_iter().fold(0.0, |most, value| max_or_nan(most, value.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nan_is_never_hidden() {
        assert!((max_or_nan(1.0, 2.0), max_or_nan(2.0, 1.0)) == (2.0, 2.0));
        assert!(max_or_nan(f64::NAN, 1.0).is_nan() && max_or_nan(1.0, f64::NAN).is_nan());
        assert!(largest(&[1.0, f64::NAN, -3.0]).is_nan() && largest(&[f64::NAN]).is_nan());
        assert_eq!((largest(&[1.0, -3.0, 2.0]), largest(&[])), (3.0, 0.0));
    }

    #[test]
    fn a_budget_ends_with_the_work_that_exhausts_it() {
        let mut budget = Budget::new(10);
        assert!(budget.spend(4) && budget.spend(5) && !budget.is_spent());
        assert!(!budget.spend(u64::MAX) && budget.is_spent() && budget.left() == 0);
    }
}
