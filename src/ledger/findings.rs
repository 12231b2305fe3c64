//! Findings: results of the runs of claims, kept as data.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::data::Hash;
use crate::lab::Model;
use crate::lab::claim::{Check, Claim, Quantity};

/// Result of the runs of a claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Place of the claim, see [`Claim::place`].
    pub place: String,
    /// Subject of the claim, see [`Claim::subject`].
    pub subject: String,
    /// Hash of the permalinks and of the places of the numbers in the report.
    pub check: String,
    /// The numbers, or the reason why there are none.
    pub found: Result<Measured, String>,
}

/// Numbers of a claim. The verdict is computed from them when they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Our value.
    pub value: f64,
    /// Standard error of our value, if the report has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<f64>,
}

/// The report of a permalink, or why there is none.
pub type Report = Result<Value, String>;

impl Finding {
    /// Returns true if it belongs to the current form of a claim.
    pub fn is_of(&self, claim: &Claim) -> bool {
        self.place == claim.place && self.subject == claim.subject && self.check == fingerprint(&claim.check)
    }

    /// Reads the numbers of a claim from the reports of its permalinks; `None` if it is not checked by a run.
    fn new(claim: &Claim, reports: &BTreeMap<&str, Report>) -> Option<Self> {
        let Check::Run { link, value, spread, .. } = &claim.check else { return None };
        let at = |quantity: &Quantity, link: &str| match &reports[link] {
            Ok(report) => quantity.value(report),
            Err(why) => Err(why.clone()),
        };
        let found = || {
            let spread = spread.as_ref().map(|spread| at(spread, link)).transpose()?;
            Ok(Measured { value: at(value, link)?, spread })
        };
        Some(Self {
            place: claim.place.to_owned(),
            subject: claim.subject.to_owned(),
            check: fingerprint(&claim.check),
            found: found(),
        })
    }
}

/// Returns a hash of permalinks and quantities of a check. Numbers do not depend on the criterion.
fn fingerprint(check: &Check) -> String {
    let Check::Run { value, spread, .. } = check else { return String::new() };
    let links: Vec<&str> = check.links().collect();
    Hash::of(format!("{links:?} {value:?} {spread:?}").as_bytes()).to_string()
}

/// Returns the path of a model's findings from the root of the sources.
pub fn path(model: &Model) -> PathBuf {
    PathBuf::from(format!("src/models/{}/findings.json", model.id))
}

/// Reads the findings of a model; none if there is no file.
///
/// # Errors
/// If the file is damaged.
pub fn read(model: &Model) -> Result<Vec<Finding>, String> {
    let path = path(model);
    match std::fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text).map_err(|why| format!("{}: {why}", path.display())),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(why) => Err(format!("{}: {why}", path.display())),
    }
}

/// Writes the findings of a model.
///
/// # Errors
/// If they cannot be written.
pub fn write(model: &Model, findings: &[Finding]) -> Result<(), String> {
    let path = path(model);
    let mut text = serde_json::to_string_pretty(findings).map_err(|why| why.to_string())?;
    text.push('\n');
    std::fs::write(&path, text).map_err(|why| format!("{}: {why}", path.display()))
}

/// Returns the claims whose runs have no finding, or one of an earlier form of the claim.
pub fn stale(model: &Model, findings: &[Finding]) -> Vec<&'static Claim> {
    let by_run = |claim: &&Claim| matches!(claim.check, Check::Run { .. });
    let known = |claim: &Claim| findings.iter().any(|finding| finding.is_of(claim));
    model.claims.iter().filter(by_run).filter(|claim| !known(claim)).collect()
}

/// Runs the claims `wanted` with `run`, each permalink once. Keeps the findings of the model's other claims.
pub fn measure(
    model: &Model,
    kept: &[Finding],
    wanted: &[&'static Claim],
    run: impl Fn(&str) -> Report,
) -> Vec<Finding> {
    let mut reports: BTreeMap<&str, Report> = BTreeMap::new();
    for link in wanted.iter().flat_map(|claim| claim.check.links()) {
        reports.entry(link).or_insert_with(|| run(link));
    }
    let one = |claim: &'static Claim| {
        if wanted.iter().any(|wanted| std::ptr::eq(*wanted, claim)) {
            Finding::new(claim, &reports)
        } else {
            kept.iter().find(|finding| finding.is_of(claim)).cloned()
        }
    };
    model.claims.iter().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::claim::{Basis, Criterion, ValueUnit};
    use crate::models::MODELS;
    use serde_json::json;

    const SHORT: &str = "#/feedforward?runs=1";
    const LONG: &str = "#/feedforward?runs=2";

    const fn check(link: &'static str, value: Quantity, criterion: Criterion) -> Check {
        Check::Run {
            link,
            quick: "",
            value,
            spread: Some(Quantity::At("/se")),
            criterion,
            basis: Basis::Fitted,
        }
    }

    const fn claim(subject: &'static str, check: Check) -> Claim {
        Claim {
            place: "Table 1",
            subject,
            printed: "1",
            check,
            measured: "error",
            unit: ValueUnit::NONE,
            remark: "",
        }
    }

    static A: Claim = claim("a", check(SHORT, Quantity::At("/a"), Criterion::AtMost(1.0)));
    static B: Claim = claim("b", check(LONG, Quantity::At("/a"), Criterion::AtMost(1.0)));
    static LACKING: Claim = claim("c", check(LONG, Quantity::At("/none"), Criterion::AtMost(1.0)));
    static NO: Claim = claim("d", Check::No("nothing is printed"));

    fn reports(a: f64) -> BTreeMap<&'static str, Report> {
        BTreeMap::from([
            (SHORT, Ok(json!({ "a": a, "se": 0.5 }))),
            (LONG, Ok(json!({ "a": a + 1.0, "se": 0.5 }))),
        ])
    }

    #[test]
    fn a_finding_has_numbers_or_a_reason() {
        let found = |claim| Finding::new(claim, &reports(2.0)).map(|finding| finding.found);
        assert_eq!(found(&A), Some(Ok(Measured { value: 2.0, spread: Some(0.5) })));
        assert_eq!(found(&B), Some(Ok(Measured { value: 3.0, spread: Some(0.5) })));
        assert!(found(&LACKING).unwrap().unwrap_err().contains("/none"));
        assert_eq!(found(&NO), None);
        let mut failed = reports(2.0);
        failed.insert(SHORT, Err("no file sonar.csv".to_owned()));
        assert_eq!(Finding::new(&A, &failed).unwrap().found, Err("no file sonar.csv".to_owned()));
    }

    #[test]
    fn a_finding_does_not_depend_on_the_criterion() {
        let finding = Finding::new(&A, &reports(2.0)).unwrap();
        assert!(finding.is_of(&A));
        assert!(finding.is_of(&claim("a", check(SHORT, Quantity::At("/a"), Criterion::AtLeast(9.0)))));
        assert!(!finding.is_of(&claim("a", check(LONG, Quantity::At("/a"), Criterion::AtMost(1.0)))));
        assert!(!finding.is_of(&claim("a", check(SHORT, Quantity::At("/b"), Criterion::AtMost(1.0)))));
        assert!(!finding.is_of(&B));
    }

    #[test]
    fn findings_survive_serialisation() {
        let findings: Vec<_> =
            [&A, &B, &LACKING].iter().filter_map(|claim| Finding::new(claim, &reports(0.1))).collect();
        let text = serde_json::to_string(&findings).unwrap();
        assert_eq!(serde_json::from_str::<Vec<Finding>>(&text).unwrap(), findings);
    }

    #[test]
    fn only_wanted_claims_are_run() {
        let model = MODELS[0];
        let kept = read(model).unwrap();
        let wanted: Vec<_> =
            model.claims.iter().filter(|claim| matches!(claim.check, Check::Run { .. })).take(1).collect();
        let run = std::cell::RefCell::new(Vec::new());
        let findings = measure(model, &kept, &wanted, |link| {
            run.borrow_mut().push(link.to_owned());
            Err("not now".to_owned())
        });
        assert_eq!(*run.borrow(), wanted[0].check.links().collect::<Vec<_>>());
        assert_eq!(findings[0].found, Err("not now".to_owned()));
        assert_eq!(findings[1..], kept[1..]);
        assert!(stale(model, &findings).is_empty() && stale(model, &findings[1..]).len() == 1);
    }
}
