//! Factorisation A = L J Lᵀ of symmetric quasi-definite matrices, J = diag(±1) with given signs. It is as stable and fast as a Cholesky
//! factorisation and needs no pivoting.
//!
//! A = J + T C T with a positive definite C has such a factor, with positive signs first, if and only if C⁻¹ + T J T is positive
//! definite.

use std::task::Poll;

use super::Budget;
use super::cholesky::inverse::InverseDiagonal;
use super::cholesky::{Cholesky, PartialCholesky, finished};
use super::lanes::{LANES, Lanes};

/// The factor of A.
#[derive(Clone, Debug)]
pub struct SignedCholesky {
    /// Factor of the rows in the order of `layout`.
    factor: Cholesky,
    layout: PaddedRows,
    /// Diagonal of the inverse, as far as it has been computed.
    diagonal: InverseDiagonal,
}

/// The order of the rows in the factor: positive signs first, then negative signs, each padded by rows of J to whole strips.
#[derive(Clone, Debug)]
struct PaddedRows {
    /// Number of rows of positive sign and of all rows, with padding.
    positive: usize,
    width: usize,
    /// Position of each row of A, n, and row of A at each position; `None` for padding.
    positions: Vec<usize>,
    rows: Vec<Option<usize>>,
}

impl PaddedRows {
    fn new(negative: &[bool]) -> Self {
        let n = negative.len();
        let minus = negative.iter().filter(|negative| **negative).count();
        let padded = |count: usize| count.div_ceil(LANES) * LANES;
        let (positive, width) = (padded(n - minus), padded(n - minus) + padded(minus));
        let mut next = [0, positive];
        let mut positions = vec![0; n];
        let mut rows = vec![None; width];
        for (i, negative) in negative.iter().enumerate() {
            let next = &mut next[usize::from(*negative)];
            positions[i] = *next;
            rows[*next] = Some(i);
            *next += 1;
        }
        Self { positive, width, positions, rows }
    }
}

/// A factorisation that can be paused. Pauses do not change the bits of the result.
#[derive(Clone, Debug)]
pub struct SignedFactoring {
    factoring: PartialCholesky,
    layout: PaddedRows,
}

impl SignedFactoring {
    /// Starts a factorisation. `negative` is true for rows with a negative sign in J, n.
    pub fn new(negative: &[bool]) -> Self {
        let layout = PaddedRows::new(negative);
        Self { factoring: PartialCholesky::new(layout.width, layout.positive), layout }
    }

    /// Continues until the budget is spent. Returns the factor, or `None` if the pivots have other signs, when the factorisation is
    /// complete. `element` must be the same in each call.
    pub fn advance(
        &mut self,
        budget: &mut Budget,
        element: impl Fn(usize, usize) -> f64,
    ) -> Poll<Option<SignedCholesky>> {
        let Self { factoring, layout } = self;
        let padding = |i: usize, j: usize| match (i == j, i < layout.positive) {
            (true, true) => 1.0,
            (true, false) => -1.0,
            (false, _) => 0.0,
        };
        let factor = factoring.advance(budget, |i, j| match (layout.rows[i], layout.rows[j]) {
            (Some(row), Some(column)) => element(row, column),
            _ => padding(i, j),
        });
        let signed =
            |factor| SignedCholesky { factor, layout: layout.clone(), diagonal: InverseDiagonal::default() };
        factor.map(|factor| factor.map(signed))
    }
}

impl SignedCholesky {
    /// Factors the matrix with elements `element(i, j)`. `negative` is true for rows with a negative sign in J. `None` if the pivots have
    /// other signs.
    pub fn new(negative: &[bool], element: impl Fn(usize, usize) -> f64) -> Option<Self> {
        finished(SignedFactoring::new(negative).advance(&mut Budget::new(u64::MAX), element))
    }

    /// Computes the diagonal of A⁻¹ until the budget is spent. Returns true when it is complete, so that
    /// [`SignedCholesky::inverse_diagonal`] needs no further work.
    pub fn prepare_diagonal(&mut self, budget: &mut Budget) -> bool {
        self.diagonal.advance(&self.factor, budget)
    }

    /// Returns true if the sign of a row is negative.
    pub fn is_negative(&self, row: usize) -> bool {
        self.layout.positions[row] >= self.layout.positive
    }

    /// Puts the elements of a vector into the order of the factor.
    fn spread(&self, b: &[f64]) -> Vec<f64> {
        let mut spread = vec![0.0; self.layout.width];
        for (position, b) in self.layout.positions.iter().zip(b) {
            spread[*position] = *b;
        }
        spread
    }

    /// Returns A⁻¹ b, n.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut u = self.spread(b);
        self.factor.solve_lower(&mut u);
        u[self.layout.positive..].iter_mut().for_each(|u| *u = -*u);
        self.factor.solve_upper(&mut u);
        self.layout.positions.iter().map(|position| u[*position]).collect()
    }

    /// Returns bᵀ A⁻¹ b.
    pub fn quadratic(&self, b: &[f64]) -> f64 {
        let mut u = self.spread(b);
        self.factor.solve_lower(&mut u);
        let (plus, minus) = u.split_at(self.layout.positive);
        let squares = |u: &[f64]| u.iter().map(|u| u * u).sum::<f64>();
        squares(plus) - squares(minus)
    }

    /// Returns X = L⁻¹ B for eight columns B, n×8. The rows of X are in the order of the factor, those of sign + first; their number is
    /// that of [`Self::positive_rows`], and Bᵀ A⁻¹ B = Xᵀ J X.
    pub fn solve_lower_block(&self, block: &[Lanes]) -> Vec<Lanes> {
        let mut spread = vec![[0.0; LANES]; self.layout.width];
        for (position, b) in self.layout.positions.iter().zip(block) {
            spread[*position] = *b;
        }
        self.factor.solve_lower_block(spread)
    }

    /// Returns the number of rows of positive sign in the order of the factor, with padding.
    pub fn positive_rows(&self) -> usize {
        self.layout.positive
    }

    /// Returns the diagonal of A⁻¹, n.
    pub fn inverse_diagonal(&self) -> Vec<f64> {
        let mut diagonal = self.diagonal.clone();
        diagonal.advance(&self.factor, &mut Budget::new(u64::MAX));
        self.layout.positions.iter().map(|position| diagonal.sums[*position]).collect()
    }

    /// Returns A⁻¹, n×n, row by row.
    pub fn inverse(&self) -> Vec<f64> {
        let inverse = self.factor.inverse();
        let n = self.layout.positions.len();
        let mut whole = Vec::with_capacity(n * n);
        for row in &self.layout.positions {
            whole
                .extend(self.layout.positions.iter().map(|column| inverse[row * self.layout.width + column]));
        }
        whole
    }

    /// Returns ln |det A|.
    pub fn ln_det(&self) -> f64 {
        self.factor.ln_det()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DMatrix;

    /// Returns J + T C T with C⁻¹ + T J T positive definite, or not, by the size of the negative elements.
    fn matrix(n: usize, size: f64) -> (Vec<bool>, DMatrix<f64>) {
        let g = DMatrix::from_fn(n, n, |i, j| ((i * 7 + j * 13) % 11) as f64 / 11.0 - 0.4);
        let c = &g * g.transpose() / n as f64 + DMatrix::identity(n, n) * 0.5;
        let negative: Vec<bool> = (0..n).map(|i| i % 3 == 1 || i % 7 == 0).collect();
        let t = |i: usize| if negative[i] { size } else { 1.0 + i as f64 / n as f64 };
        let sign = |i: usize, j: usize| match (i == j, negative[i]) {
            (true, true) => -1.0,
            (true, false) => 1.0,
            (false, _) => 0.0,
        };
        let a = DMatrix::from_fn(n, n, |i, j| sign(i, j) + t(i) * c[(i, j)] * t(j));
        (negative, a)
    }

    #[test]
    fn inverse_and_determinant_agree_with_lu() {
        for n in [1, 2, 8, 9, 17, 40] {
            let (negative, a) = matrix(n, 0.3);
            let factor = SignedCholesky::new(&negative, |i, j| a[(i, j)]).unwrap();
            let expected = a.clone().try_inverse().unwrap();
            let (inverse, diagonal) = (factor.inverse(), factor.inverse_diagonal());
            let b: Vec<f64> = (0..n).map(|i| i as f64 - 2.5).collect();
            let x = factor.solve(&b);
            let product = &expected * DMatrix::from_column_slice(n, 1, &b);
            let quadratic: f64 = b.iter().zip(product.iter()).map(|(b, x)| b * x).sum();
            assert!((factor.quadratic(&b) - quadratic).abs() < 1e-11 * (1.0 + quadratic.abs()));
            assert!((factor.ln_det() - a.determinant().abs().ln()).abs() < 1e-11, "n={n}");
            for i in 0..n {
                assert!((diagonal[i] - expected[(i, i)]).abs() < 1e-12, "n={n} {i}");
                assert!((x[i] - product[i]).abs() < 1e-11, "n={n} {i}");
                for j in 0..n {
                    assert!((inverse[i * n + j] - expected[(i, j)]).abs() < 1e-12, "n={n} ({i}, {j})");
                }
            }
        }
    }

    #[test]
    fn all_positive_signs_give_the_bits_of_cholesky() {
        let n = 13;
        let (_, a) = matrix(n, 0.3);
        let a = &a * a.transpose() + DMatrix::identity(n, n);
        let signed = SignedCholesky::new(&vec![false; n], |i, j| a[(i, j)]).unwrap();
        let plain = Cholesky::new(n, |i, j| a[(i, j)]).unwrap();
        let mut b = vec![1.5; n];
        let x = signed.solve(&b);
        plain.solve(&mut b);
        assert_eq!((x, signed.inverse()), (b, plain.inverse()));
        assert_eq!(
            (signed.inverse_diagonal(), signed.ln_det().to_bits()),
            (plain.inverse_diagonal(), plain.ln_det().to_bits())
        );
    }

    #[test]
    fn matrices_with_other_signs_have_no_factor() {
        let (negative, a) = matrix(9, 3.0);
        assert!(SignedCholesky::new(&negative, |i, j| a[(i, j)]).is_none());
        assert!(SignedCholesky::new(&[true], |_, _| f64::NAN).is_none());
    }
}
