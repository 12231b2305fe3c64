//! Claims of papers and their checks by runs. A model lists the claims and the errata of its paper as data; the command line runs
//! the claims.

use serde_json::Value;

pub use super::claim_verdict::{Bearing, Verdict};
pub use super::value_unit::ValueUnit;

/// A claim of a paper: a figure, an entry of a table, or a statement.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// Place in the paper: `Table 1`, `Simulations`.
    pub place: &'static str,
    /// Subject in a few words.
    pub subject: &'static str,
    /// Printed statement or number.
    pub printed: &'static str,
    /// Check by a run.
    pub check: Check,
    /// Quantity, printed before our value: `largest distance`; empty without a run.
    pub measured: &'static str,
    /// Unit of our value.
    pub unit: ValueUnit,
    /// Remark on the comparison: the criterion if the paper has none, and the reason of a difference.
    pub remark: &'static str,
}

impl Claim {
    /// Returns a claim that no run checks, for this reason.
    pub const fn unchecked([place, subject, printed]: [&'static str; 3], reason: &'static str) -> Self {
        Self {
            place,
            subject,
            printed,
            check: Check::No(reason),
            measured: "",
            unit: ValueUnit::NONE,
            remark: "",
        }
    }
}

/// An error in the equations or the text of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Erratum {
    /// Place in the paper: `Eq. (11)`.
    pub place: &'static str,
    /// Printed text.
    pub printed: &'static str,
    /// Correct text.
    pub correct: &'static str,
    /// Reason for the correction.
    pub reason: &'static str,
    /// Permalink that shows it; may be empty.
    pub link: &'static str,
}

/// Check of a claim.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Check by a run.
    Run {
        /// Permalink of the run.
        link: &'static str,
        /// Settings of a short run, which tests that the report has the value (`runs=3`); may be empty.
        quick: &'static str,
        /// Our value in the report.
        value: Quantity,
        /// Standard error of our value, if the report has one.
        spread: Option<Quantity>,
        /// Criterion of agreement.
        criterion: Criterion,
        /// Weight of the result as evidence.
        basis: Basis,
    },
    /// Not checked, with the reason.
    No(&'static str),
}

/// Weight of a result as evidence for a claim: only a test that passes is evidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Basis {
    /// A test, with a result that would have refuted the claim.
    Test(Refutation),
    /// Inputs were chosen to give the printed value.
    Fitted,
    /// A free choice was tuned to the printed value.
    Calibrated,
    /// The value follows from the definitions, whatever the method, or from another claim.
    ByConstruction,
    /// No evidence if the criterion is met, with the reason: a wrong method also meets it.
    Weak(&'static str),
    /// No evidence, with the reason: the paper states too little, or our result is inconclusive.
    Undecided(&'static str),
}

/// Result of a plausible wrong method, which the criterion of a claim must refuse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refutation {
    /// Method or fact: `linear regression`.
    pub method: &'static str,
    /// Its value of the claim's quantity.
    pub value: f64,
}

impl Basis {
    /// Returns a test that the `value` of the wrong `method` would have failed.
    pub const fn against(method: &'static str, value: f64) -> Self {
        Self::Test(Refutation { method, value })
    }
}

/// A number computed from a report. Operations on lists are applied entry by entry; the largest, smallest or median entry reduces a
/// list to one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// Value at a JSON pointer; `*` stands for every entry of a list.
    At(&'static str),
    /// Difference.
    Minus(&'static Self, &'static Self),
    /// Quotient.
    Over(&'static Self, &'static Self),
    /// Standard error of a share of this number of trials.
    ShareError(&'static Self, &'static Self),
    /// Root of the sum of squares: the standard error of a difference of independent numbers.
    Hypot(&'static Self, &'static Self),
    /// Absolute value.
    Abs(&'static Self),
    /// One minus the number.
    OneMinus(&'static Self),
    /// Largest entry.
    Max(&'static Self),
    /// Smallest entry.
    Min(&'static Self),
    /// Median.
    Median(&'static Self),
}

/// Criterion of agreement with a paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Criterion {
    /// Our value, rounded to the printed decimals, is the printed number.
    Rounded {
        /// Printed number.
        printed: f64,
        /// Number of printed decimals.
        decimals: usize,
    },
    /// Our value is at most this.
    AtMost(f64),
    /// Our value is at least this.
    AtLeast(f64),
    /// Our value is between these.
    Between(f64, f64),
}

impl Check {
    /// Returns the permalink of the run, if there is one.
    pub fn links(&self) -> impl Iterator<Item = &'static str> {
        let link = match self {
            Self::No(_) => None,
            Self::Run { link, .. } => Some(*link),
        };
        link.into_iter()
    }
}

impl Quantity {
    /// Computes the number, which must be finite.
    ///
    /// # Errors
    /// If the report lacks a value, or the result is a list or not finite.
    pub fn value(&self, report: &Value) -> Result<f64, String> {
        match self.values(report)?[..] {
            [value] if value.is_finite() => Ok(value),
            [value] => Err(format!("{self:?} is {value}")),
            ref values => Err(format!("{self:?} is a list of {}", values.len())),
        }
    }

    fn values(&self, report: &Value) -> Result<Vec<f64>, String> {
        let each = |quantity: &Self, map: fn(f64) -> f64| {
            Ok(quantity.values(report)?.into_iter().map(map).collect())
        };
        let both = |a: &Self, b: &Self, map: fn(f64, f64) -> f64| {
            let (a, b) = (a.values(report)?, b.values(report)?);
            if a.len() != b.len() {
                return Err(format!("{self:?}: lists of {} and {}", a.len(), b.len()));
            }
            Ok(a.into_iter().zip(b).map(|(a, b)| map(a, b)).collect())
        };
        let one = |quantity: &Self, reduce: fn(&[f64]) -> f64| {
            let mut sorted = quantity.values(report)?;
            sorted.sort_by(f64::total_cmp);
            if sorted.is_empty() { Err(format!("{quantity:?} is empty")) } else { Ok(vec![reduce(&sorted)]) }
        };
        match self {
            Self::At(pointer) => at(report, pointer),
            Self::Minus(a, b) => both(a, b, |a, b| a - b),
            Self::Over(a, b) => both(a, b, |a, b| a / b),
            Self::ShareError(share, trials) => both(share, trials, share_error),
            Self::Hypot(a, b) => both(a, b, libm::hypot),
            Self::Abs(quantity) => each(quantity, f64::abs),
            Self::OneMinus(quantity) => each(quantity, |x| 1.0 - x),
            Self::Max(quantity) => one(quantity, |sorted| sorted[sorted.len() - 1]),
            Self::Min(quantity) => one(quantity, |sorted| sorted[0]),
            Self::Median(quantity) => one(quantity, |sorted| {
                let middle = sorted.len() / 2;
                if sorted.len() % 2 == 1 {
                    sorted[middle]
                } else {
                    f64::midpoint(sorted[middle - 1], sorted[middle])
                }
            }),
        }
    }
}

/// Returns the binomial standard error of a share after two more trials of either outcome (Agresti and Coull 1998): not zero where all
/// trials have the same outcome.
fn share_error(share: f64, trials: f64) -> f64 {
    let all = trials + 4.0;
    let share = (share * trials + 2.0) / all;
    (share * (1.0 - share) / all).sqrt()
}

/// Returns the numbers at a JSON pointer with wildcards.
fn at(report: &Value, pointer: &str) -> Result<Vec<f64>, String> {
    let missing = || format!("the report has no {pointer}");
    match pointer.split_once("/*") {
        None => {
            let found = report.pointer(pointer).ok_or_else(missing)?;
            Ok(vec![found.as_f64().ok_or_else(|| format!("{pointer} is {found}, not a number"))?])
        }
        Some((list, rest)) => {
            let entries = report.pointer(list).and_then(Value::as_array).ok_or_else(missing)?;
            let found: Result<Vec<_>, _> = entries.iter().map(|entry| at(entry, rest)).collect();
            Ok(found?.concat())
        }
    }
}

impl Criterion {
    /// Compares our value with the paper.
    pub fn verdict(&self, basis: &Basis, value: f64) -> Verdict {
        match basis {
            Basis::Undecided(_) => Verdict::Undecided,
            _ if !self.holds(value) => Verdict::Differs,
            Basis::Test(_) => Verdict::Agrees,
            Basis::Fitted => Verdict::Fitted,
            Basis::Calibrated => Verdict::Calibrated,
            Basis::ByConstruction => Verdict::ByConstruction,
            Basis::Weak(_) => Verdict::Weak,
        }
    }

    /// Returns true if a value is accepted.
    pub fn holds(&self, value: f64) -> bool {
        match *self {
            Self::Rounded { printed, decimals } => {
                format!("{value:.decimals$}") == format!("{printed:.decimals$}")
            }
            Self::AtMost(most) => value <= most,
            Self::AtLeast(least) => value >= least,
            Self::Between(least, most) => (least..=most).contains(&value),
        }
    }

    /// Returns true if values within one standard error of ours are both accepted and refused: our value is inconclusive.
    pub fn is_undecided(&self, value: f64, se: f64) -> bool {
        [value - se, value + se].iter().any(|near| self.holds(*near) != self.holds(value))
    }

    /// Describes the criterion for values in a unit.
    pub fn describe(&self, unit: &ValueUnit) -> String {
        match *self {
            Self::Rounded { printed, decimals } => {
                format!("{} after rounding", unit.show_decimals(printed, decimals))
            }
            Self::AtMost(most) if most.abs() < 1e-4 && most != 0.0 => "zero, up to rounding".to_owned(),
            Self::AtMost(most) => format!("at most {}", unit.show(most)),
            Self::AtLeast(least) => format!("at least {}", unit.show(least)),
            Self::Between(least, most) if least == most => format!("exactly {}", unit.show(least)),
            Self::Between(least, most) => format!("{} to {}", unit.show(least), unit.show(most)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Quantity::{Abs, At, Hypot, Max, Median, Min, Minus, OneMinus, Over, ShareError};
    use super::*;
    use serde_json::json;

    #[test]
    fn quantities_are_computed_from_a_report() {
        let report =
            json!({ "rows": [{ "a": 1.0, "b": [2, 5] }, { "a": 4.0, "b": [3, 1] }], "n": 2, "none": null });
        let value = |quantity: Quantity| quantity.value(&report);
        assert_eq!(value(At("/n")), Ok(2.0));
        assert_eq!(value(At("/rows/1/a")), Ok(4.0));
        assert_eq!(value(Max(&At("/rows/*/b/*"))), Ok(5.0));
        assert_eq!(value(Min(&Minus(&At("/rows/*/a"), &At("/rows/*/b/0")))), Ok(-1.0));
        assert_eq!(value(Max(&Abs(&Minus(&At("/rows/*/a"), &At("/rows/*/b/1"))))), Ok(4.0));
        assert_eq!(value(Median(&At("/rows/*/b/*"))), Ok(2.5));
        assert_eq!(value(OneMinus(&Over(&At("/rows/0/a"), &At("/n")))), Ok(0.5));
        assert_eq!(
            value(ShareError(&Over(&At("/rows/0/a"), &At("/n")), &At("/n"))),
            Ok((0.25_f64 / 6.0).sqrt())
        );
        assert_eq!(value(Hypot(&At("/rows/0/a"), &At("/rows/0/a"))), Ok(2.0_f64.sqrt()));
        for lacking in [At("/m"), At("/rows/2/a"), At("/rows/*/c"), At("/none"), At("/rows/*/b")] {
            assert!(value(lacking).is_err(), "{lacking:?}");
        }
        assert!(value(At("/rows/*/a")).is_err(), "a list is no number");
        assert!(value(Max(&Minus(&At("/rows/*/a"), &At("/n")))).is_err(), "lists of two lengths");
        assert!(value(Over(&At("/n"), &Minus(&At("/n"), &At("/n")))).is_err(), "not finite");
    }

    #[test]
    fn the_error_of_a_share_is_not_zero_without_exceptions() {
        assert!((share_error(0.5, 96.0) - 0.05).abs() < 1e-12);
        for share in [0.0, 1.0] {
            assert!((share_error(share, 6.0) - (0.2_f64 * 0.8 / 10.0).sqrt()).abs() < 1e-12);
        }
    }

    #[test]
    fn criteria_hold_up_to_their_bounds() {
        let printed = Criterion::Rounded { printed: 0.183, decimals: 3 };
        assert!(printed.holds(19.0 / 104.0) && !printed.holds(18.0 / 104.0));
        assert!(Criterion::AtMost(1.0).holds(1.0) && !Criterion::AtMost(1.0).holds(1.1));
        assert!(Criterion::AtLeast(1.0).holds(1.0) && !Criterion::AtLeast(1.0).holds(0.9));
        assert!(Criterion::Between(1.0, 2.0).holds(2.0) && !Criterion::Between(1.0, 2.0).holds(2.1));
    }

    #[test]
    fn criteria_are_described_in_the_unit_of_the_value() {
        let texts = [
            Criterion::Rounded { printed: 0.12, decimals: 2 }.describe(&ValueUnit::PERCENT),
            Criterion::AtMost(0.01).describe(&ValueUnit::POINTS),
            Criterion::Between(4.0, 4.0).describe(&ValueUnit::named("source", "sources")),
            Criterion::AtMost(1e-12).describe(&ValueUnit::NONE),
        ];
        let expected = [
            "12 % after rounding",
            "at most 1 percentage point",
            "exactly 4 sources",
            "zero, up to rounding",
        ];
        assert_eq!(texts.map(|text| text.replace('\u{a0}', " ")), expected);
    }

    #[test]
    fn counts_of_verdicts_are_parts_of_a_sentence() {
        let counts = [(Verdict::Agrees, 1), (Verdict::Agrees, 2), (Verdict::ByConstruction, 1)];
        let words = counts.map(|(verdict, count)| verdict.counted(count));
        assert_eq!(words, ["1 agrees", "2 agree", "1 holds by construction"]);
    }

    #[test]
    fn a_value_near_the_limit_decides_nothing() {
        let most = Criterion::AtMost(-0.025);
        assert!(most.is_undecided(-0.032, 0.08) && most.is_undecided(-0.02, 0.006));
        assert!(!most.is_undecided(-0.032, 0.006) && !most.is_undecided(0.0, 0.02));
    }

    #[test]
    fn only_a_test_that_could_fail_agrees() {
        let verdict = |evidence, value| Criterion::AtMost(1.0).verdict(&evidence, value);
        let test = Basis::against("another method", 2.0);
        assert_eq!((verdict(test, 0.5), verdict(test, 2.0)), (Verdict::Agrees, Verdict::Differs));
        for (evidence, expected) in [
            (Basis::Fitted, Verdict::Fitted),
            (Basis::Calibrated, Verdict::Calibrated),
            (Basis::ByConstruction, Verdict::ByConstruction),
            (Basis::Weak("another method passes"), Verdict::Weak),
        ] {
            assert_eq!((verdict(evidence, 0.5), verdict(evidence, 2.0)), (expected, Verdict::Differs));
        }
        let open = Basis::Undecided("the paper makes no statement");
        assert_eq!((verdict(open, 0.5), verdict(open, 2.0)), (Verdict::Undecided, Verdict::Undecided));
    }
}
