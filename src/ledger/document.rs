//! `REPRODUCTION.md`, and the tables of errata of the models' README files.

use std::fmt::Write as _;

use super::{CheckedClaim, Section, opening, tally, with_exponents};
use crate::lab::Model;
use crate::lab::claim::{Claim, Erratum, Verdict};

const HEAD: &str = "# What the papers say, and what comes out here

{opening}

`scripts/reproduce` runs every permalink below on the command line and writes this file. The page shows the same numbers:
put a permalink after its address. Quotations and printed numbers are the paper's. “Agreement” is what was required of our
value; where the paper states no criterion, one was set here; some were tightened after the first runs,
because a wrong method passed. “Would refute” is a value that fails the criterion:
that of a plausible error. “±” is a standard error; a claim whose value is within one standard error of what is required is undecided. Data sets are read from the folder that `MEANFIELD_DATA` names.

Only “agrees” is evidence for a paper:

{verdicts}";

/// Returns the text of `REPRODUCTION.md`.
pub fn document(sections: &[Section]) -> String {
    let define =
        |text: String, verdict: &Verdict| text + &format!("* {}: {}\n", verdict.words(), verdict.meaning());
    let verdicts = Verdict::ALL.iter().fold(String::new(), define);
    let head = HEAD.replace("{opening}", &opening(sections)).replace("{verdicts}", &verdicts);
    sections.iter().fold(head, |text, section| text + &paper(section))
}

/// Returns the section of a paper.
fn paper(section: &Section) -> String {
    let paper = &section.model.paper;
    let mut text = format!(
        "\n## `{}`: {}\n\n{}, *{}*, {}.\n\n{}.\n\n\
         | place | subject | printed | ours | agreement | would refute | verdict | run | remark |\n\
         |---|---|---|---|---|---|---|---|---|\n",
        section.model.id,
        paper.short,
        paper.authors,
        paper.title,
        paper.reference,
        tally([section])
    );
    for checked in &section.claims {
        let CheckedClaim { claim, ours, criterion, refuted_by, verdict, reason } = checked;
        let runs: Vec<String> =
            section.runs(checked).into_iter().map(|(number, _)| number.to_string()).collect();
        let runs = runs.join(", ");
        let verdict = match verdict {
            Verdict::Differs => "**differs**".to_owned(),
            other if reason.is_empty() => other.words().to_owned(),
            other => format!("{}: {reason}", other.words()),
        };
        let Claim { place, subject, printed, remark, .. } = claim;
        let [subject, printed, remark] = [subject, printed, remark].map(|text| with_exponents(text));
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "| {place} | {subject} | {printed} | {ours} | {criterion} | {refuted_by} | {verdict} | {runs} | {remark} |"
        );
    }
    text.push('\n');
    for (index, link) in section.links().iter().enumerate() {
        let _ = writeln!(text, "{}. `{link}`", index + 1);
    }
    if section.model.errata.is_empty() {
        return text;
    }
    text + "\nErrata of the paper:\n\n" + &errata_table(section.model)
}

/// Returns the errata of a model's paper as a table.
pub fn errata_table(model: &Model) -> String {
    let mut text = "| place | printed | correct | reason |\n|---|---|---|---|\n".to_owned();
    for Erratum { place, printed, correct, reason, link } in model.errata {
        let shown = if link.is_empty() { String::new() } else { format!(" `{link}` shows it.") };
        let row = [place, printed, correct].map(|cell| cell.replace('|', "\\|")).join(" | ");
        let _ = writeln!(text, "| {row} | {reason}{shown} |");
    }
    text
}
