//! Figures of a regression on a table: errors, predictions and calibration.

use super::{INTERVALS, PairedDifference, PredictedTarget, SplitSummary, TableSnapshot, TableSpec};
use crate::figure::{Axis, Bar, Bars, Curve, Figure, Hue, Marker, Point, Segments, Stroke, minus, rounded};
use crate::lab::labelled_table::{dependence_figures, effects_figure};
use crate::math::stats::Mean;
use crate::models::mlp::fields::{Approximation, PrecisionSource};

/// Test errors printed in BB98, Table 1.
const PRINTED: [(Approximation, f64); 3] =
    [(Approximation::Laplace, 0.33), (Approximation::Diagonal, 0.28), (Approximation::Factor, 0.22)];
/// Width of a bar.
const BAR_WIDTH: f64 = 0.7;

/// Returns all figures.
pub fn all(spec: &TableSpec, snapshot: &TableSnapshot) -> Vec<Figure> {
    let Some(table) = &snapshot.table else {
        return vec![empty("errors", "Test error").saying("No rows yet.")];
    };
    let mut figures = vec![
        errors(spec, snapshot, table),
        predictions(snapshot, table),
        calibration(snapshot, table),
        effects(snapshot, table),
    ];
    let dependence = snapshot.lowest_bound().map(|row| row.details.dependence.as_slice()).unwrap_or_default();
    figures.extend(dependence_figures(dependence, &table.label));
    if !table.unlabelled.is_empty() || !table.second.is_empty() {
        figures.push(unlabelled_predictions(spec, snapshot, table));
    }
    figures
}

/// Returns a figure with axes from 0 to 1 and without marks.
fn empty(id: &str, title: &str) -> Figure {
    let unit = |label: &str| Axis::linear(label, (0.0, 1.0));
    Figure::new(id, title).x(unit("predicted")).y(unit("true"))
}

/// Returns `true` for the settings of Table 1: the sizes of the Boston housing data, 128 training rows, four hidden units and the
/// hyperpriors of BB98, section 3.
fn is_table1(spec: &TableSpec, table: &SplitSummary) -> bool {
    let sizes = (table.names.len() + table.constant.len(), table.trained, table.tests.len());
    sizes == (13, 128, 378)
        && spec.hidden == 4
        && spec.standardise
        && (spec.bias, spec.hyper) == (true, PrecisionSource::Estimated)
        && spec.hyperpriors == [0.25, 400.0, 0.05, 2000.0]
}

/// Returns a bar at `x` with the mean over splits, and the standard error if there are several; `None` without scores.
fn bar(x: f64, over_splits: Mean) -> Option<Bar> {
    let bar = Bar::new(x, over_splits.mean);
    (over_splits.count > 0).then(|| if over_splits.count > 1 { bar.with_se(over_splits.se) } else { bar })
}

fn errors(spec: &TableSpec, snapshot: &TableSnapshot, table: &SplitSummary) -> Figure {
    let methods = || Approximation::ALL.into_iter().zip((1..).map(f64::from));
    let mut names: Vec<String> = methods().map(|(method, _)| method.label().to_owned()).collect();
    let linear = bar(names.len() as f64 + 1.0, snapshot.baseline(|all| all.linear, |scores| scores.mse));
    names.extend(linear.iter().map(|_| "linear".to_owned()));
    let tested = !table.tests.is_empty();
    let bars: Vec<Bar> = methods()
        .filter_map(|(method, x)| {
            if tested {
                bar(x, snapshot.over_splits(method, |scores| scores.mse))
            } else {
                Some(Bar::new(x, snapshot.best(0, method)?.details.train_mse))
            }
        })
        .collect();
    let printed = is_table1(spec, table).then(|| {
        let lines = methods().filter_map(|(method, x)| {
            let (_, value) = PRINTED.iter().find(|(printed, _)| *printed == method)?;
            Some([(x - 0.45, *value), (x + 0.45, *value)])
        });
        Segments::new("printed", "printed in Table 1", Hue::Ink, Stroke::Dashed, lines)
    });
    let lowest_top = if printed.is_some() { 0.35 } else { 0.01 };
    let highest = bars.iter().chain(&linear).map(|bar| bar.value).fold(lowest_top, f64::max);
    let unit = if table.standardised { ", target standardised" } else { "" };
    Figure::new("errors", if tested { "Test error" } else { "Training error" })
        .x(Axis::categories("approximation", names))
        .y(Axis::linear(format!("mean squared error{unit}"), (0.0, 1.15 * highest)))
        .caption(error_caption(spec, snapshot, table, printed.is_some()))
        .found(finding(snapshot, table))
        .mark(Bars::new("mse", "mean squared error", Hue::Blue, BAR_WIDTH, bars))
        .marks(linear.map(|bar| Bars::new("linear", "linear regression", Hue::Sky, BAR_WIDTH, [bar])))
        .marks(printed)
}

fn error_caption(
    spec: &TableSpec,
    snapshot: &TableSnapshot,
    table: &SplitSummary,
    with_printed: bool,
) -> String {
    let rows = match table.tests.as_slice() {
        [] => "training rows (there are no test rows)",
        _ => "test rows",
    };
    let unit = if table.standardised { ", target standardised" } else { "" };
    let over = if spec.splits > 1 {
        format!(
            " Bars: means over {} splits; error bars: one standard error, which allows for rows that the splits share.{}",
            spec.splits,
            differences(spec, snapshot)
        )
    } else {
        String::new()
    };
    let printed = if with_printed {
        " The paper prints .33 (Laplace), .28 (diagonal) and .22 (one factor) for one split, which is not known: compare the \
         paired differences."
    } else {
        ""
    };
    let constant = match table.constant.as_slice() {
        [] => String::new(),
        names => format!(" Constant columns, not used: {}.", names.join(", ")),
    };
    format!(
        "Mean squared error of the predictive mean on the {rows}{unit}.{over}{printed}{}{constant}{}",
        densities(snapshot),
        table.treated.remarks()
    )
}

/// Returns a sentence with the paired differences of the methods' errors; empty without two splits.
fn differences(spec: &TableSpec, snapshot: &TableSnapshot) -> String {
    let known = snapshot.differences(spec.splits).into_iter().filter(|of| of.mse.count > 1);
    let list: Vec<String> = known
        .map(|PairedDifference { method, less, mse }| {
            let value = minus(format_args!("{:.3} ± {:.3}", mse.mean, mse.se));
            format!("{} less {}: {value}", method.label(), less.label())
        })
        .collect();
    if list.is_empty() {
        return String::new();
    }
    format!(" Paired differences over the splits: {}.", list.join("; "))
}

/// Returns a sentence with the error of the predicting fit and those of predictors without a network.
fn finding(snapshot: &TableSnapshot, table: &SplitSummary) -> String {
    let Some(best) = snapshot.lowest_bound() else { return String::new() };
    let rmse = snapshot.over_splits(best.method, |scores| scores.rmse);
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
    let verdict = if linear.count == 0 || rmse.mean < linear.mean {
        ""
    } else if linear.mean < mean.mean {
        " Linear regression is as good: there is no sign of a nonlinear dependence."
    } else {
        " Neither is better than the mean: these columns do not predict the target."
    };
    format!(
        "The root mean squared error of {} on {on} is {} (linear regression {}, mean of the training rows {}).{verdict}",
        table.label,
        rounded(rmse.mean),
        rounded(linear.mean),
        rounded(mean.mean)
    )
}

/// Returns sentences with the name of the predicting approximation and the log density of each.
fn densities(snapshot: &TableSnapshot) -> String {
    let Some(best) = snapshot.lowest_bound() else { return String::new() };
    let density =
        |name: &str, density: Mean| (density.count > 0).then(|| format!("{name} {}", rounded(density.mean)));
    let methods = Approximation::ALL.into_iter().filter_map(|method| {
        density(method.label(), snapshot.over_splits(method, |scores| scores.ln_density))
    });
    let linear =
        density("linear regression", snapshot.baseline(|all| all.linear, |scores| scores.ln_density));
    let all: Vec<String> = methods.chain(linear).collect();
    let densities = if all.is_empty() {
        String::new()
    } else {
        format!(" Mean log density of a test row: {}.", all.join(", "))
    };
    format!(" The Gaussian with the lowest −ELBO ({}) predicts.{densities}", best.method.label())
}

fn predictions(snapshot: &TableSnapshot, table: &SplitSummary) -> Figure {
    let label = &table.label;
    let figure = empty("predictions", "Predictions for test rows");
    let Some(row) = snapshot.lowest_bound().filter(|_| !table.tests.is_empty()) else {
        let why = "No predictions for test rows: there are none, or no fit is finished yet.";
        return if snapshot.lowest_bound().is_some() { figure.with_records() } else { figure }.saying(why);
    };
    let targets = || table.tests.iter().map(|row| row.target);
    let (low, high) = targets().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), t| (l.min(t), h.max(t)));
    let predicted = &row.details.predicted;
    let points = table.tests.iter().zip(predicted);
    let points = points.map(|(test, at)| Point::new(at.mean, test.target).with_se(at.sd));
    let caption = format!(
        "True against predicted target of each test row, for the Gaussian with the lowest −ELBO ({}). Error bars: one predictive standard \
         deviation, noise included. Dotted: equality.",
        row.method.label()
    );
    figure
        .with_records()
        .x(Axis::around(format!("predicted {label}"), predicted.iter().map(|at| at.mean)))
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

fn calibration(snapshot: &TableSnapshot, table: &SplitSummary) -> Figure {
    let figure = Figure::new("calibration", "Calibration of the intervals")
        .x(Axis::linear("nominal coverage", (0.0, 1.0)))
        .y(Axis::linear("coverage on the test rows", (0.0, 1.0)));
    if table.tests.is_empty() {
        return figure.saying("There are no test rows.");
    }
    let curves = Approximation::ALL.into_iter().filter_map(|method| {
        let points: Vec<Point> = INTERVALS
            .iter()
            .enumerate()
            .filter_map(|(i, (share, _))| {
                let over = snapshot.over_splits(method, |scores| scores.coverage[i]);
                let point = Point::new(*share, over.mean);
                (over.count > 0).then(|| if over.count > 1 { point.with_se(over.se) } else { point })
            })
            .collect();
        let curve = Curve::new(method.word(), method.label(), method.hue())
            .marker(Marker::Disc)
            .stroke(Stroke::Solid);
        (!points.is_empty()).then(|| curve.points(points))
    });
    let curves: Vec<Curve> = curves.collect();
    figure
        .caption(
            "Fraction of the test targets inside the central 50, 80 and 95 % prediction intervals, noise included. Below the dotted line \
             the intervals are too narrow, above it too wide.",
        )
        .mark(Segments::new("even", "perfect calibration", Hue::Ink, Stroke::Dotted, [[(0.0, 0.0), (1.0, 1.0)]]))
        .marks(curves)
}

/// Returns the figure of the effects of the columns on the error of the predicting fit.
fn effects(snapshot: &TableSnapshot, table: &SplitSummary) -> Figure {
    let effects = snapshot.lowest_bound().map(|row| row.details.effects.as_slice()).unwrap_or_default();
    let unit = if table.standardised { ", target standardised" } else { "" };
    effects_figure(effects, &format!("squared error{unit}"))
}

/// Describes the `learnt` rows, with advice if others are held out.
fn learnt_rows(table: &SplitSummary, learnt: usize) -> String {
    match table.trained + table.tests.len() - learnt {
        0 => format!("all {learnt} rows with a target"),
        tests => format!(
            "{learnt} of {} rows; set the training fraction to 1 to use the {tests} test rows as well",
            learnt + tests
        ),
    }
}

/// Returns the figure of predictions for rows without a target and rows of the second file.
fn unlabelled_predictions(spec: &TableSpec, snapshot: &TableSnapshot, table: &SplitSummary) -> Figure {
    let figure = empty("asked", "Predictions for rows without a target");
    let (Some(row), Some((predicted, learnt))) = (snapshot.lowest_bound(), snapshot.new_rows(spec.splits))
    else {
        return figure.saying("No fit has finished yet.");
    };
    let (unlabelled, second) = predicted.split_at(table.unlabelled.len().min(predicted.len()));
    let points = |lines: &[usize], predicted: &[PredictedTarget]| -> Vec<Point> {
        let rows = lines.iter().zip(predicted);
        rows.map(|(line, at)| Point::new(*line as f64, at.mean).with_se(at.sd)).collect()
    };
    let (unlabelled, second) = (points(&table.unlabelled, unlabelled), points(&table.second, second));
    let all = || unlabelled.iter().chain(&second);
    let limits = |p: &Point| [p.y - p.se.unwrap_or(0.0), p.y + p.se.unwrap_or(0.0)];
    figure
        .with_records()
        .x(Axis::around("row number in the file", all().map(|p| p.x)))
        .y(Axis::around(format!("predicted {}", table.label), all().flat_map(limits)))
        .caption(format!(
            "Predicted {} for the Gaussian with the lowest −ELBO ({}), fitted to {}. Error bars: one predictive standard deviation, \
             noise included.",
            table.label,
            row.method.label(),
            learnt_rows(table, learnt)
        ))
        .mark(Curve::new("unlabelled", "rows without a target", Hue::Blue).marker(Marker::Disc).points(unlabelled))
        .mark(Curve::new("second", "rows of the second file", Hue::Orange).marker(Marker::Square).points(second))
}
