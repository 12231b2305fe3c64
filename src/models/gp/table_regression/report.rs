//! Report of a regression on a table.

use serde_json::{Value, json};

use super::evaluation::Evaluation;
use super::fold::RegressionFold;
use super::{EvidenceSearch, ProcessRegressionSnapshot, ProcessRegressionSpec, SolvedModel};
use crate::lab::labelled_table::numeric::{INTERVALS, TargetRow, TestScores};
use crate::lab::labelled_table::{EvaluationRows, Kept, report_effects};

/// Returns the hyperparameters, log evidence, scores, baselines and predictions of the shown model, its fit, and the folds.
pub fn report(spec: &ProcessRegressionSpec, snapshot: &ProcessRegressionSnapshot) -> Value {
    let Some(table) = &snapshot.table else { return json!({}) };
    let shown = snapshot.shown();
    let evaluation = Evaluation::of(spec, snapshot);
    let left_out = shown.and_then(|(_, solution)| Evaluation::left_out(table, solution));
    let folds = Evaluation::of_folds(spec, snapshot);
    let baselines = snapshot.baselines.as_ref();
    let (predictions, kept) = (snapshot.predictions(), snapshot.kept());
    let rows = predictions.as_ref().map(|(rows, _)| rows);
    let mut report = json!({
        "model": shown.map(|(model, _)| model_report(spec, model)),
        "given": snapshot.given.as_ref().map(|model| model_report(spec, model)),
        "fit": snapshot.kept_search().map(|search| search_report(spec, search)),
        "starts": snapshot.starts.iter().map(|search| search_report(spec, search)).collect::<Value>(),
        "headline": evaluation.as_ref().map(|found| found.sentence(&table.label, baselines)),
        "evaluated": evaluation.as_ref().map(|found| match found.rows {
            EvaluationRows::Test => "test",
            EvaluationRows::Folds(_) => "folds",
            EvaluationRows::LeftOut => "left_out",
        }),
        "scores": evaluation.as_ref().map(|found| scores(&found.scores)),
        "leave_one_out": left_out.map(|found| scores(&found.scores)),
        "cross_validation": folds.map(|found| scores(&found.scores)),
        "baselines": {
            "mean": baselines.and_then(|all| all.mean.as_ref()).map(scores),
            "linear_regression": baselines.and_then(|all| all.linear.as_ref()).map(scores),
        },
        "columns": table.names, "constant_columns": table.constant, "treatment": table.treated,
        "effects": report_effects(&snapshot.effects()),
        "dependence": shown.map(|(_, solution)| &solution.dependence),
        "label": table.label, "examples": table.trained, "training": table.training, "tests": table.tests,
        "loo_predictions": rows.map(|rows| &rows.left_out), "predictions": rows.map(|rows| &rows.test),
        "new_rows": predictions.as_ref().map(|(rows, examples)| json!({
            "examples": examples, "unlabelled": rows.unlabelled, "second": rows.second,
        })),
        "unlabelled_lines": table.unlabelled, "second_lines": table.second,
    });
    // Assigned, since the macro copies values.
    let folds = snapshot.folds.iter();
    report["folds"] = folds.map(|fold| fold_report(spec, fold, kept, &table.training)).collect();
    if let Some(one) = &snapshot.one_length_scale {
        report["relevances"] = json!(snapshot.fitted.as_ref().map(|model| model_report(spec, model)));
        report["one_length_scale"] = model_report(spec, one);
    }
    if snapshot.held_out.is_made() {
        report["held_out_comparison"] = snapshot.held_out.report();
    }
    if let Some(found) = &snapshot.comparison {
        report["comparison"] = json!({
            "examples": found.rows, "inducing_points": found.points, "rows": found.full.rows,
            "full": scores(&found.full), "inducing": scores(&found.inducing), "mean_difference": found.difference,
            "ln_evidence": found.ln_evidence, "bound": found.bound,
        });
    }
    report
}

fn fold_report(
    spec: &ProcessRegressionSpec,
    fold: &RegressionFold,
    kept: Kept,
    training: &[TargetRow],
) -> Value {
    json!({
        "model": fold.of(kept).map(|model| model_report(spec, model)),
        "lines": fold.held_out.iter().map(|row| training[*row].line).collect::<Vec<_>>(),
        "predictions": fold.solution(kept).map(|solution| &solution.predictions.test),
    })
}

fn model_report(spec: &ProcessRegressionSpec, model: &SolvedModel) -> Value {
    let values = &model.values;
    let kernel = spec.given(values.weights.len()).kernel;
    let solution = model.solution.as_ref();
    let mut report = json!({
        "sigma2": values.sigma2(&kernel), "amplitude": values.amplitude, "noise": values.noise, "weights": values.weights,
        "examples": model.rows, "ln_evidence": solution.map(|solution| solution.ln_evidence),
    });
    if let Some(points) = model.points {
        report["inducing_points"] = json!(points);
        report["unexplained_variance"] = json!(solution.map(|solution| solution.unexplained));
    }
    report
}

fn search_report(spec: &ProcessRegressionSpec, search: &EvidenceSearch) -> Value {
    let best = search.best.as_ref().map(|(values, ln_evidence)| {
        let kernel = spec.given(values.weights.len()).kernel;
        json!({
            "sigma2": values.sigma2(&kernel), "amplitude": values.amplitude, "noise": values.noise,
            "weights": values.weights, "ln_evidence": ln_evidence,
        })
    });
    json!({ "rows": search.rows, "evaluations": search.trace.len(), "ending": search.ending, "best": best })
}

fn scores(scores: &TestScores) -> Value {
    let coverage = scores.coverage.iter().zip(INTERVALS);
    let coverage: Value =
        coverage.map(|(found, (expected, _))| json!({ "expected": expected, "found": found })).collect();
    json!({
        "rows": scores.rows, "mse": scores.mse, "rmse": scores.rmse, "rmse_se": scores.rmse_se, "mae": scores.mae,
        "r2": scores.r2, "ln_density": scores.ln_density, "coverage": coverage,
    })
}
