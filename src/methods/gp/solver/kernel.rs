//! Covariance functions, OW98 eqs. (1) and (2), with a weight for every input.

use std::f64::consts::FRAC_2_PI;

use crate::math::lanes::{LANES, sum};

crate::choice! {
    /// A covariance function K(s, s′) of inputs weighted by `w_i`.
    pub enum Kind {
        /// Eq. (2): exp(−½ Σ wᵢ (sᵢ − sᵢ′)²).
        Rbf = "rbf" "RBF, eq. (2)",
        /// Eq. (1): an infinitely wide network, (2/π) arcsin; no bias, so that K(0, ·) = 0.
        Arcsine = "arcsine" "arcsine, eq. (1)",
        /// Σ wᵢ sᵢ sᵢ′.
        Linear = "linear" "linear",
    }
}

/// A covariance function with its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// Which function.
    pub kind: Kind,
    /// `w_i`, one an input: 1/(σ²N) each, or times a relevance of its own.
    pub weights: Vec<f64>,
}

impl Kernel {
    /// The isotropic function of `inputs` inputs: `w_i` = 1/(σ² N).
    pub fn isotropic(kind: Kind, inputs: usize, sigma2: f64) -> Self {
        Self { kind, weights: vec![1.0 / (sigma2 * inputs as f64); inputs] }
    }

    /// Σ wᵢ aᵢ bᵢ.
    pub(in crate::gp) fn weighted(&self, a: &[f64], b: &[f64]) -> f64 {
        triples(a, b, &self.weights, |a, b, w| w * a * b)
    }

    fn square_distance(&self, a: &[f64], b: &[f64]) -> f64 {
        triples(a, b, &self.weights, |a, b, w| w * (a - b) * (a - b))
    }

    /// K(a, b).
    pub fn at(&self, a: &[f64], b: &[f64]) -> f64 {
        match self.kind {
            Kind::Rbf => libm::exp(-0.5 * self.square_distance(a, b)),
            Kind::Linear => self.weighted(a, b),
            Kind::Arcsine => {
                let norms = (1.0 + self.weighted(a, a)) * (1.0 + self.weighted(b, b));
                FRAC_2_PI * libm::asin((self.weighted(a, b) / norms.sqrt()).clamp(-1.0, 1.0))
            }
        }
    }
}

/// The sum of `term` over three vectors, lane by lane.
#[inline(always)]
fn triples(a: &[f64], b: &[f64], w: &[f64], term: impl Fn(f64, f64, f64) -> f64) -> f64 {
    let mut sums = [0.0; LANES];
    let (mut ca, mut cb, mut cw) = (a.chunks_exact(LANES), b.chunks_exact(LANES), w.chunks_exact(LANES));
    for ((a, b), w) in (&mut ca).zip(&mut cb).zip(&mut cw) {
        for i in 0..LANES {
            sums[i] += term(a[i], b[i], w[i]);
        }
    }
    let rest = ca.remainder().iter().zip(cb.remainder()).zip(cw.remainder());
    sum(sums) + rest.map(|((a, b), w)| term(*a, *b, *w)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arcsine_kernel_knows_nothing_at_the_origin() {
        let kernel = Kernel::isotropic(Kind::Arcsine, 2, 0.5);
        assert_eq!(kernel.at(&[0.0, 0.0], &[1.0, 2.0]), 0.0);
        assert_eq!(kernel.at(&[0.0, 0.0], &[0.0, 0.0]), 0.0);
    }
}
