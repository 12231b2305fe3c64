//! A probability over the plane: colour under the curves, and the line where it is one half.

use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBAColor};

use super::DrawError;
use super::frame::{Frame, Rect};
use super::layout::{BAR, Layout};
use super::pen::Pen;
use crate::figure::{HeatMap, Hue, Stroke};

/// Steps of colour on each side: neighbours of one step are painted together.
const STEPS: i32 = 12;
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
    let shades: Vec<i32> =
        (0..rows * columns).map(|cell| shade(map.at(cell % columns, cell / columns))).collect();
    // One colour after the other, from blue over the paper, which is not painted, to orange.
    for step in (-STEPS..=STEPS).filter(|&step| step != 0) {
        let colour = colour(pen, step, strength);
        for (row, shades) in shades.chunks(columns).enumerate() {
            let bottom = plot.bottom - high * row as f64;
            let mut left = plot.left;
            for run in shades.chunk_by(|a, b| a == b) {
                let right = left + wide * run.len() as f64;
                if run[0] == step {
                    pen.fill(&Rect { left, top: bottom - high, right, bottom }, colour)?;
                }
                left = right;
            }
        }
    }
    let ink = pen.look.theme.ink().mix(if map.stale { 0.3 } else { 0.9 });
    let place = |(x, y): (f64, f64)| (plot.left + wide * x, plot.bottom - high * y);
    for piece in map.contour() {
        pen.line(&piece.map(place), Stroke::Solid, 1.4, ink)?;
    }
    Ok(())
}

/// The bar at the right of the plot that says which colour is which value.
pub(super) fn scale(pen: &Pen, layout: &Layout, map: &HeatMap) -> Result<(), DrawError> {
    let Rect { top, bottom, right, .. } = layout.frame.plot;
    let (left, right) = (right + BAR[0], right + BAR[1]);
    let at = |fraction: f64| bottom - fraction * (bottom - top);
    let steps = f64::from(2 * STEPS + 1);
    for step in -STEPS..=STEPS {
        let from = f64::from(step + STEPS) / steps;
        let cell = Rect { left, top: at(from + 1.0 / steps), right, bottom: at(from) };
        pen.fill(&cell, colour(pen, step, STRENGTH))?;
    }
    let ink = pen.look.theme.ink();
    for side in [top, bottom] {
        pen.across((left, right), side, 0.8, ink.mix(0.8))?;
    }
    for side in [left, right] {
        pen.down(side, (top, bottom), 0.8, ink.mix(0.8))?;
    }
    let font = layout.font;
    for (fraction, name) in [(0.0, "0"), (0.5, "½"), (1.0, "1")] {
        pen.text(name, (right + 5.0, at(fraction)), font.number, HPos::Left, ink.mix(1.0))?;
    }
    if layout.scale_words {
        let middle = right - BAR[1] + layout.scale - 0.5 * font.axis.leading();
        pen.upright(&map.label, (middle, at(0.5)), font.axis, ink.mix(1.0))?;
    }
    Ok(())
}

/// Thin, so that whatever paper lies under it shows through: one picture serves both themes.
fn colour(pen: &Pen, step: i32, strength: f64) -> RGBAColor {
    let hue = pen.look.theme.hue(if step < 0 { Hue::Blue } else { Hue::Orange });
    hue.mix(strength * f64::from(step.abs()) / f64::from(STEPS))
}

/// The step of colour of a probability: from −[`STEPS`] over 0, one half, to [`STEPS`].
fn shade(probability: f32) -> i32 {
    ((2.0 * probability - 1.0) * STEPS as f32).round() as i32
}
