//! Predicted targets: against the true ones, with their intervals, and of new rows.

use crate::figure::{Axis, Band, Curve, Figure, Hue, Interval, Marker, Point, rounded};
use crate::lab::labelled_table::NO_SOLUTION_YET;
use crate::lab::labelled_table::numeric::{
    NumericSummary, empty_target_figure, new_targets_figure, predicted_against_true,
};
use crate::math::stats::order;
use crate::models::gp::inducing_points::{PRELIMINARY_MARK, describe_preliminary};
use crate::models::gp::table_regression::ProcessRegressionSnapshot;
use crate::models::gp::table_regression::comparison::Comparison;
use crate::models::gp::table_regression::evaluation::Evaluation;

/// Returns the figure of predicted against true targets of held-out rows.
pub fn predictions(snapshot: &ProcessRegressionSnapshot, evaluation: Option<&Evaluation>) -> Figure {
    let base = empty_target_figure("predictions", "Predictions");
    let Some((found, table)) = evaluation.zip(snapshot.table.as_ref()) else {
        let is_solved = snapshot.shown().is_some();
        let why = if is_solved { "No fold has finished yet." } else { NO_SOLUTION_YET };
        return if is_solved { base.with_records() } else { base }.saying(why);
    };
    let words = format!(
        "{}{}{}{}{}",
        found.details(snapshot.baselines.as_ref()),
        before_fit(snapshot, table),
        snapshot.held_out.sentences("evidence"),
        approximation(snapshot),
        table.remarks()
    );
    let is_preliminary = snapshot.shown().is_some_and(|(model, _)| model.is_preliminary);
    let preliminary = if is_preliminary { PRELIMINARY_MARK } else { "" };
    let mut figure =
        predicted_against_true(base, &table.label, &found.name(), &found.targets, &found.predicted)
            .finding_and_summary(found.sentence(&table.label, snapshot.baselines.as_ref()) + preliminary);
    figure.caption += &words;
    figure
}

/// Returns sentences, each preceded by a blank, on inducing points and their difference from the full model; empty without them.
fn approximation(snapshot: &ProcessRegressionSnapshot) -> String {
    let Some((model, points)) = snapshot.shown().and_then(|(model, _)| Some((model, model.points?))) else {
        return String::new();
    };
    if model.is_preliminary {
        return describe_preliminary(points, model.rows);
    }
    let compared = snapshot.comparison.as_ref().map(Comparison::sentence).unwrap_or_default();
    format!(
        " The model is approximate: {points} inducing points stand for {} training rows (Titsias 2009). They are rows of large remaining prior \
         variance.{compared}",
        model.rows
    )
}

/// Returns a sentence with the error of the given hyperparameters on the test rows, once a fit has replaced them.
fn before_fit(snapshot: &ProcessRegressionSnapshot, table: &NumericSummary) -> String {
    let before = snapshot.before_fit().filter(|_| !table.tests.is_empty());
    match before.and_then(|before| Evaluation::on_tests(table, before)) {
        Some(before) => format!(" Before the fit: root mean squared error {}.", rounded(before.scores.rmse)),
        None => String::new(),
    }
}

/// Returns the figure of the 95 % intervals of held-out rows, in the order of their predictive means.
pub fn intervals(table: &NumericSummary, evaluation: Option<&Evaluation>) -> Figure {
    let label = &table.label;
    let base = Figure::new("intervals", "Intervals")
        .x(Axis::linear("rows, sorted by prediction", (0.0, 1.0)))
        .y(Axis::linear(label.as_str(), (0.0, 1.0)));
    let Some(found) = evaluation else { return base.saying(NO_SOLUTION_YET) };
    let means: Vec<f64> = found.predicted.iter().map(|at| at.mean).collect();
    let rows = || (1..).map(f64::from).zip(order(&means));
    let limits = |row: usize| found.predicted[row].interval();
    let target = |row: usize| found.targets[row].target;
    let is_inside = |row: usize| found.predicted[row].covers(target(row));
    let band = rows().map(|(x, row)| Interval { x, lower: limits(row).0, upper: limits(row).1 });
    let points = |inside: bool| -> Vec<Point> {
        let part = rows().filter(|(_, row)| is_inside(*row) == inside);
        part.map(|(x, row)| Point::new(x, target(row))).collect()
    };
    let (inside, outside) = (points(true), points(false));
    let ends = (0..means.len()).flat_map(|row| [limits(row).0, limits(row).1, target(row)]);
    let count = means.len() as f64;
    base.x(Axis::linear("rows, sorted by prediction", (0.0, count + 1.0)))
        .y(Axis::around(label.as_str(), ends))
        .finding_and_summary(format!(
            "{} of {} targets lie outside their 95 % intervals; about {} are expected.",
            outside.len(),
            means.len(),
            rounded(0.05 * count)
        ))
        .caption(format!(
            "True {label} of the {} and the 95 % intervals of new observations, noise included, in the order of the predictive means.",
            found.name()
        ))
        .mark(Band::new("band", "95 % interval", Hue::Blue, band))
        .mark(Curve::new("mean", "predictive mean", Hue::Blue).points(
            rows().map(|(x, row)| Point::new(x, means[row])),
        ))
        .mark(Curve::new("inside", "target inside", Hue::Ink).marker(Marker::Disc).points(inside))
        .mark(Curve::new("outside", "target outside", Hue::Orange).marker(Marker::Diamond).points(outside))
}

/// Returns the figure of predictions for rows without a target and rows of the second file.
pub fn new_rows(snapshot: &ProcessRegressionSnapshot, table: &NumericSummary) -> Figure {
    let figure = empty_target_figure("asked", "Predictions for rows without a target");
    let Some((rows, learnt)) = snapshot.predictions() else {
        return figure.saying(NO_SOLUTION_YET);
    };
    let words = ["the Gaussian process", &table.learnt_rows(learnt)];
    new_targets_figure(figure, table, &rows.unlabelled, &rows.second, words)
}
