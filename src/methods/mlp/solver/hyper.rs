//! Prior precision α and noise precision β: given, or with Gamma priors and integrated out of the bound, BB98 section 2.1.

use std::f64::consts::{PI, TAU};

/// What is known of α and β.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hyper {
    /// Both are given.
    Fixed {
        /// Precision of the prior over weights.
        alpha: f64,
        /// Precision of the noise.
        beta: f64,
    },
    /// p(α) ∝ αᵃ⁻¹ e^{−α/b}, p(β) ∝ βᶜ⁻¹ e^{−β/d}: eqs. (19) and (20), as [a, b, c, d].
    Gamma([f64; 4]),
}

/// What α and β are for a Gaussian, and the bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// α, or its mean r s under R(α) of eq. (29).
    pub alpha: f64,
    /// β, or its mean u v under S(β).
    pub beta: f64,
    /// F = β<E_D> + (α/2)<|w|²> − ½ ln|C| − (k/2)(1 + ln 2π), at these α and β: eq. (8) without ln Z.
    pub free_energy: f64,
    /// Minus the lower bound on ln p(D): F − (N/2) ln(β/2π) − (k/2) ln(α/2π), or with R and S at their optimum.
    pub negative_elbo: f64,
}

impl Hyper {
    /// For a Gaussian with these averages, over `k` weights, fitted to `n` examples.
    pub fn bound(self, k: usize, n: usize, mean_error: f64, mean_square: f64, ln_det: f64) -> Bound {
        let (k, n) = (k as f64, n as f64);
        let entropy = 0.5 * ln_det + 0.5 * k * (1.0 + libm::log(TAU));
        let free_energy = |alpha: f64, beta: f64| beta * mean_error + 0.5 * alpha * mean_square - entropy;
        match self {
            Self::Fixed { alpha, beta } => {
                let free_energy = free_energy(alpha, beta);
                let negative_elbo =
                    free_energy - 0.5 * n * libm::log(beta / TAU) - 0.5 * k * libm::log(alpha / TAU);
                Bound { alpha, beta, free_energy, negative_elbo }
            }
            Self::Gamma([a, b, c, d]) => {
                // r = k/2 + a, 1/s = <|w|²>/2 + 1/b; u = N/2 + c, 1/v = <E_D> + 1/d.
                let (r, u) = (0.5 * k + a, 0.5 * n + c);
                let (by_s, by_v) = (0.5 * mean_square + 1.0 / b, mean_error + 1.0 / d);
                let (alpha, beta) = (r / by_s, u / by_v);
                let constant = 0.5 * (k + n) * libm::log(2.0 * PI)
                    + libm::lgamma(a)
                    + a * libm::log(b)
                    + libm::lgamma(c)
                    + c * libm::log(d)
                    - libm::lgamma(r)
                    - libm::lgamma(u);
                let negative_elbo = r * libm::log(by_s) + u * libm::log(by_v) - entropy + constant;
                Bound { alpha, beta, free_energy: free_energy(alpha, beta), negative_elbo }
            }
        }
    }

    /// ln of the prior of weights with this |w|² plus `power` times ln of their likelihood with this `E_D`, α and β integrated out, up
    /// to a constant; and α and β as they count in its gradient, −β ∇E_D − α w.
    pub fn ln_posterior(
        self,
        power: f64,
        (k, n): (usize, usize),
        error: f64,
        square: f64,
    ) -> (f64, f64, f64) {
        match self {
            Self::Fixed { alpha, beta } => {
                (-power * beta * error - 0.5 * alpha * square, alpha, power * beta)
            }
            Self::Gamma([a, b, c, d]) => {
                let (r, u) = (0.5 * k as f64 + a, power * (0.5 * n as f64 + c));
                let (by_s, by_v) = (0.5 * square + 1.0 / b, error + 1.0 / d);
                (-r * libm::log(by_s) - u * libm::log(by_v), r / by_s, u / by_v)
            }
        }
    }
}
