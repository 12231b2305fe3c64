//! Bands between two curves.

use plotters::style::{Color, RGBAColor};

use super::super::drawing::StyledMark;
use super::super::geometry::PlotGeometry;
use super::super::pen::Pen;
use super::super::rect::Rect;
use super::super::stroke::{Px, clip, clip_area};
use crate::figure::{Band, Interval, Stroke};

/// Step between the lines of a hatched band, along x or y, and their width, in CSS pixels.
const HATCH_STEP: f64 = 7.0;
const HATCH_WIDTH: f64 = 1.1;
/// Width of the lines of an outlined band, in CSS pixels.
const EDGE_WIDTH: f64 = 0.9;

/// Draws a band.
pub(super) fn band(pen: &Pen, geometry: &PlotGeometry, band: &Band, styled: &StyledMark) {
    // On a logarithmic scale, a bound that is not positive is below the plot.
    let edge = |x: f64, y: f64| Some((geometry.x.to_px(x)?, geometry.y.to_px(y).unwrap_or(1e6)));
    let upper = || band.intervals.iter().filter_map(|i| edge(i.x, i.upper));
    let lower = || band.intervals.iter().filter_map(|i| edge(i.x, i.lower));
    let outline: Vec<Px> = upper().chain(lower().rev()).collect();
    let inside = clip_area(&outline, &geometry.plot);
    if inside.len() > 2 {
        fill(pen, &inside, band, styled.ink(pen));
    }
    if band.outlined {
        for run in
            clip(upper().map(Some), &geometry.plot).into_iter().chain(clip(lower().map(Some), &geometry.plot))
        {
            pen.line(&run, Stroke::Solid, EDGE_WIDTH, styled.ink(pen));
        }
    }
}

/// Returns the right end of the upper bound, or of the middle if `single`, or where it leaves the plot above or below it.
pub(super) fn end(geometry: &PlotGeometry, band: &Band, single: bool) -> Option<Px> {
    let plot = &geometry.plot;
    let inside = |x: &f64| (plot.left..=plot.right).contains(x);
    let height = |i: &Interval| if single { 0.5 * (i.lower + i.upper) } else { i.upper };
    let last = |i: &Interval| Some((geometry.x.to_px(i.x).filter(inside)?, geometry.y.to_px(height(i))?));
    let (x, y) = band.intervals.iter().rev().find_map(last)?;
    Some((x, y.clamp(plot.top, plot.bottom)))
}

/// Draws a sample of a band in an area, as dense as the band itself.
pub(super) fn sample(pen: &Pen, area: &Rect, band: &Band, ink: RGBAColor) {
    let Rect { left, top, right, bottom } = *area;
    fill(pen, &[(left, top), (right, top), (right, bottom), (left, bottom)], band, ink);
    if band.outlined {
        for y in [top, bottom] {
            pen.line(&[(left, y), (right, y)], Stroke::Solid, EDGE_WIDTH, ink);
        }
    }
}

/// Fills a polygon with the opacity and the hatching of a band.
fn fill(pen: &Pen, corners: &[Px], band: &Band, ink: RGBAColor) {
    pen.polygon(corners, ink.mix(pen.look.theme.area_opacity(band.opacity)));
    if band.hatched {
        for line in hatching(corners) {
            pen.line(&line, Stroke::Solid, HATCH_WIDTH, ink);
        }
    }
}

/// Returns the parts inside a polygon of parallel lines that run upwards to the right.
fn hatching(corners: &[Px]) -> Vec<[Px; 2]> {
    // On each line, x + y is constant.
    let sum = |p: Px| p.0 + p.1;
    let ends = corners.iter().map(|p| sum(*p));
    let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    let mut lines = Vec::new();
    let mut level = (low / HATCH_STEP).ceil() * HATCH_STEP;
    while level < high {
        let mut crossings: Vec<Px> = Vec::new();
        for (i, b) in corners.iter().enumerate() {
            let a = corners[(i + corners.len() - 1) % corners.len()];
            let (from, to) = (sum(a) - level, sum(*b) - level);
            if (from < 0.0) != (to < 0.0) {
                let t = from / (from - to);
                crossings.push((a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1)));
            }
        }
        crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
        lines.extend(crossings.chunks_exact(2).map(|ends| [ends[0], ends[1]]));
        level += HATCH_STEP;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hatching_lies_inside_and_skips_the_hole_of_a_bay() {
        // A U: two towers on a base.
        let bay = [
            (0.0, 0.0),
            (30.0, 0.0),
            (30.0, 40.0),
            (60.0, 40.0),
            (60.0, 0.0),
            (90.0, 0.0),
            (90.0, 60.0),
            (0.0, 60.0),
        ];
        let lines = hatching(&bay);
        assert!(lines.len() > 150.0_f64.div_euclid(HATCH_STEP) as usize, "{}", lines.len());
        for [a, b] in lines {
            assert!((a.0 + a.1 - b.0 - b.1).abs() < 1e-9, "a line at 45 degrees");
            let (x, y) = (0.5 * (a.0 + b.0), 0.5 * (a.1 + b.1));
            assert!(!(30.0 < x && x < 60.0 && y < 40.0), "({x}, {y}) is in the bay");
        }
    }
}
