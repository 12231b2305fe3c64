//! Segments and ellipses.

use plotters::style::Color;

use super::super::drawing::Shown;
use super::super::frame::Frame;
use super::super::pen::Pen;
use super::super::stroke::{Px, clip, clip_area};
use super::curve::line_width;
use crate::figure::{Ellipses, Segments};

/// Places around an ellipse.
const AROUND: usize = 64;

pub(super) fn segments(pen: &Pen, frame: &Frame, mark: &Segments, shown: &Shown) {
    let stroke = shown.style.thin.unwrap_or(mark.stroke);
    for ends in &mark.segments {
        for run in clip(ends.map(|(x, y)| Some((frame.x.to_px(x)?, frame.y.to_px(y)?))), &frame.plot) {
            pen.line(&run, stroke, line_width(None, shown.style), shown.ink(pen));
        }
    }
}

pub(super) fn ellipses(pen: &Pen, frame: &Frame, mark: &Ellipses, shown: &Shown) {
    let ink = shown.ink(pen);
    for ellipse in &mark.ellipses {
        let place = |(x, y): (f64, f64)| Some((frame.x.to_px(x)?, frame.y.to_px(y)?));
        let outline: Vec<Option<Px>> = ellipse.outline(mark.level, AROUND).map(place).collect();
        if mark.filled && shown.style.thin.is_none() {
            let inside = clip_area(&outline.iter().flatten().copied().collect::<Vec<_>>(), &frame.plot);
            if inside.len() > 2 {
                pen.polygon(&inside, ink.mix(0.15));
            }
        }
        let closed = outline.iter().chain(outline.first()).copied();
        for run in clip(closed, &frame.plot) {
            pen.line(&run, shown.style.thin.unwrap_or(mark.stroke), 1.3, ink);
        }
    }
}
