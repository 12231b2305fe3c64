//! The colour scale beside a plot.

use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use super::drawing::Drawing;
use super::fonts::{Fonts, WIDE};
use super::geometry::{Coordinates, PlotGeometry};
use super::marks::{STEPS, has_centre, paint};
use super::pen::Pen;
use super::picture_grid;
use super::rect::Rect;
use super::ticks::ticks;
use crate::figure::{Colours, FigureKind, Grid, Mark, Scale, percent};

/// Left and right end of the bar of a colour scale, from the right border of the plot.
pub(super) const BAR: [f64; 2] = [8.0, 16.0];

/// Width of the colour scale with its label, if it has one; 0 without a scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ColourScale {
    pub width: f64,
    pub labelled: bool,
}

impl ColourScale {
    /// Returns the size of the colour scale of a drawing.
    pub fn of(drawing: &Drawing, width: f64, fonts: Fonts) -> Self {
        let labelled = width >= WIDE;
        let Some(Mark::Grid(grid)) = scaled(drawing) else { return Self { width: 0.0, labelled } };
        let numbers = numbers(grid.colours);
        let words = grid.ends.iter().flat_map(|end| end.split(' '));
        let widest = (numbers.iter().map(|(_, number)| number.as_str()).chain(words))
            .map(|text| fonts.number.width(text))
            .fold(fonts.number.width("00"), f64::max);
        let label = if labelled { fonts.axis.leading() } else { 0.0 };
        Self { width: BAR[1] + 5.0 + widest + label, labelled }
    }

    /// Draws the colour scale of a grid at the right of the plot.
    pub fn draw(self, pen: &Pen, geometry: &PlotGeometry, font: Fonts, grid: &Grid) {
        let Rect { top, bottom, right, .. } = geometry.plot;
        let (left, right) = (right + BAR[0], right + BAR[1]);
        let at = |fraction: f64| bottom - fraction * (bottom - top);
        let steps = f64::from(2 * STEPS + 1);
        for step in -STEPS..=STEPS {
            let from = f64::from(step + STEPS) / steps;
            let cell = Rect { left, top: at(from + 1.0 / steps), right, bottom: at(from) };
            pen.fill(&cell, paint(pen, grid.colours, step));
        }
        let ink = pen.look.theme.ink();
        for side in [top, bottom] {
            pen.across((left, right), side, 0.8, ink.mix(0.8));
        }
        for side in [left, right] {
            pen.down(side, (top, bottom), 0.8, ink.mix(0.8));
        }
        for (fraction, number) in numbers(grid.colours) {
            pen.text(&number, (right + 5.0, at(fraction)), font.number, HPos::Left, ink.mix(1.0));
        }
        for (text, y) in words_at_ends(&grid.ends, (top, bottom), font.number.leading()) {
            pen.text(text, (right + 5.0, y), font.number, HPos::Left, ink.mix(1.0));
        }
        if self.labelled {
            let middle = right - BAR[1] + self.width - 0.5 * font.axis.leading();
            // The label of a single picture does not apply to a common scale.
            let label = match (&geometry.coordinates, grid.unit.as_str()) {
                (Coordinates::Pictures(_) | Coordinates::Panels(_), unit) => unit.to_owned(),
                (_, "") => grid.info.label.clone(),
                (_, unit) => format!("{} ({unit})", grid.info.label),
            };
            pen.upright(&label, (middle, at(0.5)), font.axis, ink.mix(1.0));
        }
    }
}

/// Returns the words at the ends of a scale from `top` to `bottom`, each with its height: below the number at the upper end, and above
/// that at the lower end.
fn words_at_ends([low, high]: &[String; 2], (top, bottom): (f64, f64), leading: f64) -> Vec<(&str, f64)> {
    let upper = (1..).map(f64::from).zip(high.split(' ')).map(|(line, word)| (word, top + line * leading));
    let lower = (1..).map(f64::from).zip(low.rsplit(' ')).map(|(line, word)| (word, bottom - line * leading));
    upper.chain(lower).filter(|(word, _)| !word.is_empty()).collect()
}

/// Returns the grid whose colour scale is drawn: the uppermost.
pub(super) fn scaled(drawing: &Drawing) -> Option<&Mark> {
    match drawing.figure.kind {
        FigureKind::Plane { .. } => {
            let with_scale =
                |mark: &&Mark| matches!(mark, Mark::Grid(grid) if !grid.is_table() && !grid.squares);
            drawing.shown().map(|styled| styled.mark).rfind(with_scale)
        }
        FigureKind::Space { .. } => None,
        FigureKind::Pictures { .. } | FigureKind::Panels { .. } => picture_grid::scaled(drawing),
    }
}

/// Returns the numbers beside the colour scale, each with its fraction of the height.
fn numbers(colours: Colours) -> Vec<(f64, String)> {
    let (low, high) = colours.range();
    if colours == Colours::Probability {
        return [0.0, 0.5, 1.0].map(|share| (share, percent(share))).into();
    }
    let range = (f64::from(low.min(high)), f64::from(low.max(high)));
    if !(range.0.is_finite() && range.1.is_finite() && range.1 - range.0 > 1e-30) {
        return Vec::new();
    }
    let height = |value: f64| {
        let position = f64::from(colours.position(value as f32));
        if has_centre(colours) { 0.5 * (1.0 + position) } else { position }
    };
    ticks(Scale::Linear, range, 4).major.into_iter().map(|(v, name)| (height(v), name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_between_the_numbers_at_the_ends() {
        let ends = ["surely blue", "surely orange"].map(str::to_owned);
        let placed = words_at_ends(&ends, (10.0, 200.0), 14.0);
        assert_eq!(placed, [("surely", 24.0), ("orange", 38.0), ("blue", 186.0), ("surely", 172.0)]);
        assert!(words_at_ends(&[String::new(), String::new()], (10.0, 200.0), 14.0).is_empty());
        let numbers: Vec<String> =
            numbers(Colours::Probability).into_iter().map(|(_, number)| number).collect();
        assert_eq!(numbers, ["0 %", "50 %", "100 %"]);
    }
}
