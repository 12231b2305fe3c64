//! Cavity fields: mean γ and variance λ of the field of an example with its own site removed, OW98 eqs. (12) and (13).
//!
//! The cavity mean is the full field h less the Onsager reaction term λx, the effect that an example has on its own field. All
//! solvers in this folder compute the mean here; the sequential solver takes its λ from the marginal variance.
//! `propagation/solve.rs` removes a site from the precision and the weighted mean instead.

use super::factor::ResponseFactor;
use super::training_set::TrainingSet;

/// Variances below this fraction of the prior's are rounding.
const ROUNDING: f64 = 1e-9;

/// Returns the Onsager reaction term λx (OW98 §4) of an example with cavity variance λ.
#[inline]
pub fn onsager_reaction(lambda: f64, x: f64) -> f64 {
    lambda * x
}

/// Returns the cavity mean γ = h − λx of an example, OW98 eq. (13): its field h = (C x) less the Onsager reaction term.
#[inline]
pub fn cavity_mean(h: f64, lambda: f64, x: f64) -> f64 {
    h - onsager_reaction(lambda, x)
}

/// Returns the cavity means γ of all examples, m, from fields, cavity variances and x, m each.
pub fn cavity_means(h: &[f64], lambda: &[f64], x: &[f64]) -> Vec<f64> {
    h.iter().zip(lambda).zip(x).map(|((h, lambda), x)| cavity_mean(*h, *lambda, *x)).collect()
}

/// Returns mean and variance of each field with the example's own site removed from a Gaussian posterior, m: means `h` (m),
/// `x` = C⁻¹h (m), site precisions `s` (m) and the `factor` of I + S C. The field stays as it is, with the variance of its prior,
/// where the cavity variance is not positive.
pub fn left_out_fields(
    set: &TrainingSet,
    factor: &ResponseFactor,
    s: &[f64],
    h: &[f64],
    x: &[f64],
) -> Vec<(f64, f64)> {
    (factor.cavity_variances(set, s).into_iter().enumerate())
        .map(|(i, lambda)| match lambda {
            Some(lambda) => (cavity_mean(h[i], lambda, x[i]), lambda),
            None => (h[i], set.at(i, i)),
        })
        .collect()
}

impl ResponseFactor {
    /// Returns the cavity variances, m, at site precisions `s` (m): OW98 eq. (12) with λ of eq. (13), that is
    /// `λ_i` = 1/(1/`Σ_ii` − `S_i`) with Σ = (C⁻¹ + S)⁻¹. A variance is 0 where only rounding is left of it, and `None` where it is
    /// not positive.
    pub fn cavity_variances(&self, set: &TrainingSet, s: &[f64]) -> Vec<Option<f64>> {
        if s.iter().all(|s| *s == 0.0) {
            return (0..s.len()).map(|i| Some(set.at(i, i).max(0.0))).collect();
        }
        let diagonal = self.inverse_diagonal();
        (0..s.len()).map(|i| self.cavity_variance(set, i, s[i], diagonal[i])).collect()
    }

    /// Returns the cavity variance of example `i`; `b` is element i of diag (I + S C)⁻¹.
    fn cavity_variance(&self, set: &TrainingSet, i: usize, s: f64, b: f64) -> Option<f64> {
        let prior = set.at(i, i);
        if prior <= 0.0 {
            return Some(0.0);
        }
        // OW98 eqs. (12), (13): −1/R − Λ with R = −S b. The difference 1 − b cancels where S is tiny; there Σ_ii is computed from its
        // definition.
        let var = if (s * prior).abs() > 1e-5 {
            (1.0 - b) / (s * b)
        } else {
            1.0 / (1.0 / (prior - self.quadratic(set.row(i))) - s)
        };
        if var.abs() < ROUNDING * prior {
            Some(var.max(0.0))
        } else {
            Some(var).filter(|v| *v > 0.0 && v.is_finite())
        }
    }
}
