//! Replica theory along a whole learning curve. Its averages depend on the overlap alone: a few of them, interpolated,
//! give every α.

use super::{Averages, Replica};
use crate::feedforward::tap::likelihood::Likelihood;
use crate::math::chebyshev;

/// Chebyshev interpolation in ln(1 + s) of the spread s = √(q/(1−q)), at 9, then 17, then 33 overlaps: an error rate is good to
/// 2e-3, 2e-4, 1e-6, if the averages are.
pub struct Track {
    averages: Averages,
    /// The range of ln(1 + s).
    range: (f64, f64),
    /// ln(α/s²), ε of Bayes and of ⟨w⟩ at the extrema of the polynomial of the highest order.
    nodes: [[f64; 3]; Track::ORDER + 1],
    /// How many are done, of [`Track::order`].
    done: usize,
}

impl Track {
    const ORDER: usize = 32;
    /// The distance of the first nodes.
    const COARSE: usize = 4;
    /// The least spread as a share of the largest, or of 1: below it, at α of a ten thousandth or so, theory is as good as flat.
    const LEAST: f64 = 0.01;

    /// Nothing yet, but where to look for up to `end` examples a weight.
    pub fn new(likelihood: Likelihood, end: f64) -> Self {
        let averages = Averages::new(likelihood);
        // A perceptron learns from less, which is known at once and far enough.
        let perceptron = super::solve(&likelihood.one_branch(), end, 0.5).q;
        let enough = perceptron > 0.0 && averages.alpha(perceptron) >= end;
        let q = if enough { perceptron } else { averages.solve(end, 0.5).q };
        let spread = (q / (1.0 - q)).sqrt();
        let range = (libm::log1p(Self::LEAST * spread / (1.0 + spread)), libm::log1p(spread));
        let done = if q > 0.0 { 0 } else { Self::ORDER + 1 };
        Self { averages, range, nodes: [[0.0, 0.5, 0.5]; Self::ORDER + 1], done }
    }

    /// Every fourth, every second, all the others.
    fn order() -> impl Iterator<Item = usize> {
        let level = |first: usize, step: usize| (first..=Self::ORDER).step_by(step);
        level(0, Self::COARSE).chain(level(2, 4)).chain(level(1, 2))
    }

    /// Works out one overlap more; says whether it was the last one.
    pub fn advance(&mut self) -> bool {
        if let Some(i) = Self::order().nth(self.done) {
            let spread = libm::expm1(chebyshev::node(self.range, Self::ORDER, i));
            let q = spread * spread / (1.0 + spread * spread);
            let (information, theory) = self.averages.at(q);
            // α K⟨g²⟩ = q/(1−q) = s².
            self.nodes[i] = [-libm::log(information), theory.bayes, theory.opt];
            self.done += 1;
        }
        self.done > Self::ORDER
    }

    /// Whether there is a first picture of the whole curve.
    pub fn coarse(&self) -> bool {
        self.done > Self::ORDER / Self::COARSE
    }

    /// How much of it is done.
    pub fn fraction(&self) -> f64 {
        self.done as f64 / (Self::ORDER + 1) as f64
    }

    /// Theory at `alpha`, as far as it is known: at least coarsely.
    pub fn at(&self, alpha: f64) -> Replica {
        let step = [1, 2].into_iter().find(|step| self.done > Self::ORDER / step).unwrap_or(Self::COARSE);
        let (mut low, mut high) = self.range;
        let nothing = Replica { q: 0.0, bayes: 0.5, opt: 0.5, training: None };
        if alpha == 0.0 || high == 0.0 {
            return nothing;
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
        Replica { q: spread * spread / (1.0 + spread * spread), bayes, opt, ..nothing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feedforward::theory::solve;

    #[test]
    fn every_alpha_is_as_if_solved_alone() {
        for (hidden, beta, end) in
            [(2, 0.7, 12.0), (3, f64::INFINITY, 10.0), (5, 2.0, 20.0), (15, f64::INFINITY, 13.0)]
        {
            let likelihood = Likelihood::new(hidden, beta);
            let mut track = Track::new(likelihood, end);
            let worst = |track: &Track| {
                [0.02, 0.5, 1.0, 4.0, end].into_iter().fold(0.0_f64, |worst, alpha| {
                    let (ours, alone) = (track.at(alpha), solve(&likelihood, alpha, 0.5));
                    let gap = (ours.bayes - alone.bayes).abs().max((ours.opt - alone.opt).abs());
                    worst.max(gap).max((ours.q - alone.q).abs())
                })
            };
            for (nodes, most) in [(9, 5e-3), (17, 5e-4), (33, 1e-5)] {
                while track.done < nodes {
                    assert_eq!(track.advance(), track.done == 33);
                }
                assert!(worst(&track) < most, "K={hidden} β={beta} {nodes}: {}", worst(&track));
            }
        }
    }
}
