//! Grids: cells and contours.

use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBAColor};

use super::super::axis_map::AxisMap;
use super::super::drawing::StyledMark;
use super::super::fonts::{Font, Fonts};
use super::super::geometry::PlotGeometry;
use super::super::pen::Pen;
use super::super::rect::Rect;
use super::super::stroke::Px;
use super::super::text::fit;
use super::contour::{contour_labels, contours};
use crate::figure::{Colours, Grid, Hue, Stroke};

/// Steps of colour on each side of a centre, or half of the steps of a scale without a centre. Adjacent cells of one step are
/// painted as one.
pub(in crate::render) const STEPS: i32 = 16;
/// Opacity at probability 0 or 1; points must be visible on it.
const LIGHT: f64 = 0.62;
/// Opacity at the ends of diverging scales.
const STRONG: f64 = 0.85;
/// Opacity of cells with printed counts.
const PRINTED: f64 = 0.35;
/// Opacity of the ground of a Hinton diagram, and largest width of a square relative to its cell.
const GROUND: f64 = 0.08;
const MAX_WIDTH: f64 = 0.92;
/// Opacity of a cell that was filled in with the smallest value: it differs from paper.
const FAINTEST: f64 = 0.06;
/// Side of the cells of an interpolated map, in CSS pixels.
const FINE: f64 = 3.0;

/// Draws a map, a table or a Hinton diagram over its extent. The labels of contours stand off the `markers`.
pub(super) fn map(pen: &Pen, geometry: &PlotGeometry, grid: &Grid, styled: &StyledMark, markers: &[Px]) {
    let ends = |axis: &AxisMap, (from, to): (f64, f64)| axis.to_px(from).zip(axis.to_px(to));
    let (Some((left, right)), Some((bottom, top))) = (ends(&geometry.x, grid.x), ends(&geometry.y, grid.y))
    else {
        return;
    };
    let area = Rect { left, top, right, bottom };
    let strength = if styled.style.faint { 0.35 } else { 1.0 };
    if grid.is_table() {
        return table(pen, geometry, grid, &area, strength);
    }
    if grid.squares {
        return squares(pen, grid, &area, strength);
    }
    cells(pen, grid, &area, &geometry.plot, strength);
    let ink = pen.look.theme.hue(grid.info.hue).mix(if styled.style.faint { 0.3 } else { 0.9 });
    let drawn = contours(pen, grid, &area, &geometry.plot, ink);
    if !styled.style.faint {
        let font = Fonts::of(geometry.size.0).number;
        contour_labels(pen, grid.colours, &drawn, markers, (&geometry.plot, font));
    }
}

/// Draws a table: light cells with counts, and the label above.
fn table(pen: &Pen, geometry: &PlotGeometry, grid: &Grid, area: &Rect, strength: f64) {
    cells(pen, grid, area, &geometry.plot, PRINTED * strength);
    let (columns, rows) = (grid.columns as f64, grid.rows() as f64);
    let (wide, high) = ((area.right - area.left) / columns, (area.bottom - area.top) / rows);
    let ink = pen.look.theme.ink();
    for row in 0..=grid.rows() {
        pen.across((area.left, area.right), area.bottom - row as f64 * high, 0.8, ink.mix(0.3 * strength));
    }
    for column in 0..=grid.columns {
        pen.down(area.left + column as f64 * wide, (area.top, area.bottom), 0.8, ink.mix(0.3 * strength));
    }
    let font = Fonts::of(geometry.size.0);
    // As large as the cells permit, limited to the usual sizes of text.
    let texts: Vec<String> = grid.counts.iter().map(u32::to_string).collect();
    let widest = texts.iter().map(|text| font.number.width(text)).fold(1.0, f64::max);
    let size = (0.8 * wide / widest * font.number.size).min(0.6 * high).min(1.3 * font.number.size);
    let number = Font { size, ..font.number };
    for (cell, text) in texts.iter().enumerate() {
        let at = (
            area.left + ((cell % grid.columns) as f64 + 0.5) * wide,
            area.bottom - ((cell / grid.columns) as f64 + 0.5) * high,
        );
        pen.text(text, at, number, HPos::Center, ink.mix(strength));
    }
    let label = fit(&grid.info.label, font.name.size, 1.4 * (area.right - area.left));
    let above = (0.5 * (area.left + area.right), area.top - 0.6 * font.name.leading());
    pen.text(&label, above, font.name, HPos::Center, ink.mix(strength));
}

/// Draws a Hinton diagram: squares on grey.
fn squares(pen: &Pen, grid: &Grid, area: &Rect, strength: f64) {
    pen.fill(area, pen.look.theme.ink().mix(GROUND * strength));
    let (wide, high) =
        ((area.right - area.left) / grid.columns as f64, (area.bottom - area.top) / grid.rows() as f64);
    let most = 0.5 * MAX_WIDTH * wide.min(high);
    for (cell, value) in grid.values.iter().enumerate() {
        let position = f64::from(grid.colours.position(*value));
        let half = most * position.abs().sqrt();
        if half.is_nan() || half < 0.3 {
            continue;
        }
        let x = area.left + ((cell % grid.columns) as f64 + 0.5) * wide;
        let y = area.bottom - ((cell / grid.columns) as f64 + 0.5) * high;
        let square = Rect { left: x - half, top: y - half, right: x + half, bottom: y + half };
        let side = if position < 0.0 { -STEPS } else { STEPS };
        pen.fill(&square, paint(pen, grid.colours, side).mix(strength));
    }
}

/// Paints the cells over `area`, clipped at `clip`.
pub(in crate::render) fn cells(pen: &Pen, grid: &Grid, area: &Rect, clip: &Rect, strength: f64) {
    if grid.rows() == 0 {
        return;
    }
    let (columns, shades) = shades(grid, area);
    let colours: Vec<RGBAColor> =
        (-STEPS..=STEPS).map(|step| paint(pen, grid.colours, step).mix(strength)).collect();
    if grid.smooth && picture(pen, (columns, &shades), &colours, area, clip) {
        return;
    }
    let rows = shades.len() / columns;
    let (wide, high) = ((area.right - area.left) / columns as f64, (area.bottom - area.top) / rows as f64);
    // Adjacent cells of one step are one rectangle. Rectangles are painted step by step, so that SVG paths are joined.
    let mut runs: Vec<Vec<Rect>> = vec![Vec::new(); 2 * STEPS as usize + 1];
    for (row, shades) in shades.chunks(columns).enumerate() {
        let bottom = area.bottom - high * row as f64;
        let mut left = area.left;
        for run in shades.chunk_by(|a, b| a == b) {
            let right = left + wide * run.len() as f64;
            if let Some(step) = run[0] {
                let cell = Rect { left, top: bottom - high, right, bottom };
                runs[(step + STEPS) as usize].push(cell.within(clip));
            }
            left = right;
        }
    }
    for (colour, runs) in colours.into_iter().zip(runs) {
        if colour.3 > 0.0 {
            for cell in &runs {
                pen.cell(cell, colour);
            }
        }
    }
}

/// Returns the number of columns, and the step of colour of each cell, row by row from the bottom; a smooth map is interpolated to finer
/// cells. `None` for a cell without a value of its own.
fn shades(grid: &Grid, area: &Rect) -> (usize, Vec<Option<i32>>) {
    let fine = |length: f64, cells: usize| {
        let parts = (length.abs() / cells as f64 / FINE).round().clamp(1.0, 32.0) as usize;
        if grid.smooth { parts * cells } else { cells }
    };
    let (columns, rows) =
        (fine(area.right - area.left, grid.columns), fine(area.bottom - area.top, grid.rows()));
    let value = |column: usize, row: usize| {
        if columns == grid.columns && rows == grid.rows() {
            grid.at(column, row)
        } else {
            interpolate(grid, (column as f64 + 0.5) / columns as f64, (row as f64 + 0.5) / rows as f64)
        }
    };
    let shade_of = |cell: usize| {
        let own = !grid.is_filled_in(cell);
        own.then(|| shade(grid.colours, value(cell % columns, cell / columns))).flatten()
    };
    (columns, (0..rows * columns).map(shade_of).collect())
}

/// Paints cells as one picture: on a canvas, thousands of rectangles in each frame keep a phone busy. Returns false if the surface has no
/// pictures.
fn picture(
    pen: &Pen,
    (columns, shades): (usize, &[Option<i32>]),
    colours: &[RGBAColor],
    area: &Rect,
    clip: &Rect,
) -> bool {
    let colour = |shade: &Option<i32>| {
        let RGBAColor(red, green, blue, opacity) = colours[(shade.unwrap_or(0) + STEPS) as usize];
        let opacity = shade.map_or(0.0, |_| 255.0 * opacity);
        [red, green, blue, opacity.round() as u8]
    };
    let pixels: Vec<u8> = shades.chunks(columns).rev().flatten().flat_map(colour).collect();
    pen.picture(columns, &pixels, area, clip)
}

/// Paints the cells whose values were filled in: the colour is the stronger the larger the value.
pub(in crate::render) fn filled_in(pen: &Pen, grid: &Grid, area: &Rect, strength: f64) {
    let (wide, high) =
        ((area.right - area.left) / grid.columns as f64, (area.bottom - area.top) / grid.rows() as f64);
    let colour = pen.look.theme.hue(Hue::Vermilion);
    for (cell, value) in grid.values.iter().enumerate().filter(|(cell, _)| grid.is_filled_in(*cell)) {
        let left = area.left + (cell % grid.columns) as f64 * wide;
        let bottom = area.bottom - (cell / grid.columns) as f64 * high;
        let square = Rect { left, top: bottom - high, right: left + wide, bottom };
        let share = FAINTEST + (1.0 - FAINTEST) * f64::from(grid.colours.position(*value));
        pen.cell(&square, colour.mix(share * strength));
    }
}

/// Draws a small cross in every cell without a value.
pub(in crate::render) fn missing(pen: &Pen, grid: &Grid, area: &Rect) {
    let (wide, high) =
        ((area.right - area.left) / grid.columns as f64, (area.bottom - area.top) / grid.rows() as f64);
    let ink = pen.look.theme.ink().mix(0.35);
    for (cell, _) in grid.values.iter().enumerate().filter(|(_, value)| !value.is_finite()) {
        let x = area.left + (cell % grid.columns) as f64 * wide;
        let y = area.bottom - (cell / grid.columns) as f64 * high;
        let at = |across: f64, up: f64| (x + across * wide, y - up * high);
        pen.line(&[at(0.3, 0.3), at(0.7, 0.7)], Stroke::Solid, 0.8, ink);
        pen.line(&[at(0.3, 0.7), at(0.7, 0.3)], Stroke::Solid, 0.8, ink);
    }
}

/// Returns the value at fractions of width and height, interpolated between the centres of four cells; the nearest value if one of
/// these has none.
fn interpolate(grid: &Grid, across: f64, up: f64) -> f32 {
    let along = |fraction: f64, cells: usize| {
        let at = (fraction * cells as f64 - 0.5).clamp(0.0, cells as f64 - 1.0);
        let low = (at as usize).min(cells.saturating_sub(2));
        (low, (low + 1).min(cells - 1), (at - low as f64) as f32)
    };
    let ((left, right, t), (below, above, u)) = (along(across, grid.columns), along(up, grid.rows()));
    let row = |row: usize| (1.0 - t) * grid.at(left, row) + t * grid.at(right, row);
    let value = (1.0 - u) * row(below) + u * row(above);
    if value.is_finite() {
        value
    } else {
        grid.at(if t < 0.5 { left } else { right }, if u < 0.5 { below } else { above })
    }
}

/// Returns true if the scale has a centre.
pub(in crate::render) fn has_centre(colours: Colours) -> bool {
    matches!(colours, Colours::Probability | Colours::Diverging { .. })
}

/// Returns the colour of a step from −[`STEPS`] to [`STEPS`]. Colours around a centre and greys are transparent, so that one picture
/// serves both themes.
pub(in crate::render) fn paint(pen: &Pen, colours: Colours, step: i32) -> RGBAColor {
    let theme = pen.look.theme;
    let side = theme.hue(if step < 0 { Hue::Blue } else { Hue::Orange });
    let share = f64::from(step.abs()) / f64::from(STEPS);
    let along = f64::from(step + STEPS) / f64::from(2 * STEPS);
    match colours {
        Colours::Probability => side.mix(LIGHT * share),
        Colours::Diverging { .. } => side.mix(STRONG * share),
        Colours::Grey { .. } => theme.ink().mix(along),
        Colours::Sequential { .. } => super::super::theme::viridis(along).to_rgba(),
    }
}

/// Returns the step of colour of a value; `None` if it is not finite.
fn shade(colours: Colours, value: f32) -> Option<i32> {
    let position = colours.position(value);
    let step = if has_centre(colours) { position } else { 2.0 * position - 1.0 };
    value.is_finite().then(|| (step * STEPS as f32).round() as i32)
}
