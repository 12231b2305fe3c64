//! The names of marks, beside the plot or above it.

use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBAColor};

use super::drawing::{Drawing, Shown};
use super::frame::Rect;
use super::labels::place;
use super::layout::{KEY, KEY_GAP, LEAD, Layout, Names, height_of, room, row_of_names, wish};
use super::marks::{SIGN, end, key};
use super::pen::Pen;
use super::stroke::Px;
use crate::figure::{Mark, Stroke};

/// A name where it is drawn.
struct Placed<'a> {
    shown: Shown<'a>,
    lines: Vec<&'a str>,
    /// Left edge of the sample before it, and the middle of the lines.
    at: Px,
    /// The end of its mark, if that is to be pointed at.
    from: Option<Px>,
}

/// Where the names of the marks are, by index.
pub(super) fn rects(layout: &Layout, drawing: &Drawing) -> Vec<(usize, Rect)> {
    let font = layout.font.name;
    let rect = |placed: Placed| {
        let wide = placed.lines.iter().map(|line| font.width(line)).fold(0.0, f64::max);
        let half = 0.5
            * match &layout.names {
                Names::Above(_) => row_of_names(font, drawing.switches),
                Names::Beside(_) => height_of(placed.lines.len(), font, drawing.switches),
            };
        let (left, middle) = (placed.at.0 - 3.0, placed.at.1);
        let right = placed.at.0 + KEY + KEY_GAP + wide + 3.0;
        (placed.shown.index, Rect { left, top: middle - half, right, bottom: middle + half })
    };
    placed(layout, drawing).into_iter().map(rect).collect()
}

/// Writes the names of the marks where the layout has put them.
pub(super) fn names(pen: &Pen, layout: &Layout, drawing: &Drawing) {
    let font = layout.font.name;
    for Placed { shown, lines, at: (x, y), from } in placed(layout, drawing) {
        if let Some(from) = from {
            pen.line(&[from, (x - 2.0, y)], Stroke::Solid, 0.7, shown.ink(pen).mix(0.6));
        }
        // What can be shown has a plus in place of its sample.
        if shown.style.hidden {
            plus(pen, (x + 0.5 * KEY, y), shown.ink(pen));
        } else {
            key(pen, &shown, (x, y));
        }
        let quiet = if shown.style.hidden {
            0.55
        } else if shown.style.faint {
            0.6
        } else {
            1.0
        };
        let ink = pen.look.theme.ink().mix(quiet);
        let first = y - 0.5 * (lines.len() as f64 - 1.0) * font.leading();
        for (k, line) in lines.iter().enumerate() {
            let at = (x + KEY + KEY_GAP, first + k as f64 * font.leading());
            pen.text(line, at, font, HPos::Left, ink);
        }
    }
}

fn plus(pen: &Pen, (x, y): Px, ink: RGBAColor) {
    const ARM: f64 = 4.0;
    pen.across((x - ARM, x + ARM), y, 1.5, ink);
    pen.down(x, (y - ARM, y + ARM), 1.5, ink);
}

fn placed<'a>(layout: &'a Layout, drawing: &'a Drawing) -> Vec<Placed<'a>> {
    let shown = |i: usize| Shown { index: i, mark: &drawing.figure.marks[i], style: &drawing.styles[i] };
    match &layout.names {
        Names::Above(items) => {
            let item = |(i, x, y, text): &'a (usize, f64, f64, String)| Placed {
                shown: shown(*i),
                lines: vec![text.as_str()],
                at: (*x, *y),
                from: None,
            };
            items.iter().map(item).collect()
        }
        Names::Beside(items) => beside(layout, drawing, items),
    }
}

/// Names beside the plot. Of lines they stand at the ends: marks of one colour, which are one quantity, at the end of the first
/// of them, so that the order is the same however far a run has come. Of points and maps they are a list.
fn beside<'a>(
    layout: &'a Layout,
    drawing: &'a Drawing,
    items: &'a [(usize, Vec<String>)],
) -> Vec<Placed<'a>> {
    let (frame, font) = (&layout.frame, layout.font.name);
    let lines = |shown: &Shown| matches!(shown.mark, Mark::Curve(curve) if curve.stroke.is_some());
    let all: Vec<Shown> = items
        .iter()
        .map(|(i, _)| Shown { index: *i, mark: &drawing.figure.marks[*i], style: &drawing.styles[*i] })
        .collect();
    let at_ends = all.iter().any(lines) && !drawing.shown().any(|shown| matches!(shown.mark, Mark::Grid(_)));
    let ends: Vec<Option<Px>> = all.iter().map(|shown| end(frame, shown)).collect();
    let hue = |shown: &Shown| shown.mark.entry().hue;
    // What is hidden stands below; what has no data yet, with the one before it.
    let mut before = if at_ends { frame.plot.bottom } else { frame.plot.top };
    let lowest = before;
    let wishes: Vec<_> = all
        .iter()
        .zip(items)
        .map(|(shown, (_, texts))| {
            let mut alike =
                all.iter().zip(&ends).filter(|(other, _)| !other.style.hidden && hue(other) == hue(shown));
            let at = alike.find_map(|(_, end)| *end).filter(|_| at_ends && !shown.style.hidden);
            if let Some(at) = at {
                before = at.1;
            }
            wish(
                if shown.style.hidden { lowest } else { before },
                height_of(texts.len(), font, drawing.switches),
            )
        })
        .collect();
    // The layout has made sure that there is room for all.
    let Some(middles) = place(&wishes, room(frame.size.1)) else { return Vec::new() };
    let x = frame.plot.right + layout.scale + LEAD;
    let one = |(i, y): (usize, f64)| {
        let (shown, end, texts) = (all[i], ends[i], &items[i].1);
        let far = |end: &Px| at_ends && (y - end.1).abs() > 5.0 && frame.plot.right - end.0 < 40.0;
        let from = end.filter(|end| !shown.style.hidden && far(end)).map(|end| (end.0 + 1.35 * SIGN, end.1));
        Placed { shown, lines: texts.iter().map(String::as_str).collect(), at: (x, y), from }
    };
    middles.into_iter().enumerate().map(one).collect()
}
