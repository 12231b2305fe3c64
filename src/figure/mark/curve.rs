//! A named sequence of points, drawn as a line, as markers with error bars, or as both.

use serde::{Deserialize, Serialize};

use super::{Datum, Entry, Hue, Marker, Stroke};

/// A line, markers with error bars, or both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Key, label and colour.
    pub entry: Entry,
    /// The line through the points, if any.
    pub stroke: Option<Stroke>,
    /// The sign at each point, if any.
    pub marker: Option<Marker>,
    /// In order along the line.
    pub points: Vec<Point>,
}

/// One point in data units; `se` is one standard error of `y` where it is an average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Abscissa.
    pub x: f64,
    /// Ordinate.
    pub y: f64,
    /// One standard error of `y`, or `None` where `y` is exact.
    pub se: Option<f64>,
}

impl Point {
    /// An exact point.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, se: None }
    }

    /// The same point with a standard error; none where that is not finite.
    #[must_use]
    pub fn with_se(self, se: f64) -> Self {
        Self { se: se.is_finite().then_some(se), ..self }
    }
}

line_and_signs!(Curve, "curve");

impl Curve {
    /// The same curve with these points, put in order of x; those that are not finite are left out.
    #[must_use]
    pub fn points(mut self, points: impl IntoIterator<Item = Point>) -> Self {
        self.points.clear();
        points.into_iter().for_each(|point| self.put(point));
        self
    }

    /// Adds a finite point at its place. Not inlined: figures are built in many places.
    #[inline(never)]
    fn put(&mut self, point: Point) {
        if point.x.is_finite() && point.y.is_finite() {
            // They mostly come in order, and then this only appends; a library sort would be 4 kB of the page.
            let place = self.points.partition_point(|before| before.x <= point.x);
            self.points.insert(place, point);
        }
    }

    /// The same curve through these points in the order given; those that are not finite are left out.
    #[must_use]
    pub fn path(mut self, points: impl IntoIterator<Item = Point>) -> Self {
        self.points = points.into_iter().filter(|p| p.x.is_finite() && p.y.is_finite()).collect();
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
