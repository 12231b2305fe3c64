//! Factorisation of I + S C, which gives the linear response (Λ + C)⁻¹ = (I + S C)⁻¹ S of OW98 eqs. (11) and (12), Λ = 1/S.
//!
//! With T = |S|^½ and J = sign S, I + S C = T J (J + T C T) T⁻¹. J + T C T has a signed Cholesky factorisation, Cholesky's own where
//! every S ≥ 0, if the posterior covariances Σ = (C⁻¹ + S)⁻¹ are positive definite. Sites of negative precision (κ > 0) may violate
//! that away from a solution; then I + S C has an LU factorisation.

use std::mem;
use std::task::{Poll, ready};

use nalgebra::{DMatrix, DVector, Dyn, LU};

use super::training_set::TrainingSet;
use crate::math::Budget;
use crate::math::lanes::LANES;
use crate::math::signed_cholesky::{SignedCholesky, SignedFactoring};

/// I + S C, factored.
pub enum ResponseFactor {
    /// J + T C T, and T.
    Signed(SignedCholesky, Vec<f64>),
    /// I + S C itself, and S.
    General(Box<LU<f64, Dyn, Dyn>>, Vec<f64>),
}

/// The requested result of a factorisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorRequest {
    /// A factor if the covariances Σ are positive definite.
    PositiveDefinite,
    /// A factor if I + S C is not singular.
    Any,
    /// As [`Self::Any`], with the diagonal of the inverse prepared.
    WithInverseDiagonal,
}

/// Factorisations of I + S C, one after the other, each in slices of work: with thousands of examples one takes seconds. The LU
/// factorisation, which is rarely needed, is not sliced.
#[derive(Clone, Debug, Default)]
pub struct ResponseFactoring {
    s: Vec<f64>,
    root: Vec<f64>,
    stage: FactorStage,
    work: u64,
}

/// Stage of a factorisation.
#[derive(Clone, Debug, Default)]
enum FactorStage {
    /// None is in progress.
    #[default]
    Idle,
    Factor(SignedFactoring),
    Diagonal(SignedCholesky),
}

impl ResponseFactoring {
    /// Does one slice of the factorisation of I + S C. It is pending until the last slice, which returns the factor, or `None` if
    /// I + S C is singular or not finite. A different `s` starts a new factorisation.
    pub fn advance(
        &mut self,
        set: &TrainingSet,
        s: &[f64],
        request: FactorRequest,
    ) -> Poll<Option<ResponseFactor>> {
        let mut budget = Budget::slice();
        let factor = self.advance_within(set, s, request, &mut budget);
        self.work = Budget::SLICE - budget.left();
        factor
    }

    /// Returns true while a factorisation is in progress.
    pub fn is_under_way(&self) -> bool {
        !matches!(self.stage, FactorStage::Idle)
    }

    /// Returns the multiply–adds of the latest slice.
    pub fn work(&self) -> u64 {
        self.work
    }

    fn advance_within(
        &mut self,
        set: &TrainingSet,
        s: &[f64],
        request: FactorRequest,
        budget: &mut Budget,
    ) -> Poll<Option<ResponseFactor>> {
        if !self.is_under_way() || self.s != s {
            if s.iter().any(|s| !s.is_finite()) {
                self.stage = FactorStage::Idle;
                return Poll::Ready(None);
            }
            self.s = s.to_vec();
            self.root = s.iter().map(|s| s.abs().sqrt()).collect();
            let negative: Vec<bool> = s.iter().map(|s| *s < 0.0).collect();
            self.stage = FactorStage::Factor(SignedFactoring::new(&negative));
        }
        if let FactorStage::Factor(factoring) = &mut self.stage {
            let root = &self.root;
            let sign = |i: usize| if s[i] < 0.0 { -1.0 } else { 1.0 };
            let element =
                |i: usize, j: usize| root[i] * set.at(i, j) * root[j] + if i == j { sign(i) } else { 0.0 };
            let Some(factor) = ready!(factoring.advance(budget, element)) else {
                self.stage = FactorStage::Idle;
                // Without negative precisions an LU factorisation would fail as well.
                let no_lu = request == FactorRequest::PositiveDefinite || s.iter().all(|s| *s >= 0.0);
                return Poll::Ready(if no_lu { None } else { ResponseFactor::general(set, s) });
            };
            self.stage = FactorStage::Diagonal(factor);
        }
        if let (FactorStage::Diagonal(factor), FactorRequest::WithInverseDiagonal) =
            (&mut self.stage, request)
            && s.iter().any(|s| *s != 0.0)
            && !factor.prepare_diagonal(budget)
        {
            return Poll::Pending;
        }
        let FactorStage::Diagonal(factor) = mem::take(&mut self.stage) else { return Poll::Ready(None) };
        Poll::Ready(Some(ResponseFactor::Signed(factor, mem::take(&mut self.root))))
    }
}

impl ResponseFactor {
    /// Returns the factor of I + S C; `None` if it is singular or not finite.
    pub fn new(set: &TrainingSet, s: &[f64]) -> Option<Self> {
        let unlimited = &mut Budget::new(u64::MAX);
        match ResponseFactoring::default().advance_within(set, s, FactorRequest::Any, unlimited) {
            Poll::Ready(factor) => factor,
            Poll::Pending => None,
        }
    }

    fn general(set: &TrainingSet, s: &[f64]) -> Option<Self> {
        let element = |i: usize, j: usize| s[i] * set.at(i, j) + f64::from(u8::from(i == j));
        let lu = DMatrix::from_fn(s.len(), s.len(), element).lu();
        lu.is_invertible().then(|| Self::General(Box::new(lu), s.to_vec()))
    }

    /// Returns (Λ + C)⁻¹ b = (I + S C)⁻¹ S b, m.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        match self {
            Self::Signed(factor, root) => {
                let u: Vec<f64> = b.iter().zip(root).map(|(b, root)| b * root).collect();
                factor.solve(&u).iter().zip(root).map(|(u, root)| u * root).collect()
            }
            Self::General(lu, s) => {
                let right = DVector::from_iterator(s.len(), b.iter().zip(s).map(|(b, s)| b * s));
                // The constructor has checked that it is invertible.
                lu.solve(&right).map_or_else(|| vec![f64::NAN; s.len()], |u| u.as_slice().to_vec())
            }
        }
    }

    /// Returns the diagonal of (I + S C)⁻¹ = T (J + T C T)⁻¹ J T⁻¹, m.
    pub fn inverse_diagonal(&self) -> Vec<f64> {
        match self {
            Self::Signed(factor, _) => {
                let mut diagonal = factor.inverse_diagonal();
                let signs = diagonal.iter_mut().enumerate().filter(|(i, _)| factor.is_negative(*i));
                signs.for_each(|(_, x)| *x = -*x);
                diagonal
            }
            Self::General(lu, s) => match lu.try_inverse() {
                Some(inverse) => inverse.diagonal().as_slice().to_vec(),
                None => vec![f64::NAN; s.len()],
            },
        }
    }

    /// Returns (Λ + C)⁻¹ = (I + S C)⁻¹ S = T (J + T C T)⁻¹ T, row by row, m×m.
    pub fn inverse(&self) -> Vec<f64> {
        match self {
            Self::Signed(factor, root) => {
                let mut inverse = factor.inverse();
                let m = root.len();
                for (element, x) in inverse.iter_mut().enumerate() {
                    *x *= root[element / m] * root[element % m];
                }
                inverse
            }
            Self::General(lu, s) => match lu.try_inverse() {
                // The matrix is symmetric: its columns are its rows.
                Some(inverse) => inverse
                    .column_iter()
                    .zip(s)
                    .flat_map(|(c, s)| c.iter().map(move |x| x * s).collect::<Vec<_>>())
                    .collect(),
                None => vec![f64::NAN; s.len() * s.len()],
            },
        }
    }

    /// Returns kᵀ (Λ + C)⁻¹ k.
    pub fn quadratic(&self, k: &[f64]) -> f64 {
        match self {
            Self::Signed(factor, root) => {
                let u: Vec<f64> = k.iter().zip(root).map(|(k, root)| k * root).collect();
                factor.quadratic(&u)
            }
            Self::General(..) => self.solve(k).iter().zip(k).map(|(u, k)| u * k).sum(),
        }
    }

    /// Returns two parts for each of up to eight vectors k: kᵀ (Λ + C)⁻¹ k′ plus the product of the second parts is the product of
    /// the first ones. `None` if Σ is not positive definite.
    pub fn halves(&self, vectors: &[Vec<f64>]) -> Option<Vec<[Vec<f64>; 2]>> {
        let Self::Signed(factor, root) = self else { return None };
        let mut block = vec![[0.0; LANES]; root.len()];
        for (lane, vector) in vectors.iter().take(LANES).enumerate() {
            for (row, (k, root)) in block.iter_mut().zip(vector.iter().zip(root)) {
                row[lane] = k * root;
            }
        }
        let solved = factor.solve_lower_block(&block);
        let (plus, minus) = solved.split_at(factor.positive_rows());
        let of_lane = |lane: usize| [plus, minus].map(|rows| rows.iter().map(|row| row[lane]).collect());
        Some((0..vectors.len().min(LANES)).map(of_lane).collect())
    }

    /// Returns ln |det (I + S C)|, of OW98 eq. (11).
    pub fn ln_det(&self) -> f64 {
        match self {
            Self::Signed(factor, _) => factor.ln_det(),
            Self::General(lu, _) => lu.u().diagonal().iter().map(|u| libm::log(u.abs())).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gp::solver::kernel::{Kernel, KernelKind};
    use crate::math::random::Stream;

    #[test]
    fn both_factorisations_agree_with_negative_precisions() {
        let mut stream = Stream::of(5, 0);
        let rows: Vec<Vec<f64>> = (0..30).map(|_| vec![stream.normal(), stream.normal()]).collect();
        let tau = vec![1.0; rows.len()];
        let set = TrainingSet::new(&rows, &tau, &Kernel::isotropic(KernelKind::Rbf, 2, 0.7), 0.1, 0.1);
        let s: Vec<f64> = (0..30).map(|i| if i % 4 == 0 { -0.1 } else { 0.2 + stream.uniform() }).collect();
        let signed = ResponseFactor::new(&set, &s).unwrap();
        assert!(matches!(signed, ResponseFactor::Signed(..)));
        let element = |i: usize, j: usize| s[i] * set.at(i, j) + f64::from(u8::from(i == j));
        let lu = ResponseFactor::General(Box::new(DMatrix::from_fn(30, 30, element).lu()), s.clone());
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near(&signed.solve(&tau), &lu.solve(&tau)));
        assert!(near(&signed.inverse(), &lu.inverse()));
        assert!(near(&signed.inverse_diagonal(), &lu.inverse_diagonal()));
        assert!((signed.ln_det() - lu.ln_det()).abs() < 1e-12);
        assert!((signed.quadratic(set.row(3)) - lu.quadratic(set.row(3))).abs() < 1e-12);
        // Σ is not positive definite, but I + S C has an inverse.
        let s: Vec<f64> = s.iter().map(|s| if *s < 0.0 { -30.0 } else { *s }).collect();
        assert!(matches!(ResponseFactor::new(&set, &s), Some(ResponseFactor::General(..))));
    }
}
