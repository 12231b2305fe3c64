//! Inputs and targets, eight examples side by side.

use crate::math::lanes::{LANES, Lanes};

/// Examples with their targets; those beyond the last have no weight.
#[derive(Clone, Debug)]
pub struct Examples {
    width: usize,
    count: usize,
    /// blocks[b·width + c][i]: input c of example 8b + i.
    blocks: Vec<Lanes>,
    /// One each block: the targets, and 1 for an example, 0 beyond the last.
    targets: Vec<Lanes>,
    present: Vec<Lanes>,
}

impl Examples {
    /// Examples with inputs `rows`, `width` numbers each, the bias among them if the network has one.
    ///
    /// # Panics
    /// If the lengths do not agree.
    pub fn new(rows: &[f64], width: usize, targets: &[f64]) -> Self {
        assert!(width > 0 && rows.len() == width * targets.len(), "a row of inputs for each target");
        let count = targets.len();
        let number = count.div_ceil(LANES);
        let mut blocks = vec![[0.0; LANES]; number * width];
        let (mut wanted, mut present) = (vec![[0.0; LANES]; number], vec![[0.0; LANES]; number]);
        for (n, (row, t)) in rows.chunks_exact(width).zip(targets).enumerate() {
            let (b, i) = (n / LANES, n % LANES);
            for (c, x) in row.iter().enumerate() {
                blocks[b * width + c][i] = *x;
            }
            (wanted[b][i], present[b][i]) = (*t, 1.0);
        }
        Self { width, count, blocks, targets: wanted, present }
    }

    /// Inputs only, to predict at.
    pub fn unlabelled(rows: &[f64], width: usize) -> Self {
        Self::new(rows, width, &vec![0.0; rows.len() / width.max(1)])
    }

    /// Numbers a row, d.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Examples, N.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Blocks of eight: inputs, targets, presence.
    #[inline(always)]
    pub(super) fn blocks(&self) -> impl Iterator<Item = (&[Lanes], &Lanes, &Lanes)> {
        let inputs = self.blocks.chunks_exact(self.width);
        inputs.zip(self.targets.iter().zip(&self.present)).map(|(x, (t, present))| (x, t, present))
    }

    /// Target of example `n`.
    pub fn target(&self, n: usize) -> f64 {
        self.targets[n / LANES][n % LANES]
    }

    /// Inputs of example `n`, in order.
    pub fn row(&self, n: usize) -> impl Iterator<Item = f64> {
        let block = &self.blocks[n / LANES * self.width..][..self.width];
        block.iter().map(move |x| x[n % LANES])
    }
}
