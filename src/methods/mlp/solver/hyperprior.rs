//! Prior of the precisions α (weights) and β (noise): fixed values, or Gamma priors, BB98 section 2.1.

use std::f64::consts::{PI, TAU};

/// Prior of α and β.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hyperprior {
    /// Fixed values.
    Fixed {
        /// Precision of the Gaussian prior over the weights.
        alpha: f64,
        /// Precision of the Gaussian noise.
        beta: f64,
    },
    /// [a, b, c, d] of BB98 eqs. (19) and (20): p(α) ∝ αᵃ⁻¹ e^{−α/b}, p(β) ∝ βᶜ⁻¹ e^{−β/d}.
    Gamma([f64; 4]),
}

/// Bound on the log evidence for a Gaussian Q(w), and its α and β.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VariationalBound {
    /// α, or its mean r s under R(α) of BB98 eq. (29).
    pub alpha: f64,
    /// β, or its mean u v under S(β).
    pub beta: f64,
    /// Free energy F = β<E_D> + (α/2)<|w|²> − ½ ln|C| − (k/2)(1 + ln 2π) at these α and β: BB98 eq. (8) without ln Z.
    pub free_energy: f64,
    /// Negative lower bound on ln p(D): F − (N/2) ln(β/2π) − (k/2) ln(α/2π) for fixed α and β; under Gamma priors, BB98 eq. (25)
    /// with R(α) and S(β) at their optimum.
    pub negative_elbo: f64,
}

impl Hyperprior {
    /// Returns the bound for a Gaussian over `k` weights with averages <`E_D`> of `n` examples and <|w|²>, and with ln|C|.
    pub fn bound(
        self,
        k: usize,
        n: usize,
        mean_error: f64,
        mean_square: f64,
        ln_det: f64,
    ) -> VariationalBound {
        let (k, n) = (k as f64, n as f64);
        let entropy = 0.5 * ln_det + 0.5 * k * (1.0 + libm::log(TAU));
        let free_energy = |alpha: f64, beta: f64| beta * mean_error + 0.5 * alpha * mean_square - entropy;
        match self {
            Self::Fixed { alpha, beta } => {
                let free_energy = free_energy(alpha, beta);
                let negative_elbo =
                    free_energy - 0.5 * n * libm::log(beta / TAU) - 0.5 * k * libm::log(alpha / TAU);
                VariationalBound { alpha, beta, free_energy, negative_elbo }
            }
            Self::Gamma([a, b, c, d]) => {
                // BB98 eqs. (28) and (29): r = k/2 + a, 1/s = <|w|²>/2 + 1/b; u = N/2 + c, 1/v = <E_D> + 1/d.
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
                VariationalBound { alpha, beta, free_energy: free_energy(alpha, beta), negative_elbo }
            }
        }
    }

    /// Returns the log likelihood of `n` examples for weights with `E_D` = `error`, with a random β integrated out.
    pub fn ln_likelihood(self, n: usize, error: f64) -> f64 {
        let half = 0.5 * n as f64;
        match self {
            Self::Fixed { beta, .. } => half * libm::log(beta / TAU) - beta * error,
            Self::Gamma([_, _, c, d]) => {
                let u = half + c;
                libm::lgamma(u)
                    - libm::lgamma(c)
                    - c * libm::log(d)
                    - half * libm::log(TAU)
                    - u * libm::log(error + 1.0 / d)
            }
        }
    }

    /// Returns the log prior of weights with |w|² = `square` plus `power` times their log likelihood with `E_D` = `error`, up to a
    /// constant, with random α and β integrated out; then the α and β of its gradient −β ∇`E_D` − α w.
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
