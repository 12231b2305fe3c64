//! Fits of σ² or of a weight for every input, of v and of κ: L-BFGS with restarts on TAP's log evidence or on the leave-one-out log
//! predictive probability (OW98 §6 suggests both). A fit advances in slices of work and can be read, paused or dropped between two
//! of them.
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
const MAX_SOLVES: usize = 300;
/// Times that a start without a fixed point is moved to more noise, if noise is free.
const RESCUES: usize = 3;
/// Nats per example within which an objective of −ln 2 per example is that of a model that has learnt nothing.
const DEGENERATE: f64 = 1e-6;
/// max |Δλ/λ| to which the equations are solved during the search. The objective is then right to rounding, as the free energy is
/// stationary, and its gradient to much less than the tolerance. The final evaluation is solved to the usual tolerance.
const SEARCH_TOLERANCE: f64 = 1e-7;
/// Fraction of the work of a start that is the search; the rest is its final evaluation.
const SEARCH_FRACTION: f64 = 0.9;
/// The longest step in any coordinate.
const MAX_STEP: f64 = 1.5;

/// An evaluation in progress.
struct PendingEvaluation {
    at: Hyperparameters,
    set: TrainingSet,
    state: MeanFieldState,
    /// True if the solve started at the solution of another evaluation.
    warm: bool,
    /// True if it is the final evaluation of a start: a cold solve at the best hyperparameters.
    last: bool,
    /// Newton solves of a warm start that failed.
    wasted: usize,
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
    /// Ending of the search of this start, once only its final evaluation is left.
    search_ending: Option<Ending>,
    evaluations: usize,
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
            search_ending: None,
            evaluations: 0,
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

    /// Returns the evaluations so far; the last of each start is the cold solve at its best hyperparameters.
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

    /// Returns the fraction done, from the starts that have ended and the decrease of the current gradient. It may go back when a start
    /// is moved to more noise.
    pub fn fraction(&self) -> f64 {
        let part = if self.search_ending.is_some() {
            SEARCH_FRACTION
        } else {
            SEARCH_FRACTION * self.search.progress()
        };
        let starts = self.starts.len() as f64;
        if self.is_finished() { 1.0 } else { (self.restarts.len() as f64 + part) / starts }
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
        let mut solver =
            MeanFieldSolver { max_steps: MAX_SOLVES, ..MeanFieldSolver::new(self.options.theory) };
        if !evaluation.last {
            solver.tolerance = SEARCH_TOLERANCE;
        }
        let ending = loop {
            if let Some(ending) = solver.advance(&evaluation.set, &mut evaluation.state) {
                break ending;
            }
            work = work.saturating_add((m * m).saturating_mul(m));
            if work > SLICE {
                self.evaluation = Some(evaluation);
                return false;
            }
        };
        let values = ending.is_solution().then(|| self.values(&evaluation)).flatten();
        if values.is_none() && evaluation.warm {
            // A warm start may fail where a cold start succeeds.
            evaluation.wasted = evaluation.state.newton_solves;
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
        let last = self.search_ending.is_some();
        let at = match self.improvements.last() {
            Some(best) if last => best.at.clone(),
            _ => self.transform.hyperparameters(self.search.ask()),
        };
        let set = TrainingSet::new(&self.rows, &self.tau, &at.kernel, at.v, at.kappa);
        let solver = MeanFieldSolver::new(self.options.theory);
        let warm_start = self.warm_start.as_ref().filter(|_| !last);
        let state = match warm_start {
            Some((gamma, lambda)) => solver.init_near(&set, gamma, lambda),
            None => solver.init(&set),
        };
        PendingEvaluation { at, set, state, warm: warm_start.is_some(), last, wasted: 0 }
    }

    /// Records a completed evaluation and decides how the search continues. `values` are the objective and its gradient, if there is a
    /// fixed point.
    fn record(&mut self, evaluation: PendingEvaluation, values: Option<&(f64, Vec<f64>)>) {
        let PendingEvaluation { at, state, last, wasted, .. } = evaluation;
        let objective = values.map_or(f64::NEG_INFINITY, |(value, _)| *value);
        let newton_solves = state.newton_solves + wasted;
        let evaluation = FitEvaluation { start: self.start_number(), at, objective, newton_solves };
        self.evaluations += 1;
        self.failures += usize::from(values.is_none());
        self.trace.push(evaluation.clone());
        if last {
            if values.is_none() && self.retreat() {
                return;
            }
            // The value of a start is that of a cold solve, which does not depend on the path of the search.
            if values.is_none() {
                self.search_ending = Some(Ending::NoSolution);
            }
            self.improvements = vec![evaluation];
            self.close_start();
            return;
        }
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
        self.search_ending = match ending {
            _ if self.improvements.is_empty() => Some(Ending::NoSolution),
            None if self.evaluations >= self.options.max_evaluations => Some(Ending::MaxIterations),
            ending => ending,
        };
        let noise_is_free = self.options.free.v || self.options.free.kappa;
        if self.improvements.is_empty() && noise_is_free && self.rescues < RESCUES {
            self.rescues += 1;
            self.search_ending = None;
            self.search = self.search_from_start();
        } else if self.improvements.is_empty() {
            self.close_start();
        }
    }

    /// Drops the better half of the improvements if the best has no cold solution: warm starts can follow a solution to values where
    /// a cold start finds none. Returns false if only one improvement is left.
    fn retreat(&mut self) -> bool {
        let may_retreat = self.improvements.len() > 1;
        if may_retreat {
            self.improvements.truncate(self.improvements.len() / 2);
            self.search_ending = Some(Ending::MaxIterations);
        }
        may_retreat
    }

    /// Ends the current start and opens the next one.
    fn close_start(&mut self) {
        let best = self.improvements.pop();
        self.improvements.clear();
        let ending = self.search_ending.take().unwrap_or(Ending::NoSolution);
        let each = best.as_ref().map_or(f64::NEG_INFINITY, |best| best.objective / self.tau.len() as f64);
        self.restarts.push(Restart {
            bounds: best.as_ref().and_then(|best| self.transform.bounds_reached(&best.at)),
            best,
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
        (self.warm_start, self.evaluations, self.failures, self.rescues) = (None, 0, 0, 0);
        self.search = self.search_from_start();
    }

    fn search_from_start(&self) -> Lbfgs {
        let start = start_point(&self.base, self.options.free, self.start_number(), self.rescues);
        Lbfgs::new(&self.transform.coordinates(&start), self.options.tolerance, MAX_STEP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gp::solver::kernel::KernelKind;

    /// Returns a fit of σ² with two starts that has finished the search from the first.
    fn searched() -> HyperparameterFit {
        let rows: Vec<Vec<f64>> = (0..12).map(|i| vec![f64::from(i * i % 7)]).collect();
        let tau: Vec<f64> = rows.iter().map(|row| if row[0] > 1.5 { 1.0 } else { -1.0 }).collect();
        let free = FreeParameters { length_scales: LengthScales::Shared, v: false, kappa: false };
        let options = Options { starts: 2, ..Options::new(Objective::Evidence, free) };
        let start = Hyperparameters::isotropic(KernelKind::Rbf, 1, 1.0, 0.1, 0.0);
        let mut fit = HyperparameterFit::new(rows, tau, start, options).unwrap();
        while fit.search_ending.is_none() {
            fit.advance();
        }
        fit
    }

    #[test]
    fn without_a_cold_solution_at_the_best_evaluation_an_earlier_one_is_the_result() {
        let mut fit = searched();
        let found = fit.improvements.clone();
        assert!(found.len() > 1, "{found:?}");
        let last = fit.next_evaluation();
        fit.record(last, None);
        assert!(fit.restarts.is_empty());
        while fit.restarts.is_empty() {
            fit.advance();
        }
        let Restart { best: Some(best), ending, .. } = &fit.restarts[0] else { panic!("no result") };
        assert_eq!((&best.at, *ending), (&found[found.len() / 2 - 1].at, Ending::MaxIterations));
        assert!(best.objective.is_finite() && best.objective < found[found.len() - 1].objective);
    }

    #[test]
    fn a_start_without_a_final_cold_solution_does_not_win() {
        let mut fit = searched();
        while fit.restarts.is_empty() {
            let last = fit.next_evaluation();
            fit.record(last, None);
        }
        assert_eq!(fit.restarts[0].ending, Ending::NoSolution);
        assert_eq!(fit.restarts[0].best.as_ref().map(|best| best.objective), Some(f64::NEG_INFINITY));
        while !fit.advance() {}
        let best = fit.best().unwrap();
        assert!(best.ending == Ending::Converged && best.best.as_ref().unwrap().objective.is_finite());
        assert_eq!(best.best.as_ref().unwrap().start, 1);
    }
}
