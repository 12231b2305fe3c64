//! The ledger of the papers: what each of them claims, what our runs found, and the errata. The findings of a run are kept in
//! `src/models/NAME/findings.json`; `REPRODUCTION.md` and the page `#/papers` are rendered from them and from the claims.

mod document;
mod findings;
mod page;

pub use document::{document, errata_table};
pub use findings::{Finding, Measured, Report, measure, path, read, stale, write};
pub use page::page;

use crate::lab::Model;
use crate::lab::claim::{Agreement, Check, Claim, Verdict};

/// A claim beside what was found.
pub struct Entry {
    /// The claim.
    pub claim: &'static Claim,
    /// Our value with its standard error, if there is one.
    pub ours: String,
    /// What agreement means.
    pub agreement: String,
    /// What came of it.
    pub outcome: Outcome,
}

/// The outcome of a claim.
pub enum Outcome {
    /// As the paper says.
    Agrees,
    /// Not as the paper says.
    Differs,
    /// Nothing, and why.
    Unchecked(String),
}

/// The claims of a paper with their findings.
pub struct Section {
    /// Whose paper it is.
    pub model: &'static Model,
    /// In the order of the claims.
    pub entries: Vec<Entry>,
}

impl Section {
    /// Puts claims and findings together.
    ///
    /// # Errors
    /// If a claim has no finding, or that of another check.
    pub fn new(model: &'static Model, findings: &[Finding]) -> Result<Self, String> {
        let entries: Result<_, _> = model.claims.iter().map(|claim| Entry::new(claim, findings)).collect();
        Ok(Self { model, entries: entries.map_err(|why| format!("{}: {why}", model.id))? })
    }

    /// How many claims agree, differ and cannot be checked.
    pub fn counts(&self) -> [usize; 3] {
        let count = |is: fn(&Outcome) -> bool| self.entries.iter().filter(|entry| is(&entry.outcome)).count();
        [
            count(|outcome| matches!(outcome, Outcome::Agrees)),
            count(|outcome| matches!(outcome, Outcome::Differs)),
            count(|outcome| matches!(outcome, Outcome::Unchecked(_))),
        ]
    }

    /// The permalinks of the claims, each once, in the order in which they are first named.
    pub fn links(&self) -> Vec<&'static str> {
        let mut links = Vec::new();
        for link in self.entries.iter().flat_map(|entry| entry.claim.check.links()) {
            if !links.contains(&link) {
                links.push(link);
            }
        }
        links
    }

    /// The permalinks of an entry's claim, each with its number among [`Self::links`], from 1.
    pub fn runs(&self, entry: &Entry) -> Vec<(usize, &'static str)> {
        let links = self.links();
        let number = |link: &str| links.iter().position(|known| *known == link).map_or(0, |place| place + 1);
        entry.claim.check.links().map(|link| (number(link), link)).collect()
    }
}

/// Every paper, in the order of the navigation, with the findings that are kept.
///
/// # Errors
/// If a file of findings cannot be read, or does not fit the claims.
pub fn sections(models: &'static [&'static Model]) -> Result<Vec<Section>, String> {
    models.iter().map(|model| Section::new(model, &read(model)?)).collect()
}

/// Everything that is rendered from claims and findings: path from the root of the sources, and text.
///
/// # Errors
/// As [`sections`].
pub fn files(models: &'static [&'static Model]) -> Result<[(&'static str, String); 2], String> {
    let sections = sections(models)?;
    Ok([("REPRODUCTION.md", document(&sections)), ("assets/pages/papers.html", page(&sections))])
}

impl Entry {
    fn new(claim: &'static Claim, findings: &[Finding]) -> Result<Self, String> {
        let unchecked = |why: &str| Self {
            claim,
            ours: String::new(),
            agreement: String::new(),
            outcome: Outcome::Unchecked(why.to_owned()),
        };
        let agreement = match &claim.check {
            Check::No(why) => return Ok(unchecked(why)),
            Check::Run { agreement, .. } => agreement,
        };
        let finding = findings.iter().find(|finding| finding.is_of(claim)).ok_or_else(|| {
            format!(
                "“{}, {}” has no finding, or that of another check: run scripts/reproduce stale",
                claim.place, claim.subject
            )
        })?;
        let Measured { value, spread, other } = match &finding.found {
            Ok(measured) => *measured,
            Err(why) => return Ok(unchecked(why)),
        };
        let spread = spread.map_or(String::new(), |spread| format!(" ± {}", number(spread)));
        Ok(Self {
            claim,
            ours: match agreement {
                Agreement::Rounded { decimals, .. } => format!("{value:.*}", decimals + 1),
                Agreement::SameAs { .. } => format!("{value:.6}"),
                _ => format!("{}{spread}", number(value)),
            },
            agreement: agreement.to_string(),
            outcome: match agreement.verdict(value, other) {
                Verdict::Agrees => Outcome::Agrees,
                Verdict::Differs => Outcome::Differs,
            },
        })
    }
}

/// A whole number, or three significant digits; next to nothing is 0.
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
        let said = [0.0, 3e-13, 24.0, 0.006_694, 89.5, 2.083, 12_345.6, 1.23e-7].map(number);
        assert_eq!(said, ["0", "0", "24", "0.00669", "89.5", "2.08", "12346", "1.23e-7"]);
    }
}
