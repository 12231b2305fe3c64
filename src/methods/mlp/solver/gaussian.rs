//! The fitted Gaussian Q(w) = N(m, C) and the forms of its covariance: diagonal, BB98 eq. (18), or full.

use super::network::Shape;

/// A Gaussian over the weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Gaussian {
    /// m, k.
    pub mean: Vec<f64>,
    /// C.
    pub covariance: Covariance,
}

/// A covariance matrix over k weights.
#[derive(Clone, Debug, PartialEq)]
pub enum Covariance {
    /// Variances, k.
    Diagonal(Vec<f64>),
    /// diag(variances) + Σ sᵢ sᵢᵀ, eq. (18).
    Factor {
        /// Variances d², k.
        variances: Vec<f64>,
        /// S, k×s, row by row.
        factors: Vec<f64>,
    },
    /// k×k, row by row.
    Full(Vec<f64>),
}

impl Covariance {
    /// Variance of weight `i`.
    pub fn variance(&self, i: usize, k: usize) -> f64 {
        self.at(i, i, k)
    }

    /// Element (i, j) over `k` weights.
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

impl Gaussian {
    /// All elements of C, k×k, row by row.
    pub fn matrix(&self) -> Vec<f64> {
        let k = self.mean.len();
        (0..k * k).map(|at| self.covariance.at(at / k, at % k, k)).collect()
    }

    /// <|w|²>.
    pub fn mean_square(&self) -> f64 {
        let k = self.mean.len();
        (0..k).map(|i| self.mean[i] * self.mean[i] + self.covariance.variance(i, k)).sum()
    }

    /// Means and covariances of the output weights.
    pub(super) fn output_weights(&self, shape: Shape) -> super::moments::OutputWeights {
        let (k, from, hidden) = (shape.weights(), shape.outputs(), shape.hidden);
        let at = |at: usize| self.covariance.at(from + at / hidden, from + at % hidden, k);
        super::moments::OutputWeights {
            mean: self.mean[from..].to_vec(),
            covariance: (0..hidden * hidden).map(at).collect(),
        }
    }
}
