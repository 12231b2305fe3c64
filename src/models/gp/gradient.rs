//! Derivatives of TAP's log evidence by the parameters of the covariance and of the noise: at a fixed point only explicit
//! dependences count.

use super::kernel::Kernel;
use super::site::Site;
use super::tap::Solution;

/// ∂(−G)/∂ of every parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient {
    /// By ln w_i of each input; their sum with a minus is that by ln σ².
    pub ln_weights: Vec<f64>,
    /// By the noise variance v.
    pub v: f64,
    /// By the flip probability κ.
    pub kappa: f64,
}

impl Gradient {
    /// ½ tr[(x xᵀ − (Λ+C)⁻¹) ∂C/∂θ] at the `solution` of examples `rows` with labels `tau`.
    pub fn of(solution: &Solution, rows: &[Vec<f64>], tau: &[f64], kernel: &Kernel, kappa: f64) -> Self {
        let m = rows.len();
        let (x, inverse) = (&solution.x, solution.factor.inverse());
        let mut ln_weights = vec![0.0; kernel.weights.len()];
        let mut v = 0.0;
        for i in 0..m {
            for j in 0..=i {
                let q = 0.5 * (x[i] * x[j] - inverse[i * m + j]);
                let both = if i == j { q } else { 2.0 * q };
                kernel.add_gradient(&rows[i], &rows[j], both, &mut ln_weights);
            }
            v += 0.5 * (x[i] * x[i] - inverse[i * m + i]);
        }
        let flips = (0..m).map(|i| {
            let p = Site::agreement(solution.gamma[i], solution.lambda[i], tau[i]);
            (1.0 - 2.0 * p) / (kappa + (1.0 - 2.0 * kappa) * p)
        });
        Self { ln_weights, v, kappa: flips.sum() }
    }
}
