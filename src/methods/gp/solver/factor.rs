//! (I + S C)⁻¹ and its relatives. With T = |S|^½ and J = sign S, I + S C = T J (J + T C T) T⁻¹: by a signed Cholesky factorisation
//! of J + T C T, Cholesky's own where every S ≥ 0; by an LU where the covariances Σ = (C⁻¹ + S)⁻¹ are not positive definite,
//! which sites of negative precision (κ > 0) may cause away from a solution.

use std::mem;
use std::task::{Poll, ready};

use nalgebra::{DMatrix, DVector, Dyn, LU};

use super::training_set::TrainingSet;
use crate::math::Budget;
use crate::math::signed_cholesky::{SignedCholesky, SignedFactoring};

/// I + S C, factored.
pub enum Factor {
    /// J + T C T, and T.
    Signed(SignedCholesky, Vec<f64>),
    /// I + S C itself, and S.
    General(Box<LU<f64, Dyn, Dyn>>, Vec<f64>),
}

/// What a factorisation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// A factor where the covariances Σ are positive definite only.
    Definite,
    /// A factor wherever there is one.
    Factor,
    /// The same, and the diagonal of its inverse.
    Diagonal,
}

/// Factorisations of I + S C, one after the other, each in pieces of work: of thousands of examples one takes seconds. (Not so the
/// LU, which is a library's and rarely needed.)
#[derive(Clone, Debug, Default)]
pub struct Factoring {
    s: Vec<f64>,
    root: Vec<f64>,
    stage: Stage,
    work: u64,
}

/// How far a factorisation is.
#[derive(Clone, Debug, Default)]
enum Stage {
    /// Nothing is under way.
    #[default]
    Idle,
    Factor(SignedFactoring),
    Diagonal(SignedCholesky),
}

impl Factoring {
    /// One slice of work at the factor of I + S C: pending while there is more to do, and then the factor, `None` where it is
    /// singular or not finite. It is to be asked for the same `s` until then; another one begins anew.
    pub fn advance(&mut self, problem: &TrainingSet, s: &[f64], want: Want) -> Poll<Option<Factor>> {
        let mut budget = Budget::slice();
        let factor = self.spend(problem, s, want, &mut budget);
        self.work = Budget::SLICE - budget.left();
        factor
    }

    /// Whether a factorisation is under way.
    pub fn is_under_way(&self) -> bool {
        !matches!(self.stage, Stage::Idle)
    }

    /// Multiply–adds of the latest slice.
    pub fn work(&self) -> u64 {
        self.work
    }

    fn spend(
        &mut self,
        problem: &TrainingSet,
        s: &[f64],
        want: Want,
        budget: &mut Budget,
    ) -> Poll<Option<Factor>> {
        if !self.is_under_way() || self.s != s {
            if s.iter().any(|s| !s.is_finite()) {
                self.stage = Stage::Idle;
                return Poll::Ready(None);
            }
            self.s = s.to_vec();
            self.root = s.iter().map(|s| s.abs().sqrt()).collect();
            let negative: Vec<bool> = s.iter().map(|s| *s < 0.0).collect();
            self.stage = Stage::Factor(SignedFactoring::new(&negative));
        }
        if let Stage::Factor(factoring) = &mut self.stage {
            let root = &self.root;
            let sign = |i: usize| if s[i] < 0.0 { -1.0 } else { 1.0 };
            let element = |i: usize, j: usize| {
                root[i] * problem.at(i, j) * root[j] + if i == j { sign(i) } else { 0.0 }
            };
            let Some(factor) = ready!(factoring.advance(budget, element)) else {
                self.stage = Stage::Idle;
                // Without negative precisions there is nothing that an LU could do better.
                let definite = want == Want::Definite || s.iter().all(|s| *s >= 0.0);
                return Poll::Ready(if definite { None } else { Factor::general(problem, s) });
            };
            self.stage = Stage::Diagonal(factor);
        }
        if let (Stage::Diagonal(factor), Want::Diagonal) = (&mut self.stage, want)
            && s.iter().any(|s| *s != 0.0)
            && !factor.prepare_diagonal(budget)
        {
            return Poll::Pending;
        }
        let Stage::Diagonal(factor) = mem::take(&mut self.stage) else { return Poll::Ready(None) };
        Poll::Ready(Some(Factor::Signed(factor, mem::take(&mut self.root))))
    }
}

impl Factor {
    /// Factors I + S C; `None` where it is singular or not finite.
    pub fn new(problem: &TrainingSet, s: &[f64]) -> Option<Self> {
        let without_end = &mut Budget::new(u64::MAX);
        match Factoring::default().spend(problem, s, Want::Factor, without_end) {
            Poll::Ready(factor) => factor,
            Poll::Pending => None,
        }
    }

    fn general(problem: &TrainingSet, s: &[f64]) -> Option<Self> {
        let element = |i: usize, j: usize| s[i] * problem.at(i, j) + f64::from(u8::from(i == j));
        let lu = DMatrix::from_fn(s.len(), s.len(), element).lu();
        lu.is_invertible().then(|| Self::General(Box::new(lu), s.to_vec()))
    }

    /// (I + S C)⁻¹ S b = (Λ + C)⁻¹ b with Λ = 1/S.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        match self {
            Self::Signed(factor, root) => {
                let u: Vec<f64> = b.iter().zip(root).map(|(b, root)| b * root).collect();
                factor.solve(&u).iter().zip(root).map(|(u, root)| u * root).collect()
            }
            Self::General(lu, s) => {
                let right = DVector::from_iterator(s.len(), b.iter().zip(s).map(|(b, s)| b * s));
                // Invertible: checked when it was made.
                lu.solve(&right).map_or_else(|| vec![f64::NAN; s.len()], |u| u.as_slice().to_vec())
            }
        }
    }

    /// The diagonal of (I + S C)⁻¹ = T (J + T C T)⁻¹ J T⁻¹.
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

    /// (Λ + C)⁻¹ = (I + S C)⁻¹ S = T (J + T C T)⁻¹ T, row by row, m×m.
    pub fn inverse(&self) -> Vec<f64> {
        match self {
            Self::Signed(factor, root) => {
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
            Self::Signed(factor, root) => {
                let u: Vec<f64> = k.iter().zip(root).map(|(k, root)| k * root).collect();
                factor.quadratic(&u)
            }
            Self::General(..) => self.solve(k).iter().zip(k).map(|(u, k)| u * k).sum(),
        }
    }

    /// Variance of each cavity field, eq. (12): λ_i = 1/(1/Σ_ii − S_i) with Σ = (C⁻¹ + S)⁻¹, m; 0 where only rounding is left of
    /// it, `None` where it is not positive. `s` are the precisions S.
    pub fn cavity_variances(&self, problem: &TrainingSet, s: &[f64]) -> Vec<Option<f64>> {
        if s.iter().all(|s| *s == 0.0) {
            return (0..s.len()).map(|i| Some(problem.at(i, i).max(0.0))).collect();
        }
        let diagonal = self.inverse_diagonal();
        (0..s.len()).map(|i| self.cavity_variance(problem, i, s[i], diagonal[i])).collect()
    }

    /// `b` is element i of diag (I + S C)⁻¹.
    fn cavity_variance(&self, problem: &TrainingSet, i: usize, s: f64, b: f64) -> Option<f64> {
        let prior = problem.at(i, i);
        if prior <= 0.0 {
            return Some(0.0);
        }
        // Σ_ii = (1 − b)/S; that cancels where S is tiny, and the definition of Σ does not.
        let var = if (s * prior).abs() > 1e-5 {
            (1.0 - b) / (s * b)
        } else {
            1.0 / (1.0 / (prior - self.quadratic(problem.row(i))) - s)
        };
        if var.abs() < 1e-9 * prior {
            Some(var.max(0.0))
        } else {
            Some(var).filter(|v| *v > 0.0 && v.is_finite())
        }
    }

    /// ln |det (I + S C)|.
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
    use crate::gp::solver::kernel::{Kernel, Kind};
    use crate::math::random::Stream;

    #[test]
    fn negative_precisions_have_the_same_inverse_by_both_factorisations() {
        let mut stream = Stream::of(5, 0);
        let rows: Vec<Vec<f64>> = (0..30).map(|_| vec![stream.normal(), stream.normal()]).collect();
        let tau = vec![1.0; rows.len()];
        let problem = TrainingSet::new(&rows, &tau, &Kernel::isotropic(Kind::Rbf, 2, 0.7), 0.1, 0.1);
        let s: Vec<f64> = (0..30).map(|i| if i % 4 == 0 { -0.1 } else { 0.2 + stream.uniform() }).collect();
        let signed = Factor::new(&problem, &s).unwrap();
        assert!(matches!(signed, Factor::Signed(..)));
        let element = |i: usize, j: usize| s[i] * problem.at(i, j) + f64::from(u8::from(i == j));
        let lu = Factor::General(Box::new(DMatrix::from_fn(30, 30, element).lu()), s.clone());
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near(&signed.solve(&tau), &lu.solve(&tau)));
        assert!(near(&signed.inverse(), &lu.inverse()));
        assert!(near(&signed.inverse_diagonal(), &lu.inverse_diagonal()));
        assert!((signed.ln_det() - lu.ln_det()).abs() < 1e-12);
        assert!((signed.quadratic(problem.row(3)) - lu.quadratic(problem.row(3))).abs() < 1e-12);
        // Too little precision: no covariances, but an inverse.
        let s: Vec<f64> = s.iter().map(|s| if *s < 0.0 { -30.0 } else { *s }).collect();
        assert!(matches!(Factor::new(&problem, &s), Some(Factor::General(..))));
    }
}
