//! Predictions of every row.

use crate::data::TableSummary;
use crate::figure::{Axis, Curve, Figure, Hue, Marker, Point, Stroke};
use crate::lab::labelled_table::{
    ClassifiedTable, Fold, Headline, HeldOutComparison, Kept, NO_INFORMATION, RANKED, TwoClassPrediction,
    describe_gain, empty_figure, well_over_half,
};
use crate::math::decimal;
use crate::models::gp::inducing_points::PRELIMINARY_MARK;
use crate::models::gp::table::comparison::approximation;
use crate::models::gp::table::{
    Classifier, ClassifierSnapshot, FitBy, HyperparameterValues, TableSolution, TableSpec,
};

use super::share;

/// Range of probabilities on an axis, with room for the signs.
pub(super) const PROBABILITIES: (f64, f64) = (-0.02, 1.02);

/// Returns the figure of the probability of +1 of every row of the file, with the predictions that the headline counts.
pub fn predictions(
    spec: &TableSpec,
    snapshot: &ClassifierSnapshot,
    folds: &[Fold<HyperparameterValues>],
    classified: Option<&ClassifiedTable<'_>>,
) -> Figure {
    let base = base();
    let (Some((main, solution)), Some(classified)) = (snapshot.solved(), classified) else { return base };
    let Some(scores) = main.solve.scores else { return base };
    let table = &main.table;
    let plus = table.class(1.0);
    let sentence = sentence(spec, snapshot, main, classified);
    let (figure, how) =
        classified.ranked_as_evaluated(base, |label, row| classified.side(row) * label <= 0.0);
    let (shown, training) = how.shown();
    let warning = if is_uninformative(solution) {
        " All leave-one-out means are close to 0: σ² is so small that no row carries information about another."
    } else if well_over_half(scores.loo_errors as f64, table.labels.len()) {
        NO_INFORMATION
    } else {
        ""
    };
    let before = snapshot.before_fit(spec, folds).and_then(|before| before.headline());
    let gain = classified
        .headline()
        .map_or(String::new(), |after| gain(spec, &snapshot.comparison, before.as_ref(), &after));
    // Not in the finding, which would grow when the fit ends.
    let caption = format!(
        "{sentence}{}{gain} Shown: the probability of {plus} for each {shown}; misclassified rows are circled. \
         {RANKED}{training}{warning}{}{}{}{}",
        classified.details(),
        spec.class_weights.on_predictions(),
        approximation(main),
        default_positive(spec, table),
        table.remarks()
    );
    figure
        .finding(classified.finding() + if main.is_preliminary() { PRELIMINARY_MARK } else { "" })
        .caption(caption)
        .summary(sentence)
}

/// Returns the figure of predictions without any.
pub(super) fn base() -> Figure {
    let y = Axis::linear("probability", PROBABILITIES);
    empty_figure("predictions", "Predictions", Axis::linear("rows", (0.0, 1.0)), y)
}

/// Summarises the errors, and the predictions of rows without a label.
fn sentence(
    spec: &TableSpec,
    snapshot: &ClassifierSnapshot,
    main: &Classifier,
    classified: &ClassifiedTable<'_>,
) -> String {
    let Some(predictions) = &classified.rows else { return String::new() };
    let errors = misclassified(&spec.method.title(), &main.table, classified.errors());
    let exact = snapshot.retrained_errors(spec.class_weights).map_or(String::new(), |(rows, errors)| {
        format!(" By retraining without each row it misclassifies {}.", share(errors, rows))
    });
    let tested = !predictions.test.is_empty();
    let optimistic = optimistic(snapshot.is_fitted().then(|| snapshot.kept()), spec.fit_ard, tested);
    let unlabelled = match predictions.unlabelled.len() {
        0 => String::new(),
        rows => {
            format!(" Of {rows} rows without a label {}.", class_counts(classified, &predictions.unlabelled))
        }
    };
    errors + &exact + &optimistic + &unlabelled
}

/// Compares the log loss at the given settings with that at fitted ones, and names the settings that are kept.
fn gain(
    spec: &TableSpec,
    comparison: &HeldOutComparison,
    before: Option<&Headline>,
    after: &Headline,
) -> String {
    let criterion = criterion(spec);
    let kept = comparison.sentences(criterion);
    if comparison.kept == Kept::Given { kept } else { describe_gain(criterion, before, after) + &kept }
}

/// Returns the name of the criterion of the fit.
pub(super) fn criterion(spec: &TableSpec) -> &'static str {
    if spec.fit == FitBy::Evidence { "evidence" } else { "leave-one-out probability" }
}

/// Describes the numbers of errors in the test rows and in leave-one-out.
pub(super) fn misclassified(
    method: &str,
    table: &TableSummary,
    [test_errors, loo_errors]: [usize; 2],
) -> String {
    let left_out = format!("{} training rows in leave-one-out", share(loo_errors, table.labels.len()));
    match table.test_labels.len() {
        0 => format!("{method} misclassifies {left_out}."),
        tests => format!("{method} misclassifies {} test rows, and {left_out}.", share(test_errors, tests)),
    }
}

/// Warns that leave-one-out is optimistic if settings that were fitted to all training rows are `kept`.
pub(super) fn optimistic(kept: Option<Kept>, relevances: bool, tested: bool) -> String {
    let Some(kept) = kept.filter(|kept| *kept != Kept::Given) else { return String::new() };
    let settings = if relevances && kept == Kept::Fitted {
        "the smoothness, the noise level and the weight of each column"
    } else {
        "the smoothness and the noise level"
    };
    let but = if tested { "; the test error is not" } else { "" };
    format!(
        " Because {settings} were tuned on all training rows, the leave-one-out error is optimistic{but}."
    )
}

/// Names class +1 if it is the default and the classes are not numbers, which have an order.
fn default_positive(spec: &TableSpec, table: &TableSummary) -> String {
    let is_word = |class: &String| decimal(class).is_none();
    if spec.positive.is_empty() && table.classes.iter().any(is_word) {
        format!(" +1 is {}; choose the other with “Positive value”.", table.class(1.0))
    } else {
        String::new()
    }
}

/// Describes the numbers of rows predicted to be of each class.
fn class_counts(classified: &ClassifiedTable<'_>, rows: &[TwoClassPrediction]) -> String {
    let of = |sign: f64| rows.iter().filter(|row| classified.side(row) * sign > 0.0).count();
    let (plus, minus) = (of(1.0), of(-1.0));
    let neither = match rows.len() - plus - minus {
        0 => String::new(),
        even => format!("; {even} undecided (too far from the training rows)"),
    };
    let table = classified.table;
    format!("{plus} are predicted {} and {minus} {}{neither}", table.class(1.0), table.class(-1.0))
}

/// Returns the figure of the probability of +1 of every row of the second file, which is called `name`.
pub fn second_file(name: &str, classified: Option<&ClassifiedTable<'_>>) -> Figure {
    let base = second_base(name);
    let solved = classified.and_then(|classified| Some((classified, &classified.rows.as_ref()?.second)));
    let Some((classified, second)) = solved else { return base };
    let table = classified.table;
    let lines = &table.second_lines;
    let rows = || lines.iter().map(|line| *line as f64).zip(second);
    let plus = table.class(1.0);
    let probability = format!("probability of {plus}");
    let labelled = || second.iter().zip(&table.second_labels).filter(|(_, label)| **label != 0.0);
    let checked = match labelled().count() {
        0 => String::new(),
        rows => {
            let errors = labelled().filter(|(row, label)| classified.side(row) * **label <= 0.0).count();
            format!(" Of those with a label, {} are misclassified.", share(errors, rows))
        }
    };
    let counts = class_counts(classified, second);
    let sentence = format!("Of {} rows in {name}, {counts}.{checked}", second.len());
    let caption = format!(
        "{sentence} Shown: the probability of {plus} of every row in the order of the file, noise and flips included. Its CSV file \
         has all predictions.{}",
        classified.weights.on_predictions()
    );
    let x = second_axis(name, lines);
    let ends = [x.range.0, x.range.1];
    let latent = rows().filter_map(|(line, row)| {
        let (mean, var) = row.latent?;
        Some(Point::new(line, mean).with_se(var.sqrt()))
    });
    let latent: Vec<Point> = latent.collect();
    base.x(x)
        .y(Axis::linear(probability.as_str(), PROBABILITIES))
        .caption(caption)
        .summary(sentence)
        .with_records()
        .marks([
            Curve::new("even", "even odds", Hue::Ink)
                .stroke(Stroke::Dotted)
                .points(ends.map(|x| Point::new(x, 0.5))),
            Curve::new("p", probability, Hue::Purple)
                .marker(Marker::Diamond)
                .points(rows().map(|(line, row)| Point::new(line, row.p))),
            Curve::new("field", "latent mean ± sd", Hue::Ink).marker(Marker::Disc).points(latent).hidden(),
        ])
}

/// Returns the figure of the rows of the second file without any.
pub(super) fn second_base(name: &str) -> Figure {
    let x = Axis::linear(format!("row of {name}"), (0.0, 1.0));
    empty_figure("predicted", "Rows to predict", x, Axis::linear("probability", PROBABILITIES))
}

/// Returns the axis of the rows of the second file in their order.
pub(super) fn second_axis(name: &str, lines: &[usize]) -> Axis {
    let (first, last) =
        (lines.first().copied().unwrap_or(1) as f64, lines.last().copied().unwrap_or(1) as f64);
    let edge = (0.02 * (last - first)).max(0.5);
    Axis::linear(format!("row of {name}"), (first - edge, last + edge))
}

/// Returns true if no row carries information about another: the leave-one-out means are 0 but for rounding, or nearly so.
fn is_uninformative(solution: &TableSolution) -> bool {
    solution.predictions.left_out.iter().all(|row| row.mean.abs() < 1e-3 * row.var.sqrt())
}
