//! A sequential iteration of the TAP equations, for comparison: one example after the other, undamped, as expectation propagation is
//! usually run. OW98 does not describe its iteration; the “different order presentation of the examples” of its §5 suggests this one.

use super::cavity::{cavity_mean, cavity_means};
use super::factor::ResponseFactor;
use super::site::Site;
use super::solution::Solution;
use super::theory::MeanFieldTheory;
use super::training_set::TrainingSet;
use crate::math::max_or_nan;

/// State of the sequential iteration.
#[derive(Clone, Debug)]
pub struct SequentialIteration {
    /// Site precisions S, m.
    pub s: Vec<f64>,
    /// Precision-weighted means ν = x + S h of the sites, m.
    pub nu: Vec<f64>,
    /// Posterior covariances Σ = (C⁻¹ + S)⁻¹, m×m, row by row.
    sigma: Vec<f64>,
    /// Posterior means h = Σ ν, m.
    h: Vec<f64>,
    /// max |Δx| of the last sweep relative to the largest x, or max |ΔS| λ if that is more.
    pub residual: f64,
    /// Sweeps so far.
    pub sweeps: usize,
}

impl SequentialIteration {
    /// Returns the state before the first sweep: the prior.
    pub fn new(set: &TrainingSet) -> Self {
        let m = set.len();
        let sigma = (0..m * m).map(|element| set.at(element / m, element % m)).collect();
        let zero = vec![0.0; m];
        Self { s: zero.clone(), nu: zero.clone(), sigma, h: zero, residual: f64::INFINITY, sweeps: 0 }
    }

    /// Returns the state at the sites (m) of a similar problem's solution, or the prior where I + S C is singular there.
    pub fn near(set: &TrainingSet, s: Vec<f64>, nu: Vec<f64>) -> Self {
        let mut near = Self { s, nu, ..Self::new(set) };
        if near.refresh(set) { near } else { Self::new(set) }
    }

    /// Takes one sweep over the examples in their order. Returns `false` if a number is not finite, a cavity variance is not
    /// positive, or I + S C is singular.
    pub fn sweep(&mut self, set: &TrainingSet) -> bool {
        let m = self.s.len();
        let (mut largest_step, mut largest) = (0.0, 1e-300_f64);
        self.residual = 0.0;
        for i in 0..m {
            let variance = self.sigma[i * m + i];
            if set.at(i, i) <= 0.0 {
                continue;
            }
            // OW98 eq. (12).
            let lambda = variance / (1.0 - self.s[i] * variance);
            if lambda.is_nan() || lambda <= 0.0 {
                return false;
            }
            // OW98 eq. (13): γ with x = ν − S h, and the new x at (γ, λ).
            let x = self.nu[i] - self.s[i] * self.h[i];
            let gamma = cavity_mean(self.h[i], lambda, x);
            let site = Site::at(gamma, lambda, set.tau[i], set.kappa);
            let nu = site.weighted_mean(gamma, lambda);
            let (s_step, nu_step) = (site.s - self.s[i], nu - self.nu[i]);
            largest_step = max_or_nan(largest_step, (site.x - x).abs());
            largest = largest.max(site.x.abs());
            self.residual = max_or_nan(self.residual, s_step.abs() * lambda);
            (self.s[i], self.nu[i]) = (site.s, nu);
            self.update_posterior(i, s_step, nu_step);
        }
        self.sweeps += 1;
        self.residual = max_or_nan(self.residual, largest_step / largest);
        self.residual.is_finite() && self.refresh(set)
    }

    /// Updates Σ and h after a change of the precision and the weighted mean of site `i`: an update of rank one.
    fn update_posterior(&mut self, i: usize, s_step: f64, nu_step: f64) {
        let m = self.h.len();
        let row: Vec<f64> = self.sigma[i * m..(i + 1) * m].to_vec();
        let scale = 1.0 / (1.0 + s_step * row[i]);
        let step = (nu_step - s_step * self.h[i]) * scale;
        for (j, sigma) in self.sigma.chunks_exact_mut(m).enumerate() {
            self.h[j] += step * row[j];
            let factor = s_step * scale * row[j];
            for (sigma, row) in sigma.iter_mut().zip(&row) {
                *sigma -= factor * row;
            }
        }
    }

    /// Computes Σ = C − C (Λ+C)⁻¹ C and h from the sites, which removes the rounding of a sweep's updates. Returns `false` if I + S C is
    /// singular.
    fn refresh(&mut self, set: &TrainingSet) -> bool {
        let m = self.h.len();
        let Some(factor) = ResponseFactor::new(set, &self.s) else { return false };
        for (i, sigma) in self.sigma.chunks_exact_mut(m).enumerate() {
            let row = set.row(i);
            let explained = set.times(&factor.solve(row));
            for ((sigma, c), explained) in sigma.iter_mut().zip(row).zip(explained) {
                *sigma = c - explained;
            }
        }
        self.h = set.times(&self.x(set, &factor));
        true
    }

    /// Returns x = ν − (Λ+C)⁻¹ C ν, m.
    fn x(&self, set: &TrainingSet, factor: &ResponseFactor) -> Vec<f64> {
        let u = factor.solve(&set.times(&self.nu));
        self.nu.iter().zip(u).map(|(nu, u)| nu - u).collect()
    }

    /// Returns the posterior at the current sites, which need not solve the equations, with the `factor` of I + S C; `None` if I + S C
    /// is singular at the new sites or a cavity variance is not positive.
    pub fn solution(&self, set: &TrainingSet, factor: &ResponseFactor) -> Option<Solution> {
        let x = self.x(set, factor);
        // OW98 eqs. (12), (7) and (13).
        let lambda: Vec<f64> = factor.cavity_variances(set, &self.s).into_iter().collect::<Option<_>>()?;
        let gamma = cavity_means(&set.times(&x), &lambda, &x);
        let factor = ResponseFactor::new(set, &Site::precisions(set, &gamma, &lambda))?;
        Some(Solution::new(set, x, gamma, lambda, MeanFieldTheory::Tap, factor))
    }
}
