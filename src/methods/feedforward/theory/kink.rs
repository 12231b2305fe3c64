//! Bayes error of a few branches, an integral whose integrand has a kink at ⟨σ⟩ = 0.

use super::tensor::{BranchNode, TensorVotes, panel_mean, tensor};
use crate::feedforward::tap::likelihood::Likelihood;
use crate::math::quadrature::gauss_legendre as gauss;
use crate::math::special::{density, inverse_phi, phi};

/// Returns ⟨(1−|⟨σ⟩|)/2⟩ for 2 ≤ K ≤ [`MAX_TENSOR_HIDDEN`](super::tensor::MAX_TENSOR_HIDDEN).
///
/// No smooth rule converges at the kink ⟨σ⟩ = 0. Given the other branches, P(majority) is linear in Φ(z) of each of the last two.
/// The last branch is integrated on both sides of its root, the one before it between the points where that root comes in from
/// infinity, and for K = 3 the first one on both sides of 0.
pub(in crate::feedforward) fn bayes_error(likelihood: &Likelihood, q: f64) -> f64 {
    let spread = (q / (1.0 - q)).sqrt();
    let hidden = likelihood.hidden();
    let mut votes = TensorVotes::new(hidden);
    let last = LastBranch::new(spread);
    let mut all = vec![BranchNode::at(0.0); hidden];
    let mut minority_given = |others: &[BranchNode]| {
        all[..hidden - 2].copy_from_slice(others);
        let mut majority_if = |certain: [f64; 2]| {
            for (node, yes) in all[hidden - 2..].iter_mut().zip(certain) {
                *node = BranchNode { yes, no: 1.0 - yes, density: 0.0 };
            }
            votes.count(&all);
            votes.majority()
        };
        let (none, one, both) = (majority_if([0.0, 0.0]), majority_if([1.0, 0.0]), majority_if([1.0, 1.0]));
        // Points where P(majority) is ½ while the last branch is decided.
        let root = |a: f64, b: f64| inverse_phi(((0.5 - a) / (b - a)).clamp(1e-15, 1.0 - 1e-15));
        let breaks =
            [if one > none { root(none, one) } else { 0.0 }, if both > one { root(one, both) } else { 0.0 }];
        panel_mean(spread, &breaks, |z| {
            let p = phi(z);
            last.mean_minority(none + (one - none) * p, one + (both - one) * p)
        })
    };
    match hidden {
        2 => minority_given(&[]),
        3 => panel_mean(spread, &[0.0], |z| minority_given(&[BranchNode::at(z)])),
        _ => tensor(hidden - 2, spread, 0.4, &mut minority_given),
    }
}

/// Means over the field z ~ N(0, spread²) of the last branch.
struct LastBranch {
    /// ⟨|Φ(z) − root|⟩ and its derivative with respect to y, on a grid of y = arsinh(x/width), x = ln(root/(1−root)).
    distances: Vec<(f64, f64)>,
    /// Width of the kink in x.
    width: f64,
    /// End of the grid in y.
    edge: f64,
}

impl LastBranch {
    /// End of the grid in x.
    const EDGE: f64 = 36.0;
    /// Step of the grid in y.
    const STEP: f64 = 0.025;

    fn new(spread: f64) -> Self {
        // Integration by parts: ⟨(Φ(at)−Φ(z))₊⟩ = ∫_{−∞}^{at} F φ with F the distribution function of z, and likewise above. The
        // derivative with respect to `at` is φ(at) (2F(at) − 1), and the value at −∞ is ⟨Φ(z)⟩ = ½.
        let sign = |at: f64| 1.0 - 2.0 * phi(-at / spread);
        let slope = |at: f64| density(at) * sign(at);
        let (mut value, mut before) = (0.5, f64::NAN);
        let width = spread.min(1.0);
        let edge = libm::asinh(Self::EDGE / width);
        let count = (2.0 * edge / Self::STEP) as usize + 1;
        let distances = (0..count).map(|i| {
            let y = Self::STEP * i as f64 - edge;
            let x = width * libm::sinh(y);
            let (root, rest) = (1.0 / (1.0 + libm::exp(-x)), 1.0 / (1.0 + libm::exp(x)));
            let at = if x < 0.0 { inverse_phi(root) } else { -inverse_phi(rest) };
            if i > 0 {
                // F has the width `spread`, which may be smaller than a step.
                let fine = (((at - before) / spread).ceil() as usize).clamp(1, 64);
                let step = (at - before) / fine as f64;
                value += (0..fine).map(|k| gauss(before + step * k as f64, step, slope)).sum::<f64>();
            }
            before = at;
            (value, root * rest * sign(at) * width * libm::cosh(y))
        });
        Self { distances: distances.collect(), width, edge }
    }

    /// Returns ⟨min(P, 1−P)⟩ for P = low + (high−low) Φ(z).
    fn mean_minority(&self, low: f64, high: f64) -> f64 {
        // ⟨Φ(z)⟩ = ½.
        let mean = 0.5 * (low + high);
        if high <= 0.5 {
            return mean;
        }
        if low >= 0.5 {
            return 1.0 - mean;
        }
        // min(P, 1−P) = ½ − |P−½|.
        0.5 - (high - low) * self.mean_distance((0.5 - low) / (high - low))
    }

    /// Returns ⟨|Φ(z) − root|⟩ by cubic Hermite interpolation.
    fn mean_distance(&self, root: f64) -> f64 {
        let x = libm::log(root / (1.0 - root)).clamp(-Self::EDGE, Self::EDGE);
        let at = (libm::asinh(x / self.width) + self.edge) / Self::STEP;
        let i = (at as usize).min(self.distances.len() - 2);
        let t = at - i as f64;
        let ((a, da), (b, db)) = (self.distances[i], self.distances[i + 1]);
        let (da, db) = (da * Self::STEP, db * Self::STEP);
        let rest = 1.0 - t;
        rest * rest * ((1.0 + 2.0 * t) * a + t * da) + t * t * ((1.0 + 2.0 * rest) * b - rest * db)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kink_is_integrated_exactly() {
        // One branch with P = Φ(z): ⟨min(Φ, 1−Φ)⟩ = arctan(1/spread)/π.
        for spread in [1e-6, 0.01, 0.1, 1.0, 7.0, 100.0] {
            let last = LastBranch::new(spread);
            let ours = last.mean_minority(0.0, 1.0);
            let exact = libm::atan(1.0 / spread) / std::f64::consts::PI;
            assert!((ours - exact).abs() < 1e-9, "{spread}: {ours} {exact}");
            // Roots off the nodes of the grid, against fine quadrature.
            for root in [0.5 + 0.37 * spread.min(1.0), 0.5 - 0.113 * spread.min(1.0), 0.93] {
                let ours = last.mean_distance(root);
                let kink = inverse_phi(root) / spread;
                let distance = |z: f64| density(z) * (phi(spread * z) - root).abs();
                let (low, high) = (kink.clamp(-9.0, 9.0), 9.0);
                let exact = (0..4000).map(|i| {
                    let (below, above) = ((low + 9.0) / 4000.0, (high - low) / 4000.0);
                    gauss(-9.0 + below * f64::from(i), below, distance)
                        + gauss(low + above * f64::from(i), above, distance)
                });
                let exact: f64 = exact.sum();
                assert!(
                    (ours - exact).abs() < 3e-9 + 1e-7 * (exact - 0.5).abs().min(spread),
                    "{spread} {root}: {ours} {exact}"
                );
            }
        }
    }
}
