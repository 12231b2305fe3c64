//! Draws a figure that was laid out, with any pen.

use plotters::style::Color;

use super::drawing::{Drawing, StyledMark};
use super::figure_layout::FigureLayout;
use super::geometry::Coordinates;
use super::pen::Pen;
use super::rect::Rect;
use super::{axes, colour_scale, marks, names, notes, pictures, space};
use crate::figure::Mark;

impl FigureLayout {
    /// Draws the figure with `pen`, which keeps the first error of its backend.
    pub(super) fn draw_with(&self, drawing: &Drawing, pen: &Pen) {
        if pen.look.paper {
            let (right, bottom) = self.geometry.size;
            pen.fill(&Rect { left: 0.0, top: 0.0, right, bottom }, pen.look.theme.paper().to_rgba());
        }
        if let Some(Mark::Grid(grid)) = colour_scale::scaled(drawing).filter(|_| !drawing.sketch) {
            self.scale.draw(pen, &self.geometry, self.fonts, grid);
        }
        match &self.geometry.coordinates {
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
            notes::draw(drawing, pen, &self.geometry, self.fonts);
        }
    }

    /// Draws maps, axes, and the other marks of a panel (0 without panels), in this order.
    fn draw_plane(&self, drawing: &Drawing, pen: &Pen, panel: usize) {
        let Some(geometry) = self.geometry.panel(panel) else { return };
        let here = drawing.shown().filter(|styled| styled.mark.info().panel == panel);
        let (maps, others): (Vec<_>, Vec<_>) = here.partition(|styled| matches!(styled.mark, Mark::Grid(_)));
        let markers: Vec<_> =
            others.iter().flat_map(|styled| marks::markers(geometry, styled.mark)).collect();
        for styled in &maps {
            marks::draw_map(pen, geometry, styled, &markers);
        }
        let is_table = |styled: &StyledMark| matches!(styled.mark, Mark::Grid(grid) if grid.is_table());
        if let Some(axes) = self.axes.get(panel) {
            axes::draw(pen, geometry, axes, self.fonts, !maps.iter().any(is_table));
        }
        for styled in &others {
            marks::draw(pen, geometry, styled);
        }
    }
}
