//! A probability over the plane, shown as colour under the curves of a figure.

use serde::{Deserialize, Serialize};

use super::{Axis, Figure};

/// Values between 0 and 1 on a grid that fills the ranges of a figure's axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeatMap {
    /// What the values are, as in "probability of +1".
    pub label: String,
    /// Columns of the grid; as many rows as there are values for.
    pub columns: usize,
    /// Row by row from below, each from the left, at the centres of the cells.
    pub values: Vec<f32>,
    /// Drawn faint, because it belongs to other settings than those now chosen.
    pub stale: bool,
}

/// The two ends of a piece of a contour, in cells from the lower left corner.
pub type Piece = [(f64, f64); 2];

impl HeatMap {
    /// Rows of the grid.
    pub fn rows(&self) -> usize {
        self.values.len() / self.columns.max(1)
    }

    /// The value of a cell.
    pub fn at(&self, column: usize, row: usize) -> f32 {
        self.values[row * self.columns + column]
    }

    /// Where the values cross one half: marching squares between the centres of the cells.
    pub fn contour(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for row in 1..self.rows() {
            for column in 1..self.columns {
                let corner = |right: usize, up: usize| {
                    let (c, r) = (column - 1 + right, row - 1 + up);
                    ((c as f64 + 0.5, r as f64 + 0.5), f64::from(self.at(c, r)) - 0.5)
                };
                let round = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
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
}

impl Figure {
    /// The value of the map at a place in data units; `None` beyond it, or where there is no map.
    pub fn under(&self, x: f64, y: f64) -> Option<f32> {
        let map = self.heat.as_ref().filter(|map| map.rows() > 0)?;
        let cell = |axis: &Axis, v: f64, cells: usize| {
            let (lo, hi) = axis.range;
            (lo..=hi).contains(&v).then(|| (((v - lo) / (hi - lo) * cells as f64) as usize).min(cells - 1))
        };
        Some(map.at(cell(&self.x, x, map.columns)?, cell(&self.y, y, map.rows())?))
    }

    /// The centres of the cells of the map in data units, and its values.
    pub fn cells(&self) -> impl Iterator<Item = (f64, f64, f32)> {
        self.heat.iter().flat_map(move |map| {
            let centre = |axis: &Axis, cell: usize, cells: usize| {
                axis.range.0 + (cell as f64 + 0.5) / cells as f64 * (axis.range.1 - axis.range.0)
            };
            map.values.iter().enumerate().map(move |(i, p)| {
                let (column, row) = (i % map.columns, i / map.columns);
                (centre(&self.x, column, map.columns), centre(&self.y, row, map.rows()), *p)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(columns: usize, values: Vec<f32>) -> HeatMap {
        HeatMap { label: "p".into(), columns, values, stale: false }
    }

    #[test]
    fn the_contour_of_a_slope_is_straight() {
        let values = (0..4).flat_map(|_| [0.1_f32, 0.3, 0.5, 0.7, 0.9]).collect();
        let map = map(5, values);
        assert_eq!(map.rows(), 4);
        let pieces = map.contour();
        assert_eq!(pieces.len(), 3);
        assert!(pieces.iter().flatten().all(|(x, _)| (x - 2.5).abs() < 1e-6), "{pieces:?}");
    }

    #[test]
    fn the_map_is_read_at_a_place_and_at_its_cells() {
        let figure = Figure {
            id: "f".into(),
            title: String::new(),
            caption: String::new(),
            summary: String::new(),
            x: Axis::linear("x", (-1.0, 1.0)),
            y: Axis::linear("y", (0.0, 3.0)),
            heat: Some(map(2, vec![0.1, 0.2, 0.3, 0.4, 0.5, 0.6])),
            handles: None,
            curves: Vec::new(),
        };
        assert_eq!(figure.under(-0.5, 0.2), Some(0.1));
        assert_eq!(figure.under(1.0, 3.0), Some(0.6));
        assert_eq!([figure.under(1.1, 1.0), figure.under(0.0, f64::NAN)], [None; 2]);
        let cells: Vec<_> = figure.cells().collect();
        assert_eq!((cells.len(), cells[0], cells[5]), (6, (-0.5, 0.5, 0.1), (0.5, 2.5, 0.6)));
        assert!(cells.iter().all(|&(x, y, p)| figure.under(x, y) == Some(p)));
        assert_eq!(Figure { heat: None, ..figure }.under(0.0, 1.0), None);
    }

    #[test]
    fn nothing_crosses_where_all_agree() {
        assert!(map(2, vec![0.9; 6]).contour().is_empty());
    }
}
