//! Fitting of σ² or a weight for every input, of v and of κ: L-BFGS with restarts on TAP's log evidence, or on its
//! leave-one-out log predictive. A fit is under way as long as [`Fit::advance`] says so; between any two calls it can be shown,
//! paused or dropped.
//!
//! What cannot be told apart: the linear kernel has no scale beside v, so that only v/w counts, and without noise nothing
//! does ([`Fit::note`]); for any kernel v and κ both explain labels against their neighbours, and on few examples one of them
//! goes to its bound; where σ² is so small that K = I both objectives are flat, −m ln 2, which is why there are restarts.

pub mod adjoint;
mod coordinates;
pub mod gradient;
mod options;
mod outcome;

pub use coordinates::{Free, KAPPA, SIGMA2, Scale, V};
pub use options::{Objective, Options, Refusal, STARTS};
pub use outcome::{Restart, Trial};

use std::f64::consts::LN_2;
use std::ops::Range;

use coordinates::Coordinates;

use self::gradient::Gradient;
use crate::gp::solver::kernel::Kind;
use crate::gp::solver::setting::Setting;
use crate::gp::solver::tap::{MeanField, State, Tap};
use crate::gp::solver::training_set::TrainingSet;
use crate::math::Ending;
use crate::math::lbfgs::Lbfgs;

/// Multiplications in a slice: a few milliseconds anywhere. An evaluation of 100 examples is about one, of 500 about twenty.
const SLICE: usize = 20_000_000;
/// Newton solves of one evaluation at most; where κ > 0 leaves many fixed points more of them seldom help.
const MOST_SOLVES: usize = 300;
/// How often a start without a fixed point is moved to more noise, if that is free.
const RESCUES: usize = 3;
/// Nats for each example within which an objective is that of a model that learns nothing, −ln 2.
const DEGENERATE: f64 = 1e-6;
/// max |Δλ/λ| at which the equations are solved while a place is searched for: the objective is then right to rounding, as the free
/// energy is stationary, and its gradient to much less than any tolerance. The last evaluation is solved to the usual tolerance.
const SEARCHING: f64 = 1e-7;
/// Fraction of a start's work that the search is; the rest is its last evaluation.
const SEARCH: f64 = 0.9;
/// The longest step in any logarithm.
const LONGEST: f64 = 1.5;

/// An evaluation under way.
struct Evaluation {
    at: Setting,
    problem: TrainingSet,
    state: State,
    /// Whether it began at the solution of another place.
    warm: bool,
    /// Whether it is the last one of a start, at its best place and begun from nothing.
    last: bool,
    /// Newton solves of a warm beginning that failed.
    wasted: usize,
}

/// A fit under way; see the module.
pub struct Fit {
    rows: Vec<Vec<f64>>,
    tau: Vec<f64>,
    options: Options,
    /// The starts that are searched from, by number.
    starts: Range<usize>,
    base: Setting,
    coordinates: Coordinates,
    search: Lbfgs,
    evaluation: Option<Evaluation>,
    /// γ and λ of the best place of this start: where the next solve begins.
    near: Option<(Vec<f64>, Vec<f64>)>,
    /// How the search ended, while its best place is evaluated once more.
    told: Option<Ending>,
    evaluations: usize,
    failures: usize,
    /// How often this start was moved to more noise for want of a fixed point.
    rescues: usize,
    here: Option<Trial>,
    trace: Vec<Trial>,
    restarts: Vec<Restart>,
}

impl Fit {
    /// A fit to examples `rows` (m of N inputs) with labels `tau` (±1, m), begun at `start`.
    ///
    /// # Errors
    /// Why there is nothing to fit.
    pub fn new(
        rows: Vec<Vec<f64>>,
        tau: Vec<f64>,
        start: Setting,
        options: Options,
    ) -> Result<Self, Refusal> {
        let free = options.free;
        if (options.theory, options.objective) == (MeanField::Naive, Objective::Evidence) {
            return Err(Refusal::NaiveEvidence);
        }
        if free.scale == Scale::Fixed && !free.v && !free.kappa {
            return Err(Refusal::NothingFree);
        }
        let inputs = start.kernel.weights.len();
        if rows.is_empty()
            || inputs == 0
            || tau.len() != rows.len()
            || rows.iter().any(|row| row.len() != inputs)
        {
            return Err(Refusal::Shape);
        }
        let weights = start.kernel.weights.iter().all(|w| *w > 0.0 && w.is_finite());
        let v = start.v >= 0.0 && start.v.is_finite();
        let sigma2 = start.sigma2 > 0.0 && start.sigma2.is_finite();
        if !(weights && sigma2 && v && (0.0..0.5).contains(&start.kappa)) {
            return Err(Refusal::Start);
        }
        let coordinates = Coordinates::new(start.clone(), free);
        let search = Lbfgs::new(&[], options.tolerance, LONGEST);
        let mut fit = Self {
            rows,
            tau,
            starts: 0..options.starts.max(1),
            options,
            base: start,
            coordinates,
            search,
            evaluation: None,
            near: None,
            told: None,
            evaluations: 0,
            failures: 0,
            rescues: 0,
            here: None,
            trace: Vec::new(),
            restarts: Vec::new(),
        };
        fit.set_out();
        Ok(fit)
    }

    /// Only the search from start number `start`, from 0: each is independent of the others.
    #[must_use]
    pub fn only(mut self, start: usize) -> Self {
        self.starts = start..start + 1;
        self.set_out();
        self
    }

    /// The evaluations so far; the last one of each start is at its best place, begun from nothing.
    pub fn trace(&self) -> &[Trial] {
        &self.trace
    }

    /// The start that ended best, of those that have; one that ended nowhere, or without a solution, is the worst.
    pub fn best(&self) -> Option<&Restart> {
        let value =
            |restart: &Restart| restart.best.as_ref().map_or(f64::NEG_INFINITY, |best| best.objective);
        self.restarts.iter().reduce(|a, b| if value(b) > value(a) { b } else { a })
    }

    /// The starts that have ended, in their order.
    pub fn restarts(&self) -> &[Restart] {
        &self.restarts
    }

    /// Fraction done, by the starts that have ended and how far the gradient of the present one has fallen. A search that meets
    /// another slope, or is moved to more noise, goes back.
    pub fn fraction(&self) -> f64 {
        let part = if self.told.is_some() { SEARCH } else { SEARCH * self.search.progress() };
        let starts = self.starts.len() as f64;
        if self.finished() { 1.0 } else { (self.restarts.len() as f64 + part) / starts }
    }

    /// What of the result means nothing, in words.
    pub fn note(&self) -> Option<&'static str> {
        let free = self.options.free;
        let linear = self.base.kernel.kind == Kind::Linear && free.scale != Scale::Fixed;
        if linear && free.v {
            Some("the linear kernel has no scale beside v: only v σ² counts")
        } else if linear && self.base.v == 0.0 {
            Some("without noise the scale of the linear kernel changes nothing")
        } else {
            None
        }
    }

    fn finished(&self) -> bool {
        self.restarts.len() >= self.starts.len()
    }

    /// The start that is searched from.
    fn index(&self) -> usize {
        self.starts.start + self.restarts.len()
    }

    /// One slice of work: at most one evaluation. `true` when all starts have ended.
    pub fn advance(&mut self) -> bool {
        if self.finished() {
            return true;
        }
        let (m, inputs) = (self.rows.len(), self.base.kernel.weights.len());
        let mut work = 0;
        let mut evaluation = self.evaluation.take().unwrap_or_else(|| {
            work += m * m * inputs;
            self.begin()
        });
        let mut solver = Tap { most_steps: MOST_SOLVES, ..Tap::new(self.options.theory) };
        if !evaluation.last {
            solver.tolerance = SEARCHING;
        }
        let ending = loop {
            if let Some(ending) = solver.advance(&evaluation.problem, &mut evaluation.state) {
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
            // Not every beginning leads to a fixed point; what there is without one is tried as well.
            evaluation.wasted = evaluation.state.newton_solves;
            evaluation.state = solver.init(&evaluation.problem);
            evaluation.warm = false;
            self.evaluation = Some(evaluation);
            return false;
        }
        self.take_in(evaluation, values.as_ref());
        self.finished()
    }

    /// Objective and its gradient by the coordinates; `None` where a number is lost.
    fn values(&self, evaluation: &Evaluation) -> Option<(f64, Vec<f64>)> {
        let Evaluation { at, problem, state, .. } = evaluation;
        let solution = state.solution(problem, self.options.theory)?;
        let (value, gradient) = match self.options.objective {
            Objective::Evidence => {
                (solution.minus_g, Gradient::evidence(&solution, problem, &self.rows, &at.kernel))
            }
            Objective::LeaveOneOut => {
                (solution.ln_loo, Gradient::leave_one_out(&solution, problem, &self.rows, &at.kernel)?)
            }
        };
        let gradient = self.coordinates.gradient(at, &gradient);
        (value.is_finite() && gradient.iter().all(|g| g.is_finite())).then_some((value, gradient))
    }

    fn begin(&self) -> Evaluation {
        let last = self.told.is_some();
        let at = match &self.here {
            Some(here) if last => here.at.clone(),
            _ => self.coordinates.at(self.search.ask()),
        };
        let problem = TrainingSet::new(&self.rows, &self.tau, &at.kernel, at.v, at.kappa);
        let solver = Tap::new(self.options.theory);
        let near = self.near.as_ref().filter(|_| !last);
        let state = match near {
            Some((gamma, lambda)) => solver.init_near(&problem, gamma, lambda),
            None => solver.init(&problem),
        };
        Evaluation { at, problem, state, warm: near.is_some(), last, wasted: 0 }
    }

    fn take_in(&mut self, evaluation: Evaluation, values: Option<&(f64, Vec<f64>)>) {
        let Evaluation { at, state, last, wasted, .. } = evaluation;
        let objective = values.map_or(f64::NEG_INFINITY, |(value, _)| *value);
        let newton_solves = state.newton_solves + wasted;
        let trial = Trial { start: self.index(), at, objective, newton_solves };
        self.evaluations += 1;
        self.failures += usize::from(values.is_none());
        self.trace.push(trial.clone());
        if last {
            // What counts is what is found there from nothing, as anybody would; nothing, where nothing is.
            if values.is_none() {
                self.told = Some(Ending::NoSolution);
            }
            self.here = Some(trial);
            self.end();
            return;
        }
        if values.is_some() && self.here.as_ref().is_none_or(|here| objective > here.objective) {
            self.near = Some((state.gamma, state.lambda));
            self.here = Some(trial);
        }
        let told = match values {
            Some((value, gradient)) => {
                let down: Vec<f64> = gradient.iter().map(|g| -g).collect();
                self.search.tell(-value, &down)
            }
            None => self.search.tell(f64::INFINITY, &vec![0.0; self.search.ask().len()]),
        };
        self.told = match told {
            _ if self.here.is_none() => Some(Ending::NoSolution),
            None if self.evaluations >= self.options.most_evaluations => Some(Ending::MaxIterations),
            told => told,
        };
        let noise = self.options.free.v || self.options.free.kappa;
        if self.here.is_none() && noise && self.rescues < RESCUES {
            self.rescues += 1;
            self.told = None;
            self.search = self.search_from_start();
        } else if self.here.is_none() {
            self.end();
        }
    }

    /// Closes the search from this start, and opens the next.
    fn end(&mut self) {
        let best = self.here.take();
        let ending = self.told.take().unwrap_or(Ending::NoSolution);
        let each = best.as_ref().map_or(f64::NEG_INFINITY, |best| best.objective / self.tau.len() as f64);
        self.restarts.push(Restart {
            bounds: best.as_ref().and_then(|best| self.coordinates.bounds_reached(&best.at)),
            best,
            evaluations: self.evaluations,
            failures: self.failures,
            ending,
            degenerate: ending == Ending::Converged && (each + LN_2).abs() < DEGENERATE,
        });
        if !self.finished() {
            self.set_out();
        }
    }

    fn set_out(&mut self) {
        (self.near, self.evaluations, self.failures, self.rescues) = (None, 0, 0, 0);
        self.search = self.search_from_start();
    }

    fn search_from_start(&self) -> Lbfgs {
        let start = self.coordinates.of(&self.start(self.index(), self.rescues));
        Lbfgs::new(&start, self.options.tolerance, LONGEST)
    }

    /// Where start `index` begins: the given place, with what is free moved up and down by factors, and with more noise at each
    /// rescue.
    fn start(&self, index: usize, rescues: usize) -> Setting {
        let free = self.options.free;
        let mut start = self.base.clone();
        // A noise that is fitted must be felt at the start.
        if free.v && start.v < 1e-3 {
            start.v = 1e-2;
        }
        if free.kappa && start.kappa < 1e-3 {
            start.kappa = 1e-2;
        }
        // 0, 1, −1, 1.5, −1.5, …; with both to move, three scales for every noise.
        let aside = |index: usize| {
            let far = if index == 0 { 0.0 } else { 0.5 * (1.0 + index.div_ceil(2) as f64) };
            if index % 2 == 1 { far } else { -far }
        };
        let (scale, noise) = match (free.scale != Scale::Fixed, free.v || free.kappa) {
            (true, true) => (aside(index % 3), (index / 3) as f64),
            (true, false) => (aside(index), 0.0),
            (false, _) => (0.0, aside(index)),
        };
        start.kernel.weights.iter_mut().for_each(|w| *w *= libm::exp(2.0 * scale));
        start.sigma2 *= libm::exp(-2.0 * scale);
        if free.v {
            start.v *= libm::exp(3.0 * noise + 2.5 * rescues as f64);
        }
        if free.kappa {
            start.kappa = (start.kappa * libm::exp(1.5 * noise)).min(0.3);
        }
        if free.kappa && !free.v {
            start.kappa = (start.kappa * libm::exp(rescues as f64)).min(0.3);
        }
        start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_not_found_from_nothing_does_not_count() {
        let rows: Vec<Vec<f64>> = (0..12).map(|i| vec![f64::from(i * i % 7)]).collect();
        let tau: Vec<f64> = rows.iter().map(|row| if row[0] > 1.5 { 1.0 } else { -1.0 }).collect();
        let free = Free { scale: Scale::Shared, v: false, kappa: false };
        let options = Options { starts: 2, ..Options::new(Objective::Evidence, free) };
        let mut fit = Fit::new(rows, tau, Setting::isotropic(Kind::Rbf, 1, 1.0, 0.1, 0.0), options).unwrap();
        while fit.told.is_none() {
            fit.advance();
        }
        let last = fit.begin();
        fit.take_in(last, None);
        assert_eq!(fit.restarts[0].ending, Ending::NoSolution);
        assert_eq!(fit.restarts[0].best.as_ref().map(|best| best.objective), Some(f64::NEG_INFINITY));
        while !fit.advance() {}
        let best = fit.best().unwrap();
        assert!(best.ending == Ending::Converged && best.best.as_ref().unwrap().objective.is_finite());
        assert_eq!(best.best.as_ref().unwrap().start, 1);
    }
}
