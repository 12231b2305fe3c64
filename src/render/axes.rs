//! Axes of the plane: box, ticks, numbers and labels.

use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use super::axis_map::AxisMap;
use super::fonts::{Font, Fonts};
use super::geometry::PlotGeometry;
use super::pen::Pen;
use super::text::fit;
use super::ticks::{Ticks, axis_ticks};
use crate::figure::{Axis, Scale};

/// Width of lines.
const HAIR: f64 = 0.8;

/// Numbers and labels of the axes of a plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PlaneAxes {
    /// Ticks; one without a number has an empty text.
    pub x_ticks: Ticks,
    pub y_ticks: Ticks,
    /// Height of the numbers or names below the plot, and true if these run upwards for lack of room.
    pub below: f64,
    pub upright: bool,
    pub x_label: Vec<String>,
    pub y_label: Vec<String>,
    /// Left end of the label of the vertical axis.
    pub left: f64,
}

/// Draws the axes, with faint grid lines if `grid` is true.
pub(super) fn draw(pen: &Pen, geometry: &PlotGeometry, axes: &PlaneAxes, fonts: Fonts, grid: bool) {
    lines(pen, geometry, axes, grid);
    numbers_and_labels(pen, geometry, axes, fonts);
}

/// Draws grid lines, box and ticks.
fn lines(pen: &Pen, geometry: &PlotGeometry, axes: &PlaneAxes, grid: bool) {
    let PlotGeometry { plot, x, y, .. } = geometry;
    let ink = pen.look.theme.ink();
    let (line, frame, faint) = (ink.mix(0.8), ink.mix(0.3), ink.mix(0.07));

    for (v, _) in axes.y_ticks.major.iter().filter(|_| grid) {
        if let Some(at) = y.to_px(*v) {
            pen.across((plot.left, plot.right), at, HAIR, faint);
        }
    }
    if y.scale == Scale::Linear && y.range.0 < 0.0 && y.range.1 > 0.0 {
        pen.across((plot.left, plot.right), y.to_px(0.0).unwrap_or(plot.bottom), HAIR, ink.mix(0.2));
    }
    for (side, ink) in [(plot.top, frame), (plot.bottom, line)] {
        pen.across((plot.left, plot.right), side, HAIR, ink);
    }
    for (side, ink) in [(plot.left, line), (plot.right, frame)] {
        pen.down(side, (plot.top, plot.bottom), HAIR, ink);
    }

    // Steps between the numbers of a linear axis need no ticks.
    let lengths = |ticks: &Ticks, scale: Scale| {
        let major = ticks.major.iter().map(|(v, _)| (*v, 5.5));
        let minor = ticks.minor.iter().filter(|_| scale != Scale::Linear).map(|v| (*v, 3.0));
        major.chain(minor).collect::<Vec<_>>()
    };
    for (v, length) in lengths(&axes.x_ticks, x.scale) {
        let Some(at) = x.to_px(v) else { continue };
        if at - plot.left > 1.0 && plot.right - at > 1.0 {
            pen.down(at, (plot.bottom - length, plot.bottom), HAIR, line);
        }
    }
    for (v, length) in lengths(&axes.y_ticks, y.scale) {
        let Some(at) = y.to_px(v) else { continue };
        if at - plot.top > 1.0 && plot.bottom - at > 1.0 {
            pen.across((plot.left, plot.left + length), at, HAIR, line);
        }
    }
}

/// Draws the numbers at the ticks and the labels.
fn numbers_and_labels(pen: &Pen, geometry: &PlotGeometry, axes: &PlaneAxes, font: Fonts) {
    let PlotGeometry { plot, x, y, .. } = geometry;
    let words = pen.look.theme.ink().mix(1.0);
    let numbered = |(_, number): &&(f64, String)| !number.is_empty();
    let numbers_y = plot.bottom + 7.0 + 0.5 * font.number.leading();
    for (v, s) in axes.x_ticks.major.iter().filter(numbered) {
        match x.to_px(*v) {
            Some(at) if axes.upright => pen.hanging(s, (at, plot.bottom + 7.0), font.number, words),
            Some(at) => pen.text(s, (at, numbers_y), font.number, HPos::Center, words),
            None => {}
        }
    }
    for (v, s) in axes.y_ticks.major.iter().filter(numbered) {
        if let Some(at) = y.to_px(*v) {
            pen.text(s, (plot.left - 7.0, at), font.number, HPos::Right, words);
        }
    }
    let middle = 0.5 * (plot.left + plot.right);
    let first = plot.bottom + 7.0 + axes.below + 4.0 + 0.5 * font.axis.leading();
    for (k, s) in axes.x_label.iter().enumerate() {
        let at = (middle, first + k as f64 * font.axis.leading());
        pen.text(s, at, font.axis, HPos::Center, words);
    }
    let middle = 0.5 * (plot.top + plot.bottom);
    for (k, s) in axes.y_label.iter().enumerate() {
        pen.upright(s, (axes.left + (k as f64 + 0.5) * font.axis.leading(), middle), font.axis, words);
    }
}

/// Returns the names along an axis, shortened to `max` pixels, and the largest width.
pub(super) fn axis_names(axis: &Axis, font: Font, max: f64) -> (Vec<String>, f64) {
    let names: Vec<String> = axis.names.iter().map(|name| fit(name, font.size, max)).collect();
    let widest = names.iter().map(|name| font.width(name)).fold(0.0, f64::max);
    (names, widest)
}

/// Returns ticks with every n-th name, so that each has `each` pixels. An empty name is a gap between groups.
pub(super) fn name_ticks(names: Vec<String>, length: f64, each: f64) -> Ticks {
    let stride = (names.len() as f64 * each / length.max(1.0)).ceil().max(1.0) as usize;
    let mut ticks = Ticks::default();
    for (i, name) in names.into_iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        if i % stride == 0 {
            ticks.major.push((i as f64 + 1.0, name));
        } else {
            ticks.minor.push(i as f64 + 1.0);
        }
    }
    ticks
}

/// Returns ticks with as many numbers as fit side by side.
pub(super) fn number_ticks(axis: &Axis, range: (f64, f64), width: f64, font: Font) -> Ticks {
    let map = AxisMap { scale: axis.scale, range, px: (0.0, width) };
    let mut wanted = ((width / 62.0) as usize).clamp(2, 12);
    loop {
        let candidate = axis_ticks(axis, range, wanted);
        let clear = candidate.major.windows(2).all(|pair| {
            let distance = map.to_px(pair[1].0).unwrap_or(0.0) - map.to_px(pair[0].0).unwrap_or(0.0);
            distance >= 0.5 * (font.width(&pair[0].1) + font.width(&pair[1].1)) + 0.9 * font.size
        });
        if clear || wanted <= 2 {
            return candidate;
        }
        wanted -= 1;
    }
}
