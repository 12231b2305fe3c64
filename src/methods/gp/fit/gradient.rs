//! Derivatives by the parameters of the covariance and of the noise: of TAP's log evidence, where at a fixed point only
//! explicit dependences count, and what [`super::adjoint`] needs to finish those of other functions.

use std::f64::consts::FRAC_2_PI;

use crate::gp::solver::kernel::{Kernel, Kind};
use crate::gp::solver::site::Slopes;
use crate::gp::solver::solution::Solution;
use crate::gp::solver::training_set::TrainingSet;

/// ∂/∂ of every parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient {
    /// By ln w_i of each input; their sum with a minus is that by ln σ².
    pub ln_weights: Vec<f64>,
    /// By the noise variance v.
    pub v: f64,
    /// By the flip probability κ; infinite at κ = 0 where a label is hopeless.
    pub kappa: f64,
}

impl Gradient {
    /// That of the log evidence −G_TAP, ½ tr[(x xᵀ − (Λ+C)⁻¹) ∂C/∂θ], at the `solution` of a `problem` with inputs `rows` (m of
    /// N) under `kernel`.
    pub fn evidence(solution: &Solution, problem: &TrainingSet, rows: &[Vec<f64>], kernel: &Kernel) -> Self {
        let m = problem.len();
        let (x, inverse) = (&solution.x, solution.factor.inverse());
        let kappa = solution.slopes(problem).iter().map(|slopes| slopes.ln_z0_kappa).sum();
        Self::of(problem, rows, kernel, kappa, |i, j| 0.5 * (x[i] * x[j] - inverse[i * m + j]))
    }

    /// Σ Q_ij ∂C_ij/∂θ of a symmetric Q (m×m, asked for at j ≤ i), with the derivative by κ as it is.
    pub(in crate::gp) fn of(
        problem: &TrainingSet,
        rows: &[Vec<f64>],
        kernel: &Kernel,
        kappa: f64,
        q: impl Fn(usize, usize) -> f64,
    ) -> Self {
        let v = (0..rows.len()).map(|i| q(i, i)).sum();
        let mut ln_weights = vec![0.0; kernel.weights.len()];
        match kernel.kind {
            Kind::Rbf => by_distances(rows, |i, j| -q(i, j) * problem.at(i, j), &mut ln_weights),
            Kind::Linear => {
                by_products(rows, |i, j| if i == j { q(i, i) } else { 2.0 * q(i, j) }, &mut ln_weights);
            }
            Kind::Arcsine => arcsine(rows, kernel, q, &mut ln_weights),
        }
        ln_weights.iter_mut().zip(&kernel.weights).for_each(|(sum, w)| *sum *= w);
        Self { ln_weights, v, kappa }
    }
}

impl Solution {
    /// How every site changes, m.
    pub(in crate::gp) fn slopes(&self, problem: &TrainingSet) -> Vec<Slopes> {
        (0..self.x.len())
            .map(|i| {
                let (gamma, lambda) = (self.gamma[i], self.lambda[i]);
                Slopes::of(&self.sites[i], gamma, lambda, problem.tau[i], problem.kappa)
            })
            .collect()
    }
}

/// Adds Σ_{j<i} factor(i, j) (s_i − s_j)² of every input.
fn by_distances(rows: &[Vec<f64>], factor: impl Fn(usize, usize) -> f64, sums: &mut [f64]) {
    for (i, a) in rows.iter().enumerate() {
        for (j, b) in rows[..i].iter().enumerate() {
            let factor = factor(i, j);
            for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
                *sum += factor * (a - b) * (a - b);
            }
        }
    }
}

/// Adds Σ_{j≤i} factor(i, j) s_i s_j of every input.
fn by_products(rows: &[Vec<f64>], mut factor: impl FnMut(usize, usize) -> f64, sums: &mut [f64]) {
    for (i, a) in rows.iter().enumerate() {
        for (j, b) in rows[..=i].iter().enumerate() {
            let factor = factor(i, j);
            for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
                *sum += factor * a * b;
            }
        }
    }
}

/// ∂K/∂w = (2/π)/√(1−q²) · [s s′/√(AB) − ½ q (s²/A + s′²/B)] with A = 1 + Σ w s², B of s′ and q the cosine: the squares are
/// gathered by example.
fn arcsine(rows: &[Vec<f64>], kernel: &Kernel, q: impl Fn(usize, usize) -> f64, sums: &mut [f64]) {
    let norms: Vec<f64> = rows.iter().map(|row| 1.0 + kernel.weighted(row, row)).collect();
    let mut squares = vec![0.0; rows.len()];
    let products = |i: usize, j: usize| {
        let both = if i == j { q(i, i) } else { 2.0 * q(i, j) };
        let norm = (norms[i] * norms[j]).sqrt();
        let cosine = kernel.weighted(&rows[i], &rows[j]) / norm;
        let sine = ((1.0 - cosine) * (1.0 + cosine)).max(0.0).sqrt();
        // Equal directions of infinite length: the kernel is at its largest, and no weight changes it.
        let slope = if sine > 0.0 { both * FRAC_2_PI / sine } else { 0.0 };
        squares[i] -= 0.5 * slope * cosine / norms[i];
        squares[j] -= 0.5 * slope * cosine / norms[j];
        slope / norm
    };
    by_products(rows, products, sums);
    for (row, square) in rows.iter().zip(&squares) {
        for (sum, s) in sums.iter_mut().zip(row) {
            *sum += square * s * s;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covariances_change_as_their_finite_differences_do() {
        let rows: Vec<Vec<f64>> = vec![vec![0.3, -1.2, 0.5], vec![1.1, 0.4, -0.7], vec![0.0, 0.0, 0.0]];
        let q = [[0.3, -0.8, 0.2], [-0.8, 1.1, 0.6], [0.2, 0.6, -0.4]];
        for kind in [Kind::Arcsine, Kind::Rbf, Kind::Linear] {
            let kernel = Kernel { kind, weights: vec![0.5, 0.2, 1.3] };
            let problem = |kernel: &Kernel| TrainingSet::new(&rows, &[1.0, 1.0, -1.0], kernel, 0.1, 0.0);
            let exact = Gradient::of(&problem(&kernel), &rows, &kernel, 0.0, |i, j| q[i][j]);
            assert!((exact.v - 1.0).abs() < 1e-12);
            for input in 0..3 {
                let moved = |step: f64| {
                    let mut kernel = kernel.clone();
                    kernel.weights[input] *= libm::exp(step);
                    let problem = problem(&kernel);
                    (0..9).map(|k| q[k / 3][k % 3] * problem.at(k / 3, k % 3)).sum::<f64>()
                };
                let numeric = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                let ours = exact.ln_weights[input];
                assert!((numeric - ours).abs() < 1e-9, "{kind:?} {input}: {numeric} {ours}");
            }
        }
    }
}
