//! What a paper says and how a run checks it. A model states its claims and the errata of its paper as data; the command line
//! runs the claims. No program of the page contains them.

use serde_json::Value;

/// A figure, a table's entry or a statement of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// Where it stands in the paper: `Table 1`, `Simulations`.
    pub place: &'static str,
    /// What it is about, in a few words.
    pub subject: &'static str,
    /// What is printed, word by word or figure by figure.
    pub printed: &'static str,
    /// How it is checked.
    pub check: Check,
    /// What to know of the comparison: its criterion where the paper has none, and why the values differ where they do.
    pub remark: &'static str,
}

/// A slip in the equations or the text of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Erratum {
    /// Where it stands in the paper: `Eq. (11)`.
    pub place: &'static str,
    /// What is printed.
    pub printed: &'static str,
    /// What it should be.
    pub correct: &'static str,
    /// How that is known.
    pub reason: &'static str,
    /// The permalink that shows it, or nothing.
    pub link: &'static str,
}

/// How a claim is checked.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// By a run.
    Run {
        /// The permalink that shows it.
        link: &'static str,
        /// What is set otherwise for a quick test that the report has the value at all (`runs=3`), or nothing.
        quick: &'static str,
        /// Our value, in the report.
        value: Quantity,
        /// Its standard error, if the report has one.
        spread: Option<Quantity>,
        /// What agreement means.
        agreement: Agreement,
    },
    /// Not at all, and why.
    No(&'static str),
}

/// A number computed from a report. Lists are taken entry by entry; a list is made one number by the largest, the smallest,
/// the mean or the median of it.
#[derive(Clone, Copy, Debug)]
pub enum Quantity {
    /// What a JSON pointer finds; `*` stands for every entry of a list.
    At(&'static str),
    /// A difference.
    Minus(&'static Self, &'static Self),
    /// A quotient.
    Over(&'static Self, &'static Self),
    /// A number without its sign.
    Abs(&'static Self),
    /// One minus a number.
    OneMinus(&'static Self),
    /// The largest.
    Max(&'static Self),
    /// The smallest.
    Min(&'static Self),
    /// The middle one, or the mean of the middle two.
    Median(&'static Self),
}

/// What agreement with a paper means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Agreement {
    /// Our value, rounded to as many decimals, is the one printed.
    Rounded {
        /// The number printed.
        printed: f64,
        /// Decimals printed.
        decimals: usize,
    },
    /// Our value is at most this.
    AtMost(f64),
    /// Our value is at least this.
    AtLeast(f64),
    /// Our value lies between these.
    Between(f64, f64),
    /// Our value is that of another permalink to this relative difference.
    SameAs {
        /// The other permalink.
        link: &'static str,
        /// Largest relative difference.
        within: f64,
    },
}

/// Whether our value agrees with the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As the paper says.
    Agrees,
    /// Not as the paper says.
    Differs,
}

impl Check {
    /// The permalinks to be run.
    pub fn links(&self) -> impl Iterator<Item = &'static str> {
        let (link, other) = match self {
            Self::No(_) => (None, None),
            Self::Run { link, agreement: Agreement::SameAs { link: other, .. }, .. } => {
                (Some(*link), Some(*other))
            }
            Self::Run { link, .. } => (Some(*link), None),
        };
        link.into_iter().chain(other)
    }
}

impl Quantity {
    /// Its value, which must be one finite number.
    ///
    /// # Errors
    /// If the report lacks something of it.
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

/// The numbers that a pointer with wildcards finds.
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

impl Agreement {
    /// Whether a value agrees; `other` is that of the other permalink, where there is one.
    pub fn verdict(&self, value: f64, other: Option<f64>) -> Verdict {
        if self.holds(value, other) { Verdict::Agrees } else { Verdict::Differs }
    }

    fn holds(&self, value: f64, other: Option<f64>) -> bool {
        match *self {
            Self::Rounded { printed, decimals } => {
                format!("{value:.decimals$}") == format!("{printed:.decimals$}")
            }
            Self::AtMost(most) => value <= most,
            Self::AtLeast(least) => value >= least,
            Self::Between(least, most) => (least..=most).contains(&value),
            Self::SameAs { within, .. } => {
                other.is_some_and(|other| (value - other).abs() <= within * other.abs())
            }
        }
    }
}

impl std::fmt::Display for Agreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rounded { decimals, .. } => write!(f, "equal to {decimals} decimals"),
            Self::AtMost(most) if most.abs() < 1e-4 && *most != 0.0 => write!(f, "at most {most:e}"),
            Self::AtMost(most) => write!(f, "at most {most}"),
            Self::AtLeast(least) => write!(f, "at least {least}"),
            Self::Between(least, most) => write!(f, "{least} to {most}"),
            Self::SameAs { within, .. } => write!(f, "equal in both runs within {within:e}, relatively"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Quantity::{Abs, At, Max, Median, Min, Minus, OneMinus, Over};
    use super::*;
    use serde_json::json;

    #[test]
    fn quantities_are_read_off_a_report() {
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
        for lacking in [At("/m"), At("/rows/2/a"), At("/rows/*/c"), At("/none"), At("/rows/*/b")] {
            assert!(value(lacking).is_err(), "{lacking:?}");
        }
        assert!(value(At("/rows/*/a")).is_err(), "a list is no number");
        assert!(value(Max(&Minus(&At("/rows/*/a"), &At("/n")))).is_err(), "lists of two lengths");
        assert!(value(Over(&At("/n"), &Minus(&At("/n"), &At("/n")))).is_err(), "not finite");
    }

    #[test]
    fn agreement_is_what_it_says() {
        let printed = Agreement::Rounded { printed: 0.183, decimals: 3 };
        assert!(printed.holds(19.0 / 104.0, None) && !printed.holds(18.0 / 104.0, None));
        assert!(Agreement::AtMost(1.0).holds(1.0, None) && !Agreement::AtMost(1.0).holds(1.1, None));
        assert!(Agreement::AtLeast(1.0).holds(1.0, None) && !Agreement::AtLeast(1.0).holds(0.9, None));
        assert!(
            Agreement::Between(1.0, 2.0).holds(2.0, None) && !Agreement::Between(1.0, 2.0).holds(2.1, None)
        );
        let same = Agreement::SameAs { link: "", within: 1e-3 };
        assert!(same.holds(-1.0, Some(-1.0005)) && !same.holds(-1.0, Some(-1.01)) && !same.holds(-1.0, None));
    }
}
