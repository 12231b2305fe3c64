//! A table with two classes and its predictions: figures, report and file.

use serde_json::{Value, json};

use super::headline::NO_FOLDS_YET;
use super::ranked::{RankedRow, ranked_axis, ranked_figure, two_classes};
use super::roc::roc_figure;
use super::scores::{Predictor, events};
use super::{
    Baseline, ClassWeights, EvaluationRows, Headline, RecordRow, RowPredictions, TableSettings, empty_figure,
    prediction_records, reliability_figure, scores_figure,
};
use crate::confusion::{Confusion, confusion_figure};
use crate::data::TableSummary;
use crate::figure::{Axis, Curve, Figure, Hue, Marker, Point, Records, Segments, Stroke};
use crate::math::scores::ClassRow;

/// Order of the rows in [`ClassifiedTable::ranked_figure`], for captions.
pub const RANKED: &str = "Rows are sorted by the predicted probability of their own label, lowest first: confident errors, then \
                          uncertain rows, then confident correct ones; rows without a label come last.";
/// Sentence that follows [`RANKED`] if there are test rows.
pub const TRAINING_ROWS: &str =
    " Training rows are under “More curves”; their ranks are rescaled to the same width.";

/// Prediction of a row of a table with two classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoClassPrediction {
    /// Probability of +1.
    pub p: f64,
    /// Mean and variance of the latent function, if the method has one.
    pub latent: Option<(f64, f64)>,
}

/// A table with two classes, its predictions, and those they are compared with.
pub struct ClassifiedTable<'a> {
    /// Name of the classifier.
    pub method: String,
    /// Rows, columns and labels.
    pub table: &'a TableSummary,
    /// Weights of the classes, by which all predictions but those of the baseline are changed; see [`Self::weighted`].
    pub weights: ClassWeights,
    /// Predictions of the rows; `None` if there is no solution.
    pub rows: Option<RowPredictions<TwoClassPrediction>>,
    /// Cross-validated probabilities of +1 of the training rows, m, NaN where there is none.
    pub cross_validated: Option<Vec<f64>>,
    /// Number of folds of the cross-validation.
    pub folds: usize,
    /// True if leave-one-out is too optimistic, because settings were fitted to the training rows or rows are grouped; folds are
    /// shown instead.
    pub is_optimistic: bool,
    /// Training rows for which the classifier was retrained: leave-one-out probability of +1, and true if the label is +1.
    pub retrained: Vec<(f64, bool)>,
    /// Predictions of logistic regression.
    pub baseline: Option<&'a Baseline>,
    /// Probability above which a row is predicted +1.
    pub threshold: f64,
}

/// Predictions of rows with a label, as (probability of +1, true if the label is +1).
type Events = Vec<(f64, bool)>;

impl ClassifiedTable<'_> {
    /// Returns the figures of scores, confusion matrix, ROC curve and reliability; without a solution (or a table) only their axes.
    pub fn figures(classified: Option<&Self>) -> [Figure; 4] {
        let solved = classified.and_then(|classified| Some((classified, classified.events()?)));
        let Some((classified, events)) = solved else {
            return [
                scores_figure(&[]),
                empty_confusion(),
                roc_figure("", &[], 0.5),
                reliability_figure("", &[], None, &[]),
            ];
        };
        let Self { table, threshold, weights, .. } = *classified;
        let mut predictors = classified.predictors(&events);
        let baselines = Predictor::baselines(table, classified.baseline, weights);
        // The class frequencies, which come last, rank no row above another and have no ROC curve.
        let ranking = predictors.len() + baselines.len() - 1;
        predictors.extend(baselines);
        let scores: Vec<_> = predictors.iter().map(Predictor::scores).collect();
        let plus = table.class(1.0);
        let (train, folds) = classified.training_rows(&events);
        let mut figures = [
            scores_figure(&scores),
            classified.confusion(&events),
            roc_figure(&plus, &predictors[..ranking], threshold),
            reliability_figure(
                &plus,
                &classified.unchanged(&train),
                folds,
                &classified.unchanged(&events[1]),
            ),
        ];
        let [scores, confusion, roc, reliability] = &mut figures;
        scores.caption += weights.on_scores();
        confusion.caption += weights.on_predictions();
        roc.caption += weights.on_predictions();
        reliability.caption += weights.on_unchanged();
        figures
    }

    /// Returns the leave-one-out predictions and those of the test rows, if there is a solution.
    fn events(&self) -> Option<[Events; 2]> {
        let rows = self.rows.as_ref()?;
        let p = |rows: &[TwoClassPrediction]| rows.iter().map(|row| row.p).collect::<Vec<_>>();
        let (train, test) = (&self.table.labels, &self.table.test_labels);
        Some([events(p(&rows.left_out), train).collect(), events(p(&rows.test), test).collect()])
    }

    /// Returns the predictions without class weights, which are comparable with the class frequencies of the rows.
    fn unchanged(&self, events: &Events) -> Events {
        let back = self.shift().inverse();
        events.iter().map(|(p, plus)| (back.of_event(*p), *plus)).collect()
    }

    /// Returns the predictions of the rows of the second file with a label.
    fn second_events(&self) -> Events {
        let second = self.rows.iter().flat_map(|rows| &rows.second).zip(&self.table.second_labels);
        second.filter(|(_, label)| **label != 0.0).map(|(row, label)| (row.p, *label > 0.0)).collect()
    }

    /// Returns the cross-validated predictions of the rows that have one.
    fn fold_events(&self) -> Events {
        let p = self.cross_validated.iter().flatten().copied();
        events(p, &self.table.labels).filter(|(p, _)| p.is_finite()).collect()
    }

    /// Returns the held-out predictions of the training rows: leave-one-out or, if too optimistic, cross-validated, then also with
    /// the number of folds.
    fn training_rows(&self, [left_out, _]: &[Events; 2]) -> (Events, Option<usize>) {
        if self.is_optimistic { (self.fold_events(), Some(self.folds)) } else { (left_out.clone(), None) }
    }

    /// Evaluates the classifier on the test rows or, if there are none, on the held-out training rows; `None` without predictions.
    pub fn headline(&self) -> Option<Headline> {
        let events = self.events()?;
        let (train, folds) = self.training_rows(&events);
        let [_, test] = events;
        let (evaluated, rows) = match folds {
            _ if !test.is_empty() => (EvaluationRows::Test, test),
            Some(_) if train.is_empty() => return None,
            Some(folds) => (EvaluationRows::Folds(folds), train),
            None => (EvaluationRows::LeftOut, train),
        };
        let classes = |events: &[(f64, bool)]| -> Vec<ClassRow> {
            events.iter().map(|(p, plus)| (vec![1.0 - p, *p], usize::from(*plus))).collect()
        };
        let baselines = || Predictor::baselines(self.table, self.baseline, self.weights);
        let logistic = self.baseline.map(|_| classes(&baselines()[0].rows));
        let counts = self.table.class_counts();
        Some(Headline::new(evaluated, &classes(&rows), &counts, logistic.as_deref(), self.weights))
    }

    /// Returns a sentence with the error rate on held-out rows and those of the baselines.
    pub fn finding(&self) -> String {
        self.headline().map_or_else(|| NO_FOLDS_YET.to_owned(), |headline| headline.sentence())
    }

    /// Returns the classifier's predictions of test rows (if there are any), in leave-one-out (unless that is too optimistic), in
    /// cross-validation, and of rows of the second file with a label.
    fn predictors(&self, [left_out, test]: &[Events; 2]) -> Vec<Predictor> {
        let method = &self.method;
        let of = |key, rows: &str, events: &Events| {
            Predictor::new(key, format!("{method}, {rows}"), events.iter().copied()).weighted(self.weights)
        };
        let test = (!test.is_empty()).then(|| of("test", "test rows", test));
        let cross = self.cross_validated.iter().map(|p| {
            let name = format!("{method}, {} folds", self.folds);
            Predictor::new("folds", name, events(p.iter().copied(), &self.table.labels))
                .weighted(self.weights)
        });
        let left_out = (!self.is_optimistic).then(|| of("left_out", "leave-one-out", left_out));
        let second = self.second_events();
        let second = (!second.is_empty()).then(|| of("second", "second file", &second));
        test.into_iter().chain(left_out).chain(cross).chain(second).collect()
    }

    /// Returns the confusion matrices at the threshold: test rows, leave-one-out or cross-validation, and leave-one-out by retraining.
    fn confusion(&self, all: &[Events; 2]) -> Figure {
        let counts = |events: &Events| Confusion::at(self.threshold, events.iter().copied());
        let (train, folds) = self.training_rows(all);
        let (key, name) =
            if folds.is_some() { ("folds", "Cross-validation") } else { ("left_out", "Leave-one-out") };
        let sources = [
            ("test", "Test rows", counts(&all[1])),
            (key, name, counts(&train)),
            ("exact", "Exact leave-one-out", counts(&self.retrained)),
        ];
        let shown: Vec<_> = sources.into_iter().filter(|(.., counts)| !counts.is_empty()).collect();
        let [minus, plus] = self.table.classes.clone();
        confusion_figure(empty_confusion(), &self.table.label, &[plus, minus], &shown)
    }

    /// Returns the report of table, predictions and scores; its entries are null without a table or solution.
    pub fn report(classified: Option<&Self>) -> Value {
        let table = classified.map(|classified| classified.table);
        let prediction = |row: &TwoClassPrediction| match row.latent {
            Some((mean, var)) => json!({ "mean": mean, "var": var, "p": row.p }),
            None => json!({ "p": row.p }),
        };
        let rows = classified.and_then(|classified| Some(classified.rows.as_ref()?.map(prediction)));
        let weights = classified.map_or(ClassWeights::Equal, |classified| classified.weights);
        let scores = |events: Events| Predictor::new("", "", events).weighted(weights).report();
        let predicted = classified.and_then(Self::events).map(|all| all.map(scores));
        let cross = classified.and_then(|classified| {
            let p = classified.cross_validated.clone()?;
            scores(events(p, &classified.table.labels).collect())
        });
        let mut report = report_table(table);
        report["positive"] = json!(table.map(|t| &t.classes[1]));
        report["lines"] = json!(table.map(|t| &t.lines));
        report["test_lines"] = json!(table.map(|t| &t.test_lines));
        report["predictions"] = json!(rows.as_ref().map(|rows| &rows.test));
        report["loo_scores"] = json!(predicted.as_ref().map(|[left_out, _]| left_out));
        report["test_scores"] = json!(predicted.as_ref().map(|[_, test]| test));
        report["cross_validation_scores"] = json!(cross);
        report["baselines"] =
            json!(classified.map(|c| Predictor::report_baselines(c.table, c.baseline, c.weights)));
        report["headline"] = json!(classified.and_then(Self::headline).map(|headline| headline.report()));
        let Some((table, rows)) = table.zip(rows) else { return report };
        if !rows.unlabelled.is_empty() {
            report["unlabelled"] = json!(rows.unlabelled);
            report["unlabelled_lines"] = json!(table.unlabelled_lines);
        }
        if !rows.second.is_empty() {
            let with_line = |(line, mut row): (&usize, Value)| {
                row["line"] = json!(line);
                row
            };
            report["predicted"] = table.second_lines.iter().zip(rows.second).map(with_line).collect();
            let second = classified.map(Self::second_events).filter(|events| !events.is_empty());
            report["predicted_scores"] = json!(second.and_then(scores));
        }
        report
    }

    /// Returns the CSV file of the predictions, if there is a solution.
    pub fn records(&self, settings: &TableSettings) -> Option<Records> {
        let classes =
            |labels: &[f64]| labels.iter().map(|label| usize::from(*label > 0.0)).collect::<Vec<_>>();
        let (train, test) = (classes(&self.table.labels), classes(&self.table.test_labels));
        let rows = self.rows.as_ref()?.map(|row| RecordRow {
            p: vec![1.0 - row.p, row.p],
            latent: row.latent.map(|(mean, var)| (mean, var.sqrt())),
            decision: Some(usize::from(row.p > self.threshold)),
        });
        Some(prediction_records(settings, self.table, &self.table.classes, [&train, &test], &rows))
    }

    /// Returns the figure of the probability of +1 over rank, on that of `base`: labelled rows by the probability of their label, lowest
    /// first, then the others, the least certain first. Labelled rows for which `misses` is true are circled. Without a solution it
    /// is `base`.
    pub fn ranked_figure(&self, base: Figure, misses: impl Fn(f64, &TwoClassPrediction) -> bool) -> Figure {
        let Some(rows) = &self.rows else { return base };
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
        let ranked: Vec<RankedRow> = rows.first_file().zip(lines).enumerate().map(row).collect();
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
        let (ranks, figure) =
            ranked_figure(base, ranked_axis(tested, !rows.unlabelled.is_empty()), &ranked, series);
        let latent = ranks.iter().zip(rows.first_file()).filter_map(|(rank, row)| {
            let (mean, var) = row.latent?;
            Some(Point::new(*rank, mean).with_se(var.sqrt()))
        });
        let latent: Vec<Point> = latent.collect();
        let latent = (!latent.is_empty()).then(|| {
            Curve::new("field", "latent mean ± sd", Hue::Ink).marker(Marker::Disc).points(latent).hidden()
        });
        figure.marks(latent)
    }
}

/// Returns the figure of confusion matrices without any.
pub fn empty_confusion() -> Figure {
    let axis = |label: &str| Axis::linear(label, (0.5, 2.5));
    empty_figure("confusion", "Confusion matrix", axis("predicted class"), axis("true class"))
}

/// Returns the report of rows and columns; its entries are null without a table.
pub fn report_table(table: Option<&TableSummary>) -> Value {
    json!({
        "examples": table.map(|t| t.labels.len()),
        "columns": table.map(|t| &t.names),
        "constant_columns": table.map(|t| &t.constant),
        "treatment": table.map(|t| &t.treated),
        "label": table.map(|t| &t.label),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let figure =
            classified.ranked_figure(Figure::new("a", "a"), |label, row| (row.p - 0.5) * label < 0.0);
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
}
