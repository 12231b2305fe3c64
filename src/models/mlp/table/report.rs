//! Report of a regression on a table.

use serde_json::{Value, json};

use super::{PairedDifference, TableFit, TableSnapshot, TableSpec};
use crate::lab::labelled_table::numeric::{INTERVALS, TargetBaselines, TestScores};
use crate::lab::labelled_table::report_effects;
use crate::models::mlp::fields::Approximation;
use crate::models::mlp::fits::FitRow;

/// Returns every fit with its scores over the splits, and its predictions on the first split.
pub fn report(spec: &TableSpec, snapshot: &TableSnapshot) -> Value {
    let Some(table) = &snapshot.table else { return json!({}) };
    let best = Approximation::ALL.into_iter().filter_map(|method| snapshot.best(0, method));
    let fits: Value = best.map(|row| fit(spec, snapshot, row)).collect();
    let baseline = |which: fn(&TargetBaselines) -> Option<TestScores>| {
        json!({
            "test_mse": snapshot.baseline(which, |scores| scores.mse).mean,
            "test_rmse": snapshot.baseline(which, |scores| scores.rmse).mean,
            "test_ln_density": snapshot.baseline(which, |scores| scores.ln_density).mean,
        })
    };
    json!({
        "baselines": { "mean": baseline(|all| all.mean), "linear_regression": baseline(|all| all.linear) },
        "fits": fits, "differences": differences(spec, snapshot), "columns": table.names, "constant_columns": table.constant, "treatment": table.treated,
        "effects": snapshot.lowest_bound().map(|row| report_effects(&row.details.effects)),
        "dependence": snapshot.lowest_bound().map(|row| &row.details.dependence),
        "label": table.label, "examples": table.trained, "tests": table.tests,
        "new_rows": snapshot.new_rows(spec.splits).map(|(predicted, examples)| json!({
            "examples": examples, "predictions": predicted,
        })),
        "unlabelled_lines": table.unlabelled, "second_lines": table.second,
    })
}

/// Returns the paired differences of test errors that the paper's table implies.
fn differences(spec: &TableSpec, snapshot: &TableSnapshot) -> Value {
    let difference = |PairedDifference { method, less, mse }| json!({ "covariance": method.word(), "less": less.word(), "test_mse": mse.mean, "test_mse_se": mse.se });
    snapshot.differences(spec.splits).into_iter().map(difference).collect()
}

fn fit(spec: &TableSpec, snapshot: &TableSnapshot, row: &FitRow<TableFit>) -> Value {
    let method = row.method;
    let mse = snapshot.over_splits(method, |scores| scores.mse);
    let coverage = (0..INTERVALS.len()).map(|i| {
        let found = snapshot.over_splits(method, |scores| scores.coverage[i]).mean;
        json!({ "expected": INTERVALS[i].0, "found": found })
    });
    let starts = snapshot.fits.iter().filter(|start| (start.details.split, start.method) == (0, method));
    let starts: Value = starts
        .map(|start| json!({ "restart": start.restart, "negative_elbo": start.negative_elbo }))
        .collect();
    let splits = (0..spec.splits)
        .map(|split| snapshot.best(split, method)?.details.scores.map(|scores| scores.mse))
        .collect::<Vec<_>>();
    let mut report = json!({
        "covariance": method.word(), "negative_elbo": row.negative_elbo, "alpha": row.alpha, "beta": row.beta,
        "evaluations": row.evaluations, "train_mse": row.details.train_mse,
        "test_rmse": snapshot.over_splits(method, |scores| scores.rmse).mean,
        "test_r2": snapshot.over_splits(method, TestScores::r2_or_nan).mean,
        "test_mse": mse.mean, "test_mse_se": mse.se, "test_mse_splits": splits,
        "test_ln_density": snapshot.over_splits(method, |scores| scores.ln_density).mean,
        "coverage": coverage.collect::<Value>(), "restarts": starts, "predictions": row.details.predicted,
    });
    if !row.details.relevances.is_empty() {
        report["relevances"] = json!(row.details.relevances);
    }
    report
}
