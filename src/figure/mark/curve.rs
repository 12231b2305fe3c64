//! Sequence of points, drawn as a line, as markers with error bars, or as both.

use serde::{Deserialize, Serialize};

use super::{Datum, Hue, MarkInfo, Marker, Stroke};
use crate::all_finite;

/// A curve: a line, markers with error bars, or both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Key, label and colour.
    pub info: MarkInfo,
    /// Line through the points, if any.
    pub stroke: Option<Stroke>,
    /// Marker of each point, if any.
    pub marker: Option<Marker>,
    /// Points in order along the line.
    pub points: Vec<Point>,
}

/// A point in data units.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Abscissa.
    pub x: f64,
    /// Ordinate.
    pub y: f64,
    /// Standard error of `y`; `None` if `y` is exact.
    pub se: Option<f64>,
}

impl Point {
    /// Returns an exact point.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, se: None }
    }

    /// Sets the standard error; none if it is not finite.
    #[must_use]
    pub fn with_se(self, se: f64) -> Self {
        Self { se: se.is_finite().then_some(se), ..self }
    }

    /// Returns true if both coordinates are finite.
    pub(super) fn is_finite(&self) -> bool {
        all_finite([self.x, self.y])
    }
}

line_and_markers!(Curve, "curve");

impl Curve {
    /// Sets the points: the finite ones of `points`, sorted by x.
    #[must_use]
    pub fn points(mut self, points: impl IntoIterator<Item = Point>) -> Self {
        self = self.path(points);
        self.points.sort_by(|a, b| a.x.total_cmp(&b.x));
        self
    }

    /// Sets the points: the finite ones of `points`, in the given order.
    #[must_use]
    pub fn path(mut self, points: impl IntoIterator<Item = Point>) -> Self {
        self.points = points.into_iter().filter(Point::is_finite).collect();
        self
    }

    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    pub(super) fn datum(&self, index: usize) -> Datum<'_> {
        let p = self.points[index];
        Datum::new(p.x, p.y).with("se", p.se)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_that_are_not_finite_are_left_out() {
        let wild = [Point::new(1.0, f64::NAN), Point::new(f64::INFINITY, 0.0), Point::new(1.0, 2.0)];
        assert_eq!(Curve::new("a", "a", Hue::Ink).points(wild).points.len(), 1);
        assert_eq!(Curve::new("a", "a", Hue::Ink).path(wild).points.len(), 1);
        assert_eq!(Point::new(1.0, 2.0).with_se(f64::NAN).se, None);
    }

    #[test]
    fn a_path_keeps_its_order_and_a_curve_is_sorted() {
        let back = [2.0, 1.0, 3.0].map(|x| Point::new(x, 0.0));
        let xs = |curve: Curve| curve.points.iter().map(|p| p.x).collect::<Vec<_>>();
        assert_eq!(xs(Curve::new("a", "a", Hue::Ink).path(back)), [2.0, 1.0, 3.0]);
        assert_eq!(xs(Curve::new("a", "a", Hue::Ink).points(back)), [1.0, 2.0, 3.0]);
    }
}
