//! The names of marks, beside the plot or above it.

use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use super::DrawError;
use super::drawing::{Drawing, Shown};
use super::labels::place;
use super::layout::{KEY, KEY_GAP, LEAD, Layout, Names, room, wish};
use super::marks::{SIGN, end, key};
use super::pen::{Font, Pen};
use super::stroke::Px;
use crate::figure::Stroke;

/// Writes the names of the marks where the layout has put them.
pub(super) fn names(pen: &Pen, layout: &Layout, drawing: &Drawing) -> Result<(), DrawError> {
    let font = layout.font.name;
    match &layout.names {
        Names::Above(items) => {
            for (i, x, y, text) in items {
                let shown = Shown { index: *i, mark: &drawing.figure.marks[*i], style: &drawing.styles[*i] };
                key(pen, &shown, (*x, *y))?;
                name(pen, &shown, text, (x + KEY + KEY_GAP, *y), font)?;
            }
            Ok(())
        }
        Names::Beside(items) => beside(pen, layout, drawing, items),
    }
}

fn name(pen: &Pen, shown: &Shown, text: &str, at: Px, font: Font) -> Result<(), DrawError> {
    let ink = pen.look.theme.ink().mix(if shown.style.faint { 0.6 } else { 1.0 });
    pen.text(text, at, font, HPos::Left, ink)
}

fn beside(
    pen: &Pen,
    layout: &Layout,
    drawing: &Drawing,
    items: &[(usize, Vec<String>)],
) -> Result<(), DrawError> {
    let (frame, font) = (&layout.frame, layout.font.name);
    let here: Vec<(Shown, &[String], Px)> = items
        .iter()
        .filter_map(|(i, lines)| {
            let shown = Shown { index: *i, mark: &drawing.figure.marks[*i], style: &drawing.styles[*i] };
            let end = end(frame, &shown)?;
            Some((shown, lines.as_slice(), end))
        })
        .collect();
    let wishes: Vec<_> = here.iter().map(|(_, lines, end)| wish(end.1, lines.len(), font)).collect();
    // The layout has made sure that there is room for all.
    let Some(at) = place(&wishes, room(frame.size.1)) else { return Ok(()) };
    let x = frame.plot.right + layout.scale + LEAD;
    for ((shown, lines, end), y) in here.into_iter().zip(at) {
        if (y - end.1).abs() > 5.0 && frame.plot.right - end.0 < 40.0 {
            let from = (end.0 + 1.35 * SIGN, end.1);
            pen.line(&[from, (x - 2.0, y)], Stroke::Solid, 0.7, shown.ink(pen).mix(0.6))?;
        }
        key(pen, &shown, (x, y))?;
        let first = y - 0.5 * (lines.len() as f64 - 1.0) * font.leading();
        for (k, line) in lines.iter().enumerate() {
            let at = (x + KEY + KEY_GAP, first + k as f64 * font.leading());
            name(pen, &shown, line, at, font)?;
        }
    }
    Ok(())
}
