//! `--reproduce FILE`: runs every claim of every model and writes what came of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Instant;

use meanfield::lab::claim::{Agreement, Check, Claim, Quantity, Verdict};
use meanfield::models::{MODELS, Model};
use serde_json::Value;

/// The report of a permalink, or why there is none.
pub type Report = Result<Value, String>;

const HEAD: &str = "# What the papers say, and what comes out here

`scripts/reproduce` runs every permalink below on the command line and writes this file. The page shows the same numbers:
put a permalink after its address. Quotations and printed numbers are the paper's. “Agreement” is what was required of our
value; where the paper states no criterion, it is ours, and said so. “±” is a standard error. Data sets are read from the
folder that `MEANFIELD_DATA` names.
";

/// Runs the claims of all models by `run`, each permalink once, and writes the document.
pub fn document(run: impl Fn(&str) -> Report) -> String {
    let mut reports: BTreeMap<&str, Report> = BTreeMap::new();
    for link in MODELS.iter().flat_map(|model| model.claims).flat_map(|claim| claim.check.links()) {
        reports.entry(link).or_insert_with(|| {
            let start = Instant::now();
            let report = run(link);
            eprintln!("{:6.1} s  {link}", start.elapsed().as_secs_f64());
            report
        });
    }
    let claimed = MODELS.iter().filter(|model| !model.claims.is_empty());
    claimed.fold(HEAD.to_owned(), |text, model| text + &section(model, &reports))
}

fn section(model: &Model, reports: &BTreeMap<&str, Report>) -> String {
    let paper = &model.paper;
    let mut links: Vec<&str> = Vec::new();
    let mut counts = [0; 3];
    let mut rows = String::new();
    for claim in model.claims {
        let numbers = claim.check.links().map(|link| {
            let known = links.iter().position(|known| *known == link);
            let place = known.unwrap_or_else(|| {
                links.push(link);
                links.len() - 1
            });
            (place + 1).to_string()
        });
        let numbers = numbers.collect::<Vec<_>>().join(", ");
        let finding = Finding::new(claim, reports);
        counts[match finding.verdict {
            Some(Verdict::Agrees) => 0,
            Some(Verdict::Differs) => 1,
            None => 2,
        }] += 1;
        let Finding { ours, words, agreement, .. } = finding;
        let Claim { place, subject, printed, remark, .. } = claim;
        // Writing to a String cannot fail.
        let _ = writeln!(
            rows,
            "| {place} | {subject} | {printed} | {ours} | {agreement} | {words} | {numbers} | {remark} |"
        );
    }
    let mut text = format!(
        "\n## `{}`: {}\n\n{}, *{}*, {}.\n\n{} agree, {} differ, {} cannot be checked.\n\n\
         | place | subject | printed | ours | agreement | verdict | run | remark |\n|---|---|---|---|---|---|---|---|\n{rows}\n",
        model.id, paper.short, paper.authors, paper.title, paper.reference, counts[0], counts[1], counts[2]
    );
    for (place, link) in links.iter().enumerate() {
        let _ = writeln!(text, "{}. `{link}`", place + 1);
    }
    text
}

/// What came of a claim, in words.
struct Finding {
    ours: String,
    agreement: String,
    verdict: Option<Verdict>,
    words: String,
}

impl Finding {
    fn new(claim: &Claim, reports: &BTreeMap<&str, Report>) -> Self {
        let unchecked = |why: &str| Self {
            ours: String::new(),
            agreement: String::new(),
            verdict: None,
            words: format!("cannot be checked: {why}"),
        };
        let (link, value, spread, agreement) = match &claim.check {
            Check::No(why) => return unchecked(why),
            Check::Run { link, value, spread, agreement, .. } => (link, value, spread, agreement),
        };
        let at = |quantity: &Quantity, link: &str| match &reports[link] {
            Ok(report) => quantity.value(report),
            Err(why) => Err(why.clone()),
        };
        let value_at = |link| at(value, link);
        let other = match agreement {
            Agreement::SameAs { link, .. } => Some(value_at(link)).transpose(),
            _ => Ok(None),
        };
        let spread = spread.as_ref().map(|spread| at(spread, link)).transpose();
        match (value_at(link), other, spread) {
            (Ok(value), Ok(other), Ok(spread)) => {
                let verdict = agreement.verdict(value, other);
                let spread = spread.map_or(String::new(), |spread| format!(" ± {}", number(spread)));
                Self {
                    ours: match agreement {
                        Agreement::Rounded { decimals, .. } => format!("{value:.*}", decimals + 1),
                        Agreement::SameAs { .. } => format!("{value:.6}"),
                        _ => format!("{}{spread}", number(value)),
                    },
                    agreement: agreement.to_string(),
                    verdict: Some(verdict),
                    words: match verdict {
                        Verdict::Agrees => "agrees".to_owned(),
                        Verdict::Differs => "**differs**".to_owned(),
                    },
                }
            }
            (Err(why), ..) | (_, Err(why), _) | (_, _, Err(why)) => unchecked(&why),
        }
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
