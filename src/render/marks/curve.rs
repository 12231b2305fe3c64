//! Curves: lines, error bars and markers.

use plotters::style::{Color, RGBAColor};

use super::super::drawing::{MarkStyle, StyledMark};
use super::super::geometry::PlotGeometry;
use super::super::pen::Pen;
use super::super::stroke::{Px, clip};
use crate::figure::{Curve, Marker, Point, Stroke};

/// Radius of a marker.
pub(in crate::render) const MARKER_RADIUS: f64 = 3.0;

/// Width of the rim of a marker, in CSS pixels.
const RIM: f64 = 1.8;
/// Width of the outline of paper around a marker, in CSS pixels.
const OUTLINE: f64 = 0.8;
/// Maximum number of markers of a mark with an outline.
const MAX_OUTLINED: usize = 300;

/// Returns the width of the line of a curve. A line that only joins markers is thinner.
pub(in crate::render) fn line_width(marker: Option<Marker>, style: &MarkStyle) -> f64 {
    match marker {
        _ if style.thin.is_some() => 1.3,
        Some(_) => 1.2,
        None => 1.7,
    }
}

/// Returns the radius of the markers of a mark.
pub(in crate::render) fn marker_radius(style: &MarkStyle) -> f64 {
    if style.thin.is_some() { 0.7 * MARKER_RADIUS } else { MARKER_RADIUS }
}

/// Returns the line style of a curve, if it has a line.
fn stroke(curve: &Curve, styled: &StyledMark) -> Option<Stroke> {
    curve.stroke.map(|stroke| styled.style.stroke(stroke))
}

/// Draws a curve.
pub(super) fn curve(pen: &Pen, geometry: &PlotGeometry, curve: &Curve, styled: &StyledMark) {
    let ink = styled.ink(pen);
    if let Some(stroke) = stroke(curve, styled) {
        for run in runs(geometry, curve) {
            pen.line(&run, stroke, line_width(curve.marker, styled.style), ink);
        }
    }
    for point in curve.points.iter().filter(|_| styled.style.thin.is_none()) {
        error_bar(pen, geometry, point, curve.marker.is_some(), ink);
    }
    if let Some(kind) = curve.marker {
        let centres = curve.points.iter().filter_map(|p| geometry.to_px(p.x, p.y));
        let all: Vec<_> = centres.map(|at| (at, marker_radius(styled.style), ink)).collect();
        markers(pen, kind, &all);
    }
}

/// Returns the parts of the line inside the plot.
fn runs(geometry: &PlotGeometry, curve: &Curve) -> Vec<Vec<Px>> {
    let points = curve.points.iter().map(|p| Some((geometry.x.to_px(p.x)?, geometry.y.to_px(p.y)?)));
    clip(points, &geometry.plot)
}

/// Draws one standard error to either side, clipped at the border of the plot. An end inside the plot has a cap.
pub(super) fn error_bar(pen: &Pen, geometry: &PlotGeometry, point: &Point, has_marker: bool, ink: RGBAColor) {
    let plot = &geometry.plot;
    let Some(se) = point.se.filter(|se| se.is_finite() && *se > 0.0) else { return };
    let Some(x) = geometry.x.to_px(point.x).filter(|x| *x >= plot.left - 0.5 && *x <= plot.right + 0.5)
    else {
        return;
    };
    let Some(upper) = geometry.y.to_px(point.y + se) else { return };
    // On a logarithmic scale, a lower end that is not positive is below the plot.
    let lower = geometry.y.to_px(point.y - se).unwrap_or(f64::MAX);
    let (top, bottom) = (upper.max(plot.top), lower.min(plot.bottom));
    // A bar covered by the marker would only blur its outline.
    if bottom - top < if has_marker { 2.0 * MARKER_RADIUS + 1.0 } else { 1.0 } {
        return;
    }
    pen.down(x, (top, bottom), 1.0, ink);
    for cap in [upper, lower] {
        if cap >= plot.top && cap <= plot.bottom {
            pen.across((x - 2.0, x + 2.0), cap, 1.0, ink);
        }
    }
}

/// Draws the markers of a mark, each with an outline of paper, which separates it from lines and other markers. More than [`MAX_OUTLINED`] have
/// none: where they lie over each other, the outlines would hide them.
pub(super) fn markers(pen: &Pen, kind: Marker, all: &[(Px, f64, RGBAColor)]) {
    for (at, radius, ink) in all {
        if all.len() <= MAX_OUTLINED {
            paper_outline(pen, kind, *at, *radius, pen.look.theme.paper().mix(ink.3));
        }
        marker(pen, kind, *at, *radius, *ink);
    }
}

/// Draws the area of a marker and of its outline in the colour of the paper.
fn paper_outline(pen: &Pen, kind: Marker, at: Px, radius: f64, paper: RGBAColor) {
    match outline(kind) {
        MarkerOutline::Disc => pen.circle(at, radius + OUTLINE, None, paper),
        // Outside only: inside it may be another marker.
        MarkerOutline::Ring { radius: larger, width } => {
            pen.circle(at, larger * radius + 0.5 * (width + OUTLINE), Some(OUTLINE), paper);
        }
        // It has a rim.
        MarkerOutline::Rimmed(_) => {}
        MarkerOutline::Corners(_) => marker(pen, kind, at, radius + 1.3 * OUTLINE, paper),
    }
}

/// Draws a marker.
pub(in crate::render) fn marker(pen: &Pen, kind: Marker, at: Px, radius: f64, ink: RGBAColor) {
    match outline(kind) {
        MarkerOutline::Disc => pen.circle(at, radius, None, ink),
        MarkerOutline::Ring { radius: larger, width } => pen.circle(at, larger * radius, Some(width), ink),
        MarkerOutline::Rimmed(larger) => {
            let rim = pen.look.theme.paper().to_rgba();
            pen.circle(at, larger * radius + RIM, None, rim);
            pen.circle(at, larger * radius, None, ink);
        }
        MarkerOutline::Corners(corners) => {
            let c: Vec<Px> =
                corners.iter().map(|(dx, dy)| (at.0 + radius * dx, at.1 + radius * dy)).collect();
            pen.polygon(&c, ink);
        }
    }
}

/// Outline of a marker of radius 1. Polygons appear as large as the disc.
pub(in crate::render) enum MarkerOutline {
    /// Filled circle.
    Disc,
    /// Open circle of that radius, with a line of that width in CSS pixels.
    Ring { radius: f64, width: f64 },
    /// Filled circle of that radius with a rim of paper.
    Rimmed(f64),
    /// Filled polygon with these corners.
    Corners(&'static [Px]),
}

/// Returns the outline of a marker.
pub(in crate::render) fn outline(kind: Marker) -> MarkerOutline {
    match kind {
        Marker::Disc => MarkerOutline::Disc,
        // Larger, so that a disc at the same place is visible inside.
        Marker::Circle => MarkerOutline::Ring { radius: 1.35, width: 1.2 },
        Marker::Ring => MarkerOutline::Ring { radius: 2.2, width: 1.8 },
        Marker::Rimmed => MarkerOutline::Rimmed(1.6),
        Marker::Square => MarkerOutline::Corners(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        Marker::Diamond => MarkerOutline::Corners(&[(0.0, -1.35), (1.25, 0.0), (0.0, 1.35), (-1.25, 0.0)]),
        Marker::Triangle => MarkerOutline::Corners(&[(0.0, -1.3), (1.2, 0.85), (-1.2, 0.85)]),
    }
}

/// Returns the last visible point of a curve.
pub(super) fn end(geometry: &PlotGeometry, curve: &Curve, styled: &StyledMark) -> Option<Px> {
    let line =
        stroke(curve, styled).and_then(|_| runs(geometry, curve).last().and_then(|r| r.last().copied()));
    // Scattered points have no end.
    let is_series = || curve.points.is_sorted_by_key(|point| point.x);
    let markers = || curve.points.iter().rev().find_map(|p| geometry.to_px(p.x, p.y));
    line.or_else(|| is_series().then(markers).flatten())
}
