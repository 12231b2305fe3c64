//! Scores of a classifier's probabilities beside those of its baselines.

use serde_json::{Value, json};

use super::{Baseline, ClassWeights, empty_figure, unit_axis};
use crate::data::{TableSummary, counted};
use crate::figure::{Axis, Dot, Figure, Hue, Mark, Marker, Point, Points};
use crate::math::scores::{ClassRow, PredictiveScores};
use crate::math::stats::Mean;

/// Half-width of a 95 % interval in standard errors.
pub(super) const NORMAL_95: f64 = 1.96;

/// Key of the figure of the scores.
pub(super) const SCORES: &str = "scores";
/// Key of logistic regression.
const LOGISTIC: &str = "logistic";
/// Key of the class frequencies.
const FREQUENCIES: &str = "frequencies";

/// Explanation of a leave-one-out error well over one half, for captions.
pub const NO_INFORMATION: &str = " Well over half misclassified means that the columns carry no information: leaving out a row of a \
                                  class makes that class the rarer one.";

/// Returns true if the number of leave-one-out errors is well over half the rows.
pub fn well_over_half(errors: f64, rows: usize) -> bool {
    errors > 0.6 * rows as f64
}

/// Pairs probabilities of +1 with labels ±1: (probability, true if the label is +1).
pub(super) fn events(p: impl IntoIterator<Item = f64>, labels: &[f64]) -> impl Iterator<Item = (f64, bool)> {
    p.into_iter().zip(labels).map(|(p, label)| (p, *label > 0.0))
}

/// Predicted probabilities and outcomes of the rows that one predictor predicts.
#[derive(Clone, Debug)]
pub struct PredictorRows {
    /// Key of its curve.
    pub key: &'static str,
    /// Method and rows: `TAP, test rows`.
    pub name: String,
    /// Probability of the positive class, and true if the row has that class.
    pub rows: Vec<(f64, bool)>,
    /// Weights of the classes in its scores.
    pub weights: ClassWeights,
}

impl PredictorRows {
    /// Omits rows without a prediction (NaN). The weights of the classes are equal.
    pub fn new(
        key: &'static str,
        name: impl Into<String>,
        rows: impl IntoIterator<Item = (f64, bool)>,
    ) -> Self {
        let rows = rows.into_iter().filter(|(p, _)| p.is_finite()).collect();
        Self { key, name: name.into(), rows, weights: ClassWeights::Equal }
    }

    /// Sets the weights of the classes in its scores.
    #[must_use]
    pub fn weighted(self, weights: ClassWeights) -> Self {
        Self { weights, ..self }
    }

    /// Returns logistic regression, if it is there, and the class frequencies of the training rows as predictors: of the test rows or,
    /// if there are none, of the training rows, each predicted from the others. `weights` are those of the classes, in predictions and
    /// scores.
    pub fn baselines(table: &TableSummary, baseline: Option<&Baseline>, weights: ClassWeights) -> Vec<Self> {
        let shift = weights.shift(&table.class_counts());
        let positive = table.labels.iter().filter(|label| **label > 0.0).count() as f64;
        let count = table.labels.len() as f64;
        let tested = !table.test_labels.is_empty();
        let (labels, rows) =
            if tested { (&table.test_labels, "test rows") } else { (&table.labels, "training rows") };
        let frequency = |label: &f64| {
            if weights.is_balanced() {
                0.5
            } else if tested {
                positive / count
            } else {
                (positive - f64::from(u8::from(*label > 0.0))) / (count - 1.0).max(1.0)
            }
        };
        let p = labels.iter().map(frequency);
        let frequencies = Self::new(FREQUENCIES, format!("frequencies, {rows}"), events(p, labels));
        let logistic = baseline.map(|baseline| {
            let (rows, p) = baseline.predictions();
            let p = p.iter().map(|p| shift.of_event(*p));
            Self::new(LOGISTIC, format!("logistic, {rows}"), events(p, labels))
        });
        logistic.into_iter().chain([frequencies]).map(|predictor| predictor.weighted(weights)).collect()
    }

    /// Computes its scores.
    pub fn scores(&self) -> PredictorScores {
        let mut scores = PredictiveScores::of(&self.rows, self.weights.averaging());
        if self.key == FREQUENCIES {
            // They rank no row above another: leaving a row out only makes its class a little rarer.
            scores.auc = None;
        }
        PredictorScores { key: self.key, name: self.name.clone(), scores }
    }

    /// Returns the report of its scores; `None` without rows.
    pub fn report(&self) -> Option<Value> {
        (!self.rows.is_empty()).then(|| self.scores().report())
    }

    /// Returns the reports of [`Self::baselines`] by key.
    pub fn report_baselines(
        table: &TableSummary,
        baseline: Option<&Baseline>,
        weights: ClassWeights,
    ) -> Value {
        let all = Self::baselines(table, baseline, weights);
        all.into_iter().map(|predictor| (predictor.key.to_owned(), predictor.scores().report())).collect()
    }
}

/// Scores of a predictor.
#[derive(Clone, Debug)]
pub struct PredictorScores {
    /// Key of its marks and of its report.
    pub key: &'static str,
    /// Method and rows: `TAP, test rows`.
    pub name: String,
    /// Scores over its rows.
    pub scores: PredictiveScores,
}

impl PredictorScores {
    /// Computes the scores of rows of several classes.
    pub fn of_classes(key: &'static str, name: String, rows: &[ClassRow], weights: ClassWeights) -> Self {
        Self { key, name, scores: PredictiveScores::of_classes(rows, weights.averaging()) }
    }

    /// Computes the scores of logistic regression with several classes on the given `which` rows.
    pub fn of_logistic(which: &str, rows: &[ClassRow], weights: ClassWeights) -> Self {
        Self::of_classes(LOGISTIC, format!("logistic, {which}"), rows, weights)
    }

    /// Computes the scores of the frequencies of `classes` classes among the training rows: of the test rows or, if there are none, of
    /// the training rows, each predicted from the others. `train` and `test` are the rows' classes.
    pub fn of_frequencies(classes: usize, train: &[usize], test: &[usize], weights: ClassWeights) -> Self {
        let mut counts = vec![0.0; classes];
        for class in train {
            counts[*class] += 1.0;
        }
        let (rows, which, itself) =
            if test.is_empty() { (train, "training rows", 1.0) } else { (test, "test rows", 0.0) };
        let others = (train.len() as f64 - itself).max(1.0);
        let frequencies = |class: usize| {
            if weights.is_balanced() {
                return vec![1.0 / classes as f64; classes];
            }
            let without =
                |(k, count): (usize, &f64)| (count - if k == class { itself } else { 0.0 }) / others;
            counts.iter().enumerate().map(without).collect()
        };
        let rows: Vec<ClassRow> = rows.iter().map(|class| (frequencies(*class), *class)).collect();
        Self::of_classes(FREQUENCIES, format!("frequencies, {which}"), &rows, weights)
    }

    fn is_baseline(&self) -> bool {
        [LOGISTIC, FREQUENCIES].contains(&self.key)
    }

    /// Returns the scores by name, each with its standard error.
    pub fn report(&self) -> Value {
        let PredictiveScores { error, log_loss, brier, auc } = self.scores;
        let score = |score: Mean| json!({ "value": score.mean, "se": score.se });
        json!({
            "rows": error.count,
            "error": score(error),
            "log_loss": score(log_loss),
            "brier": score(brier),
            "auc": auc.map(score),
        })
    }
}

/// Returns the figure of error, Brier score and log loss with 95 % intervals. The finding compares the first predictor with the
/// baselines; predictors without rows are omitted. Without any predictor only the axes are shown.
pub fn scores_figure(predictors: &[PredictorScores]) -> Figure {
    let base = empty_figure(
        SCORES,
        "Scores and baselines",
        unit_axis("predictor"),
        unit_axis("score, smaller is better"),
    );
    let scored: Vec<&PredictorScores> = predictors.iter().filter(|all| all.scores.error.count > 0).collect();
    if scored.is_empty() {
        return base;
    }
    let points =
        |key: &str, label: &str, hue, marker, of: fn(&PredictiveScores) -> Mean, shift: f64| -> Mark {
            let dots = scored.iter().enumerate().map(|(i, scored)| {
                let Mean { mean, se, count } = of(&scored.scores);
                let point = Point::new(i as f64 + 1.0 + shift, mean);
                // The spread of a single row is not finite.
                let point = if se.is_finite() { point.with_se(NORMAL_95 * se) } else { point };
                Dot::new(point, format!("{}: {}", scored.name, counted(count, "row")))
            });
            Points::new(key, label, hue, marker, dots.collect::<Vec<_>>()).into()
        };
    let marks = [
        points("log_loss", "log loss (nats)", Hue::Blue, Marker::Disc, |s| s.log_loss, 0.0),
        points("error", "error rate", Hue::Orange, Marker::Square, |s| s.error, 0.15),
        points("brier", "Brier score", Hue::Green, Marker::Diamond, |s| s.brier, -0.15),
    ];
    let all = scored.iter().flat_map(|s| [s.scores.log_loss, s.scores.error, s.scores.brier]);
    let ends = all.map(|score| score.mean + NORMAL_95 * if score.se.is_finite() { score.se } else { 0.0 });
    let end = ends.fold(0.1, f64::max);
    let log_losses = |of: &[&PredictorScores]| {
        let each = of.iter().map(|s| format!("{} {:.3}", s.name, s.scores.log_loss.mean));
        each.collect::<Vec<_>>().join("; ")
    };
    let (methods, baselines): (Vec<_>, Vec<_>) = scored.iter().partition(|scored| !scored.is_baseline());
    let compared: Vec<&PredictorScores> = methods.into_iter().take(1).chain(baselines).collect();
    base.x(Axis::categories("predictor", scored.iter().map(|scored| scored.name.clone()).collect()))
        .y(Axis::linear("score, smaller is better", (0.0, 1.05 * end)))
        .finding(format!("Log loss in nats (smaller is better): {}.", log_losses(&compared)))
        .summary(format!("Log loss in nats: {}.", log_losses(&scored)))
        .caption(
            "Scores of the predicted probabilities: log loss (mean of −ln of the probability of the observed class), error rate at \
             probability ½ (of several classes: of the most probable one), and Brier score (mean squared difference of probability \
             and outcome, summed over several classes). Error bars: 95 % intervals over rows. “Logistic” is logistic regression with \
             the same inputs, standardised, and the ridge penalty ½|w|². “Frequencies” predicts every row by the share of its class \
             among the training rows: a useful model has a smaller log loss.",
        )
        .marks(marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> TableSummary {
        TableSummary {
            label: "y".into(),
            classes: ["no".into(), "yes".into()],
            labels: vec![1.0, -1.0, -1.0, -1.0],
            test_labels: vec![1.0, -1.0],
            ..TableSummary::default()
        }
    }

    #[test]
    fn baselines_predict_the_test_rows_or_else_the_training_rows() {
        let with =
            PredictorRows::baselines(&table(), Some(&Baseline::Test(vec![0.8, 0.3])), ClassWeights::Equal);
        assert_eq!(with[0].rows, [(0.8, true), (0.3, false)]);
        assert_eq!((with[0].name.as_str(), with[1].rows[0]), ("logistic, test rows", (0.25, true)));
        let alone = TableSummary { test_labels: Vec::new(), ..table() };
        let folds = Baseline::TenFold(vec![0.5, f64::NAN, 0.1, 0.2]);
        let without = PredictorRows::baselines(&alone, Some(&folds), ClassWeights::Equal);
        assert_eq!(without[0].rows.len(), 3, "a row without a prediction is omitted");
        assert_eq!(without[1].rows[0], (0.0, true), "no other row has its class");
        assert_eq!(without[1].rows[1], (1.0 / 3.0, false));
    }

    #[test]
    fn frequencies_of_two_classes_are_those_of_several() {
        let rows = |labels: &[f64]| labels.iter().map(|label| usize::from(*label > 0.0)).collect::<Vec<_>>();
        for table in [table(), TableSummary { test_labels: Vec::new(), ..table() }] {
            for weights in [ClassWeights::Equal, ClassWeights::Balanced] {
                let two = PredictorRows::baselines(&table, None, weights)[0].scores();
                let (train, test) = (rows(&table.labels), rows(&table.test_labels));
                let several = PredictorScores::of_frequencies(2, &train, &test, weights);
                assert_eq!(two.name, several.name);
                let log_losses = [two, several].map(|scored| scored.scores.log_loss.mean);
                assert!((log_losses[0] - log_losses[1]).abs() < 1e-12);
                if weights.is_balanced() {
                    assert!((log_losses[0] - core::f64::consts::LN_2).abs() < 1e-15);
                }
            }
        }
    }

    #[test]
    fn the_figure_names_each_predictor_with_its_log_loss() {
        let tap = PredictorRows::new("test", "TAP, test rows", [(0.9, true), (0.2, false)]);
        let all = [tap].into_iter().chain(PredictorRows::baselines(&table(), None, ClassWeights::Equal));
        let scores: Vec<_> = all.map(|predictor| predictor.scores()).collect();
        let figure = scores_figure(&scores);
        let finding =
            "Log loss in nats (smaller is better): TAP, test rows 0.164; frequencies, test rows 0.837.";
        assert_eq!(figure.finding, finding);
        assert_eq!(figure.x.names.len(), 2);
        assert_eq!(figure.find("error").unwrap().data().count(), 2);
        let [test, frequencies] = [0, 1].map(|i| scores[i].scores.auc.map(|auc| auc.mean));
        assert_eq!((test, frequencies), (Some(1.0), None), "equal probabilities rank nothing");
    }
}
