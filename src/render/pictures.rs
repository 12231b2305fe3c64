//! Small pictures in rows.

use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use super::drawing::Drawing;
use super::fonts::Fonts;
use super::marks;
use super::pen::Pen;
use super::picture_grid::{GAP, PictureGrid, SHARE, shown};
use super::rect::Rect;
use super::text::fit;
use crate::figure::Hue;

/// Draws the pictures, each framed, with its bar and its label below.
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
        if let Some(share) = grid.share {
            let bar = Rect { top: rect.bottom + 3.0, bottom: rect.bottom + SHARE, ..rect };
            let right = bar.left + share.clamp(0.0, 1.0) * (bar.right - bar.left);
            pen.fill(&bar, ink.mix(0.12 * faint));
            let colour = if grid.framed { line } else { ink.mix(0.6 * faint) };
            pen.fill(&Rect { right, ..bar }, colour);
        }
        if pictures.label > 0.0 {
            let at =
                (0.5 * (rect.left + rect.right), rect.bottom + pictures.share + 2.0 + 0.5 * pictures.label);
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
