//! The `result` of `headless`.

use serde_json::{Value, json};

use super::figures::{difference, sampled};
use super::{CurveSnapshot, CurveSpec, FITTED};
use crate::lab::ChainSummary;

/// The best start of every fit with the others beside it, predictions and chains.
pub fn report(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Value {
    let sampled = sampled(snapshot);
    let fits = FITTED.iter().filter_map(|method| {
        let row = snapshot.best(*method)?;
        let starts = snapshot.fits.iter().filter(|row| row.method == *method);
        let starts = starts.map(|row| json!({ "restart": row.restart, "negative_elbo": row.negative_elbo }));
        let mean: Vec<f32> = row.weights.iter().map(|(mean, _)| *mean).collect();
        let sd: Vec<f32> = row.weights.iter().map(|(_, sd)| *sd).collect();
        Some(json!({
            "covariance": method.word(), "free_energy": row.free_energy, "negative_elbo": row.negative_elbo,
            "alpha": row.alpha, "beta": row.beta, "evaluations": row.evaluations, "clipped": row.clipped,
            "train_mse": row.train_mse, "mean": mean, "sd": sd,
            "sd_at_the_end": row.predicted[CurveSpec::DRAWN - 1].1,
            "rms_from_hmc": sampled.as_ref().map(|sampled| difference(row, sampled)),
            "restarts": starts.collect::<Vec<_>>(),
        }))
    });
    let at_end = sampled.as_ref().map(|sampled| sampled.predicted[CurveSpec::DRAWN - 1].1);
    json!({
        "fits": fits.collect::<Vec<_>>(), "hmc": sampled.as_ref().map(ChainSummary::report),
        "hmc_sd_at_the_end": at_end, "predictions": predictions(spec, snapshot),
    })
}

/// Mean and variance of f where they are asked for, by each fit and by the chains.
fn predictions(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Value {
    let sampled = sampled(snapshot);
    let mut rows = Vec::new();
    for (at, x) in spec.predict.iter().enumerate() {
        let mut row = |covariance: &str, predicted: &[(f64, f64)]| {
            if let Some((mean, sd)) = predicted.get(CurveSpec::DRAWN + at) {
                rows.push(json!({ "x": x, "covariance": covariance, "mean": mean, "var": sd * sd }));
            }
        };
        for method in FITTED {
            if let Some(fit) = snapshot.best(method) {
                row(method.word(), &fit.predicted);
            }
        }
        if let Some(sampled) = &sampled {
            row("hmc", &sampled.predicted);
        }
    }
    Value::Array(rows)
}
