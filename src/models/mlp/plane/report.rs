//! Report of the task with two weights.

use serde_json::{Value, json};

use super::{PlaneFit, PlaneSnapshot, PlaneSpec};
use crate::lab::ChainSummary;
use crate::models::mlp::fits::{FitRow, prediction_report};

/// Returns ln Z, the best start of every fit with all its starts, predictions, and diagnostics of the chains.
pub fn report(spec: &PlaneSpec, snapshot: &PlaneSnapshot) -> Value {
    let sampled = snapshot.sampled();
    let exact = snapshot.exact.as_ref();
    let fits: Value = snapshot.best_fits().map(|row| fit(snapshot, row)).collect();
    let exact_predictions = exact.map(|exact| ("exact", &exact.predicted[..]));
    let fitted = snapshot.best_fits().map(|row| (row.method.word(), &row.details.predicted[..]));
    let named: Vec<_> = exact_predictions.into_iter().chain(fitted).collect();
    json!({
        "ln_z": exact.map(|exact| exact.ln_z), "fits": fits,
        "hmc": sampled.as_ref().map(ChainSummary::report),
        "hmc_largest_difference": largest_difference(snapshot, sampled.as_ref()),
        "predictions": prediction_report(&spec.predict, PlaneSpec::DRAWN, &named),
    })
}

fn fit(snapshot: &PlaneSnapshot, row: &FitRow<PlaneFit>) -> Value {
    let starts = snapshot.fits.iter().filter(|start| start.method == row.method);
    let starts: Value = starts
        .map(|start| {
            json!({
                "restart": start.restart, "negative_elbo": start.negative_elbo, "kl": snapshot.kl(start),
            })
        })
        .collect();
    let [uu, uv, vv] = row.details.covariance;
    json!({
        "covariance": row.method.word(), "free_energy": row.free_energy, "negative_elbo": row.negative_elbo,
        "kl": snapshot.kl(row), "mean": row.details.mean, "covariance_matrix": [[uu, uv], [uv, vv]],
        "alpha": row.alpha, "beta": row.beta, "evaluations": row.evaluations, "restarts": starts,
    })
}

/// Returns the largest difference between the Monte Carlo mean and the exact mean of f.
fn largest_difference(snapshot: &PlaneSnapshot, sampled: Option<&ChainSummary>) -> Option<f64> {
    let (exact, sampled) = (snapshot.exact.as_ref()?, sampled?);
    let differences = exact.predicted.iter().zip(&sampled.predicted).map(|(a, b)| (a.0 - b.0).abs());
    Some(differences.fold(0.0, f64::max))
}
