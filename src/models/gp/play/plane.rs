//! The plane of every map: axes, points, and their handles.

use super::spec::PointSet;
use super::{MethodRow, PlaySpec, VIEW};
use crate::figure::{Axis, Curve, Handles, Hue, Marker, Point};
use crate::lab::Value;

/// Returns the extent of every map.
pub fn plane() -> ((f64, f64), (f64, f64)) {
    ((-VIEW.0, VIEW.0), (-VIEW.1, VIEW.1))
}

/// Returns the axes of every map.
pub fn axes() -> (Axis, Axis) {
    let axis = |label: &str, reach: f64| Axis::linear(label, (-reach, reach));
    (axis("first input, s₁", VIEW.0), axis("second input, s₂", VIEW.1))
}

/// Returns the points of both classes.
pub fn points(row: &MethodRow) -> [Curve; 2] {
    classes(&row.points.iter().map(|p| [p.0, p.1, p.2].map(f64::from)).collect::<Vec<_>>())
}

/// Returns points of x, y and label ±1, a curve for each class.
pub fn classes(points: &[[f64; 3]]) -> [Curve; 2] {
    let of = |label: f64| points.iter().filter(move |p| p[2] == label).map(|[x, y, _]| Point::new(*x, *y));
    [
        Curve::new("plus", "orange: +1", Hue::Orange).marker(Marker::Disc).points(of(1.0)),
        Curve::new("minus", "blue: −1", Hue::Blue).marker(Marker::Square).points(of(-1.0)),
    ]
}

/// Returns the handles of the points.
pub fn handles(row: &MethodRow) -> Handles {
    let points = row.points.iter().map(|p| [p.0.into(), p.1.into(), p.2.into()]).collect();
    Handles::new(PlaySpec::FIELDS.points.key, &Value::Labelled(points))
        .with(PlaySpec::FIELDS.set.key, PointSet::Own)
        .count(PlaySpec::FIELDS.examples.key)
}
