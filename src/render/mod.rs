//! Draws a [`Figure`] as a good journal would: thin axes, ticks inside, names beside the curves, quiet ink.
//!
//! There is one drawing routine, [`draw`], for any plotters backend, and one layout for all of them: the same figure
//! comes out of the live canvas, the exported file and the picture that is in the page before any code runs.

#[cfg(feature = "app")]
mod canvas;
mod curves;
mod frame;
mod heat;
mod labels;
mod layout;
mod pen;
mod stroke;
mod svg;
mod swatch;
#[cfg(test)]
mod tests;
mod text;
mod theme;
mod ticks;

#[cfg(feature = "app")]
pub use canvas::canvas;
pub use frame::{Frame, Hit, Map, Rect};
pub use svg::{escape, svg, svg_for_page};
pub use swatch::swatch;
pub use theme::{HUES, Look, Theme, hex, property};

use plotters::coord::Shift;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::{DrawingArea, DrawingBackend};
use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use crate::figure::Figure;
use layout::{Layout, layout, zero_inside};
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

/// Draws `figure` over the whole of `area` and says where it put things.
///
/// # Errors
/// If the backend fails.
pub fn draw<DB: DrawingBackend>(
    figure: &Figure,
    area: &DrawingArea<DB, Shift>,
    look: &Look,
) -> Result<Frame, DrawError> {
    let (width, height) = area.dim_in_pixel();
    let size = (f64::from(width) / look.scale, f64::from(height) / look.scale);
    draw_with(figure, &Pen { surface: area, look }, size)
}

fn draw_with(figure: &Figure, pen: &Pen, size: (f64, f64)) -> Result<Frame, DrawError> {
    let layout = layout(figure, size);
    if pen.look.paper {
        let all = Rect { left: 0.0, top: 0.0, right: size.0, bottom: size.1 };
        pen.fill(&all, pen.look.theme.paper().to_rgba())?;
    }
    if let Some(map) = &figure.heat {
        heat::heat(pen, &layout.frame, map)?;
        heat::scale(pen, &layout, map)?;
    }
    axes(pen, &layout)?;
    for curve in figure.curves.iter().filter(|c| c.shown) {
        curves::curve(pen, &layout.frame, curve)?;
    }
    curves::names(pen, &layout, &figure.curves)?;
    Ok(layout.frame)
}

/// The box with its ticks, numbers and words.
fn axes(pen: &Pen, layout: &Layout) -> Result<(), DrawError> {
    const HAIR: f64 = 0.8;
    let Frame { plot, x, y, .. } = &layout.frame;
    let ink = pen.look.theme.ink();
    let (line, words, faint) = (ink.mix(0.8), ink.mix(1.0), ink.mix(0.07));

    for (v, _) in &layout.y_ticks.major {
        if let Some(at) = y.to_px(*v) {
            pen.across((plot.left, plot.right), at, HAIR, faint)?;
        }
    }
    if zero_inside(y) {
        pen.across((plot.left, plot.right), y.to_px(0.0).unwrap_or(plot.bottom), HAIR, ink.mix(0.2))?;
    }
    for side in [plot.top, plot.bottom] {
        pen.across((plot.left, plot.right), side, HAIR, line)?;
    }
    for side in [plot.left, plot.right] {
        pen.down(side, (plot.top, plot.bottom), HAIR, line)?;
    }

    let marks = |t: &ticks::Ticks| {
        let major = t.major.iter().map(|(v, _)| (*v, 5.5));
        let minor = t.minor.iter().map(|v| (*v, 3.0));
        major.chain(minor).collect::<Vec<_>>()
    };
    for (v, length) in marks(&layout.x_ticks) {
        let Some(at) = x.to_px(v) else { continue };
        if at - plot.left > 1.0 && plot.right - at > 1.0 {
            pen.down(at, (plot.bottom - length, plot.bottom), HAIR, line)?;
            pen.down(at, (plot.top, plot.top + length), HAIR, line)?;
        }
    }
    for (v, length) in marks(&layout.y_ticks) {
        let Some(at) = y.to_px(v) else { continue };
        if at - plot.top > 1.0 && plot.bottom - at > 1.0 {
            pen.across((plot.left, plot.left + length), at, HAIR, line)?;
            pen.across((plot.right - length, plot.right), at, HAIR, line)?;
        }
    }

    let font = layout.font;
    let line_of_numbers = plot.bottom + 7.0 + 0.5 * font.number.leading();
    for (v, s) in &layout.x_ticks.major {
        match x.to_px(*v) {
            Some(at) if layout.upright => pen.hanging(s, (at, plot.bottom + 7.0), font.number, words)?,
            Some(at) => pen.text(s, (at, line_of_numbers), font.number, HPos::Center, words)?,
            None => {}
        }
    }
    let mut widest: f64 = 0.0;
    for (v, s) in &layout.y_ticks.major {
        widest = widest.max(font.number.width(s));
        if let Some(at) = y.to_px(*v) {
            pen.text(s, (plot.left - 7.0, at), font.number, HPos::Right, words)?;
        }
    }
    let middle = 0.5 * (plot.left + plot.right);
    let first = plot.bottom + 7.0 + layout.below + 4.0 + 0.5 * font.axis.leading();
    for (k, s) in layout.x_label.iter().enumerate() {
        let at = (middle, first + k as f64 * font.axis.leading());
        pen.text(s, at, font.axis, HPos::Center, words)?;
    }
    let middle = 0.5 * (plot.top + plot.bottom);
    for (k, s) in layout.y_label.iter().enumerate() {
        pen.upright(s, (4.0 + (k as f64 + 0.5) * font.axis.leading(), middle), font.axis, words)?;
    }
    Ok(())
}
