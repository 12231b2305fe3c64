//! The papers in `CITATION.cff`, read off their BibTeX entries.

use meanfield::lab::Paper;

/// An entry of the list of references.
pub fn reference(paper: &Paper) -> String {
    let kind = match paper.bibtex.split_once('{').map(|(kind, _)| kind) {
        Some("@article") => "article",
        Some("@inproceedings") => "conference-paper",
        Some("@incollection") => "generic",
        kind => panic!("{}: BibTeX entries of type {kind:?} are not known here", paper.short),
    };
    let has = |name: &str| field(paper.bibtex, name);
    let needs = |name: &str| has(name).unwrap_or_else(|| panic!("{}: BibTeX without {name}", paper.short));
    let mut lines = vec![format!("- type: {kind}"), "  authors:".to_owned()];
    for author in needs("author").split(" and ") {
        let (family, given) = author
            .split_once(", ")
            .unwrap_or_else(|| panic!("{}: {author}: family name, given names", paper.short));
        lines.push(format!("    - {{ family-names: {family}, given-names: {given} }}"));
    }
    lines.push(format!("  title: \"{}\"", paper.title));
    for (name, key) in [("journal", "journal"), ("booktitle", "collection-title")] {
        lines.extend(has(name).map(|text| format!("  {key}: \"{text}\"")));
    }
    lines.extend(has("volume").map(|volume| format!("  volume: {volume}")));
    let pages = needs("pages");
    let (start, end) = pages.split_once("--").unwrap_or((&pages, &pages));
    lines.extend([
        format!("  start: {start}"),
        format!("  end: {end}"),
        format!("  year: {}", needs("year")),
    ]);
    lines.join("\n")
}

/// The text of a field of a BibTeX entry, on one line and without braces.
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
