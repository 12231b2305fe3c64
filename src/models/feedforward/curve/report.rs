//! The `result` of `headless`: a row an α.

use serde_json::{Value, json};

use super::{CurveSnapshot, CurveSpec, Means, TheorySnapshot};
use crate::math::stats::median;

/// The learning curve in JSON: for each α the averages over the runs with their standard errors, and the theory.
pub fn curve(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Value {
    let curve: Vec<_> = (spec.alphas.iter().zip(spec.examples()).enumerate())
        .map(|(i, (alpha, examples))| {
            let Means { bayes, opt, train_bayes, train_opt, train_tilted, loo_bayes, loo_opt, q, r } =
                snapshot.means(i);
            let theory = snapshot.theory.get(i);
            json!({
                "alpha": alpha, "examples": examples,
                "bayes": number(bayes.mean), "bayes_se": number(bayes.se),
                "opt": number(opt.mean), "opt_se": number(opt.se),
                "bayes_noisy": number(spec.noisy(bayes.mean)), "opt_noisy": number(spec.noisy(opt.mean)),
                "train_bayes": number(train_bayes.mean), "train_opt": number(train_opt.mean),
                "train_tilted": number(train_tilted.mean),
                "loo_bayes": number(loo_bayes.mean), "loo_bayes_se": number(loo_bayes.se),
                "loo_opt": number(loo_opt.mean), "loo_opt_se": number(loo_opt.se),
                "q": number(q.mean), "r": number(r.mean),
                "unconverged": snapshot.solves(i).filter(|s| !s.converged).count(),
                "iterations_median": number(median(snapshot.solves(i).map(|s| s.sweeps as f64))),
                "theory_bayes": theory.map(|t| t.bayes), "theory_opt": theory.map(|t| t.opt),
                "theory_q": theory.map(|t| t.q), "theory_train": theory.and_then(|t| t.training),
                "theory_bayes_finite": theory.and_then(|t| t.bayes_finite),
            })
        })
        .collect();
    json!({ "curve": curve, "runs": snapshot.runs.len() })
}

/// Theory alone.
pub fn theory(snapshot: &TheorySnapshot) -> Value {
    json!({ "curve": snapshot.rows.iter().map(|t| json!({
            "alpha": t.ratio, "theory_bayes": t.bayes, "theory_opt": t.opt, "theory_q": t.q, "theory_train": t.training,
            "theory_bayes_large": t.bayes_large,
        })).collect::<Vec<_>>() })
}

/// JSON has no NaN: nothing measured is `null`.
fn number(x: f64) -> Option<f64> {
    x.is_finite().then_some(x)
}
