//! Independent draws from the prior, weighted by their likelihoods, in blocks that can run on any worker.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::Averages;
use super::fresh::Fresh;
use super::posterior::{Posterior, weighted_draw};
use crate::math::random::Stream;

/// Draws of a block, unless there are very many draws.
const EACH: usize = 2000;
/// Most blocks.
const MOST: usize = 64;

/// How many blocks so many draws are divided into.
pub fn blocks(draws: usize) -> usize {
    (draws / EACH).clamp(1, MOST)
}

/// Sums over the draws of a block, in units of the largest weight among them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockRow {
    /// How many draws there are.
    pub draws: usize,
    /// ln of the largest weight, and Σ w and Σ w² of the weights w.
    ln_best: f64,
    total: f64,
    squares: f64,
    /// Σ w x.
    sum: Vec<f64>,
    /// Σ w² x and Σ w² x².
    square_sum: Vec<f64>,
    square_square: Vec<f64>,
    /// Σ w over draws that say +1, at each fresh input.
    votes: Vec<f64>,
}

impl BlockRow {
    /// Without any draw.
    pub fn new(posterior: &Posterior, fresh: &Fresh) -> Self {
        let zeros = || vec![0.0; posterior.inputs()];
        Self {
            draws: 0,
            ln_best: f64::NEG_INFINITY,
            total: 0.0,
            squares: 0.0,
            sum: zeros(),
            square_sum: zeros(),
            square_square: zeros(),
            votes: vec![0.0; fresh.count()],
        }
    }

    /// One draw more; how many multiply–adds it took.
    pub fn draw(&mut self, posterior: &Posterior, fresh: &Fresh, stream: &mut Stream) -> usize {
        let (w, ln) = weighted_draw(posterior, stream);
        self.draws += 1;
        if ln > self.ln_best {
            self.scale_to(ln);
        }
        let weight = libm::exp(ln - self.ln_best);
        if ln == f64::NEG_INFINITY || weight < 1e-14 {
            return posterior.cost();
        }
        self.total += weight;
        self.squares += weight * weight;
        for (j, w) in w.iter().enumerate() {
            self.sum[j] += weight * w;
            self.square_sum[j] += weight * weight * w;
            self.square_square[j] += weight * weight * w * w;
        }
        fresh.vote(&w, weight, &mut self.votes);
        posterior.cost() + fresh.cost()
    }

    /// In units of that weight, which is no smaller than the largest.
    fn scale_to(&mut self, ln_best: f64) {
        let shrink = if self.ln_best > f64::NEG_INFINITY { libm::exp(self.ln_best - ln_best) } else { 0.0 };
        self.ln_best = ln_best;
        self.total *= shrink;
        self.squares *= shrink * shrink;
        self.sum.iter_mut().chain(&mut self.votes).for_each(|x| *x *= shrink);
        self.square_sum.iter_mut().chain(&mut self.square_square).for_each(|x| *x *= shrink * shrink);
    }

    fn add(&mut self, other: &Self) {
        self.draws += other.draws;
        self.total += other.total;
        self.squares += other.squares;
        let pairs = [
            (&mut self.sum, &other.sum),
            (&mut self.square_sum, &other.square_sum),
            (&mut self.square_square, &other.square_square),
            (&mut self.votes, &other.votes),
        ];
        for (ours, theirs) in pairs {
            ours.iter_mut().zip(theirs).for_each(|(x, y)| *x += y);
        }
    }
}

/// The averages over all blocks; `None` before anything counts. Standard errors are those of a ratio of sums, and (Σw)²/Σw²
/// draws of equal weight are as good.
pub fn averages(blocks: &[Rc<BlockRow>]) -> Option<Averages> {
    let ln_best = blocks.iter().map(|block| block.ln_best).fold(f64::NEG_INFINITY, f64::max);
    let scaled = blocks.iter().map(|block| {
        let mut block = (**block).clone();
        block.scale_to(ln_best);
        block
    });
    let all = scaled.reduce(|mut all, block| {
        all.add(&block);
        all
    })?;
    let total = Some(all.total).filter(|total| *total > 0.0)?;
    let mean: Vec<f64> = all.sum.iter().map(|sum| sum / total).collect();
    let error = |(j, mean): (usize, &f64)| {
        let square = all.square_square[j] - 2.0 * mean * all.square_sum[j] + mean * mean * all.squares;
        square.max(0.0).sqrt() / total
    };
    Some(Averages {
        se: mean.iter().enumerate().map(error).collect(),
        outputs: all.votes.iter().map(|votes| votes / total).collect(),
        draws: all.draws,
        effective: total * total / all.squares,
        disagree: false,
        mean,
    })
}
