//! One example: its likelihood κ + (1−2κ) Θ(τh), averaged over a Gaussian cavity field of mean γ and variance λ.

use std::f64::consts::LN_2;

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
    /// At cavity mean `gamma` and variance `lambda`; without variance the example says nothing.
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
        let rest = if kappa == 0.0 { spared(t, w_lambda) } else { 1.0 - w_lambda };
        Self { ln_z0, x, w: w_lambda / lambda, s: w_lambda / (lambda * rest) }
    }
}

impl Site {
    /// Φ(τγ/√λ): how probably the field has the sign of the label.
    pub fn agreement(gamma: f64, lambda: f64, tau: f64) -> f64 {
        if lambda > 0.0 { phi(tau * gamma / lambda.sqrt()) } else { 0.5 }
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
