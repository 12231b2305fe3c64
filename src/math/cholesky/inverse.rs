//! The inverse of a factored matrix, and its diagonal alone.

use crate::lanes::each;
use std::ops::Range;

use super::super::Budget;
use super::super::lanes::{LANES, Lanes, SimdKernel, dispatch_simd};
use super::{Cholesky, TILE, negate, reduce};

impl Cholesky {
    /// L⁻¹ in panels of eight columns: element k·8-wide row of panel t at t·width + k.
    fn inverse_panels(&self) -> Vec<Lanes> {
        let mut inverse = vec![[0.0; LANES]; self.strips.len()];
        for (t, panel) in inverse.chunks_exact_mut(self.width).enumerate() {
            dispatch_simd(Inverse { factor: self, t, rows: t * LANES..self.width, panel });
        }
        inverse
    }

    /// The diagonal of A⁻¹ = L⁻ᵀ J L⁻¹: squared column norms of L⁻¹.
    pub fn inverse_diagonal(&self) -> Vec<f64> {
        let mut diagonal = InverseDiagonal::default();
        // Without an end to the work it is not interrupted.
        diagonal.advance(self, &mut Budget::new(u64::MAX));
        diagonal.sums
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
    each(|j| sum[j] + sign * row[j] * row[j])
}

/// The diagonal of the inverse of a factored matrix, in pieces of work like a factorisation.
#[derive(Clone, Debug, Default)]
pub(crate) struct InverseDiagonal {
    /// As far as it is known; in the end n.
    pub sums: Vec<f64>,
    /// The panel of L⁻¹ that is next, and its rows that are known.
    panel: Vec<Lanes>,
    rows: usize,
}

impl InverseDiagonal {
    /// Works until it is done or the budget is spent; whether it is done.
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
            dispatch_simd(Inverse { factor, t, rows: from..to, panel: &mut self.panel });
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

/// Panel t of X = L⁻¹, eight columns of it, from the top: eight rows less what the rows above explain, then solved with their
/// triangle. Those of its rows are next, whole strips.
struct Inverse<'a> {
    factor: &'a Cholesky,
    t: usize,
    rows: Range<usize>,
    /// panel[k][j] = X[k][8t+j].
    panel: &'a mut [Lanes],
}

impl SimdKernel for Inverse<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { factor, t, rows, panel } = self;
        let width = factor.width;
        // X is lower triangular: nothing above the panel's own rows.
        let top = t * LANES;
        for first in rows.step_by(LANES) {
            let strip = &factor.strips[first / LANES * width..][..width];
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
                *row = each(|j| out[j][i]);
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

impl SimdKernel for Gram<'_> {
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
