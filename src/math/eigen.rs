//! Eigenvalues and eigenvectors of small symmetric matrices by Jacobi rotations.
//!
//! nalgebra's `SymmetricEigen` is not used: Jacobi rotations give small eigenvalues of a positive matrix with high relative accuracy
//! (Demmel and Veselić, SIAM J. Matrix Anal. Appl. 13, 1204 (1992)), tridiagonal reduction only relative to the largest. Two models
//! start learning at these vectors, so that other last bits would change all their results.

/// Maximum number of sweeps over all pairs. Convergence is quadratic, after about six.
const MAX_SWEEPS: usize = 60;

/// The eigendecomposition of a symmetric matrix.
#[derive(Clone, Debug)]
pub struct Eigen {
    /// Eigenvalues, n, in descending order.
    pub values: Vec<f64>,
    /// Unit eigenvectors, n of n, in the order of the eigenvalues. The largest element of each is positive.
    pub vectors: Vec<Vec<f64>>,
}

impl Eigen {
    /// Decomposes the n×n matrix with elements `element(i, j)`, which is only called for j ≤ i.
    pub fn new(n: usize, element: impl Fn(usize, usize) -> f64) -> Self {
        let mut a: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| element(i.max(j), i.min(j))).collect()).collect();
        let mut v: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
        let scale: f64 = a.iter().flatten().map(|x| x * x).sum();
        for _ in 0..MAX_SWEEPS {
            let off: f64 =
                (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j] * a[i][j]).sum();
            // NaN also ends the iteration.
            if off.is_nan() || off <= 1e-34 * scale {
                break;
            }
            for q in 1..n {
                for p in 0..q {
                    rotate(&mut a, &mut v, p, q);
                }
            }
        }
        let keys: Vec<f64> = (0..n).map(|i| -a[i][i]).collect();
        let order = super::stats::order(&keys);
        let column = |k: &usize| {
            let column: Vec<f64> = v.iter().map(|row| row[*k]).collect();
            let largest =
                column.iter().fold(0.0, |most: f64, x| if x.abs() > most.abs() { *x } else { most });
            let sign = if largest < 0.0 { -1.0 } else { 1.0 };
            column.into_iter().map(|x| sign * x).collect()
        };
        Self {
            values: order.iter().map(|k| a[*k][*k]).collect(),
            vectors: order.iter().map(column).collect(),
        }
    }
}

/// Applies the rotation that makes element (p, q) zero.
fn rotate(a: &mut [Vec<f64>], v: &mut [Vec<f64>], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = 1.0_f64.copysign(theta) / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    let turn = |x: &mut f64, y: &mut f64| (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    for row in a.iter_mut().chain(v) {
        let (left, right) = row.split_at_mut(q);
        turn(&mut left[p], &mut right[0]);
    }
    let (above, below) = a.split_at_mut(q);
    for (x, y) in above[p].iter_mut().zip(&mut below[0]) {
        turn(x, y);
    }
    (above[p][q], below[0][p]) = (0.0, 0.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_decomposition_reproduces_the_matrix() {
        for n in [0, 1, 2, 5, 12] {
            let a = |i: usize, j: usize| ((i * j * 7 + 3 * (i + j)) % 11) as f64 - 4.0;
            let eigen = Eigen::new(n, a);
            assert!(eigen.values.windows(2).all(|pair| pair[0] >= pair[1]));
            for i in 0..n {
                for j in 0..n {
                    let product: f64 =
                        eigen.values.iter().zip(&eigen.vectors).map(|(value, v)| value * v[i] * v[j]).sum();
                    assert!((product - a(i.max(j), i.min(j))).abs() < 1e-12, "n={n} ({i}, {j})");
                    let dot: f64 = eigen.vectors[i].iter().zip(&eigen.vectors[j]).map(|(x, y)| x * y).sum();
                    assert!((dot - f64::from(u8::from(i == j))).abs() < 1e-13);
                }
            }
        }
    }

    #[test]
    fn eigenvalues_of_a_diagonal_matrix_are_sorted() {
        let eigen = Eigen::new(3, |i, j| if i == j { [1.0, 3.0, 2.0][i] } else { 0.0 });
        assert_eq!(eigen.values, [3.0, 2.0, 1.0]);
        assert_eq!(eigen.vectors[0], [0.0, 1.0, 0.0]);
    }
}
