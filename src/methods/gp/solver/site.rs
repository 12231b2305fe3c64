//! One example: its likelihood κ + (1−2κ) Θ(τh), averaged over a Gaussian cavity field of mean γ and variance λ.

use std::f64::consts::LN_2;

use super::training_set::TrainingSet;
use crate::math::special::{density, hazard, ln_phi, phi};

/// What the average likelihood of an example says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Site {
    /// ln[κ + (1−2κ) Φ(τγ/√λ)].
    pub ln_z0: f64,
    /// x = ∂ ln Z₀/∂γ, eq. (13) with the sign of τ.
    pub x: f64,
    /// W = −∂x/∂γ = x (x + γ/λ); negative where κ > 0 and the label surprises.
    pub w: f64,
    /// S = W/(1−Wλ) = 1/Λ: the precision that the example brings.
    pub s: f64,
}

impl Site {
    /// At cavity mean `gamma` and variance `lambda`; without variance the example carries no information.
    pub fn at(gamma: f64, lambda: f64, tau: f64, kappa: f64) -> Self {
        if lambda <= 0.0 {
            return Self { ln_z0: -LN_2, x: 0.0, w: 0.0, s: 0.0 };
        }
        let root = lambda.sqrt();
        let t = tau * gamma / root;
        let (ln_z0, slope) = if kappa == 0.0 {
            (ln_phi(t), hazard(t))
        } else {
            let likelihood = kappa + (1.0 - 2.0 * kappa) * phi(t);
            (libm::log(likelihood), (1.0 - 2.0 * kappa) * density(t) / likelihood)
        };
        let x = tau * slope / root;
        // Wλ in units without λ: slope (slope + t), which comes near 1 where the label is hopeless.
        let w_lambda = slope * (slope + t);
        let one_less_w_lambda = if kappa == 0.0 { spared(t, w_lambda) } else { 1.0 - w_lambda };
        Self { ln_z0, x, w: w_lambda / lambda, s: w_lambda / (lambda * one_less_w_lambda) }
    }
}

impl Site {
    /// Those of all examples, at cavity means `gamma` and variances `lambda`, m each.
    pub fn all(problem: &TrainingSet, gamma: &[f64], lambda: &[f64]) -> Vec<Self> {
        (gamma.iter().zip(lambda).zip(&problem.tau))
            .map(|((gamma, lambda), tau)| Self::at(*gamma, *lambda, *tau, problem.kappa))
            .collect()
    }

    /// Φ(τγ/√λ): how probably the field has the sign of the label.
    pub fn agreement(gamma: f64, lambda: f64, tau: f64) -> f64 {
        if lambda > 0.0 { phi(tau * gamma / lambda.sqrt()) } else { 0.5 }
    }
}

/// How a site changes with its cavity field and with κ; what [`Site`] itself does not say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slopes {
    /// 1 − Wλ.
    pub one_less_w_lambda: f64,
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

impl Slopes {
    /// Those of the `site` at cavity mean `gamma` and variance `lambda`. x is homogeneous of degree −1 in (γ, √λ) and S of degree
    /// −2, which gives the derivatives by λ from those by γ.
    pub fn of(site: &Site, gamma: f64, lambda: f64, tau: f64, kappa: f64) -> Self {
        if lambda <= 0.0 {
            return Self {
                one_less_w_lambda: 1.0,
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
        // 1 − Wλ and ∂(Wλ)/∂t, the latter by its series, too, where it would cancel.
        let (one_less_w_lambda, by_t) = if kappa == 0.0 && t <= -50.0 {
            let u = 1.0 / (t * t);
            let series = 1.0 - u * (12.0 - u * (150.0 - u * 2072.0));
            (spared(t, w_lambda), 2.0 * u * series / t)
        } else {
            (1.0 - w_lambda, slope - w_lambda * (2.0 * slope + t))
        };
        let s_gamma = tau * by_t / (lambda * root * one_less_w_lambda * one_less_w_lambda);
        let p = phi(t);
        let ln_z0_kappa = (1.0 - 2.0 * p) / (kappa + (1.0 - 2.0 * kappa) * p);
        let x_kappa = -site.x * (2.0 / (1.0 - 2.0 * kappa) + ln_z0_kappa);
        Self {
            one_less_w_lambda,
            x_lambda: -0.5 * (site.x - gamma * site.w) / lambda,
            s_gamma,
            s_lambda: -(site.s + 0.5 * gamma * s_gamma) / lambda,
            ln_z0_kappa,
            x_kappa,
            s_kappa: x_kappa * (2.0 * site.x + gamma / lambda) / (one_less_w_lambda * one_less_w_lambda),
        }
    }
}

/// 1 − h(h+t) for the hazard h: its asymptotic series where the difference would cancel.
fn spared(t: f64, w_lambda: f64) -> f64 {
    if t > -50.0 {
        return 1.0 - w_lambda;
    }
    let u = 1.0 / (t * t);
    u * (1.0 - u * (6.0 - u * (50.0 - u * 518.0)))
}

/// Probability of +1 at a field of mean `mean` and variance `var` (with the noise v).
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
    fn slopes_are_those_of_finite_differences() {
        let places = [
            (0.7, 0.5, 1.0, 0.0),
            (-2.0, 1.3, 1.0, 0.0),
            (-30.0, 0.8, 1.0, 0.0),
            (80.0, 0.9, -1.0, 0.0),
            (0.7, 0.5, -1.0, 0.05),
            (-3.0, 1.0, 1.0, 0.05),
        ];
        for (gamma, lambda, tau, kappa) in places {
            let of = |gamma: f64, lambda: f64, kappa: f64| Site::at(gamma, lambda, tau, kappa);
            let slopes = Slopes::of(&of(gamma, lambda, kappa), gamma, lambda, tau, kappa);
            let h = 3e-5;
            let check = |ours: f64, plus: f64, minus: f64, step: f64, what: &str| {
                let numeric = (plus - minus) / (2.0 * step);
                let near = (ours - numeric).abs() <= 1e-6 * (1.0 + numeric.abs());
                assert!(near, "{what} at γ={gamma} λ={lambda} τ={tau} κ={kappa}: {ours} {numeric}");
            };
            let step = h * gamma.abs();
            let (plus, minus) = (of(gamma + step, lambda, kappa), of(gamma - step, lambda, kappa));
            check(slopes.s_gamma, plus.s, minus.s, step, "∂S/∂γ");
            let (plus, minus) = (of(gamma, lambda + h, kappa), of(gamma, lambda - h, kappa));
            check(slopes.x_lambda, plus.x, minus.x, h, "∂x/∂λ");
            check(slopes.s_lambda, plus.s, minus.s, h, "∂S/∂λ");
            if kappa > 0.0 {
                let (plus, minus) = (of(gamma, lambda, kappa + h), of(gamma, lambda, kappa - h));
                check(slopes.ln_z0_kappa, plus.ln_z0, minus.ln_z0, h, "∂ ln Z₀/∂κ");
                check(slopes.x_kappa, plus.x, minus.x, h, "∂x/∂κ");
                check(slopes.s_kappa, plus.s, minus.s, h, "∂S/∂κ");
            }
        }
    }
}
