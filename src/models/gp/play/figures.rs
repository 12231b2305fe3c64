//! Figures of the playground: maps of the probability, and differences from the exact posterior.

use super::error_map::{error_colours, error_map, error_points};
use super::plane::{axes, handles, plane, points};
use super::spec::MapContent;
use super::{Method, MethodRow, PlaySnapshot, PlaySpec, VIEW};
use crate::data::thousands;
use crate::figure::{Colours, Curve, Figure, Grid, Hue, Marker, Point, Segments, Stroke, minus, percent};
use crate::lab::Checked;
use crate::math::stats::order;

/// Upper limit of a class probability described as about even odds.
const EVEN: f32 = 0.55;

/// Probabilities of the contour lines.
const LEVELS: [f32; 5] = [0.1, 0.25, 0.5, 0.75, 0.9];

/// Probabilities of the contour lines of TAP on the map of another method.
const COMPARED_LEVELS: [f32; 3] = [0.1, 0.5, 0.9];

/// Returns the map of the chosen method, the differences from the exact posterior, and the map of the latter.
pub fn compare(spec: &Checked<PlaySpec>, snapshot: &PlaySnapshot) -> Vec<Figure> {
    let methods = snapshot.methods();
    let truth = methods.iter().find(|row| row.method == Method::Sampled);
    let chosen = methods.iter().find(|row| row.method == spec.method);
    let tap = methods.iter().find(|row| row.method == Method::Tap && spec.method != Method::Tap);
    let large = chosen.map(|row| match spec.content {
        MapContent::Probability => {
            let figure = large_map(spec, row, truth).marks(tap.and_then(tap_contours));
            figure.finding(certainty(row) + &finding(spec.method, &methods, truth))
        }
        MapContent::Error => error_map(spec, row, &methods, truth),
    });
    let exact = truth.map(|row| map(spec, row, None).equal());
    large.into_iter().chain(truth.map(|truth| differences(&methods, truth))).chain(exact).collect()
}

/// Returns the contours of TAP, to be drawn on the map of another method; `None` without a map.
fn tap_contours(tap: &MethodRow) -> Option<Segments> {
    let map = grid(tap)?;
    let lines = COMPARED_LEVELS.iter().flat_map(|level| map.contour(*level));
    Some(Segments::new("tap", "TAP at 10, 50 and 90 %", Hue::Ink, Stroke::Dashed, lines))
}

/// Returns the map of a method; `None` if there is none.
fn grid(row: &MethodRow) -> Option<Grid> {
    (!row.map.is_empty()).then(|| {
        Grid::map("map", "probability of +1", row.columns, row.map.clone(), plane(), Colours::Probability)
            .ends("surely blue", "surely orange")
    })
}

/// Returns the live map.
pub fn live(spec: &PlaySpec, snapshot: &PlaySnapshot) -> Vec<Figure> {
    let finding = |row: &MethodRow| match row.left_out_errors() {
        Some(errors) => format!(
            "{}: {errors} of {} points would be misclassified if left out.",
            row.method.label(),
            row.points.len()
        ),
        None => String::new(),
    };
    let map = |row| match spec.content {
        MapContent::Probability => large_map(spec, row, None).finding(finding(row)),
        MapContent::Error => error_points(row),
    };
    snapshot.rows.iter().map(map).collect()
}

/// Returns the large map, whose points can be edited.
fn large_map(spec: &PlaySpec, row: &MethodRow, truth: Option<&MethodRow>) -> Figure {
    let title = format!("Probability of +1 by {}", row.method.label());
    let mut figure = map(spec, row, truth).equal().handles(handles(row));
    (figure.id, figure.title) = ("map".into(), title);
    figure
}

fn map(spec: &PlaySpec, row: &MethodRow, truth: Option<&MethodRow>) -> Figure {
    let wrong = row.points.iter().zip(&row.left_out_wrong).filter(|(_, wrong)| **wrong);
    let wrong = wrong.map(|(p, _)| Point::new(p.0.into(), p.1.into()));
    let mut curves = points(row).to_vec();
    if !row.left_out_wrong.is_empty() {
        let label = "misclassified when left out";
        curves.push(Curve::new("wrong", label, Hue::Ink).marker(Marker::Circle).points(wrong));
    }
    let map = grid(row).map(|map| map.contours(LEVELS).smooth());
    let figure = Figure::new(row.method.word(), row.method.label());
    let figure = match farthest(row) {
        Some((at, p)) => figure.note(at, format!("far away: {}", percent(p.into()))),
        None => figure,
    };
    figure
        .x(axes().0)
        .y(axes().1)
        .caption(caption(spec, row, truth))
        .summary(summary(row))
        .marks(map)
        .marks(curves)
}

/// Returns the cell farthest from all points, away from the edges, and the probability there.
fn farthest(row: &MethodRow) -> Option<((f64, f64), f32)> {
    let rows = row.map.len() / row.columns.max(1);
    let along = |i: usize, count: usize, reach: f64| reach * (2.0 * (i as f64 + 0.5) / count as f64 - 1.0);
    let cells = row.map.iter().enumerate().map(|(cell, p)| {
        let at = (along(cell % row.columns, row.columns, VIEW.0), along(cell / row.columns, rows, VIEW.1));
        (at, *p)
    });
    // Leaves space for the note above it.
    let inside =
        cells.filter(|((x, y), _)| x.abs() < 0.85 * VIEW.0 && *y < 0.7 * VIEW.1 && *y > -0.9 * VIEW.1);
    let distance = |at: (f64, f64)| {
        let squares =
            row.points.iter().map(|p| (f64::from(p.0) - at.0).powi(2) + (f64::from(p.1) - at.1).powi(2));
        squares.fold(f64::INFINITY, f64::min)
    };
    let inside = inside.map(|(at, p)| (distance(at), at, p));
    let far = inside.reduce(|best, one| if one.0 > best.0 { one } else { best })?;
    (!row.points.is_empty()).then_some((far.1, far.2))
}

/// Returns a sentence, followed by a blank, on how sure a map is at most and far from all points; empty without a map.
fn certainty(row: &MethodRow) -> String {
    let Some((_, far)) = farthest(row) else { return String::new() };
    let sure = |p: f32| p.max(1.0 - p);
    let most = row.map.iter().copied().map(sure).fold(0.5, f32::max);
    let odds = if sure(far) < EVEN { " (about even odds)" } else { "" };
    let [most, far] = [most, sure(far)].map(|p| percent(p.into()));
    format!("At most {most} sure; far from the points, {far}{odds}. ")
}

/// Returns the maps of p − p(exact) of every method, on one scale.
fn differences(methods: &[MethodRow], truth: &MethodRow) -> Figure {
    let rows: Vec<_> = methods.iter().filter_map(|row| Some((row, row.difference(truth)?))).collect();
    let colours = error_colours(methods, truth);
    let grids = rows.iter().map(|(row, (far, _))| {
        let label = format!("{} ±{far:.3}", row.method.short());
        Grid::map(row.method.word(), label, row.columns, row.errors(truth), plane(), colours).smooth()
    });
    let far = rows.iter().map(|(row, (far, se))| {
        let se = se.map_or(String::new(), |se| format!(" (Monte Carlo s.e. {se:.3} there)"));
        format!("{} {far:.3}{se}", row.method.label())
    });
    let far: Vec<String> = far.collect();
    let (x, y) = axes();
    let figure =
        Figure::new("differences", "Difference from the exact posterior").x(x).y(y).pictures(3).wide();
    if rows.is_empty() {
        return figure.saying("There is nothing to compare yet.");
    }
    let words = format!(
        "p − p(exact) on the same map: orange where a method gives +1 too much probability, blue where too little. The \
         number of a map is its largest difference over {} cells: sampling alone gives a few standard errors.",
        truth.map.len()
    );
    figure
        .caption(words)
        .finding_and_summary(format!("Largest differences from exact: {}.", far.join("; ")))
        .marks(grids)
}

/// Returns the finding: the difference of TAP from the exact posterior, and that of the method that is shown; if the posterior is shown, the
/// smallest and the largest difference.
fn finding(shown: Method, methods: &[MethodRow], truth: Option<&MethodRow>) -> String {
    let Some(truth) = truth else { return String::new() };
    let largest = |method| methods.iter().find(|row| row.method == method)?.difference(truth);
    if let (true, Some((most, _)), Some((tap, _))) =
        (shown != Method::Tap, largest(shown), largest(Method::Tap))
    {
        let (most, tap) = (hundredths(most), hundredths(tap));
        return format!(
            "{} is up to {most} percentage points off the exact answer; TAP: {tap}.",
            shown.label()
        );
    }
    if let (Method::Tap, Some((tap, _))) = (shown, largest(Method::Tap)) {
        return format!("TAP is within {} percentage points of the exact answer.", hundredths(tap));
    }
    let far = |row: &MethodRow| row.difference(truth).map(|(far, _)| (row.method, far));
    let all: Vec<_> = methods.iter().filter_map(far).collect();
    let far: Vec<f64> = all.iter().map(|(_, far)| *far).collect();
    let all: Vec<_> = order(&far).into_iter().map(|index| all[index]).collect();
    match all.as_slice() {
        [] => "The exact posterior is being sampled.".to_owned(),
        [(best, least)] => format!(
            "{} is up to {} percentage points off the exact answer.",
            best.label(),
            hundredths(*least)
        ),
        [(best, least), .., (worst, most)] => {
            let [least, most] = [*least, *most].map(hundredths);
            let worst = if *worst == Method::Naive { "naive mean field" } else { worst.label() };
            format!(
                "{} is within {least} percentage points of the exact answer, {worst} within {most}.",
                best.label()
            )
        }
    }
}

/// Formats a difference of probabilities in percentage points.
fn hundredths(difference: f64) -> String {
    format!("{:.1}", 100.0 * difference)
}

/// Returns the caption of a map; `truth` is the map of the exact posterior.
fn caption(spec: &PlaySpec, row: &MethodRow, truth: Option<&MethodRow>) -> String {
    let name = row.method.label();
    if let Some(why) = &row.failed {
        return format!("{name}: {why}.");
    }
    let content = match row.method {
        Method::Sampled => {
            let chains =
                row.chains.map_or("Markov chains".to_owned(), |c| format!("{} Markov chains", c.count));
            format!(
                "probability of +1 under the exact posterior, by {} MCMC draws of {chains}",
                thousands(spec.draws)
            )
        }
        _ => "probability of +1, with contours at 10, 25, 50, 75 and 90 %".to_owned(),
    };
    let loo = row.left_out_errors().map_or(String::new(), |errors| {
        format!(" Circled: {errors} of {} points misclassified in leave-one-out.", row.points.len())
    });
    let evidence = match (row.method, row.minus_g) {
        (Method::Naive, Some(g)) => format!(
            " −G = {} (a poor estimate of the log evidence, not a bound).",
            minus(format_args!("{g:.3}"))
        ),
        (_, Some(evidence)) => format!(" Log evidence {}.", minus(format_args!("{evidence:.3}"))),
        (_, None) => String::new(),
    };
    let difference = truth.map_or(String::new(), |truth| difference_words(row, truth));
    format!("{name}: {content}.{loo}{evidence}{difference}{}", mixing_words(spec, row))
}

/// Returns the sentence on the largest difference from the exact posterior; empty if one of the maps is missing.
fn difference_words(row: &MethodRow, truth: &MethodRow) -> String {
    let Some((largest, se)) = row.difference(truth) else { return String::new() };
    let se = se.map_or(String::new(), |se| match se {
        // Zero up to rounding.
        ..1e-6 => " (all chains agree there)".to_owned(),
        ..5e-4 => " (Monte Carlo s.e. below 0.001)".to_owned(),
        se => format!(" (Monte Carlo s.e. {se:.3})"),
    });
    let unmixed = truth.chains.is_some_and(|chains| !chains.agree());
    let mixing = if unmixed { ", whose chains have not mixed," } else { "" };
    format!(" Largest difference from the exact posterior{mixing} on this map: {largest:.3}{se}.")
}

/// Returns the warning about chains that have not mixed; empty if they have, or for other methods.
fn mixing_words(spec: &PlaySpec, row: &MethodRow) -> String {
    let Some(chains) = row.chains.filter(|chains| !chains.agree()) else { return String::new() };
    let why = if spec.kappa == 0.0 { "they move slowly" } else { "the posterior may be multimodal" };
    format!(
        " The chains have not mixed ({why}): treat this reference as approximate (effective sample size {:.0}). More draws help.",
        chains.effective
    )
}

/// Returns the description of a map for screen readers.
fn summary(row: &MethodRow) -> String {
    let name = row.method.label();
    let area = row.map.iter().filter(|p| **p > 0.5).count() as f64 / row.map.len().max(1) as f64;
    match row.left_out_errors() {
        _ if row.map.is_empty() => format!("{name}: there is no map."),
        Some(errors) => format!(
            "{name} classifies {} of the plane as +1; {errors} of {} points are misclassified in leave-one-out.",
            percent(area),
            row.points.len()
        ),
        None => format!("{name} classifies {} of the plane as +1.", percent(area)),
    }
}
