//! The measurements, in blocks of samples.

use super::blocks::Blocks;

/// T samples of m channels; cells may be missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Observations {
    samples: usize,
    channels: usize,
    /// x_k(t); 0 if missing.
    pub(super) x: Blocks,
    /// 1 if x_k(t) is observed, 0 if it is missing or padding.
    pub(super) observed: Blocks,
    /// For each channel, the samples in which it is missing.
    missing: Vec<Vec<usize>>,
}

impl Observations {
    /// Creates observations from T rows of m values; values that are not finite are missing.
    ///
    /// # Panics
    /// If the rows are of different lengths.
    pub fn new(rows: &[Vec<f64>]) -> Self {
        let (samples, channels) = (rows.len(), rows.first().map_or(0, Vec::len));
        let (mut x, mut observed) =
            (Blocks::new(samples, channels, 0.0), Blocks::new(samples, channels, 0.0));
        let mut missing = vec![Vec::new(); channels];
        for (t, row) in rows.iter().enumerate() {
            assert_eq!(row.len(), channels, "every sample has the same channels");
            for (k, value) in row.iter().enumerate() {
                if value.is_finite() {
                    x.set(t, k, *value);
                    observed.set(t, k, 1.0);
                } else {
                    missing[k].push(t);
                }
            }
        }
        Self { samples, channels, x, observed, missing }
    }

    /// Returns the number of samples, T.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Returns the number of channels, m.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Returns the number of samples in which channel k is observed.
    pub fn count(&self, k: usize) -> usize {
        self.samples - self.missing[k].len()
    }

    /// Returns the samples in which channel k is missing.
    pub fn missing(&self, k: usize) -> &[usize] {
        &self.missing[k]
    }

    /// Returns x_k(t), or `None` if it is missing.
    pub fn get(&self, t: usize, k: usize) -> Option<f64> {
        (self.observed.at(t, k) > 0.0).then(|| self.x.at(t, k))
    }
}
