//! Height of a figure of a given width.

use super::{Drawing, FigureLayout};
use crate::figure::FigureKind;

/// Width ÷ height of a figure on a wide page. On a phone, where names stand above the plot, a figure is square.
const ASPECT: f64 = 760.0 / 480.0;
const PHONE: f64 = 560.0;
/// Room below a plot with equal scales for numbers and label, in CSS pixels.
const BELOW: f64 = 52.0;

/// Returns the height of a figure of that width, in CSS pixels. A plane with equal scales is as high as its plot; the height of
/// other figures depends on the width alone, so that it does not change while a run goes on.
pub fn height(width: f64, drawing: &Drawing) -> f64 {
    let usual = if width < PHONE { width } else { width / ASPECT };
    let height = match drawing.figure.kind {
        FigureKind::Plane { equal: true } => {
            let bottom = FigureLayout::new(drawing, (width, 1.25 * usual)).frame.plot.bottom;
            (bottom + BELOW).clamp(0.5 * usual, 1.25 * usual)
        }
        _ => usual,
    };
    height.round()
}
