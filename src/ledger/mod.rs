//! The ledger of the papers: claims, findings of our runs, and errata. Findings are kept in `src/models/NAME/findings.json`;
//! `REPRODUCTION.md` and the page `#/papers` are rendered from claims and findings.

mod document;
mod findings;
mod page;

pub use document::{document, errata_table};
pub use findings::{Finding, Measured, Report, measure, path, read, stale, write};
pub use page::page;

use crate::lab::Model;
use crate::lab::claim::{Basis, Check, Claim, Criterion, Refutation, Verdict};

/// A claim with its finding.
pub struct CheckedClaim {
    /// The claim.
    pub claim: &'static Claim,
    /// Our value, with its standard error if known.
    pub ours: String,
    /// Criterion of agreement.
    pub criterion: String,
    /// Result that would have refuted the claim; empty if none could.
    pub refuted_by: String,
    /// Verdict on the claim.
    pub verdict: Verdict,
    /// Reason why the claim is not checked; empty if it is.
    pub reason: String,
}

/// The claims of a paper with their findings.
pub struct Section {
    /// Model of the paper.
    pub model: &'static Model,
    /// Claims in their order.
    pub claims: Vec<CheckedClaim>,
}

impl Section {
    /// Combines claims and findings.
    ///
    /// # Errors
    /// If a claim has no finding, or one of an earlier form of the claim.
    pub fn new(model: &'static Model, findings: &[Finding]) -> Result<Self, String> {
        let claims: Result<_, _> =
            model.claims.iter().map(|claim| CheckedClaim::new(claim, findings)).collect();
        Ok(Self { model, claims: claims.map_err(|error| format!("{}: {error}", model.id))? })
    }

    /// Returns the number of claims with a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.claims.iter().filter(|claim| claim.verdict == verdict).count()
    }

    /// Returns the permalinks of the claims without duplicates, in order of first use.
    pub fn links(&self) -> Vec<&'static str> {
        let mut links = Vec::new();
        for link in self.claims.iter().flat_map(|checked| checked.claim.check.links()) {
            if !links.contains(&link) {
                links.push(link);
            }
        }
        links
    }

    /// Returns the permalinks of a claim, each with its number among [`Self::links`], from 1.
    pub fn runs(&self, checked: &CheckedClaim) -> Vec<(usize, &'static str)> {
        let links = self.links();
        let number = |link: &str| links.iter().position(|known| *known == link).map_or(0, |index| index + 1);
        checked.claim.check.links().map(|link| (number(link), link)).collect()
    }
}

/// Returns the claims and findings of all papers.
///
/// # Errors
/// If a file of findings cannot be read or does not match the claims.
pub fn sections(models: &'static [&'static Model]) -> Result<Vec<Section>, String> {
    models.iter().map(|model| Section::new(model, &read(model)?)).collect()
}

/// Returns the verdicts that occur in `sections`, each with its number of claims, in words: “16 agrees, 4 differs”.
pub fn tally<'a>(sections: impl IntoIterator<Item = &'a Section>) -> String {
    let sections: Vec<&Section> = sections.into_iter().collect();
    let count = |verdict| sections.iter().map(|section| section.count(verdict)).sum::<usize>();
    let counted = Verdict::ALL.map(|verdict| (verdict.words(), count(verdict)));
    let words: Vec<String> = counted
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(words, count)| format!("{count} {words}"))
        .collect();
    words.join(", ")
}

/// Returns path and text of each file rendered from claims and findings.
///
/// # Errors
/// Returns the errors of [`sections`].
pub fn files(models: &'static [&'static Model]) -> Result<[(&'static str, String); 2], String> {
    let sections = sections(models)?;
    Ok([("REPRODUCTION.md", document(&sections)), ("assets/pages/papers.html", page(&sections))])
}

impl CheckedClaim {
    fn new(claim: &'static Claim, findings: &[Finding]) -> Result<Self, String> {
        let unchecked = |reason: &str| Self {
            claim,
            ours: String::new(),
            criterion: String::new(),
            refuted_by: String::new(),
            verdict: Verdict::Unchecked,
            reason: reason.to_owned(),
        };
        let (criterion, basis) = match &claim.check {
            Check::No(reason) => return Ok(unchecked(reason)),
            Check::Run { criterion, basis, .. } => (criterion, basis),
        };
        let finding = findings.iter().find(|finding| finding.is_of(claim)).ok_or_else(|| {
            format!(
                "“{}, {}” has no finding, or one of an earlier form: run scripts/reproduce stale",
                claim.place, claim.subject
            )
        })?;
        let Measured { value, spread } = match &finding.found {
            Ok(measured) => *measured,
            Err(reason) => return Ok(unchecked(reason)),
        };
        let spread = spread.map_or(String::new(), |spread| format!(" ± {}", number(spread)));
        let shown = |value: f64| match criterion {
            Criterion::Rounded { decimals, .. } => format!("{value:.*}", decimals + 1),
            _ => number(value),
        };
        Ok(Self {
            claim,
            ours: shown(value) + &spread,
            criterion: criterion.to_string(),
            refuted_by: match basis {
                Basis::Test(Refutation { method, value }) => format!("{}: {method}", shown(*value)),
                _ => String::new(),
            },
            verdict: criterion.verdict(basis, value),
            reason: String::new(),
        })
    }
}

/// Formats a whole number, or three significant digits; magnitudes below 10⁻¹² are 0.
fn number(x: f64) -> String {
    if x.abs() < 1e-12 {
        return "0".to_owned();
    }
    if x.fract() == 0.0 {
        return format!("{x:.0}");
    }
    let rounded = format!("{x:.2e}");
    match rounded.split_once('e').and_then(|(_, power)| power.parse::<i32>().ok()) {
        Some(3..) => format!("{x:.0}"),
        Some(power @ -4..=2) => format!("{x:.*}", (2 - power) as usize),
        _ => rounded,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let texts = [0.0, 3e-13, 24.0, 0.006_694, 89.5, 2.083, 12_345.6, 1.23e-7].map(number);
        assert_eq!(texts, ["0", "0", "24", "0.00669", "89.5", "2.08", "12346", "1.23e-7"]);
    }
}
