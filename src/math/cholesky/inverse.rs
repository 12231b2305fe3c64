//! Inverse of a factored matrix, and its diagonal.

use crate::lanes::each;
use std::ops::Range;

use super::super::Budget;
use super::super::lanes::{LANES, Lanes, SimdKernel, dispatch_simd};
use super::{Cholesky, negate, reduce};

impl Cholesky {
    /// Returns the diagonal of A⁻¹ = L⁻ᵀ J L⁻¹, n: signed squared column norms of L⁻¹.
    pub fn inverse_diagonal(&self) -> Vec<f64> {
        let mut diagonal = InverseDiagonal::default();
        diagonal.advance(self, &mut Budget::new(u64::MAX));
        diagonal.sums
    }

    /// Returns A⁻¹, n×n, row by row.
    pub fn inverse(&self) -> Vec<f64> {
        let mut inversion = Inversion::default();
        inversion.advance(self, &mut Budget::new(u64::MAX));
        inversion.whole
    }

    /// Returns L⁻¹ B for eight columns B, n×8.
    ///
    /// # Panics
    /// If `block` does not have n rows.
    pub fn solve_lower_block(&self, mut block: Vec<Lanes>) -> Vec<Lanes> {
        assert_eq!(block.len(), self.n, "the block has one row per row of A");
        block.resize(self.width, [0.0; LANES]);
        dispatch_simd(LowerKernel { factor: self, top: 0, rows: 0..self.width, panel: &mut block });
        block.truncate(self.n);
        block
    }
}

/// The computation of an inverse, which can be paused. Pauses do not change the bits of the result.
#[derive(Clone, Debug, Default)]
pub struct Inversion {
    /// L⁻¹ in panels of eight columns: row k of panel t at t·width + k.
    panels: Vec<Lanes>,
    /// Number of completed panels, and of completed strips of the inverse.
    done: (usize, usize),
    /// The inverse, n×n, row by row.
    whole: Vec<f64>,
}

impl Inversion {
    /// Continues until the budget is spent. Returns true when the inverse is complete. `factor` must be the same in each call.
    pub fn advance(&mut self, factor: &Cholesky, budget: &mut Budget) -> bool {
        let (width, count) = (factor.width, factor.width / LANES);
        self.panels.resize(factor.strips.len(), [0.0; LANES]);
        self.whole.resize(factor.n * factor.n, 0.0);
        while self.done.1 < count {
            let t = self.done.0.min(count - 1);
            let work = if self.done.0 < count {
                let panel = &mut self.panels[t * width..][..width];
                set_unit(panel, t);
                dispatch_simd(LowerKernel { factor, top: t * LANES, rows: t * LANES..width, panel });
                self.done.0 += 1;
                LANES * (width - t * LANES) * (width - t * LANES) / 2
            } else {
                let t = self.done.1;
                dispatch_simd(GramKernel { factor, t, panels: &self.panels, whole: &mut self.whole });
                self.done.1 += 1;
                LANES * LANES * (t + 1) * (width - t * LANES)
            };
            if !budget.spend(work as u64) && self.done.1 < count {
                return false;
            }
        }
        self.panels = Vec::new();
        true
    }

    /// Returns the inverse, n×n, row by row.
    pub fn into_inverse(self) -> Vec<f64> {
        self.whole
    }
}

/// Sets panel `t` of L⁻¹ to columns of the identity.
fn set_unit(panel: &mut [Lanes], t: usize) {
    panel.fill([0.0; LANES]);
    for j in 0..LANES {
        panel[t * LANES + j][j] = 1.0;
    }
}

/// Adds `sign` times the squares of a row to `sum`.
fn add(sum: Lanes, row: &Lanes, sign: f64) -> Lanes {
    each(|j| sum[j] + sign * row[j] * row[j])
}

/// The computation of the diagonal of an inverse, which can be paused.
#[derive(Clone, Debug, Default)]
pub struct InverseDiagonal {
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
            if from == top {
                set_unit(&mut self.panel, t);
            }
            dispatch_simd(LowerKernel { factor, top, rows: from..to, panel: &mut self.panel });
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

/// Kernel for `rows`, in whole strips, of X = L⁻¹ B for eight columns B: subtracts the product of earlier rows, then solves with the triangle.
struct LowerKernel<'a> {
    factor: &'a Cholesky,
    /// First row of B that is not 0, at the beginning of a strip.
    top: usize,
    rows: Range<usize>,
    /// Rows of X up to `rows`, then rows of B.
    panel: &'a mut [Lanes],
}

impl SimdKernel for LowerKernel<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { factor, top, rows, panel } = self;
        let width = factor.width;
        for first in rows.step_by(LANES) {
            let strip = &factor.strips[first / LANES * width..][..width];
            let (above, current) = panel.split_at_mut(first);
            let mut out: [Lanes; LANES] = each(|j| each(|i| current[i][j]));
            reduce(&strip[top..first], &above[top..], &mut out);
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

/// Kernel for strip t of the lower triangle of A⁻¹ = Xᵀ J X from the panels of X = L⁻¹, in blocks of 8×8, and its transpose.
struct GramKernel<'a> {
    factor: &'a Cholesky,
    t: usize,
    panels: &'a [Lanes],
    whole: &'a mut [f64],
}

impl SimdKernel for GramKernel<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { factor: Cholesky { n, width, positive, .. }, t, panels, whole } = self;
        let (n, width) = (*n, *width);
        let panel = |t: usize, top: usize| &panels[t * width + top..(t + 1) * width];
        for u in 0..=t {
            // X is lower triangular: the later panel is 0 above its row on the diagonal.
            let (rows, columns) = (panel(t, t * LANES), panel(u, t * LANES));
            let mut out = [[0.0; LANES]; LANES];
            let split = positive.saturating_sub(t * LANES);
            reduce(&rows[..split], &columns[..split], &mut out);
            if split < rows.len() {
                negate(&mut out);
                reduce(&rows[split..], &columns[split..], &mut out);
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
