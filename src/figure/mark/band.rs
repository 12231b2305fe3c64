//! Area between a lower and an upper curve, such as one standard deviation around a mean.

use serde::{Deserialize, Serialize};

use super::{Datum, Hue, MarkInfo};
use crate::all_finite;

/// Intervals of ordinates at increasing abscissae.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Band {
    /// Key, label and colour.
    pub info: MarkInfo,
    /// Intervals in order of x. The area is empty between two intervals of width 0.
    pub intervals: Vec<Interval>,
    /// Opacity of the area.
    pub opacity: f64,
    /// True if it is hatched.
    pub hatched: bool,
    /// True if its bounds are drawn as lines.
    pub outlined: bool,
}

/// Interval from `lower` to `upper` at `x`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Interval {
    pub x: f64,
    pub lower: f64,
    pub upper: f64,
}

impl Interval {
    pub(super) fn is_finite(&self) -> bool {
        all_finite([self.x, self.lower, self.upper])
    }
}

impl Band {
    /// Returns a band through the finite ones of these intervals, sorted by x.
    pub fn new(
        key: impl Into<String>,
        label: impl Into<String>,
        hue: Hue,
        intervals: impl IntoIterator<Item = Interval>,
    ) -> Self {
        let mut intervals: Vec<Interval> = intervals.into_iter().filter(Interval::is_finite).collect();
        intervals.sort_by(|a, b| a.x.total_cmp(&b.x));
        Self {
            info: MarkInfo::new(key, label, hue),
            intervals,
            opacity: 0.2,
            hatched: false,
            outlined: false,
        }
    }

    /// Sets the opacity of the area.
    #[must_use]
    pub fn opacity(mut self, opacity: f64) -> Self {
        self.opacity = opacity.clamp(0.0, 1.0);
        self
    }

    /// Hatches the area.
    #[must_use]
    pub fn hatched(mut self) -> Self {
        self.hatched = true;
        self
    }

    /// Draws the bounds as lines over a fainter area, so that bands that overlap can be told apart.
    #[must_use]
    pub fn outlined(self) -> Self {
        Self { outlined: true, ..self.opacity(0.08) }
    }

    /// Returns true if this band contains most of another one.
    pub fn contains(&self, other: &Self) -> bool {
        let ours = |x: f64| {
            let at = self.intervals.binary_search_by(|interval| interval.x.total_cmp(&x)).ok()?;
            Some(self.intervals[at])
        };
        let within = |theirs: &&Interval| {
            ours(theirs.x).is_some_and(|ours| ours.lower <= theirs.lower && theirs.upper <= ours.upper)
        };
        2 * other.intervals.iter().filter(within).count() > other.intervals.len()
    }

    pub(super) fn len(&self) -> usize {
        self.intervals.len()
    }

    pub(super) fn datum(&self, index: usize) -> Datum<'_> {
        let Interval { x, lower, upper } = self.intervals[index];
        Datum::new(x, 0.5 * (lower + upper)).with("lower", lower).with("upper", upper)
    }
}
