//! Training sets: covariances and labels.

use super::kernel::Kernel;
use crate::math::lanes::{self, LANES, dispatch_simd};

/// Covariances C = K + v I, labels τ and the flip probability κ of m examples.
#[derive(Clone, Debug)]
pub struct TrainingSet {
    /// C, m×m, in rows of `width` with zeros at the end.
    c: Vec<f64>,
    width: usize,
    /// Labels ±1, m.
    pub tau: Vec<f64>,
    /// Probability κ that a label is flipped, 0 ≤ κ < ½.
    pub kappa: f64,
}

impl TrainingSet {
    /// Returns the training set of inputs `rows` (m of N) under `kernel`, with noise variance `v` of the fields, OW98 §5.
    pub fn new(rows: &[Vec<f64>], tau: &[f64], kernel: &Kernel, v: f64, kappa: f64) -> Self {
        let m = rows.len();
        let width = m.div_ceil(LANES) * LANES;
        let mut c = vec![0.0; m * width];
        for i in 0..m {
            for j in 0..i {
                let k = kernel.covariance(&rows[i], &rows[j]);
                c[i * width + j] = k;
                c[j * width + i] = k;
            }
            c[i * width + i] = kernel.covariance(&rows[i], &rows[i]) + v;
        }
        Self { c, width, tau: tau.to_vec(), kappa }
    }

    /// Returns the training set with given covariances `rows`, m×m.
    pub fn from_covariance(rows: &[Vec<f64>], tau: &[f64], kappa: f64) -> Self {
        let m = rows.len();
        let width = m.div_ceil(LANES) * LANES;
        let mut c = vec![0.0; m * width];
        for (padded, row) in c.chunks_exact_mut(width).zip(rows) {
            padded[..m].copy_from_slice(row);
        }
        Self { c, width, tau: tau.to_vec(), kappa }
    }

    /// Returns the training set without example `i`.
    #[must_use]
    pub fn without(&self, i: usize) -> Self {
        let others: Vec<usize> = (0..self.len()).filter(|j| *j != i).collect();
        let rows: Vec<Vec<f64>> =
            others.iter().map(|a| others.iter().map(|b| self.at(*a, *b)).collect()).collect();
        let tau: Vec<f64> = others.iter().map(|j| self.tau[*j]).collect();
        Self::from_covariance(&rows, &tau, self.kappa)
    }

    /// Returns the number of examples m.
    pub fn len(&self) -> usize {
        self.tau.len()
    }

    /// Returns the multiply–adds of one step of a solver: a factorisation and the diagonal of an inverse. It exceeds 32 bits at 4,000
    /// examples.
    pub fn cost(&self) -> u64 {
        (self.len() as u64).pow(3) / 2
    }

    /// Returns true if there are no examples.
    pub fn is_empty(&self) -> bool {
        self.tau.is_empty()
    }

    /// Returns element (i, j) of C.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.c[i * self.width + j]
    }

    /// Returns row i of C, m.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.c[i * self.width..][..self.len()]
    }

    /// Returns C x, m.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut padded = x.to_vec();
        padded.resize(self.width, 0.0);
        dispatch_simd(CovarianceProduct { c: &self.c, x: &padded })
    }
}

/// The product C x, with x padded to the width of C.
struct CovarianceProduct<'a> {
    c: &'a [f64],
    x: &'a [f64],
}

impl lanes::SimdKernel for CovarianceProduct<'_> {
    type Output = Vec<f64>;
    #[inline(always)]
    fn run(self) -> Vec<f64> {
        let dot = |row: &[f64]| {
            let mut sums = [0.0; LANES];
            for (row, x) in row.chunks_exact(LANES).zip(self.x.chunks_exact(LANES)) {
                for i in 0..LANES {
                    sums[i] += row[i] * x[i];
                }
            }
            lanes::sum(sums)
        };
        self.c.chunks_exact(self.x.len()).map(dot).collect()
    }
}
