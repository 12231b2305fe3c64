//! Points with their own sizes and labels.

use serde::{Deserialize, Serialize};

use super::{Datum, Hue, MarkInfo, Marker, Point, Shades};

/// Points in any order with sizes and labels. A label is shown at the pointer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Points {
    /// Key, label and colour.
    pub info: MarkInfo,
    /// Marker of each point.
    pub marker: Marker,
    /// Points with sizes and labels.
    pub dots: Vec<Dot>,
    /// Values that the colours of the points show, if any.
    pub shades: Option<Shades>,
}

/// A point with a size and a label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dot {
    /// Coordinates, and the standard error of the ordinate.
    pub point: Point,
    /// Radius relative to an ordinary marker.
    pub size: f64,
    /// Label; may be empty.
    pub label: String,
}

impl Dot {
    /// Returns a point of ordinary size.
    pub fn new(point: Point, label: impl Into<String>) -> Self {
        Self { point, size: 1.0, label: label.into() }
    }

    /// Sets the radius relative to an ordinary marker, limited to 0.3–5.
    #[must_use]
    pub fn size(mut self, size: f64) -> Self {
        self.size = if size.is_finite() { size.clamp(0.3, 5.0) } else { 1.0 };
        self
    }
}

impl Points {
    /// Returns the finite ones of these points.
    pub fn new(
        key: impl Into<String>,
        label: impl Into<String>,
        hue: Hue,
        marker: Marker,
        dots: impl IntoIterator<Item = Dot>,
    ) -> Self {
        let dots = dots.into_iter().filter(|dot| dot.point.is_finite()).collect();
        Self { info: MarkInfo::new(key, label, hue), marker, dots, shades: None }
    }

    /// Colours the points by a value of each of them; they are all finite.
    #[must_use]
    pub fn shaded(mut self, shades: Option<Shades>) -> Self {
        self.shades = shades;
        self
    }

    pub(super) fn len(&self) -> usize {
        self.dots.len()
    }

    pub(super) fn datum(&self, index: usize) -> Datum<'_> {
        let Dot { point, label, .. } = &self.dots[index];
        let shade = self.shades.as_ref().and_then(|shades| shades.value(index));
        Datum::new(point.x, point.y).with("se", point.se).with("colour", shade).labelled(label)
    }
}
