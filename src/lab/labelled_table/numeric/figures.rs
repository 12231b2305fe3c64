//! Figures of predicted targets: against the true ones, the coverage of intervals, and rows without a target.

use super::scores::{INTERVALS, PredictedTarget};
use super::summary::{NumericSummary, TargetRow};
use crate::figure::{Axis, Curve, Figure, Hue, Marker, Point, Segments, Stroke};
use crate::math::stats::Mean;

/// Returns a figure with axes from 0 to 1 and without marks.
pub fn empty_target_figure(id: &str, title: &str) -> Figure {
    let unit = |label: &str| Axis::linear(label, (0.0, 1.0));
    Figure::new(id, title).x(unit("predicted")).y(unit("true"))
}

/// Adds true against predicted targets of `rows`, which are called `name`, to a figure. Error bars are one predictive standard deviation.
pub fn targets_figure(
    figure: Figure,
    label: &str,
    (key, name): (&str, &str),
    rows: &[TargetRow],
    predicted: &[PredictedTarget],
) -> Figure {
    let targets = || rows.iter().map(|row| row.target);
    let (low, high) = targets().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), t| (l.min(t), h.max(t)));
    let points = rows.iter().zip(predicted);
    let points = points.map(|(row, at)| Point::new(at.mean, row.target).with_se(at.sd));
    let equal = [[(low, low), (high, high)]];
    figure
        .with_records()
        .x(Axis::around(format!("predicted {label}"), predicted.iter().map(|at| at.mean)))
        .y(Axis::around(format!("true {label}"), targets()))
        .mark(Segments::new("equal", "predicted = true", Hue::Ink, Stroke::Dotted, equal))
        .mark(Curve::new(key, name, Hue::Blue).marker(Marker::Disc).path(points))
}

/// Returns the figure of the coverage of [`INTERVALS`] on rows that are called `rows`, given key, name, colour and coverages of each
/// predictor. The first sentence of the caption says which rows they are.
pub fn calibration_figure<'a>(
    rows: &str,
    predictors: impl Iterator<Item = (&'a str, &'a str, Hue, [Mean; 3])>,
) -> Figure {
    let curves = predictors.filter_map(|(key, name, hue, coverages)| {
        let point = |((share, _), over): (&(f64, f64), &Mean)| {
            let point = Point::new(*share, over.mean);
            (over.count > 0).then(|| if over.se.is_finite() { point.with_se(over.se) } else { point })
        };
        let points: Vec<Point> = INTERVALS.iter().zip(&coverages).filter_map(point).collect();
        let curve = Curve::new(key, name, hue).marker(Marker::Disc).stroke(Stroke::Solid);
        (!points.is_empty()).then(|| curve.points(points))
    });
    let curves: Vec<Curve> = curves.collect();
    empty_calibration(rows)
        .caption(format!(
            "Fraction of the targets of the {rows} inside the central 50, 80 and 95 % prediction intervals, noise included. Below the \
             dotted line the intervals are too narrow, above it too wide."
        ))
        .mark(Segments::new("even", "perfect calibration", Hue::Ink, Stroke::Dotted, [[(0.0, 0.0), (1.0, 1.0)]]))
        .marks(curves)
}

fn empty_calibration(rows: &str) -> Figure {
    Figure::new("calibration", "Calibration of the intervals")
        .x(Axis::linear("nominal coverage", (0.0, 1.0)))
        .y(Axis::linear(format!("coverage on the {rows}"), (0.0, 1.0)))
}

/// Adds the predictions of rows without a target and of rows of the second file to a figure. `method` and `learnt` describe the predictor
/// and its training rows in the caption.
pub fn new_targets_figure(
    figure: Figure,
    table: &NumericSummary,
    unlabelled: &[PredictedTarget],
    second: &[PredictedTarget],
    [method, learnt]: [&str; 2],
) -> Figure {
    let points = |lines: &[usize], predicted: &[PredictedTarget]| -> Vec<Point> {
        let rows = lines.iter().zip(predicted);
        rows.map(|(line, at)| Point::new(*line as f64, at.mean).with_se(at.sd)).collect()
    };
    let (unlabelled, second) = (points(&table.unlabelled, unlabelled), points(&table.second, second));
    let all = || unlabelled.iter().chain(&second);
    let limits = |p: &Point| [p.y - p.se.unwrap_or(0.0), p.y + p.se.unwrap_or(0.0)];
    let label = &table.label;
    figure
        .with_records()
        .x(Axis::around("row number in the file", all().map(|p| p.x)))
        .y(Axis::around(format!("predicted {label}"), all().flat_map(limits)))
        .caption(format!(
            "Predicted {label} for {method}, fitted to {learnt}. Error bars: one predictive standard deviation, noise included."
        ))
        .mark(Curve::new("unlabelled", "rows without a target", Hue::Blue).marker(Marker::Disc).points(unlabelled))
        .mark(Curve::new("second", "rows of the second file", Hue::Orange).marker(Marker::Square).points(second))
}
