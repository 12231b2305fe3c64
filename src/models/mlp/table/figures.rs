//! Figures of a regression on a table: errors, predictions and calibration.

use super::{PairedDifference, TableSnapshot, TableSpec};
use crate::figure::{Axis, Bar, Bars, Figure, Hue, Segments, Stroke, minus, percent, rounded};
use crate::lab::labelled_table::numeric::{
    NumericSummary, TestScores, calibration_figure, comparison, empty_target_figure, error_details,
    new_targets_figure, predicted_against_true, typical_error,
};
use crate::lab::labelled_table::{
    NoEffects, RelevanceWords, TWO_DEVIATIONS, dependence_figures, effects_figure, relevance_figure,
};
use crate::math::stats::Mean;
use crate::models::mlp::fields::{Approximation, PrecisionSource};
use crate::models::mlp::solver::precisions::PriorGroups;

/// Test errors printed in BB98, Table 1.
const PRINTED: [(Approximation, f64); 3] =
    [(Approximation::Laplace, 0.33), (Approximation::Diagonal, 0.28), (Approximation::Factor, 0.22)];
/// Words for the prior variances of the weights of the columns.
const RELEVANCES: RelevanceWords = RelevanceWords {
    noun: "prior variance",
    axis: "prior variance 1/α of the weights",
    caption: "Prior variances 1/α of the hidden units' weights of each column, estimated with the Gaussian with the lowest −ELBO.",
};
/// Width of a bar.
const BAR_WIDTH: f64 = 0.7;

/// Returns all figures.
pub fn all(spec: &TableSpec, snapshot: &TableSnapshot) -> Vec<Figure> {
    let Some(table) = &snapshot.table else {
        return vec![empty_target_figure("errors", "Test error").saying("No rows yet.")];
    };
    let mut figures = vec![predictions(snapshot, table), errors(spec, snapshot, table)];
    if table.tests.is_empty() {
        figures.reverse();
    }
    figures.extend([calibration(snapshot, table), effects(snapshot, table)]);
    let dependence = snapshot.lowest_bound().map(|row| row.details.dependence.as_slice()).unwrap_or_default();
    let predicted = format!("predicted {}", table.label);
    figures.extend(dependence_figures(dependence, &predicted, TWO_DEVIATIONS));
    if spec.groups() == PriorGroups::PerInput {
        let relevances = snapshot.relevances();
        figures.push(relevance_figure(&table.names, relevances, RELEVANCES));
    }
    if !table.unlabelled.is_empty() || !table.second.is_empty() {
        figures.push(unlabelled_predictions(spec, snapshot, table));
    }
    figures
}

/// Returns `true` for the settings of Table 1: the sizes of the Boston housing data, 128 training rows, four hidden units and the
/// hyperpriors of BB98, section 3.
fn is_table1(spec: &TableSpec, table: &NumericSummary) -> bool {
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

fn errors(spec: &TableSpec, snapshot: &TableSnapshot, table: &NumericSummary) -> Figure {
    let methods = || Approximation::ALL.into_iter().zip((1..).map(f64::from));
    let mut names: Vec<String> = methods().map(|(method, _)| method.label().to_owned()).collect();
    let tested = !table.tests.is_empty();
    let as_printed = is_table1(spec, table);
    // Table 1 has mean squared errors.
    let score = |scores: &TestScores| if as_printed { scores.mse } else { scores.rmse };
    let linear = bar(names.len() as f64 + 1.0, snapshot.baseline(|all| all.linear, score));
    names.extend(linear.iter().map(|_| "linear".to_owned()));
    let bars: Vec<Bar> = methods()
        .filter_map(|(method, x)| {
            if tested {
                bar(x, snapshot.over_splits(method, score))
            } else {
                Some(Bar::new(x, snapshot.best(0, method)?.details.train_mse))
            }
        })
        .collect();
    let printed = as_printed.then(|| {
        let lines = methods().filter_map(|(method, x)| {
            let (_, value) = PRINTED.iter().find(|(printed, _)| *printed == method)?;
            Some([(x - 0.45, *value), (x + 0.45, *value)])
        });
        Segments::new("printed", "printed in Table 1", Hue::Ink, Stroke::Dashed, lines)
    });
    let lowest_top = if printed.is_some() { 0.35 } else { 0.01 };
    let highest = bars.iter().chain(&linear).map(|bar| bar.value).fold(lowest_top, f64::max);
    let loss = loss(tested && !as_printed, table);
    Figure::new("errors", if tested { "Test error" } else { "Training error" })
        .x(Axis::categories("approximation", names))
        .y(Axis::linear(loss.as_str(), (0.0, 1.15 * highest)))
        .caption(error_caption(spec, snapshot, table, &loss))
        .finding_and_summary(finding(snapshot, table))
        .mark(Bars::new("error", "error", Hue::Blue, BAR_WIDTH, bars))
        .marks(linear.map(|bar| Bars::new("linear", "linear regression", Hue::Sky, BAR_WIDTH, [bar])))
        .marks(printed)
}

/// Returns the name of the drawn error with its unit: its root in units of the target, or the mean square.
fn loss(root: bool, table: &NumericSummary) -> String {
    if root {
        format!("root mean squared error of {}", table.label)
    } else {
        format!("mean squared error{}", table.unit_words())
    }
}

fn error_caption(spec: &TableSpec, snapshot: &TableSnapshot, table: &NumericSummary, loss: &str) -> String {
    let rows = match table.tests.as_slice() {
        [] => "training rows (there are no test rows)",
        _ => "test rows",
    };
    let over = if spec.splits > 1 {
        format!(
            " Bars: means over {} splits; error bars: one standard error, which allows for rows that the splits share.{}",
            spec.splits,
            differences(spec, snapshot)
        )
    } else {
        String::new()
    };
    let printed = if is_table1(spec, table) {
        " The paper prints .33 (Laplace), .28 (diagonal) and .22 (one factor) for one split, which is not known: compare the \
         paired differences."
    } else {
        ""
    };
    format!("Predictive mean on the {rows}: {loss}.{over}{printed}{}{}", densities(snapshot), table.remarks())
}

/// Returns a sentence with the paired differences of the methods' errors; empty without two splits.
fn differences(spec: &TableSpec, snapshot: &TableSnapshot) -> String {
    let known = snapshot.differences(spec.splits).into_iter().filter(|of| of.mse.count > 1);
    let list: Vec<String> = known
        .map(|PairedDifference { method, less, mse }| {
            let value = minus(format_args!("{:.3} ± {:.3}", mse.mean, mse.se));
            format!("{} − {}: {value}", method.label(), less.label())
        })
        .collect();
    if list.is_empty() {
        return String::new();
    }
    format!(" Paired differences of the mean squared errors over the splits: {}.", list.join("; "))
}

/// Returns the mean errors over the splits of linear regression and of the mean, as far as they are known.
fn baseline_errors(snapshot: &TableSnapshot) -> [Option<f64>; 2] {
    let linear = snapshot.baseline(|all| all.linear, |scores| scores.rmse);
    let mean = snapshot.baseline(|all| all.mean, |scores| scores.rmse);
    [linear, mean].map(|of| (of.count > 0).then_some(of.mean))
}

/// Returns a sentence with the error of the predicting fit and that of the best predictor without a network.
fn finding(snapshot: &TableSnapshot, table: &NumericSummary) -> String {
    let Some(best) = snapshot.lowest_bound() else { return String::new() };
    let rmse = snapshot.over_splits(best.method, |scores| scores.rmse);
    let on = match rmse.count {
        0 => return String::new(),
        1 => format!("{} test rows", table.tests.len()),
        splits => format!("the test rows of {splits} splits"),
    };
    let [linear, mean] = baseline_errors(snapshot);
    let verdict = mean.map_or("", |mean| comparison(rmse.mean, linear, mean));
    format!("{}{verdict}", typical_error(&table.label, &on, rmse.mean, [linear, mean]))
}

/// Returns a sentence, preceded by a blank, with the errors of the predicting fit and of those without a network.
fn all_errors(snapshot: &TableSnapshot, method: Approximation) -> String {
    let rmse = snapshot.over_splits(method, |scores| scores.rmse);
    if rmse.count == 0 {
        return String::new();
    }
    let r2 = snapshot.over_splits(method, TestScores::r2_or_nan).mean;
    error_details([rmse.mean, f64::NAN, r2], baseline_errors(snapshot))
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

fn predictions(snapshot: &TableSnapshot, table: &NumericSummary) -> Figure {
    let figure = empty_target_figure("predictions", "Predictions for test rows");
    let Some(row) = snapshot.lowest_bound().filter(|_| !table.tests.is_empty()) else {
        let why = "No predictions for test rows: there are none, or no fit is finished yet.";
        return if snapshot.lowest_bound().is_some() { figure.with_records() } else { figure }.saying(why);
    };
    let name = format!("test rows, by the Gaussian with the lowest −ELBO ({})", row.method.label());
    let mut figure =
        predicted_against_true(figure, &table.label, &name, &table.tests, &row.details.predicted)
            .finding_and_summary(reliance(snapshot, table, row.method));
    figure.caption += &all_errors(snapshot, row.method);
    figure.caption += &table.remarks();
    figure
}

/// Returns sentences with the coverage of the 95 % intervals of the predicting fit, and its error beside that of the best predictor without
/// a network.
fn reliance(snapshot: &TableSnapshot, table: &NumericSummary, method: Approximation) -> String {
    let covered = snapshot.over_splits(method, |scores| scores.coverage[2]);
    if covered.count == 0 {
        return String::new();
    }
    format!(
        "The 95 % intervals contain {} of the test rows. {}",
        percent(covered.mean),
        finding(snapshot, table)
    )
}

fn calibration(snapshot: &TableSnapshot, table: &NumericSummary) -> Figure {
    if table.tests.is_empty() {
        return calibration_figure("test rows", std::iter::empty()).saying("There are no test rows.");
    }
    let coverages = |method| [0, 1, 2].map(|i| snapshot.over_splits(method, |scores| scores.coverage[i]));
    let methods = Approximation::ALL.into_iter();
    calibration_figure(
        "test rows",
        methods.map(|method| (method.word(), method.label(), method.hue(), coverages(method))),
    )
}

/// Returns the figure of the effects of the columns on the error of the predicting fit.
fn effects(snapshot: &TableSnapshot, table: &NumericSummary) -> Figure {
    let effects = snapshot.lowest_bound().map(|row| row.details.effects.as_slice()).unwrap_or_default();
    let unit = table.unit_words();
    let missing = NoEffects::of(table.tests.len(), table.names.len());
    effects_figure(effects, &format!("squared error{unit}"), missing)
}

/// Returns the figure of predictions for rows without a target and rows of the second file.
fn unlabelled_predictions(spec: &TableSpec, snapshot: &TableSnapshot, table: &NumericSummary) -> Figure {
    let figure = empty_target_figure("asked", "Predictions for rows without a target");
    let fit =
        snapshot.lowest_bound().zip(snapshot.predictions(spec.splits)).zip(snapshot.new_rows(spec.splits));
    let Some(((row, rows), (_, learnt))) = fit else {
        return figure.saying("No fit has finished yet.");
    };
    let method = format!("the Gaussian with the lowest −ELBO ({})", row.method.label());
    let words = [method.as_str(), &table.learnt_rows(learnt)];
    new_targets_figure(figure, table, &rows.unlabelled, &rows.second, words)
}
