//! Lines through given points: guides, thresholds, differences between two points, contours.

use serde::{Deserialize, Serialize};

use super::{Datum, Hue, MarkInfo, Stroke};
use crate::all_finite;

/// Lines of straight segments, each with its own points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Segments {
    /// Key, label and colour.
    pub info: MarkInfo,
    /// Line style.
    pub stroke: Stroke,
    /// True if the lines are thin, because points stand on them.
    pub thin: bool,
    /// Points of each line; two of a single segment.
    pub lines: Vec<Vec<(f64, f64)>>,
}

/// Returns true if all points of a line are finite.
pub(super) fn is_finite(line: &[(f64, f64)]) -> bool {
    line.iter().all(|(x, y)| all_finite([*x, *y]))
}

impl Segments {
    /// Returns the finite ones of these lines.
    pub fn new<L: Into<Vec<(f64, f64)>>>(
        key: impl Into<String>,
        label: impl Into<String>,
        hue: Hue,
        stroke: Stroke,
        lines: impl IntoIterator<Item = L>,
    ) -> Self {
        let lines = lines.into_iter().map(Into::into).filter(|line| is_finite(line)).collect();
        Self { info: MarkInfo::new(key, label, hue), stroke, thin: false, lines }
    }

    /// Makes the lines thin.
    #[must_use]
    pub fn thin(mut self) -> Self {
        self.thin = true;
        self
    }

    /// Returns the number of points: each is a datum.
    pub(super) fn len(&self) -> usize {
        self.lines.iter().map(Vec::len).sum()
    }

    /// Returns a point, with the number of its line, from 1, if there are several.
    pub(super) fn datum(&self, mut index: usize) -> Datum<'_> {
        for (place, line) in self.lines.iter().enumerate() {
            match line.get(index) {
                Some((x, y)) => {
                    let number = (self.lines.len() > 1).then_some(place as f64 + 1.0);
                    return Datum::new(*x, *y).with("line", number);
                }
                None => index -= line.len(),
            }
        }
        unreachable!("the index is less than the number of points")
    }
}

#[cfg(test)]
mod tests {
    use super::super::Mark;
    use super::*;

    #[test]
    fn each_point_is_a_datum_with_the_number_of_its_line() {
        let lines =
            [vec![(0.0, 1.0), (2.0, 1.0), (2.0, 3.0)], vec![(f64::NAN, 0.0)], vec![(5.0, 5.0), (6.0, 5.0)]];
        let mark = Mark::from(Segments::new("s", "", Hue::Ink, Stroke::Solid, lines));
        let data: Vec<_> = mark.data().map(|datum| (datum.x, datum.y, datum.get("line"))).collect();
        let (first, second) = (Some(1.0), Some(2.0));
        assert_eq!(
            data,
            [(0.0, 1.0, first), (2.0, 1.0, first), (2.0, 3.0, first), (5.0, 5.0, second), (6.0, 5.0, second)]
        );
        let one = Mark::from(Segments::new("s", "", Hue::Ink, Stroke::Solid, [[(0.0, 0.0), (1.0, 1.0)]]));
        assert!(one.is_finite() && one.data().all(|datum| datum.get("line").is_none()));
    }
}
