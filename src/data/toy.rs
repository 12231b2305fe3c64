//! Small sets of labelled points in the plane, for figures of classifiers.

use std::f64::consts::{PI, TAU};

use crate::math::random::Stream;

/// A distribution of labelled points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToySet {
    /// Two interlocking half circles.
    Moons,
    /// Four clouds with the XOR labelling.
    Xor,
    /// A disc within a ring.
    Rings,
    /// Two overlapping clouds per class, as in Ripley's synthetic data.
    Mixture,
}

/// A labelled point of the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelledPoint {
    /// Coordinates.
    pub at: [f64; 2],
    /// Label ±1.
    pub label: f64,
}

impl ToySet {
    /// Draws `count` points, approximately in [−2, 2]², with alternating labels.
    pub fn draw(self, count: usize, stream: &mut Stream) -> Vec<LabelledPoint> {
        (0..count)
            .map(|i| {
                let label = if i % 2 == 0 { 1.0 } else { -1.0 };
                let at = self.point(label, stream);
                LabelledPoint { at, label }
            })
            .collect()
    }

    fn point(self, label: f64, stream: &mut Stream) -> [f64; 2] {
        let positive = label > 0.0;
        match self {
            Self::Moons => {
                let angle = PI * stream.uniform();
                let (x, y) = (libm::cos(angle), libm::sin(angle));
                let [x, y] = if positive { [x - 0.5, y - 0.25] } else { [0.5 - x, 0.25 - y] };
                [1.15 * x + 0.15 * stream.normal(), 1.15 * y + 0.15 * stream.normal()]
            }
            Self::Xor => {
                let side = stream.sign();
                [side + 0.4 * stream.normal(), side * label + 0.4 * stream.normal()]
            }
            Self::Rings => {
                let angle = TAU * stream.uniform();
                let radius = if positive { 0.45 } else { 1.5 } + 0.2 * stream.normal();
                [radius * libm::cos(angle), radius * libm::sin(angle)]
            }
            Self::Mixture => {
                let left = stream.uniform() < 0.5;
                let centre = match (positive, left) {
                    (false, true) => [-1.1, -0.3],
                    (false, false) => [0.5, -0.3],
                    (true, true) => [-0.5, 0.7],
                    (true, false) => [1.1, 0.7],
                };
                centre.map(|c| c + 0.42 * stream.normal())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_in_range_and_labels_alternate() {
        for toy in [ToySet::Moons, ToySet::Xor, ToySet::Rings, ToySet::Mixture] {
            let points = toy.draw(101, &mut Stream::of(1, 0));
            assert_eq!(points.iter().filter(|p| p.label > 0.0).count(), 51);
            assert!(points.iter().all(|p| p.at.iter().all(|x| x.abs() < 3.2)), "{toy:?}");
            let few = toy.draw(7, &mut Stream::of(1, 0));
            assert_eq!(few[..], points[..7]);
        }
    }
}
