//! The exact posterior of any network by Hamiltonian Monte Carlo, α and β given or integrated out.

use std::rc::Rc;

use crate::lab::ChainRow;
use crate::math::Budget;
use crate::math::cholesky::Cholesky;
use crate::math::hmc::Whitening;
use crate::math::random::Stream;
use crate::math::tempering::{Temperable, Tempering};
use crate::models::mlp::solver::fit::{Method, Problem};
use crate::models::mlp::solver::gaussian::Gaussian;
use crate::models::mlp::solver::inputs::Examples;
use crate::models::mlp::solver::network::{error, outputs};

impl Temperable for Problem {
    fn ln_tempered(&self, power: f64, x: &[f64], gradient: &mut [f64]) -> f64 {
        let (plain, slope) = error(self.shape, x, &self.examples);
        let square: f64 = x.iter().map(|w| w * w).sum();
        let sizes = (x.len(), self.examples.count());
        let (ln, alpha, beta) = self.hyper.ln_posterior(power, sizes, plain, square);
        for ((g, slope), w) in gradient.iter_mut().zip(slope).zip(x) {
            *g = -beta * slope - alpha * w;
        }
        ln
    }

    fn ln_likelihood(&self, x: &[f64]) -> f64 {
        let (plain, _) = error(self.shape, x, &self.examples);
        self.hyper.ln_posterior(1.0, (0, self.examples.count()), plain, 0.0).0
    }
}

/// Inputs whose outputs are followed draw by draw, where there are as many.
const FOLLOWED: usize = 5;

/// The followed ones among the first `drawn` inputs: from one end to the other, but for the very middle, where f of an odd network
/// is always 0.
pub fn some(drawn: usize) -> Vec<usize> {
    (0..FOLLOWED).map(|i| i * (drawn - 1) / FOLLOWED).collect()
}

/// One temperature: where the posterior has one connected part.
pub const ALONE: (usize, f64) = (1, 1.0);
/// Temperatures of the likelihood: with the largest next to nothing is left of what separates modes.
pub const LADDER: (usize, f64) = (7, 0.6);

/// Draws of one chain, seen by the outputs at the inputs asked for.
pub struct Chain {
    problem: Rc<Problem>,
    at: Rc<Examples>,
    chains: Tempering,
    draws: usize,
    /// The inputs whose outputs are followed draw by draw.
    followed: Vec<usize>,
    /// What the draws say of the outputs.
    row: ChainRow,
    /// Weights of every draw, where they are asked for.
    weights: Option<Vec<f64>>,
    /// ln of the density of every draw.
    ln: Vec<f64>,
    warmup: usize,
    warmed: usize,
}

impl Chain {
    /// A chain of `draws` moves after half as many to warm up, begun at a draw from `q`, whose covariance is its mass, and looked
    /// at by its outputs at `at`, of which `followed` are kept draw by draw. `ladder` is the number of
    /// temperatures and the ratio of two of them.
    pub fn new(
        problem: Rc<Problem>,
        (at, followed): (Rc<Examples>, Vec<usize>),
        q: &Gaussian,
        draws: usize,
        ladder: (usize, f64),
        mut stream: Stream,
    ) -> Self {
        let k = q.mean.len();
        let matrix = q.matrix();
        let least = (0..k).map(|i| matrix[i * k + i]).sum::<f64>() / k as f64;
        // A little on the diagonal where rounding has taken it, or a mode has no variance at all.
        let factor = [1e-12, 1e-6].into_iter().find_map(|jitter| {
            Cholesky::new(k, |i, j| matrix[i * k + j] + if i == j { jitter * least } else { 0.0 })
        });
        let lower: Vec<f64> = (0..k * k)
            .map(|at| {
                let (i, j) = (at / k, at % k);
                match &factor {
                    Some(factor) if j <= i => factor.at(i, j),
                    None if i == j => 0.1,
                    _ => 0.0,
                }
            })
            .collect();
        let z: Vec<f64> = (0..k).map(|_| stream.normal()).collect();
        let start: Vec<f64> = (0..k)
            .map(|i| q.mean[i] + lower[i * k..][..=i].iter().zip(&z).map(|(l, z)| l * z).sum::<f64>())
            .collect();
        let warmup = (draws / 2).max(20);
        let whitening = Whitening::new(q.mean.clone(), lower);
        let chains = Tempering::new(&*problem, &whitening, &start, warmup, ladder, stream);
        let row = ChainRow::new(at.count(), followed.len());
        Self { problem, at, chains, draws, followed, row, weights: None, ln: Vec::new(), warmup, warmed: 0 }
    }

    /// The same, which keeps the weights as well.
    #[must_use]
    pub fn keeping_weights(self) -> Self {
        Self { weights: Some(Vec::new()), ..self }
    }

    /// Moves on until the budget is spent; `true` when all draws are made.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        let (each, rows) = (self.problem.cost(Method::Map), self.at.count());
        loop {
            if self.ln.len() >= self.draws {
                return true;
            }
            let warming = self.chains.cold().warming_up();
            if self.chains.step(&*self.problem) {
                if warming {
                    self.warmed += 1;
                } else {
                    let f = outputs(self.problem.shape, self.chains.cold().position(), &self.at);
                    self.row.add(&f, &self.followed);
                    self.ln.push(self.chains.cold().ln_density());
                    if let Some(weights) = &mut self.weights {
                        weights.extend_from_slice(self.chains.cold().position());
                    }
                    budget.spend((rows * self.problem.shape.weights()) as u64);
                }
            }
            if !budget.spend(each) {
                return self.ln.len() >= self.draws;
            }
        }
    }

    /// Fraction of the moves that are made.
    pub fn fraction(&self) -> f64 {
        (self.warmed + self.ln.len()) as f64 / (self.warmup + self.draws) as f64
    }

    /// Weights, one row a draw; nothing unless they were asked for.
    pub fn weights(&self) -> &[f64] {
        self.weights.as_deref().unwrap_or(&[])
    }

    /// ln of the density of each draw.
    pub fn ln_densities(&self) -> &[f64] {
        &self.ln
    }

    /// What the draws so far say of the outputs.
    pub fn row(&self) -> ChainRow {
        self.row.with_moves(self.chains.cold().acceptance())
    }
}
