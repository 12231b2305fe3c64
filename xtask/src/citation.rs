//! References in `CITATION.cff`, read from the BibTeX entries of the papers.

use meanfield::lab::Paper;
use meanfield::models::MODELS;

use super::region::Region;

/// Returns the list of references.
///
/// # Errors
/// Returns the errors of [`reference`].
pub fn region() -> Result<Region, String> {
    let references: Vec<String> =
        MODELS.iter().map(|model| reference(&model.paper)).collect::<Result<_, _>>()?;
    Ok(Region::new("CITATION.cff", "references", references))
}

/// Returns an entry of the list of references.
///
/// # Errors
/// If the BibTeX entry is of another type, lacks a field, or has an author without given names.
fn reference(paper: &Paper) -> Result<String, String> {
    let kind = match paper.bibtex.split_once('{').map(|(kind, _)| kind) {
        Some("@article") => "article",
        Some("@inproceedings") => "conference-paper",
        Some("@incollection") => "generic",
        kind => return Err(format!("{}: unsupported BibTeX type {kind:?}", paper.short)),
    };
    let optional = |name: &str| field(paper.bibtex, name);
    let required = |name: &str| optional(name).ok_or(format!("{}: BibTeX without {name}", paper.short));
    let mut lines = vec![format!("- type: {kind}"), "  authors:".to_owned()];
    for author in required("author")?.split(" and ") {
        let (family, given) = author
            .split_once(", ")
            .ok_or(format!("{}: “{author}” is not of the form “family, given”", paper.short))?;
        lines.push(format!("    - {{ family-names: {family}, given-names: {given} }}"));
    }
    lines.push(format!("  title: \"{}\"", paper.title));
    for (name, key) in [("journal", "journal"), ("booktitle", "collection-title")] {
        lines.extend(optional(name).map(|text| format!("  {key}: \"{text}\"")));
    }
    lines.extend(optional("volume").map(|volume| format!("  volume: {volume}")));
    let pages = required("pages")?;
    let (start, end) = pages.split_once("--").unwrap_or((&pages, &pages));
    lines.extend([
        format!("  start: {start}"),
        format!("  end: {end}"),
        format!("  year: {}", required("year")?),
    ]);
    Ok(lines.join("\n"))
}

/// Returns the text of a field of a BibTeX entry, on one line and without braces.
fn field(bibtex: &str, name: &str) -> Option<String> {
    let at = bibtex.match_indices(name).map(|(at, _)| at).find(|at| {
        let before = bibtex[..*at].chars().next_back();
        let after = bibtex[at + name.len()..].trim_start();
        before.is_some_and(char::is_whitespace) && after.starts_with('=')
    })?;
    let value = bibtex[at..].split_once('{')?.1;
    let mut depth = 1;
    let end = value.find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    })?;
    let words: Vec<&str> = value[..end].split_whitespace().collect();
    Some(words.join(" ").replace(['{', '}'], ""))
}

#[test]
fn fields_of_bibtex_are_read() {
    let bibtex = "@article{a,\n  title = {A {Bayes}\n   year},\n  volume = {7}, year = {1996}\n}";
    let read = |name| field(bibtex, name);
    assert_eq!(read("title").as_deref(), Some("A Bayes year"));
    assert_eq!((read("volume").as_deref(), read("year").as_deref()), (Some("7"), Some("1996")));
    assert_eq!(read("journal"), None);
}
