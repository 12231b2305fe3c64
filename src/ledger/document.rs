//! `REPRODUCTION.md`, and the tables of errata of the models' README files.

use std::fmt::Write as _;

use super::{CheckedClaim, ClaimResult, Section};
use crate::lab::Model;
use crate::lab::claim::{Claim, Erratum};

const HEAD: &str = "# What the papers say, and what comes out here

`scripts/reproduce` runs every permalink below on the command line and writes this file. The page shows the same numbers:
put a permalink after its address. Quotations and printed numbers are the paper's. “Agreement” is what was required of our
value; where the paper states no criterion, it is ours, and said so. “±” is a standard error. Data sets are read from the
folder that `MEANFIELD_DATA` names.
";

/// Returns the text of `REPRODUCTION.md`.
pub fn document(sections: &[Section]) -> String {
    sections.iter().fold(HEAD.to_owned(), |text, section| text + &paper(section))
}

/// Returns the section of a paper.
fn paper(section: &Section) -> String {
    let paper = &section.model.paper;
    let [agree, differ, unchecked] = section.counts();
    let mut text = format!(
        "\n## `{}`: {}\n\n{}, *{}*, {}.\n\n{agree} agree, {differ} differ, {unchecked} cannot be checked.\n\n\
         | place | subject | printed | ours | agreement | verdict | run | remark |\n|---|---|---|---|---|---|---|---|\n",
        section.model.id, paper.short, paper.authors, paper.title, paper.reference
    );
    for checked in &section.claims {
        let CheckedClaim { claim, ours, criterion, result } = checked;
        let runs: Vec<String> =
            section.runs(checked).into_iter().map(|(number, _)| number.to_string()).collect();
        let runs = runs.join(", ");
        let verdict = match result {
            ClaimResult::Agrees => "agrees".to_owned(),
            ClaimResult::Differs => "**differs**".to_owned(),
            ClaimResult::Unchecked(reason) => format!("cannot be checked: {reason}"),
        };
        let Claim { place, subject, printed, remark, .. } = claim;
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "| {place} | {subject} | {printed} | {ours} | {criterion} | {verdict} | {runs} | {remark} |"
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
