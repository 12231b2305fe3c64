//! Figures of the sweep over hidden units: bounds and log evidence, the divergence of each fit, and the units in use.

use super::curves::curves;
use super::{BEST, UnitsFit, UnitsSnapshot, UnitsSpec, UnitsSweep};
use crate::data::counted;
use crate::figure::{Axis, Curve, Figure, Hue, MarkInfo, Marker, Point, Stroke};
use crate::math::importance::LogMeanWeight;
use crate::models::mlp::fields::Approximation;
use crate::models::mlp::fits::FitRow;

/// Difference between two bounds, in nats, above which their fits are in different optima.
const DISTINCT: f64 = 0.05;

/// Returns all figures.
pub fn all(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> Vec<Figure> {
    let curves = curves(spec, snapshot).finding(finding(spec, snapshot));
    vec![curves, bounds(spec, snapshot), divergences(spec, snapshot), in_use(spec, snapshot)]
}

/// Returns the horizontal axis.
fn axis(spec: &UnitsSpec) -> Axis {
    Axis::linear("hidden units, H", (0.5, spec.most as f64 + 0.5))
}

/// Returns the best start of each fit of `method`.
fn best<'a>(
    spec: &UnitsSpec,
    snapshot: &'a UnitsSnapshot,
    method: Approximation,
) -> impl Iterator<Item = &'a FitRow<UnitsFit>> {
    (1..=spec.most).filter_map(move |hidden| snapshot.best(method, hidden))
}

/// Iterates over the numbers of hidden units with their log evidence.
fn evidence(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> impl Iterator<Item = (usize, LogMeanWeight)> {
    (1..=spec.most).filter_map(|hidden| Some((hidden, snapshot.ln_evidence(hidden)?)))
}

/// Returns the marker of a method: another shape for each, beside its colour.
fn marker(method: Approximation) -> Marker {
    match method {
        Approximation::Map | Approximation::Laplace => Marker::Circle,
        Approximation::Diagonal => Marker::Diamond,
        Approximation::Factor => Marker::Triangle,
        Approximation::Full => Marker::Disc,
    }
}

/// Returns a curve of one value of the best start of each fit. Those of Laplace's method, which does not maximise the bound, and of the
/// factors are hidden at first.
fn curve(
    (spec, snapshot): (&UnitsSpec, &UnitsSnapshot),
    method: Approximation,
    of: impl Fn(&FitRow<UnitsFit>) -> Option<Point>,
) -> Curve {
    let curve = Curve::new(method.word(), method.label(), method.hue())
        .stroke(Stroke::Solid)
        .marker(marker(method))
        .points(best(spec, snapshot, method).filter_map(of));
    if matches!(method, Approximation::Diagonal | Approximation::Full) { curve } else { curve.hidden() }
}

/// Returns the log evidence, its best bound and the evidence of a flat line against the number of hidden units.
fn bounds(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> Figure {
    let at = |row: &FitRow<UnitsFit>| Point::new(row.details.hidden as f64, -row.negative_elbo);
    let of_constant = spec.ln_evidence_of_constant();
    let ends = [0.5, spec.most as f64 + 0.5].map(|x| Point::new(x, of_constant));
    let best: Vec<Point> =
        (1..=spec.most).filter_map(|hidden| snapshot.best_of_all(hidden)).map(at).collect();
    let ln_z = evidence(spec, snapshot).map(|(_, z)| z.ln_mean);
    let values: Vec<f64> = ln_z.chain(best.iter().map(|point| point.y)).chain([of_constant]).collect();
    let each = UnitsSweep::METHODS.map(|method| {
        let curve = curve((spec, snapshot), method, |row| Some(at(row))).hidden();
        Curve { info: MarkInfo { label: format!("bound, {}", method.label()), ..curve.info }, ..curve }
    });
    Figure::new("bounds", "Log evidence and its best bound")
        .x(axis(spec))
        .y(Axis::around("log evidence, nats", values))
        .mark(Curve::new("constant", "flat line", Hue::Ink).stroke(Stroke::Dashed).points(ends))
        .marks(each)
        .mark(Curve::new("best", "best bound", BEST).stroke(Stroke::Solid).marker(Marker::Disc).points(best))
        .marks(evidence_curves(spec, snapshot))
        .caption(caption(spec, snapshot))
        .finding(gap(spec, snapshot))
        .summary(summary(spec, snapshot))
}

/// Returns the log evidence: a line, markers with error bars, and triangles where its estimate is too low, which are not below a bound.
fn evidence_curves(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> impl Iterator<Item = Curve> {
    let is_low = |at: &(usize, LogMeanWeight)| at.1.is_dominated() || is_exceeded(snapshot, at);
    let point = |(hidden, z): (usize, LogMeanWeight)| {
        if is_low(&(hidden, z)) {
            Point::new(hidden as f64, z.ln_mean.max(snapshot.bound(hidden)))
        } else {
            Point::new(hidden as f64, z.ln_mean).with_se(z.se)
        }
    };
    let (low, reliable): (Vec<_>, Vec<_>) = evidence(spec, snapshot).partition(is_low);
    let all = evidence(spec, snapshot).map(|at| Point { se: None, ..point(at) });
    let line = Curve::new("evidence_line", "log evidence, line", Hue::Ink).stroke(Stroke::Solid).points(all);
    let markers = Curve::new("evidence", "log evidence, estimated", Hue::Ink).marker(Marker::Square);
    let at_least = (!low.is_empty()).then(|| {
        Curve::new("low", "log evidence, at least this", Hue::Ink)
            .marker(Marker::Triangle)
            .points(low.into_iter().map(point))
    });
    [line.part_of("evidence"), markers.points(reliable.into_iter().map(point))].into_iter().chain(at_least)
}

/// Returns the headline: the numbers of hidden units at which the best fit is constant although the log evidence favours a curve; without
/// any, those at which it is constant.
fn finding(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> String {
    let done: Vec<(usize, bool)> =
        (1..=spec.most).filter_map(|hidden| Some((hidden, snapshot.best_is_constant(hidden)?))).collect();
    let constant: Vec<usize> =
        done.iter().filter(|(_, constant)| *constant).map(|(hidden, _)| *hidden).collect();
    let Some((last, _)) = done.last() else { return "No fit is done yet.".to_owned() };
    if constant.is_empty() {
        return format!("With up to {} the best fit uses some of them.", counted(*last, "hidden unit"));
    }
    let known = |hidden: &usize| Some((*hidden, snapshot.ln_evidence(*hidden)?));
    let evidence: Option<Vec<_>> = constant.iter().map(known).collect();
    let flat = spec.ln_evidence_of_constant();
    let (start, which, end) = match evidence {
        _ if spec.walks == 0 => ("With", constant, String::new()),
        None => ("With", constant, "; the log evidence is not known yet".to_owned()),
        Some(all) => {
            let needed = all.iter().filter(|(_, z)| favours_curve(z, flat));
            let needed: Vec<usize> = needed.map(|(hidden, _)| *hidden).collect();
            if needed.is_empty() {
                ("With", constant, "; there the log evidence does not clearly favour a curve".to_owned())
            } else {
                ("No: with", needed, ", although the data favour a curve".to_owned())
            }
        }
    };
    format!("{start} {} the best fit is a flat line{end}.", listed(&which, *last))
}

/// Returns true if the log evidence exceeds that of a flat line by more than two standard errors.
fn favours_curve(evidence: &LogMeanWeight, flat: f64) -> bool {
    evidence.ln_mean > flat + 2.0 * evidence.se
}

/// Returns numbers of hidden units in words, with those up to the `last` that has been fitted as a range.
fn listed(numbers: &[usize], last: usize) -> String {
    let tail = numbers.iter().rev().zip((1..=last).rev()).take_while(|(number, end)| *number == end).count();
    let (others, tail) = numbers.split_at(numbers.len() - tail);
    match tail {
        [first, _, ..] if *first > 1 => enumerated(others, Some(*first)),
        [_, _, ..] => format!("any number of hidden units up to {last}"),
        _ => enumerated(numbers, None),
    }
}

/// Returns `1 hidden unit`, `2 or 5 hidden units`, `2, 5 or 7 hidden units`; for all numbers from `least` on as well, `2 or at least 5
/// hidden units`.
fn enumerated(numbers: &[usize], least: Option<usize>) -> String {
    let all = numbers.iter().map(ToString::to_string).chain(least.map(|least| format!("at least {least}")));
    let all: Vec<String> = all.collect();
    let noun = if numbers == [1] && least.is_none() { "unit" } else { "units" };
    match &*all {
        [] => String::new(),
        [one] => format!("{one} hidden {noun}"),
        [head @ .., last] => format!("{} or {last} hidden {noun}", head.join(", ")),
    }
}

fn caption(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> String {
    let walks = if spec.walks > 0 {
        format!(
            " Log evidence: annealed importance sampling with {} walks; error bars: one standard error, from the scatter of the walks.{}",
            spec.walks,
            too_low(spec, snapshot)
        )
    } else {
        String::new()
    };
    format!(
        "Pink: the largest bound of all fits (for each, the best of {} and a start at zero weights); the log evidence is at least \
         this. Dashed: the log evidence of the constant function. The bound of a flat fit is lower than the dashed line, because each unit \
         that is off costs some divergence from the prior. The bound of each covariance, and of Laplace’s Gaussian, is under “More \
         curves”.{}{walks}",
        counted(spec.restarts, "random start"),
        stuck(spec, snapshot)
    )
}

/// Returns the largest number of hidden units that is done, with the log evidence and its best bound.
fn last(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> Option<(usize, f64, f64)> {
    let bound = |hidden: usize| Some(-snapshot.best_of_all(hidden)?.negative_elbo);
    evidence(spec, snapshot).filter_map(|(hidden, z)| Some((hidden, z.ln_mean, bound(hidden)?))).last()
}

/// Returns the headline: where the log evidence and its best bound are highest, and their difference with the most hidden units; empty
/// where the estimate is not above the bound.
fn gap(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> String {
    let best = |values: Vec<(usize, f64)>| values.into_iter().reduce(|a, b| if b.1 > a.1 { b } else { a });
    let bound = |hidden: usize| Some((hidden, -snapshot.best_of_all(hidden)?.negative_elbo));
    let highest = (
        best((1..=spec.most).filter_map(bound).collect()),
        best(evidence(spec, snapshot).map(|(hidden, z)| (hidden, z.ln_mean)).collect()),
    );
    let (Some((hidden, ln_z, bound)), (Some((by_bound, _)), Some((by_evidence, _)))) =
        (last(spec, snapshot).filter(|(_, ln_z, bound)| ln_z > bound), highest)
    else {
        return String::new();
    };
    let apart = ln_z - bound;
    let best = if by_bound == by_evidence {
        format!("Bound and log evidence are highest with {}", counted(by_bound, "hidden unit"))
    } else {
        format!(
            "The bound is highest with {}, the log evidence with {by_evidence}",
            counted(by_bound, "hidden unit")
        )
    };
    format!("{best}; with {hidden} they are {apart:.1} nats apart.")
}

/// Returns a sentence on the log evidence and its best bound with the most hidden units.
fn summary(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> String {
    let Some((hidden, ln_z, bound)) = last(spec, snapshot) else {
        return "The log evidence is not known yet.".to_owned();
    };
    format!(
        "With {}, the log evidence is about {ln_z:.1} nats and its best bound {bound:.1}; the log evidence of a flat line is {:.1}.",
        counted(hidden, "hidden unit"),
        spec.ln_evidence_of_constant()
    )
}

/// Returns a sentence on the numbers of hidden units at which the estimate of the log evidence is too low; empty if there are none.
fn too_low(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> String {
    let low = evidence(spec, snapshot).filter(|at| at.1.is_dominated() || is_exceeded(snapshot, at));
    let list: Vec<String> = low.map(|(hidden, _)| hidden.to_string()).collect();
    if list.is_empty() {
        return String::new();
    }
    format!(
        " Triangles (H = {}): the estimate is below a bound, and so too low, or probably too low because a few walks dominate it \
        (effective sample size below {}). The larger of \
            estimate and bound is drawn; the true log evidence is probably higher.",
        list.join(", "),
        LogMeanWeight::MIN_ESS
    )
}

/// Returns a sentence on the numbers of hidden units at which the bound of the full covariance is below that of the diagonal one; empty
/// if there are none.
fn stuck(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> String {
    let bound = |method, hidden| Some(-snapshot.best(method, hidden)?.negative_elbo);
    let is_stuck = |hidden: &usize| {
        let pair = bound(Approximation::Full, *hidden).zip(bound(Approximation::Diagonal, *hidden));
        pair.is_some_and(|(full, diagonal)| full < diagonal - DISTINCT)
    };
    let list: Vec<String> = (1..=spec.most).filter(is_stuck).map(|hidden| hidden.to_string()).collect();
    if list.is_empty() {
        return String::new();
    }
    format!(
        " With H = {}, every full-covariance fit ends at a worse optimum than the best diagonal fit, although the full covariance includes the diagonal one.",
        list.join(", ")
    )
}

/// Returns true if a bound exceeds the estimate of the log evidence: the estimate is then too low.
fn is_exceeded(snapshot: &UnitsSnapshot, (hidden, z): &(usize, LogMeanWeight)) -> bool {
    snapshot.bound(*hidden) > z.ln_mean
}

/// Returns the Kullback–Leibler divergence of each fit from the posterior.
fn divergences(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> Figure {
    let divergence = |row: &FitRow<UnitsFit>| {
        let z = snapshot.ln_evidence(row.details.hidden)?;
        Some(Point::new(row.details.hidden as f64, z.ln_mean + row.negative_elbo).with_se(z.error_bar()))
    };
    let rows = UnitsSweep::ensemble().flat_map(|method| best(spec, snapshot, method));
    let values: Vec<f64> = rows.filter_map(divergence).map(|point| point.y).collect();
    let modes = (1..=spec.most).map(|hidden| Point::new(hidden as f64, ln_modes(hidden)));
    let summary = match evidence(spec, snapshot).last() {
        Some((hidden, _)) => {
            let full = snapshot.best(Approximation::Full, hidden).and_then(divergence);
            full.map_or("No divergence is known yet.".to_owned(), |point| {
                format!(
                    "With {hidden} hidden units the full covariance is {:.1} nats from the posterior.",
                    point.y
                )
            })
        }
        None => "The log evidence is not known yet.".to_owned(),
    };
    Figure::new("divergence", "Distance of each fit from the posterior")
        .x(axis(spec))
        .y(Axis::around("KL(Q ‖ posterior), nats", values.into_iter().chain([0.0, ln_modes(spec.most)])))
        .mark(
            Curve::new("modes", "ln of the number of equivalent modes", Hue::Ink)
                .stroke(Stroke::Dashed)
                .points(modes),
        )
        .marks(UnitsSweep::METHODS.map(|method| curve((spec, snapshot), method, divergence)))
        .caption(format!(
            "Log evidence less the bound. A Gaussian covers one of the H! 2ᴴ modes that differ by a permutation or a change of signs of the \
             units; that accounts for at most the dashed line, {:.1} nats at H = {}. More than this is lost by the form of Q, or by units \
             that \
             are switched off. A value below 0 shows that the estimate of the log evidence is too low.",
            ln_modes(spec.most),
            spec.most
        ))
        .summary(summary)
}

/// Returns ln(H! 2ᴴ), the log number of modes that differ by a permutation or a change of signs of the units.
fn ln_modes(hidden: usize) -> f64 {
    libm::lgamma(hidden as f64 + 1.0) + hidden as f64 * std::f64::consts::LN_2
}

/// Returns the number of hidden units in use.
fn in_use(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> Figure {
    let used = |row: &FitRow<UnitsFit>| {
        let UnitsFit { hidden, off, .. } = &row.details;
        let (hidden, off) = (*hidden, *off);
        Some(Point::new(hidden as f64, hidden as f64 - off as f64))
    };
    let all = (1..=spec.most).map(|hidden| Point::new(hidden as f64, hidden as f64));
    Figure::new("used", "Hidden units in use")
        .x(axis(spec))
        .y(Axis::linear("units in use", (-0.3, spec.most as f64 + 0.5)))
        .mark(Curve::new("all", "all units", Hue::Ink).stroke(Stroke::Dashed).points(all))
        .marks(UnitsSweep::METHODS.map(|method| curve((spec, snapshot), method, used)))
        .caption(
            "A unit is in use unless all of its weights are within one standard deviation of 0. Dashed: all units are in use.",
        )
        .summary("Number of hidden units in use by each fit, against the number of hidden units.")
}
