//! Figures on a canvas.

use plotters::drawing::IntoDrawingArea;
use plotters_canvas::CanvasBackend;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::{DrawError, Drawing, FigureLayout, Look, Theme};

/// Backend units per device pixel. Plotters has integer coordinates, and curves must not be rounded to whole pixels.
const FINE: u32 = 8;

impl FigureLayout {
    /// Draws the figure that was laid out on a canvas of the same size in CSS pixels, sharp on a screen with `device_pixel_ratio`
    /// device pixels per CSS pixel. The background is painted if `paper` is true, or else transparent.
    ///
    /// # Errors
    /// If the element has no 2-D context or refuses to draw.
    pub fn draw_on_canvas(
        &self,
        drawing: &Drawing,
        element: &HtmlCanvasElement,
        device_pixel_ratio: f64,
        theme: Theme,
        paper: bool,
    ) -> Result<(), DrawError> {
        let look = Look { paper, ..Look::new(theme, device_pixel_ratio) };
        let pixels = |css: f64| (css * look.scale).round().clamp(1.0, 16_384.0) as u32;
        let (width, height) = (pixels(self.frame.size.0), pixels(self.frame.size.1));
        // Setting a size clears the canvas, even to the same size, and the figure would flicker.
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
        // The backend draws in the same context and keeps its transformation.
        context.set_transform(fine, 0.0, 0.0, fine, 0.0, 0.0).map_err(|_| refused())?;
        context.set_line_join("round");
        let backend = CanvasBackend::with_canvas_object(element.clone()).ok_or_else(refused)?;
        let area = backend.into_drawing_area().shrink((0, 0), (width * FINE, height * FINE));
        self.draw(drawing, &area, &look.finer(FINE))
    }
}
