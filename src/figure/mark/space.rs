//! Marks in three dimensions: clouds of points, trajectories, and tubes of a radius around one.

use serde::{Deserialize, Serialize};

use super::{Datum, Entry, Hue, Marker, Stroke};

/// Points in space, drawn as markers, as a line through them, or as both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cloud {
    /// Key, label and colour.
    pub entry: Entry,
    /// The line through the points in their order, if any.
    pub stroke: Option<Stroke>,
    /// The sign at each point, if any.
    pub marker: Option<Marker>,
    /// The points.
    pub points: Vec<[f64; 3]>,
}

/// Circles around an axis curve: cross-sections of a tube of changing radius.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tube {
    /// Key, label and colour.
    pub entry: Entry,
    /// From one end to the other.
    pub sections: Vec<Section>,
}

/// One cross-section.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// Its middle.
    pub centre: [f64; 3],
    /// The direction it is perpendicular to, of any length.
    pub along: [f64; 3],
    /// Its radius, such as one standard deviation.
    pub radius: f64,
}

fn finite(place: &[f64; 3]) -> bool {
    place.iter().all(|v| v.is_finite())
}

line_and_signs!(Cloud, "cloud");

impl Cloud {
    /// The same with these points; those that are not finite are left out.
    #[must_use]
    pub fn points(mut self, points: impl IntoIterator<Item = [f64; 3]>) -> Self {
        self.points = points.into_iter().filter(finite).collect();
        self
    }

    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    pub(super) fn datum(&self, index: usize) -> Datum<'_> {
        let [x, y, z] = self.points[index];
        Datum { z: Some(z), ..Datum::new(x, y) }
    }
}

impl Tube {
    /// These cross-sections; those that are not finite are left out.
    pub fn new(
        key: impl Into<String>,
        label: impl Into<String>,
        hue: Hue,
        sections: impl IntoIterator<Item = Section>,
    ) -> Self {
        let proper = |s: &Section| finite(&s.centre) && finite(&s.along) && s.radius.is_finite();
        Self { entry: Entry::new(key, label, hue), sections: sections.into_iter().filter(proper).collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.sections.len()
    }

    pub(super) fn datum(&self, index: usize) -> Datum<'_> {
        let Section { centre: [x, y, z], radius, .. } = self.sections[index];
        Datum { z: Some(z), ..Datum::new(x, y).with("radius", radius) }
    }
}

impl Section {
    /// `count` places around the circle; all of them its centre where it has no direction.
    pub fn ring(&self, count: usize) -> Vec<[f64; 3]> {
        let [u, v] = self.across();
        let place = |i: usize| {
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * i as f64 / count as f64);
            let mut at = self.centre;
            for axis in 0..3 {
                at[axis] += self.radius * (cos * u[axis] + sin * v[axis]);
            }
            at
        };
        (0..count).map(place).collect()
    }

    /// Two unit vectors perpendicular to the direction and to each other.
    fn across(&self) -> [[f64; 3]; 2] {
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let unit = |a: [f64; 3]| {
            let length = a.iter().map(|x| x * x).sum::<f64>().sqrt();
            a.map(|x| if length > 0.0 { x / length } else { 0.0 })
        };
        let d = unit(self.along);
        // The coordinate axis that is least along it.
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
    fn a_ring_is_a_circle_perpendicular_to_its_direction() {
        for along in [[0.0, 0.0, 2.0], [1.0, -1.0, 0.5], [1e-9, 3.0, 0.0]] {
            let section = Section { centre: [1.0, 2.0, 3.0], along, radius: 0.7 };
            for place in section.ring(8) {
                let from: Vec<f64> = place.iter().zip(section.centre).map(|(p, c)| p - c).collect();
                let length = from.iter().map(|x| x * x).sum::<f64>().sqrt();
                let dot: f64 = from.iter().zip(along).map(|(a, b)| a * b).sum();
                assert!((length - 0.7).abs() < 1e-12 && dot.abs() < 1e-12, "{along:?}: {length} {dot}");
            }
        }
        let none = Section { centre: [1.0; 3], along: [0.0; 3], radius: 1.0 };
        assert!(none.ring(4).iter().all(|place| *place == [1.0; 3]));
    }
}
