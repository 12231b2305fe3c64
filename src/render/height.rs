//! Height of a figure of a given width.

use super::{Drawing, FigureLayout, panels};
use crate::figure::{FigureKind, Grid};

/// Width ÷ height of a figure that has the width of the page to itself.
pub const WIDE: f64 = 2.0;
/// Width ÷ height of a figure beside the choice of a table.
pub const BESIDE: f64 = 1.5;
/// Width ÷ height of a figure beside others.
pub const USUAL: f64 = 1.3;
/// Width below which a figure is square: names stand above the plot, in CSS pixels.
const PHONE: f64 = 420.0;
/// Room below a plot with equal scales for numbers and label, in CSS pixels.
const BELOW: f64 = 52.0;

/// Returns the height of a figure of that width, in CSS pixels, where the page has room for width ÷ height = `aspect`. A plane with
/// equal scales is as high as its plot, and panels side by side are nearly square; the height of other figures does not depend on their content,
/// so that it does not change while a run goes on.
pub fn height(width: f64, drawing: &Drawing, aspect: f64) -> f64 {
    let usual = if width < PHONE { width } else { width / aspect };
    let height = match drawing.figure.kind {
        FigureKind::Plane { equal: true } => {
            let bottom = FigureLayout::new(drawing, (width, 1.25 * usual)).geometry.plot.bottom;
            (bottom + BELOW).clamp(0.5 * usual, 1.25 * usual)
        }
        FigureKind::Pictures { columns } if drawing.figure.wide && width >= PHONE => {
            row_of_pictures(drawing, width / columns.max(1) as f64).min(usual)
        }
        FigureKind::Panels { ref panels, columns } => {
            panels::height(drawing, panels, columns, (width, usual))
        }
        _ => usual,
    };
    height.round()
}

/// Returns the least height at which a figure of that width can be read, in CSS pixels; 0 for figures without panels.
pub fn least_height(width: f64, drawing: &Drawing) -> f64 {
    match drawing.figure.kind {
        FigureKind::Panels { ref panels, columns } if columns > 1 => {
            panels::least_height(drawing, panels, columns, width)
        }
        _ => 0.0,
    }
}

/// Returns the height of one row of pictures of that width, with their labels; that of no picture is its width.
fn row_of_pictures(drawing: &Drawing, width: f64) -> f64 {
    let shape = |grid: &Grid| grid.rows() as f64 / grid.columns.max(1) as f64;
    width * drawing.figure.grids().next().map_or(1.0, shape) + BELOW
}
