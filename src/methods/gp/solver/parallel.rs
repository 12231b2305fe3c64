//! A parallel iteration of the TAP equations, for comparison: all x and λ at once, damped. OW98 does not describe its iteration;
//! this one is ours. It needs a damping near 0.02 and thousands of sweeps where the double loop needs a dozen steps, or it does not
//! converge.

use std::task::Poll;

use super::cavity::cavity_means;
use super::factor::{FactorRequest, ResponseFactor, ResponseFactoring};
use super::site::Site;
use super::solution::Solution;
use super::theory::MeanFieldTheory;
use super::training_set::TrainingSet;
use crate::math::max_or_nan;

/// State of the parallel iteration.
#[derive(Clone, Debug)]
pub struct ParallelIteration {
    /// x, m.
    pub x: Vec<f64>,
    /// Cavity variances λ, m.
    pub lambda: Vec<f64>,
    /// Fraction of each step that is taken.
    pub damping: f64,
    /// max |Δx| of the last sweep before damping, relative to the largest x, or max |Δλ|/λ if that is more.
    pub residual: f64,
    /// Sweeps so far.
    pub sweeps: usize,
    /// Factorisation for the next sweep.
    pub factoring: ResponseFactoring,
}

impl ParallelIteration {
    /// Returns the state before the first sweep: x = 0 and the prior's variances.
    pub fn new(set: &TrainingSet, damping: f64) -> Self {
        let m = set.len();
        let lambda = (0..m).map(|i| set.at(i, i)).collect();
        Self {
            x: vec![0.0; m],
            lambda,
            damping,
            residual: f64::INFINITY,
            sweeps: 0,
            factoring: ResponseFactoring::default(),
        }
    }

    /// Takes one sweep: γ and x by OW98 eq. (13), λ by eq. (12), each damped. Returns `None` while its factorisation is in progress,
    /// and `false` if a number is not finite or I + S C is singular.
    pub fn sweep(&mut self, set: &TrainingSet) -> Option<bool> {
        // OW98 eq. (13).
        let sites = Site::all(set, &self.gamma(set), &self.lambda);
        let s: Vec<f64> = sites.iter().map(|site| site.s).collect();
        let Poll::Ready(factor) = self.factoring.advance(set, &s, FactorRequest::WithInverseDiagonal) else {
            return None;
        };
        let Some(factor) = factor else { return Some(false) };
        // OW98 eq. (12).
        let lambda = factor.cavity_variances(set, &s);
        let largest = sites.iter().fold(1e-300_f64, |most, site| most.max(site.x.abs()));
        self.residual = 0.0;
        for i in 0..sites.len() {
            let step = sites[i].x - self.x[i];
            self.residual = max_or_nan(self.residual, step.abs() / largest);
            self.x[i] += self.damping * step;
            if set.at(i, i) <= 0.0 {
                continue;
            }
            // Without a new variance the old one stays, and the iteration has not converged.
            let change = match lambda[i] {
                Some(lambda) if lambda > 0.0 => {
                    let step = lambda - self.lambda[i];
                    self.lambda[i] += self.damping * step;
                    step.abs() / lambda
                }
                _ => 1.0,
            };
            self.residual = max_or_nan(self.residual, change);
        }
        self.sweeps += 1;
        Some(self.residual.is_finite())
    }

    /// Returns the cavity means γ, m, of the fields h = C x, OW98 eq. (7).
    fn gamma(&self, set: &TrainingSet) -> Vec<f64> {
        cavity_means(&set.times(&self.x), &self.lambda, &self.x)
    }

    /// Returns the site precisions S at the current x and λ, m.
    pub fn precisions(&self, set: &TrainingSet) -> Vec<f64> {
        Site::precisions(set, &self.gamma(set), &self.lambda)
    }

    /// Returns the posterior at the current x and λ, which need not solve the equations, with the `factor` of the site precisions.
    pub fn solution(&self, set: &TrainingSet, factor: ResponseFactor) -> Solution {
        let gamma = self.gamma(set);
        Solution::new(set, self.x.clone(), gamma, self.lambda.clone(), MeanFieldTheory::Tap, factor)
    }
}
