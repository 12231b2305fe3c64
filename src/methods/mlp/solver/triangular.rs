//! Products of lower triangular matrices, k×k, row by row, with zeros above the diagonal.

use crate::math::cholesky::Cholesky;
use crate::math::lanes::{SimdKernel, dispatch_simd, dot};

/// Returns the lower triangular U with U Uᵀ = A⁻¹ for a symmetric A with elements `element(i, j)`, j ≤ i; `None` if A is not
/// positive definite.
pub(super) fn inverse_factor(k: usize, element: impl Fn(usize, usize) -> f64) -> Option<Vec<f64>> {
    // With rows and columns in reverse order, A = R Rᵀ, and the transposed inverse of R in reverse order is lower triangular.
    let reversed = Cholesky::new(k, |i, j| element(k - 1 - j, k - 1 - i))?;
    let mut factor = vec![0.0; k * k];
    for (i, row) in factor.chunks_exact_mut(k).rev().enumerate() {
        row[i] = 1.0;
        reversed.solve_lower(row);
        row.reverse();
    }
    Some(factor)
}

/// Returns L x.
pub(super) fn times_vector(lower: &[f64], x: &[f64]) -> Vec<f64> {
    lower.chunks_exact(x.len()).zip(1..).map(|(row, end)| dot(&row[..end], &x[..end])).collect()
}

/// Returns Lᵀ x.
pub(super) fn transpose_times_vector(lower: &[f64], x: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; x.len()];
    for (row, x) in lower.chunks_exact(x.len()).zip(x) {
        for (to, l) in product.iter_mut().zip(row) {
            *to += l * x;
        }
    }
    product
}

/// Returns the solution x of L x = `b`.
pub(super) fn solve(lower: &[f64], b: &[f64]) -> Vec<f64> {
    let mut x: Vec<f64> = Vec::with_capacity(b.len());
    for (i, (row, b)) in lower.chunks_exact(b.len()).zip(b).enumerate() {
        x.push((b - dot(&row[..i], &x)) / row[i]);
    }
    x
}

/// Returns L Lᵀ, k×k.
pub(super) fn times_transpose(lower: &[f64], k: usize) -> Vec<f64> {
    let mut matrix = dispatch_simd(TimesTranspose { lower, k });
    for i in 0..k {
        for j in 0..i {
            matrix[j * k + i] = matrix[i * k + j];
        }
    }
    matrix
}

/// Returns the product of two lower triangular matrices.
pub(super) fn product(left: &[f64], right: &[f64], k: usize) -> Vec<f64> {
    dispatch_simd(Product { left, right, k })
}

/// Returns the lower triangle of Lᵀ `right` for lower triangular matrices: the gradient by M of a function of L M, given the lower
/// triangle `right` of its gradient by L M.
pub(super) fn transpose_product(lower: &[f64], right: &[f64], k: usize) -> Vec<f64> {
    dispatch_simd(TransposeProduct { lower, right, k })
}

/// Returns the lower triangle of 2 G L: the gradient by L of a function with symmetric gradient G by L Lᵀ.
pub(super) fn gradient_by_lower(by: &[f64], lower: &[f64], k: usize) -> Vec<f64> {
    dispatch_simd(GradientByLower { by, lower, k })
}

/// Adds `scale` times `from` to the first elements of `to`.
#[inline(always)]
fn add_scaled(to: &mut [f64], scale: f64, from: &[f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += scale * from;
    }
}

struct TimesTranspose<'a> {
    lower: &'a [f64],
    k: usize,
}

impl SimdKernel for TimesTranspose<'_> {
    type Output = Vec<f64>;
    #[inline(always)]
    fn run(self) -> Vec<f64> {
        let Self { lower, k } = self;
        let (mut matrix, mut upper) = (vec![0.0; k * k], vec![0.0; k * k]);
        for i in 0..k {
            for j in 0..=i {
                upper[j * k + i] = lower[i * k + j];
            }
        }
        for i in 0..k {
            let row = &mut matrix[i * k..][..=i];
            for n in 0..=i {
                add_scaled(&mut row[n..], lower[i * k + n], &upper[n * k + n..]);
            }
        }
        matrix
    }
}

struct Product<'a> {
    left: &'a [f64],
    right: &'a [f64],
    k: usize,
}

impl SimdKernel for Product<'_> {
    type Output = Vec<f64>;
    #[inline(always)]
    fn run(self) -> Vec<f64> {
        let Self { left, right, k } = self;
        let mut out = vec![0.0; k * k];
        for i in 0..k {
            for n in 0..=i {
                add_scaled(&mut out[i * k..][..=n], left[i * k + n], &right[n * k..]);
            }
        }
        out
    }
}

struct TransposeProduct<'a> {
    lower: &'a [f64],
    right: &'a [f64],
    k: usize,
}

impl SimdKernel for TransposeProduct<'_> {
    type Output = Vec<f64>;
    #[inline(always)]
    fn run(self) -> Vec<f64> {
        let Self { lower, right, k } = self;
        let mut out = vec![0.0; k * k];
        for i in 0..k {
            for n in 0..=i {
                add_scaled(&mut out[n * k..][..=n], lower[i * k + n], &right[i * k..]);
            }
        }
        out
    }
}

struct GradientByLower<'a> {
    by: &'a [f64],
    lower: &'a [f64],
    k: usize,
}

impl SimdKernel for GradientByLower<'_> {
    type Output = Vec<f64>;
    #[inline(always)]
    fn run(self) -> Vec<f64> {
        let Self { by, lower, k } = self;
        let mut slopes = vec![0.0; k * k];
        for i in 0..k {
            let row = &mut slopes[i * k..][..=i];
            for j in 0..k {
                let end = row.len().min(j + 1);
                add_scaled(&mut row[..end], 2.0 * by[i * k + j], &lower[j * k..]);
            }
        }
        slopes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const K: usize = 5;

    fn lower(shift: usize) -> Vec<f64> {
        let element = |at: usize| {
            let (i, j) = (at / K, at % K);
            let value = ((i * 7 + j * 3 + shift) % 5) as f64 - 1.7;
            if j < i { 0.3 * value } else { f64::from(u8::from(i == j)) * (1.0 + 0.1 * i as f64) }
        };
        (0..K * K).map(element).collect()
    }

    fn dense(left: impl Fn(usize, usize) -> f64, right: impl Fn(usize, usize) -> f64) -> Vec<f64> {
        let sum = |at: usize| (0..K).map(|n| left(at / K, n) * right(n, at % K)).sum();
        (0..K * K).map(sum).collect()
    }

    fn near(ours: &[f64], theirs: &[f64]) {
        assert_eq!(ours.len(), theirs.len());
        assert!(ours.iter().zip(theirs).all(|(a, b)| (a - b).abs() < 1e-12), "{ours:?} {theirs:?}");
    }

    #[test]
    fn products_agree_with_dense_ones() {
        let (a, b) = (lower(0), lower(2));
        let at = |m: &[f64], i: usize, j: usize| m[i * K + j];
        near(&product(&a, &b, K), &dense(|i, n| at(&a, i, n), |n, j| at(&b, n, j)));
        let square = dense(|i, n| at(&a, i, n), |n, j| at(&a, j, n));
        near(&times_transpose(&a, K), &square);
        let triangle = |mut m: Vec<f64>| {
            (0..K * K).filter(|at| at % K > at / K).for_each(|at| m[at] = 0.0);
            m
        };
        near(&transpose_product(&a, &b, K), &triangle(dense(|i, n| at(&a, n, i), |n, j| at(&b, n, j))));
        let twice = dense(|i, n| 2.0 * at(&square, i, n), |n, j| at(&b, n, j));
        near(&gradient_by_lower(&square, &b, K), &triangle(twice));
        let x = [0.4, -1.0, 2.0, 0.1, 0.7];
        near(&solve(&a, &times_vector(&a, &x)), &x);
        let by_columns: Vec<f64> = (0..K).map(|j| (0..K).map(|i| at(&a, i, j) * x[i]).sum()).collect();
        near(&transpose_times_vector(&a, &x), &by_columns);
    }

    #[test]
    fn the_inverse_factor_is_lower_triangular() {
        let precision = times_transpose(&lower(1), K);
        let factor = inverse_factor(K, |i, j| precision[i * K + j]).unwrap();
        assert!((0..K * K).all(|at| at % K <= at / K || factor[at] == 0.0));
        let inverse = times_transpose(&factor, K);
        let identity: Vec<f64> = (0..K * K).map(|at| f64::from(u8::from(at / K == at % K))).collect();
        near(&dense(|i, n| precision[i * K + n], |n, j| inverse[n * K + j]), &identity);
        assert!(inverse_factor(2, |i, j| if i == j { -1.0 } else { 0.0 }).is_none());
    }
}
