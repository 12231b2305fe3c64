//! Heights of figures on the page. The ready-made picture of a run is as high as the live figure that replaces it.

use crate::figure::Coordinates;
use crate::render::{self, Drawing};

/// Width ÷ height of a figure on a wide page; on a phone, where names stand above the plot, it is as high as it is wide.
const ASPECT: f64 = 760.0 / 480.0;
const PHONE: f64 = 560.0;
/// Height of tick labels and axis title below a plot with equal scales, in CSS pixels.
const BELOW: f64 = 52.0;

/// Returns the height of a figure of that width. Only a plane with equal scales adapts to its content, so that a run does not move
/// the page.
pub fn height(width: f64, drawing: &Drawing) -> f64 {
    let usual = if width < PHONE { width } else { width / ASPECT };
    let height = match drawing.figure.coordinates {
        Coordinates::Plane { equal: true } => (render::measure(drawing, (width, 1.25 * usual)).plot.bottom
            + BELOW)
            .clamp(0.5 * usual, 1.25 * usual),
        _ => usual,
    };
    height.round()
}
