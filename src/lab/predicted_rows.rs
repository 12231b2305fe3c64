//! What is predicted of every row of a table of two classes, as every classifier shows it.

use crate::data::TableInfo;
use crate::figure::{Axis, Curve, Figure, Hue, Marker, Point, Stroke};

/// Probabilities of +1 of the rows of a table.
pub struct PredictedRows<'a> {
    /// The rows.
    pub table: &'a TableInfo,
    /// Of each training row as if it had not been seen, m.
    pub left_out: Vec<f64>,
    /// Of each test row.
    pub test: Vec<f64>,
    /// Of each row without a label.
    pub unlabelled: Vec<f64>,
}

impl PredictedRows<'_> {
    /// Their figure on that of `base`, by their place in the file; `wrong` says whether a row of a label with a probability (and
    /// its place among the training rows, then the test rows) is misclassified, and so ringed. Caption and summary are the
    /// model's to add.
    pub fn figure(&self, base: Figure, wrong: impl Fn(usize, f64, f64) -> bool) -> Figure {
        let table = self.table;
        let (trained, tested) = (table.labels.len(), table.test_labels.len());
        let lines = [&table.lines, &table.test_lines, &table.unlabelled_lines].into_iter().flatten();
        let first = lines.clone().min().copied().unwrap_or(0) as f64;
        let last = lines.clone().max().copied().unwrap_or(1) as f64;
        // Room for the signs of the first and last row.
        let edge = 0.02 * (last - first);
        let p = [&self.left_out, &self.test, &self.unlabelled].into_iter().flatten();
        let points: Vec<Point> = lines.zip(p).map(|(line, p)| Point::new(*line as f64, *p)).collect();
        let labels: Vec<f64> = table.labels.iter().chain(&table.test_labels).copied().collect();
        let class = |rows: std::ops::Range<usize>, sign: f64| {
            rows.filter(|i| labels[*i] == sign).filter_map(|i| points.get(i).copied()).collect::<Vec<_>>()
        };
        let (minus, plus) = (table.class(-1.0), table.class(1.0));
        let signs = |key: &str, label: &str, hue, marker, points: Vec<Point>| {
            Curve::new(key, label, hue).marker(marker).points(points)
        };
        let train = 0..trained;
        let mut curves = vec![
            Curve::new("even", "even odds", Hue::Ink)
                .stroke(Stroke::Dotted)
                .points([first, last].map(|x| Point::new(x, 0.5))),
            signs("minus", &minus, Hue::Blue, Marker::Square, class(train.clone(), -1.0)),
            signs("plus", &plus, Hue::Orange, Marker::Disc, class(train, 1.0)),
        ];
        if !self.test.is_empty() {
            let (test, named) = (trained..trained + tested, |class: &str| format!("{class}, test"));
            let (below, above) = (class(test.clone(), -1.0), class(test, 1.0));
            curves.push(signs("minus_test", &named(&minus), Hue::Sky, Marker::Diamond, below));
            curves.push(signs("plus_test", &named(&plus), Hue::Yellow, Marker::Triangle, above));
        }
        if !self.unlabelled.is_empty() {
            let rest = points[(trained + tested).min(points.len())..].to_vec();
            curves.push(signs("unlabelled", "no label", Hue::Purple, Marker::Diamond, rest));
        }
        let known = labels.iter().zip(&points).enumerate();
        let ringed = known.filter(|(i, (label, at))| wrong(*i, **label, at.y)).map(|(_, (_, at))| *at);
        curves.push(signs("wrong", "misclassified", Hue::Ink, Marker::Circle, ringed.collect()));
        base.x(Axis::linear("row of the file", (first - edge, last + edge)))
            .y(Axis::linear(format!("probability of {plus}"), (-0.02, 1.02)))
            .marks(curves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_stands_where_it_is_in_its_file_and_only_labelled_ones_are_ringed() {
        let table = TableInfo {
            label: "y".into(),
            classes: ["no".into(), "yes".into()],
            labels: vec![1.0, -1.0, -1.0],
            lines: vec![2, 4, 6],
            test_labels: vec![1.0],
            test_lines: vec![3],
            unlabelled_lines: vec![5],
            ..TableInfo::default()
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
            mark.data().map(|datum| (datum.x, datum.y)).collect::<Vec<_>>()
        };
        assert_eq!((at("plus"), at("minus")), (vec![(2.0, 0.9)], vec![(4.0, 0.2), (6.0, 0.7)]));
        assert_eq!((at("plus_test"), at("minus_test")), (vec![(3.0, 0.4)], vec![]));
        assert_eq!((at("unlabelled"), at("wrong")), (vec![(5.0, 0.1)], vec![(3.0, 0.4), (6.0, 0.7)]));
    }
}
