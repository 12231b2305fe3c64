//! The page `#/papers`: the ledger as markup that the page fetches ready-made.

use std::fmt::Write as _;

use super::{Entry, Outcome, Section};
use crate::lab::claim::{Claim, Erratum};
use crate::render::escape;

/// The markup of the page of the papers. Roles are written out, because on a phone the style sheet makes cards of the rows, and browsers then forget that
/// they are a table.
pub fn page(sections: &[Section]) -> String {
    let sum = sections.iter().map(Section::counts).fold([0; 3], |[a, b, c], [x, y, z]| [a + x, b + y, c + z]);
    let mut html = format!(
        "<section class=\"ledger\">\n<h1>The papers, claim by claim</h1>\n\
         <p>Every figure, table and checkable statement of the {} papers, beside the value that our runs give. “Required” is \
         what counts as agreement; where a paper states no criterion, it is ours, and the remark says so. “±” is a standard \
         error. Follow a link to run the claim in your browser; some take minutes, and those on sonar, housing or mnist need \
         that data set.</p>\n{}",
        sections.len(),
        filter(sum)
    );
    for section in sections {
        html += &one(section);
    }
    html + "</section>\n"
}

/// Which rows are shown; the style sheet does the rest.
fn filter([agree, differ, unchecked]: [usize; 3]) -> String {
    let all = agree + differ + unchecked;
    let mut html = "<fieldset class=\"switch\"><legend class=\"sr-only\">Claims shown</legend>".to_owned();
    for (place, (id, words, count)) in [
        ("all", "all", all),
        ("agree", "agree", agree),
        ("differ", "differ", differ),
        ("unchecked", "cannot be checked", unchecked),
    ]
    .into_iter()
    .enumerate()
    {
        let checked = if place == 0 { " checked" } else { "" };
        let _ = write!(
            html,
            "<label><input type=\"radio\" name=\"claims\" id=\"only-{id}\"{checked} />{count} {words}</label>"
        );
    }
    html + "</fieldset>\n"
}

fn one(section: &Section) -> String {
    let (model, paper) = (section.model, &section.model.paper);
    let [agree, differ, unchecked] = section.counts();
    let mut html = format!(
        "<h2>{}: <a href=\"#/{}\">{}</a></h2>\n<p>{}, <cite>{}</cite>, {}. {agree} agree, {differ} differ, {unchecked} cannot \
         be checked.</p>\n",
        escape(paper.short),
        model.id,
        escape(model.name),
        escape(paper.authors),
        escape(paper.title),
        escape(paper.reference)
    );
    let rows = section.entries.iter().map(|entry| row(entry, &section.runs(entry)));
    html += &table(
        &format!("Claims of {}", paper.short),
        &["Place", "Claim", "Printed", "Ours", "Required", "Verdict", "Remark", "Run"],
        rows,
    );
    if model.errata.is_empty() {
        return html;
    }
    let caption = format!("Errata of {}", paper.short);
    let rows = model.errata.iter().map(|erratum| {
        let Erratum { place, printed, correct, reason, link } = erratum;
        let [place, printed, correct, reason] = [place, printed, correct, reason].map(|text| escape(text));
        let shown = if link.is_empty() { String::new() } else { anchor(link, "show") };
        ("", [place, printed, correct, reason, shown].to_vec())
    });
    html + "<h3>Errata</h3>\n" + &table(&caption, &["Place", "Printed", "Correct", "Reason", "Run"], rows)
}

/// The class of a claim's row and its cells.
fn row(entry: &Entry, runs: &[(usize, &str)]) -> (&'static str, Vec<String>) {
    let Entry { claim, ours, agreement, outcome } = entry;
    let Claim { place, subject, printed, remark, .. } = claim;
    let (class, words, why) = match outcome {
        Outcome::Agrees => ("agrees", "agrees", ""),
        Outcome::Differs => ("differs", "<strong>differs</strong>", ""),
        Outcome::Unchecked(why) => ("unchecked", "cannot be checked", why.as_str()),
    };
    let remark = [why, remark].join(" ");
    let runs = runs.iter().map(|(number, link)| anchor(link, &format!("run {number}")));
    let runs = runs.collect::<Vec<_>>().join(", ");
    let [place, subject, printed, ours, agreement, remark] =
        [*place, *subject, *printed, ours, agreement, remark.trim()].map(escape);
    (class, vec![place, subject, printed, ours, agreement, words.to_owned(), remark, runs])
}

fn anchor(link: &str, words: &str) -> String {
    format!("<a href=\"{}\">{words}</a>", escape(link))
}

/// A table whose second column names the row. Each cell knows the name of its column, for cards.
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
            // An empty cell has no place on a card.
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
