//! Covariance functions, OW98 eqs. (1) and (2), and their derivatives by the logarithms of their parameters.

use std::f64::consts::FRAC_2_PI;

/// A covariance function K(s, s′) of inputs weighted by `w_i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Eq. (1): a network of infinitely many hidden units, (2/π) arcsin; no bias, so that K(0, ·) = 0.
    Arcsine,
    /// Eq. (2): exp(−½ Σ wᵢ (sᵢ − sᵢ′)²).
    Rbf,
    /// Σ wᵢ sᵢ sᵢ′.
    Linear,
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

    fn weighted(&self, a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).zip(&self.weights).map(|((a, b), w)| w * a * b).sum()
    }

    fn square_distance(&self, a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).zip(&self.weights).map(|((a, b), w)| w * (a - b) * (a - b)).sum()
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

    /// ∂K(a, b)/∂ ln w_i for every input i, added times `factor` to `sums`.
    pub fn add_gradient(&self, a: &[f64], b: &[f64], factor: f64, sums: &mut [f64]) {
        match self.kind {
            Kind::Rbf => {
                let scale = -0.5 * factor * self.at(a, b);
                for (sum, ((a, b), w)) in sums.iter_mut().zip(a.iter().zip(b).zip(&self.weights)) {
                    *sum += scale * w * (a - b) * (a - b);
                }
            }
            Kind::Linear => {
                for (sum, ((a, b), w)) in sums.iter_mut().zip(a.iter().zip(b).zip(&self.weights)) {
                    *sum += factor * w * a * b;
                }
            }
            Kind::Arcsine => {
                let (aa, bb) = (1.0 + self.weighted(a, a), 1.0 + self.weighted(b, b));
                let norms = (aa * bb).sqrt();
                let q = self.weighted(a, b) / norms;
                let slope = factor * FRAC_2_PI / ((1.0 - q) * (1.0 + q)).sqrt();
                for (sum, ((a, b), w)) in sums.iter_mut().zip(a.iter().zip(b).zip(&self.weights)) {
                    *sum += slope * w * (a * b / norms - 0.5 * q * (a * a / aa + b * b / bb));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let (a, b) = ([0.3, -1.2, 0.5], [1.1, 0.4, -0.7]);
        for kind in [Kind::Arcsine, Kind::Rbf, Kind::Linear] {
            let kernel = Kernel { kind, weights: vec![0.5, 0.2, 1.3] };
            let mut exact = [0.0; 3];
            kernel.add_gradient(&a, &b, 1.0, &mut exact);
            for i in 0..3 {
                let moved = |step: f64| {
                    let mut kernel = kernel.clone();
                    kernel.weights[i] *= libm::exp(step);
                    kernel.at(&a, &b)
                };
                let numeric = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                assert!((numeric - exact[i]).abs() < 1e-9, "{kind:?} {i}: {numeric} {}", exact[i]);
            }
        }
    }

    #[test]
    fn the_arcsine_kernel_knows_nothing_at_the_origin() {
        let kernel = Kernel::isotropic(Kind::Arcsine, 2, 0.5);
        assert_eq!(kernel.at(&[0.0, 0.0], &[1.0, 2.0]), 0.0);
        assert_eq!(kernel.at(&[0.0, 0.0], &[0.0, 0.0]), 0.0);
    }
}
