//! Stability of a solution for the perceptron with white inputs.
//!
//! At fixed λ, eqs. (4) and (5) are the stationarity of a function of the weights ⟨w⟩ with the Hessian A = I + SᵀWS/n, where
//! W = −∂g/∂h is the curvature of the field of each example; A⁻¹ is the covariance of the weights. Replica symmetry requires
//! α⟨(∂² ln F/∂z²)²⟩ < 1 (de Almeida and Thouless, J. Phys. A 11, 983 (1978)). For the Sherrington–Kirkpatrick model the iteration of
//! the TAP equations converges where the like condition holds (Bolthausen, Commun. Math. Phys. 325, 333 (2014)).

use super::likelihood::Likelihood;
use super::solution::Solution;
use crate::data::teacher::LabelledExamples;
use crate::math::eigen::Eigen;

/// Stability of a solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stability {
    /// Smallest eigenvalue of the Hessian A.
    pub smallest: f64,
    /// 1 − Σ (∂² ln F/∂z²)²/n over the examples: negative where the de Almeida–Thouless condition is violated.
    pub margin: f64,
}

impl Stability {
    /// Returns the stability of a `solution` for K = 1 on all `examples`.
    pub fn new(solution: &Solution, examples: &LabelledExamples, likelihood: &Likelihood) -> Self {
        let (n, lambda) = (examples.inputs(), solution.lambda[0]);
        let rows = examples.rows();
        let curvatures: Vec<f64> = (solution.z.iter().zip(examples.labels()))
            .map(|(z, y)| likelihood.derivatives(y * z)[1])
            .collect();
        // W = −F″/(λ(1 + F″)); 1 + F″ is the variance of the field with the example over that without.
        let mut a = vec![0.0; n * n];
        for (row, second) in rows.chunks_exact(n).zip(&curvatures) {
            let weight = -second / (lambda * (1.0 + second) * n as f64);
            for (i, x) in row.iter().enumerate() {
                for (a, y) in a[i * n..][..=i].iter_mut().zip(row) {
                    *a += weight * x * y;
                }
            }
        }
        let eigen = Eigen::new(n, |i, j| a[i * n + j] + if i == j { 1.0 } else { 0.0 });
        let squares: f64 = curvatures.iter().map(|second| second * second).sum();
        Self { smallest: eigen.values[n - 1], margin: 1.0 - squares / n as f64 }
    }
}
