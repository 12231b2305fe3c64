//! More than two classes: what the classifiers of all classes say together.

use super::predictions::{self, misclassified, optimistic};
use super::{checks, point, search, worth};
use crate::figure::{Axis, Curve, Dot, Figure, Hue, Mark, Marker, Point, Points};
use crate::lab::{Confusion, Outcome, confusion_figure, reliability_figure, scores_figure, table_headline};
use crate::math::scores::ClassRow;
use crate::math::stats::order;
use crate::models::gp::table::several::{Several, errors, predicted};
use crate::models::gp::table::{AgainstOthers, OwnSnapshot, OwnSpec, status};

/// As [`super::figures`].
pub fn figures(spec: &OwnSpec, snapshot: &OwnSnapshot) -> Vec<Figure> {
    let all = Several::of(snapshot);
    let mut figures = vec![every_row(spec, all.as_ref())];
    if let Some(named) = &spec.predict {
        figures.push(second(&named.name, all.as_ref()));
    }
    figures.extend([scores(spec, all.as_ref()), confusion(all.as_ref()), reliability(all.as_ref())]);
    // The classifier that has no solution, or the latest.
    let failed = |one: &&AgainstOthers| status::status(spec, &one.found).outcome != Outcome::Converged;
    if let Some(one) = snapshot.classes.iter().find(failed).or(snapshot.classes.last()) {
        figures.push(search::residuals(spec, &one.found));
    }
    figures
}

/// Probabilities of every class as columns of the figure's table, of rows at these places.
fn columns(all: &Several<'_>, rows: &[(f64, &[f64])]) -> Vec<Mark> {
    let column = |(k, name): (usize, &String)| {
        let points = rows.iter().map(|(x, p)| point(*x, p[k]));
        let label = format!("probability of {} = {name}", all.table.label);
        Curve::new(format!("p{k}"), label, Hue::Ink).marker(Marker::Disc).points(points).hidden().into()
    };
    all.names.iter().enumerate().map(column).collect()
}

/// The probability of the own class of every row: of training rows as if they had not been seen.
fn every_row(spec: &OwnSpec, all: Option<&Several<'_>>) -> Figure {
    let base = predictions::base();
    let Some(all) = all else { return base };
    let table = all.table;
    let known: Vec<&ClassRow> = all.left_out.iter().chain(&all.test).collect();
    let most = |p: &[f64]| p[predicted(p)];
    let own = known.iter().map(|(p, class)| p[*class]);
    // Rows without a label come last, the least certain first.
    let keys: Vec<f64> = own.chain(all.asked.iter().map(|p| 2.0 + most(p))).collect();
    let mut ranks = vec![0.0; keys.len()];
    order(&keys).into_iter().enumerate().for_each(|(place, row)| ranks[row] = place as f64 + 1.0);
    let lines = [&table.lines, &table.test_lines, &table.unlabelled_lines];
    let lines: Vec<usize> = lines.into_iter().flatten().copied().collect();
    let called = |p: &[f64]| format!("predicted {} ({:.2})", all.names[predicted(p)], most(p));
    let labelled: Vec<Dot> = (known.iter().enumerate())
        .map(|(i, (p, class))| {
            let said = format!("row {}: {}, {}", lines[i], all.names[*class], called(p));
            Dot::new(Point::new(ranks[i], p[*class]), said)
        })
        .collect();
    let asked: Vec<Dot> = (known.len()..)
        .zip(&all.asked)
        .map(|(i, p)| Dot::new(Point::new(ranks[i], most(p)), format!("row {}: {}", lines[i], called(p))))
        .collect();
    let wrong = known.iter().zip(&labelled).filter(|((p, class), _)| predicted(p) != *class);
    let ringed: Vec<Dot> = wrong.map(|(_, dot)| dot.clone()).collect();
    let (train, test) = labelled.split_at(all.left_out.len());
    let mut marks: Vec<Mark> = vec![
        Points::new("train", "training rows, leave-one-out", Hue::Blue, Marker::Disc, train.to_vec()).into(),
    ];
    if !test.is_empty() {
        marks.push(Points::new("test", "test rows", Hue::Orange, Marker::Diamond, test.to_vec()).into());
    }
    if !asked.is_empty() {
        let label = "no label: the predicted class";
        marks.push(Points::new("unlabelled", label, Hue::Purple, Marker::Triangle, asked).into());
    }
    marks.push(Points::new("wrong", "misclassified", Hue::Ink, Marker::Circle, ringed).into());
    let p = known.iter().map(|(p, _)| p).chain(&all.asked).map(Vec::as_slice);
    marks.extend(columns(all, &ranks.iter().copied().zip(p).collect::<Vec<_>>()));
    let (tests, left_out) = (errors(&all.test), errors(&all.left_out));
    let sentence = misclassified(&spec.method.title(), table, tests, left_out)
        + &optimistic(spec, !all.test.is_empty())
        + &if all.asked.is_empty() {
            String::new()
        } else {
            format!(" {}", asked_for(all, "without a label", &all.asked))
        };
    let caption = format!(
        "{sentence} {ONE_AGAINST_THE_OTHERS} Shown: the probability of the class that each row has, of training rows predicted from \
         the others; misclassified rows are circled. Rows are sorted by that probability, lowest first; rows without a label come \
         last.{}",
        table.remarks()
    );
    let last = ranks.len() as f64;
    let edge = (0.02 * last).max(0.5);
    base.x(Axis::linear("rows by the probability of their own class, rank", (1.0 - edge, last + edge)))
        .y(Axis::linear(format!("probability of the row’s {}", table.label), (-0.02, 1.02)))
        .finding(table_headline(table, tests as f64, left_out as f64))
        .caption(caption)
        .summary(sentence)
        .with_records()
        .marks(marks)
}

const ONE_AGAINST_THE_OTHERS: &str = "Each class has a classifier of its own, which is trained on this class against all others; the \
                                      probabilities of the classes are divided by their sum.";

/// How many of these rows are predicted to be of each class.
fn asked_for(all: &Several<'_>, which: &str, rows: &[Vec<f64>]) -> String {
    let count = |k: usize| rows.iter().filter(|p| predicted(p) == k).count();
    let each = all.names.iter().enumerate().map(|(k, name)| format!("{} {name}", count(k)));
    format!("Of {} rows {which} are predicted: {}.", rows.len(), each.collect::<Vec<_>>().join(", "))
}

/// The most probable class of every row of the second file, which is `name`.
fn second(name: &str, all: Option<&Several<'_>>) -> Figure {
    let base = predictions::second_base(name);
    let Some(all) = all else { return base };
    let lines = all.table.second_lines.iter().map(|line| *line as f64);
    let rows: Vec<(f64, &[f64])> = lines.zip(all.second.iter().map(Vec::as_slice)).collect();
    let dot = |(line, p): &(f64, &[f64])| {
        let k = predicted(p);
        Dot::new(Point::new(*line, p[k]), format!("row {line}: {} ({:.2})", all.names[k], p[k]))
    };
    let marked = Points::new("p", "predicted class", Hue::Purple, Marker::Diamond, rows.iter().map(dot));
    let sentence = asked_for(all, &format!("of {name}"), &all.second);
    let caption = format!("{sentence} {ONE_AGAINST_THE_OTHERS} “Data” has the probability of each class.");
    base.x(predictions::second_axis(name, &all.table.second_lines))
        .y(Axis::linear("probability of the predicted class", (-0.02, 1.02)))
        .caption(caption)
        .summary(sentence)
        .mark(marked)
        .marks(columns(all, &rows))
}

/// Error, Brier score and log loss, beside those of logistic regression and of the frequencies of the classes.
fn scores(spec: &OwnSpec, all: Option<&Several<'_>>) -> Figure {
    let base = worth::scores_base();
    let Some(all) = all else { return base };
    scores_figure(base, &all.scored(&spec.method.title()))
}

/// The confusion matrices of training rows left out and of test rows.
fn confusion(all: Option<&Several<'_>>) -> Figure {
    let base = worth::confusion_base();
    let Some(all) = all else { return base };
    let counts = |rows: &[ClassRow]| {
        Confusion::new(all.names.len(), rows.iter().map(|(p, class)| (*class, Some(predicted(p)))))
    };
    let mut sources = vec![("left_out", "Leave-one-out", counts(&all.left_out))];
    if !all.test.is_empty() {
        sources.insert(0, ("test", "Test rows", counts(&all.test)));
    }
    confusion_figure(base, &all.table.label, &all.names, &sources)
}

/// The probability of the predicted class against how often it is the right one.
fn reliability(all: Option<&Several<'_>>) -> Figure {
    let base = checks::reliability_base();
    let Some(all) = all else { return base };
    let rows = |rows: &[ClassRow]| {
        let said = |(p, class): &ClassRow| (p[predicted(p)], predicted(p) == *class);
        rows.iter().map(said).collect::<Vec<_>>()
    };
    reliability_figure(base, "the predicted class", &rows(&all.left_out), &rows(&all.test))
}
