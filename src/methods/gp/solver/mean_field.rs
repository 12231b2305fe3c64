//! The solver of the mean-field equations, OW98 eqs. (12) and (13), for TAP and the naive theory.
//!
//! The double loop (`double_loop.rs`) solves the equations. With flips (κ > 0) it may reach variances at which there are no means;
//! then damped sweeps (`damped.rs`) approach a solution slowly and safely, and the double loop completes it. Both iterations
//! continue from each other's state, possibly several times, and share the count of steps. Restarting a failed warm start is up to
//! the caller (`approximation.rs`).

use super::damped::DampedSweeps;
use super::state::{MeanFieldState, SolvePhase};
use super::theory::MeanFieldTheory;
use super::training_set::TrainingSet;
use crate::math::Ending;

/// The solver; its fields are the options.
#[derive(Clone, Copy, Debug)]
pub struct MeanFieldSolver {
    /// Mean-field theory.
    pub theory: MeanFieldTheory,
    /// max |Δλ/λ| at which the outer loop has converged.
    pub tolerance: f64,
    /// Newton steps at most, including damped sweeps.
    pub max_steps: usize,
}

/// Factor of the change at which damped sweeps hand over to the double loop, after each failure of the latter.
const HANDOVER_FACTOR: f64 = 0.01;
/// Residual of the double loop's equations at which the end of damped sweeps is a solution.
const SWEPT: f64 = 1e-6;

impl MeanFieldSolver {
    /// Returns a solver with tolerances far below the digits that are printed.
    pub fn new(theory: MeanFieldTheory) -> Self {
        Self { theory, tolerance: 1e-9, max_steps: 1000 }
    }

    /// Returns the initial state of a cold start: γ = 0 and the prior's variances.
    pub fn init(&self, set: &TrainingSet) -> MeanFieldState {
        let m = set.len();
        let prior = (0..m).map(|i| set.at(i, i)).collect();
        MeanFieldState::new(set, self.theory, vec![0.0; m], prior, SolvePhase::Cold)
    }

    /// Returns the initial state of a warm start at the cavity means and variances (m each) of a similar problem's solution. A
    /// unique fixed point is the same as from a cold start, within the tolerances.
    pub fn init_near(&self, set: &TrainingSet, gamma: &[f64], lambda: &[f64]) -> MeanFieldState {
        let prior = |i: usize| set.at(i, i);
        let inside = |i: usize, lambda: f64| if lambda > 0.0 { lambda.min(prior(i)) } else { prior(i) };
        let lambda = match self.theory {
            MeanFieldTheory::Tap => lambda.iter().enumerate().map(|(i, lambda)| inside(i, *lambda)).collect(),
            // OW98 §4: λ = diag C.
            MeanFieldTheory::Naive => (0..set.len()).map(prior).collect(),
        };
        MeanFieldState::new(set, self.theory, gamma.to_vec(), lambda, SolvePhase::Warm)
    }

    /// Returns the state at a solution with these cavity means and variances, m each.
    pub(super) fn restore(&self, set: &TrainingSet, gamma: Vec<f64>, lambda: Vec<f64>) -> MeanFieldState {
        MeanFieldState::new(set, self.theory, gamma, lambda, SolvePhase::Warm)
    }

    /// Takes one Newton step, one update of λ or one damped sweep, or does a slice of the factorisation for it. Returns `None` until
    /// the solve ends.
    pub fn advance(&self, set: &TrainingSet, state: &mut MeanFieldState) -> Option<Ending> {
        if state.newton_solves >= self.max_steps {
            return Some(Ending::MaxIterations);
        }
        if state.phase == SolvePhase::Sweeps {
            return self.sweep(set, state);
        }
        let eager = self.has_sweeps(set) && state.phase != SolvePhase::Patient;
        let ending = state.step_double_loop(set, self.tolerance, eager);
        let failed = matches!(ending, Some(Ending::NoSolution | Ending::NonFinite));
        match state.phase {
            SolvePhase::Cold if failed && self.has_sweeps(set) => {
                state.sweeps = Some(Box::new(DampedSweeps::new(set)));
                state.phase = SolvePhase::Sweeps;
                None
            }
            SolvePhase::Completing
                if failed || (ending.is_none() && state.outer.has_stalled_after_sweeps()) =>
            {
                state.handover *= HANDOVER_FACTOR;
                state.phase = SolvePhase::Sweeps;
                None
            }
            _ => ending,
        }
    }

    /// Returns true if damped sweeps can follow a failure of the double loop.
    fn has_sweeps(&self, set: &TrainingSet) -> bool {
        self.theory == MeanFieldTheory::Tap && set.kappa > 0.0
    }

    fn sweep(&self, set: &TrainingSet, state: &mut MeanFieldState) -> Option<Ending> {
        let sweeps = state.sweeps.as_mut()?;
        let continues = sweeps.sweep(set)?;
        state.newton_solves += 1;
        state.outer_iterations += 1;
        (state.change, state.residual) = (sweeps.change, sweeps.change);
        if !continues {
            let cold = self.init(set);
            (state.gamma, state.lambda) = (cold.gamma, cold.lambda);
            state.phase = SolvePhase::Patient;
            state.restart_double_loop(set, self.theory);
            return None;
        }
        let converged = sweeps.change <= self.tolerance;
        if !converged && sweeps.change > state.handover {
            return None;
        }
        (state.gamma, state.lambda) = (sweeps.gamma.clone(), sweeps.lambda.clone());
        if converged {
            state.refresh_sites(set);
            return Some(if state.residual < SWEPT { Ending::Converged } else { Ending::NoSolution });
        }
        state.phase = SolvePhase::Completing;
        state.restart_double_loop(set, self.theory);
        None
    }

    /// Solves from a cold start.
    pub fn solve(&self, set: &TrainingSet) -> (MeanFieldState, Ending) {
        self.finish(set, self.init(set))
    }

    /// Solves from `state`.
    pub fn finish(&self, set: &TrainingSet, mut state: MeanFieldState) -> (MeanFieldState, Ending) {
        loop {
            if let Some(ending) = self.advance(set, &mut state) {
                return (state, ending);
            }
        }
    }
}
