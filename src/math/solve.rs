//! Endings and work budgets of iterative solvers.

use serde::{Deserialize, Serialize};

/// The ending of a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// The residual is below the tolerance.
    Converged,
    /// No further progress within machine precision, close to a solution.
    Stalled,
    /// The maximum number of iterations was reached.
    MaxIterations,
    /// No solution was found: no step improves the iterate, or it left the region where the equations are defined.
    NoSolution,
    /// A factorisation failed, or a value overflowed or is not finite.
    NonFinite,
}

impl Ending {
    /// Returns true if a solution was found.
    pub fn is_solution(self) -> bool {
        matches!(self, Self::Converged | Self::Stalled)
    }
}

/// An amount of work in multiply–adds. It does not depend on a clock, so that all machines pause at the same points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    left: u64,
    /// True if work was spent in the current step; `None` outside a step.
    step_is_spent: Option<bool>,
}

impl Budget {
    /// Work between two pauses: a few milliseconds on current machines.
    pub const SLICE: u64 = 4_000_000;

    /// Creates a budget of `work` multiply–adds.
    pub fn new(work: u64) -> Self {
        Self { left: work, step_is_spent: None }
    }

    /// Starts a step that ends after the smallest amount of work, although more may be left. Work that is given step by step has the
    /// same steps in budgets of any size.
    pub fn begin_step(&mut self) {
        self.step_is_spent = Some(false);
    }

    /// Ends the step started by [`Self::begin_step`]; the rest of the budget becomes available.
    pub fn end_step(&mut self) {
        self.step_is_spent = None;
    }

    /// Creates a budget of one slice.
    pub fn slice() -> Self {
        Self::new(Self::SLICE)
    }

    /// Subtracts `work`, which may exceed the rest of the budget. Returns true if any of the budget is left.
    pub fn spend(&mut self, work: u64) -> bool {
        self.left = self.left.saturating_sub(work);
        self.step_is_spent = self.step_is_spent.map(|spent| spent || work > 0);
        !self.is_spent()
    }

    /// Returns true if the budget or the current step of it is exhausted.
    pub fn is_spent(&self) -> bool {
        self.left == 0 || self.step_is_spent == Some(true)
    }

    /// Returns the rest of the budget; at most 1 within a step.
    pub fn left(&self) -> u64 {
        if self.step_is_spent.is_some() { self.left.min(1) } else { self.left }
    }
}

/// Returns the larger of two magnitudes, or NaN if either is NaN, unlike `f64::max`.
pub fn max_or_nan(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// Returns the largest magnitude in `values`: 0 if there are none, NaN if any is NaN.
pub fn largest<'a>(values: impl IntoIterator<Item = &'a f64>) -> f64 {
    values.into_iter().fold(0.0, |most, value| max_or_nan(most, value.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_is_propagated() {
        assert!((max_or_nan(1.0, 2.0), max_or_nan(2.0, 1.0)) == (2.0, 2.0));
        assert!(max_or_nan(f64::NAN, 1.0).is_nan() && max_or_nan(1.0, f64::NAN).is_nan());
        assert!(largest(&[1.0, f64::NAN, -3.0]).is_nan() && largest(&[f64::NAN]).is_nan());
        assert_eq!((largest(&[1.0, -3.0, 2.0]), largest(&[])), (3.0, 0.0));
    }

    #[test]
    fn a_budget_is_spent_by_the_last_piece_of_work() {
        let mut budget = Budget::new(10);
        assert!(budget.spend(4) && budget.spend(5) && !budget.is_spent());
        assert!(!budget.spend(u64::MAX) && budget.is_spent() && budget.left() == 0);
    }
}
