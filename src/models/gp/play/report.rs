//! The `result` of the command line: one row per method.

use serde_json::{Value, json};

use super::{Method, PlaySnapshot};

/// Returns numbers and map of every method.
pub fn methods(snapshot: &PlaySnapshot) -> Value {
    let methods = snapshot.methods();
    let truth = methods.iter().find(|row| row.method == Method::Sampled);
    let rows = methods.iter().map(|row| {
        let (far, se) = truth.and_then(|truth| row.difference(truth)).unzip();
        json!({
            "method": row.method.word(), "minus_g": row.minus_g, "newton_solves": row.newton_solves,
            "loo_errors": row.left_out_errors(), "failed": row.failed, "examples": row.points.len(),
            "columns": row.columns, "map": row.map,
            "largest_difference": far, "largest_difference_se": se.flatten(),
            "chains": row.chains.map(|c| c.count), "chains_effective": row.chains.map(|c| c.effective),
            "chains_ratio": row.chains.map(|c| c.ratio), "chains_agree": row.chains.map(|c| c.agree()),
        })
    });
    json!({ "methods": rows.collect::<Vec<_>>() })
}
