//! Curves, their error bars and signs, and their names.

use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBAColor};

use super::DrawError;
use super::frame::Frame;
use super::labels::place;
use super::layout::{KEY, KEY_GAP, LEAD, Layout, Names, room, wish};
use super::pen::{Font, Pen};
use super::stroke::{Px, clip, thin};
use crate::figure::{Curve, Marker, Point, Stroke};

/// How much is left of the colour of what belongs to other settings.
const STALE: f64 = 0.3;
/// Radius of a sign.
const SIGN: f64 = 3.0;

/// Width of the line of a curve: one that only joins measured points is thinner than one that is itself the result.
pub(super) fn line_width(curve: &Curve) -> f64 {
    match curve.marker {
        _ if curve.thin => 0.9,
        Some(_) => 1.2,
        None => 1.7,
    }
}

/// Radius of the signs of a curve.
fn sign_radius(curve: &Curve) -> f64 {
    if curve.thin { 0.7 * SIGN } else { SIGN }
}

fn colour(pen: &Pen, curve: &Curve) -> RGBAColor {
    pen.look.theme.hue(curve.hue).mix(if curve.stale { STALE } else { 1.0 })
}

/// Draws one curve; what is outside the plot is cut off at its border.
pub(super) fn curve(pen: &Pen, frame: &Frame, curve: &Curve) -> Result<(), DrawError> {
    let ink = colour(pen, curve);
    if let Some(stroke) = curve.stroke {
        for run in runs(frame, curve) {
            pen.line(&thin(&run), stroke, line_width(curve), ink)?;
        }
    }
    for point in curve.points.iter().filter(|_| !curve.thin) {
        bar(pen, frame, point, curve.marker.is_some(), ink)?;
    }
    if let Some(marker) = curve.marker {
        for at in curve.points.iter().filter_map(|p| frame.to_px(p.x, p.y)) {
            sign(pen, marker, at, sign_radius(curve), ink)?;
        }
    }
    Ok(())
}

fn runs(frame: &Frame, curve: &Curve) -> Vec<Vec<Px>> {
    let points = curve.points.iter().map(|p| Some((frame.x.to_px(p.x)?, frame.y.to_px(p.y)?)));
    clip(points, &frame.plot)
}

/// One standard error to either side, cut at the border of the plot; the cap says that the end is inside.
fn bar(pen: &Pen, frame: &Frame, point: &Point, signed: bool, ink: RGBAColor) -> Result<(), DrawError> {
    let plot = &frame.plot;
    let Some(se) = point.se.filter(|se| se.is_finite() && *se > 0.0) else { return Ok(()) };
    let Some(x) = frame.x.to_px(point.x).filter(|x| *x >= plot.left - 0.5 && *x <= plot.right + 0.5) else {
        return Ok(());
    };
    let Some(upper) = frame.y.to_px(point.y + se) else { return Ok(()) };
    // On a log scale a bar may reach below zero.
    let lower = frame.y.to_px(point.y - se).unwrap_or(f64::MAX);
    let (top, bottom) = (upper.max(plot.top), lower.min(plot.bottom));
    // What the sign covers would only make its outline unclear.
    if bottom - top < if signed { 2.0 * SIGN + 1.0 } else { 1.0 } {
        return Ok(());
    }
    pen.line(&[(x, top), (x, bottom)], Stroke::Solid, 1.0, ink)?;
    for cap in [upper, lower] {
        if cap >= plot.top && cap <= plot.bottom {
            pen.line(&[(x - 2.5, cap), (x + 2.5, cap)], Stroke::Solid, 1.0, ink)?;
        }
    }
    Ok(())
}

/// One sign. Those with corners are made as large to the eye as the disc.
fn sign(pen: &Pen, marker: Marker, at: Px, radius: f64, ink: RGBAColor) -> Result<(), DrawError> {
    match outline(marker) {
        Outline::Disc => pen.circle(at, radius, None, ink),
        Outline::Ring(larger) => pen.circle(at, larger * radius, Some(1.2), ink),
        Outline::Corners(corners) => {
            let c: Vec<Px> =
                corners.iter().map(|(dx, dy)| (at.0 + radius * dx, at.1 + radius * dy)).collect();
            pen.polygon(&c, ink)
        }
    }
}

/// The shape of a sign of radius 1.
pub(super) enum Outline {
    /// Filled.
    Disc,
    /// Open, of that radius.
    Ring(f64),
    /// Filled, between these places.
    Corners(&'static [Px]),
}

pub(super) fn outline(marker: Marker) -> Outline {
    match marker {
        Marker::Disc => Outline::Disc,
        // A little larger, so that a disc at the same place is seen inside it.
        Marker::Circle => Outline::Ring(1.35),
        Marker::Square => Outline::Corners(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        Marker::Diamond => Outline::Corners(&[(0.0, -1.35), (1.25, 0.0), (0.0, 1.35), (-1.25, 0.0)]),
        Marker::Triangle => Outline::Corners(&[(0.0, -1.3), (1.2, 0.85), (-1.2, 0.85)]),
    }
}

/// A sample of the line and the sign, to the right of `at`.
fn key(pen: &Pen, curve: &Curve, at: Px) -> Result<(), DrawError> {
    let ink = colour(pen, curve);
    if let Some(stroke) = curve.stroke {
        pen.line(&[at, (at.0 + KEY, at.1)], stroke, line_width(curve), ink)?;
    }
    match curve.marker {
        Some(marker) => sign(pen, marker, (at.0 + 0.5 * KEY, at.1), sign_radius(curve), ink),
        None => Ok(()),
    }
}

/// Writes the names of the curves where the layout has put them.
pub(super) fn names(pen: &Pen, layout: &Layout, curves: &[Curve]) -> Result<(), DrawError> {
    let font = layout.font.name;
    match &layout.names {
        Names::Above(items) => {
            for (i, x, y, text) in items {
                key(pen, &curves[*i], (*x, *y))?;
                name(pen, &curves[*i], text, (x + KEY + KEY_GAP, *y), font)?;
            }
            Ok(())
        }
        Names::Beside(items) => beside(pen, layout, curves, items),
    }
}

fn name(pen: &Pen, curve: &Curve, text: &str, at: Px, font: Font) -> Result<(), DrawError> {
    let ink = pen.look.theme.ink().mix(if curve.stale { 0.6 } else { 1.0 });
    pen.text(text, at, font, HPos::Left, ink)
}

/// The last visible place of a curve.
fn end(frame: &Frame, curve: &Curve) -> Option<Px> {
    let of_line = curve.stroke.and_then(|_| runs(frame, curve).last().and_then(|r| r.last().copied()));
    let of_signs = || curve.points.iter().rev().find_map(|p| frame.to_px(p.x, p.y));
    of_line.or_else(of_signs)
}

fn beside(
    pen: &Pen,
    layout: &Layout,
    curves: &[Curve],
    items: &[(usize, Vec<String>)],
) -> Result<(), DrawError> {
    let (frame, font) = (&layout.frame, layout.font.name);
    let here: Vec<(&Curve, &[String], Px)> = items
        .iter()
        .filter_map(|(i, lines)| Some((&curves[*i], lines.as_slice(), end(frame, &curves[*i])?)))
        .collect();
    let wishes: Vec<_> = here.iter().map(|(_, lines, end)| wish(end.1, lines.len(), font)).collect();
    // The layout has made sure that there is room for all.
    let Some(at) = place(&wishes, room(frame.size.1)) else { return Ok(()) };
    let x = frame.plot.right + layout.scale + LEAD;
    for ((curve, lines, end), y) in here.into_iter().zip(at) {
        if (y - end.1).abs() > 5.0 && frame.plot.right - end.0 < 40.0 {
            let from = (end.0 + 1.35 * SIGN, end.1);
            let ink = colour(pen, curve);
            pen.line(&[from, (x - 2.0, y)], Stroke::Solid, 0.7, ink.mix(0.6))?;
        }
        key(pen, curve, (x, y))?;
        let first = y - 0.5 * (lines.len() as f64 - 1.0) * font.leading();
        for (k, line) in lines.iter().enumerate() {
            let at = (x + KEY + KEY_GAP, first + k as f64 * font.leading());
            name(pen, curve, line, at, font)?;
        }
    }
    Ok(())
}
