//! Curvature of the free energy by the parameters of a factor covariance, BB98 eq. (18), for a quadratic energy.

use super::triangular;
use crate::math::cholesky::Cholesky;

/// Smallest addition to the diagonal of the Hessian. It is singular for several factors, which can be rotated into each other.
const MIN_SHIFT: f64 = 0.01;
/// Factor by which the addition grows until the Hessian is positive definite, and the maximum number of trials.
const GROWTH: f64 = 3.0;
const MAX_TRIALS: usize = 12;

/// Hessian of ½ tr(A C) − ½ ln|C| at C = I + S Sᵀ by the log standard deviations of the diagonal part, k, and by S, k×s.
struct FactorHessian {
    k: usize,
    s: usize,
    /// A, k×k.
    precision: Vec<f64>,
    /// C⁻¹, k×k.
    inverse: Vec<f64>,
    /// C⁻¹ S, k×s.
    inverse_factors: Vec<f64>,
    /// Sᵀ C⁻¹ S, s×s.
    inner: Vec<f64>,
}

impl FactorHessian {
    /// Returns the Hessian at `factors`, k×s, for A with elements `precision(i, j)`; `None` if C is not numerically positive definite.
    fn new((k, s): (usize, usize), factors: &[f64], precision: impl Fn(usize, usize) -> f64) -> Option<Self> {
        let by_columns = |left: &[f64], right: &[f64], i: usize, j: usize| -> f64 {
            (0..k).map(|n| left[n * s + i] * right[n * s + j]).sum()
        };
        let woodbury = Cholesky::new(s, |i, j| by_columns(factors, factors, i, j) + identity(i, j))?;
        let mut inverse_factors = factors.to_vec();
        inverse_factors.chunks_exact_mut(s).for_each(|row| woodbury.solve(row));
        let explained = |i: usize, j: usize| -> f64 {
            (0..s).map(|n| inverse_factors[i * s + n] * factors[j * s + n]).sum()
        };
        Some(Self {
            k,
            s,
            precision: (0..k * k).map(|at| precision(at / k, at % k)).collect(),
            inverse: (0..k * k).map(|at| identity(at / k, at % k) - explained(at / k, at % k)).collect(),
            inner: (0..s * s).map(|at| by_columns(factors, &inverse_factors, at / s, at % s)).collect(),
            inverse_factors,
        })
    }

    /// Returns the element of row `i` and column `j` ≤ `i`.
    fn at(&self, i: usize, j: usize) -> f64 {
        let Self { k, s, precision, inverse, inverse_factors, inner } = self;
        let (k, s) = (*k, *s);
        let excess = |m: usize, n: usize| precision[m * k + n] - inverse[m * k + n];
        if i < k {
            let square = inverse[i * k + j] * inverse[i * k + j];
            return 2.0 * square + if i == j { 2.0 * excess(i, i) } else { 0.0 };
        }
        let (m, b) = ((i - k) / s, (i - k) % s);
        if j < k {
            return 2.0 * inverse[j * k + m] * inverse_factors[j * s + b];
        }
        let (n, c) = ((j - k) / s, (j - k) % s);
        let same = if b == c { excess(m, n) } else { 0.0 };
        same + inverse[m * k + n] * inner[c * s + b] + inverse_factors[m * s + c] * inverse_factors[n * s + b]
    }
}

/// Returns 1 on the diagonal, 0 elsewhere.
fn identity(i: usize, j: usize) -> f64 {
    f64::from(u8::from(i == j))
}

/// Returns the lower triangular W with W Wᵀ = (H + τ I)⁻¹ for the Hessian H of the free energy by the log standard deviations and the
/// factors, k(1 + s) square, at C = I + S Sᵀ and for an energy with the Hessian `precision(i, j)`; τ is the smallest tried value for
/// which the sum is positive definite. `None` if there is none.
pub(super) fn factor_scale(
    (k, s): (usize, usize),
    factors: &[f64],
    precision: impl Fn(usize, usize) -> f64,
) -> Option<Vec<f64>> {
    let hessian = FactorHessian::new((k, s), factors, precision)?;
    let shifts = std::iter::successors(Some(MIN_SHIFT), |shift| Some(GROWTH * shift));
    shifts.take(MAX_TRIALS).find_map(|shift| {
        triangular::inverse_factor(k * (s + 1), |i, j| hessian.at(i, j) + shift * identity(i, j))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const K: usize = 3;
    const S: usize = 2;
    const FACTORS: [f64; K * S] = [0.4, -0.2, 0.7, 0.3, -0.5, 0.6];

    fn precision(i: usize, j: usize) -> f64 {
        [[1.9, 0.3, -0.2], [0.3, 1.2, 0.4], [-0.2, 0.4, 1.5]][i][j]
    }

    /// Returns ½ tr(A C) − ½ ln|C| at C = diag(exp(2 ln sd)) + S Sᵀ.
    fn free_energy(parameters: &[f64]) -> f64 {
        let (ln_sds, factors) = parameters.split_at(K);
        let covariance = |i: usize, j: usize| {
            let product: f64 = (0..S).map(|n| factors[i * S + n] * factors[j * S + n]).sum();
            product + identity(i, j) * libm::exp(2.0 * ln_sds[i])
        };
        let trace: f64 = (0..K * K).map(|at| precision(at / K, at % K) * covariance(at / K, at % K)).sum();
        0.5 * trace - 0.5 * Cholesky::new(K, covariance).unwrap().ln_det()
    }

    #[test]
    fn the_hessian_agrees_with_finite_differences() {
        const STEP: f64 = 1e-4;
        let hessian = FactorHessian::new((K, S), &FACTORS, precision).unwrap();
        let at = |moves: [(usize, f64); 2]| {
            let mut parameters = [&[0.0; K][..], &FACTORS].concat();
            for (i, step) in moves {
                parameters[i] += step;
            }
            free_energy(&parameters)
        };
        for i in 0..K * (S + 1) {
            for j in 0..=i {
                let difference =
                    at([(i, STEP), (j, STEP)]) - at([(i, STEP), (j, -STEP)]) - at([(i, -STEP), (j, STEP)])
                        + at([(i, -STEP), (j, -STEP)]);
                let expected = difference / (4.0 * STEP * STEP);
                assert!(
                    (hessian.at(i, j) - expected).abs() < 1e-5,
                    "{i} {j}: {} {expected}",
                    hessian.at(i, j)
                );
            }
        }
    }

    #[test]
    fn the_scale_inverts_the_shifted_hessian() {
        let scale = factor_scale((K, S), &FACTORS, precision).unwrap();
        let count = K * (S + 1);
        let hessian = FactorHessian::new((K, S), &FACTORS, precision).unwrap();
        let x: Vec<f64> = (0..count).map(|i| 0.3 * i as f64 - 1.0).collect();
        // W Wᵀ (H + τ I) x = x for one of the values of τ.
        let error = |shift: f64| {
            let row = |i: usize| -> f64 {
                (0..count).map(|j| (hessian.at(i.max(j), i.min(j)) + shift * identity(i, j)) * x[j]).sum()
            };
            let product: Vec<f64> = (0..count).map(row).collect();
            let inner = triangular::transpose_times_vector(&scale, &product);
            let back = triangular::times_vector(&scale, &inner);
            back.iter().zip(&x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let shifts = (0..MAX_TRIALS).map(|n| MIN_SHIFT * GROWTH.powi(n as i32));
        assert!(shifts.map(error).fold(f64::INFINITY, f64::min) < 1e-9);
    }
}
