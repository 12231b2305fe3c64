//! Synthetic data sets for regression in one dimension.

use std::f64::consts::PI;

use crate::math::random::Stream;

/// A function of one input, with a distribution of noisy examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToyCurve {
    /// sin(2.5x)·(1 − x²/8).
    Waves,
    /// A staircase.
    Steps,
    /// The function of [`Self::Waves`] without inputs in the middle 30 %.
    Gap,
    /// The function of [`Self::Waves`] with noise that grows from 0 with x.
    Growing,
    /// sin(πx) + cos(2πx)/2, with period 2.
    Periodic,
    /// A straight line with slope 0.6 plus 0.7 sin(πx).
    Trend,
}

impl ToyCurve {
    /// Half the width of the input interval, which is centred at 0.
    pub const HALF_WIDTH: f64 = 2.0;

    /// Returns the value of the function at `x`.
    pub fn at(self, x: f64) -> f64 {
        match self {
            Self::Waves | Self::Gap | Self::Growing => libm::sin(2.5 * x) * (1.0 - x * x / 8.0),
            Self::Steps => libm::floor(x + 0.5) * 0.5,
            Self::Periodic => libm::sin(PI * x) + 0.5 * libm::cos(2.0 * PI * x),
            Self::Trend => 0.6 * x + 0.7 * libm::sin(PI * x),
        }
    }

    /// Draws `count` inputs with their targets, one input in each of `count` equal intervals. The noise has standard deviation
    /// `noise`; for [`Self::Growing`], that is its value at the right end.
    pub fn draw(self, count: usize, noise: f64, stream: &mut Stream) -> Vec<(f64, f64)> {
        let example = |i: usize| {
            let share = (i as f64 + stream.uniform()) / count as f64;
            let x = match self {
                Self::Gap if share < 0.5 => Self::HALF_WIDTH * (1.4 * share - 1.0),
                Self::Gap => Self::HALF_WIDTH * (1.4 * share - 0.4),
                _ => Self::HALF_WIDTH * (2.0 * share - 1.0),
            };
            let sd = match self {
                Self::Growing => noise * (x + Self::HALF_WIDTH) / (2.0 * Self::HALF_WIDTH),
                _ => noise,
            };
            (x, self.at(x) + sd * stream.normal())
        };
        (0..count).map(example).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Purpose;

    #[test]
    fn inputs_are_spread_and_a_gap_has_none_in_the_middle() {
        let draw = |curve: ToyCurve, noise: f64| {
            curve.draw(40, noise, &mut Stream::for_purpose(1, Purpose::Test(0), 0))
        };
        for curve in
            [ToyCurve::Waves, ToyCurve::Steps, ToyCurve::Growing, ToyCurve::Periodic, ToyCurve::Trend]
        {
            let points = draw(curve, 0.0);
            assert!(points.iter().all(|(x, t)| x.abs() <= ToyCurve::HALF_WIDTH && *t == curve.at(*x)));
            assert!(points.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[1].0 - pair[0].0 < 0.2));
        }
        assert!(draw(ToyCurve::Gap, 0.1).iter().all(|(x, _)| x.abs() >= 0.6));
    }

    #[test]
    fn the_periodic_function_has_period_two() {
        for x in [-1.7, 0.0, 0.4] {
            assert!((ToyCurve::Periodic.at(x) - ToyCurve::Periodic.at(x + 2.0)).abs() < 1e-14);
        }
    }
}
