//! The ledger as markup of the page `#/papers`.

use std::fmt::Write as _;

use super::{CheckedClaim, Section, count_bearing, count_verdict, opening, tally, with_exponents};
use crate::lab::claim::{Bearing, Claim, Erratum, Verdict};
use crate::render::escape;

/// Returns the markup of the page. Roles are explicit, because the style sheet turns rows into cards on a phone, and browsers then
/// ignore the semantics of a table.
pub fn page(sections: &[Section]) -> String {
    let mut html = format!(
        "<section class=\"ledger\">\n<h1>The papers, claim by claim</h1>\n\
         <p>{} Follow a link to run a claim in your browser.</p>\n{}{}\
         <details class=\"reading\"><summary>How to read the tables</summary><p>“Criterion” is the condition for agreement; where a \
         paper states none, one was set here; some were tightened after the first runs, because a wrong method passed. “Would refute” is the value that a plausible error would give. \
         “±” is a standard error; a claim whose value is within one standard error of what is required is undecided. Some runs take minutes, and \
         those on sonar, housing or mnist need that data set.</p></details>\n",
        opening(sections),
        bar(sections),
        filter(sections)
    );
    for section in sections {
        html += &paper(section);
    }
    html + "</section>\n"
}

/// Width, in percent, below which a part of the bar is too narrow for its number on a phone.
const NARROW: f64 = 3.0;

/// Returns a bar divided by verdict, each part with its number of claims. The key below it has the same numbers in words.
fn bar(sections: &[Section]) -> String {
    let all: usize = sections.iter().map(|section| section.claims.len()).sum();
    let percent = |claims: f64| 100.0 * claims / all as f64;
    let (mut html, mut before) = ("<svg class=\"counts\" aria-hidden=\"true\">".to_owned(), 0);
    for verdict in Verdict::ALL {
        let count = count_verdict(sections, verdict);
        let [left, width] = [before, count].map(|claims| percent(claims as f64));
        let middle = percent(before as f64 + count as f64 / 2.0);
        let _ = write!(
            html,
            "<g class=\"{}{}\"><rect x=\"{left:.2}%\" width=\"{width:.2}%\" height=\"100%\"/>\
             <text x=\"{middle:.2}%\" y=\"50%\">{count}</text></g>",
            verdict.id(),
            if width < NARROW { " narrow" } else { "" }
        );
        before += count;
    }
    html + "</svg>\n"
}

/// Returns the key of the bar: the meaning of each verdict, by bearing. It is also the switch for the rows that are shown, which the style sheet
/// reads.
fn filter(sections: &[Section]) -> String {
    let choice = |id: &str, checked: &str, words: &str, meaning: &str| {
        format!(
            "<label class=\"{id}\"><input type=\"radio\" name=\"claims\" id=\"only-{id}\"{checked} />\
             <b>{words}</b> <span>{meaning}</span></label>"
        )
    };
    let mut html = "<fieldset class=\"verdicts\"><legend class=\"sr-only\">Claims shown</legend>".to_owned();
    html += &choice("all", " checked", "all", "Show every claim.");
    for bearing in Bearing::ALL {
        let verdicts: Vec<Verdict> = bearing.verdicts().collect();
        if verdicts.len() > 1 {
            let _ = write!(html, "<p>{}:</p>", bearing.counted(count_bearing(sections, bearing)));
        }
        for verdict in verdicts {
            let words = verdict.counted(count_verdict(sections, verdict));
            html += &choice(verdict.id(), "", &words, verdict.meaning());
        }
    }
    html + "</fieldset>\n"
}

/// Returns the claims and errata of a paper.
fn paper(section: &Section) -> String {
    let (model, paper) = (section.model, &section.model.paper);
    let mut html = format!(
        "<section class=\"paper\">\n<h2>{}: <a href=\"#/{}\">{}</a></h2>\n<p>{}, <cite>{}</cite>, {}. {}.</p>\n",
        escape(paper.short),
        model.id,
        escape(model.name),
        escape(paper.authors),
        escape(paper.title),
        escape(paper.reference),
        tally([section])
    );
    let rows = section.claims.iter().map(|checked| row(checked, &section.runs(checked)));
    html += &table(
        &format!("Claims of {}", paper.short),
        &["Place", "Claim", "Printed", "Ours", "Verdict", "Criterion", "Run"],
        rows,
    );
    if model.errata.is_empty() {
        return html + "</section>\n";
    }
    let caption = format!("Errata of {}", paper.short);
    let rows = model.errata.iter().map(|erratum| {
        let Erratum { place, printed, correct, reason, link } = erratum;
        let [place, printed, correct, reason] = [place, printed, correct, reason].map(|text| cell(text));
        let shown = if link.is_empty() { String::new() } else { anchor(link, "show") };
        ("", [place, printed, correct, reason, shown].to_vec())
    });
    html + "<h3>Errata</h3>\n"
        + &table(&caption, &["Place", "Printed", "Correct", "Reason", "Run"], rows)
        + "</section>\n"
}

/// Returns the class and the cells of a claim's row.
fn row(checked: &CheckedClaim, runs: &[(usize, &str)]) -> (&'static str, Vec<String>) {
    let CheckedClaim { claim, ours, criterion, refuted_by, verdict, reason } = checked;
    let Claim { place, subject, printed, remark, .. } = claim;
    let reason = if reason.is_empty() { String::new() } else { format!("<small>{}</small>", cell(reason)) };
    let words = format!("<span class=\"verdict\">{}</span>{reason}", verdict.words());
    let runs = runs.iter().map(|(number, link)| anchor(link, &format!("run\u{a0}{number}")));
    let runs = runs.collect::<Vec<_>>().join(", ");
    let [place, subject, printed, ours] = [*place, *subject, *printed, ours].map(cell);
    let criterion = cell(criterion) + &more(&[("Would refute", refuted_by), ("Remark", remark)]);
    (verdict.id(), vec![place, subject, printed, ours, words, criterion, runs])
}

/// Returns the named texts, without those that are empty, folded; empty without any.
fn more(texts: &[(&str, &str)]) -> String {
    let known = texts.iter().filter(|(_, text)| !text.is_empty());
    let known: Vec<String> = known.map(|(name, text)| format!("<p>{name}: {}</p>", cell(text))).collect();
    if known.is_empty() {
        return String::new();
    }
    format!("<details><summary>More</summary>{}</details>", known.concat())
}

/// Returns a text as the markup of a cell.
fn cell(text: &str) -> String {
    with_exponents(&escape(text))
}

/// Returns a link.
fn anchor(link: &str, words: &str) -> String {
    format!("<a href=\"{}\">{words}</a>", escape(link))
}

/// Returns a table whose second column is the header of the row. Each cell has the name of its column, for cards.
fn table(caption: &str, columns: &[&str], rows: impl Iterator<Item = (&'static str, Vec<String>)>) -> String {
    let mut html = format!(
        "<table role=\"table\">\n<caption class=\"sr-only\">{}</caption>\n<thead role=\"rowgroup\"><tr role=\"row\">",
        escape(caption)
    );
    for column in columns {
        let _ = write!(html, "<th role=\"columnheader\" scope=\"col\">{column}</th>");
    }
    html += "</tr></thead>\n<tbody role=\"rowgroup\">\n";
    for (class, cells) in rows {
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let _ = write!(html, "<tr role=\"row\"{class}>");
        for (column, cell) in columns.iter().zip(cells) {
            // An empty cell is not shown on a card.
            let _ = match (*column, cell.is_empty()) {
                (_, true) => write!(html, "<td role=\"cell\"></td>"),
                ("Claim", false) => write!(html, "<th role=\"rowheader\" scope=\"row\">{cell}</th>"),
                (_, false) => write!(html, "<td role=\"cell\" data-label=\"{column}\">{cell}</td>"),
            };
        }
        html += "</tr>\n";
    }
    html + "</tbody>\n</table>\n"
}
