//! Axes.

use serde::{Deserialize, Serialize};

use super::Mark;

/// An axis: label, scale and range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// Words and symbol: `examples per weight, α = m/N`.
    pub label: String,
    /// Scale on which it is drawn.
    pub scale: Scale,
    /// Scales that the reader may choose from.
    pub scales: Vec<Scale>,
    /// Smallest and largest value shown, in data units.
    pub range: (f64, f64),
    /// Names at 1, 2, 3, … of a categorical axis; empty for an axis of numbers.
    pub names: Vec<String>,
    /// True if only whole numbers have ticks, as on an axis of counts.
    pub whole: bool,
}

/// Mapping from data to distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scale {
    /// Equal differences are equal distances.
    Linear,
    /// Equal ratios are equal distances; values ≤ 0 are not drawn.
    Log,
}

impl Axis {
    /// Returns a linear axis over `range`.
    pub fn linear(label: impl Into<String>, range: (f64, f64)) -> Self {
        let (label, scales) = (label.into(), vec![Scale::Linear]);
        Self { label, scale: Scale::Linear, scales, range, names: Vec::new(), whole: false }
    }

    /// Returns a linear axis of counts, with ticks at whole numbers only.
    pub fn counts(label: impl Into<String>, range: (f64, f64)) -> Self {
        Self { whole: true, ..Self::linear(label, range) }
    }

    /// Returns a logarithmic axis over `range`; the reader may choose a linear scale.
    pub fn log(label: impl Into<String>, range: (f64, f64)) -> Self {
        let scales = vec![Scale::Log, Scale::Linear];
        Self { scale: Scale::Log, scales, ..Self::linear(label, range) }
    }

    /// Returns a linear axis that holds all finite `values` with a margin; from 0 to 1 if there are none.
    pub fn around(label: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = values
            .into_iter()
            .filter(|x| x.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        if low > high {
            return Self::linear(label, (0.0, 1.0));
        }
        let margin = (0.05 * (high - low)).max(1e-3 * (1.0 + high.abs()));
        Self::linear(label, (low - margin, high + margin))
    }

    /// Returns the middle of the widest interval without one of the `values`, the last of several; `None` if it is narrower than a
    /// sixth of the range.
    pub fn widest_gap(&self, values: impl IntoIterator<Item = f64>) -> Option<f64> {
        const LEAST: f64 = 1.0 / 6.0;
        let (low, high) = self.range;
        let mut ends: Vec<f64> = values.into_iter().filter(|x| (low..=high).contains(x)).collect();
        ends.extend([low, high]);
        ends.sort_by(f64::total_cmp);
        let share = |pair: &[f64]| (pair[1] - pair[0]) / (high - low);
        // Gaps that differ by rounding are of one width.
        let wider = |best: &[f64], next: &[f64]| share(next) > share(best) - 1e-9;
        let widest = ends.windows(2).reduce(|best, next| if wider(best, next) { next } else { best })?;
        (share(widest) >= LEAST).then(|| f64::midpoint(widest[0], widest[1]))
    }

    /// Returns a categorical axis with names at 1, 2, 3, ….
    pub fn categories(label: impl Into<String>, names: Vec<String>) -> Self {
        Self { range: (0.5, names.len().max(1) as f64 + 0.5), names, ..Self::linear(label, (0.0, 1.0)) }
    }

    /// Lets the reader choose a logarithmic scale.
    #[must_use]
    pub fn or_log(mut self) -> Self {
        self.scales = vec![Scale::Linear, Scale::Log];
        self
    }

    /// Returns the name at `x`, if any.
    pub fn name(&self, x: f64) -> Option<&str> {
        let at = self.names.get((x - 1.0) as usize).filter(|_| x >= 1.0 && x.fract() == 0.0);
        at.map(String::as_str)
    }

    /// Returns the symbol at the end of the label (`α` of `load, α = m/N`), or the label if it has none.
    pub fn symbol(&self) -> &str {
        match self.label.rsplit_once(", ") {
            Some((_, symbol)) => symbol.split(' ').next().unwrap_or_default(),
            None => &self.label,
        }
    }

    /// Extends a vertical axis, if necessary, to hold all data of `marks` and the upper ends of their error bars.
    pub fn expand_to_fit(&mut self, marks: &[Mark]) {
        let extents = marks.iter().filter_map(Mark::vertical_extent);
        let (low, high) = extents.fold(self.range, |all, (low, high)| (all.0.min(low), all.1.max(high)));
        let margin = 0.03 * (high - low);
        if low < self.range.0 {
            self.range.0 = low - margin;
        }
        if high > self.range.1 {
            self.range.1 = high + margin;
        }
    }

    /// Extends the range to include that of `other`.
    pub fn widen(&mut self, other: &Self) {
        self.range = (self.range.0.min(other.range.0), self.range.1.max(other.range.1));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Curve, Hue, Point};
    use super::*;

    #[test]
    fn the_widest_gap_lies_between_the_values_or_beside_them() {
        let axis = Axis::linear("x", (0.0, 10.0));
        assert_eq!(axis.widest_gap([9.0, 1.0, 2.0, 7.0]), Some(4.5));
        assert_eq!(axis.widest_gap([3.0, 4.5, 6.0, 7.0]), Some(8.5), "both margins are of one width");
        assert_eq!(axis.widest_gap((1..10).map(f64::from)), None, "nothing is empty");
        assert_eq!(axis.widest_gap([5.0, f64::NAN, 40.0]), Some(7.5));
    }

    #[test]
    fn an_axis_is_extended_only_for_data_beyond_it() {
        let mut axis = Axis::linear("y", (0.0, 0.5));
        let curve =
            |points: &[Point]| Mark::from(Curve::new("a", "a", Hue::Ink).points(points.iter().copied()));
        let inside = Point::new(0.0, 0.45).with_se(0.04);
        axis.expand_to_fit(&[curve(&[inside])]);
        assert_eq!(axis.range, (0.0, 0.5));
        axis.expand_to_fit(&[curve(&[inside, Point::new(1.0, 0.49).with_se(0.1), Point::new(2.0, -0.2)])]);
        assert!((axis.range.0 + 0.2237).abs() < 1e-12 && (axis.range.1 - 0.6137).abs() < 1e-12, "{axis:?}");
    }

    #[test]
    fn categories_are_whole_numbers_from_one() {
        let axis = Axis::categories("", vec!["a".into(), "b".into()]);
        assert_eq!((axis.name(1.0), axis.name(2.0), axis.range), (Some("a"), Some("b"), (0.5, 2.5)));
        assert_eq!([0.0, 1.5, 3.0, -1.0, f64::NAN].map(|x| axis.name(x)), [None; 5]);
    }

    #[test]
    fn the_symbol_follows_the_words() {
        let symbol = |label: &str| Axis::linear(label, (0.0, 1.0)).symbol().to_owned();
        assert_eq!(
            ["load, α = m/N", "error rate, ε", "row of the file"].map(symbol),
            ["α", "ε", "row of the file"]
        );
    }

    #[test]
    fn an_axis_around_values_has_a_margin() {
        assert_eq!(Axis::around("", [f64::NAN]).range, (0.0, 1.0));
        let (low, high) = Axis::around("", [1.0, f64::INFINITY, 3.0]).range;
        assert!(low < 1.0 && low > 0.8 && high > 3.0 && high < 3.2);
        let (low, high) = Axis::around("", [2.0]).range;
        assert!(low < 2.0 && high > 2.0);
    }
}
