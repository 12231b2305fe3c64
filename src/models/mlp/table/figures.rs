//! Errors, calibration and predictions.

use super::{FITTED, INTERVALS, TableInfo, TableSnapshot, TableSpec};
use crate::figure::{Axis, Bar, Bars, Curve, Figure, Hue, Marker, Point, Segments, Stroke, rounded};
use crate::models::mlp::fields::{Approximation, PrecisionSource};

/// Table 1: Laplace, diagonal, one factor.
const PRINTED: [(Approximation, f64); 3] =
    [(Approximation::Laplace, 0.33), (Approximation::Diagonal, 0.28), (Approximation::Factor, 0.22)];

/// All figures.
pub fn figures(spec: &TableSpec, snapshot: &TableSnapshot) -> Vec<Figure> {
    let Some(table) = &snapshot.table else {
        return vec![empty("errors", "Test error").saying("No rows yet.")];
    };
    let mut figures =
        vec![errors(spec, snapshot, table), predictions(snapshot, table), calibration(snapshot, table)];
    if !table.unlabelled.is_empty() || !table.second.is_empty() {
        figures.push(asked(snapshot, table));
    }
    figures
}

/// A figure that may stay without marks.
fn empty(id: &str, title: &str) -> Figure {
    let unit = |label: &str| Axis::linear(label, (0.0, 1.0));
    Figure::new(id, title).x(unit("predicted")).y(unit("true"))
}

/// Whether it is the setting of Table 1: Boston housing by its size, 128 rows for training, four units and the paper's priors.
fn is_table1(spec: &TableSpec, table: &TableInfo) -> bool {
    let sizes = (table.names.len() + table.constant.len(), table.trained, table.tests.len());
    sizes == (13, 128, 378)
        && spec.hidden == 4
        && spec.standardise
        && (spec.bias, spec.hyper) == (true, PrecisionSource::Estimated)
        && spec.hyperpriors == [0.25, 400.0, 0.05, 2000.0]
}

fn errors(spec: &TableSpec, snapshot: &TableSnapshot, table: &TableInfo) -> Figure {
    const WIDTH: f64 = 0.35;
    let mut names: Vec<String> = FITTED.iter().map(|method| method.reads().to_owned()).collect();
    let linear = snapshot.baseline(|all| all.linear, |scores| scores.mse);
    let linear = (linear.count > 0).then(|| {
        names.push("linear".to_owned());
        let bar = Bar::new(names.len() as f64, linear.mean);
        if linear.count > 1 { bar.with_se(linear.se) } else { bar }
    });
    let tested = !table.tests.is_empty();
    let at = |i: usize, shift: f64| 1.0 + i as f64 + shift;
    let bars: Vec<Bar> = (FITTED.iter().enumerate())
        .filter_map(|(i, method)| {
            if !tested {
                return Some(Bar::new(at(i, 0.0), snapshot.best(0, *method)?.train_mse));
            }
            let over = snapshot.over_splits(*method, |scores| scores.mse);
            let bar = Bar::new(at(i, 0.0), over.mean);
            (over.count > 0).then(|| if over.count > 1 { bar.with_se(over.se) } else { bar })
        })
        .collect();
    let printed = is_table1(spec, table).then(|| {
        let at = |(method, value): &(Approximation, f64)| {
            let place = FITTED.iter().position(|m| m == method).unwrap_or(0) as f64 + 1.0;
            [(place - 0.45, *value), (place + 0.45, *value)]
        };
        Segments::new("printed", "printed in Table 1", Hue::Ink, Stroke::Dashed, PRINTED.iter().map(at))
    });
    let highest = bars
        .iter()
        .chain(&linear)
        .map(|bar| bar.value)
        .fold(0.01, f64::max)
        .max(if printed.is_some() { 0.35 } else { 0.0 });
    let rows = if tested { "test rows" } else { "training rows (there are no test rows)" };
    let unit = if table.standardised { ", target standardised" } else { "" };
    let remark = if printed.is_some() {
        " The paper prints .33 (Laplace), .28 (diagonal) and .22 (one factor) for one split, which is not known: compare the \
         differences with the standard errors."
    } else {
        ""
    };
    let over = if spec.splits > 1 {
        format!(" Bars: means over {} splits; error bars: one standard error.", spec.splits)
    } else {
        String::new()
    };
    Figure::new("errors", if tested { "Test error" } else { "Training error" })
        .x(Axis::categories("approximation", names))
        .y(Axis::linear(format!("mean squared error{unit}"), (0.0, 1.15 * highest)))
        .caption(format!(
            "Mean squared error of the predictive mean on the {rows}{unit}.{over}{remark}{}{}",
            densities(snapshot),
            left_out(table)
        ))
        .found(finding(snapshot, table))
        .mark(Bars::new("mse", "mean squared error", Hue::Blue, 2.0 * WIDTH, bars))
        .marks(linear.map(|bar| Bars::new("linear", "linear regression", Hue::Sky, 2.0 * WIDTH, [bar])))
        .marks(printed)
}

fn left_out(table: &TableInfo) -> String {
    let constant = match table.constant.as_slice() {
        [] => String::new(),
        names => format!(" Constant columns, not used: {}.", names.join(", ")),
    };
    constant + &table.treated.remarks()
}

/// The error of the approximation that predicts, beside those of predictors without a network, and what that means.
fn finding(snapshot: &TableSnapshot, table: &TableInfo) -> String {
    let Some(chosen) = snapshot.chosen() else { return String::new() };
    let rmse = snapshot.over_splits(chosen.method, |scores| scores.rmse);
    let [mean, linear] = [
        snapshot.baseline(|all| all.mean, |scores| scores.rmse),
        snapshot.baseline(|all| all.linear, |scores| scores.rmse),
    ];
    if rmse.count == 0 {
        return String::new();
    }
    let on = match rmse.count {
        1 => format!("{} test rows", table.tests.len()),
        splits => format!("the test rows of {splits} splits"),
    };
    let worth = if linear.count == 0 || rmse.mean < linear.mean {
        ""
    } else if linear.mean < mean.mean {
        " Linear regression is as good: there is no sign of a nonlinear dependence."
    } else {
        " Neither is better than the mean: these columns do not predict the target."
    };
    format!(
        "The root mean squared error of {} on {on} is {} (linear regression {}, mean of the training rows {}).{worth}",
        table.label,
        rounded(rmse.mean),
        rounded(linear.mean),
        rounded(mean.mean)
    )
}

/// Which approximation predicts, and the log density of each.
fn densities(snapshot: &TableSnapshot) -> String {
    let Some(chosen) = snapshot.chosen() else { return String::new() };
    let density = |name: &str, density: crate::math::stats::Mean| {
        (density.count > 0).then(|| format!("{name} {}", rounded(density.mean)))
    };
    let methods = FITTED.iter().filter_map(|method| {
        density(method.reads(), snapshot.over_splits(*method, |scores| scores.ln_density))
    });
    let linear =
        density("linear regression", snapshot.baseline(|all| all.linear, |scores| scores.ln_density));
    let all: Vec<String> = methods.chain(linear).collect();
    let densities = if all.is_empty() {
        String::new()
    } else {
        format!(" Mean log density of a test row: {}.", all.join(", "))
    };
    format!(" The Gaussian with the lowest −ELBO ({}) predicts.{densities}", chosen.method.reads())
}

fn predictions(snapshot: &TableSnapshot, table: &TableInfo) -> Figure {
    let label = &table.label;
    let figure = empty("predictions", "Predictions for test rows");
    let Some(row) = snapshot.chosen().filter(|_| !table.tests.is_empty()) else {
        return figure.saying("No predictions: there are no test rows, or no fit is finished yet.");
    };
    let targets = || table.tests.iter().map(|(_, t)| *t);
    let (low, high) = targets().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), t| (l.min(t), h.max(t)));
    let points =
        table.tests.iter().zip(&row.said).map(|((_, t), (mean, sd))| Point::new(*mean, *t).with_se(*sd));
    let caption = format!(
        "True against predicted target of each test row, for the Gaussian with the lowest −ELBO ({}). Error bars: one predictive standard \
         deviation, noise included. Dotted: equality.",
        row.method.reads()
    );
    figure
        .with_records()
        .x(Axis::around(format!("predicted {label}"), row.said.iter().map(|(mean, _)| *mean)))
        .y(Axis::around(format!("true {label}"), targets()))
        .caption(caption)
        .mark(Segments::new(
            "equal",
            "predicted = true",
            Hue::Ink,
            Stroke::Dotted,
            [[(low, low), (high, high)]],
        ))
        .mark(Curve::new("tests", "test rows", Hue::Blue).marker(Marker::Disc).path(points))
}

fn calibration(snapshot: &TableSnapshot, table: &TableInfo) -> Figure {
    let figure = Figure::new("calibration", "Calibration of the intervals")
        .x(Axis::linear("nominal coverage", (0.0, 1.0)))
        .y(Axis::linear("coverage on the test rows", (0.0, 1.0)));
    if table.tests.is_empty() {
        return figure.saying("There are no test rows.");
    }
    let curves = FITTED.iter().filter_map(|method| {
        let points: Vec<Point> = INTERVALS
            .iter()
            .enumerate()
            .filter_map(|(i, (share, _))| {
                let over = snapshot.over_splits(*method, |scores| scores.coverage[i]);
                let point = Point::new(*share, over.mean);
                (over.count > 0).then(|| if over.count > 1 { point.with_se(over.se) } else { point })
            })
            .collect();
        let curve = Curve::new(method.word(), method.reads(), method.hue())
            .marker(Marker::Disc)
            .stroke(Stroke::Solid);
        (!points.is_empty()).then(|| curve.points(points))
    });
    let curves: Vec<Curve> = curves.collect();
    figure
        .caption(
            "Fraction of the test targets inside the central 50, 80 and 95 % prediction intervals, noise included. Below the dashed line \
             the intervals are too narrow, above it too wide.",
        )
        .mark(Segments::new("even", "perfect calibration", Hue::Ink, Stroke::Dotted, [[(0.0, 0.0), (1.0, 1.0)]]))
        .marks(curves)
}

/// Rows without a target, and those of the second file.
fn asked(snapshot: &TableSnapshot, table: &TableInfo) -> Figure {
    let figure = empty("asked", "Predictions for rows without a target");
    let Some(row) = snapshot.chosen() else { return figure.saying("No fit is finished yet.") };
    let said = &row.said[table.tests.len().min(row.said.len())..];
    let (own, second) = said.split_at(table.unlabelled.len().min(said.len()));
    let points = |lines: &[usize], said: &[(f64, f64)]| -> Vec<Point> {
        lines
            .iter()
            .zip(said)
            .map(|(line, (mean, sd))| Point::new(*line as f64, *mean).with_se(*sd))
            .collect()
    };
    let (own, second) = (points(&table.unlabelled, own), points(&table.second, second));
    let all = || own.iter().chain(&second);
    figure
        .with_records()
        .x(Axis::around("row number in the file", all().map(|p| p.x)))
        .y(Axis::around(format!("predicted {}", table.label), all().flat_map(|p| [p.y - p.se.unwrap_or(0.0), p.y + p.se.unwrap_or(0.0)])))
        .caption(format!(
            "Predicted {} for the Gaussian with the lowest −ELBO ({}). Error bars: one predictive standard deviation, noise included.",
            table.label,
            row.method.reads()
        ))
        .mark(Curve::new("unlabelled", "rows without a target", Hue::Blue).marker(Marker::Disc).points(own))
        .mark(Curve::new("second", "rows of the second file", Hue::Orange).marker(Marker::Square).points(second))
}
