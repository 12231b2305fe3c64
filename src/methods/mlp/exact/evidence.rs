//! The log evidence ln p(D) of a network by annealed importance sampling, with α and β fixed or integrated out.
//!
//! A walk keeps its α. If α were to move, nearly all walks would end near the constant function, whose prior mass at large α is much
//! larger than that of a fit, and from which no walk returns. α is drawn from a mixture of its prior and a Gaussian in ln α, and its
//! importance is a factor of the weight.

use std::f64::consts::TAU;
use std::rc::Rc;

use crate::math::Budget;
use crate::math::annealed_walk::{AnnealedPath, AnnealedWalk, LEAPS};
use crate::math::random::Stream;
use crate::mlp::solver::hyperprior::Hyperprior;
use crate::mlp::solver::network::error;
use crate::mlp::solver::options::InferenceMethod;
use crate::mlp::solver::problem::RegressionProblem;

/// Median of α in the log-normal part of its proposal: outputs of the network are then of order 1.
const TYPICAL_ALPHA: f64 = 0.5;
/// Standard deviation of ln α there.
const PROPOSAL_SD: f64 = 1.0;
/// Share ρ of the prior in that proposal.
const PRIOR_SHARE: f64 = 0.25;

/// Posterior of the weights at a given α.
struct AtAlpha {
    problem: Rc<RegressionProblem>,
    alpha: f64,
    /// Logarithm of the importance of α: its prior density over that of its proposal.
    ln_importance: f64,
}

impl AtAlpha {
    /// Draws α. Returns the posterior with the rest of the stream.
    fn draw(problem: &Rc<RegressionProblem>, mut stream: Stream) -> (Self, Stream) {
        let problem = Rc::clone(problem);
        let drawn = match problem.hyper {
            Hyperprior::Fixed { alpha, .. } => Self { problem, alpha, ln_importance: 0.0 },
            Hyperprior::Gamma([a, b, ..]) => {
                let from_prior = stream.uniform() < PRIOR_SHARE;
                let ln_alpha = if from_prior {
                    stream.ln_gamma(a) + libm::log(b)
                } else {
                    libm::log(TYPICAL_ALPHA) + PROPOSAL_SD * stream.normal()
                };
                let alpha = libm::exp(ln_alpha);
                let ln_prior = a * (ln_alpha - libm::log(b)) - alpha / b - libm::lgamma(a);
                let z = (ln_alpha - libm::log(TYPICAL_ALPHA)) / PROPOSAL_SD;
                let ln_gaussian = -0.5 * z * z - libm::log(PROPOSAL_SD) - 0.5 * libm::log(TAU);
                // p/(ρp + (1−ρ)g), at most 1/ρ.
                let ratio = libm::exp(ln_gaussian - ln_prior);
                let ln_importance = -libm::log(PRIOR_SHARE + (1.0 - PRIOR_SHARE) * ratio);
                Self { problem, alpha, ln_importance }
            }
        };
        (drawn, stream)
    }

    /// Returns the posterior at a typical α, for a pilot.
    fn typical(problem: &Rc<RegressionProblem>) -> Self {
        let alpha = match problem.hyper {
            Hyperprior::Fixed { alpha, .. } => alpha,
            Hyperprior::Gamma(_) => TYPICAL_ALPHA,
        };
        Self { problem: Rc::clone(problem), alpha, ln_importance: 0.0 }
    }

    /// Starts a pilot, or with its `steps` a walk, at a draw from the prior.
    fn walk(&self, rungs: usize, steps: Option<&[f64]>, stream: Stream) -> AnnealedWalk {
        let prior = (self.problem.shape.weights(), 1.0 / self.alpha.sqrt());
        match steps {
            Some(steps) => AnnealedWalk::new(self, prior, steps, stream),
            None => AnnealedWalk::pilot(self, prior, rungs, stream),
        }
    }
}

impl AnnealedPath for AtAlpha {
    fn error(&self, w: &[f64]) -> (f64, Vec<f64>) {
        error(self.problem.shape, w, &self.problem.examples)
    }

    /// Returns the log likelihood, where the noise precision grows along the path: it is the progress times a fixed β. With β integrated
    /// out, the likelihood (1 + d `E_D`)^−u, in units of the one without errors, has progress² as a factor of d. A power of this likelihood
    /// would change abruptly: it depends on the scale of `E_D` only near 1/d.
    fn ln_likelihood(&self, progress: f64, error: f64) -> (f64, f64) {
        match self.problem.hyper {
            Hyperprior::Fixed { beta, .. } => (-progress * beta * error, -progress * beta),
            Hyperprior::Gamma([_, _, c, d]) => {
                let (u, scale) = (0.5 * self.problem.examples.count() as f64 + c, d * progress * progress);
                (-u * libm::log1p(scale * error), -u * scale / (1.0 + scale * error))
            }
        }
    }
}

/// A pilot and walks from the prior to the posterior.
pub struct EvidenceWalks {
    rungs: usize,
    target: AtAlpha,
    walk: AnnealedWalk,
    /// Step sizes of the pilot; `None` until it has ended.
    steps: Option<Vec<f64>>,
    /// Streams of the walks that have not started, the last first.
    streams: Vec<Stream>,
    count: usize,
    ln_weights: Vec<f64>,
}

impl EvidenceWalks {
    /// Starts a pilot with its own stream; one walk for each of `streams` follows, with `rungs` of the ladder.
    pub fn new(
        problem: &Rc<RegressionProblem>,
        rungs: usize,
        pilot: Stream,
        mut streams: Vec<Stream>,
    ) -> Self {
        let target = AtAlpha::typical(problem);
        let walk = target.walk(rungs, None, pilot);
        streams.reverse();
        let count = streams.len();
        Self { rungs, target, walk, steps: None, streams, count, ln_weights: Vec::new() }
    }

    /// Advances until the budget is spent; returns `true` when all walks have ended.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        let each = self.target.problem.cost(InferenceMethod::Map);
        while self.ln_weights.len() < self.count {
            if self.walk.step(&self.target) {
                self.end_walk();
            }
            if !budget.spend(each) {
                break;
            }
        }
        self.ln_weights.len() == self.count
    }

    /// Stores the weight of a walk, or the step sizes of the pilot, and starts the next walk.
    fn end_walk(&mut self) {
        let steps = if let Some(steps) = self.steps.take() {
            let RegressionProblem { examples, hyper, .. } = &*self.target.problem;
            let without_errors = hyper.ln_likelihood(examples.count(), 0.0);
            self.ln_weights.push(self.walk.ln_weight() + self.target.ln_importance + without_errors);
            steps
        } else {
            self.walk.steps().to_vec()
        };
        if let Some(stream) = self.streams.pop() {
            let (target, stream) = AtAlpha::draw(&self.target.problem, stream);
            self.walk = target.walk(self.rungs, Some(&steps), stream);
            self.target = target;
        }
        self.steps = Some(steps);
    }

    /// Returns the fraction done, 0 to 1.
    pub fn fraction(&self) -> f64 {
        let ended = self.ln_weights.len() + usize::from(self.steps.is_some());
        let walking = if self.ln_weights.len() == self.count { 0.0 } else { self.walk.fraction() };
        (ended as f64 + walking) / (self.count + 1) as f64
    }

    /// Returns the number of evaluations of the error in a pilot and `walks` walks.
    pub fn evaluations(rungs: usize, walks: usize) -> f64 {
        (LEAPS * (walks + 1) * rungs) as f64
    }

    /// Returns the log weights of the walks that have ended; the mean weight estimates p(D).
    pub fn ln_weights(&self) -> &[f64] {
        &self.ln_weights
    }
}
