//! Linear methods: principal components, with which learning begins, and FastICA, by which sources are rotated and read out.

use crate::math::eigen::Eigen;
use crate::math::lanes::{LANES, dot, tanh_lanes};
use crate::math::random::Stream;

/// Iterations of FastICA at most, and the change at which it ends.
const MOST_ITERATIONS: usize = 300;
const TOLERANCE: f64 = 1e-8;

/// The first `count` principal components of samples `rows`, each of mean 0 and variance 1; T rows of `count`. A cell that is not
/// finite takes its channel's mean. A component without variance is 0.
pub fn principal_components(rows: &[Vec<f64>], count: usize) -> Vec<Vec<f64>> {
    let columns = centred(rows);
    let samples = rows.len() as f64;
    let eigen = Eigen::new(columns.len(), |i, j| dot(&columns[i], &columns[j]) / samples);
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

/// The channels of `rows` without their means; what is missing is 0.
fn centred(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let channels = rows.first().map_or(0, Vec::len);
    let column = |k: usize| {
        let seen = || rows.iter().map(|row| row[k]).filter(|x| x.is_finite());
        let mean = seen().sum::<f64>() / seen().count().max(1) as f64;
        rows.iter().map(|row| if row[k].is_finite() { row[k] - mean } else { 0.0 }).collect()
    };
    (0..channels).map(column).collect()
}

/// The linear reconstruction of centred `rows` from their first `count` principal components, with the channels' means.
pub fn linear_reconstruction(rows: &[Vec<f64>], count: usize) -> Vec<Vec<f64>> {
    let columns = centred(rows);
    let samples = rows.len() as f64;
    let eigen = Eigen::new(columns.len(), |i, j| dot(&columns[i], &columns[j]) / samples);
    let means: Vec<f64> = (0..columns.len())
        .map(|k| {
            let seen = || rows.iter().map(|row| row[k]).filter(|x| x.is_finite());
            seen().sum::<f64>() / seen().count().max(1) as f64
        })
        .collect();
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

/// FastICA: symmetric, with tanh. The n×n matrix W, row by row, by which W s has components of unit variance that are as
/// independent as they can be; `None` where the sources have no covariance of full rank.
pub fn fast_ica(sources: &[Vec<f64>], stream: &mut Stream) -> Option<Vec<f64>> {
    let n = sources.first().map_or(0, Vec::len);
    let columns = centred(sources);
    let samples = sources.len();
    let eigen = Eigen::new(n, |i, j| dot(&columns[i], &columns[j]) / samples as f64);
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
    for _ in 0..MOST_ITERATIONS {
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

/// Σ_c row_c column_c of each sample.
fn combined(columns: &[Vec<f64>], row: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; columns.first().map_or(0, Vec::len)];
    for (column, weight) in columns.iter().zip(row) {
        for (out, x) in out.iter_mut().zip(column) {
            *out += weight * x;
        }
    }
    out
}

/// E[z g(wᵀz)] − E[g′(wᵀz)] w with g = tanh.
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

/// W ← (W Wᵀ)^{−½} W.
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

/// The inverse of an n×n matrix, row by row; `None` if it has none.
pub fn inverse(n: usize, matrix: &[f64]) -> Option<Vec<f64>> {
    let inverse = nalgebra::DMatrix::from_row_slice(n, n, matrix).try_inverse()?;
    let rows: Vec<f64> = (0..n).flat_map(|i| inverse.row(i).iter().copied().collect::<Vec<_>>()).collect();
    rows.iter().all(|x| x.is_finite()).then_some(rows)
}

/// W s of every sample.
pub fn unmixed(sources: &[Vec<f64>], w: &[f64]) -> Vec<Vec<f64>> {
    let n = sources.first().map_or(0, Vec::len).max(1);
    sources.iter().map(|s| w.chunks_exact(n).map(|row| dot(row, s)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_ica_undoes_a_mixture() {
        let mut stream = Stream::of(5, 0);
        let sources: Vec<Vec<f64>> = (0..3000)
            .map(|_| {
                let loud = libm::sinh(stream.normal());
                vec![loud, stream.uniform() - 0.5, stream.sign()]
            })
            .collect();
        let mix = [1.0, 0.5, -0.3, 0.2, 1.0, 0.7, -0.6, 0.1, 1.0];
        let mixed = unmixed(&sources, &mix);
        let w = fast_ica(&mixed, &mut Stream::of(1, 1)).unwrap();
        let back = unmixed(&mixed, &w);
        for i in 0..3 {
            let best = (0..3)
                .map(|j| {
                    let column = |rows: &[Vec<f64>], c: usize| rows.iter().map(|r| r[c]).collect::<Vec<_>>();
                    crate::nfa::solver::score::correlation(&column(&sources, i), &column(&back, j)).abs()
                })
                .fold(0.0, f64::max);
            assert!(best > 0.99, "source {i}: {best}");
        }
        assert!(inverse(3, &w).is_some());
    }

    #[test]
    fn sources_without_variance_have_no_rotation() {
        let rows = vec![vec![1.0, 2.0], vec![2.0, 4.0], vec![3.0, 6.0]];
        assert!(fast_ica(&rows, &mut Stream::of(1, 1)).is_none());
        let pcs = principal_components(&rows, 2);
        assert!((pcs[2][0].abs() - 1.5_f64.sqrt()).abs() < 1e-12 && pcs[2][1] == 0.0);
        let back = linear_reconstruction(&rows, 1);
        assert!((back[2][1] - 6.0).abs() < 1e-12);
    }
}
