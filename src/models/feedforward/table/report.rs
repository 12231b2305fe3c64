//! The `result` of `headless`: the solution and what it says of each row.

use serde_json::{Value, json};

use super::{CavityVariances, Fields, OwnSnapshot};
use crate::lab::Judged;

/// Weights, errors and predictions; nulls where there is no solution.
pub fn own(snapshot: &OwnSnapshot) -> Value {
    let solved = snapshot.solved.as_ref();
    let mut report = json!({
        "examples": solved.map(|s| s.table.labels.len()),
        "columns": solved.map(|s| &s.table.names),
        "constant_columns": solved.map(|s| &s.table.constant),
        "treatment": solved.map(|s| &s.table.treated),
        "label": solved.map(|s| &s.table.label),
        "positive": solved.map(|s| &s.table.classes[1]),
        "weights": solved.map(|s| &s.weights),
        "weight_sd": solved.map(|s| &s.sd),
        "variance": solved.map(|s| if s.own { CavityVariances::Own.word() } else { CavityVariances::Shared.word() }),
        "beta": solved.map(|s| number(s.beta)),
        "ln_evidence": solved.map(|s| s.ln_evidence),
        "ln_loo": solved.map(|s| s.ln_loo),
        "lambda": solved.map(|s| &s.lambda),
        "loo_errors": solved.map(|s| s.loo_errors),
        "train_errors": solved.map(|s| s.train_errors),
        "train_errors_tilted": solved.map(|s| s.train_errors_tilted),
        "loo_predictions": solved.map(|s| &s.predictions),
        "lines": solved.map(|s| &s.table.lines),
        "test_lines": solved.map(|s| &s.table.test_lines),
        "test_errors": solved.filter(|s| !s.test.is_empty()).map(|s| s.test_errors),
        "predictions": solved.map(|s| probabilities(&s.test)),
        "test_scores": solved.and_then(|s| Judged::report(s.test.iter().copied(), &s.table.test_labels)),
        "loo_scores": solved.and_then(|s| Judged::report(s.predictions.iter().copied(), &s.table.labels)),
        "cross_validation_scores": solved
            .and_then(|s| Judged::report(snapshot.cross_validated()?.into_iter(), &s.table.labels)),
        "folds": snapshot.folds.iter().map(|fold| json!({
            "rows": solved.map(|s| fold.rows.iter().map(|row| s.table.lines[*row]).collect::<Vec<_>>()),
            "p": fold.predictions,
            "beta": fold.beta.map(number),
        })).collect::<Vec<_>>(),
        "baselines": solved.map(|s| Judged::report_baselines(&s.table, snapshot.baseline.as_ref())),
        "iterations": snapshot.sweeps,
    });
    if !snapshot.path.is_empty() {
        let row =
            |(beta, ln_evidence): &(f64, f64)| json!({ "beta": number(*beta), "ln_evidence": ln_evidence });
        report["fit_trace"] = snapshot.path.iter().map(row).collect();
    }
    if let Some(beta) = snapshot.advice {
        report["advised_beta"] = number(beta);
    }
    if let Some(solved) = solved.filter(|s| !s.unlabelled.is_empty()) {
        report["unlabelled"] = probabilities(&solved.unlabelled);
        report["unlabelled_lines"] = json!(solved.table.unlabelled_lines);
    }
    if let Some(solved) = solved.filter(|s| !s.second.is_empty()) {
        let rows = solved.table.second_lines.iter().zip(&solved.second);
        report["predicted"] = rows.map(|(line, p)| json!({ "line": line, "p": p })).collect();
    }
    if let Some(Fields { g, z, ln_f }) = solved.and_then(|s| s.fields.as_ref()) {
        report["g"] = json!(g);
        report["z"] = json!(z);
        report["ln_f"] = json!(ln_f);
    }
    report
}

fn probabilities(p: &[f64]) -> Value {
    p.iter().map(|p| json!({ "p": p })).collect()
}

/// JSON has no infinity.
fn number(beta: f64) -> Value {
    if beta.is_infinite() { json!("inf") } else { json!(beta) }
}
