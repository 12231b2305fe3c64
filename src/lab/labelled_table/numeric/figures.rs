//! Figures of predicted targets: against the true ones, the coverage of intervals, and rows without a target.

use super::rows::thinned;
use super::scores::{INTERVALS, PredictedTarget};
use super::summary::{NumericSummary, TargetRow};
use crate::data::thousands;
use crate::figure::{Axis, Curve, Dot, Figure, Hue, Marker, Point, Points, Segments, Stroke};
use crate::math::stats::Mean;

/// Maximum number of bars; more would overlap.
const MAX_BARS: usize = 250;

/// Returns a figure with axes from 0 to 1 and without marks.
pub fn empty_target_figure(id: &str, title: &str) -> Figure {
    let unit = |label: &str| Axis::linear(label, (0.0, 1.0));
    Figure::new(id, title).x(unit("true")).y(unit("predicted"))
}

/// Adds predicted against true targets of `rows`, which are called `name`, to a figure, with the central 95 % of each predictive
/// distribution as a bar, and a caption. Of many rows, an evenly spaced sample is drawn.
pub fn predicted_against_true(
    figure: Figure,
    label: &str,
    name: &str,
    rows: &[TargetRow],
    predicted: &[PredictedTarget],
) -> Figure {
    let all: Vec<usize> = (0..rows.len().min(predicted.len())).collect();
    let drawn = thinned(&all, MAX_BARS);
    let ends = drawn.iter().flat_map(|i| <[f64; 2]>::from(predicted[*i].interval()));
    let targets = || drawn.iter().map(|i| rows[*i].target);
    let x = Axis::around(format!("true {label}"), targets());
    let y = Axis::around(format!("predicted {label}"), ends.chain(targets()));
    let of = |covered: bool| drawn.iter().filter(move |i| predicted[**i].covers(rows[**i].target) == covered);
    let bars = |key: &str, covered, hue| {
        let bar = |i: &usize| {
            let (low, high) = predicted[*i].interval();
            [(rows[*i].target, low), (rows[*i].target, high)]
        };
        Segments::new(format!("{key}_bars"), "", hue, Stroke::Solid, of(covered).map(bar)).thin().part_of(key)
    };
    let dots = |key: &str, label: &str, covered, hue, marker| {
        let dot = |i: &usize| {
            Dot::new(Point::new(rows[*i].target, predicted[*i].mean), format!("row {}", rows[*i].line))
        };
        Points::new(key, label, hue, marker, of(covered).map(dot))
    };
    let exact = [[x.range.0, x.range.1].map(|t| (t, t))];
    let sample = if drawn.len() < all.len() {
        let (drawn, all) = (thousands(drawn.len()), thousands(all.len()));
        format!(" Drawn: {drawn} of {all} rows, evenly spaced in the file.")
    } else {
        String::new()
    };
    figure
        .with_records()
        .x(x)
        .y(y)
        .caption(format!(
            "Predicted against true {label} of {} {name}. Bars: the central 95 % of the predictive distribution, noise included. Points on the \
             dotted line are predicted exactly.{sample}",
            thousands(all.len())
        ))
        .mark(Segments::new("equal", "prediction = truth", Hue::Ink, Stroke::Dotted, exact))
        .mark(bars("rows", true, Hue::Sky))
        .mark(bars("outside", false, Hue::Vermilion))
        .mark(dots("rows", "prediction with its 95 % bar", true, Hue::Blue, Marker::Disc))
        .mark(dots("outside", "bar misses the true value", false, Hue::Vermilion, Marker::Diamond))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the figure of `count` rows with targets 0, 1, …, predicted as 0.5 more with this standard deviation.
    fn figure(count: usize, sd: f64) -> Figure {
        let rows: Vec<TargetRow> = (0..count).map(|i| TargetRow { line: i + 2, target: i as f64 }).collect();
        let predicted: Vec<PredictedTarget> =
            rows.iter().map(|row| PredictedTarget { mean: row.target + 0.5, sd }).collect();
        predicted_against_true(Figure::new("f", ""), "yield", "test rows", &rows, &predicted)
    }

    #[test]
    fn a_bar_that_misses_the_true_value_differs_from_one_that_contains_it() {
        let counts = |sd: f64| {
            let figure = figure(3, sd);
            ["rows", "rows_bars", "outside", "outside_bars"].map(|key| figure.find(key).unwrap().len())
        };
        assert_eq!(counts(1.0), [3, 6, 0, 0]);
        assert_eq!(counts(0.1), [0, 0, 3, 6]);
        let figure = figure(3, 1.0);
        let point = figure.find("rows").unwrap().datum(1).unwrap();
        assert_eq!((point.x, point.y, point.label), (1.0, 1.5, "row 3"));
        assert!(figure.y.range.0 < -1.4 && figure.y.range.1 > 4.4, "the axis holds the bars");
        assert!(!figure.caption.contains("Drawn"));
    }

    #[test]
    fn of_many_rows_a_sample_is_drawn() {
        let figure = figure(2_000, 1.0);
        assert_eq!(figure.find("rows").unwrap().len(), MAX_BARS);
        assert!(figure.caption.contains("Drawn: 250 of 2,000 rows"), "{}", figure.caption);
    }
}
