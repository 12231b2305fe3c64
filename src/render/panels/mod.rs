//! Panels: several planes in rows and columns, with common numbers and labels at the left and at the bottom.

#[cfg(test)]
mod tests;

use super::axes::{PlaneAxes, axis_names, name_ticks, number_ticks};
use super::axis_map::{AxisMap, drawable_range};
use super::colour_scale::ColourScale;
use super::drawing::Drawing;
use super::figure_layout::FigureLayout;
use super::fonts::{Font, Fonts};
use super::geometry::{Coordinates, PlotGeometry};
use super::names::{self, NameMargins};
use super::rect::Rect;
use super::text::{fit, wrap};
use super::ticks::{Ticks, axis_ticks};
use super::title::PanelTitle;
use crate::figure::{Axis, Hue, Mark, Panel};

/// Least width of a panel, in CSS pixels: panels that would be narrower wrap to two in a row.
const MIN_WIDTH: f64 = 150.0;
/// Gap between two panels, and the margin at the right, in CSS pixels.
const GAP: f64 = 18.0;
const RIGHT: f64 = 12.0;
/// Gap between two panels of a sketch.
const SKETCH_GAP: f64 = 6.0;
/// Height ÷ width of a plot.
const ASPECT: f64 = 0.85;
/// Least height of a plot that can be read, in CSS pixels.
const LEAST_PLOT: f64 = 80.0;
/// Height of a column of panels, relative to that of a single figure.
const COLUMN: f64 = 1.2;
/// Wanted number of ticks of a vertical axis. It does not depend on the height, which depends on the width of the numbers.
const Y_TICKS: usize = 4;

/// Cells of the panels.
struct Cells<'a> {
    panels: &'a [Panel],
    columns: usize,
    rows: usize,
    /// Column and row of each panel.
    positions: Vec<(usize, usize)>,
}

impl<'a> Cells<'a> {
    /// Arranges panels, of which `columns` are in a row, in a picture of that width. A row that wraps comes whole before the next.
    fn new(panels: &'a [Panel], columns: usize, width: f64) -> Self {
        let columns = columns.clamp(1, panels.len().max(1));
        let across = if width < MIN_WIDTH * columns as f64 { columns.min(2) } else { columns };
        let lines = columns.div_ceil(across);
        let cell = |index: usize| {
            let (column, row) = (index % columns, index / columns);
            (column % across, row * lines + column / across)
        };
        let positions: Vec<_> = (0..panels.len()).map(cell).collect();
        let rows = positions.iter().map(|(_, row)| row + 1).max().unwrap_or(1);
        Self { panels, columns: across, rows, positions }
    }

    fn at(&self, column: usize, row: usize) -> Option<&Panel> {
        self.positions.iter().position(|cell| *cell == (column, row)).map(|index| &self.panels[index])
    }

    /// Returns true if the numbers of the vertical axis are drawn: the panel at the left has another axis.
    fn has_y_numbers(&self, index: usize) -> bool {
        let (column, row) = self.positions[index];
        let left = column.checked_sub(1).and_then(|column| self.at(column, row));
        left.is_none_or(|left| left.y != self.panels[index].y)
    }

    /// Returns true if the numbers of the horizontal axis are drawn: the panel below has another axis.
    fn has_x_numbers(&self, index: usize) -> bool {
        let (column, row) = self.positions[index];
        self.at(column, row + 1).is_none_or(|below| below.x != self.panels[index].x)
    }
}

/// Sizes of the plots and of the margins around them. Only the height of the plots depends on that of the figure.
struct Sizes {
    fonts: Fonts,
    title: Font,
    /// Width of each plot.
    width: f64,
    /// Left end of each column of plots, and of the labels of its vertical axes.
    lefts: Vec<(f64, f64)>,
    /// Heights above and below the plots of each row.
    rows: Vec<(f64, f64)>,
}

impl Sizes {
    /// Returns the sizes in a figure whose panels have `width` pixels.
    fn new(drawing: &Drawing, cells: &Cells, width: f64, fonts: Fonts) -> Self {
        let outer = |column: usize| if column == 0 { 4.0 } else { GAP };
        let mut margins = vec![0.0_f64; cells.columns];
        for index in 0..cells.panels.len() {
            let column = cells.positions[index].0;
            let outer = outer(column);
            let needed = if cells.has_y_numbers(index) {
                let label =
                    if cells.panels[index].y.label.is_empty() { 0.0 } else { 6.0 + fonts.axis.leading() };
                outer + label + y_numbers_width(drawing, cells, index, fonts) + 7.0
            } else {
                outer
            };
            margins[column] = margins[column].max(needed);
        }
        let plot = ((width - margins.iter().sum::<f64>()) / cells.columns as f64).max(1.0);
        let mut left = 0.0;
        let lefts = margins.iter().enumerate().map(|(column, margin)| {
            left += margin + plot;
            let label = left - plot - margin + outer(column);
            ((left - plot).floor() + 0.5, label)
        });
        let lefts = lefts.collect();
        let title = Font { bold: true, ..fonts.axis };
        let mut rows = vec![(8.0_f64, 8.0_f64); cells.rows];
        for (index, panel) in cells.panels.iter().enumerate() {
            let (above, below) = &mut rows[cells.positions[index].1];
            // Above a narrow panel there is always room for two lines: in a replay, a title may become longer.
            let least = if plot < MIN_WIDTH { 2 } else { 1 };
            let lines = title_lines(panel, title, plot).len();
            let room = if lines > 0 { lines.max(least) as f64 * title.leading() + 8.0 } else { 0.0 };
            let heading = if panel.row_heading.is_empty() { 0.0 } else { fonts.axis.leading() + 8.0 };
            *above = above.max(room.max(8.0) + heading);
            if cells.has_x_numbers(index) {
                let label = if panel.x.label.is_empty() { 0.0 } else { 4.0 + fonts.axis.leading() };
                *below = below.max(7.0 + fonts.number.leading() + label + 4.0);
            }
        }
        Self { fonts, title, width: plot, lefts, rows }
    }

    /// Returns the height of everything but the plots.
    fn around(&self) -> f64 {
        self.rows.iter().map(|(above, below)| above + below).sum()
    }
}

/// Returns the lines of a title above a plot of that width.
fn title_lines(panel: &Panel, font: Font, width: f64) -> Vec<String> {
    let measure = width + 0.8 * GAP;
    let lines = wrap(&panel.title, font.plain_size(), measure);
    lines.iter().filter(|line| !line.is_empty()).map(|line| fit(line, font.plain_size(), measure)).collect()
}

/// Returns the heading of the row that begins with a panel, below `top`, from the left end of its plot or, if it is long, of the figure;
/// `None` without one.
fn row_heading(panel: &Panel, font: Font, (left, top): (f64, f64), width: f64) -> Option<PanelTitle> {
    let right = width - RIGHT;
    let left = if left + font.width(&panel.row_heading) > right { 4.0 } else { left };
    let lines = vec![fit(&panel.row_heading, font.size, right - left)];
    let at = (left, top + 0.5 * font.leading());
    (!panel.row_heading.is_empty()).then_some(PanelTitle { lines, hue: Hue::Ink, font, at })
}

/// Returns the ranges of both axes of a panel.
fn ranges(drawing: &Drawing, index: usize, panel: &Panel) -> [(f64, f64); 2] {
    let data =
        || drawing.figure.marks.iter().filter(move |mark| mark.info().panel == index).flat_map(Mark::data);
    [
        drawable_range(&panel.x, data().map(|datum| datum.x)),
        drawable_range(&panel.y, data().map(|datum| datum.y)),
    ]
}

fn y_ticks(axis: &Axis, range: (f64, f64), font: Font) -> Ticks {
    if axis.names.is_empty() {
        axis_ticks(axis, range, Y_TICKS)
    } else {
        name_ticks(axis_names(axis, font, 8.0 * font.size).0, f64::INFINITY, 0.0)
    }
}

fn x_ticks(axis: &Axis, range: (f64, f64), width: f64, font: Font) -> Ticks {
    if axis.names.is_empty() {
        number_ticks(axis, range, width, font)
    } else {
        let (names, widest) = axis_names(axis, font, 0.5 * width);
        name_ticks(names, width, widest + 0.9 * font.size)
    }
}

fn y_numbers_width(drawing: &Drawing, cells: &Cells, index: usize, fonts: Fonts) -> f64 {
    let panel = &cells.panels[index];
    let ticks = y_ticks(&panel.y, ranges(drawing, index, panel)[1], fonts.number);
    ticks.major.iter().map(|(_, number)| fonts.number.width(number)).fold(0.0, f64::max)
}

/// Removes the numbers and keeps the ticks.
fn without_numbers(mut ticks: Ticks) -> Ticks {
    ticks.major.iter_mut().for_each(|(_, number)| number.clear());
    ticks
}

/// Returns the height of a figure of panels of that width. Plots side by side are nearly square; a column of them is somewhat higher
/// than a single figure, which has the height `usual`.
pub(super) fn height(drawing: &Drawing, panels: &[Panel], columns: usize, (width, usual): (f64, f64)) -> f64 {
    if columns == 1 {
        return usual * if panels.len() > 1 { COLUMN } else { 1.0 };
    }
    height_of(drawing, panels, columns, width, |width| ASPECT * width)
}

/// Returns the height of a figure of panels of that width with plots that are just high enough to be read.
pub(super) fn least_height(drawing: &Drawing, panels: &[Panel], columns: usize, width: f64) -> f64 {
    height_of(drawing, panels, columns, width, |width| LEAST_PLOT.min(ASPECT * width))
}

/// Returns the height of a figure of that width whose plots have the height that `plot` returns for their width.
fn height_of(
    drawing: &Drawing,
    panels: &[Panel],
    columns: usize,
    width: f64,
    plot: impl Fn(f64) -> f64,
) -> f64 {
    let fonts = Fonts::of(width);
    let NameMargins { top, right, .. } = names::reserve(drawing, (width, width), fonts);
    let cells = Cells::new(panels, columns, width);
    let inner = width - right.max(RIGHT) - ColourScale::of(drawing, width, fonts).width;
    let sizes = Sizes::new(drawing, &cells, inner, fonts);
    top + sizes.around() + plot(sizes.width) * cells.rows as f64
}

/// Lays out a figure of panels.
pub(super) fn layout(
    drawing: &Drawing,
    panels: &[Panel],
    columns: usize,
    (width, height): (f64, f64),
) -> FigureLayout {
    let fonts = Fonts::of(width);
    let NameMargins { arrangement, top, right } = names::reserve(drawing, (width, height), fonts);
    let scale = ColourScale::of(drawing, width, fonts);
    let cells = Cells::new(panels, columns, width);
    let sizes = Sizes::new(drawing, &cells, width - right.max(RIGHT) - scale.width, fonts);
    let plot_height = ((height - top - sizes.around()) / cells.rows as f64).max(1.0);
    let (mut geometries, mut axes, mut titles) = (Vec::new(), Vec::new(), Vec::new());
    for (index, panel) in panels.iter().enumerate() {
        let (column, row) = cells.positions[index];
        let before: f64 = sizes.rows[..row].iter().map(|(above, below)| above + below + plot_height).sum();
        let (left, upper) = (sizes.lefts[column].0, (top + before + sizes.rows[row].0).floor() + 0.5);
        let plot =
            Rect { left, top: upper, right: left + sizes.width.floor(), bottom: upper + plot_height.floor() };
        let geometry = plane(panel, ranges(drawing, index, panel), plot, (width, height));
        axes.push(panel_axes(&cells, index, &geometry, &sizes));
        let lines = title_lines(panel, sizes.title, sizes.width);
        let at = (left, upper - 6.0 - 0.5 * sizes.title.leading());
        titles.push(PanelTitle { lines, hue: panel.hue, font: sizes.title, at });
        let top = top + before + 4.0;
        titles.extend(row_heading(panel, fonts.axis, (left, top), width));
        geometries.push(geometry);
    }
    let geometry = around(geometries, (width, height));
    let names = names::placed(arrangement, drawing, &geometry, fonts.name, scale.width);
    FigureLayout { axes, titles, scale, names, ..FigureLayout::bare(geometry, fonts) }
}

/// Returns the numbers and labels of a panel.
fn panel_axes(cells: &Cells, index: usize, geometry: &PlotGeometry, sizes: &Sizes) -> PlaneAxes {
    let (panel, Fonts { number, axis, .. }) = (&cells.panels[index], sizes.fonts);
    let x_ticks = x_ticks(&panel.x, geometry.x.range, sizes.width, number);
    let y_ticks = y_ticks(&panel.y, geometry.y.range, number);
    // A symbol alone is better than a label that is cut.
    let label = |named: &Axis, length: f64| match named.label.as_str() {
        "" => Vec::new(),
        text if axis.width(text) <= length => vec![text.to_owned()],
        _ => vec![fit(named.symbol(), axis.size, length)],
    };
    let (has_x, has_y) = (cells.has_x_numbers(index), cells.has_y_numbers(index));
    PlaneAxes {
        x_ticks: if has_x { x_ticks } else { without_numbers(x_ticks) },
        y_ticks: if has_y { y_ticks } else { without_numbers(y_ticks) },
        below: number.leading(),
        upright: false,
        x_label: if has_x { label(&panel.x, sizes.width + GAP) } else { Vec::new() },
        y_label: if has_y { label(&panel.y, geometry.plot.height() + GAP) } else { Vec::new() },
        left: sizes.lefts[cells.positions[index].0].1,
    }
}

/// Returns the plane of a panel.
fn plane(panel: &Panel, [x, y]: [(f64, f64); 2], plot: Rect, size: (f64, f64)) -> PlotGeometry {
    PlotGeometry {
        size,
        plot,
        x: AxisMap { scale: panel.x.scale, range: x, px: (plot.left, plot.right) },
        y: AxisMap { scale: panel.y.scale, range: y, px: (plot.bottom, plot.top) },
        coordinates: Coordinates::Plane,
    }
}

/// Returns the geometry around the planes of the panels.
fn around(geometries: Vec<PlotGeometry>, size: (f64, f64)) -> PlotGeometry {
    let all = geometries.iter().map(|geometry| geometry.plot).reduce(|a, b| Rect {
        left: a.left.min(b.left),
        top: a.top.min(b.top),
        right: a.right.max(b.right),
        bottom: a.bottom.max(b.bottom),
    });
    let plot = all.unwrap_or(Rect { left: 0.0, top: 0.0, right: size.0, bottom: size.1 });
    let map = |px| AxisMap { scale: crate::figure::Scale::Linear, range: (0.0, 1.0), px };
    let (x, y) = (map((plot.left, plot.right)), map((plot.bottom, plot.top)));
    PlotGeometry { size, plot, x, y, coordinates: Coordinates::Panels(geometries) }
}

/// Returns the planes of a sketch: the first row of panels, two side by side if there are more.
pub(super) fn sketch(drawing: &Drawing, panels: &[Panel], columns: usize, area: &Rect) -> Coordinates {
    let shown = &panels[..columns.min(panels.len())];
    let across = shown.len().clamp(1, 2);
    let rows = shown.len().div_ceil(across).max(1);
    let side = |length: f64, count: usize| ((length + SKETCH_GAP) / count as f64 - SKETCH_GAP).max(1.0);
    let (wide, high) = (side(area.right - area.left, across), side(area.height(), rows));
    let planes = shown.iter().enumerate().map(|(index, panel)| {
        let left = area.left + (index % across) as f64 * (wide + SKETCH_GAP);
        let top = area.top + (index / across) as f64 * (high + SKETCH_GAP);
        let plot = Rect { left, top, right: left + wide, bottom: top + high };
        plane(panel, ranges(drawing, index, panel), plot, (area.right, area.bottom))
    });
    Coordinates::Panels(planes.collect())
}
