//! The gradient of the leave-one-out log predictive probability, by implicit differentiation of the fixed point: one linear solve gives
//! the derivatives with respect to all hyperparameters. The README has the derivation.

use nalgebra::{DMatrix, DVector};

use super::gradient::HyperGradient;
use crate::gp::solver::kernel::Kernel;
use crate::gp::solver::site::{Site, SiteDerivatives};
use crate::gp::solver::solution::Solution;
use crate::gp::solver::theory::MeanFieldTheory;
use crate::gp::solver::training_set::TrainingSet;
use crate::math::lanes::dot;
use crate::math::product::a_diag_b;

/// Values of |S C_ii| below which Σ = (S − (Λ+C)⁻¹)/S² would cancel.
const TINY_PRECISION: f64 = 1e-5;

impl HyperGradient {
    /// Returns the gradient of [`Solution::ln_loo`] at the `solution` of a `set` with inputs `rows` (m of N) under `kernel`; `None`
    /// if the fixed point is not differentiable or a number is not finite.
    pub fn leave_one_out(
        solution: &Solution,
        set: &TrainingSet,
        rows: &[Vec<f64>],
        kernel: &Kernel,
    ) -> Option<Self> {
        let m = set.len();
        let slopes = solution.site_derivatives(set);
        let sigma = posterior_covariances(solution, set);
        let ImplicitTerms { a, b, diagonal, kappa } = match solution.theory {
            MeanFieldTheory::Tap => ImplicitTerms::tap(solution, set, &slopes, &sigma)?,
            MeanFieldTheory::Naive => ImplicitTerms::naive(solution, set, &slopes, &sigma),
        };
        let (x, s) = (&solution.x, &solution.s);
        let inner = a_diag_b(&sigma, &b, &sigma);
        let q = |i: usize, j: usize| {
            let (element, unit) = (i * m + j, if i == j { b[i] + diagonal[i] } else { 0.0 });
            let response = unit - sigma[element] * (s[i] * b[j] + b[i] * s[j]) + s[i] * s[j] * inner[element];
            0.5 * (a[i] * x[j] + x[i] * a[j]) + response
        };
        let gradient = Self::from_matrix(set, rows, kernel, kappa, q);
        let finite = gradient.ln_weights.iter().all(|g| g.is_finite()) && gradient.v.is_finite();
        finite.then_some(gradient)
    }
}

/// The terms of dL = Σ `Q_ij` `dC_ij` + `kappa` dκ with Q = sym(a xᵀ) + M diag(b) Mᵀ + diag(`diagonal`) and
/// M = (I + S C)⁻¹ = I − S Σ; vectors of m.
struct ImplicitTerms {
    a: Vec<f64>,
    b: Vec<f64>,
    diagonal: Vec<f64>,
    kappa: f64,
}

impl ImplicitTerms {
    /// Returns the terms for TAP, where a and b are the multipliers of the two equations of the fixed point.
    fn tap(
        solution: &Solution,
        set: &TrainingSet,
        slopes: &[SiteDerivatives],
        sigma: &[f64],
    ) -> Option<Self> {
        let Multipliers { a, b } = Multipliers::solve(solution, slopes, sigma)?;
        // ∂L/∂κ − aᵀ ∂F₁/∂κ − bᵀ ∂F₂/∂κ.
        let h_b = offdiagonal_squares_times(sigma, &b);
        let c_lambda_a = minus_diagonal_times(set, &solution.lambda, &a);
        let each =
            |i: usize| slopes[i].ln_z0_kappa + slopes[i].x_kappa * c_lambda_a[i] - slopes[i].s_kappa * h_b[i];
        let kappa = (0..a.len()).map(each).sum();
        Some(Self { diagonal: vec![0.0; a.len()], a, b, kappa })
    }

    /// Returns the terms for the naive theory: λ = diag C is given, and the left-out field γ̃ = h − λ̃x with 1/λ̃ = 1/`Σ_ii` − S is a function
    /// of the solution.
    fn naive(solution: &Solution, set: &TrainingSet, slopes: &[SiteDerivatives], sigma: &[f64]) -> Self {
        let Solution { x, lambda, s, left_out, sites, .. } = solution;
        let m = x.len();
        // 1 − SΣ_ii; Σ_ii = λ̃ (1 − SΣ_ii).
        let shrinkage = |i: usize| 1.0 - s[i] * sigma[i * m + i];
        let lambda_tilde: Vec<f64> = (0..m).map(|i| sigma[i * m + i] / shrinkage(i)).collect();
        let left_out_sites = Site::all(set, left_out, &lambda_tilde);
        let x_tilde: Vec<f64> = left_out_sites.iter().map(|site| site.x).collect();
        // The derivative with respect to λ̃, which changes by λ̃² (dΣ_ii/Σ_ii² + dS).
        let b: Vec<f64> = (0..m)
            .map(|i| {
                let by_lambda_tilde = -x_tilde[i] * (0.5 * left_out[i] / lambda_tilde[i] + x[i]);
                if has_variance(lambda[i]) { by_lambda_tilde / (shrinkage(i) * shrinkage(i)) } else { 0.0 }
            })
            .collect();
        let h_b = offdiagonal_squares_times(sigma, &b);
        let g = minus_diagonal_times(set, &lambda_tilde, &x_tilde);
        // R⁻¹ (−W g − S_γ H b).
        let z: Vec<f64> = (0..m)
            .map(|i| -(sites[i].w * g[i] + slopes[i].s_gamma * h_b[i]) / slopes[i].one_minus_w_lambda)
            .collect();
        let sigma_z = matrix_times(sigma, &z);
        let a: Vec<f64> = (0..m).map(|i| z[i] - s[i] * sigma_z[i]).collect();
        let c_lambda_a = minus_diagonal_times(set, lambda, &a);
        let diagonal = (0..m)
            .map(|i| slopes[i].x_lambda * (c_lambda_a[i] + g[i]) - a[i] * x[i] - slopes[i].s_lambda * h_b[i])
            .collect();
        let each = |i: usize| {
            let site = &left_out_sites[i];
            let tilde = SiteDerivatives::new(site, left_out[i], lambda_tilde[i], set.tau[i], set.kappa);
            tilde.ln_z0_kappa + slopes[i].x_kappa * (c_lambda_a[i] + g[i]) - slopes[i].s_kappa * h_b[i]
        };
        let kappa = (0..m).map(each).sum();
        Self { a: a.iter().zip(&x_tilde).map(|(a, x)| a + x).collect(), b, diagonal, kappa }
    }
}

/// Returns true if an example has an effect: λ stays 0 where its field has no variance.
fn has_variance(lambda: f64) -> bool {
    lambda > 0.0
}

/// Returns (C − diag `diagonal`) b, m.
fn minus_diagonal_times(set: &TrainingSet, diagonal: &[f64], b: &[f64]) -> Vec<f64> {
    set.times(b).iter().zip(b).zip(diagonal).map(|((c, b), d)| c - d * b).collect()
}

/// Multipliers of F₁ = γ − (C−λ) x, OW98 eq. (13), and of F₂ = `Σ_ii`² (1/`Σ_ii` − 1/λ − S), OW98 eq. (12); m each.
struct Multipliers {
    a: Vec<f64>,
    b: Vec<f64>,
}

impl Multipliers {
    /// Solves Jᵀ (a, b) = ∂L/∂(γ, λ) after eliminating a: ∂F₁/∂γ = (I + C S)(1 − Wλ) has a closed-form inverse.
    fn solve(solution: &Solution, slopes: &[SiteDerivatives], sigma: &[f64]) -> Option<Self> {
        let Solution { x, gamma, lambda, s, .. } = solution;
        let m = x.len();
        // y = x + λ ∂x/∂λ and r = S y + ∂x/∂λ: a change of λ moves γ by (r − Σ y)/(1 − Wλ).
        let y: Vec<f64> = (0..m).map(|i| x[i] + lambda[i] * slopes[i].x_lambda).collect();
        let r: Vec<f64> = (0..m).map(|i| s[i] * y[i] + slopes[i].x_lambda).collect();
        let q: Vec<f64> = slopes.iter().map(|slopes| slopes.s_gamma / slopes.one_minus_w_lambda).collect();
        let p: Vec<f64> = (0..m).map(|i| slopes[i].s_lambda - q[i] * y[i]).collect();
        // diag(Σ_ii²/λ²) + H (p + q Σ r), H the squares of Σ without its diagonal.
        let mut h: Vec<f64> = sigma.iter().map(|s| s * s).collect();
        for i in 0..m {
            h[i * m + i] = 0.0;
        }
        let h_q_sigma = a_diag_b(&h, &q, sigma);
        let transposed = DMatrix::from_fn(m, m, |row, column| {
            let element = column * m + row;
            let diagonal = match (row == column, has_variance(lambda[row])) {
                (true, true) => (sigma[element] / lambda[row]) * (sigma[element] / lambda[row]),
                (true, false) => 1.0,
                (false, _) => 0.0,
            };
            diagonal + h[element] * p[row] + h_q_sigma[element] * r[row]
        });
        // −½ xγ/λ − (y − rΣ) R⁻¹ x.
        let x_by_r: Vec<f64> = (0..m).map(|i| x[i] / slopes[i].one_minus_w_lambda).collect();
        let sigma_x_by_r = matrix_times(sigma, &x_by_r);
        let right_side = DVector::from_fn(m, |i, _| {
            if has_variance(lambda[i]) {
                -0.5 * x[i] * gamma[i] / lambda[i] - y[i] * x_by_r[i] + r[i] * sigma_x_by_r[i]
            } else {
                0.0
            }
        });
        let b = transposed.lu().solve(&right_side)?.as_slice().to_vec();
        // a = (I − SΣ) R⁻¹ (x − S_γ H b).
        let h_b = offdiagonal_squares_times(sigma, &b);
        let z: Vec<f64> =
            (0..m).map(|i| (x[i] - slopes[i].s_gamma * h_b[i]) / slopes[i].one_minus_w_lambda).collect();
        let sigma_z = matrix_times(sigma, &z);
        let a = (0..m).map(|i| z[i] - s[i] * sigma_z[i]).collect();
        Some(Self { a, b })
    }
}

/// Returns Σ = C − C (Λ+C)⁻¹ C, row by row, m×m: by Λ − Λ (Λ+C)⁻¹ Λ, and by its definition where S is so small that this would cancel.
fn posterior_covariances(solution: &Solution, set: &TrainingSet) -> Vec<f64> {
    let (m, s) = (set.len(), &solution.s);
    let mut sigma = solution.factor.inverse();
    for i in 0..m {
        for j in 0..m {
            let diagonal = if i == j { s[i] } else { 0.0 };
            sigma[i * m + j] = (diagonal - sigma[i * m + j]) / (s[i] * s[j]);
        }
    }
    for i in (0..m).filter(|i| (s[*i] * set.at(*i, *i)).abs() <= TINY_PRECISION) {
        let row = set.row(i);
        let explained = set.times(&solution.factor.solve(row));
        for j in 0..m {
            let covariance = row[j] - explained[j];
            sigma[i * m + j] = covariance;
            sigma[j * m + i] = covariance;
        }
    }
    sigma
}

/// Returns A b of a symmetric matrix A, row by row, m×m.
fn matrix_times(a: &[f64], b: &[f64]) -> Vec<f64> {
    if b.is_empty() {
        return Vec::new();
    }
    a.chunks_exact(b.len()).map(|row| dot(row, b)).collect()
}

/// Returns H b with H the squares of Σ without its diagonal: Σ_{j≠i} `Σ_ij`² `b_j`, m.
fn offdiagonal_squares_times(sigma: &[f64], b: &[f64]) -> Vec<f64> {
    let m = b.len();
    (0..m)
        .map(|i| {
            let row = &sigma[i * m..][..m];
            row.iter().zip(b).enumerate().filter(|(j, _)| *j != i).map(|(_, (s, b))| s * s * b).sum()
        })
        .collect()
}
