//! `--reproduce`: runs claims of the papers and writes their findings into the sources.

use std::time::Instant;

use meanfield::ledger::{self, Report};
use meanfield::models::MODELS;

use super::write;

/// Runs the claims of a model, of `all` models, or those without a finding (`stale`), and rewrites the documents made from them.
///
/// # Errors
/// If there is no such model, or a file cannot be read or written.
pub fn reproduce(claims: &str, run: impl Fn(&str) -> Report) -> Result<(), String> {
    if !["all", "stale"].contains(&claims) && MODELS.iter().all(|model| model.id != claims) {
        let known: Vec<&str> = MODELS.iter().map(|model| model.id).collect();
        return Err(format!("--reproduce: enter all, stale or one of {}, not {claims}", known.join(", ")));
    }
    for model in MODELS.iter().copied().filter(|model| ["all", "stale", model.id].contains(&claims)) {
        let kept = ledger::read(model)?;
        let known = if claims == "stale" { &kept[..] } else { &[] };
        let wanted = ledger::stale(model, known);
        let findings = ledger::measure(model, &kept, &wanted, |link| timed(link, &run));
        ledger::write(model, &findings)?;
    }
    ledger::files(MODELS)?.into_iter().try_for_each(|(path, text)| write(path, text))
}

/// Runs a permalink and prints the time that it took.
fn timed(link: &str, run: impl Fn(&str) -> Report) -> Report {
    let start = Instant::now();
    let report = run(link);
    eprintln!("{:6.1} s  {link}", start.elapsed().as_secs_f64());
    report
}
