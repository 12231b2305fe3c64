//! Figures on a canvas.

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::style::{RGBAColor, ShapeStyle, TextStyle};
use plotters_canvas::CanvasBackend;
use wasm_bindgen::{Clamped, JsCast, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

use super::pen::{DevicePoint, Pen, Surface};
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
        let (width, height) = (pixels(self.geometry.size.0), pixels(self.geometry.size.1));
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
        let (surface, look) = (CanvasSurface { area, element, context }, look.finer(FINE));
        let pen = Pen::new(&surface, &look);
        self.draw_with(drawing, &pen);
        pen.finish()
    }
}

/// Plotters' canvas, with pictures.
struct CanvasSurface<'a> {
    area: DrawingArea<CanvasBackend, Shift>,
    element: &'a HtmlCanvasElement,
    context: CanvasRenderingContext2d,
}

impl CanvasSurface<'_> {
    fn paint_picture(
        &self,
        columns: usize,
        pixels: &[u8],
        [from, to]: [DevicePoint; 2],
        [first, last]: [DevicePoint; 2],
    ) -> Result<(), JsValue> {
        let (columns, rows) = (columns as u32, (pixels.len() / 4 / columns.max(1)) as u32);
        let document = self.element.owner_document().ok_or("the canvas has no document")?;
        let small: HtmlCanvasElement = document.create_element("canvas")?.unchecked_into();
        small.set_width(columns);
        small.set_height(rows);
        let image = ImageData::new_with_u8_clamped_array_and_sh(Clamped(pixels), columns, rows)?;
        let context = small.get_context("2d")?.ok_or("the canvas has no 2-D context")?;
        context.unchecked_into::<CanvasRenderingContext2d>().put_image_data(&image, 0.0, 0.0)?;
        let sides = |(x0, y0): DevicePoint, (x1, y1): DevicePoint| {
            [f64::from(x0), f64::from(y0), f64::from(x1 - x0), f64::from(y1 - y0)]
        };
        self.context.save();
        self.context.begin_path();
        let [x, y, width, height] = sides(first, last);
        self.context.rect(x, y, width, height);
        self.context.clip();
        self.context.set_image_smoothing_enabled(false);
        let [x, y, width, height] = sides(from, to);
        let done =
            self.context.draw_image_with_html_canvas_element_and_dw_and_dh(&small, x, y, width, height);
        self.context.restore();
        done
    }
}

impl Surface for CanvasSurface<'_> {
    fn rectangle(&self, corners: [DevicePoint; 2], colour: RGBAColor) -> Result<(), DrawError> {
        self.area.rectangle(corners, colour)
    }
    fn path(&self, through: Vec<DevicePoint>, style: ShapeStyle) -> Result<(), DrawError> {
        self.area.path(through, style)
    }
    fn picture(
        &self,
        columns: usize,
        pixels: &[u8],
        corners: [DevicePoint; 2],
        clip: [DevicePoint; 2],
    ) -> Option<Result<(), DrawError>> {
        let painted = self.paint_picture(columns, pixels, corners, clip);
        Some(painted.map_err(|why| DrawError(format!("{why:?}"))))
    }
    fn polygon(&self, corners: Vec<DevicePoint>, colour: RGBAColor) -> Result<(), DrawError> {
        self.area.polygon(corners, colour)
    }
    fn circle(&self, at: DevicePoint, radius: u32, style: ShapeStyle) -> Result<(), DrawError> {
        self.area.circle(at, radius, style)
    }
    fn text(&self, s: &str, style: &TextStyle, at: DevicePoint) -> Result<(), DrawError> {
        self.area.text(s, style, at)
    }
}
