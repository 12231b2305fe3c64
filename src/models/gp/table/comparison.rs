//! The difference of inducing points from the full model.

use serde::{Deserialize, Serialize};

use super::Classifier;
use crate::models::gp::inducing_points::describe_preliminary;

/// Scores of the full model and of that by inducing points: both have learnt the same rows, with the same settings, and predict the same
/// others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Number of rows that both have learnt.
    pub rows: usize,
    /// Number of rows that both predict.
    pub tests: usize,
    /// Number of inducing points.
    pub points: usize,
    /// Log loss of the full model, nats.
    pub full: f64,
    /// Log loss of the model by inducing points, nats.
    pub inducing: f64,
    /// Mean absolute difference of the probabilities.
    pub difference: f64,
}

impl Comparison {
    /// Returns a sentence, preceded by a blank.
    pub(super) fn sentence(&self) -> String {
        let Self { rows, tests, points, full, inducing, difference } = self;
        format!(
            " On {rows} random training rows, {points} inducing points and the full model differ by {difference:.4} in the probability of {tests} others, \
             on average; log loss {inducing:.4} and {full:.4}."
        )
    }
}

/// Returns sentences, each preceded by a blank, on the inducing points of a classifier and their difference from the full model; empty
/// without them.
pub(super) fn approximation(classifier: &Classifier) -> String {
    let Some(points) = classifier.solution.as_ref().and_then(|solution| solution.points) else {
        return String::new();
    };
    let rows = classifier.table.labels.len();
    if classifier.is_preliminary() {
        return describe_preliminary(points, rows);
    }
    let comparison = classifier.comparison.as_ref();
    let compared = comparison.map(Comparison::sentence).unwrap_or_default();
    format!(
        " The model is approximate: {points} inducing points stand for {rows} training rows, by sparse expectation propagation (Csató & Opper \
         2002). They are rows of large remaining prior variance.{compared}"
    )
}
