//! All approximations behind one interface: start, advance step by step, read the posterior.

use std::task::{Poll, ready};

use super::factor::{Factor, Factoring, Want};
use super::laplace::Search;
use super::parallel::Parallel;
use super::prediction::{Prediction, zero_if_rounding};
use super::sequential::Sequential;
use super::setting::Setting;
use super::site::{Site, probability};
use super::solution::Solution;
use super::tap::{MeanField, State, Tap};
use super::training_set::TrainingSet;
use crate::math::Ending;

/// Residual at which an iteration has converged, and its sweeps at most.
const SETTLED: f64 = 1e-9;
const MOST_SWEEPS: usize = 20_000;

/// By what the posterior is approximated.
#[derive(Clone, Copy, Debug)]
pub enum Approach {
    /// TAP or the naive mean field, by the double loop.
    MeanField(Tap),
    /// Laplace's approximation, which needs v > 0.
    Laplace,
    /// TAP by a parallel iteration (ours: the paper does not say how it iterates).
    Parallel {
        /// Fraction of each step that is taken.
        damping: f64,
    },
    /// TAP by a sequential iteration, undamped.
    Sequential,
}

/// A solve under way.
pub struct Solving {
    problem: TrainingSet,
    setting: Setting,
    tool: Tool,
    /// Whether it began at the solution of another problem.
    warm: bool,
    ending: Option<Ending>,
    /// The factorisation at the solution, for the posterior.
    at_solution: Factoring,
}

enum Tool {
    MeanField(Tap, Box<State>),
    /// On the covariances without noise.
    Laplace(Search),
    Parallel(Parallel),
    Sequential(Box<Sequential>),
}

impl Tool {
    fn new(approach: Approach, problem: &TrainingSet, setting: &Setting) -> Self {
        match approach {
            Approach::MeanField(tap) => Self::MeanField(tap, Box::new(tap.init(problem))),
            Approach::Laplace => Self::Laplace(Search::new(problem, setting.v)),
            Approach::Parallel { damping } => Self::Parallel(Parallel::new(problem, damping)),
            Approach::Sequential => Self::Sequential(Box::new(Sequential::new(problem))),
        }
    }

    /// The same for the `problem` without example `row`, begun here.
    fn without(&self, row: usize, problem: &TrainingSet, setting: &Setting) -> Self {
        let others = |all: &[f64]| [&all[..row], &all[row + 1..]].concat();
        match self {
            Self::MeanField(tap, state) => {
                let state = tap.init_near(problem, &others(&state.gamma), &others(&state.lambda));
                Self::MeanField(*tap, Box::new(state))
            }
            Self::Laplace(search) => Self::Laplace(Search::near(problem, setting.v, others(&search.a))),
            Self::Parallel(parallel) => {
                let (x, lambda) = (others(&parallel.x), others(&parallel.lambda));
                Self::Parallel(Parallel { x, lambda, ..Parallel::new(problem, parallel.damping) })
            }
            Self::Sequential(sequential) => {
                let (s, nu) = (others(&sequential.s), others(&sequential.nu));
                Self::Sequential(Box::new(Sequential::near(problem, s, nu)))
            }
        }
    }

    fn approach(&self) -> Approach {
        match self {
            Self::MeanField(tap, _) => Approach::MeanField(*tap),
            Self::Laplace(_) => Approach::Laplace,
            Self::Parallel(parallel) => Approach::Parallel { damping: parallel.damping },
            Self::Sequential(_) => Approach::Sequential,
        }
    }
}

/// How far a solve is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Updates of λ, or sweeps of an iteration.
    pub outer_iterations: usize,
    /// Newton solves.
    pub newton_solves: usize,
    /// How far from a solution it is.
    pub residual: f64,
}

/// An approximate posterior over the latent function at the training inputs.
pub struct Posterior {
    /// x = C⁻¹⟨h⟩, m.
    pub x: Vec<f64>,
    /// Cavity means γ, m.
    pub gamma: Vec<f64>,
    /// Cavity variances λ, m.
    pub lambda: Vec<f64>,
    /// Posterior means of the fields, m.
    pub h: Vec<f64>,
    /// Leave-one-out predictions, m.
    pub left_out: Vec<Prediction>,
    /// Σ ln p(label | others).
    pub ln_loo: f64,
    /// −G, or Laplace's log evidence.
    pub minus_g: f64,
    factor: Factor,
}

impl Solving {
    /// A solve for examples `rows` (m of N inputs) with labels `tau` (±1, m), before its first step.
    pub fn new(rows: &[Vec<f64>], tau: &[f64], setting: Setting, approach: Approach) -> Self {
        // Laplace's likelihood has the noise, and its fields have none.
        let v = if matches!(approach, Approach::Laplace) { 0.0 } else { setting.v };
        let problem = TrainingSet::new(rows, tau, &setting.kernel, v, setting.kappa);
        let tool = Tool::new(approach, &problem, &setting);
        Self::begun(problem, setting, tool, false)
    }

    /// The same without example `row`, before its first step. It begins at the solution, if this one has come to it: that saves
    /// time and changes nothing but what tolerances leave open, or flips where they leave several solutions.
    #[must_use]
    pub fn without(&self, row: usize) -> Self {
        let (problem, setting) = (self.problem.without(row), self.setting.clone());
        let warm = self.ending.is_some_and(Ending::is_solution);
        let tool = if warm {
            self.tool.without(row, &problem, &setting)
        } else {
            Tool::new(self.tool.approach(), &problem, &setting)
        };
        Self::begun(problem, setting, tool, warm)
    }

    fn begun(problem: TrainingSet, setting: Setting, tool: Tool, warm: bool) -> Self {
        Self { problem, setting, tool, warm, ending: None, at_solution: Factoring::default() }
    }

    /// Steps until the end.
    pub fn solve(&mut self) -> Ending {
        loop {
            if let Some(ending) = self.advance() {
                return ending;
            }
        }
    }

    /// One step, or a slice of the factorisation for it ([`Solving::waits`]); `None` while the solve goes on.
    pub fn advance(&mut self) -> Option<Ending> {
        let ending = self.step();
        if self.warm && ending.is_some_and(|ending| !ending.is_solution()) {
            // Not every beginning leads to a solution.
            self.tool = Tool::new(self.tool.approach(), &self.problem, &self.setting);
            self.warm = false;
            return None;
        }
        self.ending = ending;
        ending
    }

    fn step(&mut self) -> Option<Ending> {
        match &mut self.tool {
            Tool::MeanField(tap, state) => tap.advance(&self.problem, state),
            Tool::Laplace(search) => search.step(&self.problem),
            Tool::Parallel(parallel) => {
                let finite = parallel.sweep(&self.problem)?;
                swept(finite, parallel.residual, parallel.sweeps)
            }
            Tool::Sequential(sequential) => {
                let finite = sequential.sweep(&self.problem);
                swept(finite, sequential.residual, sequential.sweeps)
            }
        }
    }

    /// How it ended, if it did.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The factorisation of the present step; a sequential sweep is not divided.
    fn factoring(&self) -> Option<&Factoring> {
        match &self.tool {
            Tool::MeanField(_, state) => Some(state.factoring()),
            Tool::Laplace(search) => Some(&search.factoring),
            Tool::Parallel(parallel) => Some(&parallel.factoring),
            Tool::Sequential(_) => None,
        }
    }

    /// Whether the latest piece of work was within a step, and not its end.
    pub fn waits(&self) -> bool {
        self.factoring().is_some_and(Factoring::is_under_way) || self.at_solution.is_under_way()
    }

    /// Multiply–adds of the latest piece of work: a slice of a factorisation, and at the end of a step a few products of order m².
    pub fn work(&self) -> u64 {
        let slice = self.factoring().map_or_else(|| self.problem.cost(), Factoring::work);
        let products = if self.waits() { 0 } else { 8 * (self.problem.len() as u64).pow(2) };
        slice.max(self.at_solution.work()) + products
    }

    /// Multiply–adds of a step, roughly.
    pub fn cost(&self) -> usize {
        usize::try_from(self.problem.cost()).unwrap_or(usize::MAX)
    }

    /// Share of each step that is taken.
    pub fn damping(&self) -> f64 {
        match &self.tool {
            Tool::Parallel(parallel) => parallel.damping,
            Tool::MeanField(..) | Tool::Laplace(_) | Tool::Sequential(_) => 1.0,
        }
    }

    /// How far it is.
    pub fn effort(&self) -> Effort {
        let (outer_iterations, newton_solves, residual) = match &self.tool {
            // Of the naive theory there is no outer loop, and no λ that could still move.
            Tool::MeanField(_, state) => {
                (state.outer_iterations, state.newton_solves, state.residual.max(state.change))
            }
            Tool::Laplace(search) => (0, search.newton_solves, search.residual),
            Tool::Parallel(parallel) => (parallel.sweeps, 0, parallel.residual),
            Tool::Sequential(sequential) => (sequential.sweeps, 0, sequential.residual),
        };
        Effort { outer_iterations, newton_solves, residual }
    }

    /// The posterior here; `None` where a matrix has no inverse, or a number no value.
    pub fn posterior(&self) -> Option<Posterior> {
        let (s, _) = self.precisions();
        self.approximate(Factor::new(&self.problem, &s)?).filter(Posterior::is_finite)
    }

    /// One slice of work at the posterior here: pending while there is more to do, and then as [`Solving::posterior`].
    pub fn advance_posterior(&mut self) -> Poll<Option<Posterior>> {
        let (s, want) = self.precisions();
        let factor = ready!(self.at_solution.advance(&self.problem, &s, want));
        Poll::Ready(factor.and_then(|factor| self.approximate(factor)).filter(Posterior::is_finite))
    }

    /// Precisions S of the sites here, m, and what the posterior needs of I + S C.
    fn precisions(&self) -> (Vec<f64>, Want) {
        match &self.tool {
            Tool::MeanField(tap, state) => {
                let want = if tap.theory == MeanField::Tap { Want::Factor } else { Want::Diagonal };
                (Solution::precisions(&self.problem, &state.gamma, &state.lambda), want)
            }
            Tool::Laplace(search) => (search.curvatures(), Want::Diagonal),
            Tool::Parallel(parallel) => (parallel.precisions(&self.problem), Want::Factor),
            Tool::Sequential(sequential) => (sequential.s.clone(), Want::Diagonal),
        }
    }

    /// `factor` is that of the precisions.
    fn approximate(&self, factor: Factor) -> Option<Posterior> {
        let problem = &self.problem;
        match &self.tool {
            Tool::MeanField(tap, state) => {
                Some(self.mean_field(state.solution_with(problem, tap.theory, factor)))
            }
            Tool::Parallel(parallel) => Some(self.mean_field(parallel.solution(problem, factor))),
            Tool::Sequential(sequential) => Some(self.mean_field(sequential.solution(problem, &factor)?)),
            Tool::Laplace(search) => {
                let fit = search.approximation(factor)?;
                let (v, kappa) = (self.setting.v, self.setting.kappa);
                let mut fields = fit.left_out(problem);
                for ((mean, var), (f, a)) in fields.iter_mut().zip(fit.f.iter().zip(&fit.a)) {
                    *mean = zero_if_rounding(*mean, f.abs() + (*var * a).abs());
                }
                let prediction = |(mean, var): &(f64, f64)| Prediction::of_noisy_field(*mean, var + v, kappa);
                let log =
                    |((mean, var), tau): (&(f64, f64), &f64)| Site::at(*mean, var + v, *tau, kappa).ln_z0;
                Some(Posterior {
                    left_out: fields.iter().map(prediction).collect(),
                    ln_loo: fields.iter().zip(&problem.tau).map(log).sum(),
                    minus_g: fit.ln_evidence,
                    gamma: fields.iter().map(|f| f.0).collect(),
                    lambda: fields.iter().map(|f| f.1).collect(),
                    x: fit.a,
                    h: fit.f,
                    factor: fit.factor,
                })
            }
        }
    }

    fn mean_field(&self, solution: Solution) -> Posterior {
        let left_out = |i: usize| {
            let var = solution.left_out_var[i];
            let terms = solution.h[i].abs() + (solution.x[i] * var).abs();
            Prediction::of_noisy_field(zero_if_rounding(solution.left_out[i], terms), var, self.setting.kappa)
        };
        Posterior {
            left_out: (0..solution.x.len()).map(left_out).collect(),
            x: solution.x,
            gamma: solution.gamma,
            lambda: solution.lambda,
            h: solution.h,
            ln_loo: solution.ln_loo,
            minus_g: solution.minus_g,
            factor: solution.factor,
        }
    }

    /// The prediction at an input, `rows` being those of the training set.
    pub fn predict<'a>(
        &self,
        posterior: &Posterior,
        rows: impl Iterator<Item = &'a Vec<f64>>,
        at: &[f64],
    ) -> Prediction {
        let Setting { kernel, v, kappa, .. } = &self.setting;
        let k: Vec<f64> = rows.map(|row| kernel.at(row, at)).collect();
        let mean = k.iter().zip(&posterior.x).map(|(k, x)| k * x).sum();
        let var = (kernel.at(at, at) - posterior.factor.quadratic(&k)).max(0.0);
        Prediction { mean, var, p: probability(mean, var + v, *kappa) }
    }

    /// Its settings.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }
}

/// Whether an iteration has ended with its latest sweep.
fn swept(finite: bool, residual: f64, sweeps: usize) -> Option<Ending> {
    if !finite {
        Some(Ending::NonFinite)
    } else if residual < SETTLED {
        Some(Ending::Converged)
    } else {
        (sweeps >= MOST_SWEEPS).then_some(Ending::MaxIterations)
    }
}

impl Posterior {
    /// Whether all that is shown of it is a number.
    fn is_finite(&self) -> bool {
        let all = |x: &[f64]| x.iter().all(|x| x.is_finite());
        self.minus_g.is_finite()
            && self.ln_loo.is_finite()
            && [&self.x, &self.gamma, &self.lambda].into_iter().all(|x| all(x))
            && self.left_out.iter().all(|prediction| prediction.p.is_finite())
    }
}
