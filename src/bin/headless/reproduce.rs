//! `--reproduce WHAT`: runs claims of the papers, keeps what they come to, and writes everything that shows it.

use std::time::Instant;

use meanfield::ledger::{self, Report};
use meanfield::models::MODELS;

/// Of a model or of `all`, or those claims that have no finding yet (`stale`).
///
/// # Errors
/// If there is no such model, or something cannot be read or written.
pub fn reproduce(what: &str, run: impl Fn(&str) -> Report) -> Result<(), String> {
    let known = || MODELS.iter().map(|model| model.id).collect::<Vec<_>>().join(", ");
    if !["all", "stale"].contains(&what) && MODELS.iter().all(|model| model.id != what) {
        return Err(format!("--reproduce: enter all, stale or one of {}, not {what}", known()));
    }
    for model in MODELS.iter().copied().filter(|model| ["all", "stale", model.id].contains(&what)) {
        let kept = ledger::read(model)?;
        let none = if what == "stale" { &kept[..] } else { &[] };
        let wanted = ledger::stale(model, none);
        let findings = ledger::measure(model, &kept, &wanted, |link| timed(link, &run));
        ledger::write(model, &findings)?;
    }
    for (path, text) in ledger::files(MODELS)? {
        std::fs::write(path, text).map_err(|why| format!("{path}: {why}"))?;
    }
    Ok(())
}

fn timed(link: &str, run: impl Fn(&str) -> Report) -> Report {
    let start = Instant::now();
    let report = run(link);
    eprintln!("{:6.1} s  {link}", start.elapsed().as_secs_f64());
    report
}
