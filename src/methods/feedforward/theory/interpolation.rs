//! Replica theory along a whole learning curve. Its averages depend on the overlap q only, so that interpolation between a few
//! values of q gives every α.

use super::{ReplicaPoint, ReplicaTheory};
use crate::feedforward::tap::likelihood::Likelihood;
use crate::math::chebyshev;

/// Replica theory by Chebyshev interpolation in ln(1 + s), s = √(q/(1−q)), between 9, then 17, then 33 overlaps. The error of an
/// error rate is 2e-3, 2e-4 and 1e-6, if the averages are exact.
pub struct InterpolatedTheory {
    exact: ReplicaTheory,
    /// Range of ln(1 + s).
    range: (f64, f64),
    /// ln(α/s²), Bayes error and error of ⟨w⟩ at the extrema of the polynomial of the highest order.
    nodes: [[f64; 3]; InterpolatedTheory::ORDER + 1],
    /// Nodes computed so far, in the order of [`InterpolatedTheory::order`].
    done: usize,
}

impl InterpolatedTheory {
    const ORDER: usize = 32;
    /// Distance between the first nodes.
    const COARSE: usize = 4;
    /// Smallest s as a fraction of s/(1+s) at the largest. Below it, at α ≈ 1e-4, the curve is flat.
    const MIN_FRACTION: f64 = 0.01;

    /// Returns an interpolation without nodes for α up to `end`.
    pub fn new(likelihood: Likelihood, end: f64) -> Self {
        let exact = ReplicaTheory::new(likelihood);
        // q of a perceptron is quick to compute and nearly always large enough.
        let perceptron = super::solve(&likelihood.one_branch(), end, 0.5).q;
        let enough = perceptron > 0.0 && exact.alpha(perceptron) >= end;
        let q = if enough { perceptron } else { exact.solve(end, 0.5).q };
        let spread = (q / (1.0 - q)).sqrt();
        let range = (libm::log1p(Self::MIN_FRACTION * spread / (1.0 + spread)), libm::log1p(spread));
        let done = if q > 0.0 { 0 } else { Self::ORDER + 1 };
        Self { exact, range, nodes: [[0.0, 0.5, 0.5]; Self::ORDER + 1], done }
    }

    /// Returns the nodes in the order of computation: every fourth, every second, all others.
    fn order() -> impl Iterator<Item = usize> {
        let level = |first: usize, step: usize| (first..=Self::ORDER).step_by(step);
        level(0, Self::COARSE).chain(level(2, 4)).chain(level(1, 2))
    }

    /// Computes the next node; returns true if all are computed.
    pub fn advance(&mut self) -> bool {
        if let Some(i) = Self::order().nth(self.done) {
            let spread = libm::expm1(chebyshev::node(self.range, Self::ORDER, i));
            let q = spread * spread / (1.0 + spread * spread);
            let (information, theory) = self.exact.at(q);
            // α K⟨g²⟩ = q/(1−q) = s².
            self.nodes[i] = [-libm::log(information), theory.bayes, theory.opt];
            self.done += 1;
        }
        self.done > Self::ORDER
    }

    /// Returns true if there are enough nodes for a first curve.
    pub fn is_usable(&self) -> bool {
        self.done > Self::ORDER / Self::COARSE
    }

    /// Returns the fraction of the nodes that are computed.
    pub fn fraction(&self) -> f64 {
        self.done as f64 / (Self::ORDER + 1) as f64
    }

    /// Returns the theory at `alpha` from the nodes computed so far; see [`Self::is_usable`].
    pub fn at(&self, alpha: f64) -> ReplicaPoint {
        let step = [1, 2].into_iter().find(|step| self.done > Self::ORDER / step).unwrap_or(Self::COARSE);
        let (mut low, mut high) = self.range;
        if alpha == 0.0 || high == 0.0 {
            return ReplicaPoint::UNINFORMED;
        }
        let at = |t: f64| chebyshev::interpolate(self.range, &self.nodes, step, t);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            let spread = libm::expm1(middle);
            if spread * spread * libm::exp(at(middle)[0]) < alpha {
                low = middle;
            } else {
                high = middle;
            }
        }
        let spread = libm::expm1(high);
        let [_, bayes, opt] = at(high);
        ReplicaPoint { q: spread * spread / (1.0 + spread * spread), bayes, opt, training: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feedforward::theory::solve;

    #[test]
    fn interpolation_agrees_with_the_solution_at_each_alpha() {
        for (hidden, beta, end) in
            [(2, 0.7, 12.0), (3, f64::INFINITY, 10.0), (5, 2.0, 20.0), (15, f64::INFINITY, 13.0)]
        {
            let likelihood = Likelihood::new(hidden, beta);
            let mut theory = InterpolatedTheory::new(likelihood, end);
            let worst = |theory: &InterpolatedTheory| {
                [0.02, 0.5, 1.0, 4.0, end].into_iter().fold(0.0_f64, |worst, alpha| {
                    let (ours, exact) = (theory.at(alpha), solve(&likelihood, alpha, 0.5));
                    let gap = (ours.bayes - exact.bayes).abs().max((ours.opt - exact.opt).abs());
                    worst.max(gap).max((ours.q - exact.q).abs())
                })
            };
            for (nodes, most) in [(9, 5e-3), (17, 5e-4), (33, 1e-5)] {
                while theory.done < nodes {
                    assert_eq!(theory.advance(), theory.done == 33);
                }
                assert!(worst(&theory) < most, "K={hidden} β={beta} {nodes}: {}", worst(&theory));
            }
        }
    }
}
