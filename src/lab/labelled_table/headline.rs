//! Error rate of a classifier on held-out rows, beside those of the baselines.

use serde_json::{Value, json};

use super::ClassWeights;
use crate::math::scores::{ClassRow, class_error, class_log_loss};
use crate::math::stats::binomial_interval;

/// Number of standard errors by which the log loss must be below that of the class frequencies: a one-sided test at 5 %.
const ONE_SIDED: f64 = 1.645;

/// Sentence before the first result of the folds.
pub const NO_FOLDS_YET: &str = "No cross-validated predictions yet.";

/// Rows on which a classifier is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluationRows {
    /// Test rows.
    Test,
    /// Training rows, by cross-validation with this number of folds.
    Folds(usize),
    /// Training rows, by leave-one-out.
    LeftOut,
}

impl EvaluationRows {
    /// Returns the label of the circles around misclassified rows.
    pub fn misclassified_label(self) -> String {
        match self {
            Self::Test => "misclassified test row".to_owned(),
            Self::Folds(folds) => format!("misclassified ({folds}-fold cross-validation)"),
            Self::LeftOut => "misclassified (leave-one-out)".to_owned(),
        }
    }

    /// Returns the beginning of a sentence on the number of `errors` in a number of rows.
    fn describe_errors(self, errors: f64, rows: usize) -> String {
        let (test, how) = match self {
            Self::Test => ("test ", String::new()),
            Self::Folds(folds) => ("", format!(" in {folds}-fold cross-validation")),
            Self::LeftOut => ("", " in leave-one-out".to_owned()),
        };
        let are = if errors == 1.0 { "is" } else { "are" };
        format!("{errors} of {rows} {test}rows {are} misclassified{how}")
    }

    /// Returns the word for reports.
    fn word(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Folds(_) => "folds",
            Self::LeftOut => "left_out",
        }
    }
}

/// The error rate of a classifier beside those of the majority class and of logistic regression.
#[derive(Clone, Debug, PartialEq)]
pub struct Headline {
    evaluated: EvaluationRows,
    weights: ClassWeights,
    /// Number of rows, and of misclassified ones, of each class that occurs; a tie counts as a fraction of an error.
    classes: Vec<(usize, f64)>,
    /// Error rate of predicting the most frequent class of the training rows.
    majority: f64,
    /// Error rate of logistic regression, if available.
    logistic: Option<f64>,
    /// Log loss in nats.
    log_loss: f64,
    /// True if the log loss is not significantly below that of the class frequencies; `None` if the rows give no standard error.
    is_chance: Option<bool>,
}

impl Headline {
    /// Evaluates a classifier by its predictions of `rows`, given the number of training rows of each class and the predictions of logistic
    /// regression. `weights` are those of the classes in all means; probabilities are already changed by them.
    pub fn new(
        evaluated: EvaluationRows,
        rows: &[ClassRow],
        counts: &[usize],
        logistic: Option<&[ClassRow]>,
        weights: ClassWeights,
    ) -> Self {
        let most = counts.iter().max();
        let majority = (0..counts.len()).find(|k| counts.get(*k) == most);
        let over = |rows: &[ClassRow], score: &dyn Fn(&[f64], usize) -> f64| {
            let scored: Vec<_> = rows.iter().map(|(p, class)| (score(p, *class), *class)).collect();
            weights.averaging().mean(&scored)
        };
        let is_minority = |_: &[f64], class: usize| f64::from(u8::from(Some(class) != majority));
        let train = counts.iter().sum::<usize>().max(1) as f64;
        let frequencies: Vec<f64> = counts.iter().map(|count| *count as f64 / train).collect();
        let frequencies = weights.shift(counts).of_classes(&frequencies);
        let gain = over(rows, &|p, class| class_log_loss(&frequencies, class) - class_log_loss(p, class));
        let of_class = |k: usize| {
            let errors =
                rows.iter().filter(|(_, class)| *class == k).map(|(p, class)| class_error(p, *class));
            (errors.clone().count(), errors.sum::<f64>())
        };
        Self {
            evaluated,
            weights,
            classes: (0..counts.len()).map(of_class).filter(|(rows, _)| *rows > 0).collect(),
            majority: over(rows, &is_minority).mean,
            logistic: logistic.filter(|rows| !rows.is_empty()).map(|rows| over(rows, &class_error).mean),
            log_loss: over(rows, &class_log_loss).mean,
            // A single row, overall or in a separately weighted class, gives no standard error.
            is_chance: gain.se.is_finite().then_some(gain.mean <= ONE_SIDED * gain.se),
        }
    }

    /// Returns the number of rows.
    fn rows(&self) -> usize {
        self.classes.iter().map(|(rows, _)| rows).sum()
    }

    /// Returns the number of misclassified rows.
    fn errors(&self) -> f64 {
        self.classes.iter().map(|(_, errors)| errors).sum()
    }

    /// Returns the error rate with its 95 % interval. That of balanced classes combines the intervals of the classes (Zou and Donner,
    /// Statistics in Medicine 27, 1693 (2008)).
    fn error(&self) -> [f64; 3] {
        let interval = |rows: usize, errors: f64| {
            let (low, _) = binomial_interval(errors.floor() as usize, rows);
            let (_, high) = binomial_interval((errors.ceil() as usize).min(rows), rows);
            [errors / rows as f64, low, high]
        };
        if !self.weights.is_balanced() {
            return interval(self.rows(), self.errors());
        }
        let each: Vec<[f64; 3]> =
            self.classes.iter().map(|(rows, errors)| interval(*rows, *errors)).collect();
        let count = each.len() as f64;
        let distance = |end: usize| {
            let squares = each.iter().map(|class| (class[end] - class[0]) * (class[end] - class[0]));
            squares.sum::<f64>().sqrt() / count
        };
        let mean = each.iter().map(|class| class[0]).sum::<f64>() / count;
        [mean, mean - distance(1), mean + distance(2)]
    }

    /// Returns the error rate beside that of logistic regression, and beside that of the most frequent class if that is as good:
    /// `5 of 24 test rows are misclassified: 20.8 %; logistic regression: 25.0 %, no clear difference (24 rows).`
    pub fn sentence(&self) -> String {
        let Self { evaluated, weights, majority, logistic, is_chance, .. } = *self;
        let (rows, errors) = (self.rows(), self.errors());
        if rows == 0 {
            return match evaluated {
                EvaluationRows::Folds(_) => NO_FOLDS_YET.to_owned(),
                EvaluationRows::Test => "No test rows.".to_owned(),
                EvaluationRows::LeftOut => "No rows.".to_owned(),
            };
        }
        let [error, low, high] = self.error();
        let balanced = if weights.is_balanced() {
            format!(". Balanced error (mean over {} classes)", self.classes.len())
        } else {
            String::new()
        };
        let chance = if is_chance == Some(true) { ", no better than chance" } else { "" };
        let logistic = logistic.map_or(String::new(), |error| {
            let verdict = match error {
                error if error > high => "clearly worse".to_owned(),
                error if error < low => "clearly better".to_owned(),
                _ => format!("no clear difference ({rows} rows)"),
            };
            format!("; logistic regression: {:.1} %, {verdict}", 100.0 * error)
        });
        let as_good = if majority <= error { self.most_frequent() } else { String::new() };
        format!(
            "{}{balanced}: {:.1} %{chance}{logistic}.{as_good}",
            evaluated.describe_errors(errors, rows),
            100.0 * error,
        )
    }

    /// Returns sentences, preceded by a blank, with the 95 % interval of the error rate and the error rate of the most frequent class; empty
    /// without rows.
    pub fn details(&self) -> String {
        if self.rows() == 0 {
            return String::new();
        }
        let [_, low, high] = self.error().map(|rate| 100.0 * rate);
        format!(" 95 % interval of the error: {low:.0}–{high:.0} %.{}", self.most_frequent())
    }

    /// Returns a sentence, preceded by a blank, with the error rate of the most frequent class.
    fn most_frequent(&self) -> String {
        format!(" Always predicting the most frequent class: {:.1} %.", 100.0 * self.majority)
    }

    /// Returns the log loss in nats.
    pub fn log_loss(&self) -> f64 {
        self.log_loss
    }

    /// Returns the name of the log loss.
    pub fn log_loss_name(&self) -> &'static str {
        if self.weights.is_balanced() { "balanced log loss" } else { "log loss" }
    }

    /// Returns the same numbers as JSON.
    pub fn report(&self) -> Value {
        let mut report = json!({
            "rows": self.evaluated.word(),
            "count": self.rows(),
            "errors": self.errors(),
            "majority_error": self.majority,
            "logistic_error": self.logistic,
            "better_than_chance": self.is_chance.map(|is_chance| !is_chance),
        });
        if self.weights.is_balanced() {
            report["balanced_error"] = json!((self.rows() > 0).then(|| self.error()[0]));
        }
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EQUAL: ClassWeights = ClassWeights::Equal;

    /// Returns rows of two classes, each with the given probability of its true class.
    fn rows(of: &[(f64, usize)]) -> Vec<ClassRow> {
        let row = |(p, class): &(f64, usize)| {
            (if *class == 0 { vec![*p, 1.0 - p] } else { vec![1.0 - p, *p] }, *class)
        };
        of.iter().map(row).collect()
    }

    #[test]
    fn the_sentence_has_a_baseline_and_the_details_an_interval() {
        let right: Vec<(f64, usize)> =
            (0..24).map(|i| (if i < 5 { 0.2 } else { 0.9 }, usize::from(i < 11))).collect();
        let headline =
            Headline::new(EvaluationRows::Test, &rows(&right), &[30, 20], Some(&rows(&right[..6])), EQUAL);
        assert_eq!(
            headline.sentence(),
            "5 of 24 test rows are misclassified: 20.8 %; logistic regression: 83.3 %, clearly worse."
        );
        let details =
            " 95 % interval of the error: 7–42 %. Always predicting the most frequent class: 45.8 %.";
        assert_eq!(headline.details(), details);
        let tie = Headline::new(EvaluationRows::Folds(5), &rows(&[(0.5, 0), (0.9, 1)]), &[9, 9], None, EQUAL);
        assert_eq!(tie.errors(), 0.5);
        assert_eq!(
            tie.sentence(),
            "0.5 of 2 rows are misclassified in 5-fold cross-validation: 25.0 %, no better than chance."
        );
        assert!(tie.details().starts_with(" 95 % interval of the error: 0–99 %."));
    }

    /// One row in twenty is of the rarer class: the majority class has an error rate of 5 %, and a balanced one of one half.
    #[test]
    fn a_balanced_error_rate_is_the_mean_over_the_classes() {
        let of: Vec<(f64, usize)> = (0..200)
            .map(|i| match i {
                0..4 => (0.2, 1),
                4..10 => (0.8, 1),
                10..29 => (0.4, 0),
                _ => (0.9, 0),
            })
            .collect();
        let of =
            |weights| Headline::new(EvaluationRows::Test, &rows(&of), &[190, 10], Some(&rows(&of)), weights);
        let balanced = of(ClassWeights::Balanced);
        let sentence = balanced.sentence();
        assert!(sentence.starts_with(
            "23 of 200 test rows are misclassified. Balanced error (mean over 2 classes): 25.0 %; "
        ));
        assert!(
            sentence.ends_with("logistic regression: 25.0 %, no clear difference (200 rows)."),
            "{sentence}"
        );
        let [error, low, high] = balanced.error();
        // Nearly all uncertainty is that of the ten rows, 4 of 10: Clopper and Pearson's interval is .122–.738.
        assert!(
            (error - 0.25).abs() < 1e-12 && (low - 0.11).abs() < 0.005 && (high - 0.42).abs() < 0.005,
            "{low} {high}"
        );
        let report = balanced.report();
        assert_eq!((&report["errors"], &report["majority_error"]), (&23.0.into(), &0.5.into()));
        assert!((report["balanced_error"].as_f64().unwrap() - 0.25).abs() < 1e-12);
        let equal = of(EQUAL);
        assert!(
            equal.sentence().starts_with("23 of 200 test rows are misclassified: 11.5 %")
                && equal.sentence().ends_with(" Always predicting the most frequent class: 5.0 %.")
        );
        assert!(equal.report().get("balanced_error").is_none());
    }

    #[test]
    fn confident_noise_and_the_share_of_a_rare_class_are_no_better_than_chance() {
        let is_chance = |rows: &[ClassRow], counts: &[usize]| {
            let headline = Headline::new(EvaluationRows::LeftOut, rows, counts, None, EQUAL);
            let is_chance = headline.is_chance.unwrap();
            assert_eq!(headline.sentence().contains("no better than chance"), is_chance);
            assert_eq!(headline.report()["better_than_chance"], !is_chance);
            is_chance
        };
        let noise: Vec<(f64, usize)> = (0..60).map(|i| (if i % 2 == 0 { 0.9 } else { 0.1 }, i % 2)).collect();
        assert!(is_chance(&rows(&noise), &[30, 30]));
        // Classes in the ratio 1:50, and the rare one is never predicted: the error rate equals its share.
        let rare: Vec<(f64, usize)> = (0..102).map(|i| if i < 2 { (0.02, 1) } else { (0.98, 0) }).collect();
        assert!(is_chance(&rows(&rare), &[100, 2]));
        // The only row of a class has half of the weight, and no standard error.
        let single: Vec<(f64, usize)> = (0..60).map(|i| (0.9, usize::from(i == 0))).collect();
        let balanced =
            Headline::new(EvaluationRows::Test, &rows(&single), &[59, 1], None, ClassWeights::Balanced);
        assert!(balanced.report()["better_than_chance"].is_null(), "{balanced:?}");
        assert!(!balanced.sentence().contains("chance"));
        let learnt: Vec<(f64, usize)> = (0..60).map(|i| (if i < 6 { 0.3 } else { 0.8 }, i % 2)).collect();
        assert!(!is_chance(&rows(&learnt), &[30, 30]));
    }
}
