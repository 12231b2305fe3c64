//! Inputs and targets, stored in blocks of eight examples.

use crate::math::lanes::{LANES, Lanes};

/// Examples in blocks of eight lanes; the lanes beyond the last example have weight 0.
#[derive(Clone, Debug)]
pub struct ExampleBlocks {
    width: usize,
    count: usize,
    /// Inputs: `blocks[b·width + c][i]` is input c of example 8b + i.
    blocks: Vec<Lanes>,
    /// Targets, one element per block.
    targets: Vec<Lanes>,
    /// 1 for an example, 0 beyond the last one.
    present: Vec<Lanes>,
}

impl ExampleBlocks {
    /// Creates examples from inputs `rows` (N×`width`, row by row, including the bias) and `targets` (N).
    ///
    /// # Panics
    /// If `rows` is not `width` times as long as `targets`, or `width` is 0.
    pub fn new(rows: &[f64], width: usize, targets: &[f64]) -> Self {
        assert!(width > 0 && rows.len() == width * targets.len(), "one row of inputs per target is needed");
        let count = targets.len();
        let block_count = count.div_ceil(LANES);
        let mut blocks = vec![[0.0; LANES]; block_count * width];
        let (mut padded, mut present) = (vec![[0.0; LANES]; block_count], vec![[0.0; LANES]; block_count]);
        for (n, (row, t)) in rows.chunks_exact(width).zip(targets).enumerate() {
            let (b, i) = (n / LANES, n % LANES);
            for (c, x) in row.iter().enumerate() {
                blocks[b * width + c][i] = *x;
            }
            (padded[b][i], present[b][i]) = (*t, 1.0);
        }
        Self { width, count, blocks, targets: padded, present }
    }

    /// Creates examples without targets, for predictions.
    pub fn unlabelled(rows: &[f64], width: usize) -> Self {
        Self::new(rows, width, &vec![0.0; rows.len() / width.max(1)])
    }

    /// Returns the number of inputs d.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of examples N.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Iterates over blocks of eight examples: inputs (d), targets, weights.
    #[inline(always)]
    pub(super) fn blocks(&self) -> impl Iterator<Item = (&[Lanes], &Lanes, &Lanes)> {
        let inputs = self.blocks.chunks_exact(self.width);
        inputs.zip(self.targets.iter().zip(&self.present)).map(|(x, (t, present))| (x, t, present))
    }

    /// Returns the target of example `n`.
    pub fn target(&self, n: usize) -> f64 {
        self.targets[n / LANES][n % LANES]
    }

    /// Iterates over the inputs of example `n`.
    pub fn row(&self, n: usize) -> impl Iterator<Item = f64> {
        let block = &self.blocks[n / LANES * self.width..][..self.width];
        block.iter().map(move |x| x[n % LANES])
    }
}
