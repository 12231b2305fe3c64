//! The double loop for TAP and the naive mean field: Newton's method for the cavity means at fixed variances λ, OW98 eq. (13), and
//! λ from the response, OW98 eq. (12). The naive theory is one inner solve at λ = diag C.

use std::task::Poll;

use super::factor::FactorRequest;
use super::site::Site;
use super::state::MeanFieldState;
use super::training_set::TrainingSet;
use crate::math::Ending;

/// The inner loop is solved to this fraction of the last change of the outer loop, within bounds: the loosest at which Newton's
/// steps still converge, and the tightest that rounding allows.
const INNER_FRACTION: f64 = 0.01;
const INNER_LOOSEST: f64 = 1e-3;
const INNER_TIGHTEST: f64 = 1e-10;
/// Where no step reduces it, a residual below this is rounding; above it there is no solution.
const ROUNDING: f64 = 1e-6;
/// With a residual above this at the end the solve has stalled, not converged.
const PRECISE: f64 = 1e-9;
/// Maximum number of halvings of a Newton step.
const HALVINGS: usize = 40;
/// An eager solve gives up at a step no longer than this that reduces |F|² by less than this fraction.
const USELESS_LENGTH: f64 = 0.25;
const USELESS_GAIN: f64 = 0.05;

/// Outcome of a Newton step.
enum NewtonStep {
    Taken,
    /// The factorisation for it is in progress.
    Waiting,
    /// No step along the direction reduces |F| appreciably.
    Useless,
}

impl MeanFieldState {
    /// Takes one step or a part of one: a Newton step of the inner loop, or one iteration of the outer loop. Returns `None` until
    /// the solve ends. If `eager`, where damped sweeps can follow, the loop is accelerated and given up early.
    pub(super) fn step_double_loop(
        &mut self,
        set: &TrainingSet,
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
        // Inner loop: Newton's method on F(γ) = 0, OW98 eq. (13).
        if self.residual > inner_tolerance {
            match self.newton(set, eager) {
                Err(ending) => return Some(ending),
                Ok(NewtonStep::Taken | NewtonStep::Waiting) => return None,
                Ok(NewtonStep::Useless) if self.residual >= ROUNDING => return Some(Ending::NoSolution),
                Ok(NewtonStep::Useless) => {}
            }
        }
        if settled {
            return Some(if self.residual > PRECISE { Ending::Stalled } else { Ending::Converged });
        }
        if self.outer.has_stalled() {
            return Some(Ending::Stalled);
        }
        // Outer loop: λ from OW98 eq. (12).
        self.update_lambda(set, eager).err()
    }

    /// Takes a Newton step d = −F + (C − λ) u with u = (Λ + C)⁻¹ F, halved until |F| decreases.
    fn newton(&mut self, set: &TrainingSet, eager: bool) -> Result<NewtonStep, Ending> {
        let s: Vec<f64> = self.sites.iter().map(|site| site.s).collect();
        // Where Σ is not positive definite, damped sweeps find a solution sooner than Newton steps do.
        let request = if eager { FactorRequest::PositiveDefinite } else { FactorRequest::Any };
        let Poll::Ready(factor) = self.factoring.advance(set, &s, request) else {
            return Ok(NewtonStep::Waiting);
        };
        let factor = factor.ok_or(if eager { Ending::NoSolution } else { Ending::NonFinite })?;
        self.newton_solves += 1;
        let u = factor.solve(&self.defect);
        let c_u = set.times(&u);
        let direction: Vec<f64> =
            (0..u.len()).map(|i| c_u[i] - self.lambda[i] * u[i] - self.defect[i]).collect();
        let square_norm = |defect: &[f64]| defect.iter().map(|f| f * f).sum::<f64>();
        let before = square_norm(&self.defect);
        let mut length = 1.0;
        for _ in 0..HALVINGS {
            let gamma: Vec<f64> = self.gamma.iter().zip(&direction).map(|(g, d)| g + length * d).collect();
            let sites = Site::all(set, &gamma, &self.lambda);
            let (defect, residual) = self.defect_at(set, &gamma, &sites);
            let after = square_norm(&defect);
            if after < before {
                let useless = length <= USELESS_LENGTH && after > (1.0 - USELESS_GAIN) * before;
                (self.gamma, self.sites, self.defect, self.residual) = (gamma, sites, defect, residual);
                return Ok(if useless && eager { NewtonStep::Useless } else { NewtonStep::Taken });
            }
            length *= 0.5;
        }
        Ok(NewtonStep::Useless)
    }

    /// Updates λ by OW98 eq. (12): λ ← 1/(1/`Σ_ii` − `S_i`).
    fn update_lambda(&mut self, set: &TrainingSet, eager: bool) -> Result<(), Ending> {
        let s: Vec<f64> = self.sites.iter().map(|site| site.s).collect();
        let Poll::Ready(factor) = self.factoring.advance(set, &s, FactorRequest::WithInverseDiagonal) else {
            return Ok(());
        };
        let factor = factor.ok_or(Ending::NonFinite)?;
        let damping = self.outer.damping();
        let mut change = 0.0_f64;
        let mut new = self.lambda.clone();
        // OW98 eq. (12).
        for (i, lambda) in factor.cavity_variances(set, &s).into_iter().enumerate() {
            if set.at(i, i) <= 0.0 {
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
            let next = self.outer.acceleration.next(&ln(&self.lambda), ln(&new));
            for (new, ln) in new.iter_mut().zip(next).filter(|(new, _)| **new > 0.0) {
                *new = libm::exp(ln);
            }
        }
        self.lambda = new;
        self.outer_iterations += 1;
        self.outer.count(change);
        self.change = change;
        self.refresh_sites(set);
        Ok(())
    }
}
