//! Thin translucent lines behind other marks: single runs behind their mean, or functions drawn from a posterior.

use serde::{Deserialize, Serialize};

use super::{Datum, Hue, MarkInfo};
use crate::all_finite;

/// Thin translucent lines of one kind. Each point of each line is a datum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Threads {
    /// Key, label and colour.
    pub info: MarkInfo,
    /// Lines, the lowest first.
    pub threads: Vec<Thread>,
}

/// A line of [`Threads`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thread {
    /// Label of each of its points (`run 12`); may be empty.
    pub label: String,
    /// Points in data units, in order of x.
    pub points: Vec<(f64, f64)>,
}

impl Thread {
    /// Returns a line through the finite ones of these points, sorted by x.
    pub fn new(label: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let mut points: Vec<_> = points.into_iter().filter(|(x, y)| all_finite([*x, *y])).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self { label: label.into(), points }
    }
}

impl Threads {
    /// Returns lines of one kind.
    pub fn new(
        key: impl Into<String>,
        label: impl Into<String>,
        hue: Hue,
        threads: impl IntoIterator<Item = Thread>,
    ) -> Self {
        Self { info: MarkInfo::new(key, label, hue), threads: threads.into_iter().collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.threads.iter().map(|thread| thread.points.len()).sum()
    }

    pub(super) fn datum(&self, mut index: usize) -> Datum<'_> {
        for thread in &self.threads {
            match thread.points.get(index) {
                Some((x, y)) => return Datum::new(*x, *y).labelled(&thread.label),
                None => index -= thread.points.len(),
            }
        }
        unreachable!("the index is less than the number of points")
    }

    pub(super) fn is_finite(&self) -> bool {
        self.threads.iter().flat_map(|thread| &thread.points).all(|(x, y)| all_finite([*x, *y]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Mark;
    use super::*;

    #[test]
    fn each_point_of_each_line_is_a_datum_with_the_label_of_its_line() {
        let threads = [
            Thread::new("run 1", [(2.0, 0.2), (1.0, 0.4), (3.0, f64::NAN)]),
            Thread::new("run 2", []),
            Thread::new("run 3", [(1.0, 0.3)]),
        ];
        let mark = Mark::from(Threads::new("runs", "one run each", Hue::Blue, threads));
        let data: Vec<_> = mark.data().map(|datum| (datum.x, datum.y, datum.label)).collect();
        assert_eq!(data, [(1.0, 0.4, "run 1"), (2.0, 0.2, "run 1"), (1.0, 0.3, "run 3")]);
        assert!(mark.is_finite() && mark.datum(3).is_none());
    }
}
