//! Bars with error bars.

use plotters::style::Color;

use super::super::drawing::StyledMark;
use super::super::geometry::PlotGeometry;
use super::super::pen::Pen;
use super::curve::error_bar;
use crate::figure::{Bar, Bars, Point, Stroke};

/// Draws bars.
pub(super) fn bars(pen: &Pen, geometry: &PlotGeometry, bars: &Bars, styled: &StyledMark) {
    let ink = styled.ink(pen);
    for bar in &bars.bars {
        let Some(r) = geometry.bar_rect(bars, bar) else { continue };
        pen.fill(&r, ink.mix(0.4));
        let corners =
            [(r.left, r.bottom), (r.left, r.top), (r.right, r.top), (r.right, r.bottom), (r.left, r.bottom)];
        pen.line(&corners, Stroke::Solid, 0.9, ink);
    }
    for b in bars.bars.iter().filter(|b| b.se.is_some() && styled.style.thin.is_none()) {
        if bars.horizontal {
            horizontal_error_bar(pen, geometry, b, ink);
        } else {
            error_bar(pen, geometry, &Point { x: b.at, y: b.value, se: b.se }, false, ink);
        }
    }
}

/// Draws the error bar of a horizontal bar: one standard error to either side.
fn horizontal_error_bar(pen: &Pen, geometry: &PlotGeometry, bar: &Bar, ink: plotters::style::RGBAColor) {
    let plot = &geometry.plot;
    let Some((se, y)) = bar.se.filter(|se| *se > 0.0).zip(geometry.y.to_px(bar.at)) else { return };
    let Some(right) = geometry.x.to_px(bar.value + se) else { return };
    let left = geometry.x.to_px(bar.value - se).unwrap_or(plot.left).clamp(plot.left, plot.right);
    let right = right.clamp(plot.left, plot.right);
    pen.line(&[(left, y), (right, y)], Stroke::Solid, 1.0, ink);
    for cap in [left, right] {
        pen.line(&[(cap, y - 2.5), (cap, y + 2.5)], Stroke::Solid, 1.0, ink);
    }
}
