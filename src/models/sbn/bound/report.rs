//! The report of the task `sbn.bound`.

use serde_json::{Value, json};

use super::figures::iterations;
use super::{BoundSnapshot, BoundSpec};
use crate::models::sbn::network::xi;

/// Returns the report of the comparison, or of the network of a file.
pub fn report(spec: &BoundSpec, snapshot: &BoundSnapshot) -> Value {
    if let Some(case) = &snapshot.from_file {
        return json!(case);
    }
    let rows = snapshot.rows.iter().map(|row| {
        let (bound, factorial) = (row.mean(|case| case.bound), row.mean(|case| case.factorial_bound));
        let (strict, less) = (row.mean(|case| case.strict_bound), row.strict_less_approximate());
        json!({
            "weight_sd": row.sd, "gap": -bound.mean, "gap_se": bound.se,
            "factorial_gap": -factorial.mean, "factorial_gap_se": factorial.se,
            "strict_gap": -strict.mean, "strict_gap_se": strict.se,
            "strict_less_approximate": less.mean, "strict_less_approximate_se": less.se, "median_ess": row.ess(), "dominated": row.dominated(),
            "exceeding": row.exceeding(), "networks": row.cases.len(), "cases": row.cases,
        })
    });
    let best = xi::optimum(spec.m, spec.v);
    let (paper, safe) = iterations(spec);
    json!({
        "rows": rows.collect::<Vec<_>>(),
        "xi": { "optimum": best, "bound": xi::bound(best, spec.m, spec.v), "paper": paper, "safe": safe },
    })
}
