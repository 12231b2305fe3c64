//! The likelihood κ + (1−2κ) Θ(τh) of one example, averaged over a Gaussian cavity field of mean γ and variance λ.

use std::f64::consts::LN_2;

use super::training_set::TrainingSet;
use crate::math::special::{density, hazard, ln_phi, phi};

/// The averaged likelihood Z₀ of one example and its derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Site {
    /// ln Z₀ = ln[κ + (1−2κ) Φ(τγ/√λ)], OW98 after eq. (10).
    pub ln_z0: f64,
    /// x = ∂ ln Z₀/∂γ, OW98 eq. (13), with the sign of τ.
    pub x: f64,
    /// W = −∂x/∂γ = x (x + γ/λ) = −R, OW98 eq. (13); it may be negative where κ > 0 and the label is improbable.
    pub w: f64,
    /// Site precision S = W/(1−Wλ) = 1/Λ, OW98 eq. (13).
    pub s: f64,
}

impl Site {
    /// Returns the site at cavity mean `gamma` and variance `lambda`. Without variance the example carries no information.
    pub fn at(gamma: f64, lambda: f64, tau: f64, kappa: f64) -> Self {
        if lambda <= 0.0 {
            return Self { ln_z0: -LN_2, x: 0.0, w: 0.0, s: 0.0 };
        }
        let root = lambda.sqrt();
        let t = tau * gamma / root;
        // OW98 eq. (13), in units of 1/√λ.
        let (ln_z0, slope) = if kappa == 0.0 {
            (ln_phi(t), hazard(t))
        } else {
            let likelihood = kappa + (1.0 - 2.0 * kappa) * phi(t);
            (libm::log(likelihood), (1.0 - 2.0 * kappa) * density(t) / likelihood)
        };
        let x = tau * slope / root;
        // Wλ = slope (slope + t), which is near 1 where the label is very improbable.
        let w_lambda = slope * (slope + t);
        let one_minus_w_lambda =
            if kappa == 0.0 { one_minus_hazard_slope(t, w_lambda) } else { 1.0 - w_lambda };
        Self { ln_z0, x, w: w_lambda / lambda, s: w_lambda / (lambda * one_minus_w_lambda) }
    }

    /// Returns the sites of all examples, m, at cavity means `gamma` and variances `lambda`, m each.
    pub fn all(set: &TrainingSet, gamma: &[f64], lambda: &[f64]) -> Vec<Self> {
        (gamma.iter().zip(lambda).zip(&set.tau))
            .map(|((gamma, lambda), tau)| Self::at(*gamma, *lambda, *tau, set.kappa))
            .collect()
    }

    /// Returns the site precisions S of all examples, m, at cavity means `gamma` and variances `lambda`, m each.
    pub fn precisions(set: &TrainingSet, gamma: &[f64], lambda: &[f64]) -> Vec<f64> {
        Self::all(set, gamma, lambda).iter().map(|site| site.s).collect()
    }

    /// Returns the precision-weighted mean ν = x + S h of the site with cavity mean `gamma` and variance `lambda`, where h = γ + λx.
    pub(super) fn weighted_mean(&self, gamma: f64, lambda: f64) -> f64 {
        self.x + self.s * (gamma + lambda * self.x)
    }
}

/// Derivatives of a site with respect to its cavity field and to κ, beyond those of [`Site`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SiteDerivatives {
    /// 1 − Wλ.
    pub one_minus_w_lambda: f64,
    /// ∂x/∂λ.
    pub x_lambda: f64,
    /// ∂S/∂γ.
    pub s_gamma: f64,
    /// ∂S/∂λ.
    pub s_lambda: f64,
    /// ∂ ln Z₀/∂κ.
    pub ln_z0_kappa: f64,
    /// ∂x/∂κ.
    pub x_kappa: f64,
    /// ∂S/∂κ.
    pub s_kappa: f64,
}

impl SiteDerivatives {
    /// Returns the derivatives of the `site` at cavity mean `gamma` and variance `lambda`. x is homogeneous of degree −1 in (γ, √λ) and
    /// S of degree −2, which gives the derivatives with respect to λ from those with respect to γ.
    pub fn new(site: &Site, gamma: f64, lambda: f64, tau: f64, kappa: f64) -> Self {
        if lambda <= 0.0 {
            return Self {
                one_minus_w_lambda: 1.0,
                x_lambda: 0.0,
                s_gamma: 0.0,
                s_lambda: 0.0,
                ln_z0_kappa: 0.0,
                x_kappa: 0.0,
                s_kappa: 0.0,
            };
        }
        let root = lambda.sqrt();
        let t = tau * gamma / root;
        let (slope, w_lambda) = (tau * site.x * root, site.w * lambda);
        // 1 − Wλ and ∂(Wλ)/∂t, both by their series where they would cancel.
        let (one_minus_w_lambda, w_lambda_t) = if kappa == 0.0 && t <= -50.0 {
            let u = 1.0 / (t * t);
            let series = 1.0 - u * (12.0 - u * (150.0 - u * 2072.0));
            (one_minus_hazard_slope(t, w_lambda), 2.0 * u * series / t)
        } else {
            (1.0 - w_lambda, slope - w_lambda * (2.0 * slope + t))
        };
        let s_gamma = tau * w_lambda_t / (lambda * root * one_minus_w_lambda * one_minus_w_lambda);
        let p = phi(t);
        let ln_z0_kappa = (1.0 - 2.0 * p) / (kappa + (1.0 - 2.0 * kappa) * p);
        let x_kappa = -site.x * (2.0 / (1.0 - 2.0 * kappa) + ln_z0_kappa);
        Self {
            one_minus_w_lambda,
            x_lambda: -0.5 * (site.x - gamma * site.w) / lambda,
            s_gamma,
            s_lambda: -(site.s + 0.5 * gamma * s_gamma) / lambda,
            ln_z0_kappa,
            x_kappa,
            s_kappa: x_kappa * (2.0 * site.x + gamma / lambda) / (one_minus_w_lambda * one_minus_w_lambda),
        }
    }
}

/// Returns 1 − h(h+t) for the hazard h at t, given `w_lambda` = h(h+t): by its asymptotic series where the difference would cancel.
fn one_minus_hazard_slope(t: f64, w_lambda: f64) -> f64 {
    if t > -50.0 {
        return 1.0 - w_lambda;
    }
    let u = 1.0 / (t * t);
    u * (1.0 - u * (6.0 - u * (50.0 - u * 518.0)))
}

/// Returns the probability of +1 for a field of mean `mean` and variance `var` (with the noise v).
pub fn probability(mean: f64, var: f64, kappa: f64) -> f64 {
    let p = if var > 0.0 {
        phi(mean / var.sqrt())
    } else {
        0.5 * (1.0 + if mean == 0.0 { 0.0 } else { mean.signum() })
    };
    kappa + (1.0 - 2.0 * kappa) * p
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_match_finite_differences() {
        let points = [
            (0.7, 0.5, 1.0, 0.0),
            (-2.0, 1.3, 1.0, 0.0),
            (-30.0, 0.8, 1.0, 0.0),
            (80.0, 0.9, -1.0, 0.0),
            (0.7, 0.5, -1.0, 0.05),
            (-3.0, 1.0, 1.0, 0.05),
        ];
        for (gamma, lambda, tau, kappa) in points {
            let site = |gamma: f64, lambda: f64, kappa: f64| Site::at(gamma, lambda, tau, kappa);
            let exact = SiteDerivatives::new(&site(gamma, lambda, kappa), gamma, lambda, tau, kappa);
            let h = 3e-5;
            let check = |ours: f64, plus: f64, minus: f64, step: f64, what: &str| {
                let numeric = (plus - minus) / (2.0 * step);
                let near = (ours - numeric).abs() <= 1e-6 * (1.0 + numeric.abs());
                assert!(near, "{what} at γ={gamma} λ={lambda} τ={tau} κ={kappa}: {ours} {numeric}");
            };
            let step = h * gamma.abs();
            let (plus, minus) = (site(gamma + step, lambda, kappa), site(gamma - step, lambda, kappa));
            check(exact.s_gamma, plus.s, minus.s, step, "∂S/∂γ");
            let (plus, minus) = (site(gamma, lambda + h, kappa), site(gamma, lambda - h, kappa));
            check(exact.x_lambda, plus.x, minus.x, h, "∂x/∂λ");
            check(exact.s_lambda, plus.s, minus.s, h, "∂S/∂λ");
            if kappa > 0.0 {
                let (plus, minus) = (site(gamma, lambda, kappa + h), site(gamma, lambda, kappa - h));
                check(exact.ln_z0_kappa, plus.ln_z0, minus.ln_z0, h, "∂ ln Z₀/∂κ");
                check(exact.x_kappa, plus.x, minus.x, h, "∂x/∂κ");
                check(exact.s_kappa, plus.s, minus.s, h, "∂S/∂κ");
            }
        }
    }
}
