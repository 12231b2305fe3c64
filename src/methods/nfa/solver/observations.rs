//! The measurements, in the blocks that the passes read.

use super::blocks::Blocks;

/// T samples of m channels, some cells of which may be missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Observations {
    samples: usize,
    channels: usize,
    /// x_k(t); 0 where it is missing.
    pub(super) x: Blocks,
    /// 1 where x_k(t) is there, 0 where it is missing or beyond the last sample.
    pub(super) seen: Blocks,
    /// The samples that a channel is missing in.
    missing: Vec<Vec<usize>>,
}

impl Observations {
    /// From rows of equal length; what is not finite is missing.
    ///
    /// # Panics
    /// If the rows are of different lengths.
    pub fn new(rows: &[Vec<f64>]) -> Self {
        let (samples, channels) = (rows.len(), rows.first().map_or(0, Vec::len));
        let (mut x, mut seen) = (Blocks::new(samples, channels, 0.0), Blocks::new(samples, channels, 0.0));
        let mut missing = vec![Vec::new(); channels];
        for (t, row) in rows.iter().enumerate() {
            assert_eq!(row.len(), channels, "every sample has the same channels");
            for (k, value) in row.iter().enumerate() {
                if value.is_finite() {
                    x.set(t, k, *value);
                    seen.set(t, k, 1.0);
                } else {
                    missing[k].push(t);
                }
            }
        }
        Self { samples, channels, x, seen, missing }
    }

    /// T.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// m.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// In how many samples channel `k` was measured.
    pub fn count(&self, k: usize) -> usize {
        self.samples - self.missing[k].len()
    }

    /// The samples in which channel `k` is missing.
    pub fn missing(&self, k: usize) -> &[usize] {
        &self.missing[k]
    }

    /// x_k(t), where it was measured.
    pub fn get(&self, t: usize, k: usize) -> Option<f64> {
        (self.seen.at(t, k) > 0.0).then(|| self.x.at(t, k))
    }
}
