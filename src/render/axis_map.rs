//! Mapping of an axis to pixels, and the range that it shows.

use crate::figure::{Axis, Scale};

/// Mapping of an axis to pixels. Its range is finite and not empty, and positive on a logarithmic scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisMap {
    /// Scale of the axis.
    pub scale: Scale,
    /// Smallest and largest datum shown.
    pub range: (f64, f64),
    /// Pixels of these two values.
    pub px: (f64, f64),
}

impl AxisMap {
    /// Returns the pixel of a value, also beyond the axis; `None` if it is not finite, or not positive on a logarithmic scale.
    pub fn to_px(&self, v: f64) -> Option<f64> {
        if !v.is_finite() || (self.scale == Scale::Log && v <= 0.0) {
            return None;
        }
        let ((lo, hi), v) = match self.scale {
            Scale::Linear => (self.range, v),
            Scale::Log => ((self.range.0.log10(), self.range.1.log10()), v.log10()),
        };
        // Limited so that sums of pixels stay finite.
        let t = ((v - lo) / (hi - lo)).clamp(-1e6, 1e6);
        Some(self.px.0 + t * (self.px.1 - self.px.0))
    }

    /// Returns the value at a pixel.
    pub fn to_data(&self, p: f64) -> f64 {
        let t = (p - self.px.0) / (self.px.1 - self.px.0);
        let (lo, hi) = self.range;
        match self.scale {
            Scale::Linear => lo + t * (hi - lo),
            Scale::Log => 10f64.powf(lo.log10() + t * (hi.log10() - lo.log10())),
        }
    }
}

/// Returns a range with which an axis can be drawn: finite, increasing and wide enough for its ticks to differ. `values` are the
/// data along it: a logarithmic scale whose range begins at or below zero begins at the smallest of them.
pub(super) fn drawable_range(axis: &Axis, values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = |v: f64, or: f64| if v.is_finite() { v.clamp(-1e200, 1e200) } else { or };
    let (a, b) = (finite(axis.range.0, 0.0), finite(axis.range.1, 1.0));
    let (lo, hi) = if a <= b { (a, b) } else { (b, a) };
    match axis.scale {
        Scale::Linear if hi - lo > 1e-9 * lo.abs().max(hi.abs()) && hi - lo > 1e-200 => (lo, hi),
        Scale::Linear => {
            let half = if lo == 0.0 { 1.0 } else { 0.5 * lo.abs().max(1e-100) };
            (lo - half, hi + half)
        }
        Scale::Log => {
            let hi = if hi > 1e-190 { hi } else { 1.0 };
            let smallest = values.filter(|v| *v > 1e-200 && *v < hi).fold(f64::INFINITY, f64::min);
            let lo = match lo {
                lo if lo > 1e-200 => lo,
                _ if smallest.is_finite() => 0.8 * smallest,
                _ => 1e-3 * hi,
            };
            if hi / lo > 1.0 + 1e-6 { (lo, hi) } else { (lo / 3.0, hi * 3.0) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_range_becomes_drawable() {
        let wild = [0.0, 1.0, -1.0, 1e300, -1e300, f64::MIN_POSITIVE, 1e16, f64::NAN, f64::INFINITY];
        for a in wild {
            for b in wild {
                for scale in [Scale::Linear, Scale::Log] {
                    let axis = Axis { scale, ..Axis::linear("", (a, b)) };
                    let (lo, hi) = drawable_range(&axis, [0.0, -1.0, f64::NAN].into_iter());
                    assert!(lo.is_finite() && hi.is_finite() && lo < hi, "{a} {b} {scale:?}");
                    assert!(scale == Scale::Linear || lo > 0.0);
                }
            }
        }
        let axis = Axis { scale: Scale::Log, ..Axis::linear("", (0.0, 10.0)) };
        assert_eq!(drawable_range(&axis, [0.0, 0.5, 3.0].into_iter()), (0.4, 10.0));
    }
}
