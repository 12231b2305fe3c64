//! Challenge of a page: a result to reach by changing the settings, checked by computing.

use serde_json::Value;

use super::claim::{Criterion, Quantity, ValueUnit};

/// A result to reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Challenge {
    /// The request in one sentence.
    pub text: &'static str,
    /// Requirements on the report of the run; all must hold.
    pub requirements: &'static [Requirement],
}

/// A requirement on the report of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Requirement {
    /// Name of the number (`largest error of TAP`).
    pub name: &'static str,
    /// The number.
    pub value: Quantity,
    /// Accepted values.
    pub accepts: Criterion,
    /// Decimals of the number as it is in the report.
    pub decimals: usize,
    /// Unit in which it is shown.
    pub unit: ValueUnit,
}

/// A result compared with a challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// True if all requirements are met.
    pub solved: bool,
    /// The numbers of the result, each after its name.
    pub numbers: String,
}

impl Challenge {
    /// Compares the report of a run with the challenge; `None` if the report lacks one of its numbers.
    pub fn attempt(&self, report: &Value) -> Option<Attempt> {
        let values: Option<Vec<f64>> =
            self.requirements.iter().map(|requirement| requirement.value.value(report).ok()).collect();
        let values = values?;
        let pairs = || self.requirements.iter().zip(&values);
        let number = |(requirement, value): (&Requirement, &f64)| {
            let value = requirement.unit.show_decimals(*value, requirement.decimals);
            format!("{} {value}", requirement.name)
        };
        Some(Attempt {
            solved: pairs().all(|(requirement, value)| requirement.accepts.holds(*value)),
            numbers: pairs().map(number).collect::<Vec<_>>().join(", "),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn all_requirements_must_hold() {
        const CHALLENGE: Challenge = Challenge {
            text: "",
            requirements: &[
                Requirement {
                    name: "error",
                    value: Quantity::Max(&Quantity::At("/errors/*")),
                    accepts: Criterion::AtLeast(0.1),
                    decimals: 2,
                    unit: ValueUnit::PERCENT,
                },
                Requirement {
                    name: "points",
                    value: Quantity::At("/m"),
                    accepts: Criterion::AtMost(10.0),
                    decimals: 0,
                    unit: ValueUnit::NONE,
                },
            ],
        };
        let attempt = |errors: [f64; 2], m: usize| CHALLENGE.attempt(&json!({ "errors": errors, "m": m }));
        let solved = attempt([0.05, 0.123], 10).unwrap();
        assert_eq!(solved, Attempt { solved: true, numbers: "error 12\u{a0}%, points 10".to_owned() });
        assert!(!attempt([0.05, 0.123], 11).unwrap().solved && !attempt([0.0, 0.0], 3).unwrap().solved);
        assert_eq!(CHALLENGE.attempt(&json!({ "m": 3 })), None);
    }
}
