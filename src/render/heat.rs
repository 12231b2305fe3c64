//! A probability over the plane: colour under the curves, and the line where it is one half.

use plotters::style::{Color, RGBAColor, RGBColor};

use super::DrawError;
use super::frame::{Frame, Rect};
use super::pen::Pen;
use crate::figure::{HeatMap, Hue, Stroke};

/// Steps of colour on each side: neighbours of one step are painted together.
const STEPS: f32 = 12.0;
/// How much of the pure colour the surest cells have; points must stand out.
const STRENGTH: f64 = 0.42;

/// Paints the map over the whole plot.
pub(super) fn heat(pen: &Pen, frame: &Frame, map: &HeatMap) -> Result<(), DrawError> {
    let (columns, rows) = (map.columns, map.rows());
    if rows == 0 {
        return Ok(());
    }
    let plot = &frame.plot;
    let (wide, high) = ((plot.right - plot.left) / columns as f64, (plot.bottom - plot.top) / rows as f64);
    let strength = STRENGTH * if map.stale { 0.35 } else { 1.0 };
    for row in 0..rows {
        let top = plot.bottom - high * (row + 1) as f64;
        let step = |column: usize| ((2.0 * map.at(column, row) - 1.0) * STEPS).round() as i32;
        let mut start = 0;
        for column in 1..=columns {
            if column < columns && step(column) == step(start) {
                continue;
            }
            let left = plot.left + wide * start as f64;
            let cell = Rect { left, top, right: plot.left + wide * column as f64, bottom: top + high };
            pen.fill(&cell, tint(pen, f64::from(step(start)) / f64::from(STEPS), strength))?;
            start = column;
        }
    }
    let ink = pen.look.theme.ink().mix(if map.stale { 0.3 } else { 0.9 });
    let place = |(x, y): (f64, f64)| (plot.left + wide * x, plot.bottom - high * y);
    for piece in map.contour() {
        pen.line(&piece.map(place), Stroke::Solid, 1.4, ink)?;
    }
    Ok(())
}

/// From blue (−1) over the paper (0) to orange (+1).
fn tint(pen: &Pen, sure: f64, strength: f64) -> RGBAColor {
    let (paper, hue) =
        (pen.look.theme.paper(), pen.look.theme.hue(if sure < 0.0 { Hue::Blue } else { Hue::Orange }));
    let share = strength * sure.abs();
    let mix = |a: u8, b: u8| (f64::from(a) + share * (f64::from(b) - f64::from(a))).round() as u8;
    RGBColor(mix(paper.0, hue.0), mix(paper.1, hue.1), mix(paper.2, hue.2)).to_rgba()
}
