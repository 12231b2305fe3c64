//! The exact posterior of any network by Hamiltonian Monte Carlo, α and β given or integrated out.

use std::rc::Rc;

use crate::math::Budget;
use crate::math::ChainStats;
use crate::math::cholesky::Cholesky;
use crate::math::hmc::Whitening;
use crate::math::random::Stream;
use crate::math::tempering::{Temperable, Tempering};
use crate::mlp::solver::fit::{Found, Method, Problem};
use crate::mlp::solver::hyper::Hyper;
use crate::mlp::solver::inputs::Examples;
use crate::mlp::solver::network::{error, outputs};

/// The posterior in the coordinates that chains move in.
struct Target {
    problem: Rc<Problem>,
    /// a and b of the prior of α, where the coordinates are √α w and ln α: whatever the scale of the weights is, the prior is the same
    /// in them. Otherwise they are the weights, α integrated out.
    scaled: Option<(f64, f64)>,
}

impl Target {
    /// The weights at `x`.
    fn weights(&self, x: &[f64]) -> Vec<f64> {
        match (self.scaled, x.split_last()) {
            (Some(_), Some((ln_alpha, z))) => {
                let scale = libm::exp(-0.5 * ln_alpha);
                z.iter().map(|z| scale * z).collect()
            }
            _ => x.to_vec(),
        }
    }

    /// ln of the likelihood to that power, β integrated out where it is, and the gradient by the weights.
    fn likelihood(&self, power: f64, w: &[f64]) -> (f64, Vec<f64>) {
        let Problem { shape, examples, hyper } = &*self.problem;
        let (plain, mut slope) = error(*shape, w, examples);
        let (ln, _, beta) = hyper.ln_posterior(power, (0, examples.count()), plain, 0.0);
        for slope in &mut slope {
            *slope *= -beta;
        }
        (ln, slope)
    }
}

impl Temperable for Target {
    fn ln_tempered(&self, power: f64, x: &[f64], gradient: &mut [f64]) -> f64 {
        let (Some((a, b)), Some((ln_alpha, z))) = (self.scaled, x.split_last()) else {
            let Problem { shape, examples, hyper } = &*self.problem;
            let (plain, slope) = error(*shape, x, examples);
            let square: f64 = x.iter().map(|w| w * w).sum();
            let (ln, alpha, beta) = hyper.ln_posterior(power, (x.len(), examples.count()), plain, square);
            for ((g, slope), w) in gradient.iter_mut().zip(slope).zip(x) {
                *g = -beta * slope - alpha * w;
            }
            return ln;
        };
        let (scale, alpha) = (libm::exp(-0.5 * ln_alpha), libm::exp(*ln_alpha));
        let w = self.weights(x);
        let (ln, slope) = self.likelihood(power, &w);
        let mut along = 0.0;
        for (((g, slope), w), z) in gradient.iter_mut().zip(&slope).zip(&w).zip(z) {
            *g = scale * slope - z;
            along += slope * w;
        }
        gradient[z.len()] = a - alpha / b - 0.5 * along;
        ln + a * ln_alpha - alpha / b - 0.5 * z.iter().map(|z| z * z).sum::<f64>()
    }

    fn ln_likelihood(&self, x: &[f64]) -> f64 {
        self.likelihood(1.0, &self.weights(x)).0
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
/// Temperatures of the likelihood. At the highest nothing is learnt; they are close, since between that and a fit the likelihood jumps.
pub const LADDER: (usize, f64) = (8, 0.88);

/// Centre, factor of the covariance and a point in the coordinates √α w and ln α, from those in w at this α.
fn with_scale(
    centre: Vec<f64>,
    lower: &[f64],
    start: Vec<f64>,
    alpha: f64,
) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let (k, scale) = (centre.len(), alpha.sqrt());
    let wider = |x: Vec<f64>| x.into_iter().map(|x| scale * x).chain([libm::log(alpha)]).collect();
    let at = |i: usize, j: usize| match (i < k, j < k) {
        (true, true) => scale * lower[i * k + j],
        // α is known to about this part of itself.
        (false, false) => (2.0 / k as f64).sqrt(),
        _ => 0.0,
    };
    let lower = (0..(k + 1) * (k + 1)).map(|e| at(e / (k + 1), e % (k + 1))).collect();
    (wider(centre), lower, wider(start))
}

/// Draws of one chain, seen by the outputs at the inputs asked for.
pub struct Chain {
    target: Target,
    at: Rc<Examples>,
    chains: Tempering,
    draws: usize,
    /// The inputs whose outputs are followed draw by draw.
    followed: Vec<usize>,
    /// What the draws say of the outputs.
    row: ChainStats,
    /// Weights of every draw, where they are asked for.
    weights: Option<Vec<f64>>,
    drawn: usize,
    warmup: usize,
    warmed: usize,
}

impl Chain {
    /// A chain of `draws` moves after half as many to warm up, begun at a draw from the fit, whose covariance is its mass, and looked
    /// at by its outputs at `at`, of which `followed` are kept draw by draw. `ladder` is the number of
    /// temperatures and the ratio of two of them.
    pub fn new(
        problem: Rc<Problem>,
        (at, followed): (Rc<Examples>, Vec<usize>),
        Found { q, bound, .. }: &Found,
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
        let scaled = match problem.hyper {
            Hyper::Gamma([a, b, ..]) if ladder.0 > 1 => Some((a, b)),
            _ => None,
        };
        let target = Target { problem, scaled };
        let (centre, lower, start) = match scaled {
            Some(_) => with_scale(q.mean.clone(), &lower, start, bound.alpha),
            None => (q.mean.clone(), lower, start),
        };
        let chains = Tempering::new(&target, &Whitening::new(centre, lower), &start, warmup, ladder, stream);
        let row = ChainStats::new(at.count(), followed.len());
        Self { target, at, chains, draws, followed, row, weights: None, drawn: 0, warmup, warmed: 0 }
    }

    /// The same, which keeps the weights as well.
    #[must_use]
    pub fn keeping_weights(self) -> Self {
        Self { weights: Some(Vec::new()), ..self }
    }

    /// Moves on until the budget is spent; `true` when all draws are made.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        let (each, rows) = (self.target.problem.cost(Method::Map), self.at.count());
        let shape = self.target.problem.shape;
        loop {
            if self.drawn >= self.draws {
                return true;
            }
            let warming = self.chains.cold().warming_up();
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

    /// Fraction of the moves that are made.
    pub fn fraction(&self) -> f64 {
        (self.warmed + self.drawn) as f64 / (self.warmup + self.draws) as f64
    }

    /// Weights, one row a draw; nothing unless they were asked for.
    pub fn weights(&self) -> &[f64] {
        self.weights.as_deref().unwrap_or(&[])
    }

    /// What the draws so far say of the outputs.
    pub fn row(&self) -> ChainStats {
        self.row.with_moves(self.chains.cold().acceptance())
    }
}
