//! The exact posterior of a network by Hamiltonian Monte Carlo with parallel tempering; α and β fixed or integrated out.

use std::rc::Rc;

use crate::math::Budget;
use crate::math::ChainStats;
use crate::math::cholesky::Cholesky;
use crate::math::hmc::Whitening;
use crate::math::random::Stream;
use crate::math::tempering::{Temperable, Tempering};
use crate::mlp::solver::examples::ExampleBlocks;
use crate::mlp::solver::fit::FitResult;
use crate::mlp::solver::hyperprior::Hyperprior;
use crate::mlp::solver::network::{error, outputs};
use crate::mlp::solver::options::InferenceMethod;
use crate::mlp::solver::problem::RegressionProblem;

/// Posterior in the coordinates of the chains.
struct ChainTarget {
    problem: Rc<RegressionProblem>,
    /// Parameters a and b of the prior of α if the coordinates are √α w and ln α, in which the prior of the weights does not depend on
    /// α. `None` if the coordinates are the weights, with α fixed or integrated out.
    scaled: Option<(f64, f64)>,
}

impl ChainTarget {
    /// Returns the weights at coordinates `x`, k.
    fn weights(&self, x: &[f64]) -> Vec<f64> {
        match (self.scaled, x.split_last()) {
            (Some(_), Some((ln_alpha, z))) => {
                let scale = libm::exp(-0.5 * ln_alpha);
                z.iter().map(|z| scale * z).collect()
            }
            _ => x.to_vec(),
        }
    }

    /// Returns `power` times the log likelihood, with a random β integrated out, and its gradient by the weights, k.
    fn tempered_likelihood(&self, power: f64, w: &[f64]) -> (f64, Vec<f64>) {
        let RegressionProblem { shape, examples, hyper, .. } = &*self.problem;
        let (e_d, mut slope) = error(*shape, w, examples);
        let (ln, _, beta) = hyper.ln_posterior(power, (0, examples.count()), e_d, 0.0);
        for slope in &mut slope {
            *slope *= -beta;
        }
        (ln, slope)
    }
}

impl Temperable for ChainTarget {
    fn ln_tempered(&self, power: f64, x: &[f64], gradient: &mut [f64]) -> f64 {
        let (Some((a, b)), Some((ln_alpha, z))) = (self.scaled, x.split_last()) else {
            let RegressionProblem { shape, examples, hyper, .. } = &*self.problem;
            let (e_d, slope) = error(*shape, x, examples);
            let square: f64 = x.iter().map(|w| w * w).sum();
            let (ln, alpha, beta) = hyper.ln_posterior(power, (x.len(), examples.count()), e_d, square);
            for ((g, slope), w) in gradient.iter_mut().zip(slope).zip(x) {
                *g = -beta * slope - alpha * w;
            }
            return ln;
        };
        let (scale, alpha) = (libm::exp(-0.5 * ln_alpha), libm::exp(*ln_alpha));
        let w = self.weights(x);
        let (ln, slope) = self.tempered_likelihood(power, &w);
        let mut along = 0.0;
        for (((g, slope), w), z) in gradient.iter_mut().zip(&slope).zip(&w).zip(z) {
            *g = scale * slope - z;
            along += slope * w;
        }
        gradient[z.len()] = a - alpha / b - 0.5 * along;
        ln + a * ln_alpha - alpha / b - 0.5 * z.iter().map(|z| z * z).sum::<f64>()
    }

    fn ln_likelihood(&self, x: &[f64]) -> f64 {
        self.tempered_likelihood(1.0, &self.weights(x)).0
    }
}

/// Number of inputs whose outputs are stored for each draw.
const FOLLOWED: usize = 5;

/// Returns the indices, among the first `drawn` inputs, whose outputs are stored for each draw. They are evenly spaced and leave out
/// the middle, where f is always 0 if it is odd.
pub fn followed_inputs(drawn: usize) -> Vec<usize> {
    (0..FOLLOWED).map(|i| i * (drawn - 1) / FOLLOWED).collect()
}

/// A single temperature, for a unimodal posterior.
pub const UNTEMPERED: (usize, f64) = (1, 1.0);
/// Number of temperatures of the likelihood and ratio of successive powers. At the highest temperature, nearly nothing is learnt; the
/// ratio is close to 1 because the likelihood changes abruptly in between.
pub const LADDER: (usize, f64) = (8, 0.88);

/// Transforms a centre, a Cholesky factor of the covariance and a starting point from weights to the coordinates √α w and ln α.
fn with_scale(
    centre: Vec<f64>,
    lower: &[f64],
    start: Vec<f64>,
    alpha: f64,
) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let (k, scale) = (centre.len(), alpha.sqrt());
    let transform = |x: Vec<f64>| x.into_iter().map(|x| scale * x).chain([libm::log(alpha)]).collect();
    let at = |i: usize, j: usize| match (i < k, j < k) {
        (true, true) => scale * lower[i * k + j],
        // Approximate posterior standard deviation of ln α.
        (false, false) => (2.0 / k as f64).sqrt(),
        _ => 0.0,
    };
    let lower = (0..(k + 1) * (k + 1)).map(|e| at(e / (k + 1), e % (k + 1))).collect();
    (transform(centre), lower, transform(start))
}

/// A chain with its statistics of the network outputs at given inputs.
pub struct WeightChain {
    target: ChainTarget,
    at: Rc<ExampleBlocks>,
    chains: Tempering,
    draws: usize,
    /// Indices of the inputs whose outputs are stored for each draw.
    followed: Vec<usize>,
    /// Statistics of the outputs.
    row: ChainStats,
    /// Weights of every draw, draws×k, if they are kept.
    weights: Option<Vec<f64>>,
    drawn: usize,
    warmup: usize,
    warmed: usize,
}

impl WeightChain {
    /// Starts a chain of `draws` draws after half as many warm-up moves. The start is drawn from the fit, whose covariance is the inverse
    /// mass matrix. Statistics are those of the outputs at the inputs `at`; the outputs at `followed` are stored for each draw. `ladder`
    /// is the number of temperatures and the ratio of successive powers of the likelihood.
    pub fn new(
        problem: Rc<RegressionProblem>,
        (at, followed): (Rc<ExampleBlocks>, Vec<usize>),
        FitResult { q, bound, .. }: &FitResult,
        draws: usize,
        ladder: (usize, f64),
        mut stream: Stream,
    ) -> Self {
        let k = q.mean.len();
        let matrix = q.matrix();
        let mean_variance = (0..k).map(|i| matrix[i * k + i]).sum::<f64>() / k as f64;
        // Jitter for a covariance that is singular to rounding.
        let factor = [1e-12, 1e-6].into_iter().find_map(|jitter| {
            Cholesky::new(k, |i, j| matrix[i * k + j] + if i == j { jitter * mean_variance } else { 0.0 })
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
        let scaled = match problem.hyper {
            Hyperprior::Gamma([a, b, ..]) if ladder.0 > 1 => Some((a, b)),
            _ => None,
        };
        let target = ChainTarget { problem, scaled };
        let (centre, lower, start) = match scaled {
            Some(_) => with_scale(q.mean.clone(), &lower, start, bound.precisions.alpha()),
            None => (q.mean.clone(), lower, start),
        };
        let chains = Tempering::new(&target, &Whitening::new(centre, lower), &start, warmup, ladder, stream);
        let row = ChainStats::new(at.count(), followed.len());
        Self { target, at, chains, draws, followed, row, weights: None, drawn: 0, warmup, warmed: 0 }
    }

    /// Keeps the weights of every draw as well.
    #[must_use]
    pub fn keeping_weights(self) -> Self {
        Self { weights: Some(Vec::new()), ..self }
    }

    /// Advances until the budget is spent; returns `true` when all draws are made.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        let (each, rows) = (self.target.problem.cost(InferenceMethod::Map), self.at.count());
        let shape = self.target.problem.shape;
        loop {
            if self.drawn >= self.draws {
                return true;
            }
            let warming = self.chains.cold().is_warming_up();
            if self.chains.step(&self.target) {
                if warming {
                    self.warmed += 1;
                } else {
                    let w = self.target.weights(self.chains.cold().position());
                    let f = outputs(shape, &w, &self.at);
                    self.row.add(&f, &self.followed);
                    self.drawn += 1;
                    if let Some(weights) = &mut self.weights {
                        weights.extend(w);
                    }
                    budget.spend((rows * shape.weights()) as u64);
                }
            }
            if !budget.spend(each) {
                return self.drawn >= self.draws;
            }
        }
    }

    /// Returns the fraction of moves made, 0 to 1.
    pub fn fraction(&self) -> f64 {
        (self.warmed + self.drawn) as f64 / (self.warmup + self.draws) as f64
    }

    /// Returns the weights, draws×k; empty unless they are kept.
    pub fn weights(&self) -> &[f64] {
        self.weights.as_deref().unwrap_or(&[])
    }

    /// Returns the statistics of the draws so far.
    pub fn row(&self) -> ChainStats {
        self.row.with_moves(self.chains.cold().acceptance())
    }
}
