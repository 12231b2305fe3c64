//! Small pictures in rows.

use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use super::drawing::Drawing;
use super::fonts::Fonts;
use super::marks;
use super::pen::Pen;
use super::picture_grid::{GAP, PictureGrid, shown};
use super::text::fit;
use crate::figure::Hue;

/// Draws the pictures, each framed and with its label below.
pub(super) fn draw(pen: &Pen, drawing: &Drawing, pictures: &PictureGrid, fonts: Fonts) {
    let ink = pen.look.theme.ink();
    for (index, (styled, grid)) in shown(drawing).enumerate() {
        let rect = pictures.rect(index);
        let faint = if styled.style.faint { 0.35 } else { 1.0 };
        marks::cells(pen, grid, &rect, &rect, faint);
        marks::filled_in(pen, grid, &rect, faint);
        marks::missing(pen, grid, &rect);
        marks::contours(pen, grid, &rect, &rect, ink.mix(0.9 * faint));
        let (line, width) = if grid.framed {
            (pen.look.theme.hue(Hue::Vermilion).mix(faint), 3.0)
        } else {
            (ink.mix(0.4), 0.8)
        };
        for y in [rect.top, rect.bottom] {
            pen.across((rect.left, rect.right), y, width, line);
        }
        for x in [rect.left, rect.right] {
            pen.down(x, (rect.top, rect.bottom), width, line);
        }
        if pictures.label > 0.0 {
            let at = (0.5 * (rect.left + rect.right), rect.bottom + 2.0 + 0.5 * pictures.label);
            let name = fit(styled.name(), fonts.name.size, pictures.size.0 + 0.5 * GAP);
            pen.text(
                &name,
                at,
                fonts.name,
                HPos::Center,
                ink.mix(if styled.style.faint { 0.6 } else { 1.0 }),
            );
        }
    }
}
