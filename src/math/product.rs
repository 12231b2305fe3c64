//! Product of two matrices with a diagonal matrix between them.

use super::cholesky::reduce;
use super::lanes::{LANES, Lanes, SimdKernel, dispatch_simd};

/// Returns A diag(d) Bᵀ for n×n matrices A and B, row by row. The result is n×n, row by row. Elements are summed in the order of their
/// index, independent of the width of the vectors.
///
/// # Panics
/// If a length is not n×n.
pub fn a_diag_b(a: &[f64], d: &[f64], b: &[f64]) -> Vec<f64> {
    let n = d.len();
    assert!(
        a.len() == n * n && b.len() == n * n,
        "both matrices have a row for each element of the diagonal"
    );
    let left = strips(n, |i, k| -a[i * n + k] * d[k]);
    let right = strips(n, |i, k| b[i * n + k]);
    let mut out = vec![0.0; n * n];
    dispatch_simd(ADiagB { n, left: &left, right: &right, out: &mut out });
    out
}

/// Returns an n×n matrix in strips of eight rows: element (8s+i, k) at `s·n + k`, lane i.
pub(crate) fn strips(n: usize, element: impl Fn(usize, usize) -> f64) -> Vec<Lanes> {
    let mut strips = vec![[0.0; LANES]; n.div_ceil(LANES) * n];
    for i in 0..n {
        for (k, column) in strips[i / LANES * n..][..n].iter_mut().enumerate() {
            column[i % LANES] = element(i, k);
        }
    }
    strips
}

/// Kernel on strips of eight negated rows of the left factor and eight columns of the right one: element k of strip s at s·n + k.
struct ADiagB<'a> {
    n: usize,
    left: &'a [Lanes],
    right: &'a [Lanes],
    out: &'a mut [f64],
}

impl SimdKernel for ADiagB<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { n, left, right, out } = self;
        if n == 0 {
            return;
        }
        for (t, columns) in right.chunks_exact(n).enumerate() {
            for (s, rows) in left.chunks_exact(n).enumerate() {
                let mut block = [[0.0; LANES]; LANES];
                reduce(rows, columns, &mut block);
                for (j, column) in block.iter().enumerate() {
                    for (i, x) in column.iter().enumerate() {
                        let (i, j) = (s * LANES + i, t * LANES + j);
                        if i < n && j < n {
                            out[i * n + j] = *x;
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diag_b_agrees_with_direct_sums() {
        for n in [0, 1, 3, 8, 13] {
            let a: Vec<f64> = (0..n * n).map(|k| ((k * 7) % 11) as f64 - 4.0).collect();
            let b: Vec<f64> = (0..n * n).map(|k| ((k * 5) % 7) as f64 - 2.0).collect();
            let d: Vec<f64> = (0..n).map(|k| 1.5 - k as f64).collect();
            let product = a_diag_b(&a, &d, &b);
            for i in 0..n {
                for j in 0..n {
                    let sum: f64 = (0..n).map(|k| a[i * n + k] * d[k] * b[j * n + k]).sum();
                    assert!(
                        (product[i * n + j] - sum).abs() <= 1e-12 * (1.0 + sum.abs()),
                        "n={n} ({i}, {j})"
                    );
                }
            }
        }
    }
}
