//! Errors beside those of the baselines, and the coverage of the intervals.

use crate::figure::{Axis, Bar, Bars, Figure, Hue, rounded};
use crate::lab::labelled_table::NO_SOLUTION_YET;
use crate::lab::labelled_table::numeric::{NumericSummary, TestScores, calibration_figure};
use crate::math::stats::Mean;
use crate::models::gp::table_regression::comparison::Comparison;
use crate::models::gp::table_regression::evaluation::Evaluation;
use crate::models::gp::table_regression::{ProcessRegressionSnapshot, ProcessRegressionSpec};

/// Width of a bar.
const BAR_WIDTH: f64 = 0.7;
const PREDICTOR: &str = "predictor";

/// Returns the figure of root mean squared errors: on test rows, in folds and in leave-one-out, and those of the baselines.
pub fn errors(
    spec: &ProcessRegressionSpec,
    snapshot: &ProcessRegressionSnapshot,
    table: &NumericSummary,
) -> Figure {
    let label = format!("root mean squared error, {}", table.label);
    let all = predictors(spec, snapshot, table);
    let base = Figure::new("errors", "Error").x(Axis::linear(PREDICTOR, (0.0, 1.0)));
    if all.is_empty() {
        return base.y(Axis::linear(label, (0.0, 1.0))).saying(NO_SOLUTION_YET);
    }
    let bars = |of_process: bool| -> Vec<Bar> {
        let part = (1..).map(f64::from).zip(&all).filter(|(_, (_, is_process, _))| *is_process == of_process);
        part.map(|(x, (_, _, scores))| {
            let bar = Bar::new(x, scores.rmse);
            scores.rmse_se.map_or(bar, |se| bar.with_se(se))
        })
        .collect()
    };
    let highest = all.iter().map(|(_, _, scores)| scores.rmse + scores.rmse_se.unwrap_or(0.0));
    let highest = highest.fold(f64::MIN_POSITIVE, f64::max);
    let densities: Vec<String> =
        all.iter().map(|(name, _, scores)| format!("{name} {}", rounded(scores.ln_density))).collect();
    let names = all.iter().map(|(name, ..)| name.clone()).collect();
    base.x(Axis::categories(PREDICTOR, names))
        .y(Axis::linear(label, (0.0, 1.1 * highest)))
        .caption(format!(
            "Root mean squared error in units of the table, with one standard error over the rows. Leave-one-out has a closed form; it keeps \
             the hyperparameters, which a fit has taken from all training rows. Mean log density of a row: {}.",
            densities.join(", ")
        ))
        .summary(format!("Mean log density of a row: {}.", densities.join(", ")))
        .mark(Bars::new("process", "Gaussian process", Hue::Blue, BAR_WIDTH, bars(true)))
        .mark(Bars::new("baselines", "baselines", Hue::Sky, BAR_WIDTH, bars(false)))
}

/// Returns name, true for a Gaussian process, and scores of each predictor.
fn predictors(
    spec: &ProcessRegressionSpec,
    snapshot: &ProcessRegressionSnapshot,
    table: &NumericSummary,
) -> Vec<(String, bool, TestScores)> {
    let mut all = Vec::new();
    if let Some(found) = Evaluation::of(spec, snapshot).filter(|_| !table.tests.is_empty()) {
        all.push(("test rows".to_owned(), true, found.scores));
    }
    if let Some(found) = Evaluation::of_folds(spec, snapshot) {
        all.push((format!("{} folds", spec.planned_folds()), true, found.scores));
    }
    let left_out = snapshot.shown().and_then(|(_, solution)| Evaluation::left_out(table, solution));
    all.extend(left_out.map(|found| ("leave-one-out".to_owned(), true, found.scores)));
    if let Some(Comparison { rows, full, inducing, .. }) = snapshot.comparison {
        all.push((format!("full model, {rows} rows"), true, full));
        all.push((format!("inducing points, {rows} rows"), true, inducing));
    }
    let baselines = snapshot.baselines.unwrap_or_default();
    let on = if table.tests.is_empty() { "10 folds" } else { "test rows" };
    let named = [("linear", baselines.linear), ("mean", baselines.mean)];
    all.extend(
        named.into_iter().filter_map(|(name, scores)| Some((format!("{name}, {on}"), false, scores?))),
    );
    all
}

/// Returns the figure of the coverage of intervals, beside that of linear regression.
pub fn calibration(snapshot: &ProcessRegressionSnapshot, evaluation: Option<&Evaluation>) -> Figure {
    let linear = snapshot.baselines.and_then(|all| all.linear);
    let Some(found) = evaluation else {
        return calibration_figure("held-out rows", std::iter::empty()).saying(NO_SOLUTION_YET);
    };
    let of = |scores: &TestScores| scores.coverage.map(|share| mean(share, scores.rows));
    let process = ("process", "Gaussian process", Hue::Blue, of(&found.scores));
    let linear = linear.map(|scores| ("linear", "linear regression", Hue::Sky, of(&scores)));
    calibration_figure(&found.name(), linear.into_iter().chain([process]))
}

/// Returns a share of rows with its binomial standard error.
fn mean(share: f64, rows: usize) -> Mean {
    Mean { mean: share, se: (share * (1.0 - share) / rows as f64).sqrt(), count: rows }
}
