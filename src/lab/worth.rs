//! What a classifier of a table is worth, as every such classifier shows it: its scores beside those of a baseline, and its ROC
//! curve.

use super::baseline::Baseline;
use crate::data::TableSummary;
use crate::figure::{Axis, Curve, Dot, Figure, Hue, Mark, Marker, Point, Points, Stroke};
use crate::math::scores::{PredictiveScores, RocPoint, auc, roc};
use crate::math::stats::Mean;

/// Half the width of a 95 % interval in standard errors.
const NORMAL_95: f64 = 1.96;

/// Key of logistic regression.
pub const LOGISTIC: &str = "logistic";
/// Key of the frequencies of the classes.
pub const FREQUENCIES: &str = "frequencies";

/// What a leave-one-out error well over one half means, for captions.
pub const NO_INFORMATION: &str = " Well over half misclassified means that the columns carry no information: leaving out a row of a \
                                  class makes that class the rarer one.";

/// Whether so many errors among the rows left out are well over one half.
pub fn well_over_half(errors: f64, rows: usize) -> bool {
    errors > 0.6 * rows as f64
}

/// Rows that were predicted in one way.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The key of its curve.
    pub key: &'static str,
    /// By what and of which rows: `TAP, test rows`.
    pub name: String,
    /// Of each row the probability of the positive class, and whether it has it.
    pub rows: Vec<(f64, bool)>,
}

impl Judged {
    /// Probabilities of rows with labels ±1; rows without a prediction (NaN) are left out.
    pub fn new(
        key: &'static str,
        name: impl Into<String>,
        p: impl Iterator<Item = f64>,
        labels: &[f64],
    ) -> Self {
        let rows = p.zip(labels).map(|(p, label)| (p, *label > 0.0)).filter(|(p, _)| p.is_finite());
        Self { key, name: name.into(), rows: rows.collect() }
    }

    /// Its scores.
    pub fn scored(&self) -> Scored {
        let mut scores = PredictiveScores::of(&self.rows);
        if self.key == FREQUENCIES {
            // They rank nothing: leaving a row out only makes its own class a little rarer.
            scores.auc = None;
        }
        Scored { key: self.key, name: self.name.clone(), scores }
    }

    /// The scores of probabilities of rows with labels ±1; nothing where there are none.
    pub fn report(p: impl Iterator<Item = f64>, labels: &[f64]) -> Option<serde_json::Value> {
        let judged = Self::new("", "", p, labels);
        (!judged.rows.is_empty()).then(|| judged.scored().report())
    }

    /// The scores of [`Self::baselines`] by key.
    pub fn report_baselines(table: &TableSummary, baseline: Option<&Baseline>) -> serde_json::Value {
        let all = Self::baselines(table, baseline);
        all.into_iter().map(|judged| (judged.key.to_owned(), judged.scored().report())).collect()
    }

    /// What the same rows are predicted to be by logistic regression, and by the frequencies of the classes in training.
    pub fn baselines(table: &TableSummary, baseline: Option<&Baseline>) -> Vec<Self> {
        let positive = table.labels.iter().filter(|label| **label > 0.0).count() as f64;
        let count = table.labels.len() as f64;
        let (labels, which) = if table.test_labels.is_empty() {
            (&table.labels, "training rows")
        } else {
            (&table.test_labels, "test rows")
        };
        // A training row is predicted from the others, here too.
        let share = |label: &f64| {
            if table.test_labels.is_empty() {
                (positive - f64::from(u8::from(*label > 0.0))) / (count - 1.0).max(1.0)
            } else {
                positive / count
            }
        };
        let frequencies =
            Self::new(FREQUENCIES, format!("frequencies, {which}"), labels.iter().map(share), labels);
        let Some(baseline) = baseline else { return vec![frequencies] };
        let (how, p) = baseline.predictions();
        let logistic = Self::new(LOGISTIC, format!("logistic, {how}"), p.iter().copied(), labels);
        vec![logistic, frequencies]
    }
}

/// Rows that were predicted in one way, as scores.
#[derive(Clone, Debug)]
pub struct Scored {
    /// Which predictions.
    pub key: &'static str,
    /// By what and of which rows: `TAP, test rows`.
    pub name: String,
    /// What the predictions are worth.
    pub scores: PredictiveScores,
}

impl Scored {
    /// Whether it is what a model is compared with.
    fn is_baseline(&self) -> bool {
        [LOGISTIC, FREQUENCIES].contains(&self.key)
    }

    /// The scores by name, each with its standard error.
    pub fn report(&self) -> serde_json::Value {
        let PredictiveScores { error, log_loss, brier, auc } = self.scores;
        let said = |score: Mean| serde_json::json!({ "value": score.mean, "se": score.se });
        serde_json::json!({
            "rows": error.count,
            "error": said(error),
            "log_loss": said(log_loss),
            "brier": said(brier),
            "auc": auc.map(said),
        })
    }
}

/// Error, Brier score and log loss of each of `scored`, with 95 % intervals; the first is the one that the finding is about, and
/// those without rows are left out.
pub fn scores_figure(base: Figure, scored: &[Scored]) -> Figure {
    let scored: Vec<&Scored> = scored.iter().filter(|scored| scored.scores.error.count > 0).collect();
    let names = scored.iter().map(|scored| scored.name.clone()).collect();
    let shown =
        |key: &str, label: &str, hue, marker, of: fn(&PredictiveScores) -> Mean, shift: f64| -> Mark {
            let dots = scored.iter().enumerate().map(|(place, scored)| {
                let Mean { mean, se, count } = of(&scored.scores);
                let point = Point::new(place as f64 + 1.0 + shift, mean);
                // Of a single row, or of rows that agree, there is no spread.
                let point = if se.is_finite() { point.with_se(NORMAL_95 * se) } else { point };
                Dot::new(
                    point,
                    format!("{}: {count} {}", scored.name, if count == 1 { "row" } else { "rows" }),
                )
            });
            Points::new(key, label, hue, marker, dots.collect::<Vec<_>>()).into()
        };
    let marks = [
        shown("log_loss", "log loss (nats)", Hue::Blue, Marker::Disc, |s| s.log_loss, 0.0),
        shown("error", "error rate", Hue::Orange, Marker::Square, |s| s.error, 0.15),
        shown("brier", "Brier score", Hue::Green, Marker::Diamond, |s| s.brier, -0.15),
    ];
    let ends = scored.iter().flat_map(|s| [s.scores.log_loss, s.scores.error, s.scores.brier]);
    let most = ends.map(|score| score.mean + NORMAL_95 * if score.se.is_finite() { score.se } else { 0.0 });
    let most = most.fold(0.1, f64::max);
    let told = |of: &[&Scored]| {
        let each = of.iter().map(|s| format!("{} {:.3}", s.name, s.scores.log_loss.mean));
        each.collect::<Vec<_>>().join("; ")
    };
    let (own, baselines): (Vec<&Scored>, Vec<&Scored>) =
        scored.iter().partition(|scored| !scored.is_baseline());
    let compared: Vec<&Scored> = own.into_iter().take(1).chain(baselines).collect();
    let finding = format!("Log loss in nats (smaller is better): {}.", told(&compared));
    let summary = format!("Log loss in nats: {}.", told(&scored));
    base.x(Axis::categories("predictor", names))
        .y(Axis::linear("score, smaller is better", (0.0, 1.05 * most)))
        .finding(finding)
        .summary(summary)
        .caption(
            "PredictiveScores of the predicted probabilities: log loss (mean of −ln of the probability of the observed class), error rate at \
             probability ½ (of several classes: of the most probable one), and Brier score (mean squared difference of probability \
             and outcome, summed over several classes). Error bars: 95 % intervals over rows. “Logistic” is logistic regression with the same inputs, standardised, and the ridge \
             penalty ½|w|². “Frequencies” predicts every row by the share of its class among the training rows: a useful model has a \
             smaller log loss.",
        )
        .marks(marks)
}

/// The ROC curve of each of `judged` for the class `plus`, with what the decision `threshold` comes to.
pub fn roc_figure(base: Figure, plus: &str, judged: &[Judged], threshold: f64) -> Figure {
    const LOOKS: [(Hue, Stroke, Marker); 4] = [
        (Hue::Orange, Stroke::Solid, Marker::Disc),
        (Hue::Blue, Stroke::Solid, Marker::Square),
        (Hue::Green, Stroke::Dashed, Marker::Diamond),
        (Hue::Purple, Stroke::Dotted, Marker::Triangle),
    ];
    let unit = || (-0.01, 1.01);
    let point = |at: &RocPoint| Point::new(at.false_positives, at.true_positives);
    let mut marks: Vec<Mark> = vec![
        Curve::new("chance", "chance", Hue::Ink)
            .stroke(Stroke::Dotted)
            .points([0.0, 1.0].map(|x| Point::new(x, x)))
            .into(),
    ];
    let mut told = Vec::new();
    for (judged, (hue, stroke, marker)) in judged.iter().zip(LOOKS) {
        let curve = roc(&judged.rows);
        // The last point whose rows are all above the threshold.
        let Some(at) = curve.iter().rfind(|at| at.threshold > threshold).copied() else { continue };
        let line = Curve::new(judged.key, judged.name.as_str(), hue).stroke(stroke);
        marks.push(line.points(curve.iter().map(point)).into());
        let sign = Points::new(
            format!("{}_threshold", judged.key),
            format!("{}, threshold {threshold}", judged.name),
            hue,
            marker,
            [Dot::new(point(&at), format!("threshold {threshold}"))],
        );
        marks.push(sign.into());
        if let Some(auc) = auc(&judged.rows) {
            let interval = if auc.se.is_finite() {
                let end = |sign: f64| (auc.mean + sign * NORMAL_95 * auc.se).clamp(0.0, 1.0);
                format!(" (95 % interval {:.2}–{:.2})", end(-1.0), end(1.0))
            } else {
                String::new()
            };
            told.push(format!("{:.3}{interval} for {}", auc.mean, judged.name));
        }
    }
    if told.is_empty() {
        return base.saying("All predicted rows have the same class, so there is no ROC curve.");
    }
    let finding = format!("Area under the ROC curve: {}.", told.join("; "));
    base.x(Axis::linear(format!("false-positive rate, share of the others predicted {plus}"), unit()))
        .y(Axis::linear(format!("true-positive rate, share of {plus} predicted so"), unit()))
        .equal()
        .finding(finding.clone())
        .summary(finding)
        .caption(format!(
            "ROC curves: true-positive against false-positive rate of {plus} as the decision threshold varies; signs mark the \
             threshold {threshold}. The area is the probability that a row of {plus} is predicted to be more probably so than \
             another row; .5 is chance. Intervals: DeLong et al. (1988)."
        ))
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
    fn baselines_predict_the_rows_that_count() {
        let with = Judged::baselines(&table(), Some(&Baseline::Test(vec![0.8, 0.3])));
        assert_eq!(with[0].rows, [(0.8, true), (0.3, false)]);
        assert_eq!((with[0].name.as_str(), with[1].rows[0]), ("logistic, test rows", (0.25, true)));
        let alone = TableSummary { test_labels: Vec::new(), ..table() };
        let without = Judged::baselines(&alone, Some(&Baseline::TenFold(vec![0.5, f64::NAN, 0.1, 0.2])));
        assert_eq!(without[0].rows.len(), 3, "a row without a prediction is left out");
        assert_eq!(without[1].rows[0], (0.0, true), "without it there is no such row");
        assert_eq!(without[1].rows[1], (1.0 / 3.0, false));
    }

    #[test]
    fn the_figure_names_each_predictor_with_its_log_loss() {
        let judged = [Judged::new("test", "TAP, test rows", [0.9, 0.2].into_iter(), &table().test_labels)];
        let judged: Vec<Judged> = judged.into_iter().chain(Judged::baselines(&table(), None)).collect();
        let scored: Vec<Scored> = judged.iter().map(Judged::scored).collect();
        let figure = scores_figure(Figure::new("s", "S"), &scored);
        let said =
            "Log loss in nats (smaller is better): TAP, test rows 0.164; frequencies, test rows 0.837.";
        assert_eq!(figure.finding, said);
        assert_eq!(figure.x.names.len(), 2);
        assert_eq!(figure.find("error").unwrap().data().count(), 2);
        let [test, frequencies] = [0, 1].map(|i| scored[i].scores.auc.map(|auc| auc.mean));
        assert_eq!((test, frequencies), (Some(1.0), None), "equal probabilities rank nothing");
    }

    #[test]
    fn the_sign_stands_where_the_threshold_decides() {
        let rows = [0.9, 0.6, 0.4, 0.1];
        let labels = [1.0, -1.0, 1.0, -1.0];
        let judged = [Judged::new("test", "test rows", rows.into_iter(), &labels)];
        let at = |threshold| {
            let figure = roc_figure(Figure::new("r", "R"), "y = yes", &judged, threshold);
            let sign = figure.find("test_threshold").unwrap().data().next().unwrap();
            (sign.x, sign.y)
        };
        assert_eq!(at(0.5), (0.5, 0.5));
        assert_eq!(at(0.7), (0.0, 0.5));
        assert_eq!(at(0.6), (0.0, 0.5), "a row at the threshold is not above it");
        assert_eq!((at(0.0), at(1.0)), ((1.0, 1.0), (0.0, 0.0)));
        let figure = roc_figure(Figure::new("r", "R"), "y = yes", &judged, 0.5);
        assert!(
            figure.finding.starts_with("Area under the ROC curve: 0.750 (95 % interval "),
            "{}",
            figure.finding
        );
        let one = [Judged::new("test", "test rows", [0.9].into_iter(), &[1.0])];
        assert!(roc_figure(Figure::new("r", "R"), "y", &one, 0.5).caption.contains("same class"));
    }
}
