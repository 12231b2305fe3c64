//! Ellipses of constant density: means and covariances in the plane.

use serde::{Deserialize, Serialize};

use super::{Datum, Entry, Hue, Stroke};

/// Ellipses at one distance from their means, in standard deviations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ellipses {
    /// Key, label and colour.
    pub entry: Entry,
    /// How their outlines are drawn.
    pub stroke: Stroke,
    /// Whether they are filled faintly.
    pub filled: bool,
    /// Their distance from the mean in standard deviations: the √ of the Mahalanobis form.
    pub level: f64,
    /// The ellipses.
    pub ellipses: Vec<Ellipse>,
}

/// A mean with the covariance of two coordinates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ellipse {
    /// Its centre.
    pub mean: (f64, f64),
    /// Variance of x, covariance, variance of y.
    pub covariance: [f64; 3],
    /// What it is; empty for nothing.
    pub label: String,
}

impl Ellipses {
    /// These ellipses; those that are not finite, or whose covariance is not positive semidefinite, are left out.
    pub fn new(
        key: impl Into<String>,
        label: impl Into<String>,
        hue: Hue,
        level: f64,
        ellipses: impl IntoIterator<Item = Ellipse>,
    ) -> Self {
        let proper = |e: &Ellipse| {
            e.mean.0.is_finite() && e.mean.1.is_finite() && e.factor().iter().all(|entry| entry.is_finite())
        };
        let ellipses = ellipses.into_iter().filter(proper).collect();
        Self { entry: Entry::new(key, label, hue), stroke: Stroke::Solid, filled: true, level, ellipses }
    }

    /// The same ellipses as outlines only.
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
    /// The lower triangle of the covariance's Cholesky factor, row by row; NaN where it has none.
    fn factor(&self) -> [f64; 3] {
        let [xx, xy, yy] = self.covariance;
        let a = xx.sqrt();
        let b = if a > 0.0 { xy / a } else { xy };
        // A covariance that is singular but for rounding is a line.
        let left = yy - b * b;
        let c = if left < 0.0 && left > -1e-12 * yy.abs() { 0.0 } else { left.sqrt() };
        if a == 0.0 && xy != 0.0 { [f64::NAN; 3] } else { [a, b, c] }
    }

    /// `count` places around the ellipse at `level` standard deviations.
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
    fn every_place_of_the_outline_is_at_its_level() {
        let [xx, xy, yy] = [2.0, -0.6, 0.5];
        let determinant = xx * yy - xy * xy;
        for (x, y) in ellipse([xx, xy, yy]).outline(2.0, 24) {
            let (u, v) = (x - 1.0, y + 1.0);
            let form = (yy * u * u - 2.0 * xy * u * v + xx * v * v) / determinant;
            assert!((form - 4.0).abs() < 1e-12, "{form}");
        }
    }

    #[test]
    fn what_is_no_covariance_is_left_out() {
        let all = [[1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [1.0, 2.0, 1.0], [1.0, f64::NAN, 1.0], [0.0, 0.5, 1.0]];
        let kept = Ellipses::new("e", "e", Hue::Blue, 1.0, all.map(ellipse));
        assert_eq!(kept.ellipses, [ellipse([1.0, 0.0, 1.0])]);
        assert_eq!(Ellipses::new("e", "e", Hue::Blue, 1.0, [ellipse([1.0, 1.0, 1.0])]).ellipses.len(), 1);
    }
}
