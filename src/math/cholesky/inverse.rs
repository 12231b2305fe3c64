//! Inverse of a factored matrix, and its diagonal.

use crate::lanes::each;
use std::ops::Range;

use super::super::Budget;
use super::super::lanes::{LANES, Lanes, SimdKernel, dispatch_simd};
use super::{Cholesky, TILE, negate, reduce};

impl Cholesky {
    /// Returns L⁻¹ in panels of eight columns: row k of panel t at t·width + k.
    fn inverse_panels(&self) -> Vec<Lanes> {
        let mut inverse = vec![[0.0; LANES]; self.strips.len()];
        for (t, panel) in inverse.chunks_exact_mut(self.width).enumerate() {
            dispatch_simd(InverseKernel { factor: self, t, rows: t * LANES..self.width, panel });
        }
        inverse
    }

    /// Returns the diagonal of A⁻¹ = L⁻ᵀ J L⁻¹, n: signed squared column norms of L⁻¹.
    pub fn inverse_diagonal(&self) -> Vec<f64> {
        let mut diagonal = InverseDiagonal::default();
        diagonal.advance(self, &mut Budget::new(u64::MAX));
        diagonal.sums
    }

    /// Returns A⁻¹, n×n, row by row.
    pub fn inverse(&self) -> Vec<f64> {
        let (panels, mut whole) = (self.inverse_panels(), vec![0.0; self.n * self.n]);
        dispatch_simd(GramKernel { factor: self, panels: &panels, whole: &mut whole });
        whole
    }
}

/// Adds `sign` times the squares of a row to `sum`.
fn add(sum: Lanes, row: &Lanes, sign: f64) -> Lanes {
    each(|j| sum[j] + sign * row[j] * row[j])
}

/// The computation of the diagonal of an inverse, which can be paused.
#[derive(Clone, Debug, Default)]
pub(crate) struct InverseDiagonal {
    /// Completed elements of the diagonal; n at the end.
    pub sums: Vec<f64>,
    /// Current panel of L⁻¹, and the number of its completed rows.
    panel: Vec<Lanes>,
    rows: usize,
}

impl InverseDiagonal {
    /// Continues until the budget is spent. Returns true when the diagonal is complete.
    pub fn advance(&mut self, factor: &Cholesky, budget: &mut Budget) -> bool {
        let width = factor.width;
        self.panel.resize(width, [0.0; LANES]);
        while self.sums.len() < factor.n {
            let t = self.sums.len() / LANES;
            let top = t * LANES;
            let from = self.rows.max(top);
            // The last strip of a panel is the longest.
            let longest = (LANES * LANES * (width - top)) as u64;
            let strips = usize::try_from(budget.left() / longest).unwrap_or(usize::MAX);
            let to = from + LANES * strips.clamp(1, (width - from) / LANES);
            let strips_to = |row: usize| ((row - top) / LANES * ((row - top) / LANES + 1) / 2) as u64;
            let work = (LANES * LANES * LANES) as u64 * (strips_to(to) - strips_to(from));
            dispatch_simd(InverseKernel { factor, t, rows: from..to, panel: &mut self.panel });
            self.rows = to;
            if to == width {
                let (plus, minus) = self.panel.split_at(factor.positive.max(top));
                let sum = plus[top..].iter().fold([0.0; LANES], |sum, row| add(sum, row, 1.0));
                self.sums.extend(minus.iter().fold(sum, |sum, row| add(sum, row, -1.0)));
                self.rows = 0;
            }
            let done = self.sums.len() >= factor.n;
            if !budget.spend(work) && !done {
                return false;
            }
        }
        self.sums.truncate(factor.n);
        true
    }
}

/// Kernel for `rows`, in whole strips, of panel t of X = L⁻¹: subtracts the product of earlier rows, then solves with the triangle.
struct InverseKernel<'a> {
    factor: &'a Cholesky,
    t: usize,
    rows: Range<usize>,
    /// panel[k][j] = X[k][8t+j].
    panel: &'a mut [Lanes],
}

impl SimdKernel for InverseKernel<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { factor, t, rows, panel } = self;
        let width = factor.width;
        // X is lower triangular: the panel starts at its row on the diagonal.
        let top = t * LANES;
        for first in rows.step_by(LANES) {
            let strip = &factor.strips[first / LANES * width..][..width];
            let (above, current) = panel.split_at_mut(first);
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
            for (i, row) in current[..LANES].iter_mut().enumerate() {
                *row = each(|j| out[j][i]);
            }
        }
    }
}

/// Kernel for A⁻¹ = Xᵀ J X from the panels of X = L⁻¹, in blocks of 8×8.
struct GramKernel<'a> {
    factor: &'a Cholesky,
    panels: &'a [Lanes],
    whole: &'a mut [f64],
}

impl SimdKernel for GramKernel<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { factor: Cholesky { n, width, positive, .. }, panels, whole } = self;
        let (n, width) = (*n, *width);
        let panel = |t: usize, top: usize| &panels[t * width + top..(t + 1) * width];
        for t in 0..width / LANES {
            for u in 0..=t {
                // X is lower triangular: the later panel is 0 above its row on the diagonal.
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
