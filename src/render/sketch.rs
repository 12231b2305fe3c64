//! Small pictures of figures without words, for the cards of the front page.

use plotters::style::Color;

use super::drawing::Drawing;
use super::figure_layout::FigureLayout;
use super::geometry::Coordinates;
use super::pen::Pen;
use super::rect::Rect;
use super::{marks, pictures, space, svg};
use crate::figure::{Cloud, Colours, Curve, Grid, Hue, Mark, Point, Shades};

/// Largest number of points of a mark.
const MAX_POINTS: usize = 72;
/// Largest number of threads of a mark.
const MAX_THREADS: usize = 16;
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

/// Returns the drawing with fewer points and threads, without names, and without tubes.
fn simplified(drawing: &Drawing) -> Drawing {
    let mut simple = drawing.clone().into_sketch();
    for (mark, style) in simple.figure.marks.iter_mut().zip(&mut simple.styles) {
        match mark {
            Mark::Curve(curve) => thin_curve(curve),
            Mark::Cloud(Cloud { points, shades, .. }) => {
                *points = thinned(points);
                if let Some(Shades { values, .. }) = shades {
                    *values = thinned(values);
                }
            }
            Mark::Band(band) => band.intervals = thinned(&band.intervals),
            Mark::Threads(threads) => threads.threads.truncate(MAX_THREADS),
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

fn draw(drawing: &Drawing, pen: &Pen, size: (f64, f64)) {
    let FigureLayout { geometry, fonts, .. } = FigureLayout::new(drawing, size);
    match &geometry.coordinates {
        Coordinates::Plane => {
            for styled in drawing.shown() {
                match styled.mark {
                    Mark::Grid(grid) if grid.colours == Colours::Probability => {
                        levels(pen, grid, &geometry.plot);
                    }
                    Mark::Grid(_) => {}
                    _ => marks::draw(pen, &geometry, &styled),
                }
            }
        }
        Coordinates::Panels(panels) => {
            for styled in drawing.shown() {
                if let Some(plane) = panels.get(styled.mark.info().panel) {
                    marks::draw(pen, plane, &styled);
                }
            }
        }
        Coordinates::Space(projection) => space::draw(pen, drawing, projection, fonts),
        Coordinates::Pictures(grid) => pictures::draw(pen, drawing, grid, fonts),
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
    use crate::render::Theme;

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
    fn a_sketch_has_no_axes_and_fills_its_area() {
        let empty =
            Figure::new("f", "").x(Axis::linear("load", (0.0, 1.0))).y(Axis::linear("error", (0.0, 1.0)));
        let drawing = Drawing::new(empty).into_sketch();
        assert!(!sketch_for_page(&drawing, 300, 200).contains("<path"));
        assert!(!svg::svg(&drawing, 300, 200, Theme::Light).contains("<text"));
        let layout = FigureLayout::new(&Drawing::new(figure()).into_sketch(), (300.0, 200.0));
        assert_eq!(layout.names().count(), 0);
        assert_eq!(layout.geometry.plot, Rect { left: 5.0, top: 5.0, right: 295.0, bottom: 195.0 });
    }

    #[test]
    fn thinned_points_keep_the_last() {
        let all: Vec<usize> = (0..1000).collect();
        let few = thinned(&all);
        assert!(few.len() <= MAX_POINTS + 1 && few[0] == 0 && few.last() == Some(&999));
        assert_eq!(thinned(&all[..50]), all[..50]);
    }
}
