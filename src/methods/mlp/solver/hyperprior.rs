//! Prior of the precisions α (weights) and β (noise): fixed values, or Gamma priors, BB98 section 2.1. With a precision for each of G
//! groups of weights, k/G each, their Gamma priors are the same and independent.

use std::f64::consts::{PI, TAU};

use super::precisions::{Precisions, VariationalBound, entropy};

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

impl Hyperprior {
    /// Gamma priors with the values of the paper.
    pub const PAPER: Self = Self::Gamma([0.25, 400.0, 0.05, 2000.0]);

    /// Returns the bound for a Gaussian over `k` weights with averages <`E_D`> of `n` examples and <|w|²> of each group, and with ln|C|.
    pub fn bound(
        self,
        k: usize,
        n: usize,
        mean_error: f64,
        mean_squares: &[f64],
        ln_det: f64,
    ) -> VariationalBound {
        let [a, b, c, d] = match self {
            Self::Fixed { alpha, beta } => {
                let precisions = Precisions::shared(mean_squares.len(), alpha, beta);
                return precisions.bound(k, n, mean_error, mean_squares, ln_det);
            }
            Self::Gamma(parameters) => parameters,
        };
        // BB98 eqs. (28) and (29) with k/G weights: r = k/2G + a, 1/s = <|w|²>/2 + 1/b; u = N/2 + c, 1/v = <E_D> + 1/d.
        let groups = mean_squares.len();
        let (r, u) = (0.5 * (k / groups.max(1)) as f64 + a, 0.5 * n as f64 + c);
        let by_s: Vec<f64> = mean_squares.iter().map(|square| 0.5 * square + 1.0 / b).collect();
        let by_v = mean_error + 1.0 / d;
        let precisions = Precisions { alphas: by_s.iter().map(|by_s| r / by_s).collect(), beta: u / by_v };
        let mut constant = 0.5 * (k + n) as f64 * libm::log(2.0 * PI);
        for _ in 0..groups {
            constant = constant + libm::lgamma(a) + a * libm::log(b);
        }
        constant = constant + libm::lgamma(c) + c * libm::log(d);
        for _ in 0..groups {
            constant -= libm::lgamma(r);
        }
        constant -= libm::lgamma(u);
        let by_alphas: f64 = by_s.iter().map(|by_s| r * libm::log(*by_s)).sum();
        let negative_elbo = by_alphas + u * libm::log(by_v) - entropy(k, ln_det) + constant;
        let free_energy = precisions.energy(mean_error, mean_squares) - entropy(k, ln_det);
        VariationalBound { precisions, free_energy, negative_elbo }
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
