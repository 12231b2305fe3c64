//! Contours of a grid.

use std::collections::BTreeMap;

use super::Grid;

/// Edge of the lattice of the centres of cells: column and row of its lower left end, and true if it points upwards.
type Edge = (usize, usize, bool);

/// Crossings that are joined to each crossing: one at the end of a line, otherwise two.
type Links = BTreeMap<Edge, Vec<Edge>>;

impl Grid {
    /// Returns the contour at `level` as lines in data units, by marching squares between the centres of the cells. The last point
    /// of a closed line is its first one.
    pub fn contour(&self, level: f32) -> Vec<Vec<(f64, f64)>> {
        let mut links = Links::new();
        for row in 1..self.rows() {
            for column in 1..self.columns {
                for [a, b] in self.crossed((column - 1, row - 1), level) {
                    links.entry(a).or_default().push(b);
                    links.entry(b).or_default().push(a);
                }
            }
        }
        let ends = links.iter().filter(|(_, joined)| joined.len() == 1).map(|(edge, _)| *edge);
        // Open lines begin at an end; what is left is closed.
        let starts: Vec<Edge> = ends.chain(links.keys().copied()).collect();
        let lines = starts.into_iter().map(|start| trace(&mut links, start));
        let place = |edge: &Edge| self.crossing(*edge, level);
        lines.filter(|line| line.len() > 1).map(|line| line.iter().map(place).collect()).collect()
    }

    /// Returns the pairs of edges that the contour joins within the square whose lower left corner is the centre of a cell; none if
    /// a corner has no value.
    fn crossed(&self, (column, row): (usize, usize), level: f32) -> Vec<[Edge; 2]> {
        let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(right, up)| self.at(column + right, row + up));
        if corners.iter().any(|value| !value.is_finite()) {
            return Vec::new();
        }
        let edges =
            [(column, row, false), (column + 1, row, true), (column, row + 1, false), (column, row, true)];
        let below = corners.map(|value| value < level);
        let crossed = (0..4).filter(|side| below[*side] != below[(side + 1) % 4]).map(|side| edges[side]);
        crossed.collect::<Vec<_>>().chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
    }

    /// Returns the point of an edge at which the value is `level`, in data units, by linear interpolation.
    fn crossing(&self, (column, row, upwards): Edge, level: f32) -> (f64, f64) {
        let end = if upwards { (column, row + 1) } else { (column + 1, row) };
        let height = |(column, row): (usize, usize)| f64::from(self.at(column, row)) - f64::from(level);
        let (from, to) = (height((column, row)), height(end));
        let t = from / (from - to);
        let (a, b) = (self.centre(column, row), self.centre(end.0, end.1));
        (a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1))
    }
}

/// Follows the links from `start` and removes them; returns only `start` if it has none.
fn trace(links: &mut Links, start: Edge) -> Vec<Edge> {
    let mut line = vec![start];
    let mut at = start;
    while let Some(next) = links.get_mut(&at).and_then(Vec::pop) {
        if let Some(back) = links.get_mut(&next) {
            back.retain(|edge| *edge != at);
        }
        line.push(next);
        at = next;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::super::Colours;
    use super::*;

    fn map(columns: usize, values: Vec<f32>) -> Grid {
        Grid::map("map", "p", columns, values, ((-1.0, 1.0), (0.0, 3.0)), Colours::Probability)
    }

    #[test]
    fn the_contour_of_a_slope_is_one_straight_line_in_data_units() {
        let map = map(5, (0..4).flat_map(|_| [0.1_f32, 0.3, 0.5, 0.7, 0.9]).collect());
        assert_eq!(map.rows(), 4);
        for (level, at) in [(0.5, 0.0), (0.6, 0.2)] {
            let lines = map.contour(level);
            assert_eq!(lines.len(), 1);
            assert!(lines[0].iter().all(|(x, _)| (x - at).abs() < 1e-6), "{lines:?}");
            assert_eq!(lines[0].iter().map(|(_, y)| *y).collect::<Vec<_>>(), [0.375, 1.125, 1.875, 2.625]);
        }
    }

    #[test]
    fn the_contour_of_a_hill_is_closed() {
        let (columns, rows) = (41, 31);
        let at = |i: usize, count: usize| 2.0 * (i as f32 + 0.5) / count as f32 - 1.0;
        let distance = |cell: usize| at(cell % columns, columns).hypot(at(cell / columns, rows));
        let lines = map(columns, (0..columns * rows).map(|cell| 1.0 - distance(cell)).collect()).contour(0.5);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].first(), lines[0].last());
        // An ellipse around the middle, with half axes of half of those of the map.
        let radius = |(x, y): &(f64, f64)| x.hypot((y - 1.5) / 1.5);
        assert!(lines[0].iter().all(|place| (radius(place) - 0.5).abs() < 0.01), "{lines:?}");
    }

    #[test]
    fn both_lines_of_a_saddle_are_found() {
        let lines = map(2, vec![0.0, 1.0, 1.0, 0.0]).contour(0.5);
        assert!(lines.len() == 2 && lines.iter().all(|line| line.len() == 2), "{lines:?}");
    }

    #[test]
    fn constant_and_missing_values_have_no_contour() {
        assert!(map(2, vec![0.9; 6]).contour(0.5).is_empty());
        assert!(map(2, vec![0.1, 0.9, f32::NAN, 0.9]).contour(0.5).is_empty());
        assert!(map(3, Vec::new()).contour(0.5).is_empty());
    }
}
