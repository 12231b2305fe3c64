//! Factorisation A = L J Lᵀ of a symmetric quasi-definite matrix, J = diag(±1) with given signs: as stable and as fast as Cholesky's,
//! and without a search for pivots.
//!
//! A = J + T C T with a positive definite C has such a factor, positive signs first, exactly where C⁻¹ + T J T is positive definite:
//! leaving negative elements of J out makes that matrix larger, and leaving positive ones out of what remains leaves Cholesky's.

use std::task::Poll;

use super::Budget;
use super::cholesky::inverse::InverseDiagonal;
use super::cholesky::{Cholesky, Factoring, finished};
use super::lanes::LANES;

/// The factor of A, its rows in their own order.
#[derive(Clone, Debug)]
pub struct SignedCholesky {
    /// Of the rows in the order of `layout`.
    factor: Cholesky,
    layout: Layout,
    /// The diagonal of the inverse, as far as it was asked for.
    diagonal: InverseDiagonal,
}

/// Rows of positive sign first, those of negative sign after them, each padded by rows of J to whole strips.
#[derive(Clone, Debug)]
struct Layout {
    /// Padded rows of positive sign, and all padded rows.
    positive: usize,
    width: usize,
    /// Where each row of A is, and which row of A is where.
    places: Vec<usize>,
    rows: Vec<Option<usize>>,
}

impl Layout {
    fn new(negative: &[bool]) -> Self {
        let n = negative.len();
        let minus = negative.iter().filter(|negative| **negative).count();
        let padded = |count: usize| count.div_ceil(LANES) * LANES;
        let (positive, width) = (padded(n - minus), padded(n - minus) + padded(minus));
        let mut next = [0, positive];
        let mut places = vec![0; n];
        let mut rows = vec![None; width];
        for (i, negative) in negative.iter().enumerate() {
            let next = &mut next[usize::from(*negative)];
            places[i] = *next;
            rows[*next] = Some(i);
            *next += 1;
        }
        Self { positive, width, places, rows }
    }
}

/// A factorisation in pieces of work, to be paused between any two of them; the bits do not depend on where.
#[derive(Clone, Debug)]
pub struct SignedFactoring {
    factoring: Factoring,
    layout: Layout,
}

impl SignedFactoring {
    /// Before the first piece, with a sign of J for each row.
    pub fn new(negative: &[bool]) -> Self {
        let layout = Layout::new(negative);
        Self { factoring: Factoring::new(layout.width, layout.positive), layout }
    }

    /// Works until it is done or the budget is spent: pending while there is more to do; then the factor, or `None` if the pivots
    /// have other signs. `element` must be the same each time.
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
    /// Factors the matrix whose element (i, j) is `element(i, j)`, with a sign of J for each row; `None` if its pivots have
    /// other signs.
    pub fn new(negative: &[bool], element: impl Fn(usize, usize) -> f64) -> Option<Self> {
        finished(SignedFactoring::new(negative).advance(&mut Budget::new(u64::MAX), element))
    }

    /// Works at the diagonal of A⁻¹ until it is known or the budget is spent; whether it is known, and so without any work in
    /// [`SignedCholesky::inverse_diagonal`].
    pub fn prepare_diagonal(&mut self, budget: &mut Budget) -> bool {
        self.diagonal.advance(&self.factor, budget)
    }

    /// Whether the sign of a row is negative.
    pub fn is_negative(&self, row: usize) -> bool {
        self.layout.places[row] >= self.layout.positive
    }

    fn spread(&self, b: &[f64]) -> Vec<f64> {
        let mut spread = vec![0.0; self.layout.width];
        for (place, b) in self.layout.places.iter().zip(b) {
            spread[*place] = *b;
        }
        spread
    }

    /// A⁻¹ b.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut u = self.spread(b);
        self.factor.solve_lower(&mut u);
        u[self.layout.positive..].iter_mut().for_each(|u| *u = -*u);
        self.factor.solve_upper(&mut u);
        self.layout.places.iter().map(|place| u[*place]).collect()
    }

    /// bᵀ A⁻¹ b.
    pub fn quadratic(&self, b: &[f64]) -> f64 {
        let mut u = self.spread(b);
        self.factor.solve_lower(&mut u);
        let (plus, minus) = u.split_at(self.layout.positive);
        let squares = |u: &[f64]| u.iter().map(|u| u * u).sum::<f64>();
        squares(plus) - squares(minus)
    }

    /// The diagonal of A⁻¹.
    pub fn inverse_diagonal(&self) -> Vec<f64> {
        let mut diagonal = self.diagonal.clone();
        diagonal.advance(&self.factor, &mut Budget::new(u64::MAX));
        self.layout.places.iter().map(|place| diagonal.sums[*place]).collect()
    }

    /// A⁻¹, row by row, n×n.
    pub fn inverse(&self) -> Vec<f64> {
        let inverse = self.factor.inverse();
        let n = self.layout.places.len();
        let mut whole = Vec::with_capacity(n * n);
        for row in &self.layout.places {
            whole.extend(self.layout.places.iter().map(|column| inverse[row * self.layout.width + column]));
        }
        whole
    }

    /// ln |det A|.
    pub fn ln_det(&self) -> f64 {
        self.factor.ln_det()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DMatrix;

    /// J + T C T with C⁻¹ + T J T positive definite, or not, by the size of the negative elements.
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
    fn it_is_the_inverse_and_the_determinant_of_lu() {
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
    fn positive_signs_only_give_the_bits_of_cholesky() {
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
    fn a_matrix_with_other_signs_has_no_factor() {
        let (negative, a) = matrix(9, 3.0);
        assert!(SignedCholesky::new(&negative, |i, j| a[(i, j)]).is_none());
        assert!(SignedCholesky::new(&[true], |_, _| f64::NAN).is_none());
    }
}
