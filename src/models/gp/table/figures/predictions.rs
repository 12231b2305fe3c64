//! What is said of every row, and how often that is wrong.

use super::{class, empty, point, share, solved};
use crate::data::TableSummary;
use crate::figure::{Axis, Curve, Figure, Hue, Marker, Stroke};
use crate::lab::{NO_INFORMATION, PredictedRows, RANKED, table_headline, well_over_half};
use crate::math::decimal;
use crate::models::gp::table::{FitBy, Main, OwnSnapshot, OwnSpec, Prediction, Scores, Solved};

/// The probability of +1 of every row: of training rows as if they had not been seen. Its table has mean and standard
/// deviation of the fields, too.
pub fn predictions(spec: &OwnSpec, snapshot: &OwnSnapshot) -> Figure {
    let base = base();
    let Some((main, solved)) = solved(snapshot) else { return base };
    let table = &main.table;
    let said: Vec<&Prediction> = solved.left_out.iter().chain(&solved.test).collect();
    let p = |rows: &[Prediction]| rows.iter().map(|said| said.p).collect();
    let rows = PredictedRows {
        table,
        left_out: p(&solved.left_out),
        test: p(&solved.test),
        unlabelled: p(&solved.asked),
    };
    let field = |(rank, said): (usize, &Prediction)| point(rank as f64, said.mean).with_se(said.var.sqrt());
    let fields = rows.ranks().into_iter().zip(said.iter().copied().chain(&solved.asked)).map(field);
    let plus = class(main, 1.0);
    let sentence = sentence(spec, snapshot, main, solved);
    let unseen = if solved.test.is_empty() { "" } else { ", and of the test rows (diamonds and triangles)" };
    let silent = if says_nothing(solved) {
        " All leave-one-out means are close to 0: σ² is so small that no row carries information about another."
    } else if main
        .attempt
        .scores
        .as_ref()
        .is_some_and(|s| well_over_half(s.loo_errors as f64, table.labels.len()))
    {
        NO_INFORMATION
    } else {
        ""
    };
    let taken = taken(spec, main);
    let caption = format!(
        "{sentence} Shown: the probability of {plus} of every training row, predicted from the others{unseen}; misclassified \
         rows are circled. {RANKED}{silent}{taken}"
    );
    let field = "latent mean ± sd";
    let headline =
        |scores: &Scores| table_headline(&main.table, scores.test_errors as f64, scores.loo_errors as f64);
    rows.figure(base, |i, label, _| said[i].misses(label))
        .finding(main.attempt.scores.as_ref().map_or_else(String::new, headline))
        .caption(caption)
        .summary(sentence)
        .with_records()
        .mark(Curve::new("field", field, Hue::Ink).marker(Marker::Disc).points(fields).hidden())
}

pub(super) fn base() -> Figure {
    let y = Axis::linear("probability", (-0.02, 1.02));
    empty("predictions", "Predictions", Axis::linear("rows", (0.0, 1.0)), y)
}

/// The result in a sentence or two.
fn sentence(spec: &OwnSpec, snapshot: &OwnSnapshot, main: &Main, solved: &Solved) -> String {
    let name = spec.method.title();
    let Some(scores) = &main.attempt.scores else { return super::NOT_YET.to_owned() };
    let words = misclassified(&name, &main.table, scores.test_errors, scores.loo_errors);
    let exact = snapshot.exact_errors().map_or(String::new(), |(known, wrong)| {
        format!(" By retraining without each row it misclassifies {}.", share(wrong, known))
    });
    let fitted = optimistic(spec, !solved.test.is_empty());
    let asked = if solved.asked.is_empty() {
        String::new()
    } else {
        format!(" Of {} rows without a label {}.", solved.asked.len(), called(main, &solved.asked))
    };
    words + &exact + &fitted + &asked
}

/// How many rows are got wrong.
pub(super) fn misclassified(
    name: &str,
    table: &TableSummary,
    test_errors: usize,
    loo_errors: usize,
) -> String {
    let left_out = share(loo_errors, table.labels.len());
    let rows = "training rows in leave-one-out";
    match table.test_labels.len() {
        0 => format!("{name} misclassifies {left_out} {rows}."),
        tests => {
            format!("{name} misclassifies {} test rows, and {left_out} {rows}.", share(test_errors, tests))
        }
    }
}

/// That no way of leaving a row out undoes what it did to the settings, where they were fitted.
pub(super) fn optimistic(spec: &OwnSpec, tested: bool) -> String {
    match (spec.fit, spec.fit_ard) {
        (FitBy::Nothing, _) => String::new(),
        (_, ard) => format!(
            " But σ², v{} κ{} were fitted on all training rows, so this is optimistic{}.",
            if ard { "," } else { " and" },
            if ard { " and the relevances" } else { "" },
            if tested { "; the test error is not" } else { "" }
        ),
    }
}

/// What was decided where nothing was said: which word is +1, and which columns are no inputs.
fn taken(spec: &OwnSpec, main: &Main) -> String {
    let table = &main.table;
    let is_word = |class: &String| decimal(class).is_none();
    let plus = if spec.positive.is_empty() && table.classes.iter().any(is_word) {
        format!(" +1 is {}; choose the other with “Positive value”.", class(main, 1.0))
    } else {
        String::new()
    };
    plus + &table.remarks()
}

/// How many of the rows are called what.
fn called(main: &Main, rows: &[Prediction]) -> String {
    let of = |sign: f64| rows.iter().filter(|said| said.mean * sign > 0.0).count();
    let (plus, minus) = (of(1.0), of(-1.0));
    let neither = match rows.len() - plus - minus {
        0 => String::new(),
        even => format!(", and {even} neither"),
    };
    format!("{plus} are predicted {} and {minus} {}{neither}", class(main, 1.0), class(main, -1.0))
}

/// The probability of +1 of every row of the second file, which is `name`.
pub fn second(name: &str, snapshot: &OwnSnapshot) -> Figure {
    let base = second_base(name);
    let Some((main, solved)) = solved(snapshot) else { return base };
    let rows = || main.table.second_lines.iter().map(|line| *line as f64).zip(&solved.second);
    let plus = class(main, 1.0);
    let probability = format!("probability of {plus}");
    let sentence = format!("Of {} rows of {name} {}.", solved.second.len(), called(main, &solved.second));
    let field = |(line, said): (f64, &Prediction)| point(line, said.mean).with_se(said.var.sqrt());
    let caption = format!(
        "{sentence} Shown: the probability of {plus} of every row in the order of the file, noise and flips included. “Data” has mean and standard \
             deviation of the latent field, too."
    );
    let x = second_axis(name, &main.table.second_lines);
    let [first, last] = [x.range.0, x.range.1];
    base.x(x).y(Axis::linear(probability.as_str(), (-0.02, 1.02))).caption(caption).summary(sentence).marks([
        Curve::new("even", "even odds", Hue::Ink)
            .stroke(Stroke::Dotted)
            .points([first, last].map(|x| point(x, 0.5))),
        Curve::new("p", probability, Hue::Purple)
            .marker(Marker::Diamond)
            .points(rows().map(|(line, said)| point(line, said.p))),
        Curve::new("field", "latent mean ± sd", Hue::Ink)
            .marker(Marker::Disc)
            .points(rows().map(field))
            .hidden(),
    ])
}

pub(super) fn second_base(name: &str) -> Figure {
    let y = Axis::linear("probability", (-0.02, 1.02));
    empty("predicted", "Rows to predict", Axis::linear(format!("row of {name}"), (0.0, 1.0)), y)
}

/// The rows of the second file in their order.
pub(super) fn second_axis(name: &str, lines: &[usize]) -> Axis {
    let (first, last) =
        (lines.first().copied().unwrap_or(1) as f64, lines.last().copied().unwrap_or(1) as f64);
    let edge = (0.02 * (last - first)).max(0.5);
    Axis::linear(format!("row of {name}"), (first - edge, last + edge))
}

/// Whether no row says anything about another: their fields are rounding, or nearly so.
fn says_nothing(solved: &Solved) -> bool {
    solved.left_out.iter().all(|said| said.mean.abs() < 1e-3 * said.var.sqrt())
}
