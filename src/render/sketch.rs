//! Small pictures of figures without words, for the cards of the front page.

use plotters::style::Color;

use super::drawing::Drawing;
use super::frame::{AxisMap, Frame, Geometry, Rect};
use super::layout::{FigureLayout, Fonts};
use super::pen::Pen;
use super::pictures::PictureGrid;
use super::space::{Projection, marks as marks_in_space};
use super::{marks, pictures, svg};
use crate::figure::{Cloud, Colours, Curve, FigureKind, Grid, Hue, Mark, Point};

/// Margin of the picture, in CSS pixels: half of the largest marker.
const EDGE: f64 = 5.0;
/// Largest number of points of a mark.
const MAX_POINTS: usize = 72;
/// Units per CSS pixel.
const FINE: u32 = 3;
/// Contour levels of a map of probabilities, in the colour of the more probable class.
const LEVELS: [(f32, Hue); 5] =
    [(0.1, Hue::Blue), (0.3, Hue::Blue), (0.5, Hue::Ink), (0.7, Hue::Orange), (0.9, Hue::Orange)];

/// Returns the marks of a figure without numbers and words as markup for the page, see [`super::svg_for_page`].
pub fn sketch_for_page(drawing: &Drawing, width: u32, height: u32) -> String {
    let drawing = simplified(drawing);
    svg::markup_for_page(&drawing.figure.summary, width, height, FINE, |pen| {
        draw(&drawing, pen, (f64::from(width), f64::from(height)));
    })
}

/// Returns the drawing with fewer points, without names, and without tubes.
fn simplified(drawing: &Drawing) -> Drawing {
    let mut simple = drawing.clone();
    for (mark, style) in simple.figure.marks.iter_mut().zip(&mut simple.styles) {
        style.name = Some(String::new());
        match mark {
            Mark::Curve(curve) => thin_curve(curve),
            Mark::Cloud(Cloud { points, .. }) => *points = thinned(points),
            Mark::Tube(_) => style.hidden = true,
            _ => {}
        }
    }
    simple
}

/// Returns at most [`MAX_POINTS`] of the points at equal steps, and the last.
fn thinned<T: Copy>(all: &[T]) -> Vec<T> {
    let stride = all.len().div_ceil(MAX_POINTS).max(1);
    let last = all.len().saturating_sub(1);
    all.iter().enumerate().filter(|(at, _)| at % stride == 0 || *at == last).map(|(_, one)| *one).collect()
}

/// Thins each piece of a curve.
fn thin_curve(curve: &mut Curve) {
    let whole = |point: &Point| point.x.is_finite() && point.y.is_finite();
    let pieces = curve.points.chunk_by(|a, b| whole(a) == whole(b));
    curve.points = pieces
        .flat_map(|piece| if piece.first().is_some_and(whole) { thinned(piece) } else { piece[..1].to_vec() })
        .collect();
}

fn draw(drawing: &Drawing, pen: &Pen, (width, height): (f64, f64)) {
    let area = Rect { left: EDGE, top: EDGE, right: width - EDGE, bottom: height - EDGE };
    let fonts = Fonts::of(width);
    match &drawing.figure.kind {
        FigureKind::Plane { equal } => plane(drawing, pen, area, *equal),
        FigureKind::Space { z } => {
            // A sketch cannot be turned and needs no room for other directions.
            let more = 0.22 * height;
            let area = Rect { top: area.top - more, bottom: area.bottom + more, ..area };
            marks_in_space(pen, drawing, &Projection::new(&drawing.figure, z, drawing.turn, &area));
        }
        FigureKind::Pictures { .. } => {
            pictures::draw(pen, drawing, &PictureGrid::new(drawing, &area, fonts.name), fonts);
        }
    }
}

fn plane(drawing: &Drawing, pen: &Pen, area: Rect, equal: bool) {
    // The ranges are those of the complete figure.
    let whole = FigureLayout::new(drawing, (760.0, 480.0)).frame;
    let ((x0, x1), (y0, y1)) = (whole.x.range, whole.y.range);
    let (mut wide, mut high) = (area.right - area.left, area.bottom - area.top);
    if equal {
        let unit = (wide / (x1 - x0)).min(high / (y1 - y0));
        (wide, high) = (unit * (x1 - x0), unit * (y1 - y0));
    }
    let left = 0.5 * (area.left + area.right - wide);
    let top = 0.5 * (area.top + area.bottom - high);
    let plot = Rect { left, top, right: left + wide, bottom: top + high };
    let frame = Frame {
        size: whole.size,
        plot,
        x: AxisMap { px: (plot.left, plot.right), ..whole.x },
        y: AxisMap { px: (plot.bottom, plot.top), ..whole.y },
        geometry: Geometry::Plane,
    };
    let ink = pen.look.theme.ink().mix(0.4);
    pen.across((plot.left, plot.right), plot.bottom, 0.8, ink);
    pen.down(plot.left, (plot.top, plot.bottom), 0.8, ink);
    for styled in drawing.shown() {
        match styled.mark {
            Mark::Grid(grid) if grid.colours == Colours::Probability => levels(pen, grid, &plot),
            Mark::Grid(_) => {}
            _ => marks::draw(pen, &frame, &styled),
        }
    }
}

/// Draws a map of probabilities as contours.
fn levels(pen: &Pen, grid: &Grid, plot: &Rect) {
    let coarse = coarser(grid);
    for (level, hue) in LEVELS {
        let one = coarse.clone().contours([level]);
        marks::contours(pen, &one, plot, plot, pen.look.theme.hue(hue).to_rgba());
    }
}

/// Returns the means of three by three cells.
fn coarser(grid: &Grid) -> Grid {
    const SIDE: usize = 3;
    let (columns, rows) = (grid.columns / SIDE, grid.rows() / SIDE);
    let mean = |column: usize, row: usize| {
        let cells = (0..SIDE * SIDE).map(|at| grid.at(SIDE * column + at % SIDE, SIDE * row + at / SIDE));
        cells.sum::<f32>() / (SIDE * SIDE) as f32
    };
    let values = (0..columns * rows).map(|at| mean(at % columns, at / columns)).collect();
    Grid { columns, values, ..grid.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Axis, Figure, Stroke};

    fn figure() -> Figure {
        let points = (0..1000).map(|i| Point::new(f64::from(i) / 1000.0, f64::from(i % 7) / 7.0));
        let values = (0..900).map(|i| (i % 30) as f32 / 30.0).collect();
        let map = Grid::map("map", "p", 30, values, ((0.0, 1.0), (0.0, 1.0)), Colours::Probability);
        Figure::new("f", "")
            .x(Axis::linear("load, α", (0.0, 1.0)))
            .y(Axis::linear("error, ε", (0.0, 1.0)))
            .mark(map)
            .mark(Curve::new("curve", "a curve", Hue::Green).stroke(Stroke::Solid).points(points))
    }

    #[test]
    fn a_sketch_has_marks_and_no_words() {
        let sketch = sketch_for_page(&Drawing::new(figure()), 300, 200);
        assert!(!sketch.contains("<text") && sketch.contains("viewBox=\"0 0 300 200\""), "{sketch}");
        for hue in ["--hue-green", "--hue-blue", "--hue-orange"] {
            assert!(sketch.contains(hue), "{hue}");
        }
        assert!(sketch.len() < 6_000, "{} bytes", sketch.len());
    }

    #[test]
    fn thinned_points_keep_the_last() {
        let all: Vec<usize> = (0..1000).collect();
        let few = thinned(&all);
        assert!(few.len() <= MAX_POINTS + 1 && few[0] == 0 && few.last() == Some(&999));
        assert_eq!(thinned(&all[..50]), all[..50]);
    }
}
