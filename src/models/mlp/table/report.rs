//! The `result` of `headless`.

use serde_json::{Value, json};

use super::{Baselines, FITTED, INTERVALS, Scores, TableSnapshot, TableSpec};

/// Every fit with its scores over the splits, and predictions on the first.
pub fn report(spec: &TableSpec, snapshot: &TableSnapshot) -> Value {
    let Some(table) = &snapshot.table else { return json!({}) };
    let fits = FITTED.iter().filter_map(|method| {
        let row = snapshot.best(0, *method)?;
        let over = snapshot.over_splits(*method, |scores| scores.mse);
        let density = snapshot.over_splits(*method, |scores| scores.ln_density);
        let coverage = (0..INTERVALS.len()).map(|i| {
            let found = snapshot.over_splits(*method, |scores| scores.coverage[i]);
            json!({ "expected": INTERVALS[i].0, "found": found.mean })
        });
        let starts = snapshot.fits.iter().filter(|row| (row.split, row.method) == (0, *method));
        let starts = starts.map(|row| json!({ "restart": row.restart, "negative_elbo": row.negative_elbo }));
        let said = row.said.iter().map(|(mean, sd)| json!({ "mean": mean, "sd": sd }));
        let splits = (0..spec.splits).map(|split| snapshot.best(split, *method)?.scores.map(|scores| scores.mse));
        Some(json!({
            "covariance": method.word(), "negative_elbo": row.negative_elbo, "alpha": row.alpha, "beta": row.beta,
            "evaluations": row.evaluations, "train_mse": row.train_mse,
            "test_rmse": snapshot.over_splits(*method, |scores| scores.rmse).mean,
            "test_mse": over.mean, "test_mse_se": over.se, "test_mse_splits": splits.collect::<Vec<_>>(),
            "test_ln_density": density.mean, "coverage": coverage.collect::<Vec<_>>(),
            "restarts": starts.collect::<Vec<_>>(), "predictions": said.collect::<Vec<_>>(),
        }))
    });
    let baseline = |which: fn(&Baselines) -> Option<Scores>| {
        json!({
            "test_mse": snapshot.baseline(which, |scores| scores.mse).mean,
            "test_rmse": snapshot.baseline(which, |scores| scores.rmse).mean,
            "test_ln_density": snapshot.baseline(which, |scores| scores.ln_density).mean,
        })
    };
    let tests = table.tests.iter().map(|(line, t)| json!({ "line": line, "target": t }));
    json!({
        "baselines": { "mean": baseline(|all| all.mean), "linear_regression": baseline(|all| all.linear) },
        "fits": fits.collect::<Vec<_>>(), "columns": table.names, "constant_columns": table.constant, "treatment": table.treated, "label": table.label,
        "examples": table.trained, "tests": tests.collect::<Vec<_>>(), "unlabelled_lines": table.unlabelled,
        "second_lines": table.second,
    })
}
