//! Bands: the area between two curves.

use plotters::style::Color;

use super::super::drawing::Shown;
use super::super::frame::Frame;
use super::super::pen::Pen;
use super::super::stroke::{Px, clip_area};
use crate::figure::Band;

/// How much of its colour a band has: what lies on it must be seen.
pub(super) const LIGHT: f64 = 0.2;

pub(super) fn band(pen: &Pen, frame: &Frame, band: &Band, shown: &Shown) {
    // On a log scale a band may reach below zero.
    let edge = |x: f64, y: f64| Some((frame.x.to_px(x)?, frame.y.to_px(y).unwrap_or(1e6)));
    let upper = band.intervals.iter().filter_map(|i| edge(i.x, i.upper));
    let lower = band.intervals.iter().rev().filter_map(|i| edge(i.x, i.lower));
    let outline: Vec<Px> = upper.chain(lower).collect();
    let inside = clip_area(&outline, &frame.plot);
    if inside.len() > 2 {
        pen.polygon(&inside, shown.ink(pen).mix(LIGHT));
    }
}
