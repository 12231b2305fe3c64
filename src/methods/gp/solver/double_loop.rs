//! The loop of OW98 for TAP and the naive mean field: Newton's method for the cavity means at fixed variances λ, and λ from the
//! response, eq. (12). The naive theory is one inner solve at λ = diag C.

use std::task::Poll;

use super::factor::Want;
use super::site::Site;
use super::tap::State;
use super::training_set::TrainingSet;
use crate::math::{Ending, largest};

/// The inner loop is solved to this fraction of what the outer loop still moves, within bounds: the loosest that keeps Newton's
/// steps convergent, and the tightest that rounding allows.
const INNER_FRACTION: f64 = 0.01;
const INNER_LOOSEST: f64 = 1e-3;
const INNER_TIGHTEST: f64 = 1e-10;
/// A residual below this that no step makes smaller is rounding; above it there is no solution.
const ROUNDING: f64 = 1e-6;
/// A residual above this at the end is worth saying: stalled, not converged.
const PRECISE: f64 = 1e-9;
/// Outer iterations without progress, and the change below which they mean rounding.
const STALLED_AFTER: usize = 4;
const STALLED_CHANGE: f64 = 1e-7;
/// Times that a Newton step is halved at most.
const HALVINGS: usize = 40;
/// Given up eagerly: a step no longer than this that gains less than this fraction of |F|².
const USELESS_LENGTH: f64 = 0.25;
const USELESS_GAIN: f64 = 0.05;
/// Outer iterations without damping, and the damping after them; only κ > 0 ever needs more.
const PATIENCE: usize = 30;
const DAMPING: f64 = 0.5;

/// What a Newton step came to.
enum Step {
    Taken,
    /// The factorisation for it is under way.
    Waiting,
    /// No step along the direction makes |F| smaller, or hardly so.
    Useless,
}

impl State {
    /// One step, or a piece of one: a Newton step of the inner loop, or one iteration of the outer one. `None` while there is more
    /// to do. `eager`,
    /// where there are damped sweeps to turn to: accelerated, and given up as soon as it leads nowhere.
    pub(super) fn double_loop(
        &mut self,
        problem: &TrainingSet,
        tolerance: f64,
        eager: bool,
    ) -> Option<Ending> {
        if !self.residual.is_finite() || self.lambda.iter().any(|lambda| !lambda.is_finite()) {
            return Some(Ending::NonFinite);
        }
        let settled = self.change <= tolerance;
        let inner_tolerance = if settled {
            INNER_TIGHTEST
        } else {
            (INNER_FRACTION * self.change).clamp(INNER_TIGHTEST, INNER_LOOSEST)
        };
        // Inner loop: Newton's method on F(γ) = 0, OW98 before (12).
        if self.residual > inner_tolerance {
            match self.newton(problem, eager) {
                Err(ending) => return Some(ending),
                Ok(Step::Taken | Step::Waiting) => return None,
                Ok(Step::Useless) if self.residual >= ROUNDING => return Some(Ending::NoSolution),
                Ok(Step::Useless) => {}
            }
        }
        if settled {
            return Some(if self.residual > PRECISE { Ending::Stalled } else { Ending::Converged });
        }
        if self.stalled >= STALLED_AFTER && self.smallest_change < STALLED_CHANGE {
            return Some(Ending::Stalled);
        }
        // Outer loop: λ from (12).
        self.update_lambda(problem, eager).err()
    }

    /// Sites and F = γ − (C − λ) x at this γ and λ.
    pub(super) fn refresh_sites(&mut self, problem: &TrainingSet) {
        self.sites = Site::all(problem, &self.gamma, &self.lambda);
        (self.force, self.residual) = self.force_at(problem, &self.gamma, &self.sites);
    }

    fn force_at(&self, problem: &TrainingSet, gamma: &[f64], sites: &[Site]) -> (Vec<f64>, f64) {
        let x: Vec<f64> = sites.iter().map(|site| site.x).collect();
        let h = problem.times(&x);
        let force: Vec<f64> = (0..gamma.len()).map(|i| gamma[i] - h[i] + self.lambda[i] * x[i]).collect();
        let scale = h.iter().chain(gamma).fold(1e-300_f64, |most, h| most.max(h.abs()));
        let residual = largest(&force) / scale;
        (force, residual)
    }

    /// d = −F + (C − λ) u with u = (Λ + C)⁻¹ F, halved until |F| falls.
    fn newton(&mut self, problem: &TrainingSet, eager: bool) -> Result<Step, Ending> {
        let s: Vec<f64> = self.sites.iter().map(|site| site.s).collect();
        // Where the covariances are not positive definite there is nothing to be found that damped sweeps would not find sooner.
        let want = if eager { Want::Definite } else { Want::Factor };
        let Poll::Ready(factor) = self.factoring.advance(problem, &s, want) else { return Ok(Step::Waiting) };
        let factor = factor.ok_or(if eager { Ending::NoSolution } else { Ending::NonFinite })?;
        self.newton_solves += 1;
        let u = factor.solve(&self.force);
        let c_u = problem.times(&u);
        let direction: Vec<f64> =
            (0..u.len()).map(|i| c_u[i] - self.lambda[i] * u[i] - self.force[i]).collect();
        let norm = |force: &[f64]| force.iter().map(|f| f * f).sum::<f64>();
        let before = norm(&self.force);
        let mut length = 1.0;
        for _ in 0..HALVINGS {
            let gamma: Vec<f64> = self.gamma.iter().zip(&direction).map(|(g, d)| g + length * d).collect();
            let sites = Site::all(problem, &gamma, &self.lambda);
            let (force, residual) = self.force_at(problem, &gamma, &sites);
            let after = norm(&force);
            if after < before {
                let useless = length <= USELESS_LENGTH && after > (1.0 - USELESS_GAIN) * before;
                (self.gamma, self.sites, self.force, self.residual) = (gamma, sites, force, residual);
                return Ok(if useless && eager { Step::Useless } else { Step::Taken });
            }
            length *= 0.5;
        }
        Ok(Step::Useless)
    }

    /// λ ← 1/(1/Σ_ii − S_i), eq. (12).
    fn update_lambda(&mut self, problem: &TrainingSet, eager: bool) -> Result<(), Ending> {
        let s: Vec<f64> = self.sites.iter().map(|site| site.s).collect();
        let Poll::Ready(factor) = self.factoring.advance(problem, &s, Want::Diagonal) else { return Ok(()) };
        let factor = factor.ok_or(Ending::NonFinite)?;
        let damping = if self.undamped >= PATIENCE { DAMPING } else { 1.0 };
        let mut change = 0.0_f64;
        let mut new = self.lambda.clone();
        for (i, lambda) in factor.cavity_variances(problem, &s).into_iter().enumerate() {
            if problem.at(i, i) <= 0.0 {
                continue;
            }
            let lambda = lambda.filter(|lambda| *lambda > 0.0).ok_or(Ending::NoSolution)?;
            let step = lambda - self.lambda[i];
            change = change.max(step.abs() / lambda);
            new[i] += damping * step;
        }
        if eager {
            let ln = |lambda: &[f64]| -> Vec<f64> {
                lambda.iter().map(|l| if *l > 0.0 { libm::log(*l) } else { 0.0 }).collect()
            };
            let next = self.acceleration.next(&ln(&self.lambda), ln(&new));
            for (new, ln) in new.iter_mut().zip(next).filter(|(new, _)| **new > 0.0) {
                *new = libm::exp(ln);
            }
        }
        self.lambda = new;
        self.outer_iterations += 1;
        self.undamped += 1;
        self.change = change;
        if change < self.smallest_change {
            (self.smallest_change, self.stalled) = (change, 0);
        } else {
            self.stalled += 1;
        }
        self.refresh_sites(problem);
        Ok(())
    }
}
