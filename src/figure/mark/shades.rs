//! Colours of the points of a mark, which show a further value.

use serde::{Deserialize, Serialize};

/// A value of each point of a mark, shown as its colour on a scale from dark to light.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shades {
    /// Label of the values: `estimated source`.
    pub label: String,
    /// Values of the darkest and of the lightest colour.
    pub range: (f32, f32),
    /// Values in the order of the points.
    pub values: Vec<f32>,
}

impl Shades {
    /// Returns colours for these values between the ends of `range`.
    pub fn new(label: impl Into<String>, range: (f32, f32), values: impl IntoIterator<Item = f32>) -> Self {
        Self { label: label.into(), range, values: values.into_iter().collect() }
    }

    /// Returns the place of a point on the scale, 0 to 1; `None` for a point without a finite value.
    pub fn fraction(&self, index: usize) -> Option<f64> {
        let value = self.value(index)?;
        let (low, high) = (f64::from(self.range.0), f64::from(self.range.1));
        Some(if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.5 })
    }

    /// Returns the finite value of a point.
    pub(super) fn value(&self, index: usize) -> Option<f64> {
        self.values.get(index).copied().map(f64::from).filter(|value| value.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_without_a_value_has_no_place_on_the_scale() {
        let shades = Shades::new("s", (-1.0, 3.0), [-1.0, 0.0, 9.0, f32::NAN]);
        let fractions: Vec<_> = (0..5).map(|i| shades.fraction(i)).collect();
        assert_eq!(fractions, [Some(0.0), Some(0.25), Some(1.0), None, None]);
        assert_eq!(Shades::new("s", (2.0, 2.0), [2.0]).fraction(0), Some(0.5));
    }
}
