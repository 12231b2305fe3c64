//! Line segments: guides, thresholds, differences between two points.

use serde::{Deserialize, Serialize};

use super::{Datum, Hue, MarkInfo, Stroke};
use crate::all_finite;

/// Line segments that are not joined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Segments {
    /// Key, label and colour.
    pub info: MarkInfo,
    /// Line style.
    pub stroke: Stroke,
    /// Ends of each segment.
    pub segments: Vec<[(f64, f64); 2]>,
}

/// Returns true if both ends are finite.
pub(super) fn is_finite([a, b]: &[(f64, f64); 2]) -> bool {
    all_finite([a.0, a.1, b.0, b.1])
}

impl Segments {
    /// Returns the finite ones of these segments.
    pub fn new(
        key: impl Into<String>,
        label: impl Into<String>,
        hue: Hue,
        stroke: Stroke,
        segments: impl IntoIterator<Item = [(f64, f64); 2]>,
    ) -> Self {
        let segments = segments.into_iter().filter(is_finite).collect();
        Self { info: MarkInfo::new(key, label, hue), stroke, segments }
    }

    /// Returns the number of ends: each is a datum.
    pub(super) fn len(&self) -> usize {
        2 * self.segments.len()
    }

    pub(super) fn datum(&self, index: usize) -> Datum<'_> {
        let (x, y) = self.segments[index / 2][index % 2];
        Datum::new(x, y)
    }
}
