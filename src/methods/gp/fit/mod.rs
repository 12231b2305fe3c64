//! Fits of σ² or of a weight for every input, of v and of κ: L-BFGS with restarts on TAP's log evidence or on the leave-one-out log
//! predictive probability (OW98 §6 suggests both). A fit advances in slices of work and can be read, paused or dropped between two
//! of them. Each start has a budget of evaluations and of solver steps, at the end of which its best evaluation is its result.
//!
//! Not identified: the linear kernel has no scale beside v, so that only v/w counts, and without noise nothing does
//! ([`HyperparameterFit::note`]). For any kernel both v and κ explain labels that differ from their neighbours', and on few examples one
//! of them goes to its bound. Where σ² is so small that K = I, both objectives are flat at −m ln 2; therefore there are restarts.

pub mod adjoint;
pub(in crate::gp) mod bounds;
pub mod gradient;
mod options;
mod outcome;
mod starts;
mod transform;

pub use options::{FitError, FreeParameters, KAPPA, LengthScales, Objective, Options, SIGMA2, STARTS, V};
pub use outcome::{FitEvaluation, Restart};

use std::f64::consts::LN_2;
use std::mem;
use std::ops::Range;

use self::gradient::HyperGradient;
use self::starts::start_point;
use self::transform::ParameterTransform;
use crate::gp::solver::hyperparameters::Hyperparameters;
use crate::gp::solver::mean_field::MeanFieldSolver;
use crate::gp::solver::state::MeanFieldState;
use crate::gp::solver::training_set::TrainingSet;
use crate::math::Ending;
use crate::math::lbfgs::Lbfgs;

/// Multiply–adds of a slice: a few milliseconds. An evaluation takes about one slice with 100 examples, about twenty with 500.
const SLICE: usize = 20_000_000;
/// Newton solves of one evaluation at most; where κ > 0 leaves several fixed points, more seldom help.
const MAX_SOLVES: usize = 150;
/// Solver steps (Newton solves, updates of λ and sweeps) in the budget of a start for each of its evaluations. A cold start takes about
/// seventeen, a warm start about ten.
const STEPS_EACH: usize = 20;
/// Times that a start without a fixed point is moved to more noise, if noise is free.
const RESCUES: usize = 3;
/// Nats per example within which an objective of −ln 2 per example is that of a model that has learnt nothing.
const DEGENERATE: f64 = 1e-6;
/// max |Δλ/λ| to which the equations are solved. The log evidence is then right to rounding, as the free energy is stationary, and the
/// leave-one-out probability and both gradients to much less than a tolerance of the search.
const SEARCH_TOLERANCE: f64 = 1e-7;
/// The longest step in any coordinate.
const MAX_STEP: f64 = 1.5;

/// An evaluation in progress.
struct PendingEvaluation {
    at: Hyperparameters,
    set: TrainingSet,
    state: MeanFieldState,
    /// True if the solve started at the solution of another evaluation.
    warm: bool,
    /// Newton solves, and all solver steps, of a warm start that failed.
    wasted: (usize, usize),
}

impl PendingEvaluation {
    /// Returns the number of Newton solves.
    fn newton_solves(&self) -> usize {
        self.wasted.0 + self.state.newton_solves
    }

    /// Returns the number of solver steps.
    fn steps(&self) -> usize {
        self.wasted.1 + self.state.newton_solves + self.state.outer_iterations
    }
}

/// A fit in progress.
pub struct HyperparameterFit {
    /// Inputs, m of N.
    rows: Vec<Vec<f64>>,
    /// Labels ±1, m.
    tau: Vec<f64>,
    options: Options,
    /// The starts of this fit, by number.
    starts: Range<usize>,
    base: Hyperparameters,
    transform: ParameterTransform,
    search: Lbfgs,
    evaluation: Option<PendingEvaluation>,
    /// γ and λ at the best evaluation of this start, from which the next solve starts.
    warm_start: Option<(Vec<f64>, Vec<f64>)>,
    /// Evaluations and solver steps of this start.
    evaluations: usize,
    steps: usize,
    failures: usize,
    /// Times that this start was moved to more noise for lack of a fixed point.
    rescues: usize,
    /// Evaluations of this start, each better than all earlier ones; the last is the best.
    improvements: Vec<FitEvaluation>,
    trace: Vec<FitEvaluation>,
    restarts: Vec<Restart>,
}

impl HyperparameterFit {
    /// Returns a fit to inputs `rows` (m of N) with labels `tau` (±1, m), before its first evaluation; the first start is `start`.
    ///
    /// # Errors
    /// If nothing is free, the objective is the naive theory's evidence, the shapes differ, or `start` is out of range.
    pub fn new(
        rows: Vec<Vec<f64>>,
        tau: Vec<f64>,
        start: Hyperparameters,
        options: Options,
    ) -> Result<Self, FitError> {
        options.check(&rows, &tau, &start)?;
        let mut fit = Self {
            rows,
            tau,
            starts: 0..options.starts.max(1),
            options,
            transform: ParameterTransform::new(start.clone(), options.free),
            base: start,
            search: Lbfgs::new(&[], options.tolerance, MAX_STEP),
            evaluation: None,
            warm_start: None,
            evaluations: 0,
            steps: 0,
            failures: 0,
            rescues: 0,
            improvements: Vec::new(),
            trace: Vec::new(),
            restarts: Vec::new(),
        };
        fit.open_start();
        Ok(fit)
    }

    /// Returns the fit with start number `start` (from 0) only; the starts are independent of each other.
    #[must_use]
    pub fn only(mut self, start: usize) -> Self {
        self.starts = start..start + 1;
        self.open_start();
        self
    }

    /// Returns the evaluations so far.
    pub fn trace(&self) -> &[FitEvaluation] {
        &self.trace
    }

    /// Returns the best of the starts that have ended; one without a solution is the worst.
    pub fn best(&self) -> Option<&Restart> {
        let value =
            |restart: &Restart| restart.best.as_ref().map_or(f64::NEG_INFINITY, |best| best.objective);
        self.restarts.iter().reduce(|a, b| if value(b) > value(a) { b } else { a })
    }

    /// Returns the starts that have ended, in their order.
    pub fn restarts(&self) -> &[Restart] {
        &self.restarts
    }

    /// Returns the fraction of the budget that is spent, 1 at the end. It never decreases; a start that converges leaves the rest of its
    /// budget.
    pub fn fraction(&self) -> f64 {
        if self.is_finished() {
            return 1.0;
        }
        let steps = self.steps + self.evaluation.as_ref().map_or(0, PendingEvaluation::steps);
        let share = |spent: usize, budget: usize| spent as f64 / budget.max(1) as f64;
        let spent = share(self.evaluations, self.options.max_evaluations).max(share(steps, self.max_steps()));
        (self.restarts.len() as f64 + spent.min(1.0)) / self.starts.len() as f64
    }

    /// Returns the solver steps of a start at most.
    fn max_steps(&self) -> usize {
        STEPS_EACH.saturating_mul(self.options.max_evaluations)
    }

    /// Returns true if the budget of the current start is spent.
    fn is_spent(&self) -> bool {
        self.evaluations >= self.options.max_evaluations || self.steps >= self.max_steps()
    }

    /// Returns a note on hyperparameters that the data do not identify.
    pub fn note(&self) -> Option<String> {
        let free = self.options.free;
        let kernel = &self.base.kernel;
        if free.length_scales == LengthScales::Fixed || !kernel.is_proportional_to_weights() {
            return None;
        }
        let name = kernel.kind.label();
        if free.v {
            Some(format!("the {name} kernel has no scale beside v: only v σ² counts"))
        } else if self.base.v == 0.0 {
            Some(format!("without noise the scale of the {name} kernel changes nothing"))
        } else {
            None
        }
    }

    fn is_finished(&self) -> bool {
        self.restarts.len() >= self.starts.len()
    }

    /// Returns the number of the current start.
    fn start_number(&self) -> usize {
        self.starts.start + self.restarts.len()
    }

    /// Does one slice of work, at most one evaluation. Returns `true` when all starts have ended.
    pub fn advance(&mut self) -> bool {
        if self.is_finished() {
            return true;
        }
        let (m, inputs) = (self.rows.len(), self.base.kernel.weights.len());
        let mut work = 0;
        let mut evaluation = self.evaluation.take().unwrap_or_else(|| {
            work += m * m * inputs;
            self.next_evaluation()
        });
        let solver = MeanFieldSolver {
            tolerance: SEARCH_TOLERANCE,
            max_steps: MAX_SOLVES,
            ..MeanFieldSolver::new(self.options.theory)
        };
        let max_steps = self.max_steps().saturating_sub(self.steps);
        let ending = loop {
            if let Some(ending) = solver.advance(&evaluation.set, &mut evaluation.state) {
                break ending;
            }
            if evaluation.steps() >= max_steps {
                break Ending::MaxIterations;
            }
            work = work.saturating_add((m * m).saturating_mul(m));
            if work > SLICE {
                self.evaluation = Some(evaluation);
                return false;
            }
        };
        let values = ending.is_solution().then(|| self.values(&evaluation)).flatten();
        if values.is_none() && evaluation.warm && evaluation.steps() < max_steps {
            // A warm start may fail where a cold start succeeds.
            evaluation.wasted = (evaluation.newton_solves(), evaluation.steps());
            evaluation.state = solver.init(&evaluation.set);
            evaluation.warm = false;
            self.evaluation = Some(evaluation);
            return false;
        }
        self.record(evaluation, values.as_ref());
        self.is_finished()
    }

    /// Returns the objective and its gradient in the transformed parameters; `None` if a number is not finite.
    fn values(&self, evaluation: &PendingEvaluation) -> Option<(f64, Vec<f64>)> {
        let PendingEvaluation { at, set, state, .. } = evaluation;
        let solution = state.solution(set, self.options.theory)?;
        let (value, gradient) = match self.options.objective {
            Objective::Evidence => {
                (solution.minus_g, HyperGradient::evidence(&solution, set, &self.rows, &at.kernel))
            }
            Objective::LeaveOneOut => {
                (solution.ln_loo, HyperGradient::leave_one_out(&solution, set, &self.rows, &at.kernel)?)
            }
        };
        let gradient = self.transform.gradient(at, &gradient);
        (value.is_finite() && gradient.iter().all(|g| g.is_finite())).then_some((value, gradient))
    }

    fn next_evaluation(&self) -> PendingEvaluation {
        let at = self.transform.hyperparameters(self.search.ask());
        let set = TrainingSet::new(&self.rows, &self.tau, &at.kernel, at.v, at.kappa);
        let solver = MeanFieldSolver::new(self.options.theory);
        let state = match &self.warm_start {
            Some((gamma, lambda)) => solver.init_near(&set, gamma, lambda),
            None => solver.init(&set),
        };
        PendingEvaluation { at, set, state, warm: self.warm_start.is_some(), wasted: (0, 0) }
    }

    /// Records a completed evaluation and decides how the search continues. `values` are the objective and its gradient, if there is a
    /// fixed point.
    fn record(&mut self, evaluation: PendingEvaluation, values: Option<&(f64, Vec<f64>)>) {
        self.evaluations += 1;
        self.steps += evaluation.steps();
        self.failures += usize::from(values.is_none());
        let newton_solves = evaluation.newton_solves();
        let PendingEvaluation { at, state, .. } = evaluation;
        let objective = values.map_or(f64::NEG_INFINITY, |(value, _)| *value);
        let evaluation = FitEvaluation { start: self.start_number(), at, objective, newton_solves };
        self.trace.push(evaluation.clone());
        if values.is_some() && self.improvements.last().is_none_or(|best| objective > best.objective) {
            self.warm_start = Some((state.gamma, state.lambda));
            self.improvements.push(evaluation);
        }
        let ending = match values {
            Some((value, gradient)) => {
                let descent: Vec<f64> = gradient.iter().map(|g| -g).collect();
                self.search.tell(-value, &descent)
            }
            None => self.search.tell(f64::INFINITY, &vec![0.0; self.search.ask().len()]),
        };
        let noise_is_free = self.options.free.v || self.options.free.kappa;
        match ending {
            _ if self.improvements.is_empty() => {
                if noise_is_free && self.rescues < RESCUES && !self.is_spent() {
                    self.rescues += 1;
                    self.search = self.search_from_start();
                } else {
                    self.close_start(Ending::NoSolution);
                }
            }
            Some(ending) => self.close_start(ending),
            None if self.is_spent() => self.close_start(Ending::MaxIterations),
            None => {}
        }
    }

    /// Ends the current start and opens the next one.
    fn close_start(&mut self, ending: Ending) {
        let mut found = mem::take(&mut self.improvements);
        let best = found.pop();
        let mut earlier = Vec::new();
        let mut left = found.len().div_ceil(2);
        while left > 0 {
            earlier.push(found[left - 1].clone());
            left /= 2;
        }
        let each = best.as_ref().map_or(f64::NEG_INFINITY, |best| best.objective / self.tau.len() as f64);
        self.restarts.push(Restart {
            bounds: best.as_ref().and_then(|best| self.transform.bounds_reached(&best.at)),
            best,
            earlier,
            evaluations: self.evaluations,
            failures: self.failures,
            ending,
            degenerate: ending == Ending::Converged && (each + LN_2).abs() < DEGENERATE,
        });
        if !self.is_finished() {
            self.open_start();
        }
    }

    fn open_start(&mut self) {
        self.warm_start = None;
        (self.evaluations, self.steps, self.failures, self.rescues) = (0, 0, 0, 0);
        self.search = self.search_from_start();
    }

    fn search_from_start(&self) -> Lbfgs {
        let start = start_point(&self.base, self.options.free, self.start_number(), self.rescues);
        Lbfgs::new(&self.transform.coordinates(&start), self.options.tolerance, MAX_STEP)
    }
}
