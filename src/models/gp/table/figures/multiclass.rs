//! Figures of more than two classes.

use super::predictions::{self, PROBABILITIES, criterion, misclassified, optimistic};
use super::{effects, search, unchanged};
use crate::figure::{Axis, Curve, Dot, Figure, Hue, Mark, Marker, Point, Points};
use crate::lab::labelled_table::{
    EvaluationRows, Headline, Kept, RankedRow, RowPredictions, class_dependence_figures, describe_gain,
    empty_confusion, ranked_axis, ranked_figure, reliability_figure, scores_figure,
};
use crate::lab::{Confusion, Outcome, confusion_figure};
use crate::math::scores::ClassRow;
use crate::models::gp::table::dependence::BAND;
use crate::models::gp::table::multiclass::{MultiClass, errors, is_predicted, most_probable};
use crate::models::gp::table::status::classifier_status;
use crate::models::gp::table::{OneVsRest, TableSnapshot, TableSpec};

const ONE_VS_REST: &str = "Each class has a classifier of its own, which is trained on this class against all others; the \
                           probabilities of the classes are divided by their sum.";

/// Returns the figures of the combined predictions, without a solution only their axes, and the residuals of one classifier: the first
/// that has no solution, or the latest.
pub fn figures(spec: &TableSpec, snapshot: &TableSnapshot) -> Vec<Figure> {
    let classes = snapshot.classes.as_slice();
    let all = MultiClass::of(classes, spec);
    let before = MultiClass::before_fit(classes, spec);
    let mut figures = vec![every_row(spec, classes, all.as_ref(), before.as_ref())];
    if let Some(second) = &spec.predict {
        figures.push(second_file(&second.name, all.as_ref()));
    }
    let mut scores = all.as_ref().map_or_else(Vec::new, |all| all.scores(&spec.method.title()));
    let is_optimistic = all.as_ref().is_some_and(|all| all.is_optimistic(spec));
    scores.retain(|scored| scored.key != "left_out" || !is_optimistic);
    let mut evaluation =
        [scores_figure(&scores), confusion(spec, all.as_ref()), reliability(spec, all.as_ref())];
    if all.is_some() {
        let weights = spec.class_weights;
        let remarks = [weights.on_scores(), weights.on_predictions(), weights.on_unchanged()];
        evaluation.iter_mut().zip(remarks).for_each(|(figure, remark)| figure.caption += remark);
    }
    figures.extend(evaluation);
    figures.extend(effects(spec, snapshot));
    if let Some(all) = &all {
        let label = &all.table.label;
        let curves = class_dependence_figures(&snapshot.dependence, &all.names, label, BAND);
        figures.extend(unchanged(spec, curves));
    }
    let failed =
        |one: &&OneVsRest| classifier_status(spec, &one.classifier, false).outcome != Outcome::Converged;
    if let Some(one) = classes.iter().find(failed).or(classes.last()) {
        figures.push(search::residuals(spec, &one.classifier));
    }
    figures
}

/// Returns hidden curves of the probability of every class at the positions `x`: columns of the data table.
fn columns<'a>(
    all: &MultiClass<'_>,
    x: &[f64],
    rows: &(impl Iterator<Item = &'a Vec<f64>> + Clone),
) -> Vec<Mark> {
    let column = |(k, name): (usize, &String)| {
        let points = x.iter().zip(rows.clone()).map(|(x, p)| Point::new(*x, p[k]));
        let label = format!("probability of {} = {name}", all.table.label);
        Curve::new(format!("p{k}"), label, Hue::Ink).marker(Marker::Disc).points(points).hidden().into()
    };
    all.names.iter().enumerate().map(column).collect()
}

/// Returns the rows of the file, sorted by the probability of their class, lowest first; rows without a label come last, the least
/// certain first. Rows without a prediction are left out.
fn ranked_rows(all: &MultiClass<'_>, rows: &RowPredictions<Vec<f64>>) -> Vec<RankedRow> {
    let table = all.table;
    let lines = [&table.lines, &table.test_lines, &table.unlabelled_lines].into_iter().flatten();
    let classes: Vec<usize> = all.train_classes.iter().chain(&all.test_classes).copied().collect();
    let row = |(i, (p, line)): (usize, (&Vec<f64>, &usize))| {
        let most = most_probable(p);
        let predicted = format!("predicted {} ({:.2})", all.names[most], p[most]);
        let Some(class) = classes.get(i).copied() else {
            let label = format!("row {line}: {predicted}");
            let key = 2.0 + p[most];
            let series = "unlabelled";
            return RankedRow { key, p: p[most], label, series, misclassified: false, is_hidden: false };
        };
        let is_training = i < all.train_classes.len();
        RankedRow {
            key: p[class],
            p: p[class],
            label: format!("row {line}: {}, {predicted}", all.names[class]),
            series: if is_training { "train" } else { "test" },
            misclassified: most != class,
            is_hidden: is_training && !all.p.test.is_empty(),
        }
    };
    rows.first_file().zip(lines).enumerate().filter(|(_, (p, _))| is_predicted(p)).map(row).collect()
}

/// Returns the figure of the probability of the class of every row, with the predictions that the headline counts. `before` are the
/// classifiers before the fit.
fn every_row(
    spec: &TableSpec,
    classes: &[OneVsRest],
    all: Option<&MultiClass<'_>>,
    before: Option<&MultiClass<'_>>,
) -> Figure {
    let base = predictions::base();
    let Some(all) = all else { return base };
    let table = all.table;
    let counts = [errors(&all.test()), errors(&all.left_out())];
    let mut sentence = misclassified(&spec.method.title(), table, counts)
        + &optimistic(kept(classes).filter(|_| all.is_fitted()), spec.fit_ard, !all.p.test.is_empty());
    if !all.p.unlabelled.is_empty() {
        sentence += " ";
        sentence += &class_counts(all, "without a label", &all.p.unlabelled);
    }
    let (headline, before) = (all.headline(spec), before.map(|before| before.headline(spec)));
    let gain = gain(spec, classes, before.as_ref(), &headline);
    let (rows, how) = all.shown(spec);
    let (shown, training) = how.shown();
    let caption = format!(
        "{sentence}{}{gain} {ONE_VS_REST} Shown: the probability of the own class for each {shown}. Misclassified rows are circled. \
         Rows are sorted by that probability, lowest first; rows without a label come last.{training}{}{}",
        headline.details(),
        spec.class_weights.on_predictions(),
        table.remarks()
    );
    let tested = !all.p.test.is_empty();
    let train = match how {
        EvaluationRows::Folds(folds) => format!("training rows, {folds}-fold cross-validation"),
        EvaluationRows::Test | EvaluationRows::LeftOut => "training rows, leave-one-out".to_owned(),
    };
    let mut series = if tested {
        vec![
            ("test", "test rows".to_owned(), Hue::Blue, Marker::Disc),
            ("train", train, Hue::Sky, Marker::Diamond),
        ]
    } else {
        vec![("train", train, Hue::Blue, Marker::Disc)]
    };
    if !all.p.unlabelled.is_empty() {
        let label = "no label: the predicted class".to_owned();
        series.push(("unlabelled", label, Hue::Purple, Marker::Triangle));
    }
    let x = ranked_axis(tested, !all.p.unlabelled.is_empty());
    let (ranks, figure) =
        ranked_figure(base, x, &how.misclassified_label(), &ranked_rows(all, &rows), series);
    figure
        .y(Axis::linear(format!("probability of the row’s {}", table.label), PROBABILITIES))
        .finding(headline.sentence())
        .caption(caption)
        .summary(sentence)
        .marks(columns(all, &ranks, &rows.first_file().filter(|p| is_predicted(p))))
}

/// Returns the most flexible settings that are kept for any class.
fn kept(classes: &[OneVsRest]) -> Option<Kept> {
    classes.iter().map(|class| class.classifier.kept()).max()
}

/// Compares the log loss at the given settings with that at fitted ones, and counts the classes for which less than the fitted settings is
/// kept.
fn gain(spec: &TableSpec, classes: &[OneVsRest], before: Option<&Headline>, after: &Headline) -> String {
    let compared = || classes.iter().filter(|class| class.classifier.comparison.is_made());
    let count = |kept: Kept| compared().filter(|class| class.classifier.kept() == kept).count();
    let (all, criterion) = (classes.len(), criterion(spec));
    let given = count(Kept::Given);
    if given == all {
        return format!(" Tuning by {criterion} has not helped in any class. The given settings are kept.");
    }
    let one = count(Kept::OneLengthScale);
    let remarks = [
        (given, "tuning has not helped, and the given settings are kept"),
        (one, "column weights bring no clear improvement, and one length scale is used"),
    ];
    let remark = |(count, text)| (count > 0).then(|| format!(" For {count} of {all} classes {text}."));
    describe_gain(criterion, before, after) + &remarks.into_iter().filter_map(remark).collect::<String>()
}

/// Describes the numbers of rows predicted to be of each class.
fn class_counts(all: &MultiClass<'_>, which: &str, rows: &[Vec<f64>]) -> String {
    let count = |k: usize| rows.iter().filter(|p| most_probable(p) == k).count();
    let each = all.names.iter().enumerate().map(|(k, name)| format!("{} {name}", count(k)));
    format!("Predicted classes of {} rows {which}: {}.", rows.len(), each.collect::<Vec<_>>().join(", "))
}

/// Returns the figure of the most probable class of every row of the second file, which is called `name`.
fn second_file(name: &str, all: Option<&MultiClass<'_>>) -> Figure {
    let base = predictions::second_base(name);
    let Some(all) = all else { return base };
    let lines: Vec<f64> = all.table.second_lines.iter().map(|line| *line as f64).collect();
    let dots = lines.iter().zip(&all.p.second).map(|(line, p)| {
        let k = most_probable(p);
        Dot::new(Point::new(*line, p[k]), format!("row {line}: {} ({:.2})", all.names[k], p[k]))
    });
    let points = Points::new("p", "predicted class", Hue::Purple, Marker::Diamond, dots);
    let sentence = class_counts(all, &format!("of {name}"), &all.p.second);
    let caption = format!(
        "{sentence} {ONE_VS_REST} The CSV file of this figure has all predictions.{}",
        all.weights.on_predictions()
    );
    base.x(predictions::second_axis(name, &all.table.second_lines))
        .y(Axis::linear("probability of the predicted class", PROBABILITIES))
        .caption(caption)
        .summary(sentence)
        .with_records()
        .mark(points)
        .marks(columns(all, &lines, &all.p.second.iter()))
}

/// Returns the confusion matrices of test rows and of leave-one-out.
fn confusion(spec: &TableSpec, all: Option<&MultiClass<'_>>) -> Figure {
    let base = empty_confusion();
    let Some(all) = all else { return base };
    let counts = |rows: &[ClassRow]| {
        Confusion::new(all.names.len(), rows.iter().map(|(p, class)| (*class, Some(most_probable(p)))))
    };
    let mut sources = Vec::new();
    if !all.p.test.is_empty() {
        sources.push(("test", "Test rows", counts(&all.test())));
    }
    sources.push(match all.training_rows(spec) {
        (rows, Some(_)) => ("folds", "Cross-validation", counts(&rows)),
        (rows, None) => ("left_out", "Leave-one-out", counts(&rows)),
    });
    sources.retain(|(.., counts)| !counts.is_empty());
    confusion_figure(base, &all.table.label, &all.names, &sources)
}

/// Returns the figure of how often the predicted class is the right one over its probability.
fn reliability(spec: &TableSpec, all: Option<&MultiClass<'_>>) -> Figure {
    let Some(all) = all else { return reliability_figure("the predicted class", &[], None, &[]) };
    // The frequencies of the rows are comparable with the probabilities before they are changed by class weights.
    let back = all.shift().inverse();
    let events = |rows: Vec<ClassRow>| -> Vec<(f64, bool)> {
        let event = |(p, class): &ClassRow| {
            let p = back.of_classes(p);
            (p[most_probable(&p)], most_probable(&p) == *class)
        };
        rows.iter().map(event).collect()
    };
    let (train, folds) = all.training_rows(spec);
    reliability_figure("the predicted class", &events(train), folds, &events(all.test()))
}
