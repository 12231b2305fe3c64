//! The error of the Bayes prediction of a few branches, whose integrand has a kink where the vote is even.

use super::tensor::{Ballot, Node, panels, tensor};
use crate::feedforward::tap::likelihood::Likelihood;
use crate::math::quadrature::gauss_legendre as gauss;
use crate::math::special::{density, inverse_phi, phi};

/// ⟨(1−|⟨σ⟩|)/2⟩ of two to [`MOST_TENSOR`] branches.
///
/// The kink at ⟨σ⟩ = 0 spoils any smooth rule. Given the other branches, the probability of a majority is linear in
/// Φ(z) of the last one and in that of the last but one: the last is integrated on each side of its root, the last but
/// one between the points where that root comes in from infinity, and for K = 3 the first one on each side of 0.
pub(in crate::feedforward) fn bayes_error(likelihood: &Likelihood, q: f64) -> f64 {
    let spread = (q / (1.0 - q)).sqrt();
    let hidden = likelihood.hidden();
    let mut ballot = Ballot::new(hidden);
    let last = LastBranch::new(spread);
    let mut all = vec![Node::at(0.0); hidden];
    let mut given = |others: &[Node]| {
        all[..hidden - 2].copy_from_slice(others);
        let mut majority_if = |votes: [f64; 2]| {
            for (node, yes) in all[hidden - 2..].iter_mut().zip(votes) {
                *node = Node { yes, no: 1.0 - yes, density: 0.0 };
            }
            ballot.count(&all);
            ballot.majority()
        };
        let (none, one, both) = (majority_if([0.0, 0.0]), majority_if([1.0, 0.0]), majority_if([1.0, 1.0]));
        // With the last but one at p: between low(p) and high(p), as the last one votes.
        let root = |a: f64, b: f64| inverse_phi(((0.5 - a) / (b - a)).clamp(1e-15, 1.0 - 1e-15));
        let breaks =
            [if one > none { root(none, one) } else { 0.0 }, if both > one { root(one, both) } else { 0.0 }];
        panels(spread, &breaks, |z| {
            let p = phi(z);
            last.mean_minority(none + (one - none) * p, one + (both - one) * p)
        })
    };
    match hidden {
        2 => given(&[]),
        3 => panels(spread, &[0.0], |z| given(&[Node::at(z)])),
        _ => tensor(hidden - 2, spread, 0.4, &mut given),
    }
}

/// Means over the field of the last branch, z ~ N(0, spread²).
struct LastBranch {
    /// ⟨|Φ(z) − root|⟩ and its derivative by y, on a grid of y = arsinh(x/width) with x = ln(root/(1−root)).
    distances: Vec<(f64, f64)>,
    /// Of the kink, in x.
    width: f64,
    edge: f64,
}

impl LastBranch {
    /// The grid's end in x.
    const EDGE: f64 = 36.0;
    const STEP: f64 = 0.025;

    fn new(spread: f64) -> Self {
        // By parts: ⟨(Φ(at)−Φ(z))₊⟩ = ∫_{−∞}^{at} F φ with F the distribution of z, and the mirror image above. So the
        // derivative by `at` is φ(at) (2F(at) − 1), and the value at −∞ is the mean of Φ(z), one half.
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
                // F has the width of the spread, which may be less than a step.
                let fine = (((at - before) / spread).ceil() as usize).clamp(1, 64);
                let step = (at - before) / fine as f64;
                value += (0..fine).map(|k| gauss(before + step * k as f64, step, slope)).sum::<f64>();
            }
            before = at;
            (value, root * rest * sign(at) * width * libm::cosh(y))
        });
        Self { distances: distances.collect(), width, edge }
    }

    /// ⟨min(P, 1−P)⟩ for P = low + (high−low) Φ(z).
    fn mean_minority(&self, low: f64, high: f64) -> f64 {
        // The mean of Φ(z) is one half.
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

    /// ⟨|Φ(z) − root|⟩, by cubic Hermite interpolation.
    fn mean_distance(&self, root: f64) -> f64 {
        let x = libm::log(root / (1.0 - root)).clamp(-Self::EDGE, Self::EDGE);
        let place = (libm::asinh(x / self.width) + self.edge) / Self::STEP;
        let i = (place as usize).min(self.distances.len() - 2);
        let t = place - i as f64;
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
    fn the_kink_is_integrated_exactly() {
        // One branch with P = Φ(z): ⟨min(Φ, 1−Φ)⟩ = arctan(1/spread)/π.
        for spread in [1e-6, 0.01, 0.1, 1.0, 7.0, 100.0] {
            let last = LastBranch::new(spread);
            let ours = last.mean_minority(0.0, 1.0);
            let exact = libm::atan(1.0 / spread) / std::f64::consts::PI;
            assert!((ours - exact).abs() < 1e-9, "{spread}: {ours} {exact}");
            // Away from the middle of the grid, and of its steps: the mean of |Φ(z) − root| by brute force.
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
