//! The `result` of `headless`.

use serde_json::{Value, json};

use super::{CavityVariances, TableSnapshot, TableSpec};
use crate::lab::labelled_table::{ClassifiedTable, Headline, report_effects, report_folds};

/// Returns weights, errors and predictions; null without a solution.
pub fn report(spec: &TableSpec, snapshot: &TableSnapshot) -> Value {
    let mut report = ClassifiedTable::report(snapshot.classified(spec).as_ref());
    let solution = snapshot.shown();
    report["weights"] = json!(solution.map(|s| &s.weights));
    report["weight_sd"] = json!(solution.map(|s| &s.weight_sd));
    let variances = |per_row| if per_row { CavityVariances::PerRow } else { CavityVariances::Shared };
    report["variance"] = json!(solution.map(|s| variances(s.per_row).word()));
    report["beta"] = json!(solution.map(|s| beta(s.beta)));
    report["ln_evidence"] = json!(solution.map(|s| s.ln_evidence));
    report["ln_loo"] = json!(solution.map(|s| s.ln_loo));
    report["effects"] = report_effects(&snapshot.effects());
    report["lambda"] = json!(solution.map(|s| &s.lambda));
    report["loo_errors"] = json!(solution.map(|s| s.loo_errors));
    report["train_errors"] = json!(solution.map(|s| s.train_errors));
    report["train_errors_tilted"] = json!(solution.map(|s| s.train_errors_tilted));
    report["test_errors"] = json!(solution.filter(|s| !s.p.test.is_empty()).map(|s| s.test_errors));
    report["loo_predictions"] = json!(solution.map(|s| &s.p.left_out));
    report["iterations"] = json!(snapshot.sweeps);
    let lines = solution.map(|s| s.table.lines.as_slice());
    report["folds"] = report_folds(&snapshot.folds, lines, |found| json!({ "beta": found.map(beta) }));
    if !snapshot.path.is_empty() {
        let row = |(at, ln_evidence): &(f64, f64)| json!({ "beta": beta(*at), "ln_evidence": ln_evidence });
        report["fit_trace"] = snapshot.path.iter().map(row).collect();
    }
    if let Some((given, before)) = snapshot.before_fit.as_ref().zip(snapshot.classified_before_fit(spec)) {
        let headline = before.headline();
        report["before_fit"] = json!({
            "headline": headline.as_ref().map(Headline::report),
            "log_loss": headline.as_ref().map(Headline::log_loss),
            "beta": beta(given.beta),
        });
    }
    if let Some(advised) = snapshot.advised_beta {
        report["advised_beta"] = beta(advised);
    }
    if let Some(fields) = solution.and_then(|s| s.fields.as_ref()) {
        report["g"] = json!(fields.g);
        report["z"] = json!(fields.z);
        report["ln_f"] = json!(fields.ln_f);
    }
    report
}

/// Returns β as JSON, which has no infinity.
fn beta(beta: f64) -> Value {
    if beta.is_infinite() { json!("inf") } else { json!(beta) }
}
