//! The state of the mean-field solver between two steps.

use super::cavity::onsager_reaction;
use super::damped::DampedSweeps;
use super::factor::{ResponseFactor, ResponseFactoring};
use super::outer_loop::OuterLoop;
use super::site::Site;
use super::solution::Solution;
use super::theory::MeanFieldTheory;
use super::training_set::TrainingSet;
use crate::math::largest;

/// State of a solve by [`super::mean_field::MeanFieldSolver`].
#[derive(Clone, Debug)]
pub struct MeanFieldState {
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
    /// Progress of the outer loop since the double loop began.
    pub(super) outer: OuterLoop,
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

impl MeanFieldState {
    pub(super) fn new(
        set: &TrainingSet,
        theory: MeanFieldTheory,
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
            outer: OuterLoop::new(),
            sites: Vec::new(),
            factoring: ResponseFactoring::default(),
            defect: Vec::new(),
            phase,
            sweeps: None,
            handover: HANDOVER,
        };
        state.restart_double_loop(set, theory);
        state
    }

    /// Starts the double loop at the current γ and λ.
    pub(super) fn restart_double_loop(&mut self, set: &TrainingSet, theory: MeanFieldTheory) {
        // The naive theory has no outer loop.
        self.change = if theory == MeanFieldTheory::Naive { 0.0 } else { 1.0 };
        self.outer = OuterLoop::new();
        self.refresh_sites(set);
    }

    /// Computes sites and F at the current γ and λ.
    pub(super) fn refresh_sites(&mut self, set: &TrainingSet) {
        self.sites = Site::all(set, &self.gamma, &self.lambda);
        (self.defect, self.residual) = self.defect_at(set, &self.gamma, &self.sites);
    }

    /// Returns F = γ − (C − λ) x at cavity means `gamma` (m) with their `sites`, and the residual.
    pub(super) fn defect_at(&self, set: &TrainingSet, gamma: &[f64], sites: &[Site]) -> (Vec<f64>, f64) {
        let x: Vec<f64> = sites.iter().map(|site| site.x).collect();
        // OW98 eq. (7).
        let h = set.times(&x);
        // OW98 eq. (13): γ − h + λx, with the Onsager reaction term λx.
        let defect: Vec<f64> =
            (0..gamma.len()).map(|i| gamma[i] - h[i] + onsager_reaction(self.lambda[i], x[i])).collect();
        let scale = h.iter().chain(gamma).fold(1e-300_f64, |most, h| most.max(h.abs()));
        let residual = largest(&defect) / scale;
        (defect, residual)
    }

    /// Returns the solution at this state; `None` if I + S C is singular.
    pub fn solution(&self, set: &TrainingSet, theory: MeanFieldTheory) -> Option<Solution> {
        let s = Site::precisions(set, &self.gamma, &self.lambda);
        let factor = ResponseFactor::new(set, &s)?;
        Some(self.solution_with(set, theory, factor))
    }

    /// Returns the solution at this state, with the `factor` of its site precisions.
    pub fn solution_with(
        &self,
        set: &TrainingSet,
        theory: MeanFieldTheory,
        factor: ResponseFactor,
    ) -> Solution {
        let x = self.sites.iter().map(|site| site.x).collect();
        Solution::new(set, x, self.gamma.clone(), self.lambda.clone(), theory, factor)
    }

    /// Returns the factorisation in progress, or the last one.
    pub fn factoring(&self) -> &ResponseFactoring {
        match (&self.sweeps, self.phase) {
            (Some(sweeps), SolvePhase::Sweeps) => sweeps.factoring(),
            _ => &self.factoring,
        }
    }

    /// Returns true if the double loop alone did not find the solution.
    #[cfg(test)]
    pub fn needed_sweeps(&self) -> bool {
        self.sweeps.is_some()
    }
}
