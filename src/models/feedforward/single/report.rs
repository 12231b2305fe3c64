//! Report of a single run.

use serde_json::{Value, json};

use super::spec::SingleSpec;
use super::{SingleSnapshot, cosine, largest_difference};

/// Returns the solution with its residuals, and the exact averages with their standard errors.
pub fn report(spec: &SingleSpec, snapshot: &SingleSnapshot) -> Value {
    let last = snapshot.residuals.last();
    let exact = snapshot.exact();
    let solution = snapshot.solution.as_ref();
    json!({
        "examples": spec.examples(spec.alpha),
        "sweeps": solution.map_or(last.map(|r| r.step), |s| Some(s.sweeps)),
        "residual": last.map(|r| r.residual),
        "residuals": snapshot.residuals.rows().iter().map(|r| json!([r.step, r.residual, r.damping])).collect::<Vec<_>>(),
        "growth": snapshot.growth,
        "solution": solution.map(|s| json!({
            "weights": s.weights, "teacher": s.teacher, "lambda": s.lambda, "z": s.z, "labels": s.labels,
            "q": s.q, "r": s.r, "bayes": s.bayes, "opt": s.opt, "loo_bayes": s.loo_bayes, "theory_q": snapshot.theory_q(spec),
        })),
        "exact": exact.as_ref().map(|exact| json!({
            "weights": exact.averages.mean, "weights_se": exact.averages.se, "draws": exact.averages.draws,
            "effective_draws": exact.averages.effective, "chains_disagree": !exact.averages.has_mixed(),
            "bayes": exact.bayes, "tap_bayes": exact.tap_bayes,
            "cosine": solution.map(|s| cosine(&s.weights, &exact.averages.mean)),
            "largest_difference": solution.map(|s| largest_difference(&s.outputs, &exact.averages.outputs)),
        })),
    })
}
