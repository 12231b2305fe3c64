//! The ledger of the papers: claims, findings of our runs, and errata. Findings are kept in `src/models/NAME/findings.json`;
//! `REPRODUCTION.md` and the page `#/papers` are rendered from claims and findings.

mod document;
mod findings;
mod page;

pub use document::{document, errata_table};
pub use findings::{Finding, Measured, Report, measure, path, read, stale, write};
pub use page::page;

use crate::lab::Model;
use crate::lab::claim::{Basis, Bearing, Check, Claim, Criterion, Refutation, Verdict};

/// Reason of a verdict where the standard error is too large.
const UNDECIDED: &str = "our value is within one standard error of what is required.";

/// A claim with its finding.
pub struct CheckedClaim {
    /// The claim.
    pub claim: &'static Claim,
    /// Our value after its quantity, with its standard error if known.
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

/// Returns the number of claims with a verdict.
pub fn count_verdict<'a>(sections: impl IntoIterator<Item = &'a Section>, verdict: Verdict) -> usize {
    sections.into_iter().map(|section| section.count(verdict)).sum()
}

/// Returns the numbers of claims with each verdict that occurs in `sections`, in words: “16 agree, 4 differ and 1 is fitted”.
pub fn tally<'a>(sections: impl IntoIterator<Item = &'a Section>) -> String {
    let sections: Vec<&Section> = sections.into_iter().collect();
    let counted = Verdict::ALL.map(|verdict| (verdict, count_verdict(sections.iter().copied(), verdict)));
    let counted = counted.iter().filter(|(_, count)| *count > 0);
    listed(counted.map(|(verdict, count)| verdict.counted(*count)).collect())
}

/// Returns the sentence that begins the ledger: how many statements there are, and how many of each bearing.
pub fn opening(sections: &[Section]) -> String {
    let count: usize = sections.iter().map(|section| section.claims.len()).sum();
    let counted = Bearing::ALL.map(|bearing| bearing.counted(count_bearing(sections, bearing)));
    let counted = listed(counted.to_vec());
    format!("Of {count} statements from the papers or about them, {counted}.")
}

/// Returns the number of claims with the given bearing.
fn count_bearing(sections: &[Section], bearing: Bearing) -> usize {
    bearing.verdicts().map(|verdict| count_verdict(sections, verdict)).sum()
}

/// Joins words into a list.
fn listed(mut words: Vec<String>) -> String {
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} and {last}", words.join(", ")) }
}

/// Returns a text whose exponents, written as in `ε^Bayes`, are markup.
pub fn with_exponents(text: &str) -> String {
    let mut parts = text.split('^');
    let mut markup = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_exponent = |c: char| c.is_alphanumeric() || c == '−' || c == '½';
        let end = part.find(|c| !is_exponent(c)).unwrap_or(part.len());
        for piece in ["<sup>", &part[..end], "</sup>", &part[end..]] {
            markup += piece;
        }
    }
    markup
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
        let untested = |reason: &str| Self {
            claim,
            ours: String::new(),
            criterion: String::new(),
            refuted_by: String::new(),
            verdict: Verdict::Untested,
            reason: reason.to_owned(),
        };
        let (criterion, basis) = match &claim.check {
            Check::No(reason) => return Ok(untested(reason)),
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
            Err(reason) => return Ok(untested(reason)),
        };
        let unit = &claim.unit;
        let undecided = spread.is_some_and(|se| criterion.is_undecided(value, se));
        let verdict = if undecided { Verdict::Undecided } else { criterion.verdict(basis, value) };
        let shown = |value: f64| match criterion {
            Criterion::Rounded { decimals, .. } => unit.show_decimals(value, decimals + 1),
            _ => unit.show(value),
        };
        let number = spread.map_or_else(|| shown(value), |spread| unit.show_with_error(value, spread));
        Ok(Self {
            claim,
            ours: format!("{} {number}", claim.measured),
            criterion: criterion.describe(unit),
            refuted_by: match basis {
                Basis::Test(Refutation { method, value }) => format!("{}: {method}", shown(*value)),
                _ => String::new(),
            },
            verdict,
            reason: match (verdict, basis) {
                (Verdict::Undecided | Verdict::Weak, Basis::Weak(reason) | Basis::Undecided(reason)) => {
                    format!("{reason}.")
                }
                (Verdict::Undecided, _) => UNDECIDED.to_owned(),
                _ => String::new(),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_markup() {
        assert_eq!(with_exponents("ε^Bayes and ⟨x^μ⟩"), "ε<sup>Bayes</sup> and ⟨x<sup>μ</sup>⟩");
        assert_eq!(with_exponents("K^−½ Σ σ"), "K<sup>−½</sup> Σ σ");
        assert_eq!(with_exponents("none"), "none");
    }

    #[test]
    fn the_bar_of_the_page_is_divided_by_the_numbers_of_claims() {
        let sections = sections(crate::models::MODELS).unwrap();
        let html = page(&sections);
        let bar = html.split_once("class=\"counts\"").unwrap().1.split_once("</svg>").unwrap().0;
        let numbers = |before: &str, after: &str| -> Vec<f64> {
            let parts = bar.split(before).skip(1);
            parts.map(|part| part.split_once(after).unwrap().0.parse().unwrap()).collect()
        };
        let (lefts, widths) = (numbers("<rect x=\"", "%"), numbers(" width=\"", "%"));
        let counts = numbers("y=\"50%\">", "<");
        assert_eq!(counts, Verdict::ALL.map(|verdict| count_verdict(&sections, verdict) as f64));
        let all: f64 = counts.iter().sum();
        for (at, (left, width)) in lefts.iter().zip(&widths).enumerate() {
            assert!((width - 100.0 * counts[at] / all).abs() < 0.01, "{bar}");
            assert!((left - widths[..at].iter().sum::<f64>()).abs() < 0.05, "{bar}");
        }
        for verdict in Verdict::ALL {
            let words = verdict.counted(count_verdict(&sections, verdict));
            assert!(html.contains(&format!("<b>{words}</b> <span>{}</span>", verdict.meaning())), "{words}");
        }
    }

    #[test]
    fn the_ledger_begins_with_a_sentence() {
        let sections = sections(crate::models::MODELS).unwrap();
        let text = opening(&sections);
        let counts: Vec<usize> =
            text.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
        assert_eq!(counts[0], counts[1..].iter().sum::<usize>(), "{text}");
        let claims = || sections.iter().flat_map(|section| &section.claims);
        let open = claims().filter(|checked| checked.verdict.bearing() == Bearing::Open).count();
        assert_eq!(counts[counts.len() - 1], open, "{text}");
        let untested = claims().filter(|checked| checked.claim.check.links().next().is_none()).count();
        assert_eq!(untested, count_verdict(&sections, Verdict::Untested));
        assert!(text.contains(" agree, ") && text.ends_with(" are open."), "{text}");
    }
}
