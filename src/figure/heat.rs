//! A probability over the plane, shown as colour under the curves of a figure.

use serde::{Deserialize, Serialize};

/// Values between 0 and 1 on a grid that fills the ranges of a figure's axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeatMap {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contour_of_a_slope_is_straight() {
        let values = (0..4).flat_map(|_| [0.1_f32, 0.3, 0.5, 0.7, 0.9]).collect();
        let map = HeatMap { columns: 5, values, stale: false };
        assert_eq!(map.rows(), 4);
        let pieces = map.contour();
        assert_eq!(pieces.len(), 3);
        assert!(pieces.iter().flatten().all(|(x, _)| (x - 2.5).abs() < 1e-6), "{pieces:?}");
    }

    #[test]
    fn nothing_crosses_where_all_agree() {
        let map = HeatMap { columns: 2, values: vec![0.9; 6], stale: false };
        assert!(map.contour().is_empty());
    }
}
