//! Marks and figures that several tasks of this model share.

use super::fits::FitRow;
use crate::figure::{Axis, Band, Curve, Figure, Hue, Interval, Point, Stroke};

/// Returns a band of two standard deviations on either side of the mean, at inputs `x`; `predicted` holds means and standard deviations.
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

/// Returns the curve of the mean at inputs `x`.
pub fn line(key: &str, label: &str, hue: Hue, x: &[f64], predicted: &[(f64, f64)]) -> Curve {
    let points = x.iter().zip(predicted).map(|(x, (mean, _))| Point::new(*x, *mean));
    Curve::new(key, label, hue).stroke(Stroke::Solid).points(points)
}

/// Returns the figure of −ELBO at each evaluation. Each row comes with its trace and `true` if it is the best start of its method;
/// other starts are hidden at first. `margins` are added below and above the range of the final values.
pub fn convergence<'a, D: 'a>(
    rows: impl Iterator<Item = (&'a FitRow<D>, &'a [f32], bool)>,
    (below, above): (f64, f64),
    final_values: &str,
) -> Figure {
    let (mut low, mut high, mut longest) = (f64::INFINITY, f64::NEG_INFINITY, None);
    let mut curves = Vec::new();
    for (row, trace, best) in rows.filter(|(_, trace, _)| trace.len() > 1) {
        let last = f64::from(trace[trace.len() - 1]);
        (low, high, longest) = (low.min(last), high.max(last), longest.max(Some(trace.len())));
        let points = trace.iter().enumerate().map(|(i, value)| Point::new(1.0 + i as f64, f64::from(*value)));
        let (word, reads, start) = (row.method.word(), row.method.label(), row.restart + 1);
        let curve =
            Curve::new(format!("{word}_{start}"), format!("{reads}, start {start}"), row.method.hue())
                .stroke(if row.restart == 0 { Stroke::Solid } else { Stroke::Dashed })
                .points(points);
        curves.push(if best { curve } else { curve.hidden() });
    }
    let range = if low <= high { (low - below, high + above) } else { (0.0, 1.0) };
    Figure::new("search", "Convergence of the fits")
        .x(Axis::linear("evaluations of free energy and gradient", (0.0, longest.unwrap_or(10).max(10) as f64)))
        .y(Axis::linear("−ELBO, nats", range))
        .caption(format!(
            "Negative evidence lower bound (−ELBO) at each evaluation, including the trial points of the line searches. {final_values}"
        ))
        .marks(curves)
}
