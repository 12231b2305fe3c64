//! Titles of panels.

use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use super::fonts::Font;
use super::pen::Pen;
use crate::figure::Hue;

/// Title of a panel at its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PanelTitle {
    pub lines: Vec<String>,
    pub hue: Hue,
    pub font: Font,
    /// Left end of the last line and its middle.
    pub at: (f64, f64),
}

impl PanelTitle {
    /// Draws the title above its panel.
    pub fn draw(&self, pen: &Pen) {
        for (above, line) in self.lines.iter().rev().enumerate() {
            let at = (self.at.0, self.at.1 - above as f64 * self.font.leading());
            pen.text(line, at, self.font, HPos::Left, pen.look.theme.hue(self.hue).to_rgba());
        }
    }
}
