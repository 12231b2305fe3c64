//! Laplace's approximation for the probit likelihood, for comparison: a Gaussian at the mode of the noise-free fields f ~ N(0, K) with
//! p(τ|f) = κ + (1−2κ) Φ(τ f/√v). It needs v > 0.

use std::task::Poll;

use super::cavity::left_out_fields;
use super::factor::{FactorRequest, ResponseFactor, ResponseFactoring};
use super::site::Site;
use super::training_set::TrainingSet;
use crate::math::{Ending, max_or_nan};

/// Laplace's approximation: a Gaussian at the mode of the posterior of the latent function.
pub struct Laplace {
    /// K⁻¹ f at the mode, m.
    pub a: Vec<f64>,
    /// Mode f, m.
    pub f: Vec<f64>,
    /// Curvatures W of the log likelihood at the mode, m.
    pub w: Vec<f64>,
    /// Approximate log evidence.
    pub ln_evidence: f64,
    /// I + W K, factored at the mode.
    pub factor: ResponseFactor,
}

/// Newton's method for the mode, with steps halved until the log posterior increases.
pub struct ModeSearch {
    v: f64,
    /// K⁻¹ f, m.
    pub a: Vec<f64>,
    f: Vec<f64>,
    sites: Vec<Site>,
    ln_posterior: f64,
    /// Newton solves so far.
    pub newton_solves: usize,
    /// max |K⁻¹f − ∇ ln p(τ|f)|, which is 0 at the mode, relative to the largest element of K⁻¹f.
    pub residual: f64,
    /// Factorisation for the next step.
    pub factoring: ResponseFactoring,
}

/// Newton steps at most.
const MAX_STEPS: usize = 200;
/// Residual at which the search has converged, if the log posterior no longer increases.
const TOLERANCE: f64 = 1e-6;
/// Gain of the log posterior below which a step is rounding, relative to its magnitude.
const ROUNDING: f64 = 1e-13;
/// Shortest fraction of a Newton step that is tried.
const MIN_STEP_FRACTION: f64 = 1e-12;

impl ModeSearch {
    /// Returns the search from f = 0. `set` has the covariances K without noise.
    pub fn new(set: &TrainingSet, v: f64) -> Self {
        Self::near(set, v, vec![0.0; set.len()])
    }

    /// Returns the search from f = K `a` (m), the mode of a similar problem.
    pub fn near(set: &TrainingSet, v: f64, a: Vec<f64>) -> Self {
        let f = set.times(&a);
        let sites = sites(set, v, &f);
        let ln_posterior = ln_posterior(&a, &f, &sites);
        let factoring = ResponseFactoring::default();
        Self { v, a, f, sites, ln_posterior, newton_solves: 0, residual: f64::INFINITY, factoring }
    }

    /// Takes one Newton step, or does a slice of the factorisation for it. Returns `None` until the search ends.
    pub fn step(&mut self, set: &TrainingSet) -> Option<Ending> {
        if self.newton_solves >= MAX_STEPS {
            return Some(Ending::MaxIterations);
        }
        // With κ = 0 all W are positive; with flips only the positive part of W gives a direction of ascent.
        let w: Vec<f64> = self.sites.iter().map(|s| s.w.max(0.0)).collect();
        let Poll::Ready(factor) = self.factoring.advance(set, &w, FactorRequest::Any) else {
            return None;
        };
        let Some(factor) = factor else { return Some(Ending::NonFinite) };
        self.newton_solves += 1;
        // a ← b − (W⁻¹ + K)⁻¹ K b with b = W f + ∇.
        let b: Vec<f64> = (0..set.len()).map(|i| w[i] * self.f[i] + self.sites[i].x).collect();
        let k_b = set.times(&b);
        let newton: Vec<f64> = b.iter().zip(factor.solve(&k_b)).map(|(b, u)| b - u).collect();
        let gain = self.line_search(set, &newton);
        let largest = self.a.iter().fold(1e-300_f64, |most, a| most.max(a.abs()));
        let worst =
            self.a.iter().zip(&self.sites).fold(0.0, |most, (a, s)| max_or_nan(most, (a - s.x).abs()));
        self.residual = worst / largest;
        // Without a gain the search is at the mode, or rounding hides the direction of ascent.
        match gain {
            Some(gain) if gain > ROUNDING * (1.0 + self.ln_posterior.abs()) => None,
            _ if self.residual < TOLERANCE => Some(Ending::Converged),
            Some(gain) if gain > 0.0 => None,
            _ => Some(Ending::NoSolution),
        }
    }

    /// Moves a towards `newton` (m), halving the step until the log posterior does not decrease. Returns the gain; `None` if there is
    /// no such step.
    fn line_search(&mut self, set: &TrainingSet, newton: &[f64]) -> Option<f64> {
        let mut length = 1.0;
        while length > MIN_STEP_FRACTION {
            let a: Vec<f64> = self.a.iter().zip(newton).map(|(a, n)| a + length * (n - a)).collect();
            let f = set.times(&a);
            let sites = sites(set, self.v, &f);
            let value = ln_posterior(&a, &f, &sites);
            if value >= self.ln_posterior {
                let gain = value - self.ln_posterior;
                (self.a, self.f, self.sites, self.ln_posterior) = (a, f, sites, value);
                return Some(gain);
            }
            length *= 0.5;
        }
        None
    }

    /// Returns the curvatures W of the log likelihood at the current f, m.
    pub fn curvatures(&self) -> Vec<f64> {
        self.sites.iter().map(|s| s.w).collect()
    }

    /// Returns the approximation at the current f, with the `factor` of the curvatures; `None` if its evidence is not finite.
    pub fn approximation(&self, factor: ResponseFactor) -> Option<Laplace> {
        let w = self.curvatures();
        let ln_evidence = self.ln_posterior - 0.5 * factor.ln_det();
        let (a, f) = (self.a.clone(), self.f.clone());
        Some(Laplace { a, f, w, ln_evidence, factor }).filter(|l| l.ln_evidence.is_finite())
    }
}

/// Returns the sites at fields `f` (m) whose noise has variance `v`, m.
fn sites(set: &TrainingSet, v: f64, f: &[f64]) -> Vec<Site> {
    f.iter().zip(&set.tau).map(|(f, tau)| Site::at(*f, v, *tau, set.kappa)).collect()
}

/// Returns ln p(τ|f) − ½ fᵀ K⁻¹ f with `a` = K⁻¹ f (m).
fn ln_posterior(a: &[f64], f: &[f64], sites: &[Site]) -> f64 {
    sites.iter().map(|s| s.ln_z0).sum::<f64>() - 0.5 * a.iter().zip(f).map(|(a, f)| a * f).sum::<f64>()
}

impl Laplace {
    /// Returns the approximation at the mode; `None` if the search does not converge. `set` has the covariances K without noise.
    pub fn fit(set: &TrainingSet, v: f64) -> Option<Self> {
        let mut search = ModeSearch::new(set, v);
        loop {
            if let Some(ending) = search.step(set) {
                let factor = ResponseFactor::new(set, &search.curvatures())?;
                return if ending.is_solution() { search.approximation(factor) } else { None };
            }
        }
    }

    /// Returns mean and variance of the noise-free field of each example left out, m: the Gaussian at the mode without the factor
    /// that approximates the example's likelihood.
    pub fn left_out(&self, set: &TrainingSet) -> Vec<(f64, f64)> {
        left_out_fields(set, &self.factor, &self.w, &self.f, &self.a)
    }
}
