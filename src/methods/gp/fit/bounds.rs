//! Bounds of a logarithm, for searches in unbounded coordinates.

/// Bounds c ± d of a logarithm u = c + d tanh((z−c)/d) of an unbounded coordinate z; u ≈ z far from the bounds.
#[derive(Clone, Copy, Debug)]
pub(in crate::gp) struct LogBounds {
    /// Centre c.
    centre: f64,
    /// Half width d.
    half: f64,
}

impl LogBounds {
    /// Returns the bounds from `low` to `high`.
    pub(in crate::gp) fn between(low: f64, high: f64) -> Self {
        Self { centre: 0.5 * (low + high), half: 0.5 * (high - low) }
    }

    /// Returns the bounds of the logarithm of a number from `low` to `high`.
    pub(in crate::gp) fn of((low, high): (f64, f64)) -> Self {
        Self::between(libm::log(low), libm::log(high))
    }

    /// Returns u at the coordinate z.
    pub(in crate::gp) fn value(self, z: f64) -> f64 {
        self.centre + self.half * libm::tanh((z - self.centre) / self.half)
    }

    /// Returns du/dz at u.
    pub(in crate::gp) fn slope(self, u: f64) -> f64 {
        let t = (u - self.centre) / self.half;
        ((1.0 - t) * (1.0 + t)).max(0.0)
    }

    /// Returns the coordinate z of u; a value at or beyond a bound is moved inside, where the slope is not 0.
    pub(in crate::gp) fn unbounded(self, u: f64) -> f64 {
        let t = ((u - self.centre) / self.half).clamp(-0.95, 0.95);
        self.centre + self.half * 0.5 * (libm::log1p(t) - libm::log1p(-t))
    }
}
