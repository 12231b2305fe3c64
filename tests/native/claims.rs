//! The claims of the papers: every permalink is valid, every value is in the report, every claim has a finding of
//! `scripts/reproduce`, and all claims are shown.

use std::collections::{BTreeMap, BTreeSet};

use meanfield::lab::Link;
use meanfield::lab::claim::{Basis, Check, Claim, Refutation, Verdict};
use meanfield::ledger::{self, Section};
use meanfield::models::{MODELS, catalog, task};
use meanfield::render::escape;
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
fn every_permalink_of_a_claim_is_valid() {
    let shown = MODELS.iter().flat_map(|model| model.errata).map(|erratum| erratum.link);
    let shown = shown.filter(|link| !link.is_empty());
    for link in claims().flat_map(|claim| claim.check.links()).chain(shown) {
        let parsed = Link::parse(link);
        let task = task(&catalog().route(&parsed)).unwrap_or_else(|| panic!("{link}"));
        let values = task.check(&parsed.raw).unwrap_or_else(|problems| panic!("{link}: {problems:?}"));
        let all = values.to_raw();
        for (key, text) in &parsed.raw {
            assert!(all.get(key).is_none_or(|canonical| canonical == text), "{link}: {key} is canonical");
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
            // A claim may be that there is no result.
            assert_eq!(status, i32::from(line["status"] == "no_result"), "{link}: {line}");
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
fn every_claim_has_its_finding_and_every_finding_its_claim() {
    for model in MODELS.iter().copied() {
        let findings = ledger::read(model).unwrap();
        let stale = ledger::stale(model, &findings);
        let stale: Vec<_> = stale.iter().map(|claim| format!("{}, {}", claim.place, claim.subject)).collect();
        assert!(stale.is_empty(), "{}: run scripts/reproduce stale for {stale:?}", model.id);
        for finding in &findings {
            let claimed = model.claims.iter().any(|claim| finding.is_of(claim));
            assert!(
                claimed,
                "{}: {}, {}: run scripts/reproduce stale",
                model.id, finding.place, finding.subject
            );
        }
    }
}

/// A claim that no plausible result would refute is not evidence for its paper.
#[test]
fn a_wrong_method_fails_every_claim_that_is_a_test() {
    let mut tests = 0;
    for claim in claims() {
        let Check::Run { criterion, basis: Basis::Test(wrong), .. } = &claim.check else { continue };
        let Refutation { method, value } = *wrong;
        assert!(!method.is_empty(), "{}, {}", claim.place, claim.subject);
        assert!(!criterion.holds(value), "{}, {}: {method}, {value}, passes", claim.place, claim.subject);
        tests += 1;
    }
    assert!(tests > 0, "{tests} claims are tests");
}

#[test]
fn the_ledger_counts_and_states_what_would_refute() {
    let sections = ledger::sections(MODELS).unwrap();
    let (document, page) = (ledger::document(&sections), ledger::page(&sections));
    for section in &sections {
        assert!(document.contains(&ledger::tally([section])), "{}", section.model.id);
        for checked in &section.claims {
            let Check::Run { basis, .. } = &checked.claim.check else { continue };
            assert_eq!(matches!(basis, Basis::Test(_)), !checked.refuted_by.is_empty());
            assert!(page.contains(&escape(&checked.refuted_by)), "{}", checked.refuted_by);
        }
    }
}

#[test]
fn a_claim_that_changes_needs_a_run() {
    let model = MODELS[0];
    let mut findings = ledger::read(model).unwrap();
    assert!(Section::new(model, &findings).is_ok());
    findings[0].check = "0".to_owned();
    let why = Section::new(model, &findings).err().unwrap();
    assert!(why.contains("scripts/reproduce") && why.contains(&findings[0].subject), "{why}");
    findings.remove(0);
    assert!(Section::new(model, &findings).is_err());
}

/// Returns a text as it is on the page.
fn on_page(text: &str) -> String {
    ledger::with_exponents(&escape(text))
}

/// A bare number does not tell what was measured.
#[test]
fn every_value_has_the_name_of_its_quantity() {
    for claim in claims() {
        let is_run = claim.check.links().next().is_some();
        assert_eq!(is_run, !claim.measured.is_empty(), "{}, {}", claim.place, claim.subject);
    }
    let sections = ledger::sections(MODELS).unwrap();
    for checked in sections.iter().flat_map(|section| &section.claims).filter(|c| !c.ours.is_empty()) {
        assert!(checked.ours.starts_with(checked.claim.measured), "{}", checked.ours);
    }
}

/// Documents and page are rendered from claims and findings (tests/native/registration.rs); here, that nothing is lost.
#[test]
fn every_claim_and_erratum_is_in_the_document_and_on_the_page() {
    let sections = ledger::sections(MODELS).unwrap();
    let (document, page) = (ledger::document(&sections), ledger::page(&sections));
    for Claim { place, subject, printed, check, remark, .. } in claims() {
        let begins = ledger::with_exponents(&format!("| {place} | {subject} | {printed} | "));
        let row = document.lines().find(|line| line.starts_with(&begins));
        let remark_shown = ledger::with_exponents(remark);
        assert!(row.is_some_and(|row| row.contains(&remark_shown)), "{place}, {subject}");
        for text in [place, subject, printed, remark] {
            assert!(page.contains(&on_page(text)), "{text}");
        }
        for link in check.links() {
            assert!(document.contains(&format!("`{link}`")), "{link}");
            assert!(page.contains(&format!("href=\"{}\"", escape(link))), "{link}");
        }
    }
    for erratum in MODELS.iter().flat_map(|model| model.errata) {
        assert!(
            document.contains(erratum.correct) && page.contains(&on_page(erratum.correct)),
            "{}",
            erratum.place
        );
    }
    let count = |verdict| ledger::count_verdict(&sections, verdict);
    assert_eq!(Verdict::ALL.map(count).iter().sum::<usize>(), claims().count());
    for verdict in Verdict::ALL {
        let rows = page.matches(&format!("<tr role=\"row\" class=\"{}\"", verdict.id())).count();
        assert_eq!(rows, count(verdict), "{verdict:?}");
        let words = format!("<b>{}</b> <span>{}</span>", verdict.counted(rows), verdict.meaning());
        assert!(page.contains(&words), "{verdict:?}");
    }
    assert!(
        page.starts_with("<section"),
        "the page takes what begins otherwise for an answer of a host without the file"
    );
}
