//! The claims of the papers: every permalink makes sense, every value is in the report, and REPRODUCTION.md has them all. What
//! they come to is computed by `scripts/reproduce`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use meanfield::lab::Link;
use meanfield::lab::claim::{Check, Claim};
use meanfield::models::{MODELS, catalog, task};
use serde_json::Value;

use crate::common::headless::headless;
use crate::common::needs::data_set;

fn claims() -> impl Iterator<Item = &'static Claim> {
    MODELS.iter().flat_map(|model| model.claims)
}

#[test]
fn every_model_states_its_claims_once() {
    for model in MODELS {
        assert!(!model.claims.is_empty(), "{}", model.id);
        let named: BTreeSet<_> = model.claims.iter().map(|claim| (claim.place, claim.subject)).collect();
        assert_eq!(named.len(), model.claims.len(), "{}: a claim twice", model.id);
    }
}

#[test]
fn every_permalink_of_a_claim_makes_sense() {
    for link in claims().flat_map(|claim| claim.check.links()) {
        let parsed = Link::parse(link);
        let task = task(&catalog().route(&parsed)).unwrap_or_else(|| panic!("{link}"));
        let values = task.check(&parsed.raw).unwrap_or_else(|problems| panic!("{link}: {problems:?}"));
        let all = values.to_raw();
        for (key, text) in &parsed.raw {
            assert!(all.get(key).is_none_or(|said| said == text), "{link}: {key}, as it is written");
        }
    }
}

#[test]
fn every_value_of_a_claim_is_in_the_report() {
    let missing = ["sonar", "housing"].into_iter().filter(|set| data_set(&format!("{set}.csv")).is_none());
    let missing: Vec<String> = missing.map(|set| format!("data={set}")).collect();
    let mut reports: BTreeMap<String, Value> = BTreeMap::new();
    for claim in claims() {
        let Check::Run { link, quick, value, spread, .. } = &claim.check else { continue };
        if missing.iter().any(|set| link.contains(set)) {
            continue;
        }
        let link = if quick.is_empty() { (*link).to_owned() } else { format!("{link}&{quick}") };
        let report = reports.entry(link.clone()).or_insert_with(|| {
            let (line, status) = headless(&link);
            assert_eq!(status, 0, "{link}: {line}");
            line["result"].clone()
        });
        for quantity in [Some(value), spread.as_ref()].into_iter().flatten() {
            if let Err(why) = quantity.value(report) {
                panic!("{}, {}: {why}", claim.place, claim.subject);
            }
        }
    }
}

#[test]
fn every_claim_is_in_the_document() {
    let document = fs::read_to_string("REPRODUCTION.md").unwrap();
    for Claim { place, subject, printed, check, remark } in claims() {
        let row =
            document.lines().find(|line| line.starts_with(&format!("| {place} | {subject} | {printed} | ")));
        let row = row.unwrap_or_else(|| panic!("{place}, {subject}: run scripts/reproduce"));
        assert!(row.contains(remark), "{place}, {subject}: another remark");
        for link in check.links() {
            assert!(document.contains(&format!("`{link}`")), "{link}: run scripts/reproduce");
        }
    }
}
