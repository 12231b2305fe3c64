//! For each claim that agrees with its paper, a plausible wrong method on such data, which fails the criterion of the claim: no claim
//! is left that cannot fail.
#![allow(clippy::unnecessary_wraps, reason = "a wrong method may lack its data set")]

mod feedforward;
mod gp;
mod nfa;
mod plain_tap;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use meanfield::lab::claim::{Basis, Check, Claim, Criterion, Quantity, Verdict};
use meanfield::ledger;
use meanfield::models::MODELS;
use serde_json::Value;

use crate::common::headless::headless;

/// A wrong method in place of that of a claim.
struct Wrong {
    /// Place and subject of the claim.
    claim: (&'static str, &'static str),
    /// Returns the value of the claim's quantity by the wrong method; `None` without the data set.
    value: fn(&Reports, &str) -> Option<f64>,
    /// Relative tolerance of the value that the claim states.
    tolerance: f64,
}

impl Wrong {
    /// Creates a wrong method whose value the claim states to three digits.
    const fn stated(claim: (&'static str, &'static str), value: fn(&Reports, &str) -> Option<f64>) -> Self {
        Self { claim, value, tolerance: 0.01 }
    }

    /// Creates a wrong method whose value is computed from fewer runs than that of the claim, to this relative tolerance.
    const fn rough(
        tolerance: f64,
        claim: (&'static str, &'static str),
        value: fn(&Reports, &str) -> Option<f64>,
    ) -> Self {
        Self { claim, value, tolerance }
    }
}

/// Reports of permalinks, each run once.
#[derive(Default)]
struct Reports(RefCell<BTreeMap<String, Value>>);

impl Reports {
    /// Returns the report of a permalink with further settings; later settings replace earlier ones.
    fn run(&self, link: &str, settings: &str) -> Value {
        let link = if settings.is_empty() { link.to_owned() } else { format!("{link}&{settings}") };
        let known = self.0.borrow().get(&link).cloned();
        known.unwrap_or_else(|| {
            let report = headless(&link).0["result"].clone();
            self.0.borrow_mut().insert(link, report.clone());
            report
        })
    }

    /// Returns a quantity of a permalink with further settings.
    fn value(&self, link: &str, settings: &str, quantity: Quantity) -> f64 {
        quantity.value(&self.run(link, settings)).unwrap_or_else(|why| panic!("{link}&{settings}: {why}"))
    }
}

/// Returns the numbers at a JSON pointer of each entry of a list.
fn column(report: &Value, list: &str, of: &str) -> Vec<f64> {
    let entries = report[list].as_array().unwrap_or_else(|| panic!("no list {list}"));
    entries.iter().map(|entry| entry.pointer(of).and_then(Value::as_f64).unwrap_or(f64::NAN)).collect()
}

/// Returns the largest number.
fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::NEG_INFINITY, f64::max)
}

fn check_of(claim: &Claim) -> (&'static str, &Criterion, &Basis) {
    match &claim.check {
        Check::Run { link, criterion, basis, .. } => (link, criterion, basis),
        Check::No(_) => panic!("{} is not checked", claim.subject),
    }
}

/// Tests that every claim of a model that agrees is in `wrong`, and that the wrong method fails its criterion.
fn refute(model: &str, wrong: &[Wrong]) {
    let model = MODELS.iter().copied().find(|of| of.id == model).unwrap();
    let section = ledger::Section::new(model, &ledger::read(model).unwrap()).unwrap();
    let agree = section.claims.iter().filter(|checked| checked.verdict == Verdict::Agrees);
    let agree: BTreeSet<_> = agree.map(|checked| (checked.claim.place, checked.claim.subject)).collect();
    let named: BTreeSet<_> = wrong.iter().map(|wrong| wrong.claim).collect();
    let lacking: Vec<_> = agree.difference(&named).collect();
    assert!(lacking.is_empty(), "no wrong method for {lacking:?}");
    let reports = Reports::default();
    let mut faults = Vec::new();
    for Wrong { claim: named, value, tolerance } in wrong {
        let claim = model.claims.iter().find(|claim| (claim.place, claim.subject) == *named);
        let claim = claim.unwrap_or_else(|| panic!("no claim {named:?}"));
        let (link, criterion, basis) = check_of(claim);
        let Basis::Test(refutation) = basis else { panic!("{named:?} is no test") };
        let Some(value) = value(&reports, link) else { continue };
        if !value.is_finite() || criterion.holds(value) {
            faults.push(format!("{named:?}: {}, {value}, passes {criterion:?}", refutation.method));
        }
        if (value - refutation.value).abs() > tolerance * refutation.value.abs() {
            faults.push(format!("{named:?}: {} gives {value}, not {}", refutation.method, refutation.value));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_claim_of_another_model_agrees() {
    for model in MODELS.iter().filter(|model| !["feedforward", "gp", "nfa"].contains(&model.id)) {
        refute(model.id, &[]);
    }
}
