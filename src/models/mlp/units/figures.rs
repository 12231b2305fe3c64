//! Figures of the sweep over hidden units: bounds and log evidence, the divergence of each fit, and the units in use.

use super::{UnitsFit, UnitsSnapshot, UnitsSpec, UnitsSweep};
use crate::figure::{Axis, Curve, Figure, Hue, Marker, Point, Stroke, minus, with_error};
use crate::math::importance::LogMeanWeight;
use crate::models::mlp::fields::Approximation;
use crate::models::mlp::fits::FitRow;

/// Returns all figures.
pub fn all(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> Vec<Figure> {
    vec![bounds(spec, snapshot), divergences(spec, snapshot), in_use(spec, snapshot)]
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

/// Returns a curve of one value of the best start of each fit. That of Laplace's method, which does not maximise the bound, is hidden at
/// first.
fn curve(
    (spec, snapshot): (&UnitsSpec, &UnitsSnapshot),
    method: Approximation,
    of: impl Fn(&FitRow<UnitsFit>) -> Option<Point>,
) -> Curve {
    let curve = Curve::new(method.word(), method.label(), method.hue())
        .stroke(Stroke::Solid)
        .marker(Marker::Disc)
        .points(best(spec, snapshot, method).filter_map(of));
    if method.is_ensemble() { curve } else { curve.hidden() }
}

/// Returns the bounds of the fits and the log evidence against the number of hidden units.
fn bounds(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> Figure {
    let at = |row: &FitRow<UnitsFit>| Point::new(row.details.hidden as f64, -row.negative_elbo);
    let of_constant = spec.ln_evidence_of_constant();
    let ends = [0.5, spec.most as f64 + 0.5].map(|x| Point::new(x, of_constant));
    let point =
        |(hidden, z): (usize, LogMeanWeight)| Point::new(hidden as f64, z.ln_mean).with_se(z.error_bar());
    let ln_z: Vec<Point> = evidence(spec, snapshot).map(point).collect();
    // Too few walks have missed a part of the posterior: the estimate is too low.
    let low = evidence(spec, snapshot).filter(|(_, z)| z.is_dominated()).map(point).collect::<Vec<_>>();
    let rows = || UnitsSweep::ensemble().flat_map(|method| best(spec, snapshot, method));
    let rings = rows().filter(|row| row.details.is_constant()).map(at);
    let values: Vec<f64> = ln_z.iter().map(|point| point.y).chain(rows().map(|row| at(row).y)).collect();
    Figure::new("bounds", "Bound of each fit, and log evidence")
        .x(axis(spec))
        .y(Axis::around("nats", values.into_iter().chain([of_constant])))
        .mark(
            Curve::new("constant", "evidence of the constant", Hue::Ink).stroke(Stroke::Dashed).points(ends),
        )
        .marks(UnitsSweep::METHODS.map(|method| curve((spec, snapshot), method, |row| Some(at(row)))))
        .mark(Curve::new("rings", "the fit is the constant", Hue::Ink).marker(Marker::Circle).points(rings))
        .mark(
            Curve::new("evidence", "log evidence", Hue::Ink)
                .stroke(Stroke::Solid)
                .marker(Marker::Square)
                .points(ln_z),
        )
        .mark(Curve::new("low", "too low: few effective walks", Hue::Ink).marker(Marker::Circle).points(low))
        .caption(caption(spec, snapshot))
        .found(finding(spec, snapshot))
}

/// Returns a sentence about the fits that are the constant.
fn finding(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> String {
    let constant: Vec<usize> = (1..=spec.most).filter(|hidden| snapshot.all_constant(*hidden)).collect();
    let last = constant.last().copied().or_else(|| {
        (1..=spec.most).rev().find(|hidden| snapshot.best(Approximation::Full, *hidden).is_some())
    });
    let Some(last) = last else { return "No fit is done yet.".to_owned() };
    let bounds =
        UnitsSweep::ensemble().filter_map(|method| Some(-snapshot.best(method, last)?.negative_elbo));
    let bound = bounds.fold(f64::NEG_INFINITY, f64::max);
    let ln_z = snapshot
        .ln_evidence(last)
        .map_or(String::new(), |z| format!("; the log evidence is {}", with_error(&z, 1)));
    let units = |hidden: usize| if hidden == 1 { "unit" } else { "units" };
    if constant.is_empty() {
        let best = minus(format_args!("{bound:.1}"));
        return format!(
            "No number of hidden units switches off every fit. With {last} {} the best bound is {best} nats{ln_z}.",
            units(last)
        );
    }
    let list = constant.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let best = minus(format_args!("{bound:.1}"));
    format!(
        "With {list} hidden {} every variational fit is the constant function. With {last}, its bound is {best} nats{ln_z}.",
        units(*constant.last().unwrap_or(&1))
    )
}

fn caption(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> String {
    let ess = evidence(spec, snapshot).map(|(_, z)| z.ess).reduce(f64::min);
    let walks = ess.map_or(String::new(), |ess| {
        format!(
            " Log evidence: annealed importance sampling with {} walks; error bars: one standard error, from the scatter of the walks. \
             The smallest effective number of walks is {ess:.1}; below {}, the estimate is marked as too low and has no error bar.{}",
            spec.walks,
            LogMeanWeight::MIN_ESS,
            exceeded(spec, snapshot)
        )
    });
    format!(
        "Lower bound on the log evidence of the best of {} starts. Rings: all hidden units are off, so that the fit is the constant \
         function, whose log evidence is the dashed line; each unit that is off costs divergence from the prior. Laplace's Gaussian, which \
         does not maximise the bound, is hidden at first.{walks}",
        spec.restarts
    )
}

/// Returns a sentence on the numbers of hidden units at which a bound exceeds the estimate of the log evidence; empty if there are none.
fn exceeded(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> String {
    let exceeds = |(hidden, z): &(usize, LogMeanWeight)| {
        let mut rows = UnitsSweep::METHODS.into_iter().filter_map(|method| snapshot.best(method, *hidden));
        rows.any(|row| -row.negative_elbo > z.ln_mean)
    };
    let list: Vec<String> =
        evidence(spec, snapshot).filter(exceeds).map(|(hidden, _)| hidden.to_string()).collect();
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
    Figure::new("divergence", "Divergence of each fit from the posterior")
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
        let UnitsFit { hidden, off, .. } = row.details;
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
