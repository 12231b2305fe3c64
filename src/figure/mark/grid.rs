//! Values on a grid: a map over the plane, or an image of pixels.

use serde::{Deserialize, Serialize};

use super::{Datum, Entry, Hue};

/// Values on a grid of equal cells, shown as colour. A value that is not finite is a cell without one, such as a missing pixel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    /// Key, label (what the values are, as in "probability of +1") and colour of the contours.
    pub entry: Entry,
    /// Columns of the grid; as many rows as there are values for.
    pub columns: usize,
    /// Row by row from below, each from the left, at the centres of the cells.
    pub values: Vec<f32>,
    /// What the left and right edge are in data units.
    pub x: (f64, f64),
    /// What the lower and upper edge are in data units; of an image the rows count downwards.
    pub y: (f64, f64),
    /// How values become colours.
    pub colours: Colours,
    /// Unit of the values, written after them; empty for none.
    pub unit: String,
    /// Values at which contour lines are drawn.
    pub contours: Vec<f32>,
    /// Whether colours between the centres of cells are interpolated.
    pub smooth: bool,
    /// Whether values are squares of that area, their sign a colour: a Hinton diagram.
    pub squares: bool,
    /// Counts printed in the cells, one for each value of a table; empty for a map or an image.
    pub counts: Vec<u32>,
}

/// How values become colours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Colours {
    /// A probability of two classes: the colours of both, and paper at ½. Light, so that points stand out.
    Probability,
    /// From dark to light, perceptually uniform.
    Sequential {
        /// The value of the darkest colour.
        low: f32,
        /// The value of the lightest.
        high: f32,
    },
    /// Two colours for values on either side of a centre, which is paper.
    Diverging {
        /// The value of the one pure colour.
        low: f32,
        /// The value of paper.
        centre: f32,
        /// The value of the other pure colour.
        high: f32,
    },
    /// From paper to ink.
    Grey {
        /// The value of paper.
        low: f32,
        /// The value of ink.
        high: f32,
    },
}

/// The two ends of a piece of a contour, in cells from the lower left corner.
pub type Piece = [(f64, f64); 2];

impl Grid {
    /// A map of `columns` values a row, row by row from below, that fills the rectangle from `x.0` to `x.1` and `y.0` to `y.1`.
    pub fn map(
        key: impl Into<String>,
        label: impl Into<String>,
        columns: usize,
        values: Vec<f32>,
        (x, y): ((f64, f64), (f64, f64)),
        colours: Colours,
    ) -> Self {
        Self {
            entry: Entry::new(key, label, Hue::Ink),
            columns,
            values,
            x,
            y,
            colours,
            unit: String::new(),
            contours: Vec::new(),
            smooth: false,
            squares: false,
            counts: Vec::new(),
        }
    }

    /// An image of `columns` pixels a row, row by row from above; its coordinates are columns and rows from 1.
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

    /// The same map with contour lines at these values.
    #[must_use]
    pub fn contours(mut self, at: impl IntoIterator<Item = f32>) -> Self {
        self.contours = at.into_iter().collect();
        self
    }

    /// The same map with its values in `unit`.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = unit.into();
        self
    }

    /// The same values as a Hinton diagram: squares whose areas are their distances from the centre of the scale.
    #[must_use]
    pub fn squares(mut self) -> Self {
        self.squares = true;
        self
    }

    /// The same map with its colours interpolated.
    #[must_use]
    pub fn smooth(mut self) -> Self {
        self.smooth = true;
        self
    }

    /// A table: the same grid with a count printed in each cell, in the order of its values, and its label above it. Numbers
    /// that are printed need no scale.
    #[must_use]
    pub fn counts(mut self, counts: impl IntoIterator<Item = u32>) -> Self {
        self.counts = counts.into_iter().collect();
        self
    }

    /// Whether it is a table of printed counts.
    pub fn is_table(&self) -> bool {
        !self.counts.is_empty()
    }

    /// Rows of the grid.
    pub fn rows(&self) -> usize {
        self.values.len() / self.columns.max(1)
    }

    /// The value of a cell, rows from below.
    pub fn at(&self, column: usize, row: usize) -> f32 {
        self.values[row * self.columns + column]
    }

    /// The centre of a cell in data units.
    pub fn centre(&self, column: usize, row: usize) -> (f64, f64) {
        let along = |(from, to): (f64, f64), cell: usize, cells: usize| {
            from + (cell as f64 + 0.5) / cells as f64 * (to - from)
        };
        (along(self.x, column, self.columns), along(self.y, row, self.rows()))
    }

    /// The cell at a place in data units; `None` beyond the grid.
    pub fn cell(&self, x: f64, y: f64) -> Option<(usize, usize)> {
        let cell = |(from, to): (f64, f64), v: f64, cells: usize| {
            let t = (v - from) / (to - from);
            ((0.0..=1.0).contains(&t) && cells > 0).then(|| ((t * cells as f64) as usize).min(cells - 1))
        };
        Some((cell(self.x, x, self.columns)?, cell(self.y, y, self.rows())?))
    }

    /// The value at a place in data units; `None` beyond the grid and where there is no value.
    pub fn under(&self, x: f64, y: f64) -> Option<f32> {
        let (column, row) = self.cell(x, y)?;
        Some(self.at(column, row)).filter(|value| value.is_finite())
    }

    /// Where the values cross `level`: marching squares between the centres of the cells.
    pub fn contour(&self, level: f32) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for row in 1..self.rows() {
            for column in 1..self.columns {
                let corner = |right: usize, up: usize| {
                    let (c, r) = (column - 1 + right, row - 1 + up);
                    ((c as f64 + 0.5, r as f64 + 0.5), f64::from(self.at(c, r) - level))
                };
                let round = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                if round.iter().any(|(_, value)| !value.is_finite()) {
                    continue;
                }
                let mut crossings = Vec::with_capacity(4);
                for side in 0..4 {
                    let ((a, u), (b, v)) = (round[side], round[(side + 1) % 4]);
                    if (u < 0.0) != (v < 0.0) {
                        let t = u / (u - v);
                        crossings.push((a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1)));
                    }
                }
                pieces.extend(crossings.chunks_exact(2).map(|ends| [ends[0], ends[1]]));
            }
        }
        pieces
    }

    pub(super) fn len(&self) -> usize {
        self.rows() * self.columns
    }

    pub(super) fn datum(&self, index: usize) -> Option<Datum<'_>> {
        let (x, y) = self.centre(index % self.columns, index / self.columns);
        let value = f64::from(self.values[index]);
        let count = self.counts.get(index).map(|count| f64::from(*count));
        value.is_finite().then(|| Datum::new(x, y).with("value", value).with("count", count))
    }
}

impl Colours {
    /// The values at the two ends of the scale.
    pub fn range(self) -> (f32, f32) {
        match self {
            Self::Probability => (0.0, 1.0),
            Self::Sequential { low, high } | Self::Diverging { low, high, .. } | Self::Grey { low, high } => {
                (low, high)
            }
        }
    }

    /// Where a value stands on the scale: −1 to 1 around a centre, or else 0 to 1.
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

    fn map(columns: usize, values: Vec<f32>) -> Grid {
        Grid::map("map", "p", columns, values, ((-1.0, 1.0), (0.0, 3.0)), Colours::Probability)
    }

    #[test]
    fn the_contour_of_a_slope_is_straight() {
        let map = map(5, (0..4).flat_map(|_| [0.1_f32, 0.3, 0.5, 0.7, 0.9]).collect());
        assert_eq!(map.rows(), 4);
        for (level, at) in [(0.5, 2.5), (0.6, 3.0)] {
            let pieces = map.contour(level);
            assert_eq!(pieces.len(), 3);
            assert!(pieces.iter().flatten().all(|(x, _)| (x - at).abs() < 1e-5), "{pieces:?}");
        }
    }

    #[test]
    fn nothing_crosses_where_all_agree_or_nothing_is_known() {
        assert!(map(2, vec![0.9; 6]).contour(0.5).is_empty());
        assert!(map(2, vec![0.1, 0.9, f32::NAN, 0.9]).contour(0.5).is_empty());
    }

    #[test]
    fn the_map_is_read_at_a_place_and_at_its_cells() {
        let map = map(2, vec![0.1, 0.2, 0.3, f32::NAN, 0.5, 0.6]);
        assert_eq!((map.under(-0.5, 0.2), map.under(1.0, 3.0)), (Some(0.1), Some(0.6)));
        assert_eq!([map.under(1.1, 1.0), map.under(0.0, f64::NAN), map.under(0.5, 1.5)], [None; 3]);
        let first = map.datum(0).unwrap();
        assert_eq!((first.x, first.y, first.get("value")), (-0.5, 0.5, Some(f64::from(0.1_f32))));
        assert_eq!((0..map.len()).filter_map(|i| map.datum(i)).count(), 5);
        assert_eq!(super::Grid { values: Vec::new(), ..map }.under(0.0, 1.0), None);
    }

    #[test]
    fn rows_of_an_image_count_from_above() {
        let image =
            Grid::image("i", "", 2, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], Colours::Grey { low: 0.0, high: 6.0 });
        assert_eq!((image.under(1.0, 1.0), image.under(2.0, 3.0)), (Some(1.0), Some(6.0)));
        assert_eq!(image.at(0, 0), 5.0, "kept from below");
        assert_eq!(image.centre(1, 2), (2.0, 1.0));
    }

    #[test]
    fn colours_run_from_end_to_end() {
        let diverging = Colours::Diverging { low: -4.0, centre: 1.0, high: 2.0 };
        assert_eq!([-9.0, -4.0, 1.0, 1.5, 2.0].map(|v| diverging.position(v)), [-1.0, -1.0, 0.0, 0.5, 1.0]);
        let flat = Colours::Sequential { low: 1.0, high: 1.0 };
        assert_eq!([0.0, 1.0, f32::NAN].map(|v| flat.position(v)), [0.0; 3]);
    }
}
