//! A parallel iteration of the TAP equations (ours; the paper does not say how it iterates): all x and λ at once, damped, to be
//! watched. It needs a damping near .02 and thousands of sweeps where the double loop needs a dozen steps, or never converges.

use std::task::Poll;

use super::factor::{Factor, Factoring, Want};
use super::site::Site;
use super::solution::Solution;
use super::tap::MeanField;
use super::training_set::TrainingSet;
use crate::math::max_or_nan;

/// What is carried from sweep to sweep.
#[derive(Clone, Debug)]
pub struct Parallel {
    /// x, m.
    pub x: Vec<f64>,
    /// λ, m.
    pub lambda: Vec<f64>,
    /// Share of each step that is taken.
    pub damping: f64,
    /// max |x_new − x| of the last sweep, relative to the largest x, or max |λ_new − λ|/λ_new if that is more.
    pub residual: f64,
    /// Sweeps so far.
    pub sweeps: usize,
    /// The factorisation of the next sweep.
    pub factoring: Factoring,
}

impl Parallel {
    /// Nothing learnt.
    pub fn new(problem: &TrainingSet, damping: f64) -> Self {
        let m = problem.len();
        let lambda = (0..m).map(|i| problem.at(i, i)).collect();
        Self {
            x: vec![0.0; m],
            lambda,
            damping,
            residual: f64::INFINITY,
            sweeps: 0,
            factoring: Factoring::default(),
        }
    }

    /// One sweep: γ = C x − λ x, x by eq. (13) and λ by eq. (12), each damped: `None` while its factorisation is under
    /// way; `false` once a number or an inverse is lost.
    pub fn sweep(&mut self, problem: &TrainingSet) -> Option<bool> {
        let h = problem.times(&self.x);
        let sites = Site::all(problem, &self.gamma(&h), &self.lambda);
        let s: Vec<f64> = sites.iter().map(|site| site.s).collect();
        let Poll::Ready(factor) = self.factoring.advance(problem, &s, Want::Diagonal) else { return None };
        let Some(factor) = factor else { return Some(false) };
        let lambda = factor.cavity_variances(problem, &s);
        let largest = sites.iter().fold(1e-300_f64, |most, site| most.max(site.x.abs()));
        self.residual = 0.0;
        for i in 0..h.len() {
            let step = sites[i].x - self.x[i];
            self.residual = max_or_nan(self.residual, step.abs() / largest);
            self.x[i] += self.damping * step;
            if problem.at(i, i) <= 0.0 {
                continue;
            }
            // Without a new variance the old one stays, and nothing is settled.
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

    /// γ = h − λ x at the fields h = C x.
    fn gamma(&self, h: &[f64]) -> Vec<f64> {
        (0..h.len()).map(|i| h[i] - self.lambda[i] * self.x[i]).collect()
    }

    /// Precisions S of the sites at this x and λ, m.
    pub fn precisions(&self, problem: &TrainingSet) -> Vec<f64> {
        Solution::precisions(problem, &self.gamma(&problem.times(&self.x)), &self.lambda)
    }

    /// TAP's solution at this x and λ, whether or not they solve its equations; `factor` is that of the precisions.
    pub fn solution(&self, problem: &TrainingSet, factor: Factor) -> Solution {
        let gamma = self.gamma(&problem.times(&self.x));
        Solution::with(problem, self.x.clone(), gamma, self.lambda.clone(), MeanField::Tap, factor)
    }
}
