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
}

/// A series of rows: key, label, hue and marker.
pub type Series = (&'static str, String, Hue, Marker);

/// Returns the rank of each row, from 1, and `base` with the rows over their ranks: a mark for each series, and circles around
/// misclassified rows. `x` labels the axis of ranks.
pub fn ranked_figure(base: Figure, x: &str, rows: &[RankedRow], series: Vec<Series>) -> (Vec<f64>, Figure) {
    let mut ranks = vec![0.0; rows.len()];
    let keys: Vec<f64> = rows.iter().map(|row| row.key).collect();
    order(&keys).into_iter().zip(1..).for_each(|(row, rank)| ranks[row] = f64::from(rank));
    let dots = |of: &dyn Fn(&RankedRow) -> bool| -> Vec<Dot> {
        let dot = |(row, rank): (&RankedRow, &f64)| Dot::new(Point::new(*rank, row.p), row.label.as_str());
        rows.iter().zip(&ranks).filter(|(row, _)| of(row)).map(dot).collect()
    };
    let mut marks: Vec<Points> = series
        .into_iter()
        .map(|(key, label, hue, marker)| Points::new(key, label, hue, marker, dots(&|row| row.series == key)))
        .collect();
    let misclassified = dots(&|row| row.misclassified);
    marks.push(Points::new("wrong", "misclassified", Hue::Ink, Marker::Circle, misclassified));
    // Room for the signs of the first and last row.
    let last = rows.len() as f64;
    let edge = (0.02 * last).max(0.5);
    let figure = base.x(Axis::linear(x, (1.0 - edge, last + edge))).marks(marks).with_records();
    (ranks, figure)
}
