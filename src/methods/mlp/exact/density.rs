//! The normalised posterior density of two weights. Given u, it is Gaussian in v, so that regions of high density are an interval of
//! v for each u.

use crate::math::lanes::{LANES, Lanes, each};
use crate::math::owen::s_lanes;
use crate::math::special::phi;

/// Steps of the integral over u of the mass of a Gaussian, and its range in standard deviations.
const STEPS: usize = 400;
const RANGE_SDS: f64 = 6.0;

/// Posterior density of the weights (u, v) given examples (x, t), fixed α and β, and ln Z.
#[derive(Clone, Debug)]
pub struct TwoWeightDensity {
    x: Vec<f64>,
    t: Vec<f64>,
    alpha: f64,
    beta: f64,
    ln_z: f64,
}

/// Posterior of v given u.
#[derive(Clone, Copy, Debug)]
pub struct Conditional {
    /// Mean of v.
    pub mean: f64,
    /// Inverse variance of v.
    pub precision: f64,
    /// Logarithm of the largest density over v.
    pub ln_peak: f64,
}

/// Computes s(u x) for each x.
pub(super) fn hidden_outputs(u: f64, x: &[f64], to: &mut Vec<f64>) {
    to.clear();
    for eight in x.chunks(LANES) {
        let a: Lanes = each(|i| eight.get(i).map_or(0.0, |x| u * x));
        to.extend_from_slice(&s_lanes(a).0[..eight.len()]);
    }
}

impl TwoWeightDensity {
    /// Returns the density given examples `x`, `t` and ln Z.
    pub fn new(x: &[f64], t: &[f64], alpha: f64, beta: f64, ln_z: f64) -> Self {
        Self { x: x.to_vec(), t: t.to_vec(), alpha, beta, ln_z }
    }

    pub(super) fn ln_z(&self) -> f64 {
        self.ln_z
    }

    /// Returns the posterior of v given u; `s` is a buffer.
    pub(super) fn conditional(&self, u: f64, s: &mut Vec<f64>) -> Conditional {
        hidden_outputs(u, &self.x, s);
        let a = self.alpha + self.beta * s.iter().map(|s| s * s).sum::<f64>();
        let b = self.beta * s.iter().zip(&self.t).map(|(s, t)| s * t).sum::<f64>();
        let targets: f64 = self.t.iter().map(|t| t * t).sum();
        let ln_peak = 0.5 * b * b / a - 0.5 * self.beta * targets - 0.5 * self.alpha * u * u - self.ln_z;
        Conditional { mean: b / a, precision: a, ln_peak }
    }

    /// Returns the interval of v in which the density at u exceeds exp(`ln_level`); an interval of width 0 at the mean of v if there
    /// is none.
    pub fn interval(&self, u: f64, ln_level: f64) -> (f64, f64) {
        self.conditional(u, &mut Vec::with_capacity(LANES)).interval(ln_level)
    }

    /// Returns true if the density at (u, v) is less than exp(`ln_level`).
    pub fn is_below(&self, ln_level: f64, (u, v): (f64, f64)) -> bool {
        let (lower, upper) = self.interval(u, ln_level);
        !(lower < v && v < upper)
    }

    /// Returns the mass of a Gaussian where the density is less than exp(`ln_level`), by quadrature over u. `covariance` holds the
    /// variance of u, the covariance, and the variance of v.
    pub fn mass_below(&self, ln_level: f64, [u, v]: [f64; 2], [uu, uv, vv]: [f64; 3]) -> f64 {
        let (sd, slope) = (uu.sqrt(), if uu > 0.0 { uv / uu } else { 0.0 });
        let rest = (vv - uv * slope).max(f64::MIN_POSITIVE).sqrt();
        let mut s = Vec::with_capacity(LANES);
        let (mut mass, mut total) = (0.0, 0.0);
        for step in 0..=STEPS {
            let z = RANGE_SDS * (2.0 * step as f64 / STEPS as f64 - 1.0);
            let (lower, upper) = self.conditional(u + sd * z, &mut s).interval(ln_level);
            let mean = v + slope * sd * z;
            let weight = libm::exp(-0.5 * z * z);
            let inside = phi((upper - mean) / rest) - phi((lower - mean) / rest);
            (mass, total) = (mass + weight * (1.0 - inside), total + weight);
        }
        mass / total
    }
}

impl Conditional {
    /// Returns the interval of v in which the density exceeds exp(`ln_level`); one of width 0 at the mean if there is none.
    pub(super) fn interval(&self, ln_level: f64) -> (f64, f64) {
        let half = (2.0 * (self.ln_peak - ln_level).max(0.0) / self.precision).sqrt();
        (self.mean - half, self.mean + half)
    }
}
