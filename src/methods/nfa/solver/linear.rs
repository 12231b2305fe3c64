//! Linear methods: principal components, the initial sources, and FastICA, the rotation of the estimated sources.

use crate::math::eigen::Eigen;
use crate::math::lanes::{LANES, dot, tanh_lanes};
use crate::math::random::Stream;

/// Maximum number of iterations of FastICA.
const MAX_ITERATIONS: usize = 300;
/// Change of the directions at which FastICA ends.
const TOLERANCE: f64 = 1e-8;

/// Returns the first `count` principal components of the T samples `rows`, standardised; T rows of `count`.
///
/// Cells that are not finite are replaced by the mean of their channel. A component without variance is 0.
pub fn principal_components(rows: &[Vec<f64>], count: usize) -> Vec<Vec<f64>> {
    let columns = centred(rows, &column_means(rows));
    let eigen = covariance_eigen(&columns, rows.len());
    let components: Vec<(f64, &Vec<f64>)> =
        eigen.values.iter().copied().zip(&eigen.vectors).take(count).collect();
    let tiny = 1e-12 * eigen.values.first().copied().unwrap_or(0.0).max(0.0);
    let score = |t: usize, (value, vector): &(f64, &Vec<f64>)| {
        if *value <= tiny {
            return 0.0;
        }
        columns.iter().zip(*vector).map(|(column, v)| column[t] * v).sum::<f64>() / value.sqrt()
    };
    (0..rows.len())
        .map(|t| {
            let mut row: Vec<f64> = components.iter().map(|component| score(t, component)).collect();
            row.resize(count, 0.0);
            row
        })
        .collect()
}

/// Returns the mean of each column of `rows` over its finite cells; 0 for a column without any.
pub fn column_means(rows: &[Vec<f64>]) -> Vec<f64> {
    let mean = |k: usize| {
        let finite = || rows.iter().map(|row| row[k]).filter(|x| x.is_finite());
        finite().sum::<f64>() / finite().count().max(1) as f64
    };
    (0..rows.first().map_or(0, Vec::len)).map(mean).collect()
}

/// Returns the columns of `rows` minus their means; missing cells are 0.
fn centred(rows: &[Vec<f64>], means: &[f64]) -> Vec<Vec<f64>> {
    let column = |(k, mean): (usize, &f64)| {
        rows.iter().map(|row| if row[k].is_finite() { row[k] - mean } else { 0.0 }).collect()
    };
    means.iter().enumerate().map(column).collect()
}

/// Returns the eigenvalues and eigenvectors of the covariance of centred columns.
fn covariance_eigen(columns: &[Vec<f64>], samples: usize) -> Eigen {
    Eigen::new(columns.len(), |i, j| dot(&columns[i], &columns[j]) / samples as f64)
}

/// Returns the linear reconstruction of `rows` from their means and first `count` principal components.
pub fn linear_reconstruction(rows: &[Vec<f64>], count: usize) -> Vec<Vec<f64>> {
    let means = column_means(rows);
    let columns = centred(rows, &means);
    let eigen = covariance_eigen(&columns, rows.len());
    let sample = |t: usize| {
        let mut out = means.clone();
        for vector in eigen.vectors.iter().take(count) {
            let score: f64 = columns.iter().zip(vector).map(|(column, v)| column[t] * v).sum();
            for (out, v) in out.iter_mut().zip(vector) {
                *out += score * v;
            }
        }
        out
    };
    (0..rows.len()).map(sample).collect()
}

/// Computes the unmixing matrix W of symmetric FastICA with tanh; n×n, row by row.
///
/// The components of W s have unit variance and are maximally independent. Returns `None` if the covariance of the sources is
/// singular.
pub fn fast_ica(sources: &[Vec<f64>], stream: &mut Stream) -> Option<Vec<f64>> {
    let n = sources.first().map_or(0, Vec::len);
    let columns = centred(sources, &column_means(sources));
    let eigen = covariance_eigen(&columns, sources.len());
    let largest = eigen.values.first().copied().unwrap_or(0.0);
    if eigen.values.iter().any(|value| value.is_nan() || *value <= 1e-10 * largest) {
        return None;
    }
    // Whitening: z = V s.
    let whitening: Vec<Vec<f64>> = eigen
        .values
        .iter()
        .zip(&eigen.vectors)
        .map(|(value, vector)| vector.iter().map(|v| v / value.sqrt()).collect())
        .collect();
    let white: Vec<Vec<f64>> = whitening.iter().map(|row| combined(&columns, row)).collect();
    let mut w: Vec<Vec<f64>> = (0..n).map(|_| (0..n).map(|_| stream.normal()).collect()).collect();
    decorrelate(&mut w);
    for _ in 0..MAX_ITERATIONS {
        let mut next: Vec<Vec<f64>> = w.iter().map(|row| fixed_point(&white, row)).collect();
        decorrelate(&mut next);
        let change = w.iter().zip(&next).map(|(old, new)| 1.0 - dot(old, new).abs()).fold(0.0, f64::max);
        w = next;
        if change < TOLERANCE {
            break;
        }
    }
    let product = |row: &Vec<f64>| -> Vec<f64> {
        (0..n).map(|c| row.iter().zip(&whitening).map(|(w, v)| w * v[c]).sum()).collect()
    };
    let all: Vec<f64> = w.iter().flat_map(product).collect();
    all.iter().all(|x| x.is_finite()).then_some(all)
}

/// Returns Σ_c row_c column_c of each sample.
fn combined(columns: &[Vec<f64>], row: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; columns.first().map_or(0, Vec::len)];
    for (column, weight) in columns.iter().zip(row) {
        for (out, x) in out.iter_mut().zip(column) {
            *out += weight * x;
        }
    }
    out
}

/// Returns the fixed-point update E[z g(wᵀz)] − E[g′(wᵀz)] w with g = tanh.
fn fixed_point(white: &[Vec<f64>], row: &[f64]) -> Vec<f64> {
    let mut g = combined(white, row);
    let samples = g.len() as f64;
    for chunk in g.chunks_mut(LANES) {
        let mut lanes = [0.0; LANES];
        lanes[..chunk.len()].copy_from_slice(chunk);
        let lanes = tanh_lanes(lanes);
        chunk.copy_from_slice(&lanes[..chunk.len()]);
    }
    let slope: f64 = g.iter().map(|g| 1.0 - g * g).sum::<f64>() / samples;
    row.iter().zip(white).map(|(w, z)| dot(z, &g) / samples - slope * w).collect()
}

/// Decorrelates the rows: W ← (W Wᵀ)^{−½} W.
fn decorrelate(w: &mut [Vec<f64>]) {
    let n = w.len();
    let eigen = Eigen::new(n, |i, j| dot(&w[i], &w[j]));
    let root = |i: usize, j: usize| -> f64 {
        let pairs = eigen.values.iter().zip(&eigen.vectors);
        pairs.map(|(value, v)| v[i] * v[j] / value.max(1e-300).sqrt()).sum()
    };
    let old: Vec<Vec<f64>> = w.to_vec();
    for (i, row) in w.iter_mut().enumerate() {
        for (c, out) in row.iter_mut().enumerate() {
            *out = (0..n).map(|j| root(i, j) * old[j][c]).sum();
        }
    }
}

/// Returns the inverse of an n×n matrix, row by row; `None` if it is singular.
pub fn inverse(n: usize, matrix: &[f64]) -> Option<Vec<f64>> {
    let inverse = nalgebra::DMatrix::from_row_slice(n, n, matrix).try_inverse()?;
    let rows: Vec<f64> = (0..n).flat_map(|i| inverse.row(i).iter().copied().collect::<Vec<_>>()).collect();
    rows.iter().all(|x| x.is_finite()).then_some(rows)
}

/// Returns W s of every sample.
pub fn unmixed(sources: &[Vec<f64>], w: &[f64]) -> Vec<Vec<f64>> {
    let n = sources.first().map_or(0, Vec::len).max(1);
    sources.iter().map(|s| w.chunks_exact(n).map(|row| dot(row, s)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_ica_recovers_linearly_mixed_sources() {
        let mut stream = Stream::of(5, 0);
        let sources: Vec<Vec<f64>> = (0..3000)
            .map(|_| {
                let super_gaussian = libm::sinh(stream.normal());
                vec![super_gaussian, stream.uniform() - 0.5, stream.sign()]
            })
            .collect();
        let mix = [1.0, 0.5, -0.3, 0.2, 1.0, 0.7, -0.6, 0.1, 1.0];
        let mixed = unmixed(&sources, &mix);
        let w = fast_ica(&mixed, &mut Stream::of(1, 1)).unwrap();
        let recovered = unmixed(&mixed, &w);
        for i in 0..3 {
            let best = (0..3)
                .map(|j| {
                    let column = |rows: &[Vec<f64>], c: usize| rows.iter().map(|r| r[c]).collect::<Vec<_>>();
                    crate::nfa::solver::score::correlation(&column(&sources, i), &column(&recovered, j)).abs()
                })
                .fold(0.0, f64::max);
            assert!(best > 0.99, "source {i}: {best}");
        }
        assert!(inverse(3, &w).is_some());
    }

    #[test]
    fn collinear_sources_have_no_rotation() {
        let rows = vec![vec![1.0, 2.0], vec![2.0, 4.0], vec![3.0, 6.0]];
        assert!(fast_ica(&rows, &mut Stream::of(1, 1)).is_none());
        let pcs = principal_components(&rows, 2);
        assert!((pcs[2][0].abs() - 1.5_f64.sqrt()).abs() < 1e-12 && pcs[2][1] == 0.0);
        let back = linear_reconstruction(&rows, 1);
        assert!((back[2][1] - 6.0).abs() < 1e-12);
    }
}
