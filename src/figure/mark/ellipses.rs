//! Ellipses of constant density of Gaussians in the plane.

use serde::{Deserialize, Serialize};

use super::{Datum, Hue, MarkInfo, Stroke};
use crate::all_finite;

/// Ellipses at a common distance from their means, in standard deviations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ellipses {
    /// Key, label and colour.
    pub info: MarkInfo,
    /// Line style of the outlines.
    pub stroke: Stroke,
    /// True if they are filled faintly.
    pub filled: bool,
    /// Mahalanobis distance from the mean.
    pub level: f64,
    /// Means and covariances.
    pub ellipses: Vec<Ellipse>,
}

/// Mean and covariance of a Gaussian in the plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ellipse {
    /// Mean.
    pub mean: (f64, f64),
    /// Variance of x, covariance, and variance of y.
    pub covariance: [f64; 3],
    /// Label; may be empty.
    pub label: String,
}

impl Ellipses {
    /// Returns the ellipses that are finite and whose covariance is positive semidefinite.
    pub fn new(
        key: impl Into<String>,
        label: impl Into<String>,
        hue: Hue,
        level: f64,
        ellipses: impl IntoIterator<Item = Ellipse>,
    ) -> Self {
        let ellipses = ellipses.into_iter().filter(Ellipse::is_finite).collect();
        Self { info: MarkInfo::new(key, label, hue), stroke: Stroke::Solid, filled: true, level, ellipses }
    }

    /// Draws outlines only.
    #[must_use]
    pub fn outlined(mut self, stroke: Stroke) -> Self {
        (self.stroke, self.filled) = (stroke, false);
        self
    }

    pub(super) fn len(&self) -> usize {
        self.ellipses.len()
    }

    pub(super) fn datum(&self, index: usize) -> Datum<'_> {
        let Ellipse { mean: (x, y), covariance: [xx, xy, yy], label } = &self.ellipses[index];
        Datum::new(*x, *y).with("var_x", *xx).with("cov_xy", *xy).with("var_y", *yy).labelled(label)
    }
}

impl Ellipse {
    /// Returns true if mean and Cholesky factor are finite.
    pub(super) fn is_finite(&self) -> bool {
        all_finite([self.mean.0, self.mean.1].into_iter().chain(self.factor()))
    }

    /// Returns the lower triangle of the Cholesky factor of the covariance, row by row; NaN if there is none.
    fn factor(&self) -> [f64; 3] {
        let [xx, xy, yy] = self.covariance;
        let a = xx.sqrt();
        let b = if a > 0.0 { xy / a } else { xy };
        // Up to rounding, a singular covariance is a line.
        let left = yy - b * b;
        let c = if left < 0.0 && left > -1e-12 * yy.abs() { 0.0 } else { left.sqrt() };
        if a == 0.0 && xy != 0.0 { [f64::NAN; 3] } else { [a, b, c] }
    }

    /// Returns `count` points of the ellipse at `level` standard deviations.
    pub fn outline(&self, level: f64, count: usize) -> impl Iterator<Item = (f64, f64)> {
        let ([a, b, c], (x, y)) = (self.factor(), self.mean);
        (0..count).map(move |i| {
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * i as f64 / count as f64);
            (x + level * a * cos, y + level * (b * cos + c * sin))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ellipse(covariance: [f64; 3]) -> Ellipse {
        Ellipse { mean: (1.0, -1.0), covariance, label: String::new() }
    }

    #[test]
    fn points_of_the_outline_have_the_mahalanobis_distance() {
        let [xx, xy, yy] = [2.0, -0.6, 0.5];
        let determinant = xx * yy - xy * xy;
        for (x, y) in ellipse([xx, xy, yy]).outline(2.0, 24) {
            let (u, v) = (x - 1.0, y + 1.0);
            let form = (yy * u * u - 2.0 * xy * u * v + xx * v * v) / determinant;
            assert!((form - 4.0).abs() < 1e-12, "{form}");
        }
    }

    #[test]
    fn matrices_that_are_no_covariance_are_left_out() {
        let all = [[1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [1.0, 2.0, 1.0], [1.0, f64::NAN, 1.0], [0.0, 0.5, 1.0]];
        let kept = Ellipses::new("e", "e", Hue::Blue, 1.0, all.map(ellipse));
        assert_eq!(kept.ellipses, [ellipse([1.0, 0.0, 1.0])]);
        assert_eq!(Ellipses::new("e", "e", Hue::Blue, 1.0, [ellipse([1.0, 1.0, 1.0])]).ellipses.len(), 1);
    }
}
