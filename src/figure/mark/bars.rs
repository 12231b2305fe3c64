//! Bars: counts of a histogram, weights by column.

use serde::{Deserialize, Serialize};

use super::{Datum, Entry, Hue};

/// Bars from a base, 0 where nothing else is said, to a value each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bars {
    /// Key, label and colour.
    pub entry: Entry,
    /// Whether they lie, so that their values are abscissae.
    pub horizontal: bool,
    /// Width of each in data units.
    pub width: f64,
    /// The bars.
    pub bars: Vec<Bar>,
}

/// One bar.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// Its middle along the axis it stands on.
    pub at: f64,
    /// Where it begins.
    pub base: f64,
    /// Where it ends.
    pub value: f64,
    /// One standard error of the value.
    pub se: Option<f64>,
}

impl Bar {
    /// A bar from 0 to `value`.
    pub fn new(at: f64, value: f64) -> Self {
        Self { at, base: 0.0, value, se: None }
    }

    /// The same bar with a standard error.
    #[must_use]
    pub fn with_se(self, se: f64) -> Self {
        Self { se: se.is_finite().then_some(se), ..self }
    }
}

impl Bars {
    /// Upright bars of one width; those that are not finite are left out.
    pub fn new(
        key: impl Into<String>,
        label: impl Into<String>,
        hue: Hue,
        width: f64,
        bars: impl IntoIterator<Item = Bar>,
    ) -> Self {
        let finite = |bar: &Bar| [bar.at, bar.base, bar.value].iter().all(|v| v.is_finite());
        let bars = bars.into_iter().filter(finite).collect();
        Self { entry: Entry::new(key, label, hue), horizontal: false, width, bars }
    }

    /// The same bars lying.
    #[must_use]
    pub fn horizontal(mut self) -> Self {
        self.horizontal = true;
        self
    }

    pub(super) fn len(&self) -> usize {
        self.bars.len()
    }

    /// A bar that does not begin at 0 has where it begins as `base`.
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
    fn lying_bars_have_their_values_as_abscissae() {
        let bars = Bars::new("a", "a", Hue::Blue, 1.0, [Bar::new(3.0, 7.0).with_se(0.5)]).horizontal();
        let datum = bars.datum(0);
        assert_eq!((datum.x, datum.y, datum.get("se")), (7.0, 3.0, Some(0.5)));
    }
}
