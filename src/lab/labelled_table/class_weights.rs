//! Class weights: probabilities and scores for a population in which all classes are equally frequent.
//!
//! The likelihood of a probabilistic classifier has no row weights. The frequencies of the classes are part of its probabilities instead, so
//! a change of the frequencies is a change of the odds (Saerens, Latinne and Decaestecker, Neural Computation 14, 21 (2002)).

use crate::field::{Group, Role};
use crate::math::scores::Averaging;
use crate::{TypedField, choice};

crate::choice! {
    /// Weights of the classes.
    pub enum ClassWeights {
        /// As frequent as in the table.
        Equal = "equal" "equal for all rows",
        /// All classes equally frequent.
        Balanced = "balanced" "balanced: equal for all classes",
    }
}

/// Weights of the classes in predictions and scores.
pub const CLASS_WEIGHTS: TypedField<ClassWeights> = choice()
    .label("Class weights")
    .help(
        "Choose balanced if errors on a rare class matter as much as those on a frequent one. Each probability is divided by the frequency of \
         its class in the training rows, and the results are normalised. This gives predictions for a population in which all classes are \
         equally frequent. Each class then has the same weight in error rates, log losses and Brier scores; 1 − error is the balanced accuracy. \
         With two classes, ranks and areas under ROC curves are not affected. The setting changes predictions and scores, not the fit.",
    )
    .group(Group::Run)
    .role(Role::Display);

/// Sentence on balanced class weights, for captions of predictions.
const BALANCED_PREDICTIONS: &str =
    " Class weights are balanced: the probabilities are those for equally frequent classes.";
/// The same, for captions of scores.
const BALANCED_SCORES: &str = " Class weights are balanced: the probabilities are those for equally frequent classes, and each class has the \
                               same weight in every mean score.";
/// Sentence for captions of figures that do not depend on class weights.
const UNBALANCED: &str = " Computed with the class frequencies of the table; class weights are not applied.";

impl ClassWeights {
    /// Returns the weights of the rows in mean scores.
    pub fn averaging(self) -> Averaging {
        match self {
            Self::Equal => Averaging::Rows,
            Self::Balanced => Averaging::Classes,
        }
    }

    /// Returns true if all classes count the same.
    pub fn is_balanced(self) -> bool {
        self == Self::Balanced
    }

    /// Returns the change of probabilities that are learnt from `counts` rows of each class.
    pub fn shift(self, counts: &[usize]) -> PriorShift {
        // A class without training rows cannot be predicted: its factor is without effect.
        let factor = |count: &usize| 1.0 / (*count).max(1) as f64;
        PriorShift { factors: self.is_balanced().then(|| counts.iter().map(factor).collect()) }
    }

    /// Returns a sentence for captions of predictions; empty if rows count the same.
    pub fn on_predictions(self) -> &'static str {
        if self.is_balanced() { BALANCED_PREDICTIONS } else { "" }
    }

    /// Returns a sentence for captions of scores; empty if rows count the same.
    pub fn on_scores(self) -> &'static str {
        if self.is_balanced() { BALANCED_SCORES } else { "" }
    }

    /// Returns a sentence for captions of probabilities that are not changed; empty if rows count the same.
    pub fn on_unchanged(self) -> &'static str {
        if self.is_balanced() { UNBALANCED } else { "" }
    }
}

/// Change of the frequencies of classes by factors.
#[derive(Clone, Debug, PartialEq)]
pub struct PriorShift {
    /// A factor for each class; `None` if nothing changes.
    factors: Option<Vec<f64>>,
}

impl PriorShift {
    /// Returns the probabilities of the classes, each times its factor, normalised.
    pub fn of_classes(&self, p: &[f64]) -> Vec<f64> {
        let Some(factors) = &self.factors else { return p.to_vec() };
        let weighted: Vec<f64> = p.iter().zip(factors).map(|(p, factor)| p * factor).collect();
        let sum: f64 = weighted.iter().sum();
        weighted.iter().map(|p| p / sum).collect()
    }

    /// Returns the probability of the second of two classes.
    pub fn of_event(&self, p: f64) -> f64 {
        let Some([minus, plus]) = self.factors.as_deref() else { return p };
        let (no, yes) = ((1.0 - p) * minus, p * plus);
        yes / (no + yes)
    }

    /// Returns the inverse change.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self { factors: self.factors.as_ref().map(|of| of.iter().map(|factor| 1.0 / factor).collect()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two Gaussian classes of unit variance at ±1, with 95 % of the rows in the first: Bayes' rule has closed forms for both populations.
    #[test]
    fn balanced_probabilities_are_those_for_equally_frequent_classes() {
        let posterior = |x: f64, prior: f64| {
            let odds = libm::exp(2.0 * x) * prior / (1.0 - prior);
            odds / (1.0 + odds)
        };
        let shift = ClassWeights::Balanced.shift(&[950, 50]);
        for x in [-3.0, -0.5, 0.0, 0.7, 2.5] {
            let (rare, even) = (posterior(x, 0.05), posterior(x, 0.5));
            assert!((shift.of_event(rare) - even).abs() < 1e-12, "{x}");
            let classes = shift.of_classes(&[1.0 - rare, rare]);
            assert!((classes[1] - even).abs() < 1e-12 && (classes[0] + classes[1] - 1.0).abs() < 1e-12);
            assert!((shift.inverse().of_event(even) - rare).abs() < 1e-12);
        }
        assert_eq!([0.0, 1.0].map(|p| shift.of_event(p)), [0.0, 1.0]);
        assert!(shift.of_event(f64::NAN).is_nan(), "a row without a prediction has none");
    }

    #[test]
    fn equal_weights_change_no_bit() {
        let shift = ClassWeights::Equal.shift(&[950, 50]);
        let p = [0.1 + 0.2, 0.7];
        assert_eq!((shift.of_event(p[0]), shift.of_classes(&p)), (p[0], p.to_vec()));
        assert_eq!(ClassWeights::Equal.averaging(), Averaging::Rows);
        assert_eq!(ClassWeights::Equal.on_scores(), "");
    }

    #[test]
    fn several_classes_are_weighted_by_their_frequencies() {
        let p = ClassWeights::Balanced.shift(&[60, 30, 10]).of_classes(&[0.6, 0.3, 0.1]);
        assert!(p.iter().all(|p| (p - 1.0 / 3.0).abs() < 1e-15), "{p:?}");
    }
}
