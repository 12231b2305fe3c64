//! Figures of the sweep over hidden units: bounds and log evidence, the divergence of each fit, and the units in use.

use super::curves::curves;
use super::{UnitsFit, UnitsSnapshot, UnitsSpec, UnitsSweep};
use crate::data::counted;
use crate::figure::{Axis, Curve, Figure, Hue, Marker, Point, Stroke};
use crate::math::importance::LogMeanWeight;
use crate::models::mlp::fields::Approximation;
use crate::models::mlp::fits::FitRow;

/// Difference between two bounds, in nats, above which their fits are in different optima.
const DISTINCT: f64 = 0.05;

/// Returns all figures.
pub fn all(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> Vec<Figure> {
    vec![bounds(spec, snapshot), curves(spec, snapshot), divergences(spec, snapshot), in_use(spec, snapshot)]
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

/// Returns the bounds of the fits and the log evidence against the number of hidden units.
fn bounds(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> Figure {
    let at = |row: &FitRow<UnitsFit>| Point::new(row.details.hidden as f64, -row.negative_elbo);
    let of_constant = spec.ln_evidence_of_constant();
    let ends = [0.5, spec.most as f64 + 0.5].map(|x| Point::new(x, of_constant));
    let rows = || UnitsSweep::ensemble().flat_map(|method| best(spec, snapshot, method));
    let rings: Vec<Point> = rows().filter(|row| row.details.is_constant()).map(at).collect();
    let rings = (!rings.is_empty()).then(|| {
        Curve::new("rings", "predicts a flat line", Hue::Vermilion).marker(Marker::Ring).points(rings)
    });
    let ln_z = evidence(spec, snapshot).map(|(_, z)| z.ln_mean);
    let values: Vec<f64> = ln_z.chain(rows().map(|row| at(row).y)).chain([of_constant]).collect();
    Figure::new("bounds", "Bound of each fit, and log evidence")
        .x(axis(spec))
        .y(Axis::around("log evidence and its lower bounds, nats", values))
        .mark(Curve::new("constant", "evidence of a flat line", Hue::Ink).stroke(Stroke::Dashed).points(ends))
        .marks(UnitsSweep::METHODS.map(|method| curve((spec, snapshot), method, |row| Some(at(row)))))
        .marks(rings)
        .marks(evidence_curves(spec, snapshot))
        .caption(caption(spec, snapshot))
        .found(finding(spec, snapshot))
}

/// Returns the log evidence as a line with error bars, and the estimates that are too low as points.
fn evidence_curves(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> impl Iterator<Item = Curve> {
    let is_low = |at: &(usize, LogMeanWeight)| at.1.is_dominated() || is_exceeded(snapshot, at);
    let point = |at: (usize, LogMeanWeight)| {
        let bar = if is_low(&at) { f64::NAN } else { at.1.se };
        Point::new(at.0 as f64, at.1.ln_mean).with_se(bar)
    };
    let low: Vec<Point> = evidence(spec, snapshot).filter(is_low).map(point).collect();
    let all = Curve::new("evidence", "log evidence, estimated", Hue::Ink)
        .stroke(Stroke::Solid)
        .marker(Marker::Square);
    let below = (!low.is_empty())
        .then(|| Curve::new("low", "estimate too low", Hue::Red).marker(Marker::Circle).points(low));
    std::iter::once(all.points(evidence(spec, snapshot).map(point))).chain(below)
}

/// Returns a sentence on the numbers of hidden units with which the fit with the best bound is a constant function.
fn finding(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> String {
    let done: Vec<(usize, bool)> =
        (1..=spec.most).filter_map(|hidden| Some((hidden, snapshot.best_is_constant(hidden)?))).collect();
    let constant: Vec<usize> =
        done.iter().filter(|(_, constant)| *constant).map(|(hidden, _)| *hidden).collect();
    let Some((last, _)) = done.last() else { return "No fit is done yet.".to_owned() };
    if constant.is_empty() {
        return format!("With up to {} the best fit uses some of them.", counted(*last, "hidden unit"));
    }
    // Those at the end without a gap.
    let tail = done.iter().rev().take_while(|(_, constant)| *constant).count();
    let tail = &constant[constant.len() - tail..];
    let (which, these) = match tail {
        [first, _, ..] if *first > 1 => {
            (format!("With more than {}", counted(first - 1, "hidden unit")), tail)
        }
        [_, _, ..] => (format!("With any number of hidden units up to {last}"), tail),
        _ => (format!("With {}", enumerated(&constant, "hidden unit")), &constant[..]),
    };
    let contrast = contrast(spec, snapshot, these);
    let off = if these == [1] { "it" } else { "all of them" };
    format!("{which}, the best fit switches {off} off and predicts a flat line{contrast}.")
}

/// Returns the end of the sentence if the data are in favour of the units that are switched off; otherwise it is empty.
fn contrast(spec: &UnitsSpec, snapshot: &UnitsSnapshot, constant: &[usize]) -> String {
    let flat = spec.ln_evidence_of_constant();
    let favoured =
        |hidden: &usize| snapshot.ln_evidence(*hidden).is_some_and(|z| z.ln_mean > flat + 2.0 * z.se);
    if constant.iter().all(favoured) {
        ", although the data favour a curve".to_owned()
    } else {
        String::new()
    }
}

/// Returns `1 hidden unit`, `2 and 5 hidden units`, `2, 5 and 7 hidden units` for the noun `hidden unit`.
fn enumerated(numbers: &[usize], noun: &str) -> String {
    match numbers {
        [] => String::new(),
        [one] => counted(*one, noun),
        [head @ .., last] => {
            let head: Vec<String> = head.iter().map(ToString::to_string).collect();
            format!("{} and {}", head.join(", "), counted(*last, noun))
        }
    }
}

fn caption(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> String {
    let ess = evidence(spec, snapshot).map(|(_, z)| z.ess).reduce(f64::min);
    let walks = ess.map_or(String::new(), |ess| {
        format!(
            " Log evidence: annealed importance sampling with {} walks; error bars: one standard error, from the scatter of the walks. \
             Red rings: estimates that are too low and have no error bar, because the effective sample size is below {} (the smallest is \
             {ess:.1}) or a bound exceeds them.{}",
            spec.walks,
            LogMeanWeight::MIN_ESS,
            exceeded(spec, snapshot)
        )
    });
    format!(
        "Lower bound on the log evidence of the best of {} starts. Large rings: all hidden units are off, so that the fit is the constant \
         function, whose log evidence is the dashed line; each unit that is off costs divergence from the prior. Factors and Laplace's \
         Gaussian, which does not maximise the bound, are hidden by default.{}{walks}",
        spec.restarts,
        stuck(spec, snapshot)
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
    let mut rows = UnitsSweep::METHODS.into_iter().filter_map(|method| snapshot.best(method, *hidden));
    rows.any(|row| -row.negative_elbo > z.ln_mean)
}

/// Returns a sentence on the numbers of hidden units at which a bound exceeds the estimate of the log evidence; empty if there are none.
fn exceeded(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> String {
    let exceeding = evidence(spec, snapshot).filter(|at| is_exceeded(snapshot, at));
    let list: Vec<String> = exceeding.map(|(hidden, _)| hidden.to_string()).collect();
    if list.is_empty() {
        return String::new();
    }
    format!(" With H = {} a bound exceeds the estimate: the walks have missed a region.", list.join(", "))
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
             units; that accounts for at most the dashed line, {:.1} nats at H = {}. More than this is lost by the form of Q, or by units that \
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
