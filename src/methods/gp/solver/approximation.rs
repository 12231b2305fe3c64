//! All approximations behind one interface: start a solve, advance it step by step, read the posterior.

use std::task::{Poll, ready};

use super::factor::{FactorRequest, ResponseFactor, ResponseFactoring};
use super::hyperparameters::Hyperparameters;
use super::laplace::ModeSearch;
use super::mean_field::MeanFieldSolver;
use super::parallel::ParallelIteration;
use super::posterior::Posterior;
use super::prediction::Prediction;
use super::sequential::SequentialIteration;
use super::site::Site;
use super::state::MeanFieldState;
use super::theory::MeanFieldTheory;
use super::training_set::TrainingSet;
use crate::math::{Ending, SmallestResidual};

/// Residual at which a plain iteration has converged.
const TOLERANCE: f64 = 1e-9;
/// Sweeps of a plain iteration at most.
const MAX_SWEEPS: usize = 20_000;

/// An approximation of the posterior, and how it is computed.
#[derive(Clone, Copy, Debug)]
pub enum Approach {
    /// TAP or the naive mean field, by the double loop.
    MeanField(MeanFieldSolver),
    /// Laplace's approximation, which needs v > 0.
    Laplace,
    /// TAP by a parallel iteration (ours; OW98 does not describe its iteration).
    Parallel {
        /// Fraction of each step that is taken.
        damping: f64,
    },
    /// TAP by a sequential iteration, undamped.
    Sequential,
}

/// A solve in progress.
pub struct Solve {
    set: TrainingSet,
    hyperparameters: Hyperparameters,
    algorithm: Algorithm,
    /// True if it started at the solution of another problem.
    warm: bool,
    ending: Option<Ending>,
    /// Smallest residual after a step.
    smallest: SmallestResidual,
    /// Factorisation at the solution, for the posterior.
    at_solution: ResponseFactoring,
}

/// The algorithm of an [`Approach`], with its state.
enum Algorithm {
    MeanField(MeanFieldSolver, Box<MeanFieldState>),
    /// On covariances without the noise v.
    Laplace(ModeSearch),
    Parallel(ParallelIteration),
    Sequential(Box<SequentialIteration>),
}

impl Algorithm {
    fn new(approach: Approach, set: &TrainingSet, v: f64) -> Self {
        match approach {
            Approach::MeanField(solver) => Self::MeanField(solver, Box::new(solver.init(set))),
            Approach::Laplace => Self::Laplace(ModeSearch::new(set, v)),
            Approach::Parallel { damping } => Self::Parallel(ParallelIteration::new(set, damping)),
            Approach::Sequential => Self::Sequential(Box::new(SequentialIteration::new(set))),
        }
    }

    /// Returns the algorithm for the `set` without example `row`, warm-started from the current state.
    fn without(&self, row: usize, set: &TrainingSet, v: f64) -> Self {
        let others = |all: &[f64]| [&all[..row], &all[row + 1..]].concat();
        match self {
            Self::MeanField(solver, state) => {
                let state = solver.init_near(set, &others(&state.gamma), &others(&state.lambda));
                Self::MeanField(*solver, Box::new(state))
            }
            Self::Laplace(search) => Self::Laplace(ModeSearch::near(set, v, others(&search.a))),
            Self::Parallel(parallel) => {
                let (x, lambda) = (others(&parallel.x), others(&parallel.lambda));
                Self::Parallel(ParallelIteration {
                    x,
                    lambda,
                    ..ParallelIteration::new(set, parallel.damping)
                })
            }
            Self::Sequential(sequential) => {
                let (s, nu) = (others(&sequential.s), others(&sequential.nu));
                Self::Sequential(Box::new(SequentialIteration::near(set, s, nu)))
            }
        }
    }

    fn approach(&self) -> Approach {
        match self {
            Self::MeanField(solver, _) => Approach::MeanField(*solver),
            Self::Laplace(_) => Approach::Laplace,
            Self::Parallel(parallel) => Approach::Parallel { damping: parallel.damping },
            Self::Sequential(_) => Approach::Sequential,
        }
    }
}

/// Work and precision of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Updates of λ, or sweeps of an iteration.
    pub outer_iterations: usize,
    /// Newton solves.
    pub newton_solves: usize,
    /// Residual of the equations.
    pub residual: f64,
}

impl Solve {
    /// Returns a solve for examples `rows` (m of N inputs) with labels `tau` (±1, m), before its first step.
    pub fn new(rows: &[Vec<f64>], tau: &[f64], hyperparameters: Hyperparameters, approach: Approach) -> Self {
        let Hyperparameters { kernel, v, kappa, .. } = &hyperparameters;
        // For Laplace the noise is in the likelihood, not in the fields.
        let field_noise = if matches!(approach, Approach::Laplace) { 0.0 } else { *v };
        let set = TrainingSet::new(rows, tau, kernel, field_noise, *kappa);
        let algorithm = Algorithm::new(approach, &set, *v);
        Self::start(set, hyperparameters, algorithm, false)
    }

    /// Returns the solve without example `row`, before its first step. It is warm-started if this solve has found a solution. That
    /// saves time; the result is the same within the tolerances, unless flips give several solutions.
    #[must_use]
    pub fn without(&self, row: usize) -> Self {
        let (set, hyperparameters) = (self.set.without(row), self.hyperparameters.clone());
        let warm = self.ending.is_some_and(Ending::is_solution);
        let algorithm = if warm {
            self.algorithm.without(row, &set, hyperparameters.v)
        } else {
            Algorithm::new(self.algorithm.approach(), &set, hyperparameters.v)
        };
        Self::start(set, hyperparameters, algorithm, warm)
    }

    /// Returns the finished solve of [`Approach::MeanField`] whose solution has the cavity means `gamma` and variances `lambda`, m each. Its
    /// posterior is that of the original solve, bit for bit.
    pub fn restore(
        (rows, tau): (&[Vec<f64>], &[f64]),
        hyperparameters: Hyperparameters,
        solver: MeanFieldSolver,
        (gamma, lambda): (&[f64], &[f64]),
    ) -> Self {
        let Hyperparameters { kernel, v, kappa, .. } = &hyperparameters;
        let set = TrainingSet::new(rows, tau, kernel, *v, *kappa);
        let state = solver.restore(&set, gamma.to_vec(), lambda.to_vec());
        let algorithm = Algorithm::MeanField(solver, Box::new(state));
        Self { ending: Some(Ending::Converged), ..Self::start(set, hyperparameters, algorithm, true) }
    }

    fn start(set: TrainingSet, hyperparameters: Hyperparameters, algorithm: Algorithm, warm: bool) -> Self {
        let at_solution = ResponseFactoring::default();
        let smallest = SmallestResidual::new();
        Self { set, hyperparameters, algorithm, warm, ending: None, smallest, at_solution }
    }

    /// Steps until the solve ends.
    pub fn solve(&mut self) -> Ending {
        loop {
            if let Some(ending) = self.advance() {
                return ending;
            }
        }
    }

    /// Takes one step, or does a slice of the factorisation for it ([`Solve::is_within_step`]). Returns `None` until the solve ends.
    pub fn advance(&mut self) -> Option<Ending> {
        let mut ending = self.step();
        if !self.is_within_step() {
            self.smallest.add(self.effort().residual);
            // Damped sweeps, which may follow the double loop, take smaller steps.
            let damping =
                if matches!(self.algorithm, Algorithm::MeanField(..)) { 0.1 } else { self.damping() };
            let stalled = self.smallest.has_stalled(damping).then_some(Ending::MaxIterations);
            ending = ending.or(stalled);
        }
        if self.warm && ending.is_some_and(|ending| !ending.is_solution()) {
            // A warm start may fail where a cold start succeeds.
            self.algorithm = Algorithm::new(self.algorithm.approach(), &self.set, self.hyperparameters.v);
            self.warm = false;
            self.smallest = SmallestResidual::new();
            return None;
        }
        self.ending = ending;
        ending
    }

    fn step(&mut self) -> Option<Ending> {
        match &mut self.algorithm {
            Algorithm::MeanField(solver, state) => solver.advance(&self.set, state),
            Algorithm::Laplace(search) => search.step(&self.set),
            Algorithm::Parallel(parallel) => {
                let finite = parallel.sweep(&self.set)?;
                ending_of_sweep(finite, parallel.residual, parallel.sweeps)
            }
            Algorithm::Sequential(sequential) => {
                let finite = sequential.sweep(&self.set);
                ending_of_sweep(finite, sequential.residual, sequential.sweeps)
            }
        }
    }

    /// Returns how the solve ended; `None` while it is in progress.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Returns the factorisation of the current step; a sequential sweep is not divided.
    fn factoring(&self) -> Option<&ResponseFactoring> {
        match &self.algorithm {
            Algorithm::MeanField(_, state) => Some(state.factoring()),
            Algorithm::Laplace(search) => Some(&search.factoring),
            Algorithm::Parallel(parallel) => Some(&parallel.factoring),
            Algorithm::Sequential(_) => None,
        }
    }

    /// Returns true if the latest slice of work did not complete a step.
    pub fn is_within_step(&self) -> bool {
        self.factoring().is_some_and(ResponseFactoring::is_under_way) || self.at_solution.is_under_way()
    }

    /// Returns the multiply–adds of the latest slice of work: a part of a factorisation, and at the end of a step a few products of
    /// order m².
    pub fn work(&self) -> u64 {
        let slice = self.factoring().map_or_else(|| self.set.cost(), ResponseFactoring::work);
        let products = if self.is_within_step() { 0 } else { 8 * (self.set.len() as u64).pow(2) };
        slice.max(self.at_solution.work()) + products
    }

    /// Returns the approximate multiply–adds of a step.
    pub fn cost(&self) -> u64 {
        self.set.cost()
    }

    /// Returns the fraction of each step that is taken.
    pub fn damping(&self) -> f64 {
        match &self.algorithm {
            Algorithm::Parallel(parallel) => parallel.damping,
            Algorithm::MeanField(..) | Algorithm::Laplace(_) | Algorithm::Sequential(_) => 1.0,
        }
    }

    /// Returns the work and precision so far.
    pub fn effort(&self) -> Effort {
        let (outer_iterations, newton_solves, residual) = match &self.algorithm {
            // The naive theory has no outer loop, and its change of λ is 0.
            Algorithm::MeanField(_, state) => {
                (state.outer_iterations, state.newton_solves, state.residual.max(state.change))
            }
            Algorithm::Laplace(search) => (0, search.newton_solves, search.residual),
            Algorithm::Parallel(parallel) => (parallel.sweeps, 0, parallel.residual),
            Algorithm::Sequential(sequential) => (sequential.sweeps, 0, sequential.residual),
        };
        Effort { outer_iterations, newton_solves, residual }
    }

    /// Returns the posterior at the current state; `None` if a matrix is singular or a number is not finite.
    pub fn posterior(&self) -> Option<Posterior> {
        let (s, _) = self.precisions();
        self.posterior_with(ResponseFactor::new(&self.set, &s)?)
    }

    /// Does one slice of the work for the posterior at the current state; pending until the last slice, and then as
    /// [`Solve::posterior`].
    pub fn advance_posterior(&mut self) -> Poll<Option<Posterior>> {
        let (s, request) = self.precisions();
        let factor = ready!(self.at_solution.advance(&self.set, &s, request));
        Poll::Ready(factor.and_then(|factor| self.posterior_with(factor)))
    }

    /// Returns the current site precisions S, m, and what the posterior requires of the factor of I + S C.
    fn precisions(&self) -> (Vec<f64>, FactorRequest) {
        match &self.algorithm {
            Algorithm::MeanField(solver, state) => {
                let request = match solver.theory {
                    MeanFieldTheory::Tap => FactorRequest::Any,
                    MeanFieldTheory::Naive => FactorRequest::WithInverseDiagonal,
                };
                (Site::precisions(&self.set, &state.gamma, &state.lambda), request)
            }
            Algorithm::Laplace(search) => (search.curvatures(), FactorRequest::WithInverseDiagonal),
            Algorithm::Parallel(parallel) => (parallel.precisions(&self.set), FactorRequest::Any),
            Algorithm::Sequential(sequential) => (sequential.s.clone(), FactorRequest::WithInverseDiagonal),
        }
    }

    /// Returns the posterior with the `factor` of the current site precisions.
    fn posterior_with(&self, factor: ResponseFactor) -> Option<Posterior> {
        let set = &self.set;
        let Hyperparameters { v, kappa, .. } = self.hyperparameters;
        let posterior = match &self.algorithm {
            Algorithm::MeanField(solver, state) => {
                Posterior::of_mean_field(state.solution_with(set, solver.theory, factor), kappa)
            }
            Algorithm::Parallel(parallel) => Posterior::of_mean_field(parallel.solution(set, factor), kappa),
            Algorithm::Sequential(sequential) => {
                Posterior::of_mean_field(sequential.solution(set, &factor)?, kappa)
            }
            Algorithm::Laplace(search) => Posterior::of_laplace(search.approximation(factor)?, set, v, kappa),
        };
        Some(posterior).filter(Posterior::is_finite)
    }

    /// Returns the prediction at the input `at` (N), OW98 eq. (7); `rows` are the inputs of the training set.
    pub fn predict<'a>(
        &self,
        posterior: &Posterior,
        rows: impl Iterator<Item = &'a Vec<f64>>,
        at: &[f64],
    ) -> Prediction {
        posterior.predict(&self.hyperparameters, rows, at)
    }

    /// Returns the hyperparameters.
    pub fn hyperparameters(&self) -> &Hyperparameters {
        &self.hyperparameters
    }
}

/// Returns how a plain iteration ended with its latest sweep; `None` if it continues.
fn ending_of_sweep(finite: bool, residual: f64, sweeps: usize) -> Option<Ending> {
    if !finite {
        Some(Ending::NonFinite)
    } else if residual < TOLERANCE {
        Some(Ending::Converged)
    } else {
        (sweeps >= MAX_SWEEPS).then_some(Ending::MaxIterations)
    }
}
