//! The Gaussian approximation Q(w) = N(m, C), with a diagonal covariance, that of BB98 eq. (18), or a full one.

use serde::{Deserialize, Serialize};

use super::moments::OutputWeights;
use super::network::NetworkShape;
use crate::math::cholesky::Cholesky;
use crate::math::lanes::dot;
use crate::math::random::Stream;

/// A Gaussian N(m, C) over the weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeightGaussian {
    /// Mean m, k.
    pub mean: Vec<f64>,
    /// Covariance C, k×k.
    pub covariance: WeightCovariance,
}

/// Structure of a covariance matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CovarianceForm {
    /// Diagonal matrix.
    Diagonal,
    /// BB98 eq. (18): diagonal plus s rank-one terms.
    Factor(usize),
    /// Full matrix, C = L Lᵀ.
    Full,
}

/// A covariance matrix over k weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum WeightCovariance {
    /// Variances, k.
    Diagonal(Vec<f64>),
    /// BB98 eq. (18): diag(d²) + S Sᵀ.
    Factor {
        /// Variances d², k.
        variances: Vec<f64>,
        /// Factors S, k×s, row by row.
        factors: Vec<f64>,
    },
    /// All elements, k×k, row by row.
    Full(Vec<f64>),
}

impl WeightCovariance {
    /// Returns the variance of weight `i` of `k`.
    pub fn variance(&self, i: usize, k: usize) -> f64 {
        self.at(i, i, k)
    }

    /// Returns element (i, j) for `k` weights.
    pub fn at(&self, i: usize, j: usize, k: usize) -> f64 {
        let diagonal = |variances: &[f64]| if i == j { variances[i] } else { 0.0 };
        match self {
            Self::Diagonal(variances) => diagonal(variances),
            Self::Factor { variances, factors } => {
                let s = factors.len() / k;
                let product = |n: usize| factors[i * s + n] * factors[j * s + n];
                diagonal(variances) + (0..s).map(product).sum::<f64>()
            }
            Self::Full(matrix) => matrix[i * k + j],
        }
    }
}

impl WeightGaussian {
    /// Returns all elements of C, k×k, row by row.
    pub fn matrix(&self) -> Vec<f64> {
        let k = self.mean.len();
        (0..k * k).map(|at| self.covariance.at(at / k, at % k, k)).collect()
    }

    /// Returns <w²> of weight `i`.
    pub fn square(&self, i: usize) -> f64 {
        self.mean[i] * self.mean[i] + self.covariance.variance(i, self.mean.len())
    }

    /// Returns <|w|²>.
    pub fn mean_square(&self) -> f64 {
        (0..self.mean.len()).map(|i| self.square(i)).sum()
    }

    /// Returns `count` draws of the weights, k each.
    pub fn draws(&self, count: usize, stream: &mut Stream) -> Vec<Vec<f64>> {
        let k = self.mean.len();
        let mut normals = |count: usize| -> Vec<f64> { (0..count).map(|_| stream.normal()).collect() };
        let factor = match &self.covariance {
            WeightCovariance::Full(matrix) => Cholesky::new(k, |i, j| matrix[i * k + j]),
            WeightCovariance::Diagonal(_) | WeightCovariance::Factor { .. } => None,
        };
        let mut deviations = || -> Vec<f64> {
            let z = normals(k);
            match (&self.covariance, &factor) {
                (WeightCovariance::Diagonal(variances), _) => {
                    z.iter().zip(variances).map(|(z, variance)| z * variance.sqrt()).collect()
                }
                (WeightCovariance::Factor { variances, factors }, _) => {
                    let common = normals(factors.len() / k);
                    let shared = factors.chunks_exact(common.len().max(1)).map(|row| dot(row, &common));
                    z.iter()
                        .zip(variances)
                        .zip(shared)
                        .map(|((z, var), shared)| z * var.sqrt() + shared)
                        .collect()
                }
                (WeightCovariance::Full(_), Some(factor)) => {
                    (0..k).map(|i| (0..=i).map(|j| factor.at(i, j) * z[j]).sum()).collect()
                }
                // Numerically singular: no spread.
                (WeightCovariance::Full(_), None) => vec![0.0; k],
            }
        };
        (0..count).map(|_| self.mean.iter().zip(deviations()).map(|(mean, by)| mean + by).collect()).collect()
    }

    /// Returns the distribution of the output weights.
    pub(super) fn output_weights(&self, shape: NetworkShape) -> OutputWeights {
        let (k, from, hidden) = (shape.weights(), shape.outputs(), shape.hidden);
        let at = |at: usize| self.covariance.at(from + at / hidden, from + at % hidden, k);
        OutputWeights { mean: self.mean[from..].to_vec(), covariance: (0..hidden * hidden).map(at).collect() }
    }
}
