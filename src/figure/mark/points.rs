//! Single points with their own sizes and labels.

use serde::{Deserialize, Serialize};

use super::{Datum, Entry, Hue, Marker, Point};

/// Points in any order, each with a size and perhaps a label, which a reader sees when pointing at it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Points {
    /// Key, label and colour.
    pub entry: Entry,
    /// The sign at each point.
    pub marker: Marker,
    /// The points.
    pub dots: Vec<Dot>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dot {
    /// Where it is, and the standard error of its ordinate.
    pub point: Point,
    /// Radius relative to that of an ordinary marker.
    pub size: f64,
    /// What it is; empty for nothing.
    pub label: String,
}

impl Dot {
    /// A point of ordinary size with a label.
    pub fn new(point: Point, label: impl Into<String>) -> Self {
        Self { point, size: 1.0, label: label.into() }
    }

    /// The same point of another size: its radius relative to an ordinary marker's.
    #[must_use]
    pub fn size(mut self, size: f64) -> Self {
        self.size = if size.is_finite() { size.clamp(0.3, 5.0) } else { 1.0 };
        self
    }
}

impl Points {
    /// These points; those that are not finite are left out.
    pub fn new(
        key: impl Into<String>,
        label: impl Into<String>,
        hue: Hue,
        marker: Marker,
        dots: impl IntoIterator<Item = Dot>,
    ) -> Self {
        let finite = |dot: &Dot| dot.point.x.is_finite() && dot.point.y.is_finite();
        Self { entry: Entry::new(key, label, hue), marker, dots: dots.into_iter().filter(finite).collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.dots.len()
    }

    pub(super) fn datum(&self, index: usize) -> Datum<'_> {
        let Dot { point, label, .. } = &self.dots[index];
        Datum::new(point.x, point.y).with("se", point.se).labelled(label)
    }
}
