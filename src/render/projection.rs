//! Orthographic projection of space.

use super::axis_map::drawable_range;
use super::drawing::Turn;
use super::rect::Rect;
use super::stroke::Px;
use crate::figure::{Axis, Figure, Scale};

/// Orthographic projection of the box of the axes, which is a cube whatever the ranges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    pub(super) middle: Px,
    scale: f64,
    /// Sine and cosine of the angle.
    azimuth: (f64, f64),
    elevation: (f64, f64),
    pub(super) ranges: [(f64, f64); 3],
}

/// A point on the page, and its depth, which increases towards the reader.
pub(super) type Projected = (Px, f64);

impl Projection {
    pub(super) fn new(figure: &Figure, z: &Axis, turn: Turn, area: &Rect) -> Self {
        let range = |axis: &Axis| {
            let linear = Axis { scale: Scale::Linear, ..axis.clone() };
            drawable_range(&linear, std::iter::empty())
        };
        let (wide, high) = (area.right - area.left, area.height());
        Self {
            middle: (0.5 * (area.left + area.right), 0.5 * (area.top + area.bottom)),
            // The diagonal of the box fits into the area.
            scale: 0.5 * wide.min(high).max(1.0) / 3.0_f64.sqrt(),
            azimuth: libm::sincos(turn.azimuth),
            elevation: libm::sincos(turn.elevation),
            ranges: [range(&figure.x), range(&figure.y), range(z)],
        }
    }

    /// Projects a point of the box, whose coordinates are −1 to 1.
    pub(super) fn project_unit(&self, [x, y, z]: [f64; 3]) -> Projected {
        let ((sa, ca), (se, ce)) = (self.azimuth, self.elevation);
        let (across, away) = (ca * y - sa * x, ca * x + sa * y);
        let (up, near) = (ce * z - se * away, ce * away + se * z);
        ((self.middle.0 + self.scale * across, self.middle.1 - self.scale * up), near)
    }

    /// Projects a point in data units; `None` outside the box.
    pub fn project(&self, point: [f64; 3]) -> Option<Projected> {
        let mut unit = [0.0; 3];
        for axis in 0..3 {
            let (low, high) = self.ranges[axis];
            unit[axis] = 2.0 * (point[axis] - low) / (high - low) - 1.0;
        }
        // A tube may extend slightly beyond the box.
        unit.iter().all(|u| u.abs() <= 1.2).then(|| self.project_unit(unit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn projection(turn: Turn) -> Projection {
        let axis = || Axis::linear("", (-2.0, 2.0));
        let figure = Figure::new("f", "").x(axis()).y(axis());
        let area = Rect { left: 0.0, top: 0.0, right: 300.0, bottom: 200.0 };
        Projection::new(&figure, &axis(), turn, &area)
    }

    #[test]
    fn the_box_fits_from_every_direction_and_lengths_are_preserved() {
        for azimuth in 0..12 {
            for elevation in -3..=3 {
                let turn = Turn::default().by(f64::from(azimuth) * 0.5, f64::from(elevation) * 0.5);
                let p = projection(turn);
                let mut square = 0.0;
                for axis in 0..3 {
                    let mut unit = [0.0; 3];
                    unit[axis] = 1.0;
                    let ((x, y), depth) = p.project_unit(unit);
                    let (x, y) = ((x - 150.0) / p.scale, (y - 100.0) / p.scale);
                    assert!((x * x + y * y + depth * depth - 1.0).abs() < 1e-12);
                    square += depth * depth;
                }
                assert!((square - 1.0).abs() < 1e-12, "the direction of view is a unit vector");
                for corner in 0..8 {
                    let point = [0, 1, 2].map(|axis| if (corner >> axis) & 1 == 1 { 2.0 } else { -2.0 });
                    let ((x, y), _) = p.project(point).unwrap();
                    assert!((0.0..=300.0).contains(&x) && (0.0..=200.0).contains(&y));
                }
            }
        }
    }

    #[test]
    fn z_points_upwards_and_points_outside_are_not_drawn() {
        let p = projection(Turn::default());
        let ((_, low), _) = p.project([0.0, 0.0, -1.0]).unwrap();
        let ((_, high), _) = p.project([0.0, 0.0, 1.0]).unwrap();
        assert!(high < low);
        assert_eq!(p.project([9.0, 0.0, 0.0]), None);
        let top = projection(Turn { azimuth: 0.0, elevation: 0.0 }.by(0.0, 9.0));
        assert!(top.elevation.0 < 1.0, "the vertical axis stays vertical");
    }
}
