//! Bands between two curves.

use plotters::style::Color;

use super::super::drawing::StyledMark;
use super::super::frame::Frame;
use super::super::pen::Pen;
use super::super::stroke::{Px, clip_area};
use crate::figure::Band;

/// Opacity of a band; marks on it must be visible.
const LIGHT: f64 = 0.2;

/// Draws a band.
pub(super) fn band(pen: &Pen, frame: &Frame, band: &Band, styled: &StyledMark) {
    // On a logarithmic scale, a bound that is not positive is below the plot.
    let edge = |x: f64, y: f64| Some((frame.x.to_px(x)?, frame.y.to_px(y).unwrap_or(1e6)));
    let upper = band.intervals.iter().filter_map(|i| edge(i.x, i.upper));
    let lower = band.intervals.iter().rev().filter_map(|i| edge(i.x, i.lower));
    let outline: Vec<Px> = upper.chain(lower).collect();
    let inside = clip_area(&outline, &frame.plot);
    if inside.len() > 2 {
        pen.polygon(&inside, styled.ink(pen).mix(LIGHT));
    }
}
