//! The `result` of `headless`: the solution and what it says of each row.

use serde_json::{Value, json};

use super::{Fields, OwnSnapshot};

/// Weights, errors and predictions; nulls where there is no solution.
pub fn own(snapshot: &OwnSnapshot) -> Value {
    let solved = snapshot.solved.as_ref();
    let mut report = json!({
        "examples": solved.map(|s| s.labels.len()),
        "columns": solved.map(|s| &s.names),
        "label": solved.map(|s| &s.label),
        "positive": solved.map(|s| &s.classes[1]),
        "weights": solved.map(|s| &s.weights),
        "lambda": solved.map(|s| &s.lambda),
        "loo_errors": solved.map(|s| s.loo_errors),
        "train_errors": solved.map(|s| s.train_errors),
        "train_errors_tilted": solved.map(|s| s.train_errors_tilted),
        "loo_predictions": solved.map(|s| &s.predictions),
        "iterations": snapshot.sweeps,
    });
    if let Some(Fields { g, z, ln_f }) = solved.and_then(|s| s.fields.as_ref()) {
        report["g"] = json!(g);
        report["z"] = json!(z);
        report["ln_f"] = json!(ln_f);
    }
    report
}
