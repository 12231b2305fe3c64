//! Weights by column, leave-one-out predictions by row, and whether these can be believed.

use super::{FitBy, OwnSnapshot, OwnSolution, OwnSpec, SOLVER};
use crate::figure::{Axis, Bar, Bars, Curve, Figure, Hue, Marker, Point, Stroke, minus};
use crate::lab::{
    Confusion, Judged, NO_INFORMATION, PredictedRows, RANKED, confusion_figure, reliability_figure,
    roc_figure, scores_figure, table_headline, well_over_half,
};
use crate::models::feedforward::residual;

/// The figures; before there is a solution only their axes, and after a failure how the solve went.
pub fn figures(spec: &OwnSpec, snapshot: &OwnSnapshot) -> Vec<Figure> {
    let unit = (0.0, 1.0);
    let axes = [
        axes("weights", WEIGHTS, Axis::linear(COLUMN, unit), Axis::linear(WEIGHT, unit)),
        axes("predictions", LEFT_OUT, Axis::linear(ROW, unit), Axis::linear("probability, left out", unit)),
        axes(
            "scores",
            "Scores and baselines",
            Axis::linear("predictor", unit),
            Axis::linear("score, smaller is better", unit),
        ),
        axes(
            "confusion",
            "Confusion matrix",
            Axis::linear("predicted class", (0.5, 2.5)),
            Axis::linear("true class", (0.5, 2.5)),
        ),
        axes(
            "roc",
            "ROC curve",
            Axis::linear("false-positive rate", unit),
            Axis::linear("true-positive rate", unit),
        ),
        axes("reliability", RELIABILITY, Axis::linear(PREDICTED, unit), Axis::linear(OBSERVED, unit)),
    ];
    if let Some(why) = snapshot.failure(spec) {
        return vec![residual::figure(&snapshot.residuals, SOLVER.tolerance, snapshot.ending, Some(&why))];
    }
    let Some(solved) = &snapshot.solved else { return axes.into() };
    let [base, left, scored, confused, ranked, reliable] = axes;
    let judged = judged(spec, snapshot, solved);
    let fitted = (spec.fit != FitBy::Nothing).then(|| evidence(snapshot, solved));
    let figures = [
        weights(spec, solved, base),
        left_out(solved, left),
        scores_figure(scored, &judged.iter().map(Judged::scored).collect::<Vec<_>>()),
        confusion(spec, solved, confused),
        roc_figure(
            ranked,
            &solved.table.class(1.0),
            judged.split_last().map_or(&[], |(_, rest)| rest),
            spec.threshold,
        ),
        reliability(solved, reliable),
    ];
    figures.into_iter().chain(fitted).collect()
}

/// A figure with nothing in it yet.
fn axes(id: &str, title: &str, x: Axis, y: Axis) -> Figure {
    Figure::new(id, title).x(x).y(y).caption("There is no solution yet.").summary("There is no solution yet.")
}

const WEIGHTS: &str = "Weights";
const COLUMN: &str = "column, largest weight first";
const WEIGHT: &str = "mean weight, ⟨w⟩";
const LEFT_OUT: &str = "Leave-one-out predictions";
const ROW: &str = "rows";
const RELIABILITY: &str = "Reliability";
const PREDICTED: &str = "predicted probability, p";
const OBSERVED: &str = "observed frequency";

fn weights(spec: &OwnSpec, solved: &OwnSolution, base: Figure) -> Figure {
    let order = &solved.order;
    let bars = order
        .iter()
        .enumerate()
        .map(|(rank, i)| Bar::new(rank as f64 + 1.0, solved.weights[*i]).with_se(solved.sd[*i]));
    let ends = bars.clone().map(|bar| bar.value.abs() + bar.se.unwrap_or(0.0));
    let end = 1.05 * ends.fold(1e-3, f64::max);
    let heaviest = order.first().map_or("", |i| &solved.table.names[*i]);
    let branches = if spec.hidden == 1 { "" } else { ", in branches of equal numbers of columns" };
    let names: Vec<String> = order.iter().map(|i| solved.table.names[*i].clone()).collect();
    let rows = counted(solved.table.labels.len(), "row");
    let remarks = solved.table.remarks();
    // Columns without anything to say have their place in the table of weights, too.
    let silent = solved.table.constant.iter();
    let bars =
        bars.chain(silent.clone().enumerate().map(|(i, _)| Bar::new((order.len() + i) as f64 + 1.0, 0.0)));
    let names: Vec<String> = names.into_iter().chain(silent.cloned()).collect();
    let over = if spec.hidden == 1 { "the columns" } else { "the columns of a branch" };
    let bar = if solved.own {
        "posterior standard deviation of each weight. Each row has its own cavity variance λ.".to_owned()
    } else {
        format!(
            "posterior standard deviation √λ, where λ is the mean variance over {over}; single weights of correlated columns are less \
             certain. All rows have the same cavity variance λ."
        )
    };
    let beta = noise(solved, spec);
    let (count, machine) = (names.len(), if spec.hidden == 1 { "perceptron" } else { "committee" });
    let caption = format!(
        "Mean weights of the {machine} learnt from {rows}{branches}, by size. A positive weight makes {} = {} more likely as the \
         column grows. Error bars: {bar}{beta}{remarks}",
        solved.table.label, solved.table.classes[1],
    );
    base.x(Axis::categories(COLUMN, names))
        .y(Axis::linear(WEIGHT, (-end, end)))
        .finding(table_headline(&solved.table, solved.test_errors, solved.loo_errors))
        .caption(caption)
        .summary(format!("Mean weights of {}; the largest is that of {heaviest}.", counted(count, "column")))
        .mark(Bars::new("weight", "", Hue::Blue, 0.7, bars))
}

fn left_out(solved: &OwnSolution, base: Figure) -> Figure {
    let errors = tested(solved) + &errors(solved) + &unlabelled(solved);
    let well_over_half = well_over_half(solved.loo_errors, solved.table.labels.len());
    let warning = if well_over_half && solved.own {
        NO_INFORMATION
    } else if well_over_half {
        " Well over half misclassified means that the columns are correlated with each other, for which this estimate is not valid, \
          or that they carry no information. Choose cavity variances for each row."
    } else {
        ""
    };
    let caption = format!(
        "Leave-one-out prediction of each row, from its cavity field. Circles: misclassified rows. {RANKED} {errors}{warning}"
    );
    let rows = PredictedRows {
        table: &solved.table,
        left_out: solved.predictions.clone(),
        test: solved.test.clone(),
        unlabelled: solved.unlabelled.clone(),
    };
    rows.figure(base, |_, label, p| label * (p - 0.5) < 0.0).caption(caption).summary(errors).with_records()
}

/// The confusion matrices of test rows and of training rows left out.
fn confusion(spec: &OwnSpec, solved: &OwnSolution, base: Figure) -> Figure {
    let counts = |labels: &[f64], p: &[f64]| {
        Confusion::at(spec.threshold, labels.iter().copied().zip(p.iter().copied()))
    };
    let table = &solved.table;
    let mut sources = vec![("left_out", "Leave-one-out", counts(&table.labels, &solved.predictions))];
    if !solved.test.is_empty() {
        sources.insert(0, ("test", "Test rows", counts(&table.test_labels, &solved.test)));
    }
    let [minus, plus] = table.classes.clone();
    confusion_figure(base, &table.label, &[plus, minus], &sources)
}

/// The student's predictions of test rows and of training rows left out, then those of what it is compared with; last, the frequencies
/// of the classes, which rank no row above another.
fn judged(spec: &OwnSpec, snapshot: &OwnSnapshot, solved: &OwnSolution) -> Vec<Judged> {
    let table = &solved.table;
    let name = if spec.hidden == 1 { "perceptron" } else { "committee" };
    let mut judged = Vec::new();
    if !solved.test.is_empty() {
        let p = solved.test.iter().copied();
        judged.push(Judged::new("test", format!("{name}, test rows"), p, &table.test_labels));
    }
    let p = solved.predictions.iter().copied();
    judged.push(Judged::new("left_out", format!("{name}, leave-one-out"), p, &table.labels));
    if let Some(cross) = snapshot.cross_validated() {
        judged.push(Judged::new(
            "folds",
            format!("{name}, {} folds", spec.folds),
            cross.into_iter(),
            &table.labels,
        ));
    }
    judged.extend(Judged::baselines(table, snapshot.baseline.as_ref()));
    judged
}

/// How many rows are misclassified, left out and in training.
fn errors(solved: &OwnSolution) -> String {
    format!(
        "In leave-one-out {} of {} {} misclassified. In training {} {}.",
        solved.loo_errors,
        counted(solved.table.labels.len(), "row"),
        be(solved.loo_errors),
        solved.train_errors,
        be(solved.train_errors),
    )
}

/// Predictions of the test rows, which come first where there are any.
fn tested(solved: &OwnSolution) -> String {
    match solved.test.len() {
        0 => String::new(),
        rows => format!(
            "Of {}, {} {} misclassified. ",
            counted(rows, "test row"),
            solved.test_errors,
            be(solved.test_errors)
        ),
    }
}

/// Predictions of the rows without a label.
fn unlabelled(solved: &OwnSolution) -> String {
    match solved.unlabelled.len() {
        0 => String::new(),
        rows => {
            let plus = solved.unlabelled.iter().filter(|p| **p > 0.5).count();
            format!(
                " Of {} without a label, {plus} {} predicted {}.",
                counted(rows, "row"),
                be(plus as f64),
                solved.table.class(1.0)
            )
        }
    }
}

/// The β of the solution, where it was chosen.
fn noise(solved: &OwnSolution, spec: &OwnSpec) -> String {
    if spec.fit == FitBy::Nothing {
        return String::new();
    }
    format!(
        " The log evidence is largest, {}, at β\u{a0}=\u{a0}{}.",
        minus(format_args!("{:.2}", solved.ln_evidence)),
        written(solved.beta)
    )
}

/// β, or ∞.
pub fn written(beta: f64) -> String {
    if beta.is_infinite() { "∞".into() } else { beta.to_string() }
}

/// Log evidence of each β that was tried.
fn evidence(snapshot: &OwnSnapshot, solved: &OwnSolution) -> Figure {
    let finite: Vec<(f64, f64)> =
        snapshot.path.iter().copied().filter(|(beta, _)| beta.is_finite()).collect();
    let end = finite.last().map_or(1.0, |(beta, _)| beta.max(1.0));
    let sentence = format!(
        "The log evidence of {} values of β is largest, {}, at β = {}.",
        snapshot.path.len(),
        minus(format_args!("{:.2}", solved.ln_evidence)),
        written(solved.beta)
    );
    let edge = snapshot.warning().map_or(String::new(), |why| format!(" Take care: {why}."));
    let caption = format!(
        "Log evidence over label reliability β: the larger, the more probable are the labels. {sentence}{edge}"
    );
    let values = || finite.iter().map(|(beta, value)| Point::new(*beta, *value));
    let chosen = values().find(|point| point.x == solved.beta);
    Figure::new("fit", "The fit of β")
        .x(Axis::linear("label reliability, β", (0.0, 1.02 * end)))
        .y(Axis::around("log evidence", finite.iter().map(|(_, value)| *value)))
        .caption(caption)
        .summary(sentence)
        .marks([
            Curve::new("evidence", "log evidence", Hue::Blue)
                .stroke(Stroke::Solid)
                .marker(Marker::Disc)
                .points(values()),
            Curve::new("chosen", "chosen β", Hue::Orange).marker(Marker::Circle).points(chosen),
        ])
}

/// `1 row`, `2 rows`.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn be(count: f64) -> &'static str {
    if count == 1.0 { "is" } else { "are" }
}

fn reliability(solved: &OwnSolution, base: Figure) -> Figure {
    let table = &solved.table;
    let rows = |p: &[f64], labels: &[f64]| {
        p.iter().zip(labels).map(|(p, label)| (*p, *label > 0.0)).collect::<Vec<_>>()
    };
    let (left_out, test) = (rows(&solved.predictions, &table.labels), rows(&solved.test, &table.test_labels));
    reliability_figure(base, &table.class(1.0), &left_out, &test)
}
