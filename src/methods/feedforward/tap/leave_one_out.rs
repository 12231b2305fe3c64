//! Leave-one-out predictions with adaptive variances.
//!
//! A cavity field includes the response of the other examples to first order. The neglected terms, of order 1/N, matter only near the
//! decision boundary. There, examples are left out by solving again, nearest first, until several solves in a row confirm the sign of
//! the cavity field. A solve without an example starts from the factors of the others and takes a few sweeps.

use std::task::Poll;

use super::adaptive::{AdaptiveState, ExampleRows};
use super::likelihood::Likelihood;
use super::search::BetaSolution;
use super::solution::error_share;
use super::votes::mean_output;
use crate::math::Budget;
use crate::math::stats::order;

/// Predictions confirmed in a row after which those further from the decision boundary are taken from their cavity fields.
const ENOUGH_CONFIRMED: usize = 5;
/// Residual at which a solve without an example has converged; only the sign of its prediction counts.
const TOLERANCE: f64 = 1e-4;
/// Largest number of sweeps of a solve without an example. If they do not suffice, the prediction of the cavity field stays.
const MAX_SWEEPS: usize = 50;

/// Leave-one-out predictions in progress.
#[derive(Clone, Debug)]
pub struct LeaveOneOut {
    /// ⟨σ⟩ of each example given the others, m.
    outputs: Vec<f64>,
    /// State at the solution with all examples.
    solution: AdaptiveState,
    likelihood: Likelihood,
    /// Examples that may still be left out, the nearest to the decision boundary last.
    remaining: Vec<usize>,
    /// Confirmed predictions since the last change.
    confirmed: usize,
    current: Option<SolveWithout>,
}

/// A solve without one example.
#[derive(Clone, Debug)]
struct SolveWithout {
    /// The example.
    left_out: usize,
    /// Rows of the other examples, m − 1.
    indices: Vec<usize>,
    /// Labels of the other examples, m − 1.
    labels: Vec<f64>,
    state: AdaptiveState,
    sweeps: usize,
}

impl LeaveOneOut {
    /// Returns the predictions of the cavity fields, before any solve; `None` with shared variances.
    pub fn new(found: &BetaSolution, hidden: usize) -> Option<Self> {
        let outputs: Vec<f64> = found.solution.cavity_outputs().collect();
        let mut remaining = order(&outputs.iter().map(|output| -output.abs()).collect::<Vec<_>>());
        if remaining.len() == 1 {
            // The cavity field of a single example is that of the prior.
            remaining.clear();
        }
        Some(Self {
            outputs,
            solution: found.adaptive_state.clone()?,
            likelihood: Likelihood::new(hidden, found.beta),
            remaining,
            confirmed: 0,
            current: None,
        })
    }

    /// Solves without one example after the other until enough predictions are confirmed or the budget is spent; returns true in the
    /// first case.
    pub fn advance(&mut self, rows: &ExampleRows, budget: &mut Budget) -> bool {
        while self.confirmed < ENOUGH_CONFIRMED && !budget.is_spent() {
            if self.current.is_none() {
                let Some(i) = self.remaining.pop() else { return true };
                self.current = SolveWithout::new(&self.solution, rows, i);
            }
            let Some(solve) = &mut self.current else { continue };
            let Poll::Ready(output) = solve.run(rows, &self.likelihood, budget) else { return false };
            // Without a solution the prediction of the cavity field is neither confirmed nor refuted.
            if let Some(output) = output {
                let prediction = &mut self.outputs[solve.left_out];
                let is_confirmed = (output > 0.0) == (*prediction > 0.0);
                self.confirmed = if is_confirmed { self.confirmed + 1 } else { 0 };
                *prediction = output;
            }
            self.current = None;
        }
        self.confirmed >= ENOUGH_CONFIRMED
    }

    /// Returns the leave-one-out estimate of the error of the Bayes prediction on noisy labels.
    pub fn bayes_error(&self, labels: &[f64]) -> f64 {
        error_share(self.outputs.iter().copied(), labels)
    }
}

impl SolveWithout {
    /// Returns the solve before its first sweep; `None` if the example's cavity has no variance.
    fn new(solution: &AdaptiveState, rows: &ExampleRows, i: usize) -> Option<Self> {
        let (mut indices, mut labels) = (rows.indices.to_vec(), rows.labels.to_vec());
        indices.remove(i);
        labels.remove(i);
        Some(Self { left_out: i, indices, labels, state: solution.without(rows, i)?, sweeps: 0 })
    }

    /// Sweeps until the solve ends or the budget is spent; returns ⟨σ⟩ of the example, or `None` without a solution, in the first case.
    fn run(&mut self, rows: &ExampleRows, likelihood: &Likelihood, budget: &mut Budget) -> Poll<Option<f64>> {
        let others = ExampleRows { indices: &self.indices, labels: &self.labels, ..*rows };
        while self.sweeps < MAX_SWEEPS && !budget.is_spent() {
            let Some(residual) = self.state.advance(&others, likelihood, 1.0, budget) else { break };
            self.sweeps += 1;
            if residual < TOLERANCE {
                return Poll::Ready(Some(mean_output(&self.state.fields_at(rows.row(self.left_out)))));
            }
            if residual.is_infinite() {
                self.sweeps = MAX_SWEEPS;
            }
        }
        if self.sweeps < MAX_SWEEPS { Poll::Pending } else { Poll::Ready(None) }
    }
}
