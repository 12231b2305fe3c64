//! Independent draws from the prior, weighted by their likelihoods, in blocks that are units of work.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::PosteriorAverages;
use super::posterior::{WeightPosterior, weighted_draw};
use super::test_inputs::TestInputs;
use crate::math::random::Stream;

/// Draws of a block, up to [`MAX_BLOCKS`] blocks.
const EACH: usize = 2000;
/// Largest number of blocks.
const MAX_BLOCKS: usize = 64;

/// Returns the number of blocks for a total number of draws.
pub fn blocks(draws: usize) -> usize {
    (draws / EACH).clamp(1, MAX_BLOCKS)
}

/// Weighted sums over the draws of a block. Weights w are in units of the largest one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeightedSums {
    /// Number of draws.
    pub draws: usize,
    /// Log of the largest weight.
    ln_largest: f64,
    /// Σ w.
    w: f64,
    /// Σ w².
    w2: f64,
    /// Σ w x of each parameter x, N.
    wx: Vec<f64>,
    /// Σ w² x, N.
    w2x: Vec<f64>,
    /// Σ w² x², N.
    w2x2: Vec<f64>,
    /// Σ w over the draws with output +1, at each test input.
    votes: Vec<f64>,
}

impl WeightedSums {
    /// Returns sums over no draws.
    pub fn new(posterior: &WeightPosterior, test_inputs: &TestInputs) -> Self {
        let zeros = || vec![0.0; posterior.inputs()];
        Self {
            draws: 0,
            ln_largest: f64::NEG_INFINITY,
            w: 0.0,
            w2: 0.0,
            wx: zeros(),
            w2x: zeros(),
            w2x2: zeros(),
            votes: vec![0.0; test_inputs.count()],
        }
    }

    /// Adds a draw; returns its multiply–adds.
    pub fn draw(
        &mut self,
        posterior: &WeightPosterior,
        test_inputs: &TestInputs,
        stream: &mut Stream,
    ) -> usize {
        let (w, ln) = weighted_draw(posterior, stream);
        self.draws += 1;
        if ln > self.ln_largest {
            self.scale_to(ln);
        }
        let weight = libm::exp(ln - self.ln_largest);
        if ln == f64::NEG_INFINITY || weight < 1e-14 {
            return posterior.cost();
        }
        self.w += weight;
        self.w2 += weight * weight;
        for (j, w) in w.iter().enumerate() {
            self.wx[j] += weight * w;
            self.w2x[j] += weight * weight * w;
            self.w2x2[j] += weight * weight * w * w;
        }
        test_inputs.add_votes(&w, weight, &mut self.votes);
        posterior.cost() + test_inputs.cost()
    }

    /// Changes the unit of weights to e^`ln_largest`, no smaller than the largest weight.
    fn scale_to(&mut self, ln_largest: f64) {
        let shrink =
            if self.ln_largest > f64::NEG_INFINITY { libm::exp(self.ln_largest - ln_largest) } else { 0.0 };
        self.ln_largest = ln_largest;
        self.w *= shrink;
        self.w2 *= shrink * shrink;
        self.wx.iter_mut().chain(&mut self.votes).for_each(|x| *x *= shrink);
        self.w2x.iter_mut().chain(&mut self.w2x2).for_each(|x| *x *= shrink * shrink);
    }

    /// Adds the sums of `other`, which has the same unit of weights.
    fn add(&mut self, other: &Self) {
        self.draws += other.draws;
        self.w += other.w;
        self.w2 += other.w2;
        let pairs = [
            (&mut self.wx, &other.wx),
            (&mut self.w2x, &other.w2x),
            (&mut self.w2x2, &other.w2x2),
            (&mut self.votes, &other.votes),
        ];
        for (ours, theirs) in pairs {
            ours.iter_mut().zip(theirs).for_each(|(x, y)| *x += y);
        }
    }
}

/// Returns the averages over all blocks; `None` if all weights are 0. Standard errors are those of a ratio of sums; the effective
/// sample size is (Σw)²/Σw².
pub fn averages(blocks: &[Rc<WeightedSums>]) -> Option<PosteriorAverages> {
    let ln_largest = blocks.iter().map(|block| block.ln_largest).fold(f64::NEG_INFINITY, f64::max);
    let scaled = blocks.iter().map(|block| {
        let mut block = (**block).clone();
        block.scale_to(ln_largest);
        block
    });
    let all = scaled.reduce(|mut all, block| {
        all.add(&block);
        all
    })?;
    let total = Some(all.w).filter(|total| *total > 0.0)?;
    let mean: Vec<f64> = all.wx.iter().map(|sum| sum / total).collect();
    let error = |(j, mean): (usize, &f64)| {
        let square = all.w2x2[j] - 2.0 * mean * all.w2x[j] + mean * mean * all.w2;
        square.max(0.0).sqrt() / total
    };
    Some(PosteriorAverages {
        se: mean.iter().enumerate().map(error).collect(),
        outputs: all.votes.iter().map(|votes| votes / total).collect(),
        draws: all.draws,
        effective: total * total / all.w2,
        mixing: None,
        mean,
    })
}
