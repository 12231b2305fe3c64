//! The `result` of `headless`: everything that is known of one run.

use serde_json::{Value, json};

use super::{SingleSnapshot, SingleSpec, cosine, largest_difference};

/// The solution, the way to it, and the exact posterior beside it.
pub fn single(spec: &SingleSpec, snapshot: &SingleSnapshot) -> Value {
    let last = snapshot.residuals.last();
    let exact = snapshot.exact();
    let exact = exact.as_ref().map(|e| (e, &e.averages));
    json!({
        "examples": spec.examples(spec.alpha),
        "sweeps": snapshot.solution.as_ref().map_or(last.map(|r| r.step), |s| Some(s.sweeps)),
        "residual": last.map(|r| r.residual),
        "residuals": snapshot.residuals.rows().iter().map(|r| json!([r.step, r.residual, r.damping])).collect::<Vec<_>>(),
        "growth": snapshot.growth.iter().map(|g| json!({
            "alpha": g.ratio, "q": g.q, "r": g.r, "opt": g.opt,
        })).collect::<Vec<_>>(),
        "solution": snapshot.solution.as_ref().map(|s| json!({
            "weights": s.weights, "teacher": s.teacher, "lambda": s.lambda, "z": s.z, "labels": s.labels,
            "q": s.q, "r": s.r, "bayes": s.bayes, "opt": s.opt, "loo_bayes": s.loo_bayes, "theory_q": snapshot.theory_q(spec),
        })),
        "exact": exact.map(|(e, averages)| json!({
            "weights": averages.mean, "weights_se": averages.se, "draws": averages.draws,
            "effective_draws": averages.effective, "chains_disagree": averages.disagree,
            "bayes": e.bayes, "tap_bayes": e.tap_bayes,
            "cosine": snapshot.solution.as_ref().map(|s| cosine(&s.weights, &averages.mean)),
            "largest_difference": snapshot.solution.as_ref().map(|s| largest_difference(&s.outputs, &averages.outputs)),
        })),
    })
}
