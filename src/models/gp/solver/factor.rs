//! (I + S C)⁻¹ and its relatives: by Cholesky's factorisation of I + S^½ C S^½ where every S > 0, by an LU otherwise.

use nalgebra::{DMatrix, DVector, Dyn, LU};

use super::training_set::TrainingSet;
use crate::math::cholesky::Cholesky;

/// I + S C, factored.
pub enum Factor {
    /// B = I + S^½ C S^½ and S^½.
    Symmetric(Cholesky, Vec<f64>),
    /// I + S C itself, and S. Sites of negative precision (κ > 0) leave no square root.
    General(Box<LU<f64, Dyn, Dyn>>, Vec<f64>),
}

impl Factor {
    /// Factors I + S C; `None` where it is singular or not finite.
    pub fn new(problem: &TrainingSet, s: &[f64]) -> Option<Self> {
        if s.iter().all(|s| *s >= 0.0) {
            let root: Vec<f64> = s.iter().map(|s| s.sqrt()).collect();
            let element =
                |i: usize, j: usize| root[i] * problem.at(i, j) * root[j] + f64::from(u8::from(i == j));
            return Some(Self::Symmetric(Cholesky::new(s.len(), element)?, root));
        }
        if s.iter().any(|s| !s.is_finite()) {
            return None;
        }
        let element = |i: usize, j: usize| s[i] * problem.at(i, j) + f64::from(u8::from(i == j));
        let lu = DMatrix::from_fn(s.len(), s.len(), element).lu();
        lu.is_invertible().then(|| Self::General(Box::new(lu), s.to_vec()))
    }

    /// (I + S C)⁻¹ S b = (Λ + C)⁻¹ b with Λ = 1/S.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        match self {
            Self::Symmetric(factor, root) => {
                let mut u: Vec<f64> = b.iter().zip(root).map(|(b, root)| b * root).collect();
                factor.solve(&mut u);
                u.iter().zip(root).map(|(u, root)| u * root).collect()
            }
            Self::General(lu, s) => {
                let right = DVector::from_iterator(s.len(), b.iter().zip(s).map(|(b, s)| b * s));
                // Invertible: checked when it was made.
                lu.solve(&right).map_or_else(|| vec![f64::NAN; s.len()], |u| u.as_slice().to_vec())
            }
        }
    }

    /// The diagonal of (I + S C)⁻¹, which is that of B⁻¹.
    pub fn inverse_diagonal(&self) -> Vec<f64> {
        match self {
            Self::Symmetric(factor, _) => factor.inverse_diagonal(),
            Self::General(lu, s) => match lu.try_inverse() {
                Some(inverse) => inverse.diagonal().as_slice().to_vec(),
                None => vec![f64::NAN; s.len()],
            },
        }
    }

    /// (Λ + C)⁻¹ = (I + S C)⁻¹ S, row by row, m×m.
    pub fn inverse(&self) -> Vec<f64> {
        match self {
            Self::Symmetric(factor, root) => {
                let mut inverse = factor.inverse();
                let m = root.len();
                for (place, x) in inverse.iter_mut().enumerate() {
                    *x *= root[place / m] * root[place % m];
                }
                inverse
            }
            Self::General(lu, s) => match lu.try_inverse() {
                // Symmetric, so that columns are rows.
                Some(inverse) => inverse
                    .column_iter()
                    .zip(s)
                    .flat_map(|(c, s)| c.iter().map(move |x| x * s).collect::<Vec<_>>())
                    .collect(),
                None => vec![f64::NAN; s.len() * s.len()],
            },
        }
    }

    /// kᵀ (Λ + C)⁻¹ k.
    pub fn quadratic(&self, k: &[f64]) -> f64 {
        match self {
            Self::Symmetric(factor, root) => {
                let mut u: Vec<f64> = k.iter().zip(root).map(|(k, root)| k * root).collect();
                factor.solve_lower(&mut u);
                u.iter().map(|u| u * u).sum()
            }
            Self::General(..) => self.solve(k).iter().zip(k).map(|(u, k)| u * k).sum(),
        }
    }

    /// ln |det (I + S C)|.
    pub fn ln_det(&self) -> f64 {
        match self {
            Self::Symmetric(factor, _) => factor.ln_det(),
            Self::General(lu, _) => lu.u().diagonal().iter().map(|u| libm::log(u.abs())).sum(),
        }
    }
}
