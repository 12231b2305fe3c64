//! Reports of the learning curve and of its theory.

use serde_json::{Value, json};

use super::spec::{CurveSpec, CurveVariances};
use super::{CurveMeans, CurveSnapshot, SolveSummary, TheorySnapshot};
use crate::math::random::{Purpose, Stream};
use crate::math::resampling::{Estimate, bootstrap, mean_of_sample};
use crate::math::stats::median;

/// Returns the means over the runs at each α, with the theory and the extremes over α.
pub fn report(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Value {
    let curve: Vec<_> = (0..spec.alphas.len()).map(|i| report_row(spec, snapshot, i)).collect();
    json!({ "curve": curve, "runs": snapshot.runs.len(), "extremes": extremes(spec, snapshot) })
}

/// Returns the theory at each α.
pub fn theory_report(snapshot: &TheorySnapshot) -> Value {
    json!({ "curve": snapshot.rows.iter().map(|t| json!({
        "alpha": t.ratio, "theory_bayes": t.bayes, "theory_opt": t.opt, "theory_q": t.q, "theory_train": t.training,
        "theory_bayes_large": t.bayes_large,
    })).collect::<Vec<_>>() })
}

/// Returns the report of the α of index `i`: means over the runs with their standard errors, and the theory.
fn report_row(spec: &CurveSpec, snapshot: &CurveSnapshot, i: usize) -> Value {
    let all = snapshot.means(i);
    let CurveMeans { bayes, opt, train_bayes, train_opt, train_tilted, loo_bayes, loo_opt, q, r, .. } = all;
    let theory = snapshot.theory.get(i);
    let [bias, gain] = snapshot.paired(spec, i);
    let mut row = json!({
        "alpha": spec.alphas[i], "examples": spec.setting.examples(spec.alphas[i]),
        "bayes": bayes.mean, "bayes_se": bayes.se, "opt": opt.mean, "opt_se": opt.se,
        "bayes_noisy": spec.noisy(bayes.mean), "opt_noisy": spec.noisy(opt.mean),
        "train_bayes": train_bayes.mean, "train_opt": train_opt.mean, "train_tilted": train_tilted.mean,
        "loo_bayes": loo_bayes.mean, "loo_bayes_se": loo_bayes.se,
        "loo_opt": loo_opt.mean, "loo_opt_se": loo_opt.se,
        "loo_bias": bias.mean, "loo_bias_se": bias.se, "opt_minus_bayes": gain.mean, "opt_minus_bayes_se": gain.se,
        "q": q.mean, "r": r.mean,
        "unconverged": snapshot.solves(i).filter(|s| !s.converged).count(),
        "iterations_median": median(snapshot.solves(i).map(|s| s.sweeps as f64)),
        "theory_bayes": theory.map(|t| t.bayes), "theory_opt": theory.map(|t| t.opt),
        "theory_q": theory.map(|t| t.q), "theory_train": theory.and_then(|t| t.training),
        "theory_bayes_finite": theory.and_then(|t| t.bayes_finite),
    });
    if spec.variance == CurveVariances::Own {
        let bias = snapshot.own_bias(spec, i);
        row["own"] = json!({
            "bayes": all.own_bayes.mean, "bayes_noisy": spec.noisy(all.own_bayes.mean), "loo_bayes": all.own_loo.mean,
            "loo_bayes_se": all.own_loo.se, "loo_bias": bias.mean, "loo_bias_se": bias.se, "solved": bias.count,
        });
    }
    row
}

/// Returns the extremes over α with bootstrap errors over the runs: an extreme of correlated means has an error of its own.
fn extremes(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Value {
    let mut stream = Stream::for_purpose(spec.seed, Purpose::FeedforwardBootstrap, 0);
    let shown: Vec<usize> = (0..spec.alphas.len()).filter(|i| snapshot.mostly_converged(*i)).collect();
    let mut extreme = |of: &dyn Fn(usize, &SolveSummary) -> f64, fold: fn(f64, f64) -> f64| {
        // The values of all runs at an α; NaN without a solution.
        let values_at = |i: usize| {
            let value =
                |solve: Option<&SolveSummary>| solve.filter(|s| s.converged).map_or(f64::NAN, |s| of(i, s));
            snapshot.runs.iter().map(|run| value(run.solves.get(i))).collect::<Vec<f64>>()
        };
        let values: Vec<Vec<f64>> = shown.iter().map(|i| values_at(*i)).collect();
        let over = |sample: &[usize]| {
            let means = values.iter().map(|values| mean_of_sample(values, sample));
            means.filter(|mean| mean.is_finite()).reduce(fold).unwrap_or(f64::NAN)
        };
        let Estimate { value, se } = bootstrap(snapshot.runs.len(), &mut stream, over);
        json!({ "value": value, "se": se })
    };
    let larger = |a: f64, b: f64| if b.abs() > a.abs() { b } else { a };
    let from_theory =
        |i: usize, s: &SolveSummary| snapshot.theory.get(i).map_or(f64::NAN, |theory| s.bayes - theory.bayes);
    json!({
        "from_theory": extreme(&from_theory, larger),
        "loo_bias": extreme(&|_, s| s.loo_bayes - spec.noisy(s.bayes), larger),
        "opt_minus_bayes": extreme(&|_, s| s.opt - s.bayes, f64::min),
    })
}
