//! The area between a lower and an upper curve, such as one standard deviation around a mean.

use serde::{Deserialize, Serialize};

use super::{Datum, Entry, Hue};

/// An interval of ordinates at each of some abscissae.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Band {
    /// Key, label and colour.
    pub entry: Entry,
    /// In order of x.
    pub intervals: Vec<Interval>,
}

/// From `lower` to `upper` at `x`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Interval {
    pub x: f64,
    pub lower: f64,
    pub upper: f64,
}

impl Band {
    /// A band through these intervals, put in order of x; those that are not finite are left out.
    pub fn new(
        key: impl Into<String>,
        label: impl Into<String>,
        hue: Hue,
        intervals: impl IntoIterator<Item = Interval>,
    ) -> Self {
        let mut sorted: Vec<Interval> = Vec::new();
        for i in intervals {
            if [i.x, i.lower, i.upper].iter().all(|v| v.is_finite()) {
                sorted.insert(sorted.partition_point(|before| before.x <= i.x), i);
            }
        }
        Self { entry: Entry::new(key, label, hue), intervals: sorted }
    }

    pub(super) fn len(&self) -> usize {
        self.intervals.len()
    }

    pub(super) fn datum(&self, index: usize) -> Datum<'_> {
        let Interval { x, lower, upper } = self.intervals[index];
        Datum::new(x, 0.5 * (lower + upper)).with("lower", lower).with("upper", upper)
    }
}
