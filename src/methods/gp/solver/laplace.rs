//! Laplace's approximation for the probit likelihood, to compare with: a Gaussian at the mode of the noise-free fields
//! f ~ N(0, K) with p(τ|f) = κ + (1−2κ) Φ(τ f/√v). It needs v > 0.

use std::task::Poll;

use super::factor::{Factor, Factoring, Want};
use super::site::Site;
use super::training_set::TrainingSet;
use crate::math::{Ending, max_or_nan};

/// Laplace's approximation: a Gaussian at the mode of the posterior of the latent function.
pub struct Laplace {
    /// K⁻¹ f at the mode, m.
    pub a: Vec<f64>,
    /// The mode f, m.
    pub f: Vec<f64>,
    /// Curvatures W of the log likelihood at the mode, m.
    pub w: Vec<f64>,
    /// Approximate log evidence.
    pub ln_evidence: f64,
    /// I + W K, factored at the mode.
    pub factor: Factor,
}

/// The way to the mode by Newton's method, steps halved until the log posterior grows.
pub struct Search {
    v: f64,
    /// K⁻¹ f, m.
    pub a: Vec<f64>,
    f: Vec<f64>,
    sites: Vec<Site>,
    objective: f64,
    /// Newton solves so far.
    pub newton_solves: usize,
    /// max |K⁻¹f − ∇ ln p(τ|f)|, which is 0 at the mode, relative to the largest element.
    pub residual: f64,
    /// The factorisation of the next step.
    pub factoring: Factoring,
}

/// Newton steps at most.
const MOST_STEPS: usize = 200;
/// The residual at which nothing printed changes any more.
const SETTLED: f64 = 1e-6;

impl Search {
    /// Begins at f = 0. `problem` has the covariances K without noise.
    pub fn new(problem: &TrainingSet, v: f64) -> Self {
        Self::near(problem, v, vec![0.0; problem.len()])
    }

    /// Begins at f = K `a` (m), the mode of a similar problem.
    pub fn near(problem: &TrainingSet, v: f64, a: Vec<f64>) -> Self {
        let f = problem.times(&a);
        let sites = sites(problem, v, &f);
        let objective = objective(&a, &f, &sites);
        let factoring = Factoring::default();
        Self { v, a, f, sites, objective, newton_solves: 0, residual: f64::INFINITY, factoring }
    }

    /// One Newton step, or a slice of the factorisation for it; `None` while there is more to gain.
    pub fn step(&mut self, problem: &TrainingSet) -> Option<Ending> {
        if self.newton_solves >= MOST_STEPS {
            return Some(Ending::MaxIterations);
        }
        let m = problem.len();
        // W > 0 for κ = 0; with flips only its positive part leaves a direction of ascent.
        let w: Vec<f64> = self.sites.iter().map(|s| s.w.max(0.0)).collect();
        let Poll::Ready(factor) = self.factoring.advance(problem, &w, Want::Factor) else { return None };
        let Some(factor) = factor else { return Some(Ending::NonFinite) };
        self.newton_solves += 1;
        let target: Vec<f64> = (0..m).map(|i| w[i] * self.f[i] + self.sites[i].x).collect();
        // a ← b − (W⁻¹ + K)⁻¹ K b with b = W f + ∇.
        let k_b = problem.times(&target);
        let newton: Vec<f64> = target.iter().zip(factor.solve(&k_b)).map(|(b, u)| b - u).collect();
        let mut length = 1.0;
        let mut gain = None;
        while length > 1e-12 {
            let trial: Vec<f64> = self.a.iter().zip(&newton).map(|(a, n)| a + length * (n - a)).collect();
            let fields = problem.times(&trial);
            let there = sites(problem, self.v, &fields);
            let value = objective(&trial, &fields, &there);
            if value >= self.objective {
                gain = Some(value - self.objective);
                (self.a, self.f, self.sites, self.objective) = (trial, fields, there, value);
                break;
            }
            length *= 0.5;
        }
        let largest = self.a.iter().fold(1e-300_f64, |most, a| most.max(a.abs()));
        let worst =
            self.a.iter().zip(&self.sites).fold(0.0, |most, (a, s)| max_or_nan(most, (a - s.x).abs()));
        self.residual = worst / largest;
        // Where nothing is gained any more one may be at the mode, or where rounding hides the way to it.
        match gain {
            Some(gain) if gain > 1e-13 * (1.0 + self.objective.abs()) => None,
            _ if self.residual < SETTLED => Some(Ending::Converged),
            Some(gain) if gain > 0.0 => None,
            _ => Some(Ending::NoSolution),
        }
    }

    /// Curvatures W of the log likelihood here, m.
    pub fn curvatures(&self) -> Vec<f64> {
        self.sites.iter().map(|s| s.w).collect()
    }

    /// The approximation here, with `factor` that of the curvatures; `None` where its evidence is not finite.
    pub fn approximation(&self, factor: Factor) -> Option<Laplace> {
        let w = self.curvatures();
        let ln_evidence = self.objective - 0.5 * factor.ln_det();
        let (a, f) = (self.a.clone(), self.f.clone());
        Some(Laplace { a, f, w, ln_evidence, factor }).filter(|l| l.ln_evidence.is_finite())
    }
}

fn sites(problem: &TrainingSet, v: f64, f: &[f64]) -> Vec<Site> {
    f.iter().zip(&problem.tau).map(|(f, tau)| Site::at(*f, v, *tau, problem.kappa)).collect()
}

fn objective(a: &[f64], f: &[f64], sites: &[Site]) -> f64 {
    sites.iter().map(|s| s.ln_z0).sum::<f64>() - 0.5 * a.iter().zip(f).map(|(a, f)| a * f).sum::<f64>()
}

impl Laplace {
    /// Steps to the mode; `None` where it is not found. `problem` has the covariances K without noise.
    pub fn fit(problem: &TrainingSet, v: f64) -> Option<Self> {
        let mut search = Search::new(problem, v);
        loop {
            if let Some(ending) = search.step(problem) {
                let factor = Factor::new(problem, &search.curvatures())?;
                return if ending.is_solution() { search.approximation(factor) } else { None };
            }
        }
    }

    /// Means and variances of the noise-free fields of examples left out, m each: the Gaussian at the mode without the
    /// factor that stands for the example's own likelihood.
    pub fn left_out(&self, problem: &TrainingSet) -> Vec<(f64, f64)> {
        (self.factor.cavity_variances(problem, &self.w).into_iter().enumerate())
            .map(|(i, var)| match var {
                Some(var) => (self.f[i] - var * self.a[i], var),
                None => (self.f[i], problem.at(i, i)),
            })
            .collect()
    }
}
