//! The large map as the difference from the exact posterior.

use super::plane::{axes, handles, plane, points};
use super::{MethodRow, PlaySpec};
use crate::data::thousands;
use crate::figure::{Colours, Curve, Figure, Grid, Hue, Marker, Point};
use crate::lab::Checked;

/// Smallest end of the colour scale.
const MIN_SCALE: f64 = 0.01;

/// Returns the differences p − p(exact) of the method in place of its map, with the largest marked; the points alone before there are both
/// maps.
pub fn error_map(
    spec: &Checked<PlaySpec>,
    row: &MethodRow,
    methods: &[MethodRow],
    truth: Option<&MethodRow>,
) -> Figure {
    let Some((truth, (largest, se))) = truth.and_then(|truth| Some((truth, row.difference(truth)?))) else {
        let reason = row.failed.as_ref().map(|why| format!("{}: {why}.", row.method.label()));
        let waiting = || "The exact posterior is being sampled.".to_owned();
        return error_points(row).finding_and_summary(reason.unwrap_or_else(waiting));
    };
    let label = format!("p({}) − p(exact)", row.method.short());
    let map =
        Grid::map("error", label, row.columns, row.errors(truth), plane(), error_colours(methods, truth));
    let worst = map.values.iter().position(|d| f64::from(d.abs()) == largest);
    let place = worst.map(|cell| map.centre(cell % row.columns, cell / row.columns));
    let sign = if worst.is_some_and(|cell| map.values[cell] < 0.0) { "too low" } else { "too high" };
    let se = se.map_or(String::new(), |se| format!(" (Monte Carlo s.e. {se:.3})"));
    let ring = Curve::new("worst", "largest error", Hue::Ink).marker(Marker::Ring);
    let name = row.method.label();
    empty_map(row)
        .finding_and_summary(format!("{name}: at the ring the probability of +1 is {sign} by {largest:.3}{se}, more than anywhere else on the map."))
        .caption(format!(
            "p({}) − p(exact): orange where the probability of +1 is too high, blue where too low, on the scale of the maps of all \
             methods below. The exact posterior is sampled by {} draws; sampling alone gives a few standard errors.",
            row.method.short(),
            thousands(spec.draws)
        ))
        .summary(format!("{name} differs from the exact probability of +1 by at most {largest:.3}."))
        .marks([map.smooth()])
        .marks(points(row))
        .mark(ring.points(place.map(|(x, y)| Point::new(x, y))))
}

/// Returns the points alone, which can be edited.
pub fn error_points(row: &MethodRow) -> Figure {
    empty_map(row).marks(points(row))
}

/// Returns the plane with the handles of the points.
fn empty_map(row: &MethodRow) -> Figure {
    let (x, y) = axes();
    let title = format!("Error of {} against exact", row.method.label());
    Figure::new("map", title).x(x).y(y).equal().handles(handles(row))
}

/// Returns the colour scale of the differences of all methods.
pub fn error_colours(methods: &[MethodRow], truth: &MethodRow) -> Colours {
    let far = methods.iter().filter_map(|row| Some(row.difference(truth)?.0));
    let most = far.fold(MIN_SCALE, f64::max) as f32;
    Colours::Diverging { low: -most, centre: 0.0, high: most }
}
