//! Curves: lines, error bars and signs.

use plotters::style::RGBAColor;

use super::super::drawing::{Shown, Style};
use super::super::frame::Frame;
use super::super::pen::Pen;
use super::super::stroke::{Px, clip, thin};
use crate::figure::{Curve, Marker, Point, Stroke};

/// Radius of a sign.
pub(in crate::render) const SIGN: f64 = 3.0;

/// Width of the line of a curve: one that only joins measured points is thinner than one that is itself the result.
pub(in crate::render) fn line_width(marker: Option<Marker>, style: &Style) -> f64 {
    match marker {
        _ if style.thin.is_some() => 0.9,
        Some(_) => 1.2,
        None => 1.7,
    }
}

/// Radius of the signs of a mark.
pub(in crate::render) fn sign_radius(style: &Style) -> f64 {
    if style.thin.is_some() { 0.7 * SIGN } else { SIGN }
}

/// The line of a curve: that of the mark to compare it with, where it is one.
fn stroke(curve: &Curve, shown: &Shown) -> Option<Stroke> {
    shown.style.thin.or(curve.stroke)
}

pub(super) fn curve(pen: &Pen, frame: &Frame, curve: &Curve, shown: &Shown) {
    let ink = shown.ink(pen);
    if let Some(stroke) = stroke(curve, shown) {
        for run in runs(frame, curve) {
            pen.line(&thin(&run), stroke, line_width(curve.marker, shown.style), ink);
        }
    }
    for point in curve.points.iter().filter(|_| shown.style.thin.is_none()) {
        bar(pen, frame, point, curve.marker.is_some(), ink);
    }
    if let Some(marker) = curve.marker {
        for at in curve.points.iter().filter_map(|p| frame.to_px(p.x, p.y)) {
            sign(pen, marker, at, sign_radius(shown.style), ink);
        }
    }
}

fn runs(frame: &Frame, curve: &Curve) -> Vec<Vec<Px>> {
    let points = curve.points.iter().map(|p| Some((frame.x.to_px(p.x)?, frame.y.to_px(p.y)?)));
    clip(points, &frame.plot)
}

/// One standard error to either side, cut at the border of the plot; the cap says that the end is inside.
pub(super) fn bar(pen: &Pen, frame: &Frame, point: &Point, signed: bool, ink: RGBAColor) {
    let plot = &frame.plot;
    let Some(se) = point.se.filter(|se| se.is_finite() && *se > 0.0) else { return };
    let Some(x) = frame.x.to_px(point.x).filter(|x| *x >= plot.left - 0.5 && *x <= plot.right + 0.5) else {
        return;
    };
    let Some(upper) = frame.y.to_px(point.y + se) else { return };
    // On a log scale a bar may reach below zero.
    let lower = frame.y.to_px(point.y - se).unwrap_or(f64::MAX);
    let (top, bottom) = (upper.max(plot.top), lower.min(plot.bottom));
    // What the sign covers would only make its outline unclear.
    if bottom - top < if signed { 2.0 * SIGN + 1.0 } else { 1.0 } {
        return;
    }
    pen.line(&[(x, top), (x, bottom)], Stroke::Solid, 1.0, ink);
    for cap in [upper, lower] {
        if cap >= plot.top && cap <= plot.bottom {
            pen.line(&[(x - 2.5, cap), (x + 2.5, cap)], Stroke::Solid, 1.0, ink);
        }
    }
}

/// One sign. Those with corners are made as large to the eye as the disc.
pub(in crate::render) fn sign(pen: &Pen, marker: Marker, at: Px, radius: f64, ink: RGBAColor) {
    match outline(marker) {
        Outline::Disc => pen.circle(at, radius, None, ink),
        Outline::Ring(larger) => pen.circle(at, larger * radius, Some(1.2), ink),
        Outline::Corners(corners) => {
            let c: Vec<Px> =
                corners.iter().map(|(dx, dy)| (at.0 + radius * dx, at.1 + radius * dy)).collect();
            pen.polygon(&c, ink);
        }
    }
}

/// The shape of a sign of radius 1.
pub(in crate::render) enum Outline {
    /// Filled.
    Disc,
    /// Open, of that radius.
    Ring(f64),
    /// Filled, between these places.
    Corners(&'static [Px]),
}

pub(in crate::render) fn outline(marker: Marker) -> Outline {
    match marker {
        Marker::Disc => Outline::Disc,
        // A little larger, so that a disc at the same place is seen inside it.
        Marker::Circle => Outline::Ring(1.35),
        Marker::Square => Outline::Corners(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        Marker::Diamond => Outline::Corners(&[(0.0, -1.35), (1.25, 0.0), (0.0, 1.35), (-1.25, 0.0)]),
        Marker::Triangle => Outline::Corners(&[(0.0, -1.3), (1.2, 0.85), (-1.2, 0.85)]),
    }
}

/// The last visible place of a curve.
pub(super) fn end(frame: &Frame, curve: &Curve, shown: &Shown) -> Option<Px> {
    let line = stroke(curve, shown).and_then(|_| runs(frame, curve).last().and_then(|r| r.last().copied()));
    let signs = || curve.points.iter().rev().find_map(|p| frame.to_px(p.x, p.y));
    line.or_else(signs)
}
