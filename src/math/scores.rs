//! Scores of predicted probabilities: error, log loss, Brier score, ROC curve and the area under it.

use super::stats::{Mean, mean, order, sorted};

/// Minimum distance of probabilities from 0 and 1 in the log loss, which would be infinite otherwise.
const CLIP: f64 = f64::EPSILON;

/// Weights of the rows in mean scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Averaging {
    /// Each row has the same weight.
    Rows,
    /// Each class that occurs has the same weight, and each row the same as the others of its class.
    Classes,
}

impl Averaging {
    /// Returns the mean of finite values, each with the class of its row. The standard error treats the numbers of rows of the classes as
    /// given.
    pub fn mean(self, values: &[(f64, usize)]) -> Mean {
        let all = mean(values.iter().map(|(value, _)| *value));
        if self == Self::Rows {
            return all;
        }
        let last = values.iter().map(|(_, class)| *class).max().unwrap_or(0);
        let of_class =
            |k: usize| mean(values.iter().filter(|(_, class)| *class == k).map(|(value, _)| *value));
        let each: Vec<Mean> = (0..=last).map(of_class).filter(|of| of.count > 0).collect();
        let classes = each.len() as f64;
        let variance: f64 = each.iter().map(|of| of.se * of.se).sum();
        Mean {
            mean: each.iter().map(|of| of.mean).sum::<f64>() / classes,
            se: variance.sqrt() / classes,
            count: all.count,
        }
    }
}

/// Mean scores with their standard errors over rows. Smaller is better, except for the area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictiveScores {
    /// Share of misclassified rows; a probability of ½ counts half.
    pub error: Mean,
    /// Mean of −ln p(outcome), in nats.
    pub log_loss: Mean,
    /// Mean of (p − outcome)².
    pub brier: Mean,
    /// Area under the ROC curve; `None` if all rows have the same outcome.
    pub auc: Option<Mean>,
}

impl PredictiveScores {
    /// Scores rows of a predicted probability and an outcome, true if the event occurred.
    pub fn of(rows: &[(f64, bool)], averaging: Averaging) -> Self {
        let over = |score: fn(f64, bool) -> f64| {
            let scored = rows.iter().map(|(p, event)| (score(*p, *event), usize::from(*event)));
            averaging.mean(&scored.collect::<Vec<_>>())
        };
        Self {
            error: over(|p, event| match (p - 0.5) * if event { 1.0 } else { -1.0 } {
                0.0 => 0.5,
                right => f64::from(u8::from(right < 0.0)),
            }),
            log_loss: over(log_loss),
            brier: over(|p, event| {
                let miss = p - f64::from(u8::from(event));
                miss * miss
            }),
            auc: auc(rows),
        }
    }
}

/// Returns −ln of the predicted probability of an outcome, in nats: of the event with probability `p` if `event` is true.
pub fn log_loss(p: f64, event: bool) -> f64 {
    -libm::log(if event { p } else { 1.0 - p }.clamp(CLIP, 1.0 - CLIP))
}

/// Returns probabilities divided by their sum; equal ones if all are 0.
pub fn normalised(p: &[f64]) -> Vec<f64> {
    let sum: f64 = p.iter().sum();
    p.iter().map(|x| if sum == 0.0 { 1.0 / p.len() as f64 } else { x / sum }).collect()
}

/// The predicted probabilities of several classes, and the index of the true class.
pub type ClassRow = (Vec<f64>, usize);

impl PredictiveScores {
    /// Scores rows of several classes. A row is misclassified if its class is not the most probable one. The Brier score is summed over
    /// the classes. There is no area.
    pub fn of_classes(rows: &[ClassRow], averaging: Averaging) -> Self {
        let over = |score: fn(&[f64], usize) -> f64| {
            let scored = rows.iter().map(|(p, class)| (score(p, *class), *class));
            averaging.mean(&scored.collect::<Vec<_>>())
        };
        Self {
            error: over(class_error),
            log_loss: over(class_log_loss),
            brier: over(|p, class| {
                let miss = |(k, p): (usize, &f64)| p - f64::from(u8::from(k == class));
                p.iter().enumerate().map(miss).map(|miss| miss * miss).sum()
            }),
            auc: None,
        }
    }
}

/// Returns 0 if `class` is the most probable class, 1 if it is not, and 1 − 1/n if it is tied among n classes.
pub fn class_error(p: &[f64], class: usize) -> f64 {
    let most = p.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let ties = p.iter().filter(|p| **p == most).count() as f64;
    if p[class] < most { 1.0 } else { 1.0 - 1.0 / ties }
}

/// Returns −ln p(class), in nats.
pub fn class_log_loss(p: &[f64], class: usize) -> f64 {
    -libm::log(p[class].clamp(CLIP, 1.0 - CLIP))
}

/// Returns the area under the ROC curve, with the standard error of DeLong, DeLong and Clarke-Pearson (1988); `None` if all rows have
/// the same outcome. It is the probability that a row with the event has a larger predicted probability than one without; ties count
/// half.
pub fn auc(rows: &[(f64, bool)]) -> Option<Mean> {
    let of = |event: bool| -> Vec<f64> {
        let values: Vec<f64> = rows.iter().filter(|row| row.1 == event).map(|row| row.0).collect();
        sorted(&values)
    };
    let (with, without) = (of(true), of(false));
    if with.is_empty() || without.is_empty() {
        return None;
    }
    let above = |sorted: &[f64], p: f64| {
        let (below, upto) = (sorted.partition_point(|x| *x < p), sorted.partition_point(|x| *x <= p));
        (below + upto) as f64 / (2 * sorted.len()) as f64
    };
    let of_with = mean(with.iter().map(|p| above(&without, *p)));
    let of_without = mean(without.iter().map(|p| 1.0 - above(&with, *p)));
    Some(Mean { mean: of_with.mean, se: libm::hypot(of_with.se, of_without.se), count: rows.len() })
}

/// A point of an ROC curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RocPoint {
    /// Smallest probability for which the event is predicted; infinite at the first point.
    pub threshold: f64,
    /// Share of rows without the event for which it is predicted.
    pub false_positives: f64,
    /// Share of rows with the event for which it is predicted.
    pub true_positives: f64,
}

/// Returns the ROC curve from (0, 0) to (1, 1), with a point for each distinct probability; empty if all rows have the same outcome.
pub fn roc(rows: &[(f64, bool)]) -> Vec<RocPoint> {
    let all = rows.iter().filter(|row| row.1).count();
    if all == 0 || all == rows.len() {
        return Vec::new();
    }
    let keys: Vec<f64> = rows.iter().map(|(p, _)| -p).collect();
    let sorted: Vec<(f64, bool)> = order(&keys).into_iter().map(|row| rows[row]).collect();
    let (mut with, mut without) = (0, 0);
    let mut points = vec![RocPoint { threshold: f64::INFINITY, false_positives: 0.0, true_positives: 0.0 }];
    for ties in sorted.chunk_by(|a, b| a.0 == b.0) {
        with += ties.iter().filter(|row| row.1).count();
        without += ties.iter().filter(|row| !row.1).count();
        points.push(RocPoint {
            threshold: ties[0].0,
            false_positives: without as f64 / (rows.len() - all) as f64,
            true_positives: with as f64 / all as f64,
        });
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: [(f64, bool); 6] =
        [(0.9, true), (0.8, false), (0.7, true), (0.4, true), (0.4, false), (0.1, false)];

    #[test]
    fn scores_agree_with_reference_values() {
        let scores = PredictiveScores::of(&ROWS, Averaging::Rows);
        assert!((scores.log_loss.mean - 0.600_658_373_888).abs() < 1e-11, "{scores:?}");
        assert!((scores.brier.mean - 0.211_666_666_667).abs() < 1e-11, "{scores:?}");
        assert!((scores.auc.unwrap().mean - 0.722_222_222_222).abs() < 1e-11, "{scores:?}");
        assert!((scores.error.mean - 2.0 / 6.0).abs() < 1e-15);
        let certain = PredictiveScores::of(&[(1.0, false), (0.0, false), (0.5, true)], Averaging::Rows);
        assert!(certain.log_loss.mean.is_finite());
        assert_eq!(certain.error.mean, 0.5);
        assert_eq!(PredictiveScores::of(&[(0.3, true)], Averaging::Rows).auc, None);
    }

    /// Placements and their covariance as in DeLong et al.
    #[test]
    fn the_standard_error_of_the_area_agrees_with_delong() {
        let of = |event| ROWS.iter().filter(move |row| row.1 == event).map(|row| row.0);
        let psi = |x: f64, y: f64| if x > y { 1.0 } else { f64::from(u8::from(x == y)) / 2.0 };
        let v10: Vec<f64> = of(true).map(|x| of(false).map(|y| psi(x, y)).sum::<f64>() / 3.0).collect();
        let v01: Vec<f64> = of(false).map(|y| of(true).map(|x| psi(x, y)).sum::<f64>() / 3.0).collect();
        let area = v10.iter().sum::<f64>() / 3.0;
        let s = |v: &[f64]| v.iter().map(|v| (v - area) * (v - area)).sum::<f64>() / 2.0 / 3.0;
        let found = auc(&ROWS).unwrap();
        assert!((found.se - (s(&v10) + s(&v01)).sqrt()).abs() < 1e-14, "{found:?}");
    }

    #[test]
    fn the_area_is_the_integral_of_the_roc_curve() {
        let points = roc(&ROWS);
        assert_eq!(points.len(), 6, "two rows are tied");
        let ends = [points[0], points[5]].map(|p| (p.false_positives, p.true_positives));
        assert_eq!(ends, [(0.0, 0.0), (1.0, 1.0)]);
        let area: f64 = points
            .windows(2)
            .map(|w| {
                (w[1].false_positives - w[0].false_positives) * (w[0].true_positives + w[1].true_positives)
                    / 2.0
            })
            .sum();
        assert!((area - auc(&ROWS).unwrap().mean).abs() < 1e-15);
        assert!(roc(&[(0.5, true)]).is_empty());
    }

    #[test]
    fn classes_count_equally_whatever_their_numbers_of_rows() {
        // Error rates 1/4 of the rows without the event, and 1 of the only row with it.
        let rows = [(0.9, false), (0.2, false), (0.3, false), (0.1, false), (0.4, true)];
        let error = |averaging| PredictiveScores::of(&rows, averaging).error;
        assert!((error(Averaging::Rows).mean - 0.4).abs() < 1e-15);
        assert!((error(Averaging::Classes).mean - 0.625).abs() < 1e-15);
        assert!(error(Averaging::Classes).se.is_nan(), "one row has no spread");
        // Where the classes are equally frequent, the means agree.
        let equal = [(0.9, true), (0.4, true), (0.2, false), (0.6, false)];
        let log_loss = |rows: &[(f64, bool)], averaging| PredictiveScores::of(rows, averaging).log_loss;
        let [by_row, by_class] =
            [Averaging::Rows, Averaging::Classes].map(|averaging| log_loss(&equal, averaging));
        assert!((by_row.mean - by_class.mean).abs() < 1e-15);
        let each = [&equal[..2], &equal[2..]].map(|rows| log_loss(rows, Averaging::Rows).se);
        assert!((by_class.se - libm::hypot(each[0], each[1]) / 2.0).abs() < 1e-15);
        // A class without rows does not count: (0 + 1/2)/2.
        let values = [(0.0, 0), (0.0, 2), (1.0, 2)];
        assert_eq!(Averaging::Classes.mean(&values).mean, 0.25);
    }

    #[test]
    fn scores_of_two_classes_agree_with_those_of_an_event() {
        let rows = [(0.9, true), (0.4, true), (0.2, false), (0.5, false)];
        let classes: Vec<_> =
            rows.iter().map(|(p, event)| (vec![1.0 - p, *p], usize::from(*event))).collect();
        for averaging in [Averaging::Rows, Averaging::Classes] {
            let event = PredictiveScores::of(&rows, averaging);
            let both = PredictiveScores::of_classes(&classes, averaging);
            assert_eq!((both.error, both.log_loss, both.auc), (event.error, event.log_loss, None));
            assert!((both.brier.mean - 2.0 * event.brier.mean).abs() < 1e-15);
        }
        let thirds = PredictiveScores::of_classes(&[(vec![1.0 / 3.0; 3], 1)], Averaging::Rows);
        assert!((thirds.error.mean - 2.0 / 3.0).abs() < 1e-15, "{thirds:?}");
        assert!((thirds.log_loss.mean - 3_f64.ln()).abs() < 1e-15);
    }
}
