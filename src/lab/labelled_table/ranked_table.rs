//! Predictions of the rows of a table with two classes over their rank.

use super::ranked::{RankedRow, ranked_axis, ranked_figure, two_classes};
use super::{ClassifiedTable, EvaluationRows, RowPredictions, TwoClassPrediction};
use crate::figure::{Axis, Curve, Figure, Hue, Marker, Point, Segments, Stroke};

/// Order of the rows in [`ClassifiedTable::ranked_as_evaluated`], for captions.
pub const RANKED: &str = "Rows are sorted by the predicted probability of their own label, lowest first: confident errors, then \
                          uncertain rows, then confident correct ones; rows without a label come last.";
/// Sentence that follows [`RANKED`] if there are test rows.
const TRAINING_ROWS: &str =
    " Training rows are under “More curves”; their ranks are rescaled to the same width.";

impl EvaluationRows {
    /// Returns the name of each labelled row that is shown, for captions, and a sentence, after a blank, on the training rows if test rows
    /// are shown.
    pub fn shown(self) -> (String, &'static str) {
        match self {
            Self::Test => ("test row".to_owned(), TRAINING_ROWS),
            Self::Folds(folds) => (
                format!("training row, predicted from the other folds of a {folds}-fold cross-validation"),
                "",
            ),
            Self::LeftOut => ("training row, predicted from the others".to_owned(), ""),
        }
    }
}

impl ClassifiedTable<'_> {
    /// Returns the figure of the probability of +1 over rank, on that of `base`: labelled rows by the probability of their label, lowest
    /// first, then the others, the least certain first. Labelled rows for which `misses` is true are circled. The predictions are those
    /// that the headline counts; the second element tells how the labelled rows that are shown are predicted. Without a solution the
    /// figure is `base`.
    pub fn ranked_as_evaluated(
        &self,
        base: Figure,
        misses: impl Fn(f64, &TwoClassPrediction) -> bool,
    ) -> (Figure, EvaluationRows) {
        match self.evaluated_predictions() {
            Some((rows, how)) => (self.ranked(base, &rows, how, misses), how),
            None => (base, EvaluationRows::LeftOut),
        }
    }

    /// Returns the predictions that the headline counts and how those of its rows are made. Training rows are predicted by cross-validation
    /// if leave-one-out is too optimistic and a fold is done.
    fn evaluated_predictions(&self) -> Option<(RowPredictions<TwoClassPrediction>, EvaluationRows)> {
        let rows = self.rows.as_ref()?.map(|row| *row);
        Some(match (self.evaluated(), &self.cross_validated) {
            (how @ EvaluationRows::Folds(_), Some(p)) if p.iter().any(|p| p.is_finite()) => {
                let left_out = p.iter().map(|p| TwoClassPrediction { p: *p, latent: None }).collect();
                (RowPredictions { left_out, ..rows }, how)
            }
            (EvaluationRows::Test, _) => (rows, EvaluationRows::Test),
            _ => (rows, EvaluationRows::LeftOut),
        })
    }

    /// Returns the figure of `rows` over rank, in which training rows without a prediction are left out. `how` tells how the labelled rows
    /// that are shown are predicted.
    fn ranked(
        &self,
        base: Figure,
        rows: &RowPredictions<TwoClassPrediction>,
        how: EvaluationRows,
        misses: impl Fn(f64, &TwoClassPrediction) -> bool,
    ) -> Figure {
        let (table, tested) = (self.table, !rows.test.is_empty());
        let labels: Vec<f64> = table.labels.iter().chain(&table.test_labels).copied().collect();
        let lines = [&table.lines, &table.test_lines, &table.unlabelled_lines].into_iter().flatten();
        let row = |(i, (row, line)): (usize, (&TwoClassPrediction, &usize))| {
            let p = row.p;
            let is_hidden = tested && i < table.labels.len();
            let (key, series, misclassified) = match labels.get(i) {
                None => (2.0 + (p - 0.5).abs(), "unlabelled", false),
                Some(label) => {
                    let (plus, train) = (*label > 0.0, i < table.labels.len());
                    let series = match (plus, train) {
                        (false, true) => "minus",
                        (true, true) => "plus",
                        (false, false) => "minus_test",
                        (true, false) => "plus_test",
                    };
                    (if plus { p } else { 1.0 - p }, series, misses(*label, row))
                }
            };
            RankedRow { key, p, label: format!("row {line}"), series, misclassified, is_hidden }
        };
        let drawn = rows.first_file().zip(lines).enumerate().filter(|(_, (row, _))| row.p.is_finite());
        let (latent, ranked): (Vec<Option<(f64, f64)>>, Vec<RankedRow>) =
            drawn.map(|at @ (_, (prediction, _))| (prediction.latent, row(at))).unzip();
        let (minus, plus) = (table.class(-1.0), table.class(1.0));
        let mut series = two_classes([&minus, &plus], tested);
        if !rows.unlabelled.is_empty() {
            series.push(("unlabelled", "no label".to_owned(), Hue::Purple, Marker::Diamond));
        }
        let shown = ranked.iter().filter(|row| !row.is_hidden).count() as f64;
        // Segments, not a curve: a name of a curve would stand at its end, and those of the points beside it.
        let even = [[(1.0, 0.5), (shown, 0.5)]];
        let base = base.y(Axis::linear(format!("probability of {plus}"), (-0.02, 1.02))).mark(Segments::new(
            "even",
            "even odds",
            Hue::Ink,
            Stroke::Dotted,
            even,
        ));
        let x = ranked_axis(tested, !rows.unlabelled.is_empty());
        let (ranks, figure) = ranked_figure(base, x, &how.misclassified_label(), &ranked, series);
        let latent = ranks.iter().zip(latent).filter_map(|(rank, latent)| {
            let (mean, var) = latent?;
            Some(Point::new(*rank, mean).with_se(var.sqrt()))
        });
        let latent: Vec<Point> = latent.collect();
        let latent = (!latent.is_empty()).then(|| {
            Curve::new("field", "latent mean ± sd", Hue::Ink).marker(Marker::Disc).points(latent).hidden()
        });
        figure.marks(latent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::TableSummary;
    use crate::labelled_table::ClassWeights;

    #[test]
    fn rows_with_improbable_labels_come_first_and_only_labelled_rows_are_circled() {
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
        let p = RowPredictions {
            left_out: vec![0.9, 0.2, 0.7],
            test: vec![0.4],
            unlabelled: vec![0.1],
            second: Vec::new(),
        };
        let classified = ClassifiedTable {
            method: "TAP".into(),
            table: &table,
            weights: ClassWeights::Equal,
            rows: Some(p.map(|p| TwoClassPrediction { p: *p, latent: None })),
            cross_validated: None,
            folds: 0,
            is_optimistic: false,
            retrained: Vec::new(),
            baseline: None,
            threshold: 0.5,
        };
        let (figure, how) =
            classified.ranked_as_evaluated(Figure::new("a", "a"), |label, row| (row.p - 0.5) * label < 0.0);
        assert_eq!(how, EvaluationRows::Test);
        let at = |key: &str| {
            let mark = figure.find(key).unwrap_or_else(|| panic!("no {key}"));
            mark.data().map(|datum| (datum.x, datum.y, datum.label)).collect::<Vec<_>>()
        };
        // Only the test row and the unlabelled one are shown. The labels of the training rows, which are hidden, have probabilities .9,
        // .8 and .3: ranks 3, 2 and 1 of 3, spread over the width of two rows.
        let at = |key: &str| {
            at(key).into_iter().map(|(x, y, label)| ((1e6 * x).round() / 1e6, y, label)).collect::<Vec<_>>()
        };
        let hidden = |key: &str| figure.find(key).unwrap().info().hidden;
        assert_eq!(at("plus"), [(2.166667, 0.9, "row 2")]);
        assert_eq!(at("minus"), [(1.5, 0.2, "row 4"), (0.833333, 0.7, "row 6")]);
        assert_eq!((at("plus_test"), at("minus_test")), (vec![(1.0, 0.4, "row 3")], vec![]));
        assert_eq!(at("unlabelled"), [(2.0, 0.1, "row 5")]);
        assert_eq!(at("wrong"), [(1.0, 0.4, "row 3")]);
        let marks = ["minus", "plus", "minus_test", "plus_test", "unlabelled", "wrong"];
        assert_eq!(marks.map(hidden), [true, true, false, false, false, false]);
        assert_eq!(
            (figure.x.label.as_str(), figure.x.range),
            ("test rows from worst to best predicted, then rows without a label", (0.5, 2.5))
        );
        assert!(figure.find("field").is_none());
    }

    /// Rings and the number in the headline are from one test.
    #[test]
    fn training_rows_have_the_predictions_that_the_headline_counts() {
        let table = TableSummary {
            label: "y".into(),
            classes: ["no".into(), "yes".into()],
            labels: vec![1.0, -1.0, -1.0, 1.0],
            lines: vec![2, 3, 4, 5],
            ..TableSummary::default()
        };
        let left_out = vec![0.9, 0.2, 0.1, 0.8];
        let p = RowPredictions { left_out, ..RowPredictions::default() };
        let classified = |cross_validated| ClassifiedTable {
            method: "TAP".into(),
            table: &table,
            weights: ClassWeights::Equal,
            rows: Some(p.map(|p| TwoClassPrediction { p: *p, latent: Some((p - 0.5, 1.0)) })),
            cross_validated,
            folds: 2,
            is_optimistic: true,
            retrained: Vec::new(),
            baseline: None,
            threshold: 0.5,
        };
        let drawn = |classified: &ClassifiedTable<'_>| {
            let base = Figure::new("a", "a");
            let (figure, how) =
                classified.ranked_as_evaluated(base, |label, row| classified.side(row) * label <= 0.0);
            let wrong = figure.find("wrong").unwrap();
            let circled: Vec<(f64, String)> =
                wrong.data().map(|datum| (datum.y, datum.label.to_owned())).collect();
            let rows = ["plus", "minus"].map(|key| figure.find(key).unwrap().len()).iter().sum::<usize>();
            (circled, wrong.info().label.clone(), rows, how)
        };
        let half = classified(Some(vec![0.4, f64::NAN, 0.3, f64::NAN]));
        let (circled, name, rows, how) = drawn(&half);
        assert_eq!((circled, rows, how), (vec![(0.4, "row 2".to_owned())], 2, EvaluationRows::Folds(2)));
        assert_eq!(name, "misclassified (2-fold cross-validation)");
        assert!(half.finding().starts_with("1 of 2 rows is misclassified"), "{}", half.finding());
        let none = classified(Some(vec![f64::NAN; 4]));
        let (circled, name, rows, how) = drawn(&none);
        assert_eq!((circled.len(), rows, how), (0, 4, EvaluationRows::LeftOut));
        assert_eq!(name, "misclassified (leave-one-out)");
        assert_eq!(none.finding(), "No cross-validated predictions yet.");
    }
}
