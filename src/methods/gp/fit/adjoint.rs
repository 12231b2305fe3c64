//! The gradient of the leave-one-out log predictive, by implicit differentiation of the fixed point: one linear solve gives the
//! derivatives by all parameters at once. The derivation is in the folder's README.

use nalgebra::{DMatrix, DVector};

use super::gradient::Gradient;
use crate::gp::solver::kernel::Kernel;
use crate::gp::solver::site::{Site, Slopes};
use crate::gp::solver::solution::Solution;
use crate::gp::solver::tap::MeanField;
use crate::gp::solver::training_set::TrainingSet;
use crate::math::product::a_diag_b;

impl Gradient {
    /// That of [`Solution::ln_loo`] at the `solution` of a `problem` with inputs `rows` (m of N) under `kernel`; `None` where the
    /// fixed point does not change smoothly, or a number is lost.
    pub fn leave_one_out(
        solution: &Solution,
        problem: &TrainingSet,
        rows: &[Vec<f64>],
        kernel: &Kernel,
    ) -> Option<Self> {
        let m = problem.len();
        let slopes = solution.slopes(problem);
        let sigma = covariances(solution, problem);
        let Parts { a, b, diagonal, kappa } = match solution.theory {
            MeanField::Tap => Parts::tap(solution, problem, &slopes, &sigma)?,
            MeanField::Naive => Parts::naive(solution, problem, &slopes, &sigma),
        };
        let (x, s) = (&solution.x, &solution.s);
        let inner = a_diag_b(&sigma, &b, &sigma);
        let q = |i: usize, j: usize| {
            let (place, unit) = (i * m + j, if i == j { b[i] + diagonal[i] } else { 0.0 });
            let response = unit - sigma[place] * (s[i] * b[j] + b[i] * s[j]) + s[i] * s[j] * inner[place];
            0.5 * (a[i] * x[j] + x[i] * a[j]) + response
        };
        let gradient = Self::of(problem, rows, kernel, kappa, q);
        let finite = gradient.ln_weights.iter().all(|g| g.is_finite()) && gradient.v.is_finite();
        finite.then_some(gradient)
    }
}

/// dL = Σ Q_ij dC_ij + `kappa` dκ with Q = sym(a xᵀ) + M diag(b) Mᵀ + diag(`diagonal`), M = (I + S C)⁻¹ = I − S Σ; each m.
struct Parts {
    a: Vec<f64>,
    b: Vec<f64>,
    diagonal: Vec<f64>,
    kappa: f64,
}

impl Parts {
    /// a and b are the multipliers of the two equations of the fixed point.
    fn tap(solution: &Solution, problem: &TrainingSet, slopes: &[Slopes], sigma: &[f64]) -> Option<Self> {
        let Adjoint { a, b } = Adjoint::solve(solution, slopes, sigma)?;
        // ∂L/∂κ − aᵀ ∂F₁/∂κ − bᵀ ∂F₂/∂κ.
        let h_b = offdiag_squares(sigma, &b);
        let c_lambda_a = minus_diagonal(problem, &a, &solution.lambda);
        let each =
            |i: usize| slopes[i].ln_z0_kappa + slopes[i].x_kappa * c_lambda_a[i] - slopes[i].s_kappa * h_b[i];
        let kappa = (0..a.len()).map(each).sum();
        Some(Self { diagonal: vec![0.0; a.len()], a, b, kappa })
    }

    /// Here λ = diag C is given, and the left-out field γ̃ = h − λ̃x with 1/λ̃ = 1/Σ_ii − S follows from the solution.
    fn naive(solution: &Solution, problem: &TrainingSet, slopes: &[Slopes], sigma: &[f64]) -> Self {
        let Solution { x, lambda, s, left_out, sites, .. } = solution;
        let m = x.len();
        // 1 − SΣ_ii, of which Σ_ii = λ̃ (1 − SΣ_ii).
        let shrinkage = |i: usize| 1.0 - s[i] * sigma[i * m + i];
        let lambda_tilde: Vec<f64> = (0..m).map(|i| sigma[i * m + i] / shrinkage(i)).collect();
        let left_out_site = |i: usize| Site::at(left_out[i], lambda_tilde[i], problem.tau[i], problem.kappa);
        let left_out_sites: Vec<Site> = (0..m).map(left_out_site).collect();
        let x_tilde: Vec<f64> = left_out_sites.iter().map(|site| site.x).collect();
        // By λ̃, which changes by λ̃² (dΣ_ii/Σ_ii² + dS).
        let b: Vec<f64> = (0..m)
            .map(|i| {
                let by_lambda_tilde = -x_tilde[i] * (0.5 * left_out[i] / lambda_tilde[i] + x[i]);
                if has_variance(lambda[i]) { by_lambda_tilde / (shrinkage(i) * shrinkage(i)) } else { 0.0 }
            })
            .collect();
        let h_b = offdiag_squares(sigma, &b);
        let g = minus_diagonal(problem, &x_tilde, &lambda_tilde);
        // R⁻¹ (−W g − S_γ H b).
        let z: Vec<f64> = (0..m)
            .map(|i| -(sites[i].w * g[i] + slopes[i].s_gamma * h_b[i]) / slopes[i].one_less_w_lambda)
            .collect();
        let sigma_z = times(sigma, &z);
        let a: Vec<f64> = (0..m).map(|i| z[i] - s[i] * sigma_z[i]).collect();
        let c_lambda_a = minus_diagonal(problem, &a, lambda);
        let diagonal = (0..m)
            .map(|i| slopes[i].x_lambda * (c_lambda_a[i] + g[i]) - a[i] * x[i] - slopes[i].s_lambda * h_b[i])
            .collect();
        let each = |i: usize| {
            let site = &left_out_sites[i];
            let tilde = Slopes::of(site, left_out[i], lambda_tilde[i], problem.tau[i], problem.kappa);
            tilde.ln_z0_kappa + slopes[i].x_kappa * (c_lambda_a[i] + g[i]) - slopes[i].s_kappa * h_b[i]
        };
        let kappa = (0..m).map(each).sum();
        Self { a: a.iter().zip(&x_tilde).map(|(a, x)| a + x).collect(), b, diagonal, kappa }
    }
}

/// Whether an example takes part: λ stays 0 where its field has no variance.
fn has_variance(lambda: f64) -> bool {
    lambda > 0.0
}

/// (C − diag `diagonal`) b.
fn minus_diagonal(problem: &TrainingSet, b: &[f64], diagonal: &[f64]) -> Vec<f64> {
    problem.times(b).iter().zip(b).zip(diagonal).map(|((c, b), d)| c - d * b).collect()
}

/// The multipliers of F₁ = γ − (C−λ) x and of F₂ = Σ_ii² (1/Σ_ii − 1/λ − S), m each.
struct Adjoint {
    a: Vec<f64>,
    b: Vec<f64>,
}

impl Adjoint {
    /// Solves Jᵀ (a, b) = ∂L/∂(γ, λ), with a eliminated: ∂F₁/∂γ = (I + C S)(1 − Wλ) is known in closed form.
    fn solve(solution: &Solution, slopes: &[Slopes], sigma: &[f64]) -> Option<Self> {
        let Solution { x, gamma, lambda, s, .. } = solution;
        let m = x.len();
        // x + λ ∂x/∂λ, and S times it + ∂x/∂λ: a change of λ moves γ by ((that) − Σ (this)) / (1 − Wλ).
        let y: Vec<f64> = (0..m).map(|i| x[i] + lambda[i] * slopes[i].x_lambda).collect();
        let r: Vec<f64> = (0..m).map(|i| s[i] * y[i] + slopes[i].x_lambda).collect();
        let q: Vec<f64> = slopes.iter().map(|slopes| slopes.s_gamma / slopes.one_less_w_lambda).collect();
        let p: Vec<f64> = (0..m).map(|i| slopes[i].s_lambda - q[i] * y[i]).collect();
        // diag(Σ_ii²/λ²) + H (p + q Σ r), H the squares of Σ but for its diagonal.
        let mut h: Vec<f64> = sigma.iter().map(|s| s * s).collect();
        for i in 0..m {
            h[i * m + i] = 0.0;
        }
        let h_q_sigma = a_diag_b(&h, &q, sigma);
        let transposed = DMatrix::from_fn(m, m, |row, column| {
            let place = column * m + row;
            let diagonal = match (row == column, has_variance(lambda[row])) {
                (true, true) => (sigma[place] / lambda[row]) * (sigma[place] / lambda[row]),
                (true, false) => 1.0,
                (false, _) => 0.0,
            };
            diagonal + h[place] * p[row] + h_q_sigma[place] * r[row]
        });
        // −½ xγ/λ − (y − rΣ) R⁻¹ x.
        let x_by_r: Vec<f64> = (0..m).map(|i| x[i] / slopes[i].one_less_w_lambda).collect();
        let sigma_x_by_r = times(sigma, &x_by_r);
        let right_side = DVector::from_fn(m, |i, _| {
            if has_variance(lambda[i]) {
                -0.5 * x[i] * gamma[i] / lambda[i] - y[i] * x_by_r[i] + r[i] * sigma_x_by_r[i]
            } else {
                0.0
            }
        });
        let b = transposed.lu().solve(&right_side)?.as_slice().to_vec();
        // a = (I − SΣ) R⁻¹ (x − S_γ H b).
        let h_b = offdiag_squares(sigma, &b);
        let z: Vec<f64> =
            (0..m).map(|i| (x[i] - slopes[i].s_gamma * h_b[i]) / slopes[i].one_less_w_lambda).collect();
        let sigma_z = times(sigma, &z);
        let a = (0..m).map(|i| z[i] - s[i] * sigma_z[i]).collect();
        Some(Self { a, b })
    }
}

/// Σ = C − C (Λ+C)⁻¹ C, row by row, m×m: Λ − Λ (Λ+C)⁻¹ Λ, and by its definition where a tiny S would make that cancel.
fn covariances(solution: &Solution, problem: &TrainingSet) -> Vec<f64> {
    let (m, s) = (problem.len(), &solution.s);
    let mut sigma = solution.factor.inverse();
    let tiny: Vec<bool> = (0..m).map(|i| (s[i] * problem.at(i, i)).abs() <= 1e-5).collect();
    for i in 0..m {
        for j in 0..m {
            let diagonal = if i == j { s[i] } else { 0.0 };
            sigma[i * m + j] = (diagonal - sigma[i * m + j]) / (s[i] * s[j]);
        }
    }
    for i in (0..m).filter(|i| tiny[*i]) {
        let row = problem.row(i);
        let explained = problem.times(&solution.factor.solve(row));
        for j in 0..m {
            let covariance = row[j] - explained[j];
            sigma[i * m + j] = covariance;
            sigma[j * m + i] = covariance;
        }
    }
    sigma
}

/// A b of a symmetric matrix, row by row.
fn times(a: &[f64], b: &[f64]) -> Vec<f64> {
    if b.is_empty() {
        return Vec::new();
    }
    a.chunks_exact(b.len()).map(|row| crate::math::lanes::dot(row, b)).collect()
}

/// Σ_{j≠i} Σ_ij² b_j.
fn offdiag_squares(sigma: &[f64], b: &[f64]) -> Vec<f64> {
    let m = b.len();
    (0..m)
        .map(|i| {
            let row = &sigma[i * m..][..m];
            row.iter().zip(b).enumerate().filter(|(j, _)| *j != i).map(|(_, (s, b))| s * s * b).sum()
        })
        .collect()
}
