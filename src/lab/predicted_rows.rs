//! What is predicted of every row of a table of two classes, as every classifier shows it.

use std::ops::Range;

use crate::data::TableSummary;
use crate::figure::{Axis, Curve, Dot, Figure, Hue, Marker, Point, Points, Stroke};
use crate::math::stats::order;

/// Probabilities of +1 of the rows of a table.
pub struct PredictedRows<'a> {
    /// The rows.
    pub table: &'a TableSummary,
    /// Of each training row as if it had not been seen, m.
    pub left_out: Vec<f64>,
    /// Of each test row.
    pub test: Vec<f64>,
    /// Of each row without a label.
    pub unlabelled: Vec<f64>,
}

/// How the rows are sorted, for captions.
pub const RANKED: &str = "Rows are sorted by the predicted probability of their own label, lowest first: confident errors, then \
                          uncertain rows, then confident correct ones; rows without a label come last.";

impl PredictedRows<'_> {
    /// The rank of every training row, test row and row without a label, from 1: those with a label by the probability of that,
    /// lowest first, and then the others, the least certain first.
    pub fn ranks(&self) -> Vec<usize> {
        let labels = self.table.labels.iter().chain(&self.table.test_labels);
        let known = labels.zip(self.left_out.iter().chain(&self.test));
        let own = known.map(|(label, p)| if *label > 0.0 { *p } else { 1.0 - p });
        let keys: Vec<f64> = own.chain(self.unlabelled.iter().map(|p| 2.0 + (p - 0.5).abs())).collect();
        let mut ranks = vec![0; keys.len()];
        order(&keys).into_iter().enumerate().for_each(|(place, row)| ranks[row] = place + 1);
        ranks
    }

    /// Their figure on that of `base`, by their ranks; `wrong` says whether a row of a label with a probability (and its place among
    /// the training rows, then the test rows) is misclassified, and so ringed. Caption and summary are the model's to add.
    pub fn figure(&self, base: Figure, wrong: impl Fn(usize, f64, f64) -> bool) -> Figure {
        let table = self.table;
        let (trained, tested) = (table.labels.len(), table.test_labels.len());
        let lines = [&table.lines, &table.test_lines, &table.unlabelled_lines].into_iter().flatten();
        let p = [&self.left_out, &self.test, &self.unlabelled].into_iter().flatten();
        let ranks = self.ranks();
        let last = ranks.len() as f64;
        let dot = |((rank, p), line): ((&usize, &f64), &usize)| {
            Dot::new(Point::new(*rank as f64, *p), format!("row {line}"))
        };
        let dots: Vec<Dot> = ranks.iter().zip(p).zip(lines).map(dot).collect();
        let labels: Vec<f64> = table.labels.iter().chain(&table.test_labels).copied().collect();
        let class = |rows: Range<usize>, sign: f64| {
            rows.filter(|i| labels[*i] == sign).filter_map(|i| dots.get(i).cloned()).collect::<Vec<_>>()
        };
        let (minus, plus) = (table.class(-1.0), table.class(1.0));
        let even = [1.0, last].map(|x| Point::new(x, 0.5));
        let (train, test) = (0..trained, trained..trained + tested);
        let mut marks = vec![
            Points::new("minus", &minus, Hue::Blue, Marker::Square, class(train.clone(), -1.0)),
            Points::new("plus", &plus, Hue::Orange, Marker::Disc, class(train, 1.0)),
        ];
        if !self.test.is_empty() {
            let named = |class: &str| format!("{class}, test");
            let (below, above) = (class(test.clone(), -1.0), class(test, 1.0));
            marks.push(Points::new("minus_test", named(&minus), Hue::Sky, Marker::Diamond, below));
            marks.push(Points::new("plus_test", named(&plus), Hue::Yellow, Marker::Triangle, above));
        }
        if !self.unlabelled.is_empty() {
            let rest = dots[(trained + tested).min(dots.len())..].to_vec();
            marks.push(Points::new("unlabelled", "no label", Hue::Purple, Marker::Diamond, rest));
        }
        let known = labels.iter().zip(&dots).enumerate();
        let ringed = known.filter(|(i, (label, dot))| wrong(*i, **label, dot.point.y));
        let ringed = ringed.map(|(_, (_, dot))| dot.clone());
        marks.push(Points::new("wrong", "misclassified", Hue::Ink, Marker::Circle, ringed));
        // Room for the signs of the first and last row.
        let edge = (0.02 * last).max(0.5);
        base.x(Axis::linear("rows by the probability of their own label, rank", (1.0 - edge, last + edge)))
            .y(Axis::linear(format!("probability of {plus}"), (-0.02, 1.02)))
            .mark(Curve::new("even", "even odds", Hue::Ink).stroke(Stroke::Dotted).points(even))
            .marks(marks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_improbable_labels_come_first_and_only_labelled_ones_are_ringed() {
        let table = TableSummary {
            label: "y".into(),
            classes: ["no".into(), "yes".into()],
            labels: vec![1.0, -1.0, -1.0],
            lines: vec![2, 4, 6],
            test_labels: vec![1.0],
            test_lines: vec![3],
            unlabelled_lines: vec![5],
            ..TableSummary::default()
        };
        let rows = PredictedRows {
            table: &table,
            left_out: vec![0.9, 0.2, 0.7],
            test: vec![0.4],
            unlabelled: vec![0.1],
        };
        let figure = rows.figure(Figure::new("a", "a"), |_, label, p| (p - 0.5) * label < 0.0);
        let at = |key: &str| {
            let mark = figure.find(key).unwrap_or_else(|| panic!("no {key}"));
            mark.data().map(|datum| (datum.x, datum.y, datum.label)).collect::<Vec<_>>()
        };
        // Probabilities of the own labels: .9, .8, .3 and .4 of the test row.
        assert_eq!(rows.ranks(), [4, 3, 1, 2, 5]);
        assert_eq!(at("plus"), [(4.0, 0.9, "row 2")]);
        assert_eq!(at("minus"), [(3.0, 0.2, "row 4"), (1.0, 0.7, "row 6")]);
        assert_eq!((at("plus_test"), at("minus_test")), (vec![(2.0, 0.4, "row 3")], vec![]));
        assert_eq!(at("unlabelled"), [(5.0, 0.1, "row 5")]);
        assert_eq!(at("wrong"), [(1.0, 0.7, "row 6"), (2.0, 0.4, "row 3")]);
    }
}
