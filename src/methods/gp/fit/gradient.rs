//! Derivatives with respect to the hyperparameters: of TAP's log evidence, where at a fixed point only the explicit dependence counts,
//! and the last step of the derivatives in `adjoint.rs`.

use crate::gp::solver::kernel::Kernel;
use crate::gp::solver::site::SiteDerivatives;
use crate::gp::solver::solution::Solution;
use crate::gp::solver::training_set::TrainingSet;

/// Derivatives of an objective with respect to every hyperparameter.
#[derive(Clone, Debug, PartialEq)]
pub struct HyperGradient {
    /// With respect to ln w_i, N; the derivative with respect to ln σ² is minus their sum.
    pub ln_weights: Vec<f64>,
    /// With respect to the noise variance v.
    pub v: f64,
    /// With respect to the flip probability κ; infinite at κ = 0 where a label has probability 0.
    pub kappa: f64,
}

impl HyperGradient {
    /// Returns the gradient of the log evidence −G_TAP, OW98 eq. (11), at the `solution` of a `set` with inputs `rows` (m of N)
    /// under `kernel`: ½ tr[(x xᵀ − (Λ+C)⁻¹) ∂C/∂θ], as −G is stationary in γ and λ.
    pub fn evidence(solution: &Solution, set: &TrainingSet, rows: &[Vec<f64>], kernel: &Kernel) -> Self {
        let m = set.len();
        let (x, inverse) = (&solution.x, solution.factor.inverse());
        let kappa = solution.site_derivatives(set).iter().map(|site| site.ln_z0_kappa).sum();
        Self::from_matrix(set, rows, kernel, kappa, |i, j| 0.5 * (x[i] * x[j] - inverse[i * m + j]))
    }

    /// Returns the gradient with Σ `Q_ij` `∂C_ij/∂θ` for the weights and v, and `kappa` as the derivative with respect to κ. Q is a
    /// symmetric matrix, m×m, read at j ≤ i.
    pub(in crate::gp) fn from_matrix(
        set: &TrainingSet,
        rows: &[Vec<f64>],
        kernel: &Kernel,
        kappa: f64,
        q: impl Fn(usize, usize) -> f64,
    ) -> Self {
        // C = K + v I.
        let v = (0..rows.len()).map(|i| q(i, i)).sum();
        let ln_weights = kernel.ln_weight_gradient(rows, |i, j| set.at(i, j), q);
        Self { ln_weights, v, kappa }
    }
}

impl Solution {
    /// Returns the derivatives of every site, m.
    pub(in crate::gp) fn site_derivatives(&self, set: &TrainingSet) -> Vec<SiteDerivatives> {
        (0..self.x.len())
            .map(|i| {
                let (gamma, lambda) = (self.gamma[i], self.lambda[i]);
                SiteDerivatives::new(&self.sites[i], gamma, lambda, set.tau[i], set.kappa)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gp::solver::kernel::KernelKind;

    #[test]
    fn the_derivative_by_v_is_the_trace() {
        let rows: Vec<Vec<f64>> = vec![vec![0.3, -1.2, 0.5], vec![1.1, 0.4, -0.7], vec![0.0, 0.0, 0.0]];
        let kernel = Kernel { weights: vec![0.5, 0.2, 1.3], ..Kernel::isotropic(KernelKind::Rbf, 3, 1.0) };
        let set = TrainingSet::new(&rows, &[1.0, 1.0, -1.0], &kernel, 0.1, 0.0);
        let q = [[0.3, -0.8, 0.2], [-0.8, 1.1, 0.6], [0.2, 0.6, -0.4]];
        let gradient = HyperGradient::from_matrix(&set, &rows, &kernel, 0.0, |i, j| q[i][j]);
        assert!((gradient.v - 1.0).abs() < 1e-12);
    }
}
