//! Figures: weights by column, predictions by row, their scores, and the fit of β.

use super::{SOLVER, TableSnapshot, TableSolution, TableSpec, beta_text};
use crate::data::counted;
use crate::figure::{Axis, Bar, Bars, Curve, Figure, Hue, Marker, Point, Stroke, minus, percent};
use crate::lab::labelled_table::{
    ClassifiedTable, EvaluationRows, Kept, NO_INFORMATION, RANKED, effects_figure, empty_figure,
    explain_no_effects, well_over_half,
};
use crate::math::stats::order;
use crate::models::feedforward::residual;

const COLUMN: &str = "column, largest weight (of either sign) first";
const WEIGHT: &str = "mean weight, ⟨w⟩";

/// Returns the figures: without a solution only their axes, after a failure only the residuals.
pub fn figures(spec: &TableSpec, snapshot: &TableSnapshot) -> Vec<Figure> {
    if let Some(failure) = snapshot.failure(spec) {
        let figure = residual::figure(&snapshot.residuals, SOLVER.tolerance, snapshot.ending, Some(&failure));
        return vec![figure];
    }
    let classified = snapshot.classified(spec);
    let mut figures =
        vec![weights(spec, snapshot, classified.as_ref()), predictions(snapshot, classified.as_ref())];
    figures.extend(ClassifiedTable::figures(classified.as_ref()));
    if let Some(solution) = snapshot.solution.as_ref().filter(|_| spec.is_tuned()) {
        figures.push(evidence(snapshot, solution));
    }
    let effects = snapshot.effects();
    if !effects.is_empty() {
        let mut figure = effects_figure(&effects, "log loss in nats", None);
        figure.caption += spec.class_weights.on_unchanged();
        figures.push(figure);
    } else if let Some(missing) = snapshot.no_effects(spec) {
        explain_no_effects(&mut figures, missing);
    }
    figures
}

/// Returns the mean weights with their standard deviations, by size. Constant columns come last, with weight 0.
fn weights(spec: &TableSpec, snapshot: &TableSnapshot, classified: Option<&ClassifiedTable<'_>>) -> Figure {
    let unit = (0.0, 1.0);
    let base = empty_figure("weights", "Weights", Axis::linear(COLUMN, unit), Axis::linear(WEIGHT, unit));
    let (Some(solution), Some(classified)) = (snapshot.shown(), classified) else { return base };
    let table = &solution.table;
    let order = order(&solution.weights.iter().map(|weight| -weight.abs()).collect::<Vec<_>>());
    let names: Vec<String> = order.iter().map(|i| &table.names[*i]).chain(&table.constant).cloned().collect();
    let bars = order.iter().map(|i| (solution.weights[*i], Some(solution.weight_sd[*i])));
    let bars: Vec<Bar> = bars
        .chain(table.constant.iter().map(|_| (0.0, None)))
        .zip(1..)
        .map(|((weight, sd), rank)| {
            let bar = Bar::new(f64::from(rank), weight);
            if let Some(sd) = sd { bar.with_se(sd) } else { bar }
        })
        .collect();
    let reach = |sign: f64| {
        let ends = bars.iter().map(|bar| sign * bar.value + bar.se.unwrap_or(0.0));
        1.1 * sign * ends.fold(1e-3, f64::max)
    };
    let range = (reach(-1.0), reach(1.0));
    let (branches, over) = if spec.hidden == 1 {
        ("", "the columns")
    } else {
        (", in branches of equal numbers of columns", "the columns of a branch")
    };
    let error_bars = if solution.per_row {
        "posterior standard deviation of each weight. Each row has its own cavity variance λ.".to_owned()
    } else {
        format!(
            "posterior standard deviation √λ, where λ is the mean variance over {over}; single weights of correlated columns are less \
             certain. All rows have the same cavity variance λ."
        )
    };
    let is_fitted = spec.is_tuned() && snapshot.solution.is_some() && snapshot.kept() == Kept::Fitted;
    let fitted = if is_fitted { format!(" {}", largest_evidence(solution)) } else { String::new() };
    let caption = format!(
        "Mean weights of the {} learnt from {}{branches}, by size. A positive weight makes {} = {} more likely as the column \
         grows. Error bars: {error_bars}{}{fitted}{}{}",
        spec.machine(),
        counted(table.labels.len(), "row"),
        table.label,
        table.classes[1],
        classified.details(),
        snapshot.gain(spec),
        table.remarks(),
    );
    let weight = format!("mean weight ± 1 sd (positive: towards {})", table.classes[1]);
    let largest = order.first().map_or("", |i| &table.names[*i]);
    let largest_two = largest_weights(&order, &table.names);
    let summary =
        format!("Mean weights of {}; the largest is that of {largest}.", counted(names.len(), "column"));
    base.x(Axis::categories(COLUMN, names))
        .y(Axis::linear(weight, range))
        .finding(finding(solution, classified) + &largest_two)
        .caption(caption)
        .summary(summary)
        .mark(Bars::new("weight", "", Hue::Blue, 0.7, bars))
}

/// Returns a sentence, preceded by a blank, with the two columns of the largest weights; empty if there are only two. `order` are the columns by weight.
fn largest_weights(order: &[usize], names: &[String]) -> String {
    match order {
        [first, second, _, ..] => format!(" Largest weights: {}, {}.", names[*first], names[*second]),
        _ => String::new(),
    }
}

/// Returns the first part of the headline: the error on test rows and, unless it is optimistic, the leave-one-out estimate, which needs no test rows.
fn finding(solution: &TableSolution, classified: &ClassifiedTable<'_>) -> String {
    let finding = classified.finding();
    let rows = solution.table.labels.len();
    let [_, errors] = error_counts(solution, classified);
    let has_estimate = classified.evaluated() == EvaluationRows::Test
        && !classified.is_optimistic
        && !well_over_half(errors, rows);
    if !has_estimate || classified.weights.is_balanced() {
        return finding;
    }
    format!(
        "{finding} Estimate from the training rows alone (leave-one-out): {}.",
        percent(errors / rows as f64)
    )
}

/// Returns the figure of the predictions that the headline counts, and of those of rows without a label.
fn predictions(snapshot: &TableSnapshot, classified: Option<&ClassifiedTable<'_>>) -> Figure {
    let unit = (0.0, 1.0);
    let y = Axis::linear("probability", unit);
    let base = empty_figure("predictions", "Predictions", Axis::linear("rows", unit), y);
    let (Some(solution), Some(classified)) = (snapshot.shown(), classified) else { return base };
    let errors = errors(solution, classified);
    let warning = if !well_over_half(solution.loo_errors, solution.table.labels.len()) {
        ""
    } else if solution.per_row {
        NO_INFORMATION
    } else {
        " Well over half misclassified means that the columns are correlated with each other, for which this estimate is not valid, \
          or that they carry no information. Choose cavity variances for each row."
    };
    let (figure, how) = classified.ranked_as_evaluated(base, |label, row| label * (row.p - 0.5) < 0.0);
    let (shown, training) = how.shown();
    let caption = format!(
        "Prediction of each {shown}; misclassified rows are circled. {RANKED}{training} {errors}{warning}{}",
        classified.weights.on_predictions()
    );
    figure.caption(caption).summary(errors)
}

/// Describes the errors on test rows, in leave-one-out and in training, and the predictions of rows without a label.
fn errors(solution: &TableSolution, classified: &ClassifiedTable<'_>) -> String {
    let TableSolution { table, train_errors, .. } = solution;
    let Some(rows) = &classified.rows else { return String::new() };
    let [test_errors, loo_errors] = error_counts(solution, classified);
    let tested = match rows.test.len() {
        0 => String::new(),
        rows => {
            let rows = counted(rows, "test row");
            format!("Of {rows}, {test_errors} {} misclassified. ", is_are(test_errors))
        }
    };
    let trained = if classified.weights.is_balanced() {
        String::new()
    } else {
        format!(" In training {train_errors} {}.", is_are(*train_errors))
    };
    let unlabelled = match rows.unlabelled.len() {
        0 => String::new(),
        count => {
            let plus = rows.unlabelled.iter().filter(|row| row.p > 0.5).count();
            let (rows, verb, class) = (counted(count, "row"), is_are(plus as f64), table.class(1.0));
            format!(" Of {rows} without a label, {plus} {verb} predicted {class}.")
        }
    };
    let rows = counted(table.labels.len(), "row");
    format!(
        "{tested}In leave-one-out {loo_errors} of {rows} {} misclassified.{trained}{unlabelled}",
        is_are(loo_errors),
    )
}

/// Returns the numbers of misclassified test rows and of rows misclassified in leave-one-out; ties count half, unless class weights are
/// balanced.
pub(super) fn error_counts(solution: &TableSolution, classified: &ClassifiedTable<'_>) -> [f64; 2] {
    if classified.weights.is_balanced() {
        classified.errors().map(|count| count as f64)
    } else {
        [solution.test_errors, solution.loo_errors]
    }
}

/// Returns the log evidence of each β that was tried.
fn evidence(snapshot: &TableSnapshot, solution: &TableSolution) -> Figure {
    let finite = snapshot.path.iter().filter(|(beta, _)| beta.is_finite());
    let points: Vec<Point> = finite.map(|(beta, value)| Point::new(*beta, *value)).collect();
    let end = points.last().map_or(1.0, |point| point.x.max(1.0));
    let sentence = format!(
        "The log evidence of {} values of β is largest, {}, at β = {}.",
        snapshot.path.len(),
        minus(format_args!("{:.2}", solution.ln_evidence)),
        beta_text(solution.beta)
    );
    let warning = snapshot.warning().map_or(String::new(), |warning| format!(" Warning: {warning}."));
    let caption = format!(
        "Log evidence over label reliability β: the larger, the more probable the labels. {sentence}{warning}{}",
        snapshot.comparison().sentences("evidence")
    );
    let chosen = points.iter().find(|point| point.x == solution.beta).copied();
    Figure::new("fit", "The fit of β")
        .x(Axis::linear("label reliability, β", (0.0, 1.02 * end)))
        .y(Axis::around("log evidence", points.iter().map(|point| point.y)))
        .caption(caption)
        .summary(sentence)
        .marks([
            Curve::new("evidence", "log evidence", Hue::Blue)
                .stroke(Stroke::Solid)
                .marker(Marker::Disc)
                .points(points),
            Curve::new("chosen", "chosen β", Hue::Orange).marker(Marker::Circle).points(chosen),
        ])
}

fn largest_evidence(solution: &TableSolution) -> String {
    let evidence = minus(format_args!("{:.2}", solution.ln_evidence));
    format!("The log evidence is largest, {evidence}, at β\u{a0}=\u{a0}{}.", beta_text(solution.beta))
}

fn is_are(count: f64) -> &'static str {
    if count == 1.0 { "is" } else { "are" }
}
