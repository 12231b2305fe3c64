//! A table with two classes and its predictions: figures, report and file.

use serde_json::{Value, json};

use super::headline::NO_FOLDS_YET;
use super::roc::roc_figure;
use super::scores::{PredictorRows, events};
use super::{
    Baseline, ClassWeights, EvaluationRows, Headline, RecordRow, RowPredictions, TableSettings, empty_figure,
    prediction_records, reliability_figure, scores_figure,
};
use crate::confusion::{Confusion, confusion_figure};
use crate::data::TableSummary;
use crate::figure::{Axis, Figure, Records};
use crate::math::scores::ClassRow;

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
        let baselines = PredictorRows::baselines(table, classified.baseline, weights);
        // The class frequencies, which come last, rank no row above another and have no ROC curve.
        let ranking = predictors.len() + baselines.len() - 1;
        predictors.extend(baselines);
        let scores: Vec<_> = predictors.iter().map(PredictorRows::scores).collect();
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

    /// Returns the rows that the headline counts.
    pub fn evaluated(&self) -> EvaluationRows {
        match &self.rows {
            Some(rows) if !rows.test.is_empty() => EvaluationRows::Test,
            _ if self.is_optimistic => EvaluationRows::Folds(self.folds),
            _ => EvaluationRows::LeftOut,
        }
    }

    /// Evaluates the classifier on the test rows or, if there are none, on the held-out training rows; `None` without predictions.
    pub fn headline(&self) -> Option<Headline> {
        let [left_out, test] = self.events()?;
        let evaluated = self.evaluated();
        let rows = match evaluated {
            EvaluationRows::Test => test,
            EvaluationRows::Folds(_) => Some(self.fold_events()).filter(|rows| !rows.is_empty())?,
            EvaluationRows::LeftOut => left_out,
        };
        let classes = |events: &[(f64, bool)]| -> Vec<ClassRow> {
            events.iter().map(|(p, plus)| (vec![1.0 - p, *p], usize::from(*plus))).collect()
        };
        let baselines = || PredictorRows::baselines(self.table, self.baseline, self.weights);
        let logistic = self.baseline.map(|_| classes(&baselines()[0].rows));
        let counts = self.table.class_counts();
        Some(Headline::new(evaluated, &classes(&rows), &counts, logistic.as_deref(), self.weights))
    }

    /// Returns a sentence with the error rate on held-out rows beside that of logistic regression.
    pub fn finding(&self) -> String {
        self.headline().map_or_else(|| NO_FOLDS_YET.to_owned(), |headline| headline.sentence())
    }

    /// Returns sentences, preceded by a blank, with the interval of that error rate and the error rate of the most frequent class.
    pub fn details(&self) -> String {
        self.headline().map_or_else(String::new, |headline| headline.details())
    }

    /// Returns the classifier's predictions of test rows (if there are any), in leave-one-out (unless that is too optimistic), in
    /// cross-validation, and of rows of the second file with a label.
    fn predictors(&self, [left_out, test]: &[Events; 2]) -> Vec<PredictorRows> {
        let method = &self.method;
        let of = |key, rows: &str, events: &Events| {
            PredictorRows::new(key, format!("{method}, {rows}"), events.iter().copied())
                .weighted(self.weights)
        };
        let test = (!test.is_empty()).then(|| of("test", "test rows", test));
        let cross = self.cross_validated.iter().map(|p| {
            let name = format!("{method}, {} folds", self.folds);
            PredictorRows::new("folds", name, events(p.iter().copied(), &self.table.labels))
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
        let scores = |events: Events| PredictorRows::new("", "", events).weighted(weights).report();
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
            json!(classified.map(|c| PredictorRows::report_baselines(c.table, c.baseline, c.weights)));
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
