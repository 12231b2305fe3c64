//! The live figure.

use plotters::drawing::IntoDrawingArea;
use plotters_canvas::CanvasBackend;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::{DrawError, Drawing, Frame, Look, Theme, draw};

/// Backend units per device pixel: plotters counts in whole units, and a curve must not step from pixel to pixel.
const FINE: u32 = 8;

/// Draws the figure on a canvas that the style sheet shows `css_width` × `css_height` CSS pixels large, sharp on a
/// screen with `device_pixel_ratio` device pixels in a CSS pixel; on `paper` of its own, or on whatever is below.
///
/// # Errors
/// If the element gives no 2-D context or refuses to draw.
pub fn canvas(
    drawing: &Drawing,
    element: &HtmlCanvasElement,
    (css_width, css_height): (f64, f64),
    device_pixel_ratio: f64,
    theme: Theme,
    paper: bool,
) -> Result<Frame, DrawError> {
    let look = Look { paper, ..Look::new(theme, device_pixel_ratio) };
    let pixels = |css: f64| (css * look.scale).round().clamp(1.0, 16_384.0) as u32;
    let (width, height) = (pixels(css_width), pixels(css_height));
    // Setting a size clears the canvas even if it is the same one, and the figure would flicker.
    if element.width() != width || !paper {
        element.set_width(width);
    }
    if element.height() != height {
        element.set_height(height);
    }
    let refused = || DrawError("the canvas has no 2-D context".into());
    let context: CanvasRenderingContext2d =
        element.get_context("2d").ok().flatten().and_then(|c| c.dyn_into().ok()).ok_or_else(refused)?;
    let fine = 1.0 / f64::from(FINE);
    // The backend draws through this very context, so it takes over the transformation.
    context.set_transform(fine, 0.0, 0.0, fine, 0.0, 0.0).map_err(|_| refused())?;
    context.set_line_join("round");
    let backend = CanvasBackend::with_canvas_object(element.clone()).ok_or_else(refused)?;
    let area = backend.into_drawing_area().shrink((0, 0), (width * FINE, height * FINE));
    draw(drawing, &area, &look.finer(FINE))
}
