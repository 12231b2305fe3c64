//! Draws marks: one file a mark.

mod curve;
mod grid;

pub(super) use curve::{Outline, SIGN, line_width, outline};
pub(super) use grid::scale;

use plotters::style::{Color, RGBAColor};

use super::DrawError;
use super::drawing::Shown;
use super::frame::Frame;
use super::layout::KEY;
use super::pen::Pen;
use super::stroke::Px;
use crate::figure::{Hue, Mark};

/// How much is left of the colour of what belongs to other settings.
const FAINT: f64 = 0.3;

impl Shown<'_> {
    /// A colour, faint where the mark is.
    pub(super) fn tint(&self, pen: &Pen, hue: Hue) -> RGBAColor {
        pen.look.theme.hue(hue).mix(if self.style.faint { FAINT } else { 1.0 })
    }

    /// Its own colour.
    pub(super) fn ink(&self, pen: &Pen) -> RGBAColor {
        self.tint(pen, self.mark.entry().hue)
    }
}

/// Draws one mark; what is outside the plot is cut off at its border.
pub(super) fn mark(pen: &Pen, frame: &Frame, shown: &Shown) -> Result<(), DrawError> {
    match shown.mark {
        Mark::Curve(curve) => curve::curve(pen, frame, curve, shown),
        Mark::Grid(grid) => grid::map(pen, frame, grid, shown),
    }
}

/// A sample of the mark, to the right of `at`.
pub(super) fn key(pen: &Pen, shown: &Shown, at: Px) -> Result<(), DrawError> {
    match shown.mark {
        Mark::Curve(curve) => curve::key(pen, curve, shown, at, KEY),
        // Its colours have a scale.
        Mark::Grid(_) => Ok(()),
    }
}

/// Whether it is named beside the plot: a map is named at its scale.
pub(super) fn named(shown: &Shown) -> bool {
    !shown.name().is_empty() && !matches!(shown.mark, Mark::Grid(_))
}

/// The place that its name belongs to: the last visible one.
pub(super) fn end(frame: &Frame, shown: &Shown) -> Option<Px> {
    match shown.mark {
        Mark::Curve(curve) => curve::end(frame, curve, shown),
        mark @ Mark::Grid(_) => {
            (0..mark.len()).rev().find_map(|i| frame.to_px(mark.datum(i)?.x, mark.datum(i)?.y))
        }
    }
}
