//! TAP and naive mean field, OW98 eqs. (10) to (13): the solver and its state. The equations are solved by the double loop of
//! `double_loop.rs`. With flips (κ > 0) it may come to variances at which there are no means; then damped sweeps (`damped.rs`) come
//! near a solution, slowly and safely, and the double loop completes it. That fall-back is here and not in `approximation.rs`, which
//! restarts solves begun at another problem's solution: both iterations go on from where the other one is, possibly several times,
//! and share the count of steps.

use super::damped::Damped;
use super::factor::{Factor, Factoring};
use super::site::Site;
use super::solution::Solution;
use super::training_set::TrainingSet;
use crate::math::Ending;
use crate::math::anderson::Anderson;

/// Which mean-field theory: with the Onsager reaction term (TAP) or without it (naive).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeanField {
    /// Variances from the response of the other examples.
    Tap,
    /// Variances of the prior.
    Naive,
}

/// The solver; `self` holds its options.
#[derive(Clone, Copy, Debug)]
pub struct Tap {
    /// Which theory.
    pub theory: MeanField,
    /// max |Δλ/λ| at which the outer loop is done.
    pub tolerance: f64,
    /// Newton steps at most, damped sweeps among them.
    pub most_steps: usize,
}

/// What must be carried from step to step.
#[derive(Clone, Debug)]
pub struct State {
    /// Cavity means γ, m.
    pub gamma: Vec<f64>,
    /// Cavity variances λ, m.
    pub lambda: Vec<f64>,
    /// Outer iterations so far, damped sweeps among them.
    pub outer_iterations: usize,
    /// Newton solves so far, damped sweeps among them.
    pub newton_solves: usize,
    /// max |F| of the inner problem, relative to the largest field.
    pub residual: f64,
    /// max |Δλ/λ| of the last outer iteration.
    pub change: f64,
    /// The smallest of them, and the outer iterations since.
    pub(super) smallest_change: f64,
    pub(super) stalled: usize,
    /// Outer iterations since the double loop began.
    pub(super) undamped: usize,
    /// Of ln λ.
    pub(super) acceleration: Anderson,
    pub(super) sites: Vec<Site>,
    /// The factorisation that the next step needs.
    pub(super) factoring: Factoring,
    /// F = γ − (C − λ) x, m.
    pub(super) force: Vec<f64>,
    phase: Phase,
    /// The damped sweeps, once there were any, and the change at which they next hand over to the double loop.
    sweeps: Option<Box<Damped>>,
    handover: f64,
}

/// Which iteration is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The double loop, begun at the solution of another problem: where it fails, the caller begins from nothing.
    Warm,
    /// The double loop, begun from nothing.
    Cold,
    /// Damped sweeps from nothing.
    Sweeps,
    /// The double loop, begun where the sweeps are.
    Completing,
    /// The double loop, begun from nothing once more and not given up early: where all else has failed.
    Patient,
}

/// The change at which damped sweeps first hand over to the double loop; after each time that it fails, this much less.
const HANDOVER: f64 = 0.03;
const HANDOVER_FACTOR: f64 = 0.01;
/// Outer iterations without a smaller change, larger than rounding, that the double loop may make where the sweeps have handed over.
const COMPLETING_PATIENCE: usize = 2;
const COMPLETING_CHANGE: f64 = 1e-6;
/// Outer iterations that Anderson acceleration remembers.
const MEMORY: usize = 4;
/// The residual of the double loop's equations that damped sweeps must reach by themselves.
const SWEPT: f64 = 1e-6;

impl Tap {
    /// With tolerances at which nothing printed changes.
    pub fn new(theory: MeanField) -> Self {
        Self { theory, tolerance: 1e-9, most_steps: 1000 }
    }

    /// The state to begin with: the prior's variances and no fields.
    pub fn init(&self, problem: &TrainingSet) -> State {
        let m = problem.len();
        self.begin(problem, vec![0.0; m], (0..m).map(|i| problem.at(i, i)).collect(), Phase::Cold)
    }

    /// The state to begin with where the solution of a similar problem is known: its cavity means and variances, m each. The
    /// fixed point is the same, but for the tolerances, wherever there is one only.
    pub fn init_near(&self, problem: &TrainingSet, gamma: &[f64], lambda: &[f64]) -> State {
        let prior = |i: usize| problem.at(i, i);
        let inside = |i: usize, lambda: f64| if lambda > 0.0 { lambda.min(prior(i)) } else { prior(i) };
        let lambda = match self.theory {
            MeanField::Tap => lambda.iter().enumerate().map(|(i, lambda)| inside(i, *lambda)).collect(),
            MeanField::Naive => (0..problem.len()).map(prior).collect(),
        };
        self.begin(problem, gamma.to_vec(), lambda, Phase::Warm)
    }

    fn begin(&self, problem: &TrainingSet, gamma: Vec<f64>, lambda: Vec<f64>, phase: Phase) -> State {
        let mut state = State {
            gamma,
            lambda,
            outer_iterations: 0,
            newton_solves: 0,
            residual: f64::INFINITY,
            change: f64::INFINITY,
            smallest_change: f64::INFINITY,
            stalled: 0,
            undamped: 0,
            acceleration: Anderson::new(MEMORY),
            sites: Vec::new(),
            factoring: Factoring::default(),
            force: Vec::new(),
            phase,
            sweeps: None,
            handover: HANDOVER,
        };
        state.restart(problem, self.theory);
        state
    }

    /// One Newton step, one update of λ or one damped sweep, or a slice of the factorisation for it; `None` while the solve goes
    /// on.
    pub fn advance(&self, problem: &TrainingSet, state: &mut State) -> Option<Ending> {
        if state.newton_solves >= self.most_steps {
            return Some(Ending::MaxIterations);
        }
        if state.phase == Phase::Sweeps {
            return self.sweep(problem, state);
        }
        let eager = self.has_sweeps(problem) && state.phase != Phase::Patient;
        let ending = state.double_loop(problem, self.tolerance, eager);
        let failed = matches!(ending, Some(Ending::NoSolution | Ending::NonFinite));
        match state.phase {
            Phase::Cold if failed && self.has_sweeps(problem) => {
                state.sweeps = Some(Box::new(Damped::new(problem)));
                state.phase = Phase::Sweeps;
                None
            }
            Phase::Completing if failed || (ending.is_none() && state.strays()) => {
                state.handover *= HANDOVER_FACTOR;
                state.phase = Phase::Sweeps;
                None
            }
            _ => ending,
        }
    }

    /// Whether there are damped sweeps to turn to.
    fn has_sweeps(&self, problem: &TrainingSet) -> bool {
        self.theory == MeanField::Tap && problem.kappa > 0.0
    }

    fn sweep(&self, problem: &TrainingSet, state: &mut State) -> Option<Ending> {
        let sweeps = state.sweeps.as_mut()?;
        let goes_on = sweeps.sweep(problem)?;
        state.newton_solves += 1;
        state.outer_iterations += 1;
        (state.change, state.residual) = (sweeps.change, sweeps.change);
        if !goes_on {
            let from_nothing = self.init(problem);
            (state.gamma, state.lambda) = (from_nothing.gamma, from_nothing.lambda);
            state.phase = Phase::Patient;
            state.restart(problem, self.theory);
            return None;
        }
        let done = sweeps.change <= self.tolerance;
        if !done && sweeps.change > state.handover {
            return None;
        }
        (state.gamma, state.lambda) = (sweeps.gamma.clone(), sweeps.lambda.clone());
        if done {
            state.refresh_sites(problem);
            return Some(if state.residual < SWEPT { Ending::Converged } else { Ending::NoSolution });
        }
        state.phase = Phase::Completing;
        state.restart(problem, self.theory);
        None
    }

    /// Steps until the end.
    pub fn solve(&self, problem: &TrainingSet) -> (State, Ending) {
        self.finish(problem, self.init(problem))
    }

    /// Steps from `state` until the end.
    pub fn finish(&self, problem: &TrainingSet, mut state: State) -> (State, Ending) {
        loop {
            if let Some(ending) = self.advance(problem, &mut state) {
                return (state, ending);
            }
        }
    }
}

impl State {
    /// Begins the double loop at this γ and λ.
    fn restart(&mut self, problem: &TrainingSet, theory: MeanField) {
        // The naive theory has no outer loop.
        self.change = if theory == MeanField::Naive { 0.0 } else { 1.0 };
        (self.smallest_change, self.stalled, self.undamped) = (f64::INFINITY, 0, 0);
        self.acceleration.clear();
        self.refresh_sites(problem);
    }

    /// Whether the double loop comes no closer.
    fn strays(&self) -> bool {
        self.stalled >= COMPLETING_PATIENCE && self.smallest_change > COMPLETING_CHANGE
    }

    /// The solution at this state; `None` where I + S C is singular.
    pub fn solution(&self, problem: &TrainingSet, theory: MeanField) -> Option<Solution> {
        let factor = Factor::new(problem, &Solution::precisions(problem, &self.gamma, &self.lambda))?;
        Some(self.solution_with(problem, theory, factor))
    }

    /// The same where `factor` is that of [`Solution::precisions`].
    pub fn solution_with(&self, problem: &TrainingSet, theory: MeanField, factor: Factor) -> Solution {
        let x = self.sites.iter().map(|site| site.x).collect();
        Solution::with(problem, x, self.gamma.clone(), self.lambda.clone(), theory, factor)
    }

    /// The factorisation under way or last done.
    pub fn factoring(&self) -> &Factoring {
        match (&self.sweeps, self.phase) {
            (Some(sweeps), Phase::Sweeps) => sweeps.factoring(),
            _ => &self.factoring,
        }
    }

    /// Whether the double loop alone did not find the solution.
    pub fn needed_sweeps(&self) -> bool {
        self.sweeps.is_some()
    }
}
