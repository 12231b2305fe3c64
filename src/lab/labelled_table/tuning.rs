//! Automatic tuning: when it is done, why it is not, and what it has gained.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Headline;
use crate::data::counted;
use crate::field::Field;

/// Reason why a model that would be tuned automatically is not tuned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Untuned {
    /// A setting that tuning would change differs from its default.
    Given,
    /// The approximation is not one that is tuned automatically.
    Method,
    /// The table has fewer rows than this number.
    TooFew(usize),
    /// The table has more rows than this number.
    TooMany(usize),
}

impl Untuned {
    /// Returns the reason if the number of `rows` is not in the range that is `tuned` automatically.
    pub fn by_rows(rows: usize, tuned: RangeInclusive<usize>) -> Option<Self> {
        if rows < *tuned.start() {
            Some(Self::TooFew(*tuned.start()))
        } else {
            (rows > *tuned.end()).then(|| Self::TooMany(*tuned.end()))
        }
    }

    /// Returns a sentence with the reason; `settings` are those that tuning would change, `field` chooses it.
    pub fn describe(self, settings: &str, field: &Field) -> String {
        let reason = match self {
            Self::Given => format!("{settings} not at the default"),
            Self::Method => "only TAP is tuned automatically".to_owned(),
            Self::TooFew(rows) => format!("the table has fewer than {}", counted(rows, "row")),
            Self::TooMany(rows) => format!("the table has more than {}", counted(rows, "row")),
        };
        let remedy = match self {
            Self::Given | Self::TooMany(_) => format!(" Choose “{}” to tune it.", field.label),
            Self::Method | Self::TooFew(_) => String::new(),
        };
        format!("Not tuned automatically: {reason}.{remedy}")
    }

    /// Returns the report of automatic tuning; `untuned` is the reason with its description.
    pub fn report(description: Option<&str>) -> Value {
        json!({ "tuned": description.is_none(), "reason": description })
    }
}

/// Describes the gain of tuning by a `criterion`: ` Tuned by evidence: log loss 0.515 → 0.470.` It says so if there is none, and is
/// empty as long as one of the two log losses is missing.
pub fn describe_gain(criterion: &str, before: Option<&Headline>, after: &Headline) -> String {
    let name = after.log_loss_name();
    match before.map(|before| (before.log_loss(), after.log_loss())) {
        Some((before, after)) if before.is_finite() && after.is_finite() => {
            let verdict = if after < before {
                format!("Tuned by {criterion}")
            } else {
                format!("Tuning by {criterion} has not helped")
            };
            format!(" {verdict}: {name} {before:.3} → {after:.3}.")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ClassWeights, EvaluationRows};
    use super::*;
    use crate::flag;

    #[test]
    fn tuning_that_does_not_lower_the_log_loss_is_not_called_a_gain() {
        let of = |p: f64| {
            Headline::new(
                EvaluationRows::Folds(5),
                &[(vec![p, 1.0 - p], 0), (vec![1.0 - p, p], 1)],
                &[9, 9],
                None,
                ClassWeights::Equal,
            )
        };
        assert_eq!(
            describe_gain("evidence", Some(&of(0.5)), &of(0.8)),
            " Tuned by evidence: log loss 0.693 → 0.223."
        );
        assert_eq!(
            describe_gain("evidence", Some(&of(0.8)), &of(0.5)),
            " Tuning by evidence has not helped: log loss 0.223 → 0.693."
        );
        assert_eq!(describe_gain("evidence", None, &of(0.5)), "");
    }

    #[test]
    fn the_reason_names_the_remedy() {
        let field = flag().label("Fit β");
        let by_rows = |rows| Untuned::by_rows(rows, 20..=2000);
        assert_eq!([by_rows(20), by_rows(2000)], [None, None]);
        let many = by_rows(2001).unwrap().describe("β is", &field);
        assert_eq!(
            many,
            "Not tuned automatically: the table has more than 2,000 rows. Choose “Fit β” to tune it."
        );
        let few = by_rows(19).unwrap().describe("β is", &field);
        assert_eq!(few, "Not tuned automatically: the table has fewer than 20 rows.");
        let given = Untuned::Given.describe("β is", &field);
        assert_eq!(given, "Not tuned automatically: β is not at the default. Choose “Fit β” to tune it.");
    }
}
