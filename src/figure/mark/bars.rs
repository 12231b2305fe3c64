//! Bars, such as counts of a histogram or weights by column.

use serde::{Deserialize, Serialize};

use super::{Datum, Hue, MarkInfo};
use crate::all_finite;

/// Bars of equal width.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bars {
    /// Key, label and colour.
    pub info: MarkInfo,
    /// True if they are horizontal: their values are abscissae.
    pub horizontal: bool,
    /// Width of a bar in data units.
    pub width: f64,
    /// The bars.
    pub bars: Vec<Bar>,
}

/// A bar from `base` to `value`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// Middle, along the axis on which it stands.
    pub at: f64,
    /// Start, usually 0.
    pub base: f64,
    /// End.
    pub value: f64,
    /// Standard error of the value.
    pub se: Option<f64>,
}

impl Bar {
    /// Returns a bar from 0 to `value`.
    pub fn new(at: f64, value: f64) -> Self {
        Self { at, base: 0.0, value, se: None }
    }

    /// Sets the standard error; none if it is not finite.
    #[must_use]
    pub fn with_se(self, se: f64) -> Self {
        Self { se: se.is_finite().then_some(se), ..self }
    }

    pub(super) fn is_finite(&self) -> bool {
        all_finite([self.at, self.base, self.value])
    }
}

impl Bars {
    /// Returns vertical bars: the finite ones of `bars`.
    pub fn new(
        key: impl Into<String>,
        label: impl Into<String>,
        hue: Hue,
        width: f64,
        bars: impl IntoIterator<Item = Bar>,
    ) -> Self {
        let bars = bars.into_iter().filter(Bar::is_finite).collect();
        Self { info: MarkInfo::new(key, label, hue), horizontal: false, width, bars }
    }

    /// Makes the bars horizontal.
    #[must_use]
    pub fn horizontal(mut self) -> Self {
        self.horizontal = true;
        self
    }

    pub(super) fn len(&self) -> usize {
        self.bars.len()
    }

    /// Returns a datum with `base` if the bar does not begin at 0.
    pub(super) fn datum(&self, index: usize) -> Datum<'_> {
        let Bar { at, base, value, se } = self.bars[index];
        let (x, y) = if self.horizontal { (value, at) } else { (at, value) };
        Datum::new(x, y).with("se", se).with("base", (base != 0.0).then_some(base))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_horizontal_bars_are_abscissae() {
        let bars = Bars::new("a", "a", Hue::Blue, 1.0, [Bar::new(3.0, 7.0).with_se(0.5)]).horizontal();
        let datum = bars.datum(0);
        assert_eq!((datum.x, datum.y, datum.get("se")), (7.0, 3.0, Some(0.5)));
    }
}
