//! The `result` of `headless`: everything that is known of one run.

use serde_json::{Value, json};

use super::{SingleSnapshot, SingleSpec, cosine, largest_difference};

/// The solution, the way to it, and the exact posterior beside it.
pub fn single(spec: &SingleSpec, snapshot: &SingleSnapshot) -> Value {
    let last = snapshot.residuals.last();
    json!({
        "examples": spec.examples(spec.alpha),
        "sweeps": snapshot.solution.as_ref().map_or(last.map(|r| r.sweep), |s| Some(s.sweeps)),
        "residual": last.map(|r| r.residual),
        "residuals": snapshot.residuals.iter().map(|r| json!([r.sweep, r.residual, r.damping])).collect::<Vec<_>>(),
        "growth": snapshot.growth.iter().map(|g| json!({
            "alpha": g.ratio, "q": g.q, "r": g.r, "opt": g.opt,
        })).collect::<Vec<_>>(),
        "solution": snapshot.solution.as_ref().map(|s| json!({
            "weights": s.weights, "teacher": s.teacher, "lambda": s.lambda, "z": s.z, "labels": s.labels,
            "q": s.q, "r": s.r, "bayes": s.bayes, "opt": s.opt, "loo_bayes": s.loo_bayes, "theory_q": s.theory_q,
        })),
        "exact": snapshot.exact.as_ref().map(|e| json!({
            "weights": e.mean, "weights_se": e.se, "draws": e.draws, "effective_draws": e.effective,
            "chains_disagree": e.disagree,
            "bayes": e.bayes, "tap_bayes": e.tap_bayes,
            "cosine": snapshot.solution.as_ref().map(|s| cosine(&s.weights, &e.mean)),
            "largest_difference": snapshot.solution.as_ref().map(|s| largest_difference(&s.outputs, &e.outputs)),
        })),
    })
}
