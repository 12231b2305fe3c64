//! The `result` of `headless`.

use serde_json::{Value, json};

use super::{FITTED, PlaneSnapshot, PlaneSpec};
use crate::lab::ChainSummary;

/// ln Z, the best start of every fit with the others beside it, predictions and chains.
pub fn report(spec: &PlaneSpec, snapshot: &PlaneSnapshot) -> Value {
    let fits = FITTED.iter().filter_map(|method| {
        let row = snapshot.best(*method)?;
        let starts = snapshot.fits.iter().filter(|row| row.method == *method);
        let starts = starts.map(|row| {
            json!({ "restart": row.restart, "negative_elbo": row.negative_elbo, "kl": snapshot.kl(row) })
        });
        let [uu, uv, vv] = row.covariance;
        Some(json!({
            "covariance": method.word(), "free_energy": row.free_energy, "negative_elbo": row.negative_elbo,
            "kl": snapshot.kl(row), "mean": row.mean, "covariance_matrix": [[uu, uv], [uv, vv]],
            "alpha": spec.alpha, "beta": spec.beta, "evaluations": row.evaluations,
            "restarts": starts.collect::<Vec<_>>(),
        }))
    });
    let sampled = snapshot.sampled();
    let hmc = sampled.as_ref().map(ChainSummary::report);
    json!({
        "ln_z": snapshot.truth.as_ref().map(|truth| truth.ln_z),
        "fits": fits.collect::<Vec<_>>(), "hmc": hmc,
        "hmc_largest_difference": largest(snapshot, sampled.as_ref()), "predictions": predictions(spec, snapshot),
    })
}

/// The largest difference of the chains' mean of f from the exact one.
fn largest(snapshot: &PlaneSnapshot, sampled: Option<&ChainSummary>) -> Option<f64> {
    let (truth, sampled) = (snapshot.truth.as_ref()?, sampled?);
    let differences = truth.predicted.iter().zip(&sampled.predicted).map(|(a, b)| (a.0 - b.0).abs());
    Some(differences.fold(0.0, f64::max))
}

/// Mean and variance of f where they are asked for, by each fit and exactly.
fn predictions(spec: &PlaneSpec, snapshot: &PlaneSnapshot) -> Value {
    let mut rows = Vec::new();
    for (at, x) in spec.predict.iter().enumerate() {
        let mut row = |covariance: &str, predicted: &[(f64, f64)]| {
            if let Some((mean, sd)) = predicted.get(PlaneSpec::DRAWN + at) {
                rows.push(json!({ "x": x, "covariance": covariance, "mean": mean, "var": sd * sd }));
            }
        };
        if let Some(truth) = &snapshot.truth {
            row("exact", &truth.predicted);
        }
        for method in FITTED {
            if let Some(fit) = snapshot.best(method) {
                row(method.word(), &fit.predicted);
            }
        }
    }
    Value::Array(rows)
}
