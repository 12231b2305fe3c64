//! Marks in three dimensions: clouds of points, trajectories, and tubes around them.

use serde::{Deserialize, Serialize};

use super::{Datum, Hue, MarkInfo, Marker, Shades, Stroke};
use crate::all_finite;

/// Points in space, drawn as markers, as a line, or as both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cloud {
    /// Key, label and colour.
    pub info: MarkInfo,
    /// Line through the points in their order, if any.
    pub stroke: Option<Stroke>,
    /// Marker of each point, if any.
    pub marker: Option<Marker>,
    /// Coordinates of the points.
    pub points: Vec<[f64; 3]>,
    /// Values that the colours of the markers show, if any.
    pub shades: Option<Shades>,
}

/// A tube of changing radius, given by circular cross-sections.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tube {
    /// Key, label and colour.
    pub info: MarkInfo,
    /// Cross-sections from one end to the other.
    pub sections: Vec<CrossSection>,
}

/// A circular cross-section of a tube.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrossSection {
    /// Centre.
    pub centre: [f64; 3],
    /// Normal vector, of any length.
    pub along: [f64; 3],
    /// Radius, such as one standard deviation.
    pub radius: f64,
}

/// Returns true if all coordinates are finite.
pub(super) fn is_finite(point: &[f64; 3]) -> bool {
    all_finite(*point)
}

line_and_markers!(Cloud, "cloud", shades);

impl Cloud {
    /// Sets the points: the finite ones of `points`.
    #[must_use]
    pub fn points(mut self, points: impl IntoIterator<Item = [f64; 3]>) -> Self {
        self.points = points.into_iter().filter(is_finite).collect();
        self
    }

    /// Colours the markers by a value of each of the points, which are all finite.
    #[must_use]
    pub fn shaded(mut self, shades: Option<Shades>) -> Self {
        self.shades = shades;
        self
    }

    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    pub(super) fn datum(&self, index: usize) -> Datum<'_> {
        let [x, y, z] = self.points[index];
        let shade = self.shades.as_ref().and_then(|shades| shades.value(index));
        Datum { z: Some(z), ..Datum::new(x, y).with("colour", shade) }
    }
}

impl Tube {
    /// Returns a tube through the finite ones of these cross-sections.
    pub fn new(
        key: impl Into<String>,
        label: impl Into<String>,
        hue: Hue,
        sections: impl IntoIterator<Item = CrossSection>,
    ) -> Self {
        let sections = sections.into_iter().filter(CrossSection::is_finite).collect();
        Self { info: MarkInfo::new(key, label, hue), sections }
    }

    pub(super) fn len(&self) -> usize {
        self.sections.len()
    }

    pub(super) fn datum(&self, index: usize) -> Datum<'_> {
        let CrossSection { centre: [x, y, z], radius, .. } = self.sections[index];
        Datum { z: Some(z), ..Datum::new(x, y).with("radius", radius) }
    }
}

impl CrossSection {
    pub(super) fn is_finite(&self) -> bool {
        all_finite(self.centre.into_iter().chain(self.along).chain([self.radius]))
    }

    /// Returns `count` points of the circle; all are its centre if the normal vector is 0.
    pub fn ring(&self, count: usize) -> Vec<[f64; 3]> {
        let [u, v] = self.across();
        let point = |i: usize| {
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * i as f64 / count as f64);
            let mut at = self.centre;
            for axis in 0..3 {
                at[axis] += self.radius * (cos * u[axis] + sin * v[axis]);
            }
            at
        };
        (0..count).map(point).collect()
    }

    /// Returns two orthonormal vectors in the plane of the circle.
    fn across(&self) -> [[f64; 3]; 2] {
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let unit = |a: [f64; 3]| {
            let length = a.iter().map(|x| x * x).sum::<f64>().sqrt();
            a.map(|x| if length > 0.0 { x / length } else { 0.0 })
        };
        let d = unit(self.along);
        // Coordinate axis with the smallest component along the normal.
        let least = (0..3).fold(0, |best, i| if d[i].abs() < d[best].abs() { i } else { best });
        let mut other = [0.0; 3];
        other[least] = 1.0;
        let u = unit(cross(d, other));
        [u, cross(d, u)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_is_a_circle_perpendicular_to_its_normal() {
        for along in [[0.0, 0.0, 2.0], [1.0, -1.0, 0.5], [1e-9, 3.0, 0.0]] {
            let section = CrossSection { centre: [1.0, 2.0, 3.0], along, radius: 0.7 };
            for point in section.ring(8) {
                let from: Vec<f64> = point.iter().zip(section.centre).map(|(p, c)| p - c).collect();
                let length = from.iter().map(|x| x * x).sum::<f64>().sqrt();
                let dot: f64 = from.iter().zip(along).map(|(a, b)| a * b).sum();
                assert!((length - 0.7).abs() < 1e-12 && dot.abs() < 1e-12, "{along:?}: {length} {dot}");
            }
        }
        let none = CrossSection { centre: [1.0; 3], along: [0.0; 3], radius: 1.0 };
        assert!(none.ring(4).iter().all(|point| *point == [1.0; 3]));
    }
}
