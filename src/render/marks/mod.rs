//! Drawing of marks, one file per kind.

mod band;
mod bars;
mod contour;
mod curve;
mod grid;
mod lines;
mod points;

pub(super) use contour::contours;
pub(super) use curve::{MARKER_RADIUS, MarkerOutline, line_width, marker, marker_radius, outline};
pub(super) use grid::{STEPS, cells, filled_in, has_centre, missing, paint};

use plotters::style::{Color, RGBAColor};

use super::drawing::StyledMark;
use super::geometry::{Coordinates, PlotGeometry};
use super::pen::Pen;
use super::rect::Rect;
use super::stroke::Px;
use crate::figure::{Hue, Mark, Marker, Stroke};

/// Length of the sample of a line before a name.
pub(super) const SAMPLE: f64 = 20.0;
/// Opacity of marks that belong to other settings.
const FAINT: f64 = 0.3;
/// Opacity of points without a value among points that show values.
const NO_VALUE: f64 = 0.4;

impl StyledMark<'_> {
    /// Returns a colour, faint if the mark is.
    pub(super) fn tint(&self, pen: &Pen, hue: Hue) -> RGBAColor {
        pen.look.theme.hue(hue).mix(if self.style.faint { FAINT } else { 1.0 })
    }

    /// Returns the colour of a point: that of its value if the points show values, grey without one, or else that of the mark.
    pub(super) fn point_ink(&self, pen: &Pen, index: usize) -> RGBAColor {
        let Some(shades) = self.mark.shades().filter(|_| self.style.thin.is_none()) else {
            return self.ink(pen);
        };
        self.shade(pen, shades.fraction(index))
    }

    /// Returns the colour at a fraction of the scale of values; grey without a value.
    fn shade(&self, pen: &Pen, fraction: Option<f64>) -> RGBAColor {
        let theme = pen.look.theme;
        let colour = fraction.map_or(theme.ink().mix(NO_VALUE), |fraction| theme.shade(fraction).mix(1.0));
        colour.mix(if self.style.faint { FAINT } else { 1.0 })
    }

    /// Returns the colour of the mark.
    pub(super) fn ink(&self, pen: &Pen) -> RGBAColor {
        self.tint(pen, self.mark.info().hue)
    }
}

/// Draws a map, whose labels keep off the `markers`, or another mark of the plane.
pub(super) fn draw_map(pen: &Pen, geometry: &PlotGeometry, styled: &StyledMark, markers: &[Px]) {
    match styled.mark {
        Mark::Grid(grid) => grid::map(pen, geometry, grid, styled, markers),
        _ => draw(pen, geometry, styled),
    }
}

/// Returns the places of the markers of a mark within the plot, in CSS pixels.
pub(super) fn markers(geometry: &PlotGeometry, mark: &Mark) -> Vec<Px> {
    match mark {
        Mark::Curve(_) | Mark::Points(_) if line_and_marker(mark).1.is_some() => {
            mark.data().filter_map(|datum| geometry.to_px(datum.x, datum.y)).collect()
        }
        _ => Vec::new(),
    }
}

/// Draws a mark of the plane, clipped at the border of the plot.
pub(super) fn draw(pen: &Pen, geometry: &PlotGeometry, styled: &StyledMark) {
    match styled.mark {
        Mark::Curve(curve) => curve::curve(pen, geometry, curve, styled),
        Mark::Points(points) => points::points(pen, geometry, points, styled),
        Mark::Band(band) => band::band(pen, geometry, band, styled),
        Mark::Bars(bars) => bars::bars(pen, geometry, bars, styled),
        Mark::Grid(grid) => grid::map(pen, geometry, grid, styled, &[]),
        Mark::Segments(segments) => lines::segments(pen, geometry, segments, styled),
        Mark::Ellipses(ellipses) => lines::ellipses(pen, geometry, ellipses, styled),
        Mark::Threads(threads) => lines::threads(pen, geometry, threads, styled),
        // These are drawn in space.
        Mark::Cloud(_) | Mark::Tube(_) => {}
    }
}

/// Returns line style and marker of the sample of a mark.
pub(super) fn line_and_marker(mark: &Mark) -> (Option<Stroke>, Option<Marker>) {
    match mark {
        Mark::Curve(curve) => (curve.stroke, curve.marker),
        Mark::Cloud(cloud) => (cloud.stroke, cloud.marker),
        Mark::Points(points) => (None, Some(points.marker)),
        Mark::Segments(segments) => (Some(segments.stroke), None),
        Mark::Threads(_) => (Some(Stroke::Solid), None),
        Mark::Ellipses(_) | Mark::Tube(_) => (None, Some(Marker::Circle)),
        Mark::Band(_) | Mark::Bars(_) | Mark::Grid(_) => (None, Some(Marker::Square)),
    }
}

/// Draws a sample of the mark to the right of `at`.
pub(super) fn sample(pen: &Pen, styled: &StyledMark, at: Px) {
    let ink = styled.ink(pen);
    let area = Rect { left: at.0, top: at.1 - 4.0, right: at.0 + SAMPLE, bottom: at.1 + 4.0 };
    match styled.mark {
        Mark::Band(band) => return band::sample(pen, &area, band, ink),
        Mark::Bars(_) => return pen.fill(&area, ink.mix(0.4)),
        Mark::Tube(_) => {
            pen.fill(&area, ink.mix(0.12));
            for y in [area.top, area.bottom] {
                pen.line(&[(area.left, y), (area.right, y)], Stroke::Solid, 0.9, ink.mix(0.5));
            }
            return;
        }
        Mark::Threads(threads) => {
            return lines::thread(pen, &[at, (at.0 + SAMPLE, at.1)], threads.threads.len(), ink);
        }
        _ => {}
    }
    let (stroke, kind) = line_and_marker(styled.mark);
    if let Some(stroke) = stroke.map(|stroke| styled.style.stroke(stroke)) {
        pen.line(&[at, (at.0 + SAMPLE, at.1)], stroke, line_width(kind, styled.style), ink);
    }
    let Some(kind) = kind else { return };
    let radius = marker_radius(styled.style);
    let shaded = styled.mark.shades().is_some_and(|shades| !shades.values.is_empty());
    if shaded && styled.style.thin.is_none() {
        for place in [0.0, 0.5, 1.0] {
            let x = at.0 + radius + place * (SAMPLE - 2.0 * radius);
            marker(pen, kind, (x, at.1), radius, styled.shade(pen, Some(place)));
        }
    } else {
        marker(pen, kind, (at.0 + 0.5 * SAMPLE, at.1), radius, styled.point_ink(pen, 0));
    }
}

/// Returns true if it is named beside the plot; a map is named at its colour scale.
pub(super) fn is_named(styled: &StyledMark) -> bool {
    !styled.name().is_empty() && !matches!(styled.mark, Mark::Grid(_))
}

/// Returns the last visible point of a mark, to which its name belongs; none of threads, whose name stands with their mean. That of a band
/// is at its upper bound, or in its middle if it is the only one.
pub(super) fn end(geometry: &PlotGeometry, styled: &StyledMark, single_band: bool) -> Option<Px> {
    let position = |i: usize| {
        let datum = styled.mark.datum(i)?;
        match (datum.z, &geometry.coordinates) {
            (Some(z), Coordinates::Space(space)) => space.project([datum.x, datum.y, z]).map(|(at, _)| at),
            _ => geometry.to_px(datum.x, datum.y),
        }
    };
    match styled.mark {
        Mark::Curve(curve) => curve::end(geometry, curve, styled),
        Mark::Threads(_) => None,
        Mark::Band(band) => band::end(geometry, band, single_band),
        mark => (0..mark.len()).rev().find_map(position),
    }
}
