//! Predictions of the rows of a table over their rank.

use crate::figure::{Axis, Dot, Figure, Hue, Marker, Point, Points};
use crate::math::stats::order;

/// A row in a figure of ranks.
pub struct RankedRow {
    /// Sort key; the row with the smallest key has rank 1.
    pub key: f64,
    /// Probability that is drawn.
    pub p: f64,
    /// Label of the point.
    pub label: String,
    /// Key of the series that the row belongs to.
    pub series: &'static str,
    /// True if the row is misclassified.
    pub misclassified: bool,
    /// True if the row is drawn only on request.
    pub is_hidden: bool,
}

/// A series of rows: key, label, hue and marker.
pub type Series = (&'static str, String, Hue, Marker);

/// Returns the rank of each row, from 1, and `base` with the rows over their ranks: a mark for each series, and circles around the
/// misclassified rows that are shown. Hidden rows are spread evenly, by their rank among themselves, over the width of the others.
pub fn ranked_figure(
    base: Figure,
    x_label: &str,
    misclassified_label: &str,
    rows: &[RankedRow],
    series: Vec<Series>,
) -> (Vec<f64>, Figure) {
    let ranks = ranks(rows);
    let dots = |of: &dyn Fn(&RankedRow) -> bool| -> Vec<Dot> {
        let dot = |(row, rank): (&RankedRow, &f64)| Dot::new(Point::new(*rank, row.p), row.label.as_str());
        rows.iter().zip(&ranks).filter(|(row, _)| of(row)).map(dot).collect()
    };
    let mark = |(key, label, hue, marker): Series| {
        let points = Points::new(key, label, hue, marker, dots(&|row| row.series == key));
        let is_shown = rows.iter().any(|row| row.series == key && !row.is_hidden);
        if is_shown || points.dots.is_empty() { points } else { points.hidden() }
    };
    let mut marks: Vec<Points> = series.into_iter().map(mark).collect();
    let misclassified = dots(&|row| row.misclassified && !row.is_hidden);
    marks.push(Points::new("wrong", misclassified_label, Hue::Ink, Marker::Circle, misclassified));
    // Room for the signs of the first and last row.
    let last = rows.iter().filter(|row| !row.is_hidden).count() as f64;
    let edge = (0.02 * last).max(0.5);
    let figure = base.x(Axis::linear(x_label, (1.0 - edge, last + edge))).marks(marks).with_records();
    (ranks, figure)
}

/// Returns the label of the axis of ranks of the rows that are shown: test rows if `tested`, and rows without a label if there are any.
pub fn ranked_axis(tested: bool, unlabelled: bool) -> &'static str {
    match (tested, unlabelled) {
        (true, false) => "test rows from worst to best predicted",
        (false, false) => "rows from worst to best predicted",
        (true, true) => "test rows from worst to best predicted, then rows without a label",
        (false, true) => "rows from worst to best predicted, then those without a label",
    }
}

/// Returns the series of two classes, of −1 first; if `tested`, those of the test rows and then those of the training rows.
pub(super) fn two_classes(names: [&str; 2], tested: bool) -> Vec<Series> {
    let pair = |keys: [&'static str; 2], of: &str, hues: [Hue; 2], markers: [Marker; 2]| {
        std::array::from_fn::<_, 2, _>(|i| (keys[i], format!("{}{of}", names[i]), hues[i], markers[i]))
    };
    let (hues, markers) = ([Hue::Blue, Hue::Orange], [Marker::Square, Marker::Disc]);
    if !tested {
        return pair(["minus", "plus"], "", hues, markers).into();
    }
    let training = ([Hue::Sky, Hue::Yellow], [Marker::Diamond, Marker::Triangle]);
    let training = pair(["minus", "plus"], ", training rows", training.0, training.1);
    pair(["minus_test", "plus_test"], "", hues, markers).into_iter().chain(training).collect()
}

/// Returns the place of each row on the axis of ranks.
fn ranks(rows: &[RankedRow]) -> Vec<f64> {
    let keys: Vec<f64> = rows.iter().map(|row| row.key).collect();
    let order = order(&keys);
    let of = |hidden: bool| order.iter().copied().filter(move |row| rows[*row].is_hidden == hidden);
    let (shown, others) = (of(false).count() as f64, of(true).count() as f64);
    let mut ranks = vec![0.0; rows.len()];
    of(false).zip(1..).for_each(|(row, rank)| ranks[row] = f64::from(rank));
    of(true).zip(1..).for_each(|(row, rank)| ranks[row] = 0.5 + (f64::from(rank) - 0.5) * shown / others);
    ranks
}
