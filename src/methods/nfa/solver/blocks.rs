//! Values of all samples in blocks of eight, one sample per lane, and matrix products with them.

use crate::math::lanes::{LANES, Lanes, each};

/// A table of `width` numbers per sample. Sample t is lane t mod 8 of block ⌊t/8⌋; lanes beyond the last sample are padding.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blocks {
    width: usize,
    lanes: Vec<Lanes>,
}

impl Blocks {
    /// Creates a table filled with `fill`.
    pub fn new(samples: usize, width: usize, fill: f64) -> Self {
        Self { width, lanes: vec![[fill; LANES]; samples.div_ceil(LANES) * width] }
    }

    /// Returns the number of values per sample.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns all lanes, block by block.
    pub fn lanes(&self) -> &[Lanes] {
        &self.lanes
    }

    /// Returns all lanes, block by block, for writing.
    pub fn lanes_mut(&mut self) -> &mut [Lanes] {
        &mut self.lanes
    }

    /// Returns the values of block `b`: eight samples.
    #[inline(always)]
    pub fn block(&self, b: usize) -> &[Lanes] {
        &self.lanes[b * self.width..][..self.width]
    }

    /// Returns the values of block `b` for writing.
    #[inline(always)]
    pub fn block_mut(&mut self, b: usize) -> &mut [Lanes] {
        &mut self.lanes[b * self.width..][..self.width]
    }

    /// Returns value r of sample t.
    pub fn at(&self, t: usize, r: usize) -> f64 {
        self.lanes[t / LANES * self.width + r][t % LANES]
    }

    /// Sets value r of sample t.
    pub fn set(&mut self, t: usize, r: usize, to: f64) {
        self.lanes[t / LANES * self.width + r][t % LANES] = to;
    }

    /// Returns the values of sample t.
    pub fn sample(&self, t: usize) -> Vec<f64> {
        (0..self.width).map(|r| self.at(t, r)).collect()
    }
}

/// Returns 1 in the lanes of block `b` that hold one of `samples` samples, 0 in padding.
pub fn lane_mask(b: usize, samples: usize) -> Lanes {
    each(|lane| f64::from(u8::from(b * LANES + lane < samples)))
}

/// Multiplies a matrix of numbers by one of lanes: out[r·columns + c] = Σ_q w[q·rows + r] x[q·columns + c].
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub fn multiply(w: &[f64], rows: usize, x: &[Lanes], columns: usize, out: &mut [Lanes]) {
    let mut row = 0;
    // With the narrow vectors of WebAssembly only two rows of sums fit into registers.
    while !cfg!(target_arch = "wasm32") && row + 4 <= rows {
        tile::<4>(w, rows, row, x, columns, out);
        row += 4;
    }
    while row + 2 <= rows {
        tile::<2>(w, rows, row, x, columns, out);
        row += 2;
    }
    if row < rows {
        tile::<1>(w, rows, row, x, columns, out);
    }
}

/// Computes `R` rows of [`multiply`], starting at `row`, with all sums in registers.
#[inline(always)]
fn tile<const R: usize>(w: &[f64], rows: usize, row: usize, x: &[Lanes], columns: usize, out: &mut [Lanes]) {
    let terms = x.len() / columns;
    for c in 0..columns {
        let mut sums = [[0.0; LANES]; R];
        let (mut w_at, mut x_at) = (row, c);
        for _ in 0..terms {
            let (w, x) = (&w[w_at..][..R], &x[x_at]);
            for r in 0..R {
                for lane in 0..LANES {
                    sums[r][lane] += w[r] * x[lane];
                }
            }
            w_at += rows;
            x_at += columns;
        }
        for r in 0..R {
            out[(row + r) * columns + c] = sums[r];
        }
    }
}

/// Returns a + b.
#[inline(always)]
pub fn add(a: &Lanes, b: &Lanes) -> Lanes {
    each(|l| a[l] + b[l])
}

/// Returns a · b.
#[inline(always)]
pub fn times(a: &Lanes, b: &Lanes) -> Lanes {
    each(|l| a[l] * b[l])
}

/// Transposes a row-major matrix with `columns` columns.
pub fn transposed(matrix: &[f64], columns: usize) -> Vec<f64> {
    let rows = matrix.len() / columns.max(1);
    (0..columns).flat_map(|c| (0..rows).map(move |r| matrix[r * columns + c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiply_agrees_with_a_triple_loop() {
        for (rows, inner, columns) in [(1, 1, 1), (3, 5, 2), (7, 4, 3), (8, 9, 1)] {
            let w: Vec<f64> = (0..inner * rows).map(|i| ((i * 7) % 5) as f64 - 2.0).collect();
            let x: Vec<Lanes> =
                (0..inner * columns).map(|i| std::array::from_fn(|l| (i + 3 * l) as f64 % 4.0)).collect();
            let mut out = vec![[f64::NAN; LANES]; rows * columns];
            multiply(&w, rows, &x, columns, &mut out);
            for (i, out) in out.iter().enumerate() {
                let (r, c) = (i / columns, i % columns);
                for lane in 0..LANES {
                    let sum: f64 = (0..inner).map(|q| w[q * rows + r] * x[q * columns + c][lane]).sum();
                    assert_eq!(out[lane], sum);
                }
            }
        }
        assert_eq!(transposed(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 3), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    }
}
