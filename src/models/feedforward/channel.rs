//! The output channel: how likely a label is once the internal fields are Gaussian, and how that changes with
//! the fields' means. OW96 eqs. (5), (7) and (9) for one hidden unit, with the label kept explicit.

use std::f64::consts::FRAC_1_SQRT_2;

use crate::math::lanes::{LANES, Lanes, erfcx, exp};
use crate::math::special::{INV_SQRT_2PI, phi};

/// Labels flipped with probability 1/(1+e^β); β = ∞ is noise-free.
#[derive(Clone, Copy, Debug)]
pub struct Channel {
    beta: f64,
    /// e^−β.
    floor: f64,
    /// 1 − e^−β.
    step: f64,
}

impl Channel {
    /// The channel at inverse temperature `beta` ≥ 0 (∞ allowed).
    pub fn new(beta: f64) -> Self {
        Self { beta, floor: exp(-beta), step: -libm::expm1(-beta) }
    }

    /// Probability that a label is flipped.
    pub fn flip_probability(&self) -> f64 {
        self.floor / (1.0 + self.floor)
    }

    /// tanh(β/2) = 1 − 2·[`Self::flip_probability`]: how much a label tells.
    pub fn contrast(&self) -> f64 {
        self.step / (1.0 + self.floor)
    }

    /// ∂ ln⟨F⟩/∂z for eight examples with cavity fields `z` and labels `y` = ±1; 0 where y = 0 (padding).
    ///
    /// With t = yz: ⟨F⟩ = e^−β + (1−e^−β) Φ(t), divided by e^(−t²/2) where t < 0, so that neither tail cancels.
    #[inline(always)]
    pub fn slope(&self, z: Lanes, y: Lanes) -> Lanes {
        let mut g = [0.0; LANES];
        for i in 0..LANES {
            let t = y[i] * z[i];
            let half_square = 0.5 * t * t;
            let below = t < 0.0;
            let u = 0.5 * erfcx(t.abs() * FRAC_1_SQRT_2);
            let e = exp(if below { half_square - self.beta } else { -half_square });
            let numerator = if below { 1.0 } else { e };
            let denominator = if below { e + self.step * u } else { self.floor + self.step * (1.0 - u * e) };
            g[i] = y[i] * (self.step * INV_SQRT_2PI) * numerator / denominator;
        }
        g
    }

    /// ln⟨F⟩ at cavity field `z` and label `y` = ±1, without the factor 1/(1+e^−β).
    pub fn ln_f(&self, z: f64, y: f64) -> f64 {
        let t = y * z;
        let half_square = 0.5 * t * t;
        let u = 0.5 * erfcx(t.abs() * FRAC_1_SQRT_2);
        if t >= 0.0 {
            libm::log1p(-self.step * u * exp(-half_square))
        } else if half_square > self.beta {
            libm::log1p(self.step * u * exp(self.beta - half_square)) - self.beta
        } else {
            libm::log(exp(half_square - self.beta) + self.step * u) - half_square
        }
    }
}

/// ⟨σ⟩ of a noiseless output whose field has mean `z` in units of its deviation, eq. (9) for K = 1.
pub fn mean_output(z: f64) -> f64 {
    2.0 * phi(z) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_the_derivative_of_ln_f() {
        for beta in [0.0, 0.5, 3.0, 40.0, f64::INFINITY] {
            let channel = Channel::new(beta);
            for i in -60..=60 {
                let z = f64::from(i) * 0.1 + 0.01;
                let h = 1e-5;
                for y in [-1.0, 1.0] {
                    let numeric = (channel.ln_f(z + h, y) - channel.ln_f(z - h, y)) / (2.0 * h);
                    let exact = channel.slope([z; LANES], [y; LANES])[0];
                    assert!((numeric - exact).abs() < 1e-8 * (1.0 + exact.abs()), "β={beta} z={z} y={y}");
                }
            }
        }
    }

    #[test]
    fn far_tails_stay_finite() {
        for beta in [0.0, 0.5, 50.0, 800.0, f64::INFINITY] {
            let channel = Channel::new(beta);
            for z in [-1e6, -60.0, 60.0, 1e6] {
                let g = channel.slope([z; LANES], [1.0; LANES])[0];
                assert!(g.is_finite() && g >= 0.0, "β={beta} z={z}: {g}");
                assert!(channel.ln_f(z, 1.0).is_finite(), "β={beta} z={z}");
            }
        }
    }

    #[test]
    fn contrast_and_flips() {
        let channel = Channel::new(0.5);
        assert!((channel.contrast() - (0.25_f64).tanh()).abs() < 1e-15);
        assert!((channel.flip_probability() - 1.0 / (1.0 + 0.5_f64.exp())).abs() < 1e-15);
        assert_eq!(Channel::new(f64::INFINITY).contrast(), 1.0);
        assert_eq!(Channel::new(0.0).contrast(), 0.0);
    }
}
