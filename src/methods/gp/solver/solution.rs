//! A fixed point of the mean-field equations, and what follows from it: −G, eq. (11), and the leave-one-out fields.

use super::factor::Factor;
use super::site::Site;
use super::tap::MeanField;
use super::training_set::TrainingSet;

/// A fixed point: the posterior in the mean-field approximation.
pub struct Solution {
    /// Of which theory.
    pub theory: MeanField,
    /// x = C⁻¹⟨h⟩, m.
    pub x: Vec<f64>,
    /// Posterior means of the fields, h = C x, m.
    pub h: Vec<f64>,
    /// Cavity means γ = h − λx, m.
    pub gamma: Vec<f64>,
    /// Cavity variances λ, m.
    pub lambda: Vec<f64>,
    /// −G: TAP's is the log evidence.
    pub minus_g: f64,
    /// Leave-one-out fields, m: the cavity means in TAP, by linear response in the naive theory.
    pub left_out: Vec<f64>,
    /// Their variances, noise included, m: λ in TAP.
    pub left_out_var: Vec<f64>,
    /// Σ ln p(label | others), from the leave-one-out fields.
    pub ln_loo: f64,
    /// (I + S C), factored at the solution.
    pub factor: Factor,
    /// Precisions S of the sites, m.
    pub s: Vec<f64>,
    pub(in crate::gp) sites: Vec<Site>,
}

impl Solution {
    /// That of x, γ and λ (m each), whether or not they solve the equations; `None` where I + S C is singular.
    pub fn at(
        problem: &TrainingSet,
        x: Vec<f64>,
        gamma: Vec<f64>,
        lambda: Vec<f64>,
        theory: MeanField,
    ) -> Option<Self> {
        let factor = Factor::new(problem, &Self::precisions(problem, &gamma, &lambda))?;
        Some(Self::with(problem, x, gamma, lambda, theory, factor))
    }

    /// Precisions S of the sites at γ and λ, m each.
    pub fn precisions(problem: &TrainingSet, gamma: &[f64], lambda: &[f64]) -> Vec<f64> {
        Site::all(problem, gamma, lambda).iter().map(|site| site.s).collect()
    }

    /// The same as [`Solution::at`] where `factor` is that of [`Solution::precisions`].
    pub fn with(
        problem: &TrainingSet,
        x: Vec<f64>,
        gamma: Vec<f64>,
        lambda: Vec<f64>,
        theory: MeanField,
        factor: Factor,
    ) -> Self {
        let m = problem.len();
        let sites = Site::all(problem, &gamma, &lambda);
        let s: Vec<f64> = sites.iter().map(|site| site.s).collect();
        let h = problem.times(&x);
        // Eq. (10): −G_naive = Σ ln Z₀ − ½ Σ x (h − λ x).
        let quadratic: f64 = (0..m).map(|i| x[i] * (h[i] - lambda[i] * x[i])).sum();
        let naive = sites.iter().map(|site| site.ln_z0).sum::<f64>() - 0.5 * quadratic;
        let minus_g = match theory {
            MeanField::Naive => naive,
            // Eq. (11) adds −½ ln det(I + S C) + ½ Σ ln(1 + S λ).
            MeanField::Tap => {
                let logs: f64 = s.iter().zip(&lambda).map(|(s, l)| libm::log1p(s * l)).sum();
                naive + 0.5 * (logs - factor.ln_det())
            }
        };
        let (left_out, left_out_var): (Vec<f64>, Vec<f64>) = match theory {
            MeanField::Tap => (gamma.clone(), lambda.clone()),
            // h − x (1/[(Λ+C)⁻¹]_ii − Λ_i), and the variance that goes with it, by the response of the others.
            MeanField::Naive => (factor.cavity_variances(problem, &s).into_iter().enumerate())
                .map(|(i, lambda)| match lambda {
                    Some(lambda) => (h[i] - x[i] * lambda, lambda),
                    None => (h[i], problem.at(i, i)),
                })
                .unzip(),
        };
        let ln_loo = Site::all(problem, &left_out, &left_out_var).iter().map(|site| site.ln_z0).sum();
        Self { theory, x, h, gamma, lambda, minus_g, left_out, left_out_var, ln_loo, factor, s, sites }
    }

    /// Mean and variance of the noise-free field at an input with covariances `k` (m) to the examples and `prior` variance.
    pub fn predict(&self, k: &[f64], prior: f64) -> (f64, f64) {
        let mean = k.iter().zip(&self.x).map(|(k, x)| k * x).sum();
        (mean, (prior - self.factor.quadratic(k)).max(0.0))
    }

    /// Misclassified examples: those whose field does not have the sign of the label; a field of exactly 0 counts.
    pub fn errors(fields: &[f64], tau: &[f64]) -> usize {
        fields.iter().zip(tau).filter(|(field, tau)| *field * *tau <= 0.0).count()
    }
}
