//! Fonts of a figure, with the estimated widths of texts.

use super::text;
use super::theme::SERIF;

/// Width from which the names of the marks stand beside the plot, in CSS pixels.
pub(super) const WIDE: f64 = 560.0;

/// A font family and its size in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Font {
    /// Font family list as in CSS.
    pub family: &'static str,
    /// Height of the em.
    pub size: f64,
    /// True for bold type.
    pub bold: bool,
}

impl Font {
    /// Returns the distance between two lines.
    pub fn leading(self) -> f64 {
        (1.24 * self.size).round()
    }

    /// Returns the size at which ordinary type is as wide.
    pub fn plain_size(self) -> f64 {
        if self.bold { 1.08 * self.size } else { self.size }
    }

    /// Returns the estimated width of a text.
    pub fn width(self, s: &str) -> f64 {
        text::width(s, self.plain_size())
    }
}

/// Fonts of a figure; smaller on a phone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fonts {
    pub number: Font,
    pub axis: Font,
    pub name: Font,
}

impl Fonts {
    /// Returns the fonts of a figure of that width.
    pub fn of(width: f64) -> Self {
        let [number, axis, name] = if width >= WIDE { [13.0, 14.0, 13.0] } else { [11.5, 13.0, 11.5] };
        let font = |size| Font { family: SERIF, size, bold: false };
        Self { number: font(number), axis: font(axis), name: font(name) }
    }
}
