//! Layout of a figure: plot, numbers, labels, and names of the marks.

use super::axes::{PlaneAxes, axis_names, name_ticks, number_ticks};
use super::axis_map::{AxisMap, drawable_range};
use super::colour_scale::ColourScale;
use super::drawing::Drawing;
use super::figure_layout::FigureLayout;
use super::fonts::{Fonts, WIDE};
use super::geometry::{Coordinates, PlotGeometry};
use super::names::{self, NameMargins};
use super::panels;
use super::picture_grid::PictureGrid;
use super::projection::Projection;
use super::rect::Rect;
use super::text::wrap;
use super::ticks::axis_ticks;
use crate::figure::{FigureKind, Mark, Scale};

/// Margin of a sketch, in CSS pixels: half of the largest marker.
const SKETCH_EDGE: f64 = 5.0;
/// Size of the complete figure, whose axes are those of the sketch, in CSS pixels.
const WHOLE_FIGURE: (f64, f64) = (760.0, 480.0);

impl FigureLayout {
    /// Lays out a drawing of `size` CSS pixels. The layout depends on the progress of a run only through the ranges of the axes,
    /// so that nothing moves while curves grow.
    pub fn new(drawing: &Drawing, (width, height): (f64, f64)) -> Self {
        // An element without a size is laid out as one pixel.
        let at_least_one = |length: f64| if length.is_finite() { length.max(1.0) } else { 1.0 };
        let size = (at_least_one(width), at_least_one(height));
        if drawing.sketch {
            return Self::bare(sketch_geometry(drawing, size), Fonts::of(size.0));
        }
        match &drawing.figure.kind {
            FigureKind::Plane { equal } => plane(drawing, *equal, size),
            FigureKind::Space { .. } | FigureKind::Pictures { .. } => without_axes(drawing, size),
            FigureKind::Panels { panels, columns } => panels::layout(drawing, panels, *columns, size),
        }
    }
}

/// Lays out a figure in space or small pictures, which have the whole area except for names and colour scale.
fn without_axes(drawing: &Drawing, (width, height): (f64, f64)) -> FigureLayout {
    let fonts = Fonts::of(width);
    let NameMargins { arrangement, top, right } = names::reserve(drawing, (width, height), fonts);
    let scale = ColourScale::of(drawing, width, fonts);
    // Labels of axes in space stand below the box.
    let (edge, below) = if drawing.figure.in_space() { (40.0, 36.0) } else { (6.0, 3.0) };
    let mut plot = Rect {
        left: edge,
        top: top.max(0.5 * edge),
        right: (width - right - scale.width).max(edge + 1.0),
        bottom: (height - below).max(top + 0.5 * edge + 1.0),
    };
    let coordinates = if let FigureKind::Space { z } = &drawing.figure.kind {
        Coordinates::Space(Projection::new(&drawing.figure, z, drawing.turn, &plot))
    } else {
        let pictures = PictureGrid::new(drawing, &plot, fonts.name);
        // The colour scale is as high as the pictures.
        plot.bottom = plot.bottom.min(pictures.bottom());
        Coordinates::Pictures(pictures)
    };
    let map = |px| AxisMap { scale: Scale::Linear, range: (0.0, 1.0), px };
    let (x, y) = (map((plot.left, plot.right)), map((plot.bottom, plot.top)));
    let geometry = PlotGeometry { size: (width, height), plot, x, y, coordinates };
    let names = names::placed(arrangement, drawing, &geometry, fonts.name, scale.width);
    FigureLayout { scale, names, ..FigureLayout::bare(geometry, fonts) }
}

/// Returns the geometry of a sketch of `size` CSS pixels: the plot fills it.
fn sketch_geometry(drawing: &Drawing, size: (f64, f64)) -> PlotGeometry {
    let (width, height) = size;
    let edge = SKETCH_EDGE.min(0.25 * width.min(height));
    let mut plot = Rect { left: edge, top: edge, right: width - edge, bottom: height - edge };
    // The ranges are those of the complete figure.
    let whole = FigureLayout::new(&Drawing { sketch: false, ..drawing.clone() }, WHOLE_FIGURE).geometry;
    let coordinates = match &drawing.figure.kind {
        FigureKind::Plane { equal } => {
            if *equal {
                plot = with_equal_scales(&plot, whole.x.range, whole.y.range);
            }
            Coordinates::Plane
        }
        FigureKind::Space { z } => {
            // A sketch cannot be turned and needs no room for other directions.
            let more = 0.22 * height;
            let area = Rect { top: plot.top - more, bottom: plot.bottom + more, ..plot };
            Coordinates::Space(Projection::new(&drawing.figure, z, drawing.turn, &area))
        }
        FigureKind::Pictures { .. } => {
            Coordinates::Pictures(PictureGrid::new(drawing, &plot, Fonts::of(width).name))
        }
        FigureKind::Panels { panels, columns } => panels::sketch(drawing, panels, *columns, &plot),
    };
    let x = AxisMap { px: (plot.left, plot.right), ..whole.x };
    let y = AxisMap { px: (plot.bottom, plot.top), ..whole.y };
    PlotGeometry { size, plot, x, y, coordinates }
}

/// Returns the largest area in the middle of `area` in which a unit has the same length on both axes.
fn with_equal_scales(area: &Rect, (x0, x1): (f64, f64), (y0, y1): (f64, f64)) -> Rect {
    let (wide, high) = (area.right - area.left, area.bottom - area.top);
    let unit = (wide / (x1 - x0)).min(high / (y1 - y0));
    let (wide, high) = (unit * (x1 - x0), unit * (y1 - y0));
    let left = 0.5 * (area.left + area.right - wide);
    let top = 0.5 * (area.top + area.bottom - high);
    Rect { left, top, right: left + wide, bottom: top + high }
}

/// Lays out a figure in the plane.
fn plane(drawing: &Drawing, equal: bool, (width, height): (f64, f64)) -> FigureLayout {
    let figure = &drawing.figure;
    let fonts = Fonts::of(width);
    let NameMargins { arrangement, top, right } = names::reserve(drawing, (width, height), fonts);
    let scale = ColourScale::of(drawing, width, fonts);
    let right = right + scale.width;
    let x_label = wrap(&figure.x.label, fonts.axis.size, (width - right - 60.0).max(40.0));
    let label_height =
        if x_label.is_empty() { 4.0 } else { 8.0 + x_label.len() as f64 * fonts.axis.leading() };
    let (x_names, widest) = axis_names(&figure.x, fonts.number, 0.28 * height);
    let upright = widest + 0.9 * fonts.number.size > (width - right - 60.0) / x_names.len().max(1) as f64;
    let below = if upright { widest } else { fonts.number.leading() };
    let mut bottom = (height - (7.0 + below + label_height)).max(top + 1.0).floor() + 0.5;

    let y_range = drawable_range(&figure.y, y_values(drawing));
    let (y_names, _) = axis_names(&figure.y, fonts.number, 0.25 * width);
    let y_ticks_of = |height: f64, each: f64| match y_names.as_slice() {
        [] => axis_ticks(&figure.y, y_range, (height / each) as usize),
        names => name_ticks(names.to_vec(), height, fonts.number.leading()),
    };
    let mut y_ticks = y_ticks_of(bottom - top, if width < WIDE { 34.0 } else { 44.0 });
    let numbers = y_ticks.major.iter().map(|(_, number)| fonts.number.width(number)).fold(0.0, f64::max);
    let y_label = wrap(&figure.y.label, fonts.axis.size, (bottom - top + 12.0).max(40.0));
    let label_width =
        if y_label.is_empty() { 0.0 } else { 6.0 + y_label.len() as f64 * fonts.axis.leading() };
    let left = (4.0 + label_width + numbers + 7.0).floor() + 0.5;
    let mut right = (width - right).max(left + 1.0).floor() + 0.5;

    let x_values = figure.marks.iter().flat_map(Mark::data).map(|datum| datum.x);
    let x_range = drawable_range(&figure.x, x_values);
    // The longer side is shortened so that a unit has the same length on both axes.
    if equal && figure.x.scale == Scale::Linear && figure.y.scale == Scale::Linear {
        let unit = ((right - left) / (x_range.1 - x_range.0)).min((bottom - top) / (y_range.1 - y_range.0));
        right = left + (unit * (x_range.1 - x_range.0)).floor();
        bottom = top + (unit * (y_range.1 - y_range.0)).floor();
        y_ticks = y_ticks_of(bottom - top, 44.0);
    }
    let x_ticks = if x_names.is_empty() {
        number_ticks(&figure.x, x_range, right - left, fonts.number)
    } else {
        name_ticks(x_names, right - left, if upright { fonts.number.leading() } else { 0.0 })
    };
    // The last number may extend beyond the plot.
    if let Some((value, number)) = x_ticks.major.last().filter(|_| !upright) {
        let map = AxisMap { scale: figure.x.scale, range: x_range, px: (left, right) };
        let end = map.to_px(*value).unwrap_or(right) + 0.5 * fonts.number.width(number) + 3.0;
        right = (right - (end - width).max(0.0)).max(left + 1.0).floor() + 0.5;
    }
    let plot = Rect { left, top, right, bottom };
    let x = AxisMap { scale: figure.x.scale, range: x_range, px: (left, right) };
    let y = AxisMap { scale: figure.y.scale, range: y_range, px: (bottom, top) };
    let geometry = PlotGeometry { size: (width, height), plot, x, y, coordinates: Coordinates::Plane };
    let names = names::placed(arrangement, drawing, &geometry, fonts.name, scale.width);
    let axes = PlaneAxes { x_ticks, y_ticks, below, upright, x_label, y_label, left: 4.0 };
    FigureLayout { axes: vec![axes], scale, names, ..FigureLayout::bare(geometry, fonts) }
}

/// Returns the ordinates that a logarithmic axis must show: those of measurements, if there are any; a theory may reach much
/// smaller values.
fn y_values(drawing: &Drawing) -> impl Iterator<Item = f64> {
    let shown = || drawing.shown().map(|styled| styled.mark);
    let any_measured = shown().any(Mark::is_measured);
    shown().filter(move |mark| mark.is_measured() || !any_measured).flat_map(Mark::data).map(|datum| datum.y)
}
