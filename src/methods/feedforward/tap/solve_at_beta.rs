//! One solve at one value of β, with shared or adaptive cavity variances.

use super::adaptive::{AdaptiveState, ExampleRows};
use super::likelihood::Likelihood;
use super::solution::Solution;
use super::{State, Tap, TrainingSet};
use crate::data::teacher::LabelledExamples;
use crate::math::{Budget, Ending, Residual, SmallestResidual};

/// Training data in the layouts of both solvers.
#[derive(Clone, Copy, Debug)]
pub struct TrainingData<'a> {
    /// Examples in blocks of eight, for shared variances.
    pub examples: &'a LabelledExamples,
    /// Examples in rows, for adaptive variances.
    pub rows: ExampleRows<'a>,
}

/// A solution at one value of β.
#[derive(Clone, Debug)]
pub struct BetaSolution {
    /// β.
    pub beta: f64,
    /// The log evidence.
    pub ln_evidence: f64,
    /// The solution.
    pub solution: Solution,
    /// Adaptive variances: the state from which the solve at the next β starts.
    pub(super) adaptive_state: Option<AdaptiveState>,
}

/// Damping of a solve with adaptive variances, and its largest number of sweeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct SolveLimits {
    pub damping: f64,
    pub sweeps: usize,
}

/// Residual at which a solve with adaptive variances has converged.
pub(super) const TOLERANCE: f64 = 1e-10;
/// Residual below which a solve that makes no progress counts as solved.
const STALLED_TOLERANCE: f64 = 1e-7;
/// Sweeps without a smaller residual after which a solve makes no progress.
const STALLED_SWEEPS: usize = 60;

/// A solve in progress.
#[derive(Clone, Debug)]
pub(super) struct SolveAtBeta {
    pub beta: f64,
    pub likelihood: Likelihood,
    pub engine: Engine,
    /// Sweeps so far.
    pub sweeps: usize,
}

/// State of a solve by its kind of cavity variances.
#[derive(Clone, Debug)]
pub(super) enum Engine {
    Shared(State),
    Adaptive { state: AdaptiveState, limits: SolveLimits, smallest: SmallestResidual },
}

impl SolveAtBeta {
    /// Sweeps until the solve ends or the budget is spent; returns `None` in the second case.
    pub fn run(
        &mut self,
        solver: Tap,
        data: &TrainingData,
        budget: &mut Budget,
        mut observe: impl FnMut(Residual),
    ) -> Option<Ending> {
        match &mut self.engine {
            Engine::Shared(state) => {
                let ending = solver.run(&shared_problem(data, self.likelihood), state, budget, |state| {
                    if let Some((residual, damping)) = state.last() {
                        observe(Residual { step: state.total_sweeps(), residual, damping });
                    }
                });
                self.sweeps = state.total_sweeps();
                ending
            }
            Engine::Adaptive { state, limits, smallest } => loop {
                if budget.is_spent() {
                    return None;
                }
                let residual = state.advance(&data.rows, &self.likelihood, limits.damping, budget)?;
                self.sweeps += 1;
                observe(Residual { step: self.sweeps, residual, damping: limits.damping });
                smallest.add(residual);
                if residual < TOLERANCE {
                    return Some(Ending::Converged);
                }
                if residual.is_infinite() {
                    return Some(Ending::NoSolution);
                }
                if smallest.age >= STALLED_SWEEPS && residual < STALLED_TOLERANCE {
                    return Some(Ending::Stalled);
                }
                if self.sweeps >= limits.sweeps || smallest.has_stalled(limits.damping) {
                    return Some(Ending::MaxIterations);
                }
            },
        }
    }

    /// Returns the smallest residual, and the number of sweeps after which the solve ends if there is none smaller.
    pub fn outlook(&self) -> (SmallestResidual, usize) {
        match &self.engine {
            Engine::Shared(state) => (state.smallest(), state.sweeps_left()),
            Engine::Adaptive { limits, smallest, .. } => {
                (*smallest, smallest.steps_left(limits.sweeps.saturating_sub(self.sweeps), limits.damping))
            }
        }
    }

    /// Returns the solution; `None` if a cavity has no variance or the log evidence is not finite.
    pub fn finish(self, data: &TrainingData) -> Option<BetaSolution> {
        let (solution, adaptive_state) = match self.engine {
            Engine::Shared(state) => (state.solution(&shared_problem(data, self.likelihood)), None),
            Engine::Adaptive { state, .. } => (state.solution(&data.rows)?, Some(state)),
        };
        let ln_evidence = solution.ln_evidence(data.rows.labels, &self.likelihood);
        let solution = BetaSolution { beta: self.beta, ln_evidence, solution, adaptive_state };
        ln_evidence.is_finite().then_some(solution)
    }
}

/// Returns the training set of a solve with shared variances: all examples.
pub(super) fn shared_problem<'a>(data: &TrainingData<'a>, likelihood: Likelihood) -> TrainingSet<'a> {
    TrainingSet::new(data.examples, data.examples.len(), likelihood)
}
