//! Segments, ellipses and threads.

use plotters::style::{Color, RGBAColor};

use super::super::drawing::StyledMark;
use super::super::geometry::PlotGeometry;
use super::super::pen::Pen;
use super::super::stroke::{Px, clip, clip_area};
use super::curve::line_width;
use crate::figure::{Ellipses, Segments, Stroke, Threads};

/// Number of points of an ellipse.
const POINTS: usize = 64;
/// Width of thin segments.
const THIN: f64 = 1.0;
/// Width of a thread.
const THREAD_WIDTH: f64 = 0.8;

/// Draws lines of straight segments.
pub(super) fn segments(pen: &Pen, geometry: &PlotGeometry, mark: &Segments, styled: &StyledMark) {
    let stroke = styled.style.stroke(mark.stroke);
    let width = if mark.thin { THIN } else { line_width(None, styled.style) };
    for line in &mark.lines {
        let points = line.iter().map(|(x, y)| Some((geometry.x.to_px(*x)?, geometry.y.to_px(*y)?)));
        for run in clip(points, &geometry.plot) {
            pen.line(&run, stroke, width, styled.ink(pen));
        }
    }
}

/// Draws ellipses.
pub(super) fn ellipses(pen: &Pen, geometry: &PlotGeometry, mark: &Ellipses, styled: &StyledMark) {
    let ink = styled.ink(pen);
    for ellipse in &mark.ellipses {
        let to_px = |(x, y): (f64, f64)| Some((geometry.x.to_px(x)?, geometry.y.to_px(y)?));
        let outline: Vec<Option<Px>> = ellipse.outline(mark.level, POINTS).map(to_px).collect();
        if mark.filled && styled.style.thin.is_none() {
            let inside = clip_area(&outline.iter().flatten().copied().collect::<Vec<_>>(), &geometry.plot);
            if inside.len() > 2 {
                pen.polygon(&inside, ink.mix(0.15));
            }
        }
        let closed = outline.iter().chain(outline.first()).copied();
        for run in clip(closed, &geometry.plot) {
            pen.line(&run, styled.style.stroke(mark.stroke), 1.3, ink);
        }
    }
}

/// Draws threads.
pub(super) fn threads(pen: &Pen, geometry: &PlotGeometry, mark: &Threads, styled: &StyledMark) {
    let ink = styled.ink(pen);
    for line in &mark.threads {
        let points = line.points.iter().map(|(x, y)| Some((geometry.x.to_px(*x)?, geometry.y.to_px(*y)?)));
        for run in clip(points, &geometry.plot) {
            thread(pen, &run, mark.threads.len(), ink);
        }
    }
}

/// Draws one of `count` threads.
pub(super) fn thread(pen: &Pen, run: &[Px], count: usize, ink: RGBAColor) {
    pen.line(run, Stroke::Solid, THREAD_WIDTH, ink.mix(pen.look.theme.thread_opacity(count)));
}
