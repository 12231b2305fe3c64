//! The posterior at a fixed point of the mean-field equations: −G, OW98 eqs. (10) and (11), and the leave-one-out fields.

use super::cavity::{cavity_mean, left_out_fields};
use super::factor::ResponseFactor;
use super::site::Site;
use super::theory::MeanFieldTheory;
use super::training_set::TrainingSet;

/// A mean-field posterior.
pub struct Solution {
    /// Mean-field theory.
    pub theory: MeanFieldTheory,
    /// x = C⁻¹⟨h⟩, m.
    pub x: Vec<f64>,
    /// Posterior means of the fields, h = C x, m.
    pub h: Vec<f64>,
    /// Cavity means γ = h − λx, m.
    pub gamma: Vec<f64>,
    /// Cavity variances λ, m.
    pub lambda: Vec<f64>,
    /// −G. For TAP it is the log evidence.
    pub minus_g: f64,
    /// Leave-one-out fields, m: the cavity means in TAP, by linear response in the naive theory.
    pub left_out: Vec<f64>,
    /// Variances of the leave-one-out fields, including the noise v, m: λ in TAP.
    pub left_out_var: Vec<f64>,
    /// Leave-one-out log predictive probability Σ ln p(label | others).
    pub ln_loo: f64,
    /// I + S C, factored at the solution.
    pub factor: ResponseFactor,
    /// Site precisions S, m.
    pub s: Vec<f64>,
    pub(in crate::gp) sites: Vec<Site>,
}

impl Solution {
    /// Returns the posterior at x, γ and λ (m each), which need not solve the equations. `factor` is that of the site precisions at γ
    /// and λ, [`Site::precisions`].
    pub fn new(
        set: &TrainingSet,
        x: Vec<f64>,
        gamma: Vec<f64>,
        lambda: Vec<f64>,
        theory: MeanFieldTheory,
        factor: ResponseFactor,
    ) -> Self {
        let m = set.len();
        let sites = Site::all(set, &gamma, &lambda);
        let s: Vec<f64> = sites.iter().map(|site| site.s).collect();
        // OW98 eq. (7).
        let h = set.times(&x);
        // OW98 eq. (10): −G_naive = Σ ln Z₀ − ½ Σ x (h − λ x).
        let quadratic: f64 = (0..m).map(|i| x[i] * cavity_mean(h[i], lambda[i], x[i])).sum();
        let minus_g_naive = sites.iter().map(|site| site.ln_z0).sum::<f64>() - 0.5 * quadratic;
        let minus_g = match theory {
            MeanFieldTheory::Naive => minus_g_naive,
            // OW98 eq. (11): −ΔG = ½ Σ ln(1 + S λ) − ½ ln det(I + S C).
            MeanFieldTheory::Tap => {
                let logs: f64 = s.iter().zip(&lambda).map(|(s, l)| libm::log1p(s * l)).sum();
                minus_g_naive + 0.5 * (logs - factor.ln_det())
            }
        };
        let (left_out, left_out_var): (Vec<f64>, Vec<f64>) = match theory {
            MeanFieldTheory::Tap => (gamma.clone(), lambda.clone()),
            // h − x (1/[(Λ+C)⁻¹]_ii − Λ_i), by the linear response of the others. OW98 §5 leaves it “to be published”.
            MeanFieldTheory::Naive => left_out_fields(set, &factor, &s, &h, &x).into_iter().unzip(),
        };
        let ln_loo = Site::all(set, &left_out, &left_out_var).iter().map(|site| site.ln_z0).sum();
        Self { theory, x, h, gamma, lambda, minus_g, left_out, left_out_var, ln_loo, factor, s, sites }
    }

    /// Returns mean and variance of the noise-free field at an input, OW98 eq. (7), from its covariances `k` (m) with the examples and
    /// its `prior` variance.
    pub fn predict(&self, k: &[f64], prior: f64) -> (f64, f64) {
        let mean = k.iter().zip(&self.x).map(|(k, x)| k * x).sum();
        (mean, (prior - self.factor.quadratic(k)).max(0.0))
    }

    /// Returns the number of misclassified examples, whose field has not the sign of the label; a field of exactly 0 counts as one.
    pub fn errors(fields: &[f64], tau: &[f64]) -> usize {
        fields.iter().zip(tau).filter(|(field, tau)| *field * *tau <= 0.0).count()
    }
}
