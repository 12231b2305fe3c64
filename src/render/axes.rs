//! Axes of the plane: box, ticks, numbers and labels.

use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use super::frame::Frame;
use super::layout::FigureLayout;
use super::pen::Pen;
use super::ticks::Ticks;
use crate::figure::Scale;

/// Width of lines.
const HAIR: f64 = 0.8;

/// Draws the axes, with faint grid lines if `grid` is true.
pub(super) fn draw(pen: &Pen, layout: &FigureLayout, grid: bool) {
    lines(pen, layout, grid);
    numbers_and_labels(pen, layout);
}

/// Draws grid lines, box and ticks.
fn lines(pen: &Pen, layout: &FigureLayout, grid: bool) {
    let Frame { plot, x, y, .. } = &layout.frame;
    let ink = pen.look.theme.ink();
    let (line, faint) = (ink.mix(0.8), ink.mix(0.07));

    for (v, _) in layout.y_ticks.major.iter().filter(|_| grid) {
        if let Some(at) = y.to_px(*v) {
            pen.across((plot.left, plot.right), at, HAIR, faint);
        }
    }
    if y.scale == Scale::Linear && y.range.0 < 0.0 && y.range.1 > 0.0 {
        pen.across((plot.left, plot.right), y.to_px(0.0).unwrap_or(plot.bottom), HAIR, ink.mix(0.2));
    }
    for side in [plot.top, plot.bottom] {
        pen.across((plot.left, plot.right), side, HAIR, line);
    }
    for side in [plot.left, plot.right] {
        pen.down(side, (plot.top, plot.bottom), HAIR, line);
    }

    let lengths = |ticks: &Ticks| {
        let major = ticks.major.iter().map(|(v, _)| (*v, 5.5));
        let minor = ticks.minor.iter().map(|v| (*v, 3.0));
        major.chain(minor).collect::<Vec<_>>()
    };
    for (v, length) in lengths(&layout.x_ticks) {
        let Some(at) = x.to_px(v) else { continue };
        if at - plot.left > 1.0 && plot.right - at > 1.0 {
            pen.down(at, (plot.bottom - length, plot.bottom), HAIR, line);
            pen.down(at, (plot.top, plot.top + length), HAIR, line);
        }
    }
    for (v, length) in lengths(&layout.y_ticks) {
        let Some(at) = y.to_px(v) else { continue };
        if at - plot.top > 1.0 && plot.bottom - at > 1.0 {
            pen.across((plot.left, plot.left + length), at, HAIR, line);
            pen.across((plot.right - length, plot.right), at, HAIR, line);
        }
    }
}

/// Draws the numbers at the ticks and the labels.
fn numbers_and_labels(pen: &Pen, layout: &FigureLayout) {
    let Frame { plot, x, y, .. } = &layout.frame;
    let words = pen.look.theme.ink().mix(1.0);
    let font = layout.fonts;
    let numbers_y = plot.bottom + 7.0 + 0.5 * font.number.leading();
    for (v, s) in &layout.x_ticks.major {
        match x.to_px(*v) {
            Some(at) if layout.upright => pen.hanging(s, (at, plot.bottom + 7.0), font.number, words),
            Some(at) => pen.text(s, (at, numbers_y), font.number, HPos::Center, words),
            None => {}
        }
    }
    for (v, s) in &layout.y_ticks.major {
        if let Some(at) = y.to_px(*v) {
            pen.text(s, (plot.left - 7.0, at), font.number, HPos::Right, words);
        }
    }
    let middle = 0.5 * (plot.left + plot.right);
    let first = plot.bottom + 7.0 + layout.below + 4.0 + 0.5 * font.axis.leading();
    for (k, s) in layout.x_label.iter().enumerate() {
        let at = (middle, first + k as f64 * font.axis.leading());
        pen.text(s, at, font.axis, HPos::Center, words);
    }
    let middle = 0.5 * (plot.top + plot.bottom);
    for (k, s) in layout.y_label.iter().enumerate() {
        pen.upright(s, (4.0 + (k as f64 + 0.5) * font.axis.leading(), middle), font.axis, words);
    }
}
