//! The state of the mean-field solver between two steps.

use super::cavity::onsager_reaction;
use super::damped::DampedSweeps;
use super::factor::{ResponseFactor, ResponseFactoring};
use super::site::Site;
use super::solution::Solution;
use super::theory::Theory;
use super::training_set::TrainingSet;
use crate::math::anderson::Anderson;
use crate::math::largest;

/// State of a solve by [`super::mean_field::MeanFieldSolver`].
#[derive(Clone, Debug)]
pub struct State {
    /// Cavity means γ, m.
    pub gamma: Vec<f64>,
    /// Cavity variances λ, m.
    pub lambda: Vec<f64>,
    /// Outer iterations so far, including damped sweeps.
    pub outer_iterations: usize,
    /// Newton solves so far, including damped sweeps.
    pub newton_solves: usize,
    /// max |F| of the inner problem, relative to the largest field.
    pub residual: f64,
    /// max |Δλ/λ| of the last outer iteration.
    pub change: f64,
    /// The smallest `change` since the double loop began, and the outer iterations since then.
    pub(super) smallest_change: f64,
    pub(super) stalled: usize,
    /// Outer iterations since the double loop began.
    pub(super) undamped: usize,
    /// Anderson acceleration of ln λ.
    pub(super) acceleration: Anderson,
    pub(super) sites: Vec<Site>,
    /// Factorisation for the next step.
    pub(super) factoring: ResponseFactoring,
    /// F = γ − (C − λ) x, m: 0 at a solution of OW98 eq. (13).
    pub(super) defect: Vec<f64>,
    pub(super) phase: SolvePhase,
    /// The damped sweeps, once there were any.
    pub(super) sweeps: Option<Box<DampedSweeps>>,
    /// The change at which the damped sweeps next hand over to the double loop.
    pub(super) handover: f64,
}

/// The iteration in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SolvePhase {
    /// The double loop from the solution of another problem. If it fails, the caller starts a cold solve.
    Warm,
    /// The double loop from the prior.
    Cold,
    /// Damped sweeps from the prior.
    Sweeps,
    /// The double loop from where the sweeps are.
    Completing,
    /// The double loop from the prior without early abandonment, after everything else has failed.
    Patient,
}

/// The change at which damped sweeps first hand over to the double loop.
const HANDOVER: f64 = 0.03;
/// Outer iterations that Anderson acceleration uses.
const MEMORY: usize = 4;
/// Outer iterations without a smaller change, larger than rounding, that the double loop may make after the sweeps.
const COMPLETING_PATIENCE: usize = 2;
const COMPLETING_CHANGE: f64 = 1e-6;

impl State {
    pub(super) fn new(
        problem: &TrainingSet,
        theory: Theory,
        gamma: Vec<f64>,
        lambda: Vec<f64>,
        phase: SolvePhase,
    ) -> Self {
        let mut state = Self {
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
            factoring: ResponseFactoring::default(),
            defect: Vec::new(),
            phase,
            sweeps: None,
            handover: HANDOVER,
        };
        state.restart_double_loop(problem, theory);
        state
    }

    /// Starts the double loop at the present γ and λ.
    pub(super) fn restart_double_loop(&mut self, problem: &TrainingSet, theory: Theory) {
        // The naive theory has no outer loop.
        self.change = if theory == Theory::Naive { 0.0 } else { 1.0 };
        (self.smallest_change, self.stalled, self.undamped) = (f64::INFINITY, 0, 0);
        self.acceleration.clear();
        self.refresh_sites(problem);
    }

    /// Computes sites and F at the present γ and λ.
    pub(super) fn refresh_sites(&mut self, problem: &TrainingSet) {
        self.sites = Site::all(problem, &self.gamma, &self.lambda);
        (self.defect, self.residual) = self.defect_at(problem, &self.gamma, &self.sites);
    }

    /// Returns F = γ − (C − λ) x at cavity means `gamma` (m) with their `sites`, and the residual.
    pub(super) fn defect_at(&self, problem: &TrainingSet, gamma: &[f64], sites: &[Site]) -> (Vec<f64>, f64) {
        let x: Vec<f64> = sites.iter().map(|site| site.x).collect();
        // OW98 eq. (7).
        let h = problem.times(&x);
        // OW98 eq. (13): γ − h + λx, with the Onsager reaction term λx.
        let defect: Vec<f64> =
            (0..gamma.len()).map(|i| gamma[i] - h[i] + onsager_reaction(self.lambda[i], x[i])).collect();
        let scale = h.iter().chain(gamma).fold(1e-300_f64, |most, h| most.max(h.abs()));
        let residual = largest(&defect) / scale;
        (defect, residual)
    }

    /// True if the double loop that follows damped sweeps has stalled far from a solution.
    pub(super) fn has_stalled_after_sweeps(&self) -> bool {
        self.stalled >= COMPLETING_PATIENCE && self.smallest_change > COMPLETING_CHANGE
    }

    /// Returns the solution at this state; `None` if I + S C is singular.
    pub fn solution(&self, problem: &TrainingSet, theory: Theory) -> Option<Solution> {
        let s = Site::precisions(problem, &self.gamma, &self.lambda);
        let factor = ResponseFactor::new(problem, &s)?;
        Some(self.solution_with(problem, theory, factor))
    }

    /// Returns the solution at this state, with the `factor` of its site precisions.
    pub fn solution_with(&self, problem: &TrainingSet, theory: Theory, factor: ResponseFactor) -> Solution {
        let x = self.sites.iter().map(|site| site.x).collect();
        Solution::new(problem, x, self.gamma.clone(), self.lambda.clone(), theory, factor)
    }

    /// Returns the factorisation in progress, or the last one.
    pub fn factoring(&self) -> &ResponseFactoring {
        match (&self.sweeps, self.phase) {
            (Some(sweeps), SolvePhase::Sweeps) => sweeps.factoring(),
            _ => &self.factoring,
        }
    }

    /// True if the double loop alone did not find the solution.
    pub fn needed_sweeps(&self) -> bool {
        self.sweeps.is_some()
    }
}
