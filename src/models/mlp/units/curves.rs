//! The figure of the fits themselves: the examples and the curve of the best fit with each number of hidden units.

use super::{BEST, UnitsSnapshot, UnitsSpec};
use crate::figure::{Axis, Curve, Figure, Hue, Marker, Panel, Point, Stroke, rounded};

/// Number of panels in a row.
const COLUMNS: usize = 2;
/// Room above and below the targets, relative to their range.
const ROOM: f64 = 0.15;

/// Returns a panel for each number of hidden units, with the examples and the mean of f under the fit with the best bound.
pub fn curves(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> Figure {
    let (examples, inputs) = (spec.curve(1).examples(), spec.inputs());
    let targets = examples.iter().map(|(_, t)| *t);
    let (low, high) = targets.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), t| (l.min(t), h.max(t)));
    let room = ROOM * (high - low).max(1e-3);
    let x = Axis::linear("input, x", (inputs[0], inputs[inputs.len() - 1]));
    let y = Axis::linear("output, f(x)", (low - room, high + room));
    let panel = |hidden: usize| {
        let is_flat = snapshot.best_is_constant(hidden) == Some(true);
        let title = format!("H = {hidden}{}", if is_flat { ": flat" } else { "" });
        Panel::new(hidden.to_string(), x.clone(), y.clone()).titled(title, BEST)
    };
    let mut figure = Figure::new("curves", "Best fit with each number of hidden units")
        .panels(COLUMNS, (1..=spec.most).map(panel));
    for hidden in 1..=spec.most {
        let points = examples.iter().map(|(x, t)| Point::new(*x, *t));
        let dots = Curve::new(format!("{hidden}_examples"), "examples", Hue::Ink).marker(Marker::Disc);
        let fit = snapshot.best_of_all(hidden).map(|row| {
            let points =
                inputs.iter().zip(&row.details.means).map(|(x, mean)| Point::new(*x, (*mean).into()));
            Curve::new(format!("{hidden}_fit"), format!("best fit, {}", row.method.label()), BEST)
                .stroke(Stroke::Solid)
                .points(points)
        });
        figure =
            figure.on(hidden - 1, [dots.points(points).unnamed()]).on(hidden - 1, fit.map(Curve::unnamed));
    }
    figure.caption("Lines: mean of f under the fit with the best bound.").summary(summary(spec, snapshot))
}

/// Returns a sentence on the mean squared error of the best fit with the fewest and with the most units.
fn summary(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> String {
    let error = |hidden: usize| Some(snapshot.best_of_all(hidden)?.details.train_mse);
    let all: Vec<(usize, f64)> =
        (1..=spec.most).filter_map(|hidden| Some((hidden, error(hidden)?))).collect();
    let Some((best, least)) = all.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)) else {
        return "No fit is done yet.".to_owned();
    };
    let (last, error) = all[all.len() - 1];
    format!(
        "Mean squared error on the examples: {} with {last} hidden units, smallest with {best} ({}).",
        rounded(error),
        rounded(least)
    )
}
