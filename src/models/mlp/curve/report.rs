//! Report of a regression in one dimension.

use serde_json::{Value, json};

use super::{CurveFit, CurveSnapshot, CurveSpec};
use crate::lab::ChainSummary;
use crate::models::mlp::fits::{FitRow, prediction_report};

/// Returns the best start of every fit with all its starts, predictions, and diagnostics of the chains.
pub fn report(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Value {
    let sampled = snapshot.sampled();
    let sampled = sampled.as_ref();
    let fits: Value = snapshot.best_fits().map(|row| fit(snapshot, row, sampled)).collect();
    let mut named: Vec<_> =
        snapshot.best_fits().map(|row| (row.method.word(), &row.details.predicted[..])).collect();
    named.extend(sampled.map(|sampled| ("hmc", &sampled.predicted[..])));
    json!({
        "fits": fits, "hmc": sampled.map(ChainSummary::report),
        "hmc_sd_at_the_end": sampled.map(|sampled| sampled.predicted[CurveSpec::DRAWN - 1].1),
        "predictions": prediction_report(&spec.predict, CurveSpec::DRAWN, &named),
    })
}

fn fit(snapshot: &CurveSnapshot, row: &FitRow<CurveFit>, sampled: Option<&ChainSummary>) -> Value {
    let fit = &row.details;
    let starts = snapshot.fits.iter().filter(|start| start.method == row.method);
    let starts: Value = starts
        .map(|start| json!({ "restart": start.restart, "negative_elbo": start.negative_elbo }))
        .collect();
    let (mean, sd): (Vec<f32>, Vec<f32>) = fit.weights.iter().copied().unzip();
    json!({
        "covariance": row.method.word(), "free_energy": row.free_energy, "negative_elbo": row.negative_elbo,
        "alpha": row.alpha, "beta": row.beta, "evaluations": row.evaluations, "clipped": fit.clipped,
        "train_mse": fit.train_mse, "mean": mean, "sd": sd,
        "sd_at_the_end": fit.predicted[CurveSpec::DRAWN - 1].1,
        "rms_from_hmc": sampled.map(|sampled| fit.rms_difference(sampled)),
        "restarts": starts,
    })
}
