//! The positions of everything in a figure but the marks.

use super::axes::PlaneAxes;
use super::colour_scale::ColourScale;
use super::fonts::Fonts;
use super::geometry::PlotGeometry;
use super::names::PlacedName;
use super::rect::Rect;
use super::title::PanelTitle;

/// Layout of a drawing of one size: the positions of everything but the marks, which follow from its axes.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureLayout {
    /// Size, plot and axes.
    pub geometry: PlotGeometry,
    pub(super) fonts: Fonts,
    /// Numbers and labels of the axes of the plane, or of each panel.
    pub(super) axes: Vec<PlaneAxes>,
    /// Titles of the panels.
    pub(super) titles: Vec<PanelTitle>,
    pub(super) scale: ColourScale,
    pub(super) names: Vec<PlacedName>,
}

impl FigureLayout {
    /// Returns a layout without words.
    pub(super) fn bare(geometry: PlotGeometry, fonts: Fonts) -> Self {
        Self {
            geometry,
            fonts,
            axes: Vec::new(),
            titles: Vec::new(),
            scale: ColourScale { width: 0.0, labelled: false },
            names: Vec::new(),
        }
    }

    /// Returns the areas of the names of the marks in CSS pixels, with the index of the mark.
    pub fn names(&self) -> impl Iterator<Item = (usize, Rect)> {
        self.names.iter().map(|name| (name.mark, name.rect))
    }
}
