//! A sequential iteration of the TAP equations, one example after the other and undamped: expectation propagation as it is
//! usually run. The paper does not say how it iterates; its “different order presentation of the examples” suggests this.

use super::factor::Factor;
use super::site::Site;
use super::solution::Solution;
use super::tap::MeanField;
use super::training_set::TrainingSet;
use crate::math::max_or_nan;

/// What is carried from sweep to sweep.
#[derive(Clone, Debug)]
pub struct Sequential {
    /// Site precisions S and their precision-weighted means x + S h, m each.
    pub s: Vec<f64>,
    /// See `s`.
    pub nu: Vec<f64>,
    /// Posterior covariance Σ = (C⁻¹ + S)⁻¹, m×m, row by row, and posterior means h = Σ ν, m.
    sigma: Vec<f64>,
    h: Vec<f64>,
    /// max |x_new − x| of the last sweep relative to the largest x, or max |S_new − S| λ if that is more.
    pub residual: f64,
    /// Sweeps so far.
    pub sweeps: usize,
}

impl Sequential {
    /// Before the first example: the prior.
    pub fn new(problem: &TrainingSet) -> Self {
        let m = problem.len();
        let sigma = (0..m * m).map(|place| problem.at(place / m, place % m)).collect();
        let zero = vec![0.0; m];
        Self { s: zero.clone(), nu: zero.clone(), sigma, h: zero, residual: f64::INFINITY, sweeps: 0 }
    }

    /// At the sites of a solution of nearly the same problem, m each; before the first example where they do not fit.
    pub fn near(problem: &TrainingSet, s: Vec<f64>, nu: Vec<f64>) -> Self {
        let mut near = Self { s, nu, ..Self::new(problem) };
        if near.refresh(problem) { near } else { Self::new(problem) }
    }

    /// One sweep over the examples in their order; `false` once a number or an inverse is lost.
    pub fn sweep(&mut self, problem: &TrainingSet) -> bool {
        let m = self.s.len();
        let (mut moved, mut largest) = (0.0, 1e-300_f64);
        self.residual = 0.0;
        for i in 0..m {
            let variance = self.sigma[i * m + i];
            if problem.at(i, i) <= 0.0 {
                continue;
            }
            // Eq. (12), and γ = h − λ x with x = ν − S h.
            let lambda = variance / (1.0 - self.s[i] * variance);
            if lambda.is_nan() || lambda <= 0.0 {
                return false;
            }
            let x = self.nu[i] - self.s[i] * self.h[i];
            let gamma = self.h[i] - lambda * x;
            // Eq. (13).
            let site = Site::at(gamma, lambda, problem.tau[i], problem.kappa);
            let nu = site.x + site.s * (gamma + lambda * site.x);
            let (more, shift) = (site.s - self.s[i], nu - self.nu[i]);
            moved = max_or_nan(moved, (site.x - x).abs());
            largest = largest.max(site.x.abs());
            self.residual = max_or_nan(self.residual, more.abs() * lambda);
            (self.s[i], self.nu[i]) = (site.s, nu);
            self.add(i, more, shift);
        }
        self.sweeps += 1;
        self.residual = max_or_nan(self.residual, moved / largest);
        self.residual.is_finite() && self.refresh(problem)
    }

    /// Adds `more` to the precision of site `i` and `shift` to its weighted mean: an update of Σ of rank one.
    fn add(&mut self, i: usize, more: f64, shift: f64) {
        let m = self.h.len();
        let row: Vec<f64> = self.sigma[i * m..(i + 1) * m].to_vec();
        let scale = 1.0 / (1.0 + more * row[i]);
        let step = (shift - more * self.h[i]) * scale;
        for (j, sigma) in self.sigma.chunks_exact_mut(m).enumerate() {
            self.h[j] += step * row[j];
            let factor = more * scale * row[j];
            for (sigma, row) in sigma.iter_mut().zip(&row) {
                *sigma -= factor * row;
            }
        }
    }

    /// Σ and h anew from the sites, which takes away the rounding of a sweep's updates: Σ = C − C (Λ+C)⁻¹ C.
    fn refresh(&mut self, problem: &TrainingSet) -> bool {
        let m = self.h.len();
        let Some(factor) = Factor::new(problem, &self.s) else { return false };
        for (i, sigma) in self.sigma.chunks_exact_mut(m).enumerate() {
            let c: Vec<f64> = (0..m).map(|j| problem.at(i, j)).collect();
            let lost = problem.times(&factor.solve(&c));
            for ((sigma, c), lost) in sigma.iter_mut().zip(c).zip(lost) {
                *sigma = c - lost;
            }
        }
        self.h = problem.times(&self.x(problem, &factor));
        true
    }

    /// x = ν − (Λ+C)⁻¹ C ν, m.
    fn x(&self, problem: &TrainingSet, factor: &Factor) -> Vec<f64> {
        let pulled = factor.solve(&problem.times(&self.nu));
        self.nu.iter().zip(pulled).map(|(nu, pulled)| nu - pulled).collect()
    }

    /// TAP's solution at these sites, whether or not they solve its equations; `None` where I + S C is singular or a cavity
    /// variance is not positive. `factor` is that of the precisions `s`.
    pub fn solution(&self, problem: &TrainingSet, factor: &Factor) -> Option<Solution> {
        let x = self.x(problem, factor);
        let lambda: Vec<f64> =
            factor.cavity_variances(problem, &self.s).into_iter().collect::<Option<_>>()?;
        let h = problem.times(&x);
        let gamma = (0..h.len()).map(|i| h[i] - lambda[i] * x[i]).collect();
        Solution::at(problem, x, gamma, lambda, MeanField::Tap)
    }
}
