//! The `result` of `headless`.

use serde_json::{Value, json};

use super::figures::iterations;
use super::{BoundSnapshot, BoundSpec, Case};
use crate::models::sbn::network::xi;

/// Every number of the comparison, or of the network of a file.
pub fn report(spec: &BoundSpec, snapshot: &BoundSnapshot) -> Value {
    let one = |case: &Case| {
        json!({
            "ln_p": case.ln_p, "bound": case.bound, "factorial_bound": case.factorial,
            "estimate": case.estimate, "estimate_se": case.estimate_se, "passes": case.passes,
            "residual": case.residual, "mu": case.mu, "xi": case.xi,
        })
    };
    if let Some(case) = &snapshot.own {
        return one(case);
    }
    let rows = snapshot.rows.iter().map(|row| {
        let (bound, factorial) = (row.mean(|case| case.bound), row.mean(|case| case.factorial));
        let cases = row.cases.iter().map(one);
        json!({
            "weight_sd": row.sd, "gap": -bound.mean, "gap_se": bound.se,
            "factorial_gap": -factorial.mean, "factorial_gap_se": factorial.se,
            "exceeding": row.exceeding(), "networks": row.cases.len(), "cases": cases.collect::<Vec<_>>(),
        })
    });
    let best = xi::optimum(spec.m, spec.v);
    let (paper, safe) = iterations(spec);
    json!({
        "rows": rows.collect::<Vec<_>>(),
        "xi": { "optimum": best, "bound": xi::bound(best, spec.m, spec.v), "paper": paper, "safe": safe },
    })
}
