//! Laplace's approximation for the probit likelihood, to compare with: a Gaussian at the mode of the noise-free fields
//! f ~ N(0, K) with p(τ|f) = κ + (1−2κ) Φ(τ f/√v). It needs v > 0.

use super::factor::Factor;
use super::problem::Problem;
use super::site::Site;

/// The approximation at the mode.
pub struct Laplace {
    /// K⁻¹ f at the mode, m.
    pub a: Vec<f64>,
    /// The mode f, m.
    pub f: Vec<f64>,
    /// Approximate log evidence.
    pub ln_evidence: f64,
    /// I + W K, factored at the mode.
    pub factor: Factor,
    /// Newton solves.
    pub newton_solves: usize,
}

impl Laplace {
    /// The mode by Newton's method, steps halved until the log posterior grows; `None` where it does not settle. `problem` has
    /// the covariances K without noise.
    pub fn fit(problem: &Problem, v: f64) -> Option<Self> {
        let m = problem.len();
        let sites = |f: &[f64]| -> Vec<Site> {
            f.iter().zip(&problem.tau).map(|(f, tau)| Site::at(*f, v, *tau, problem.kappa)).collect()
        };
        let objective = |a: &[f64], f: &[f64], sites: &[Site]| -> f64 {
            sites.iter().map(|s| s.ln_z0).sum::<f64>()
                - 0.5 * a.iter().zip(f).map(|(a, f)| a * f).sum::<f64>()
        };
        let (mut a, mut f) = (vec![0.0; m], vec![0.0; m]);
        let mut here = sites(&f);
        let mut best = objective(&a, &f, &here);
        for solves in 1..=200 {
            // W > 0 for κ = 0; with flips only its positive part leaves a direction of ascent.
            let w: Vec<f64> = here.iter().map(|s| s.w.max(0.0)).collect();
            let factor = Factor::new(problem, &w)?;
            let target: Vec<f64> = (0..m).map(|i| w[i] * f[i] + here[i].x).collect();
            // a ← b − (W⁻¹ + K)⁻¹ K b with b = W f + ∇.
            let k_b = problem.times(&target);
            let newton: Vec<f64> = target.iter().zip(factor.solve(&k_b)).map(|(b, u)| b - u).collect();
            let mut length = 1.0;
            let moved = loop {
                let trial: Vec<f64> = a.iter().zip(&newton).map(|(a, n)| a + length * (n - a)).collect();
                let fields = problem.times(&trial);
                let there = sites(&fields);
                let value = objective(&trial, &fields, &there);
                if value >= best {
                    let gain = value - best;
                    (a, f, here, best) = (trial, fields, there, value);
                    break gain;
                }
                length *= 0.5;
                if length < 1e-12 {
                    break 0.0;
                }
            };
            if moved <= 1e-13 * (1.0 + best.abs()) {
                let w: Vec<f64> = here.iter().map(|s| s.w).collect();
                let factor = Factor::new(problem, &w)?;
                let ln_evidence = best - 0.5 * factor.ln_det();
                return Some(Self { a, f, ln_evidence, factor, newton_solves: solves })
                    .filter(|l| l.ln_evidence.is_finite());
            }
        }
        None
    }

    /// Mean and variance of the noise-free field at an input with covariances `k` (m) to the examples and `own` to itself.
    pub fn predict(&self, k: &[f64], own: f64) -> (f64, f64) {
        let mean = k.iter().zip(&self.a).map(|(k, a)| k * a).sum();
        (mean, (own - self.factor.quadratic(k)).max(0.0))
    }
}
