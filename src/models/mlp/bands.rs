//! Marks that show predictions: a line with a band about it.

use crate::figure::{Band, Curve, Hue, Interval, Point, Stroke};

/// Two standard deviations on either side of the mean, at inputs `x`; `predicted` are means and standard deviations.
pub fn band(
    key: impl Into<String>,
    label: impl Into<String>,
    hue: Hue,
    x: &[f64],
    predicted: &[(f64, f64)],
) -> Band {
    let at = |(x, (mean, sd)): (&f64, &(f64, f64))| Interval {
        x: *x,
        lower: mean - 2.0 * sd,
        upper: mean + 2.0 * sd,
    };
    Band::new(key, label, hue, x.iter().zip(predicted).map(at))
}

/// The mean at inputs `x`.
pub fn line(key: &str, label: &str, hue: Hue, x: &[f64], predicted: &[(f64, f64)]) -> Curve {
    let points = x.iter().zip(predicted).map(|(x, (mean, _))| Point::new(*x, *mean));
    Curve::new(key, label, hue).stroke(Stroke::Solid).points(points)
}
