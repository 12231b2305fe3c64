//! Report of a regression in one dimension.

use serde_json::{Value, json};

use super::network::NetworkResult;
use super::{RegressionSnapshot, RegressionSpec};

/// Returns hyperparameters, log evidence, leave-one-out, coverage, the scan over σ² and the predictions.
pub fn report(spec: &RegressionSpec, snapshot: &RegressionSnapshot) -> Value {
    let Some(result) = &snapshot.result else { return json!({ "fit": fit(snapshot) }) };
    let examples = spec.points();
    let densities = result.left_out_densities(&examples);
    let rows: Value = examples
        .iter()
        .zip(&result.left_out)
        .zip(&densities)
        .map(|(((x, t), (mean, var)), ln_density)| {
            json!({ "x": x, "t": t, "mean": mean, "sd": var.sqrt(), "ln_density": ln_density })
        })
        .collect();
    let scan: Value = result
        .scan
        .iter()
        .map(|(sigma2, ln_evidence)| json!({ "sigma2": sigma2, "ln_evidence": ln_evidence }))
        .collect();
    let noise = result.hyper.noise;
    let predicted = spec.predict.iter().zip(&result.predicted[RegressionSpec::DRAWN..]);
    let predictions: Value = predicted
        .map(|(x, (mean, sd))| json!({ "x": x, "mean": mean, "sd": sd, "sd_observation": libm::hypot(*sd, noise) }))
        .collect();
    let mut report = json!({
        "sigma2": result.hyper.sigma2, "amplitude": result.hyper.amplitude, "noise": noise,
        "ln_evidence": result.ln_evidence, "fit": fit(snapshot),
        "coverage": result.coverage(spec, &examples),
        "leave_one_out": {
            "ln_density": densities.iter().sum::<f64>(),
            "ln_density_per_point": densities.iter().sum::<f64>() / densities.len() as f64,
            "within_95": result.left_out_within(&examples), "count": examples.len(),
            "largest_difference_from_retraining": snapshot.largest_difference(), "rows": rows,
        },
        "scan": scan, "best_of_scan": result.best_of_scan().map(|(sigma2, _)| sigma2),
        "predictions": predictions,
    });
    if let Some(best) = snapshot.network() {
        report["network"] = network(spec, snapshot, best);
    }
    report
}

fn fit(snapshot: &RegressionSnapshot) -> Value {
    snapshot.fit.map_or(Value::Null, |fit| json!({ "evaluations": fit.evaluations, "outcome": fit.outcome }))
}

/// Returns bound, noise, starts and predictions of the network.
fn network(spec: &RegressionSpec, snapshot: &RegressionSnapshot, best: &NetworkResult) -> Value {
    let predicted = spec.predict.iter().zip(&best.predicted[RegressionSpec::DRAWN..]);
    let predictions: Value =
        predicted.map(|(x, (mean, sd))| json!({ "x": x, "mean": mean, "sd": sd })).collect();
    let start =
        |result: &NetworkResult| json!({ "start": result.start, "negative_elbo": result.negative_elbo });
    json!({
        "hidden": spec.network, "negative_elbo": best.negative_elbo, "noise": best.noise,
        "starts": snapshot.networks.iter().map(start).collect::<Value>(), "predictions": predictions,
    })
}
