//! Draws a figure as a good journal would: thin axes, ticks inside, names beside the curves, quiet ink.
//!
//! There is one drawing routine, [`draw`], for any plotters backend, and one layout for all of them: the same figure
//! comes out of the live canvas, the exported file and the picture that is in the page before any code runs.

mod axes;
#[cfg(feature = "web")]
mod canvas;
mod drawing;
mod frame;
mod height;
mod labels;
mod layers;
mod layout;
mod marks;
mod names;
mod pen;
mod pictures;
mod sketch;
mod space;
mod stroke;
mod svg;
mod swatch;
#[cfg(test)]
mod tests;
mod text;
mod theme;
mod ticks;

#[cfg(feature = "web")]
pub use canvas::canvas;
pub use drawing::{Drawing, Style};
pub use frame::{Frame, Hit, Inside, Map, Rect};
pub use height::height;
pub use layers::{Layer, overlay};
pub use pictures::Sheet;
pub use sketch::sketch_for_page;
pub use space::{Projection, Turn};
pub use svg::{escape, svg, svg_for_page, svg_with_face};
pub use swatch::swatch;
pub use theme::{HUES, Look, Theme, hex, property};

use plotters::coord::Shift;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::{DrawingArea, DrawingBackend};
use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use crate::figure::{Mark, Stroke};
use drawing::Shown;
use layout::{Layout, layout};
use pen::Pen;

/// The backend refused to draw; a figure itself is never a reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the figure could not be drawn: {0}")]
pub struct DrawError(String);

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for DrawError {
    fn from(e: DrawingAreaErrorKind<E>) -> Self {
        Self(e.to_string())
    }
}

/// Draws a figure over the whole of `area` and says where it put things.
///
/// # Errors
/// If the backend fails.
pub fn draw<DB: DrawingBackend>(
    drawing: &Drawing,
    area: &DrawingArea<DB, Shift>,
    look: &Look,
) -> Result<Frame, DrawError> {
    let (width, height) = area.dim_in_pixel();
    let size = (f64::from(width) / look.scale, f64::from(height) / look.scale);
    let pen = Pen::new(area, look);
    let frame = draw_with(drawing, &pen, size);
    pen.finish().map(|()| frame)
}

fn draw_with(drawing: &Drawing, pen: &Pen, size: (f64, f64)) -> Frame {
    let layout = layout(drawing, size);
    if pen.look.paper {
        let all = Rect { left: 0.0, top: 0.0, right: size.0, bottom: size.1 };
        pen.fill(&all, pen.look.theme.paper().to_rgba());
    }
    if let Some(Mark::Grid(grid)) = layout::scaled(drawing) {
        marks::scale(pen, &layout, grid);
    }
    match &layout.frame.inside {
        Inside::Plane => plane(pen, drawing, &layout),
        Inside::Space(projection) => space::draw(pen, drawing, projection, layout.font),
        Inside::Pictures(sheet) => pictures::draw(pen, drawing, sheet, layout.font),
    }
    names::names(pen, &layout, drawing);
    notes(pen, &layout, drawing);
    layout.frame
}

/// Words at places, away from the nearer side, with a line to what they are about.
fn notes(pen: &Pen, layout: &Layout, drawing: &Drawing) {
    let (plot, font) = (&layout.frame.plot, layout.font.name);
    let ink = pen.look.theme.ink();
    for note in &drawing.figure.notes {
        let place = match &layout.frame.inside {
            Inside::Plane => layout.frame.to_px(note.at[0], note.at[1]),
            Inside::Space(projection) => projection.place(note.at).map(|(at, _)| at),
            Inside::Pictures(_) => None,
        };
        let Some(at) = place else { continue };
        let width = font.width(&note.text);
        let to_right = at.0 < 0.55 * (plot.left + plot.right);
        let side = if to_right { 1.0 } else { -1.0 };
        let reach = at.0 + side * 26.0;
        // All of it inside the plot, where that is wide enough.
        let left = if to_right { reach } else { reach - width };
        let left = left.min(plot.right - width - 4.0).max(plot.left + 4.0);
        let near = if to_right { left - 4.0 } else { left + width + 4.0 };
        let middle = at.1 - 28.0;
        pen.line(&[(at.0 + side * 4.0, at.1 - 5.0), (near, middle)], Stroke::Solid, 0.8, ink.mix(0.6));
        let half = 0.5 * font.leading();
        let ground =
            Rect { left: left - 3.0, right: left + width + 3.0, top: middle - half, bottom: middle + half };
        pen.fill(&ground, pen.look.theme.paper().mix(0.75));
        pen.text(&note.text, (left, middle), font, HPos::Left, ink.mix(0.85));
    }
}

/// Where the names of the marks of a drawing of that size are, in CSS pixels, by index of the mark.
pub fn names_of(drawing: &Drawing, size: (f64, f64)) -> Vec<(usize, Rect)> {
    names::rects(&layout(drawing, size), drawing)
}

fn plane(pen: &Pen, drawing: &Drawing, layout: &Layout) {
    // Maps lie under the axes, whatever their order.
    let (maps, others): (Vec<_>, Vec<_>) =
        drawing.shown().partition(|shown| matches!(shown.mark, Mark::Grid(_)));
    for shown in &maps {
        marks::mark(pen, &layout.frame, shown);
    }
    let is_table = |shown: &Shown| matches!(shown.mark, Mark::Grid(grid) if grid.is_table());
    axes::axes(pen, layout, !maps.iter().any(is_table));
    for shown in &others {
        marks::mark(pen, &layout.frame, shown);
    }
}

/// Where a drawing of `size` CSS pixels has everything, without drawing it.
pub fn measure(drawing: &Drawing, size: (f64, f64)) -> Frame {
    layout(drawing, size).frame
}
