//! Draws marks: one file for each kind of mark.

mod band;
mod bars;
mod curve;
mod grid;
mod lines;
mod points;

pub(super) use bars::rect as bar_rect;
pub(super) use curve::{Outline, SIGN, line_width, outline, sign, sign_radius};
pub(super) use grid::{cells, contours, missing, scale, scale_names};

use plotters::style::{Color, RGBAColor};

use super::drawing::Shown;
use super::frame::{Frame, Rect};
use super::layout::KEY;
use super::pen::Pen;
use super::stroke::Px;
use crate::figure::{Hue, Mark, Marker, Stroke};

/// How much is left of the colour of what belongs to other settings.
const FAINT: f64 = 0.3;

impl Shown<'_> {
    /// A colour, faint where the mark is.
    pub(super) fn tint(&self, pen: &Pen, hue: Hue) -> RGBAColor {
        pen.look.theme.hue(hue).mix(if self.style.faint { FAINT } else { 1.0 })
    }

    /// Its own colour.
    pub(super) fn ink(&self, pen: &Pen) -> RGBAColor {
        self.tint(pen, self.mark.entry().hue)
    }
}

/// Draws one mark of the plane; what is outside the plot is cut off at its border.
pub(super) fn mark(pen: &Pen, frame: &Frame, shown: &Shown) {
    match shown.mark {
        Mark::Curve(curve) => curve::curve(pen, frame, curve, shown),
        Mark::Points(points) => points::points(pen, frame, points, shown),
        Mark::Band(band) => band::band(pen, frame, band, shown),
        Mark::Bars(bars) => bars::bars(pen, frame, bars, shown),
        Mark::Grid(grid) => grid::map(pen, frame, grid, shown),
        Mark::Segments(segments) => lines::segments(pen, frame, segments, shown),
        Mark::Ellipses(ellipses) => lines::ellipses(pen, frame, ellipses, shown),
        // These are drawn in space.
        Mark::Cloud(_) | Mark::Tube(_) => {}
    }
}

/// The line and the sign that stand for a mark.
pub(super) fn sample(mark: &Mark) -> (Option<Stroke>, Option<Marker>) {
    match mark {
        Mark::Curve(curve) => (curve.stroke, curve.marker),
        Mark::Cloud(cloud) => (cloud.stroke, cloud.marker),
        Mark::Points(points) => (None, Some(points.marker)),
        Mark::Segments(segments) => (Some(segments.stroke), None),
        Mark::Ellipses(_) | Mark::Tube(_) => (None, Some(Marker::Circle)),
        Mark::Band(_) | Mark::Bars(_) | Mark::Grid(_) => (None, Some(Marker::Square)),
    }
}

/// A sample of the mark, to the right of `at`.
pub(super) fn key(pen: &Pen, shown: &Shown, at: Px) {
    let ink = shown.ink(pen);
    if let Mark::Band(_) | Mark::Bars(_) = shown.mark {
        let area = Rect { left: at.0, top: at.1 - 4.0, right: at.0 + KEY, bottom: at.1 + 4.0 };
        return pen.fill(&area, ink.mix(if matches!(shown.mark, Mark::Bars(_)) { 0.4 } else { 0.25 }));
    }
    let (stroke, marker) = sample(shown.mark);
    if let Some(stroke) = shown.style.thin.or(stroke) {
        pen.line(&[at, (at.0 + KEY, at.1)], stroke, line_width(marker, shown.style), ink);
    }
    if let Some(marker) = marker {
        sign(pen, marker, (at.0 + 0.5 * KEY, at.1), sign_radius(shown.style), ink);
    }
}

/// Whether it is named beside the plot: a map is named at its scale.
pub(super) fn named(shown: &Shown) -> bool {
    !shown.name().is_empty() && !matches!(shown.mark, Mark::Grid(_))
}

/// The place that its name belongs to: the last visible one.
pub(super) fn end(frame: &Frame, shown: &Shown) -> Option<Px> {
    let place = |i: usize| {
        let datum = shown.mark.datum(i)?;
        match (datum.z, frame.inside) {
            (Some(z), super::frame::Inside::Space(space)) => {
                space.place([datum.x, datum.y, z]).map(|(at, _)| at)
            }
            _ => frame.to_px(datum.x, datum.y),
        }
    };
    match shown.mark {
        Mark::Curve(curve) => curve::end(frame, curve, shown),
        mark => (0..mark.len()).rev().find_map(place),
    }
}
