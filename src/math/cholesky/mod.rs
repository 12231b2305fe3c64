//! Cholesky factorisation of symmetric positive definite matrices. For quasi-definite matrices see [`super::signed_cholesky`].
//!
//! Rows are stored in strips of [`LANES`] rows side by side, so that every inner loop is a sum of outer products over contiguous memory.
//! Elements are summed in the order of their index, independent of the width of the vectors.

pub mod inverse;

use std::ops::Range;
use std::task::Poll;

use super::Budget;
use super::lanes::{LANES, Lanes, SimdKernel, dispatch_simd};

/// The lower factor L of A = L J Lᵀ. J is the identity, except in [`super::signed_cholesky`].
#[derive(Clone, Debug)]
pub struct Cholesky {
    n: usize,
    /// Number of columns of a strip: n rounded up to whole strips.
    width: usize,
    /// Number of leading elements +1 of J, in whole strips; the others are −1.
    positive: usize,
    /// strips[s·width + k][i] = L[8s+i][k].
    strips: Vec<Lanes>,
}

/// Number of columns that are computed together: their sums fit into registers.
const TILE: usize = 4;

impl Cholesky {
    /// Factors the n×n matrix with elements `element(i, j)`, j ≤ i; `None` if it is not positive definite.
    pub fn new(n: usize, element: impl Fn(usize, usize) -> f64) -> Option<Self> {
        let mut factoring = PartialCholesky::positive_definite(n);
        finished(factoring.advance(&mut Budget::new(u64::MAX), element))
    }

    /// Computes b ← A⁻¹ b.
    ///
    /// # Panics
    /// If the length of `b` is not n.
    pub fn solve(&self, b: &mut [f64]) {
        self.solve_lower(b);
        self.solve_upper(b);
    }

    /// Computes b ← L⁻ᵀ b.
    ///
    /// # Panics
    /// If `b` has fewer than n elements.
    pub fn solve_upper(&self, b: &mut [f64]) {
        for i in (0..self.n).rev() {
            b[i] /= self.at(i, i);
            let (b_i, start) = (b[i], i / LANES * self.width);
            for (b, column) in b[..i].iter_mut().zip(&self.strips[start..]) {
                *b -= column[i % LANES] * b_i;
            }
        }
    }

    /// Computes b ← L⁻¹ b.
    ///
    /// # Panics
    /// If the length of `b` is not n.
    pub fn solve_lower(&self, b: &mut [f64]) {
        assert_eq!(b.len(), self.n, "b has one number per row");
        for i in 0..self.n {
            let row = self.strips[i / LANES * self.width..].iter().map(|column| column[i % LANES]);
            let sum: f64 = b[..i].iter().zip(row).map(|(b, l)| l * b).sum();
            b[i] = (b[i] - sum) / self.at(i, i);
        }
    }

    /// Returns the number of rows n.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Returns true if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Returns ln |det A|.
    pub fn ln_det(&self) -> f64 {
        2.0 * (0..self.n).map(|i| libm::log(self.at(i, i))).sum::<f64>()
    }

    /// Returns element (i, j) of L, j ≤ i.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.strips[i / LANES * self.width + j][i % LANES]
    }
}

/// Returns the result of work with an unlimited budget.
pub(super) fn finished<T>(work: Poll<Option<T>>) -> Option<T> {
    match work {
        Poll::Ready(done) => done,
        Poll::Pending => None,
    }
}

/// A factorisation that can be paused. Pauses do not change the bits of the result.
#[derive(Clone, Debug)]
pub struct PartialCholesky {
    n: usize,
    width: usize,
    positive: usize,
    strips: Vec<Lanes>,
    /// Number of strips filled with elements of A.
    filled: usize,
    /// Current strip of columns, and the next strip of rows.
    pivot: usize,
    strip: usize,
}

impl PartialCholesky {
    /// Starts the factorisation of a positive definite n×n matrix.
    pub fn positive_definite(n: usize) -> Self {
        Self::new(n, n.div_ceil(LANES) * LANES)
    }

    /// Starts the factorisation of an n×n matrix with `positive` positive pivots, in whole strips.
    pub(super) fn new(n: usize, positive: usize) -> Self {
        let width = n.div_ceil(LANES) * LANES;
        let strips = vec![[0.0; LANES]; width / LANES * width];
        Self { n, width, positive, strips, filled: 0, pivot: 0, strip: 0 }
    }

    /// Continues until the budget is spent. Returns the factor, or `None` if there is none, when the factorisation is complete.
    /// `element` must be the same in each call.
    pub fn advance(
        &mut self,
        budget: &mut Budget,
        element: impl Fn(usize, usize) -> f64,
    ) -> Poll<Option<Cholesky>> {
        let (width, count) = (self.width, self.width / LANES);
        while self.filled < count {
            let strip = &mut self.strips[self.filled * width..][..width];
            for i in self.filled * LANES..(self.filled + 1) * LANES {
                for (j, column) in strip[..=i].iter_mut().enumerate() {
                    // Padding rows are those of the identity.
                    column[i % LANES] = if i < self.n { element(i, j) } else { f64::from(u8::from(i == j)) };
                }
            }
            self.filled += 1;
            if !budget.spend((LANES * width) as u64) {
                return Poll::Pending;
            }
        }
        while self.pivot < count {
            let each = (LANES * LANES * (self.pivot + 1) * LANES) as u64;
            let rows =
                usize::try_from(budget.left() / each).unwrap_or(usize::MAX).clamp(1, count - self.strip);
            let Self { positive, pivot, strip, strips, .. } = self;
            let (positive, pivot, rows) = (*positive, *pivot, *strip..*strip + rows);
            let spent = each * rows.len() as u64;
            self.strip = rows.end;
            if !dispatch_simd(FactorKernel { width, positive, pivot, rows, strips }) {
                return Poll::Ready(None);
            }
            if self.strip == count {
                self.pivot += 1;
                self.strip = self.pivot;
            }
            if !budget.spend(spent) && self.pivot < count {
                return Poll::Pending;
            }
        }
        let strips = std::mem::take(&mut self.strips);
        Poll::Ready(Some(Cholesky { n: self.n, width, positive: self.positive, strips }))
    }
}

/// Left-looking step for the columns of strip `pivot` in the strips `rows`: subtracts the product of earlier columns, then solves with
/// the 8×8 triangle on the diagonal.
struct FactorKernel<'a> {
    width: usize,
    positive: usize,
    pivot: usize,
    rows: Range<usize>,
    strips: &'a mut [Lanes],
}

impl SimdKernel for FactorKernel<'_> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let Self { width, positive, pivot, rows, strips } = self;
        let first = pivot * LANES;
        let (above, below) = strips.split_at_mut((pivot + 1) * width);
        let pivot_strip = &mut above[pivot * width..];
        if rows.start == pivot {
            let (before, rest) = pivot_strip.split_at_mut(first);
            reduce_signed(before, before, positive, rest);
            if !factor_block(&mut rest[..LANES]) {
                return false;
            }
        }
        let (before, diagonal) = (&pivot_strip[..first], &pivot_strip[first..first + LANES]);
        let skipped = rows.start.max(pivot + 1) - (pivot + 1);
        let taken = rows.end - (pivot + 1);
        for strip in below.chunks_exact_mut(width).take(taken).skip(skipped) {
            let (earlier, here) = strip.split_at_mut(first);
            reduce_signed(earlier, before, positive, here);
            solve_below(diagonal, &mut here[..LANES]);
        }
        true
    }
}

/// Subtracts L J Lᵀ of earlier columns from the first eight rows of `out`, times the sign of their pivot. Columns before `positive` have
/// the sign +1, later ones −1.
#[inline(always)]
fn reduce_signed(rows: &[Lanes], columns: &[Lanes], positive: usize, out: &mut [Lanes]) {
    let split = positive.min(rows.len());
    reduce(&rows[..split], &columns[..split], out);
    if rows.len() >= positive {
        negate(&mut out[..LANES]);
        reduce(&rows[split..], &columns[split..], out);
    }
}

#[inline(always)]
fn negate(block: &mut [Lanes]) {
    for row in block {
        *row = row.map(|x| -x);
    }
}

/// Computes out[j] −= Σ_k rows[k] · columns[k][j] for the first eight elements of `out`.
#[inline(always)]
pub(crate) fn reduce(rows: &[Lanes], columns: &[Lanes], out: &mut [Lanes]) {
    for (tile, out) in (0..LANES).step_by(TILE).zip(out.chunks_exact_mut(TILE)) {
        let mut sums = [[0.0; LANES]; TILE];
        for (row, column) in rows.iter().zip(columns) {
            for j in 0..TILE {
                for i in 0..LANES {
                    sums[j][i] += row[i] * column[tile + j];
                }
            }
        }
        for (out, sum) in out.iter_mut().zip(&sums) {
            for i in 0..LANES {
                out[i] -= sum[i];
            }
        }
    }
}

/// Factors an 8×8 block on the diagonal. Returns false if it is not positive definite.
#[inline(always)]
fn factor_block(block: &mut [Lanes]) -> bool {
    for j in 0..LANES {
        for k in 0..j {
            let l = block[k][j];
            for i in j..LANES {
                block[j][i] -= block[k][i] * l;
            }
        }
        let pivot = block[j][j];
        // NaN is refused as well.
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        let root = pivot.sqrt();
        for i in 0..LANES {
            block[j][i] = if i < j { 0.0 } else { block[j][i] / root };
        }
    }
    true
}

/// Solves rows below a block on the diagonal: here ← here · diagonal⁻ᵀ.
#[inline(always)]
fn solve_below(diagonal: &[Lanes], here: &mut [Lanes]) {
    for j in 0..LANES {
        for k in 0..j {
            let l = diagonal[k][j];
            for i in 0..LANES {
                here[j][i] -= here[k][i] * l;
            }
        }
        let pivot = diagonal[j][j];
        for i in 0..LANES {
            here[j][i] /= pivot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::inverse::{InverseDiagonal, Inversion};
    use super::*;

    /// Returns A = G Gᵀ + I/2 of an arbitrary G.
    fn matrix(n: usize) -> Vec<Vec<f64>> {
        let g: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| ((i * 7 + j * 13) % 11) as f64 / 11.0 - 0.4).collect()).collect();
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        (0..n)
            .map(|i| (0..n).map(|j| dot(&g[i], &g[j]) + f64::from(u8::from(i == j)) * 0.5).collect())
            .collect()
    }

    #[test]
    fn factor_inverse_and_determinant_are_correct() {
        for n in [1, 2, 7, 8, 9, 16, 37] {
            let a = matrix(n);
            let factor = Cholesky::new(n, |i, j| a[i][j]).unwrap();
            for i in 0..n {
                for j in 0..=i {
                    let product: f64 = (0..=j).map(|k| factor.at(i, k) * factor.at(j, k)).sum();
                    assert!((product - a[i][j]).abs() < 1e-12 * (1.0 + a[i][i]), "n={n} ({i}, {j})");
                }
            }
            let diagonal = factor.inverse_diagonal();
            let inverse = factor.inverse();
            for j in 0..n {
                let mut column = vec![0.0; n];
                column[j] = 1.0;
                factor.solve(&mut column);
                assert!((column[j] - diagonal[j]).abs() < 1e-12, "n={n} diagonal {j}");
                for (i, row) in a.iter().enumerate() {
                    assert!((column[i] - inverse[i * n + j]).abs() < 1e-12, "n={n} ({i}, {j})");
                    let unit: f64 = row.iter().zip(&column).map(|(a, x)| a * x).sum();
                    assert!((unit - f64::from(u8::from(i == j))).abs() < 1e-11, "n={n} inverse ({i}, {j})");
                }
            }
        }
        let a = [[4.0, 0.0], [2.0, 5.0]];
        assert!((Cholesky::new(2, |i, j| a[i][j]).unwrap().ln_det() - 16.0_f64.ln()).abs() < 1e-15);
    }

    /// Pieces of the least work, and of a few strips each.
    #[test]
    fn pauses_do_not_change_any_bit() {
        for n in [1, 9, 37, 64] {
            let a = matrix(n);
            let whole = Cholesky::new(n, |i, j| a[i][j]).unwrap();
            for work in [1, 5_000] {
                let mut factoring = PartialCholesky::positive_definite(n);
                let mut pieces = 0;
                let factor = loop {
                    pieces += 1;
                    let mut budget = Budget::new(work);
                    let Poll::Ready(factor) = factoring.advance(&mut budget, |i, j| a[i][j]) else {
                        assert!(budget.is_spent());
                        continue;
                    };
                    break factor.unwrap();
                };
                assert_eq!(factor.strips, whole.strips);
                let strips = n.div_ceil(LANES);
                assert!(work > 1 || pieces >= strips + strips * (strips + 1) / 2, "n={n}: {pieces} pieces");
                let mut diagonal = InverseDiagonal::default();
                while !diagonal.advance(&factor, &mut Budget::new(work)) {
                    assert!(diagonal.sums.len() < n);
                }
                assert_eq!(diagonal.sums, whole.inverse_diagonal());
                let mut inversion = Inversion::default();
                while !inversion.advance(&factor, &mut Budget::new(work)) {}
                assert_eq!(inversion.into_inverse(), whole.inverse());
            }
        }
    }

    #[test]
    fn a_block_of_columns_is_solved_like_each_column() {
        for n in [1, 9, 37] {
            let a = matrix(n);
            let factor = Cholesky::new(n, |i, j| a[i][j]).unwrap();
            let element = |i: usize, j: usize| ((i * 5 + j * 3) % 7) as f64 - 2.0;
            let block = (0..n).map(|i| std::array::from_fn(|j| element(i, j))).collect();
            let solved = factor.solve_lower_block(block);
            for j in 0..LANES {
                let mut column: Vec<f64> = (0..n).map(|i| element(i, j)).collect();
                factor.solve_lower(&mut column);
                let near = |(x, row): (&f64, &Lanes)| (x - row[j]).abs() < 1e-12 * (1.0 + x.abs());
                assert!(column.iter().zip(&solved).all(near), "n={n} column {j}");
            }
        }
    }

    #[test]
    fn indefinite_matrices_have_no_factor() {
        assert!(Cholesky::new(2, |i, j| if i == j { 1.0 } else { 2.0 }).is_none());
        assert!(Cholesky::new(1, |_, _| f64::NAN).is_none());
        assert!(Cholesky::new(3, |_, _| 0.0).is_none());
    }
}
