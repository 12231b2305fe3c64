//! The `result` of `headless`.

use serde_json::{Value, json};

use super::PadSnapshot;
use crate::models::sbn::digits::prepare::rows;

/// Every number of the pad.
pub fn report(snapshot: &PadSnapshot) -> Value {
    let Some(seen) = &snapshot.seen else { return json!({ "networks": [] }) };
    let probabilities = seen.probabilities();
    let networks = seen.rows.iter().zip(&probabilities).map(|(row, p)| {
        json!({
            "digit": row.digit, "bound": row.bound, "probability": p, "passes": row.passes,
            "converged": row.converged,
        })
    });
    let missing = rows(seen.missing);
    json!({
        "image": rows(seen.image), "missing": missing, "trained_on": seen.trained_on,
        "digit": seen.rows[seen.best].digit, "networks": networks.collect::<Vec<_>>(), "filled": seen.filled,
        "ln_p": seen.estimate.ln_p, "ln_p_se": seen.estimate.se, "ln_p_ess": seen.estimate.ess,
        "ln_p_draws": seen.estimate.draws,
        "gap": seen.estimate.ln_p - seen.rows[seen.best].bound,
        "bound_by_pass": seen.passes.iter().map(|pass| pass.bound).collect::<Vec<_>>(),
    })
}
