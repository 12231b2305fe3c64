//! Cholesky's factorisation of a symmetric, positive definite matrix, and what the models need of it; of a quasi-definite one, see
//! [`super::signed_cholesky`].
//!
//! Rows lie in strips of [`LANES`], eight rows side by side, so that every inner loop is a sum of outer products over
//! contiguous memory; each element is summed in the order of its index, whatever the width of the vectors.

use super::lanes::{Kernel, LANES, Lanes, dispatch_simd};

/// The lower factor L of A = L J Lᵀ; J is the identity but for [`super::signed_cholesky`].
#[derive(Clone, Debug)]
pub struct Cholesky {
    n: usize,
    /// Columns of a strip: n rounded up to whole strips.
    width: usize,
    /// Leading elements of J that are +1, whole strips; the others are −1.
    positive: usize,
    /// strips[s·width + k][i] = L[8s+i][k].
    strips: Vec<Lanes>,
}

/// Columns that are computed together: as many sums as fit into registers.
pub(super) const TILE: usize = 4;

impl Cholesky {
    /// Factors the n×n matrix whose element (i, j), j ≤ i, is `element(i, j)`; `None` if it is not positive definite.
    pub fn new(n: usize, element: impl Fn(usize, usize) -> f64) -> Option<Self> {
        Self::with_signs(n, n.div_ceil(LANES) * LANES, element)
    }

    /// The same for a matrix with `positive` positive pivots, whole strips of them, followed by negative ones only; `None` if it
    /// has not got them.
    pub(super) fn with_signs(
        n: usize,
        positive: usize,
        element: impl Fn(usize, usize) -> f64,
    ) -> Option<Self> {
        let width = n.div_ceil(LANES) * LANES;
        let mut strips = vec![[0.0; LANES]; width / LANES * width];
        for i in 0..width {
            let strip = &mut strips[i / LANES * width..];
            for (j, column) in strip[..=i].iter_mut().enumerate() {
                // Rows beyond the last are those of the identity.
                column[i % LANES] = if i < n { element(i, j) } else { f64::from(u8::from(i == j)) };
            }
        }
        let factored = dispatch_simd(Factor { width, positive, strips: &mut strips });
        factored.then_some(Self { n, width, positive, strips })
    }

    /// b ← A⁻¹ b.
    ///
    /// # Panics
    /// If `b` has another length than the matrix.
    pub fn solve(&self, b: &mut [f64]) {
        self.solve_lower(b);
        self.solve_upper(b);
    }

    /// b ← L⁻ᵀ b.
    pub(super) fn solve_upper(&self, b: &mut [f64]) {
        for i in (0..self.n).rev() {
            b[i] /= self.at(i, i);
            let (b_i, start) = (b[i], i / LANES * self.width);
            for (b, column) in b[..i].iter_mut().zip(&self.strips[start..]) {
                *b -= column[i % LANES] * b_i;
            }
        }
    }

    /// b ← L⁻¹ b.
    ///
    /// # Panics
    /// If `b` has another length than the matrix.
    pub fn solve_lower(&self, b: &mut [f64]) {
        assert_eq!(b.len(), self.n, "one number for each row");
        for i in 0..self.n {
            let row = self.strips[i / LANES * self.width..].iter().map(|column| column[i % LANES]);
            let sum: f64 = b[..i].iter().zip(row).map(|(b, l)| l * b).sum();
            b[i] = (b[i] - sum) / self.at(i, i);
        }
    }

    /// ln |det A|.
    pub fn ln_det(&self) -> f64 {
        2.0 * (0..self.n).map(|i| libm::log(self.at(i, i))).sum::<f64>()
    }

    /// Element (i, j) of L, j ≤ i.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.strips[i / LANES * self.width + j][i % LANES]
    }

    /// L⁻¹ in panels of eight columns: element k·8-wide row of panel t at t·width + k.
    fn inverse_panels(&self) -> Vec<Lanes> {
        let mut inverse = vec![[0.0; LANES]; self.strips.len()];
        dispatch_simd(Inverse { factor: self, inverse: &mut inverse });
        inverse
    }

    /// The diagonal of A⁻¹ = L⁻ᵀ J L⁻¹: squared column norms of L⁻¹.
    pub fn inverse_diagonal(&self) -> Vec<f64> {
        let inverse = self.inverse_panels();
        let columns = inverse.chunks_exact(self.width);
        let mut sums: Vec<f64> = columns
            .flat_map(|panel| {
                let (plus, minus) = panel.split_at(self.positive);
                let sum = plus.iter().fold([0.0; LANES], |sum, row| add(sum, row, 1.0));
                minus.iter().fold(sum, |sum, row| add(sum, row, -1.0))
            })
            .collect();
        sums.truncate(self.n);
        sums
    }

    /// A⁻¹, row by row, n×n.
    pub fn inverse(&self) -> Vec<f64> {
        let (panels, mut whole) = (self.inverse_panels(), vec![0.0; self.n * self.n]);
        dispatch_simd(Gram { factor: self, panels: &panels, whole: &mut whole });
        whole
    }
}

/// Adds `sign` times the squares of a row.
fn add(sum: Lanes, row: &Lanes, sign: f64) -> Lanes {
    std::array::from_fn(|j| sum[j] + sign * row[j] * row[j])
}

/// Left-looking: a strip of rows less what the columns before it explain, then the 8×8 triangle at its end.
struct Factor<'a> {
    width: usize,
    positive: usize,
    strips: &'a mut [Lanes],
}

impl Kernel for Factor<'_> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let Self { width, positive, strips } = self;
        for pivot in 0..width / LANES {
            let first = pivot * LANES;
            let (above, below) = strips.split_at_mut((pivot + 1) * width);
            let own = &mut above[pivot * width..];
            let (before, rest) = own.split_at_mut(first);
            reduce_signed(before, before, positive, rest);
            if !triangle(&mut rest[..LANES]) {
                return false;
            }
            let (before, diagonal) = (&own[..first], &own[first..first + LANES]);
            for strip in below.chunks_exact_mut(width) {
                let (theirs, here) = strip.split_at_mut(first);
                reduce_signed(theirs, before, positive, here);
                under(diagonal, &mut here[..LANES]);
            }
        }
        true
    }
}

/// The first eight of `out` become A − L J Lᵀ of the columns before them, with the sign of their own pivot: columns up to
/// `positive` count with +1, those after it, which only blocks of negative pivots have, with −1.
#[inline(always)]
fn reduce_signed(rows: &[Lanes], columns: &[Lanes], positive: usize, out: &mut [Lanes]) {
    let split = positive.min(rows.len());
    for tile in (0..LANES).step_by(TILE) {
        reduce(&rows[..split], &columns[..split], tile, &mut out[tile..tile + TILE]);
    }
    if rows.len() >= positive {
        negate(&mut out[..LANES]);
        for tile in (0..LANES).step_by(TILE) {
            reduce(&rows[split..], &columns[split..], tile, &mut out[tile..tile + TILE]);
        }
    }
}

#[inline(always)]
fn negate(block: &mut [Lanes]) {
    for row in block {
        *row = row.map(|x| -x);
    }
}

/// out[j] −= Σ_k rows[k] · columns[k][tile + j].
#[inline(always)]
pub(super) fn reduce(rows: &[Lanes], columns: &[Lanes], tile: usize, out: &mut [Lanes]) {
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

/// Factors the 8×8 block at the diagonal; `false` if it is not positive definite.
#[inline(always)]
fn triangle(block: &mut [Lanes]) -> bool {
    for j in 0..LANES {
        for k in 0..j {
            let l = block[k][j];
            for i in j..LANES {
                block[j][i] -= block[k][i] * l;
            }
        }
        let pivot = block[j][j];
        // A NaN is not positive either.
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

/// Rows below a diagonal block: here ← here · diagonal⁻ᵀ.
#[inline(always)]
fn under(diagonal: &[Lanes], here: &mut [Lanes]) {
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

/// X = L⁻¹ in panels of eight columns, from the top: eight rows less what the rows above explain, then solved with
/// their triangle.
struct Inverse<'a> {
    factor: &'a Cholesky,
    /// inverse[t·width + k][j] = X[k][8t+j].
    inverse: &'a mut [Lanes],
}

impl Kernel for Inverse<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let width = self.factor.width;
        for (t, panel) in self.inverse.chunks_exact_mut(width).enumerate() {
            // X is lower triangular: nothing above the panel's own rows.
            let top = t * LANES;
            for first in (top..width).step_by(LANES) {
                let strip = &self.factor.strips[first / LANES * width..][..width];
                let (above, own) = panel.split_at_mut(first);
                let mut out = [[0.0; LANES]; LANES];
                if first == top {
                    for (j, out) in out.iter_mut().enumerate() {
                        out[j] = 1.0;
                    }
                }
                for tile in (0..LANES).step_by(TILE) {
                    reduce(&strip[top..first], &above[top..], tile, &mut out[tile..tile + TILE]);
                }
                let triangle = &strip[first..first + LANES];
                for column in &mut out {
                    for k in 0..LANES {
                        column[k] /= triangle[k][k];
                        let x = column[k];
                        for i in k + 1..LANES {
                            column[i] -= triangle[k][i] * x;
                        }
                    }
                }
                for (i, row) in own[..LANES].iter_mut().enumerate() {
                    *row = std::array::from_fn(|j| out[j][i]);
                }
            }
        }
    }
}

/// A⁻¹ = Xᵀ J X from the panels of X = L⁻¹, in blocks of 8×8.
struct Gram<'a> {
    factor: &'a Cholesky,
    panels: &'a [Lanes],
    whole: &'a mut [f64],
}

impl Kernel for Gram<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { factor: Cholesky { n, width, positive, .. }, panels, whole } = self;
        let (n, width) = (*n, *width);
        let panel = |t: usize, top: usize| &panels[t * width + top..(t + 1) * width];
        for t in 0..width / LANES {
            for u in 0..=t {
                // X is lower triangular: the later panel is 0 above its own rows.
                let (rows, columns) = (panel(t, t * LANES), panel(u, t * LANES));
                let mut out = [[0.0; LANES]; LANES];
                let split = positive.saturating_sub(t * LANES);
                for tile in (0..LANES).step_by(TILE) {
                    reduce(&rows[..split], &columns[..split], tile, &mut out[tile..tile + TILE]);
                }
                if split < rows.len() {
                    negate(&mut out);
                    for tile in (0..LANES).step_by(TILE) {
                        reduce(&rows[split..], &columns[split..], tile, &mut out[tile..tile + TILE]);
                    }
                    negate(&mut out);
                }
                for (j, column) in out.iter().enumerate() {
                    for (i, x) in column.iter().enumerate() {
                        let (i, j) = (t * LANES + i, u * LANES + j);
                        if i < n && j < n {
                            whole[i * n + j] = -x;
                            whole[j * n + i] = -x;
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A = G Gᵀ + I/2 of an arbitrary G.
    fn matrix(n: usize) -> Vec<Vec<f64>> {
        let g: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| ((i * 7 + j * 13) % 11) as f64 / 11.0 - 0.4).collect()).collect();
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        (0..n)
            .map(|i| (0..n).map(|j| dot(&g[i], &g[j]) + f64::from(u8::from(i == j)) * 0.5).collect())
            .collect()
    }

    #[test]
    fn it_is_a_factor_an_inverse_and_a_determinant() {
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

    #[test]
    fn what_is_not_positive_definite_has_no_factor() {
        assert!(Cholesky::new(2, |i, j| if i == j { 1.0 } else { 2.0 }).is_none());
        assert!(Cholesky::new(1, |_, _| f64::NAN).is_none());
        assert!(Cholesky::new(3, |_, _| 0.0).is_none());
    }
}
