//! Straight pieces of line: guides, thresholds, differences between two places.

use serde::{Deserialize, Serialize};

use super::{Datum, Entry, Hue, Stroke};

/// Pieces of line that are not joined, each from one place to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Segments {
    /// Key, label and colour.
    pub entry: Entry,
    /// How they are drawn.
    pub stroke: Stroke,
    /// Both ends of each.
    pub segments: Vec<[(f64, f64); 2]>,
}

impl Segments {
    /// These pieces; those that are not finite are left out.
    pub fn new(
        key: impl Into<String>,
        label: impl Into<String>,
        hue: Hue,
        stroke: Stroke,
        segments: impl IntoIterator<Item = [(f64, f64); 2]>,
    ) -> Self {
        let finite = |ends: &[(f64, f64); 2]| ends.iter().all(|(x, y)| x.is_finite() && y.is_finite());
        let segments = segments.into_iter().filter(finite).collect();
        Self { entry: Entry::new(key, label, hue), stroke, segments }
    }

    /// Each end is a datum.
    pub(super) fn len(&self) -> usize {
        2 * self.segments.len()
    }

    pub(super) fn datum(&self, index: usize) -> Datum<'_> {
        let (x, y) = self.segments[index / 2][index % 2];
        Datum::new(x, y)
    }
}
