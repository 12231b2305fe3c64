//! Error rate of a classifier on held-out rows, beside those of the baselines.

use serde_json::{Value, json};

use crate::math::scores::{ClassRow, class_error, class_log_loss};
use crate::math::stats::{binomial_interval, mean};

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
    /// Returns the name of the error rate.
    fn error_name(self) -> String {
        match self {
            Self::Test => "Test error".to_owned(),
            Self::Folds(folds) => format!("{folds}-fold cross-validation error"),
            Self::LeftOut => "Leave-one-out error".to_owned(),
        }
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
    rows: usize,
    /// Number of misclassified rows; a tie counts as a fraction of an error.
    errors: f64,
    /// Error rate of predicting the most frequent class of the training rows.
    majority: f64,
    /// Error rate of logistic regression, if available.
    logistic: Option<f64>,
    /// Log loss in nats.
    log_loss: f64,
    /// True if the log loss is not significantly below that of the class frequencies.
    is_chance: bool,
}

impl Headline {
    /// Evaluates a classifier by its predictions of `rows`, given the number of training rows of each class and the predictions of logistic
    /// regression.
    pub fn new(
        evaluated: EvaluationRows,
        rows: &[ClassRow],
        counts: &[usize],
        logistic: Option<&[ClassRow]>,
    ) -> Self {
        let most = counts.iter().max();
        let majority = (0..counts.len()).find(|k| counts.get(*k) == most);
        let is_minority = |(_, class): &&ClassRow| Some(*class) != majority;
        let train = counts.iter().sum::<usize>().max(1) as f64;
        let frequencies: Vec<f64> = counts.iter().map(|count| *count as f64 / train).collect();
        let log_loss = mean(rows.iter().map(|(p, class)| class_log_loss(p, *class))).mean;
        let gain = |(p, class): &ClassRow| class_log_loss(&frequencies, *class) - class_log_loss(p, *class);
        let gain = mean(rows.iter().map(gain));
        let error = |rows: &[ClassRow]| rows.iter().map(|(p, class)| class_error(p, *class)).sum::<f64>();
        let share = |errors: f64, rows: usize| errors / rows.max(1) as f64;
        Self {
            evaluated,
            rows: rows.len(),
            errors: error(rows),
            majority: share(rows.iter().filter(is_minority).count() as f64, rows.len()),
            logistic: logistic.filter(|rows| !rows.is_empty()).map(|rows| share(error(rows), rows.len())),
            log_loss,
            // A single row gives no standard error.
            is_chance: gain.se.is_finite() && gain.mean <= ONE_SIDED * gain.se,
        }
    }

    /// Returns the error rate with its 95 % interval and the baselines:
    /// `Test error 20.8 % (5 of 24; 95 % interval 7–42 %). Logistic regression: 25.0 %, no clear difference. Majority class: 45.8 %.`
    pub fn sentence(&self) -> String {
        let Self { evaluated, rows, errors, majority, logistic, is_chance, .. } = *self;
        let name = evaluated.error_name();
        if rows == 0 {
            return match evaluated {
                EvaluationRows::Folds(_) => NO_FOLDS_YET.to_owned(),
                EvaluationRows::Test | EvaluationRows::LeftOut => format!("{name}: no rows."),
            };
        }
        let (low, _) = binomial_interval(errors.floor() as usize, rows);
        let (_, high) = binomial_interval((errors.ceil() as usize).min(rows), rows);
        let chance = if is_chance { ", no better than chance" } else { "" };
        let logistic = logistic.map_or(String::new(), |error| {
            let verdict = match error {
                error if error > high => "clearly worse",
                error if error < low => "clearly better",
                _ => "no clear difference",
            };
            format!(" Logistic regression: {:.1} %, {verdict}.", 100.0 * error)
        });
        format!(
            "{name} {:.1} % ({errors} of {rows}; 95 % interval {:.0}–{:.0} %){chance}.{logistic} Majority class: {:.1} %.",
            100.0 * errors / rows as f64,
            100.0 * low,
            100.0 * high,
            100.0 * majority
        )
    }

    /// Returns the log loss in nats.
    pub fn log_loss(&self) -> f64 {
        self.log_loss
    }

    /// Returns the same numbers as JSON.
    pub fn report(&self) -> Value {
        json!({
            "rows": self.evaluated.word(),
            "count": self.rows,
            "errors": self.errors,
            "majority_error": self.majority,
            "logistic_error": self.logistic,
            "better_than_chance": !self.is_chance,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns rows of two classes, each with the given probability of its true class.
    fn rows(of: &[(f64, usize)]) -> Vec<ClassRow> {
        let row = |(p, class): &(f64, usize)| {
            (if *class == 0 { vec![*p, 1.0 - p] } else { vec![1.0 - p, *p] }, *class)
        };
        of.iter().map(row).collect()
    }

    #[test]
    fn the_sentence_has_an_interval_and_the_baselines() {
        let right: Vec<(f64, usize)> =
            (0..24).map(|i| (if i < 5 { 0.2 } else { 0.9 }, usize::from(i < 11))).collect();
        let headline =
            Headline::new(EvaluationRows::Test, &rows(&right), &[30, 20], Some(&rows(&right[..6])));
        assert_eq!(
            headline.sentence(),
            "Test error 20.8 % (5 of 24; 95 % interval 7–42 %). Logistic regression: 83.3 %, clearly worse. Majority class: 45.8 %."
        );
        let tie = Headline::new(EvaluationRows::Folds(5), &rows(&[(0.5, 0), (0.9, 1)]), &[9, 9], None);
        assert_eq!(tie.errors, 0.5);
        assert!(
            tie.sentence()
                .starts_with("5-fold cross-validation error 25.0 % (0.5 of 2; 95 % interval 0–99 %)")
        );
    }

    #[test]
    fn confident_noise_and_the_share_of_a_rare_class_are_no_better_than_chance() {
        let is_chance = |rows: &[ClassRow], counts: &[usize]| {
            let headline = Headline::new(EvaluationRows::LeftOut, rows, counts, None);
            assert_eq!(headline.sentence().contains("no better than chance"), headline.is_chance);
            assert_eq!(headline.report()["better_than_chance"], !headline.is_chance);
            headline.is_chance
        };
        let noise: Vec<(f64, usize)> = (0..60).map(|i| (if i % 2 == 0 { 0.9 } else { 0.1 }, i % 2)).collect();
        assert!(is_chance(&rows(&noise), &[30, 30]));
        // Classes in the ratio 1:50, and the rare one is never predicted: the error rate equals its share.
        let rare: Vec<(f64, usize)> = (0..102).map(|i| if i < 2 { (0.02, 1) } else { (0.98, 0) }).collect();
        assert!(is_chance(&rows(&rare), &[100, 2]));
        let learnt: Vec<(f64, usize)> = (0..60).map(|i| (if i < 6 { 0.3 } else { 0.8 }, i % 2)).collect();
        assert!(!is_chance(&rows(&learnt), &[30, 30]));
    }
}
