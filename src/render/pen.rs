//! Drawing primitives in CSS pixels on any surface.

use std::cell::RefCell;

use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontDesc, FontFamily, FontStyle, FontTransform, RGBAColor, ShapeStyle, TextStyle};

use super::draw_error::DrawError;
use super::fonts::Font;
use super::rect::Rect;
use super::stroke::{Px, pattern, straightened};
use super::theme::Look;
use crate::figure::Stroke;

/// Drawing backend: a canvas or an SVG file.
pub(super) trait Surface {
    fn rectangle(&self, corners: [DevicePoint; 2], colour: RGBAColor) -> Result<(), DrawError>;
    fn path(&self, through: Vec<DevicePoint>, style: ShapeStyle) -> Result<(), DrawError>;
    /// Draws a line with dashes and gaps of these lengths, which begin at the first point.
    fn dashed(&self, through: &[DevicePoint], style: ShapeStyle, pattern: &[u32]) -> Result<(), DrawError>;
    /// Paints cells over a rectangle, clipped at another, as one picture: red, green, blue and opacity of each, row by row from the top.
    /// `None` if the backend has no pictures; the cells are then painted one by one.
    fn picture(
        &self,
        _columns: usize,
        _pixels: &[u8],
        _corners: [DevicePoint; 2],
        _clip: [DevicePoint; 2],
    ) -> Option<Result<(), DrawError>> {
        None
    }
    fn polygon(&self, corners: Vec<DevicePoint>, colour: RGBAColor) -> Result<(), DrawError>;
    fn circle(&self, at: DevicePoint, radius: u32, style: ShapeStyle) -> Result<(), DrawError>;
    fn text(&self, s: &str, style: &TextStyle, at: DevicePoint) -> Result<(), DrawError>;
}

/// A point in units of the backend, which are whole numbers in plotters.
pub(super) type DevicePoint = (i32, i32);

/// Distance from a line to points that it need not pass, in CSS pixels.
const TOLERANCE: f64 = 0.1;

/// Pen that draws on a surface in CSS pixels.
pub(super) struct Pen<'a> {
    surface: &'a dyn Surface,
    pub look: &'a Look,
    /// First error of the surface; later ones are ignored.
    pub error: RefCell<Option<DrawError>>,
}

impl<'a> Pen<'a> {
    pub fn new(surface: &'a dyn Surface, look: &'a Look) -> Self {
        Self { surface, look, error: RefCell::new(None) }
    }

    fn record(&self, done: Result<(), DrawError>) {
        if let Err(why) = done {
            self.error.borrow_mut().get_or_insert(why);
        }
    }

    /// Converts a point to device units.
    fn point(&self, (x, y): Px) -> DevicePoint {
        // The conversion would turn NaN into 0.
        debug_assert!(x.is_finite() && y.is_finite(), "a point at ({x}, {y})");
        ((x * self.look.scale).round() as i32, (y * self.look.scale).round() as i32)
    }

    fn length(&self, l: f64) -> u32 {
        (l * self.look.scale).round().max(1.0) as u32
    }

    /// Returns start and thickness of a rule centred at `v`, both whole device pixels so that it is sharp.
    fn rule(&self, v: f64, width: f64) -> (i32, i32) {
        let per_pixel = self.look.scale / self.look.pixel;
        let thick = (width * per_pixel).round().max(1.0);
        let first = (v * per_pixel - 0.5 * thick + 1e-6).round();
        ((first * self.look.pixel) as i32, (thick * self.look.pixel) as i32)
    }

    fn rectangle(&self, corners: [DevicePoint; 2], colour: RGBAColor) {
        self.record(self.surface.rectangle(corners, colour));
    }

    /// Fills a rectangle.
    pub fn fill(&self, r: &Rect, colour: RGBAColor) {
        self.rectangle([self.point((r.left, r.top)), self.point((r.right, r.bottom))], colour);
    }

    /// Fills a cell of a grid. Its edges lie on device pixels, so that adjacent cells have no seam.
    pub fn cell(&self, r: &Rect, colour: RGBAColor) {
        let sharp = |v: f64| ((v * self.look.scale / self.look.pixel).round() * self.look.pixel) as i32;
        let (from, to) = ((sharp(r.left), sharp(r.top)), (sharp(r.right), sharp(r.bottom)));
        if from.0 != to.0 && from.1 != to.1 {
            self.rectangle([from, to], colour);
        }
    }

    /// Paints cells over `area`, clipped at `clip`, as one picture: red, green, blue and opacity of each, row by row from the top.
    /// Returns false if the surface has no pictures.
    pub fn picture(&self, columns: usize, pixels: &[u8], area: &Rect, clip: &Rect) -> bool {
        let corners = |r: &Rect| [self.point((r.left, r.top)), self.point((r.right, r.bottom))];
        let painted = self.surface.picture(columns, pixels, corners(area), corners(clip));
        let has_pictures = painted.is_some();
        self.record(painted.unwrap_or(Ok(())));
        has_pictures
    }

    /// Draws a horizontal rule, sharp on the device.
    pub fn across(&self, (x0, x1): (f64, f64), y: f64, width: f64, colour: RGBAColor) {
        let (top, thick) = self.rule(y, width);
        let ((a, _), (b, bt)) = (self.rule(x0.min(x1), width), self.rule(x0.max(x1), width));
        self.rectangle([(a, top), (b + bt, top + thick)], colour);
    }

    /// Draws a vertical rule, sharp on the device.
    pub fn down(&self, x: f64, (y0, y1): (f64, f64), width: f64, colour: RGBAColor) {
        let (left, thick) = self.rule(x, width);
        let ((a, _), (b, bt)) = (self.rule(y0.min(y1), width), self.rule(y0.max(y1), width));
        self.rectangle([(left, a), (left + thick, b + bt)], colour);
    }

    /// Draws a line through the points, or invisibly close to them.
    pub fn line(&self, run: &[Px], stroke: Stroke, width: f64, colour: RGBAColor) {
        let run = &straightened(run, TOLERANCE);
        let style = ShapeStyle { color: colour, filled: false, stroke_width: self.length(width) };
        let mut units: Vec<DevicePoint> = run.iter().map(|p| self.point(*p)).collect();
        units.dedup();
        let pattern: Vec<u32> = pattern(stroke, width).iter().map(|l| self.length(*l)).collect();
        if !pattern.is_empty() {
            self.record(self.surface.dashed(&units, style, &pattern));
        } else if units.len() > 1 {
            self.record(self.surface.path(units, style));
        }
    }

    /// Fills a polygon.
    pub fn polygon(&self, corners: &[Px], colour: RGBAColor) {
        let units: Vec<DevicePoint> = corners.iter().map(|p| self.point(*p)).collect();
        self.record(self.surface.polygon(units, colour));
    }

    /// Draws a disc, or a ring with a line of the given width.
    pub fn circle(&self, at: Px, radius: f64, ring: Option<f64>, colour: RGBAColor) {
        let style = ShapeStyle {
            color: colour,
            filled: ring.is_none(),
            stroke_width: self.length(ring.unwrap_or(1.0)),
        };
        self.record(self.surface.circle(self.point(at), self.length(radius), style));
    }

    /// Draws one line of text whose middle is at the height of `at`.
    pub fn text(&self, s: &str, at: Px, font: Font, anchor: HPos, colour: RGBAColor) {
        // SVG centres on the x height, a canvas on the em. Digits and capitals are then too high by 0.11 and 0.06 em.
        let at = (at.0, at.1 + 0.085 * font.size);
        self.put(s, at, font, anchor, FontTransform::None, colour);
    }

    /// Draws one line of text that runs upwards, centred at `at`.
    pub fn upright(&self, s: &str, at: Px, font: Font, colour: RGBAColor) {
        let at = (at.0 + 0.085 * font.size, at.1);
        self.put(s, at, font, HPos::Center, FontTransform::Rotate270, colour);
    }

    /// Draws one line of text that runs upwards and ends at `at`.
    pub fn hanging(&self, s: &str, at: Px, font: Font, colour: RGBAColor) {
        let at = (at.0 + 0.085 * font.size, at.1);
        self.put(s, at, font, HPos::Right, FontTransform::Rotate270, colour);
    }

    fn put(&self, s: &str, at: Px, font: Font, anchor: HPos, turn: FontTransform, colour: RGBAColor) {
        let size = font.size * self.look.scale;
        let weight = if font.bold { FontStyle::Bold } else { FontStyle::Normal };
        let style = FontDesc::new(FontFamily::Name(font.family), size, weight)
            .transform(turn)
            .color(&colour)
            .pos(Pos::new(anchor, VPos::Center));
        self.record(self.surface.text(s, &style, self.point(at)));
    }
}
