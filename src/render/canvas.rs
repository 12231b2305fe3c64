//! Figures on a canvas.

use std::cell::Cell;
use std::f64::consts::TAU;

use js_sys::Array;
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
        let no_context = || DrawError("the canvas has no 2-D context".into());
        let context: CanvasRenderingContext2d = element
            .get_context("2d")
            .ok()
            .flatten()
            .and_then(|c| c.dyn_into().ok())
            .ok_or_else(no_context)?;
        let fine = 1.0 / f64::from(FINE);
        // The backend draws in the same context and keeps its transformation.
        context.set_transform(fine, 0.0, 0.0, fine, 0.0, 0.0).map_err(|_| no_context())?;
        context.set_line_join("round");
        let backend = CanvasBackend::with_canvas_object(element.clone()).ok_or_else(no_context)?;
        let area = backend.into_drawing_area().shrink((0, 0), (width * FINE, height * FINE));
        let (fill, line) = (Cell::new(None), Cell::new(None));
        let surface = CanvasSurface { area, element, context, fill, line };
        let look = look.finer(FINE);
        let pen = Pen::new(&surface, &look);
        self.draw_with(drawing, &pen);
        pen.error.into_inner().map_or(Ok(()), Err)
    }
}

/// Plotters' canvas with pictures and dashes. Colours are set only when they change: a figure has thousands of elements in a few colours,
/// and the browser parses a text each time.
struct CanvasSurface<'a> {
    area: DrawingArea<CanvasBackend, Shift>,
    element: &'a HtmlCanvasElement,
    context: CanvasRenderingContext2d,
    /// Colour of areas as set in the context; `None` after a text, which plotters draws in its own colour.
    fill: Cell<Option<RGBAColor>>,
    /// Colour and width of lines as set in the context.
    line: Cell<Option<(RGBAColor, u32)>>,
}

/// Returns the error of a call that the browser refused.
fn refused(why: &JsValue) -> DrawError {
    DrawError(format!("{why:?}"))
}

/// Returns a colour in CSS notation.
fn css(RGBAColor(red, green, blue, opacity): RGBAColor) -> String {
    format!("rgba({red},{green},{blue},{opacity})")
}

impl CanvasSurface<'_> {
    fn set_fill(&self, colour: RGBAColor) {
        if self.fill.replace(Some(colour)) != Some(colour) {
            self.context.set_fill_style_str(&css(colour));
        }
    }

    fn set_line(&self, ShapeStyle { color, stroke_width, .. }: ShapeStyle) {
        let line = Some((color, stroke_width));
        if self.line.replace(line) != line {
            self.context.set_stroke_style_str(&css(color));
            self.context.set_line_width(stroke_width.into());
        }
    }

    /// Begins a path through these points.
    fn trace(&self, points: &[DevicePoint]) {
        self.context.begin_path();
        for (index, (x, y)) in points.iter().enumerate() {
            let (x, y) = (f64::from(*x), f64::from(*y));
            if index == 0 { self.context.move_to(x, y) } else { self.context.line_to(x, y) }
        }
    }

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
    fn rectangle(&self, [(x0, y0), (x1, y1)]: [DevicePoint; 2], colour: RGBAColor) -> Result<(), DrawError> {
        self.set_fill(colour);
        self.context.fill_rect(x0.into(), y0.into(), (x1 - x0).into(), (y1 - y0).into());
        Ok(())
    }
    fn path(&self, through: Vec<DevicePoint>, style: ShapeStyle) -> Result<(), DrawError> {
        self.set_line(style);
        self.trace(&through);
        self.context.stroke();
        Ok(())
    }
    fn dashed(&self, through: &[DevicePoint], style: ShapeStyle, pattern: &[u32]) -> Result<(), DrawError> {
        let set = |lengths: &Array| self.context.set_line_dash(lengths);
        let lengths: Array = pattern.iter().map(|length| JsValue::from(*length)).collect();
        let drawn = set(&lengths).and_then(|()| {
            self.set_line(style);
            self.trace(through);
            self.context.stroke();
            set(&Array::new())
        });
        drawn.map_err(|why| refused(&why))
    }
    fn picture(
        &self,
        columns: usize,
        pixels: &[u8],
        corners: [DevicePoint; 2],
        clip: [DevicePoint; 2],
    ) -> Option<Result<(), DrawError>> {
        let painted = self.paint_picture(columns, pixels, corners, clip);
        Some(painted.map_err(|why| refused(&why)))
    }
    fn polygon(&self, corners: Vec<DevicePoint>, colour: RGBAColor) -> Result<(), DrawError> {
        self.set_fill(colour);
        self.trace(&corners);
        self.context.close_path();
        self.context.fill();
        Ok(())
    }
    fn circle(&self, (x, y): DevicePoint, radius: u32, style: ShapeStyle) -> Result<(), DrawError> {
        self.context.begin_path();
        let traced = self.context.arc(x.into(), y.into(), radius.into(), 0.0, TAU);
        if style.filled {
            self.set_fill(style.color);
            self.context.fill();
        } else {
            self.set_line(style);
            self.context.stroke();
        }
        traced.map_err(|why| refused(&why))
    }
    fn text(&self, s: &str, style: &TextStyle, at: DevicePoint) -> Result<(), DrawError> {
        self.fill.set(None);
        Ok(self.area.draw_text(s, style, at)?)
    }
}
