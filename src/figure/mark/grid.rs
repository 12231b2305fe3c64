//! Values on a grid: a map of the plane, or an image.

use serde::{Deserialize, Serialize};

use super::{Datum, Hue, MarkInfo};
use crate::all_finite;

/// Values on a grid of equal cells, shown as colours. A cell has no value, such as a missing pixel, if the value is not finite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    /// Key, label of the values ("probability of +1") and colour of the contours.
    pub info: MarkInfo,
    /// Number of columns.
    pub columns: usize,
    /// Values at the centres of the cells, row by row from below, each from the left.
    pub values: Vec<f32>,
    /// Left and right edge in data units.
    pub x: (f64, f64),
    /// Lower and upper edge in data units; rows of an image count downwards.
    pub y: (f64, f64),
    /// Colour scale.
    pub colours: Colours,
    /// Unit of the values; may be empty.
    pub unit: String,
    /// Words at the low and at the high end of the colour scale; may be empty.
    pub ends: [String; 2],
    /// Levels of the contour lines.
    pub contours: Vec<f32>,
    /// True if colours are interpolated between the centres of cells.
    pub smooth: bool,
    /// True for a Hinton diagram: values are areas of squares, signs are colours.
    pub squares: bool,
    /// Counts printed in the cells of a table; empty for a map or an image.
    pub counts: Vec<u32>,
    /// True for each cell of an image whose value was filled in, drawn in colour; empty if there are none.
    pub filled_in: Vec<bool>,
    /// True for a picture that stands out among others by a frame in colour.
    pub framed: bool,
    /// Fraction between 0 and 1, drawn as a bar below a picture among others.
    pub share: Option<f64>,
}

/// Colour scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Colours {
    /// Probability of one of two classes: light colours of both, and paper at ½.
    Probability,
    /// Perceptually uniform, from dark to light.
    Sequential {
        /// Value of the darkest colour.
        low: f32,
        /// Value of the lightest colour.
        high: f32,
    },
    /// Two colours on either side of a centre, which is paper.
    Diverging {
        /// Value of the first pure colour.
        low: f32,
        /// Value of paper.
        centre: f32,
        /// Value of the second pure colour.
        high: f32,
    },
    /// Scale from paper to ink.
    Grey {
        /// Value of paper.
        low: f32,
        /// Value of ink.
        high: f32,
    },
}

impl Grid {
    /// Returns a map of the rectangle `x` × `y` with `columns` values per row, row by row from below.
    pub fn map(
        key: impl Into<String>,
        label: impl Into<String>,
        columns: usize,
        values: Vec<f32>,
        (x, y): ((f64, f64), (f64, f64)),
        colours: Colours,
    ) -> Self {
        Self {
            info: MarkInfo::new(key, label, Hue::Ink),
            columns,
            values,
            x,
            y,
            colours,
            unit: String::new(),
            ends: [String::new(), String::new()],
            contours: Vec::new(),
            smooth: false,
            squares: false,
            counts: Vec::new(),
            filled_in: Vec::new(),
            framed: false,
            share: None,
        }
    }

    /// Returns an image of `columns` pixels per row, row by row from above. Its coordinates are columns and rows from 1.
    pub fn image(
        key: impl Into<String>,
        label: impl Into<String>,
        columns: usize,
        pixels: &[f32],
        colours: Colours,
    ) -> Self {
        let width = columns.max(1);
        let rows = (pixels.len() / width) as f64;
        let values = pixels.chunks_exact(width).rev().flatten().copied().collect();
        let extent = ((0.5, width as f64 + 0.5), (rows + 0.5, 0.5));
        Self::map(key, label, columns, values, extent, colours)
    }

    /// Adds contour lines at these levels.
    #[must_use]
    pub fn contours(mut self, at: impl IntoIterator<Item = f32>) -> Self {
        self.contours = at.into_iter().collect();
        self
    }

    /// Sets the unit of the values.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = unit.into();
        self
    }

    /// Adds words at the low and at the high end of the colour scale.
    #[must_use]
    pub fn ends(mut self, low: impl Into<String>, high: impl Into<String>) -> Self {
        self.ends = [low.into(), high.into()];
        self
    }

    /// Makes it a Hinton diagram: areas of squares are distances from the centre of the scale.
    #[must_use]
    pub fn squares(mut self) -> Self {
        self.squares = true;
        self
    }

    /// Interpolates the colours.
    #[must_use]
    pub fn smooth(mut self) -> Self {
        self.smooth = true;
        self
    }

    /// Makes it a table with a count printed in each cell, in the order of the values. A table has no colour scale.
    #[must_use]
    pub fn counts(mut self, counts: impl IntoIterator<Item = u32>) -> Self {
        self.counts = counts.into_iter().collect();
        self
    }

    /// Marks pixels of an image as filled in, row by row from above.
    #[must_use]
    pub fn filled_in(mut self, pixels: &[bool]) -> Self {
        self.filled_in = pixels.chunks_exact(self.columns.max(1)).rev().flatten().copied().collect();
        self
    }

    /// Frames the picture in colour.
    #[must_use]
    pub fn framed(mut self, framed: bool) -> Self {
        self.framed = framed;
        self
    }

    /// Adds a bar below the picture for a fraction between 0 and 1.
    #[must_use]
    pub fn share(mut self, share: f64) -> Self {
        self.share = Some(share);
        self
    }

    /// Returns true if the value of a cell was filled in.
    pub fn is_filled_in(&self, cell: usize) -> bool {
        self.filled_in.get(cell).copied().unwrap_or(false)
    }

    /// Returns true if counts are printed in its cells.
    pub fn is_table(&self) -> bool {
        !self.counts.is_empty()
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.values.len() / self.columns.max(1)
    }

    /// Returns the value of a cell, rows from below.
    pub fn at(&self, column: usize, row: usize) -> f32 {
        self.values[row * self.columns + column]
    }

    /// Returns the centre of a cell in data units.
    pub fn centre(&self, column: usize, row: usize) -> (f64, f64) {
        let along = |(from, to): (f64, f64), cell: usize, cells: usize| {
            from + (cell as f64 + 0.5) / cells as f64 * (to - from)
        };
        (along(self.x, column, self.columns), along(self.y, row, self.rows()))
    }

    /// Returns column and row of the cell at a point in data units; `None` outside the grid.
    pub fn cell(&self, x: f64, y: f64) -> Option<(usize, usize)> {
        let cell = |(from, to): (f64, f64), v: f64, cells: usize| {
            let t = (v - from) / (to - from);
            ((0.0..=1.0).contains(&t) && cells > 0).then(|| ((t * cells as f64) as usize).min(cells - 1))
        };
        Some((cell(self.x, x, self.columns)?, cell(self.y, y, self.rows())?))
    }

    /// Returns the value at a point in data units; `None` outside the grid and if the cell has no value.
    pub fn under(&self, x: f64, y: f64) -> Option<f32> {
        let (column, row) = self.cell(x, y)?;
        Some(self.at(column, row)).filter(|value| value.is_finite())
    }

    /// Returns true if edges, colour scale and contour levels are finite.
    pub(super) fn is_finite(&self) -> bool {
        let (low, high) = self.colours.range();
        let levels = [low, high].into_iter().chain(self.contours.iter().copied());
        all_finite([self.x.0, self.x.1, self.y.0, self.y.1].into_iter().chain(levels.map(f64::from)))
    }

    pub(super) fn len(&self) -> usize {
        self.rows() * self.columns
    }

    pub(super) fn datum(&self, index: usize) -> Option<Datum<'_>> {
        let (x, y) = self.centre(index % self.columns, index / self.columns);
        let value = f64::from(self.values[index]);
        let count = self.counts.get(index).map(|count| f64::from(*count));
        let label = if self.is_filled_in(index) { "filled in" } else { "" };
        value
            .is_finite()
            .then(|| Datum { label, ..Datum::new(x, y).with("value", value).with("count", count) })
    }
}

impl Colours {
    /// Returns the values at both ends of the scale.
    pub fn range(self) -> (f32, f32) {
        match self {
            Self::Probability => (0.0, 1.0),
            Self::Sequential { low, high } | Self::Diverging { low, high, .. } | Self::Grey { low, high } => {
                (low, high)
            }
        }
    }

    /// Returns the position of a value on the scale: −1 to 1 if the scale has a centre, otherwise 0 to 1.
    pub fn position(self, value: f32) -> f32 {
        let between = |from: f32, to: f32| {
            let t = (value - from) / (to - from);
            if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 }
        };
        match self {
            Self::Probability => 2.0 * between(0.0, 1.0) - 1.0,
            Self::Sequential { low, high } | Self::Grey { low, high } => between(low, high),
            Self::Diverging { low, centre, .. } if value < centre => -between(centre, low),
            Self::Diverging { centre, high, .. } => between(centre, high),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_place_and_by_cell() {
        let values = vec![0.1, 0.2, 0.3, f32::NAN, 0.5, 0.6];
        let map = Grid::map("map", "p", 2, values, ((-1.0, 1.0), (0.0, 3.0)), Colours::Probability);
        assert_eq!((map.under(-0.5, 0.2), map.under(1.0, 3.0)), (Some(0.1), Some(0.6)));
        assert_eq!([map.under(1.1, 1.0), map.under(0.0, f64::NAN), map.under(0.5, 1.5)], [None; 3]);
        let first = map.datum(0).unwrap();
        assert_eq!((first.x, first.y, first.get("value")), (-0.5, 0.5, Some(f64::from(0.1_f32))));
        assert_eq!((0..map.len()).filter_map(|i| map.datum(i)).count(), 5);
        assert_eq!(super::Grid { values: Vec::new(), ..map }.under(0.0, 1.0), None);
    }

    #[test]
    fn rows_of_an_image_are_counted_from_above() {
        let image =
            Grid::image("i", "", 2, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], Colours::Grey { low: 0.0, high: 6.0 });
        assert_eq!((image.under(1.0, 1.0), image.under(2.0, 3.0)), (Some(1.0), Some(6.0)));
        assert_eq!(image.at(0, 0), 5.0, "kept from below");
        assert_eq!(image.centre(1, 2), (2.0, 1.0));
    }

    #[test]
    fn positions_on_the_scale_are_clamped() {
        let diverging = Colours::Diverging { low: -4.0, centre: 1.0, high: 2.0 };
        assert_eq!([-9.0, -4.0, 1.0, 1.5, 2.0].map(|v| diverging.position(v)), [-1.0, -1.0, 0.0, 0.5, 1.0]);
        let flat = Colours::Sequential { low: 1.0, high: 1.0 };
        assert_eq!([0.0, 1.0, f32::NAN].map(|v| flat.position(v)), [0.0; 3]);
    }
}
