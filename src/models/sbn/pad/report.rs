//! The report of the task `sbn.pad`.

use serde_json::{Value, json};

use super::PadSnapshot;
use crate::models::sbn::digits::preprocessing::rows;

/// Returns the report of the results for the drawing.
pub fn report(snapshot: &PadSnapshot) -> Value {
    let Some(result) = &snapshot.result else { return json!({ "networks": [] }) };
    let reads = !result.is_blank();
    let probabilities = result.probabilities();
    let networks = result.rows.iter().zip(&probabilities).map(|(row, p)| {
        json!({
            "digit": row.digit, "bound": row.bound, "probability": reads.then_some(p), "passes": row.passes,
            "converged": row.converged,
        })
    });
    let (missing, ln_p) = (rows(result.missing), result.estimate.ln_p);
    json!({
        "image": rows(result.image), "ink_pixels": result.image.count_ones(), "missing": missing, "trained_on": result.trained_on,
        "digit": reads.then_some(result.rows[result.best].digit), "networks": networks.collect::<Vec<_>>(), "filled": result.filled,
        "ln_p": ln_p.ln_mean, "ln_p_se": ln_p.se, "ln_p_ess": ln_p.ess, "ln_p_draws": result.estimate.draws,
        "gap": ln_p.ln_mean - result.rows[result.best].bound,
        "bound_by_pass": result.passes.iter().map(|pass| pass.bound).collect::<Vec<_>>(),
    })
}
