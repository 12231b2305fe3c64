//! Shares out the width and height of a figure: plot, numbers, words, and the names of the marks.

use super::drawing::Drawing;
use super::frame::{Frame, Inside, Map, Rect, sane_range};
use super::labels::{Wish, place, rows};
use super::marks;
use super::pen::Font;
use super::pictures::{self, Sheet};
use super::space::Projection;
use super::text::{fit, wrap};
use super::theme::{SANS, SERIF};
use super::ticks::{Ticks, ticks};
use crate::figure::{Axis, Coordinates, Mark, Scale};

/// Width from which the names of the marks stand beside the plot, in CSS pixels.
const WIDE: f64 = 560.0;
/// Length of the sample of a line in front of its name.
pub(super) const KEY: f64 = 20.0;
/// Height that a switch has at least.
const FINGER: f64 = 24.0;
/// Between the sample and the name.
pub(super) const KEY_GAP: f64 = 5.0;
/// Between the border of the plot and the samples beside it, crossed by the leaders.
pub(super) const LEAD: f64 = 22.0;
/// The scale of a map at the right of the plot: after a gap the bar and, on a wide page, its words.
pub(super) const BAR: [f64; 2] = [8.0, 16.0];

/// Type sizes, which are a little smaller on a phone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Type {
    pub number: Font,
    pub axis: Font,
    pub name: Font,
}

impl Type {
    /// On a figure of that width.
    pub fn of(width: f64) -> Self {
        let [number, axis, name] = if width >= WIDE { [12.0, 14.0, 13.0] } else { [11.0, 13.0, 11.0] };
        Self {
            number: Font { family: SANS, size: number },
            axis: Font { family: SERIF, size: axis },
            name: Font { family: SERIF, size: name },
        }
    }
}

/// Where the names of the marks go; the numbers are indices of marks.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Names {
    /// Beside the plot, each at the end of its curve, in lines.
    Beside(Vec<(usize, Vec<String>)>),
    /// In rows above the plot: left edge, middle of the row, text.
    Above(Vec<(usize, f64, f64, String)>),
}

/// A figure with everything but its curves in place.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub frame: Frame,
    pub font: Type,
    pub x_ticks: Ticks,
    pub y_ticks: Ticks,
    /// Height of what stands under the plot, and whether it runs upwards: names that find no room side by side.
    pub below: f64,
    pub upright: bool,
    pub x_label: Vec<String>,
    pub y_label: Vec<String>,
    /// Width of the scale of the map, with its words if they are there; 0 without a map.
    pub scale: f64,
    pub scale_words: bool,
    pub names: Names,
}

/// Lays out a figure of the given size in CSS pixels. It does not depend on how far a run has come, except through the
/// ranges of the axes, so that nothing jumps while curves grow.
pub(super) fn layout(drawing: &Drawing, size: (f64, f64)) -> Layout {
    match &drawing.figure.coordinates {
        Coordinates::Plane { equal } => plane(drawing, *equal, size),
        Coordinates::Space { .. } | Coordinates::Pictures { .. } => without_axes(drawing, size),
    }
}

/// Width that the scale of the colours takes, and whether its words find room.
fn scale(drawing: &Drawing, width: f64, font: Type) -> (f64, bool) {
    let words = if width >= WIDE { font.axis.leading() } else { 0.0 };
    let of = |mark: &Mark| {
        let Mark::Grid(grid) = mark else { return 0.0 };
        let names = marks::scale_names(grid.colours);
        let widest =
            names.iter().map(|(_, name)| font.number.width(name)).fold(font.number.width("00"), f64::max);
        BAR[1] + 5.0 + widest + words
    };
    (scaled(drawing).map_or(0.0, of), width >= WIDE)
}

/// Space and small pictures have the whole area but for names and a scale; their axes, if any, are their own.
fn without_axes(drawing: &Drawing, (width, height): (f64, f64)) -> Layout {
    let font = Type::of(width);
    let (names, top, right) = names(drawing, (width, height), font);
    let (scale, scale_words) = scale(drawing, width, font);
    // Names of axes in space stand below the box as well.
    let (edge, below) = if drawing.figure.in_space() { (40.0, 36.0) } else { (6.0, 3.0) };
    let mut plot = Rect {
        left: edge,
        top: top.max(0.5 * edge),
        right: (width - right - scale).max(edge + 1.0),
        bottom: (height - below).max(top + 0.5 * edge + 1.0),
    };
    let inside = if let Coordinates::Space { z } = &drawing.figure.coordinates {
        Inside::Space(Projection::new(&drawing.figure, z, drawing.turn, &plot))
    } else {
        let sheet = Sheet::new(drawing, &plot, font.name);
        // Few pictures in a row do not fill it, and the scale is as high as they are.
        plot.bottom = plot.bottom.min(sheet.bottom());
        Inside::Pictures(sheet)
    };
    let map = |px| Map { scale: Scale::Linear, range: (0.0, 1.0), px };
    Layout {
        frame: Frame {
            size: (width, height),
            plot,
            x: map((plot.left, plot.right)),
            y: map((plot.bottom, plot.top)),
            inside,
        },
        font,
        x_ticks: Ticks::default(),
        y_ticks: Ticks::default(),
        below: 0.0,
        upright: false,
        x_label: Vec::new(),
        y_label: Vec::new(),
        scale,
        scale_words,
        names,
    }
}

fn plane(drawing: &Drawing, equal: bool, (width, height): (f64, f64)) -> Layout {
    let figure = &drawing.figure;
    let font = Type::of(width);
    let (names, top, right) = names(drawing, (width, height), font);
    let (scale, scale_words) = scale(drawing, width, font);
    let right = right + scale;
    let x_label = wrap(&figure.x.label, font.axis.size, (width - right - 60.0).max(40.0));
    let under = if x_label.is_empty() { 4.0 } else { 8.0 + x_label.len() as f64 * font.axis.leading() };
    let (names_of_x, widest) = axis_names(&figure.x, font.number, 0.28 * height);
    let upright = widest + 0.9 * font.number.size > (width - right - 60.0) / names_of_x.len().max(1) as f64;
    let below = if upright { widest } else { font.number.leading() };
    let mut bottom = (height - (7.0 + below + under)).max(top + 1.0).floor() + 0.5;

    // A theory may go on to values that no measurement comes near.
    let shown = || drawing.shown().map(|shown| shown.mark);
    let any = shown().any(Mark::measured);
    let y_values = shown().filter(|mark| mark.measured() || !any).flat_map(Mark::data).map(|datum| datum.y);
    let y_range = sane_range(&figure.y, y_values);
    let (names_of_y, _) = axis_names(&figure.y, font.number, 0.25 * width);
    let y_ticks_of = |height: f64, each: f64| match names_of_y.as_slice() {
        [] => ticks(figure.y.scale, y_range, (height / each) as usize),
        names => named_ticks(names.to_vec(), height, font.number.leading()),
    };
    let y_ticks = y_ticks_of(bottom - top, if width < WIDE { 34.0 } else { 44.0 });
    let numbers = y_ticks.major.iter().map(|(_, s)| font.number.width(s)).fold(0.0, f64::max);
    let y_label = wrap(&figure.y.label, font.axis.size, (bottom - top + 12.0).max(40.0));
    let words = if y_label.is_empty() { 0.0 } else { 6.0 + y_label.len() as f64 * font.axis.leading() };
    let left = (4.0 + words + numbers + 7.0).floor() + 0.5;
    let mut right = (width - right).max(left + 1.0).floor() + 0.5;

    // The longer side is cut so that a unit is as long on both axes.
    let both_linear = figure.x.scale == Scale::Linear && figure.y.scale == Scale::Linear;
    let x_values = figure.marks.iter().flat_map(Mark::data).map(|datum| datum.x);
    let x_range = sane_range(&figure.x, x_values);
    let mut y_ticks = y_ticks;
    if equal && both_linear {
        let unit = ((right - left) / (x_range.1 - x_range.0)).min((bottom - top) / (y_range.1 - y_range.0));
        right = left + (unit * (x_range.1 - x_range.0)).floor();
        bottom = top + (unit * (y_range.1 - y_range.0)).floor();
        y_ticks = y_ticks_of(bottom - top, 44.0);
    }
    let x_ticks = if names_of_x.is_empty() {
        x_ticks(&figure.x, x_range, right - left, font.number)
    } else {
        named_ticks(names_of_x, right - left, if upright { font.number.leading() } else { 0.0 })
    };
    // The last number may stand out over the plot.
    if let Some((v, s)) = x_ticks.major.last().filter(|_| !upright) {
        let map = Map { scale: figure.x.scale, range: x_range, px: (left, right) };
        let end = map.to_px(*v).unwrap_or(right) + 0.5 * font.number.width(s) + 3.0;
        right = (right - (end - width).max(0.0)).max(left + 1.0).floor() + 0.5;
    }
    let plot = Rect { left, top, right, bottom };
    let frame = Frame {
        size: (width, height),
        plot,
        x: Map { scale: figure.x.scale, range: x_range, px: (left, right) },
        y: Map { scale: figure.y.scale, range: y_range, px: (bottom, top) },
        inside: Inside::Plane,
    };
    Layout { frame, font, x_ticks, y_ticks, below, upright, x_label, y_label, scale, scale_words, names }
}

/// The grid whose colours have a scale beside the plot: the uppermost.
pub(super) fn scaled(drawing: &Drawing) -> Option<&Mark> {
    match drawing.figure.coordinates {
        Coordinates::Plane { .. } => {
            let with_scale =
                |mark: &&Mark| matches!(mark, Mark::Grid(grid) if !grid.is_table() && !grid.squares);
            drawing.shown().map(|shown| shown.mark).rfind(with_scale)
        }
        Coordinates::Space { .. } => None,
        Coordinates::Pictures { .. } => pictures::scaled(drawing),
    }
}

/// The names along an axis, none longer than `most` pixels, and the longest of them in pixels.
fn axis_names(axis: &Axis, font: Font, most: f64) -> (Vec<String>, f64) {
    let names: Vec<String> = axis.names.iter().map(|name| fit(name, font.size, most)).collect();
    let widest = names.iter().map(|name| font.width(name)).fold(0.0, f64::max);
    (names, widest)
}

/// As many of the names as find room where each takes `each` pixels.
fn named_ticks(names: Vec<String>, width: f64, each: f64) -> Ticks {
    let stride = (names.len() as f64 * each / width.max(1.0)).ceil().max(1.0) as usize;
    let mut ticks = Ticks::default();
    for (i, name) in names.into_iter().enumerate() {
        if name.is_empty() {
            // A gap between groups of names.
        } else if i % stride == 0 {
            ticks.major.push((i as f64 + 1.0, name));
        } else {
            ticks.minor.push(i as f64 + 1.0);
        }
    }
    ticks
}

/// As many numbers as stand side by side without touching.
fn x_ticks(axis: &Axis, range: (f64, f64), width: f64, font: Font) -> Ticks {
    let map = Map { scale: axis.scale, range, px: (0.0, width) };
    let mut wanted = ((width / 62.0) as usize).clamp(2, 12);
    loop {
        let t = ticks(axis.scale, range, wanted);
        let clear = t.major.windows(2).all(|w| {
            let between = map.to_px(w[1].0).unwrap_or(0.0) - map.to_px(w[0].0).unwrap_or(0.0);
            between >= 0.5 * (font.width(&w[0].1) + font.width(&w[1].1)) + 0.9 * font.size
        });
        if clear || wanted <= 2 {
            return t;
        }
        wanted -= 1;
    }
}

/// The names, the top of the plot and the margin at its right.
fn names(drawing: &Drawing, (width, height): (f64, f64), font: Type) -> (Names, f64, f64) {
    let named = || drawing.listed().filter(marks::named).map(|shown| (shown.index, shown.name()));
    let size = font.name.size;
    if named().next().is_none() {
        return (Names::Above(Vec::new()), 10.5, 12.0);
    }
    if width >= WIDE {
        let measure = (0.2 * width).clamp(110.0, 180.0);
        let beside: Vec<(usize, Vec<String>)> = named()
            .map(|(i, name)| {
                (i, wrap(name, size, measure).iter().map(|l| fit(l, size, 1.2 * measure)).collect())
            })
            .collect();
        let wishes: Vec<Wish> =
            beside.iter().map(|(_, l)| wish(0.0, height_of(l.len(), font.name, drawing.switches))).collect();
        if place(&wishes, room(height)).is_some() {
            let widest = beside.iter().flat_map(|(_, l)| l).map(|l| font.name.width(l)).fold(0.0, f64::max);
            return (Names::Beside(beside), 10.5, LEAD + KEY + KEY_GAP + widest + 7.0);
        }
    }
    let (row, gap, start) = (row_of_names(font.name, drawing.switches), 12.0, 7.0);
    let room = width - 2.0 * start;
    let texts: Vec<(usize, String)> =
        named().map(|(i, name)| (i, fit(name, size, room - KEY - KEY_GAP))).collect();
    let widths: Vec<f64> = texts.iter().map(|(_, t)| KEY + KEY_GAP + font.name.width(t)).collect();
    let mut table = rows(&widths, gap, room);
    // Beyond this, names would leave no room for what they name; the data table under the figure has them all.
    table.truncate(((0.42 * height / row) as usize).max(1));
    let count = table.len() as f64;
    let above = table
        .into_iter()
        .enumerate()
        .flat_map(|(r, items)| items.into_iter().map(move |(i, x)| (i, x, r)))
        .map(|(i, x, r)| (texts[i].0, start + x, 4.0 + row * (r as f64 + 0.5), texts[i].1.clone()))
        .collect();
    (Names::Above(above), (4.0 + count * row + 6.0).floor() + 0.5, 10.0)
}

/// Height of a row of names above the plot; of switches (WCAG 2.5.8) more than of words.
pub(super) fn row_of_names(font: Font, switches: bool) -> f64 {
    of_finger(font.leading() + 2.0, switches)
}

/// Height of a name of some lines beside the plot.
pub(super) fn height_of(lines: usize, font: Font, switches: bool) -> f64 {
    of_finger(lines as f64 * font.leading() + 3.0, switches)
}

fn of_finger(height: f64, switches: bool) -> f64 {
    if switches { height.max(FINGER) } else { height }
}

/// The place that a name of that height asks for.
pub(super) fn wish(at: f64, height: f64) -> Wish {
    Wish { at, height }
}

/// From where to where names may stand beside the plot.
pub(super) fn room(height: f64) -> (f64, f64) {
    (2.0, height - 2.0)
}

/// Whether the axis is a plain linear one that has its zero inside.
pub(super) fn zero_inside(map: &Map) -> bool {
    map.scale == Scale::Linear && map.range.0 < 0.0 && map.range.1 > 0.0
}
