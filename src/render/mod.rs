//! Draws figures in the style of a journal: thin axes, ticks inside, names beside the curves.
//!
//! A [`Drawing`] is a figure with the styles of its marks. Its [`FigureLayout`] is computed once for a size; it has everything that a
//! page needs to draw the figure, to find the datum under the pointer, and to place switches over the names. The same routine
//! draws on any plotters backend and as SVG.

mod axes;
mod axis_map;
#[cfg(feature = "web")]
mod canvas;
mod colour_scale;
mod drawing;
mod figure_layout;
mod fonts;
mod geometry;
mod height;
mod labels;
mod layers;
mod layout;
mod marks;
mod names;
mod notes;
mod panels;
mod pen;
mod picture_grid;
mod pictures;
mod projection;
mod rect;
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
mod title;

pub use axis_map::AxisMap;
pub use drawing::{Drawing, MarkStyle, Turn};
pub use figure_layout::FigureLayout;
pub use geometry::{Coordinates, Hit, PlotGeometry};
pub use height::{USUAL, WIDE, height};
pub use layers::{Layer, overlay};
pub use picture_grid::PictureGrid;
pub use projection::Projection;
pub use rect::Rect;
pub use sketch::sketch_for_page;
pub use svg::{escape, svg, svg_for_page, svg_with_face};
pub use swatch::swatch;
pub use theme::{HUES, Look, Theme, hex, property};

use plotters::coord::Shift;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::{DrawingArea, DrawingBackend};
use plotters::style::Color;

use crate::figure::Mark;
use drawing::StyledMark;
use pen::Pen;

/// An error of the drawing backend. A figure itself never causes one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the figure could not be drawn: {0}")]
pub struct DrawError(String);

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for DrawError {
    fn from(e: DrawingAreaErrorKind<E>) -> Self {
        Self(e.to_string())
    }
}

impl FigureLayout {
    /// Draws the figure that was laid out.
    ///
    /// # Errors
    /// If the backend fails.
    pub fn draw<DB: DrawingBackend>(
        &self,
        drawing: &Drawing,
        area: &DrawingArea<DB, Shift>,
        look: &Look,
    ) -> Result<(), DrawError> {
        let pen = Pen::new(area, look);
        self.draw_with(drawing, &pen);
        pen.finish()
    }

    fn draw_with(&self, drawing: &Drawing, pen: &Pen) {
        if pen.look.paper {
            let (right, bottom) = self.frame.size;
            pen.fill(&Rect { left: 0.0, top: 0.0, right, bottom }, pen.look.theme.paper().to_rgba());
        }
        if let Some(Mark::Grid(grid)) = colour_scale::scaled(drawing).filter(|_| !drawing.sketch) {
            self.scale.draw(pen, &self.frame, self.fonts, grid);
        }
        match &self.frame.geometry {
            Coordinates::Plane => self.draw_plane(drawing, pen, 0),
            Coordinates::Panels(panels) => {
                (0..panels.len()).for_each(|panel| self.draw_plane(drawing, pen, panel));
                self.titles.iter().for_each(|title| title.draw(pen));
            }
            Coordinates::Space(projection) => space::draw(pen, drawing, projection, self.fonts),
            Coordinates::Pictures(pictures) => pictures::draw(pen, drawing, pictures, self.fonts),
        }
        names::draw(pen, &self.names, drawing, self.fonts.name);
        if !drawing.sketch {
            notes::draw(drawing, pen, &self.frame, self.fonts);
        }
    }

    /// Draws maps, axes, and the other marks of a panel (0 without panels), in this order.
    fn draw_plane(&self, drawing: &Drawing, pen: &Pen, panel: usize) {
        let Some(frame) = self.frame.panel(panel) else { return };
        let here = drawing.shown().filter(|styled| styled.mark.info().panel == panel);
        let (maps, others): (Vec<_>, Vec<_>) = here.partition(|styled| matches!(styled.mark, Mark::Grid(_)));
        for styled in &maps {
            marks::draw(pen, frame, styled);
        }
        let is_table = |styled: &StyledMark| matches!(styled.mark, Mark::Grid(grid) if grid.is_table());
        if let Some(axes) = self.axes.get(panel) {
            axes::draw(pen, frame, axes, self.fonts, !maps.iter().any(is_table));
        }
        for styled in &others {
            marks::draw(pen, frame, styled);
        }
    }
}
