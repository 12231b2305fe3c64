//! Hyperparameters that maximise the log evidence: σ² or a weight for every input, amplitude and noise, by L-BFGS from several starts
//! (RW06 §5.4.1).

use std::ops::Range;
use std::rc::Rc;
use std::task::Poll;

use super::bound::gradient::GradientSolve;
use super::bound::solve::prior;
use super::solve::{Evidence, EvidenceSolve};
use super::{EvidenceGradient, RegressionModel};
use crate::gp::fit::bounds::LogBounds;
use crate::gp::fit::{LengthScales, SIGMA2};
use crate::gp::inducing::Inducing;
use crate::gp::inducing::choice::PointChoice;
use crate::math::lbfgs::Lbfgs;
use crate::math::{Budget, Ending};

/// Bounds of the amplitude a.
pub const AMPLITUDE: (f64, f64) = (1e-2, 1e3);
/// Bounds of the standard deviation s of the noise.
pub const NOISE: (f64, f64) = (1e-3, 1e2);

/// Further starts: a factor of the given σ², and the noise relative to the amplitude, the root mean square of the targets. The first
/// start has the given hyperparameters.
const STARTS: [(f64, f64); 6] = [(1.0, 0.1), (0.1, 0.1), (10.0, 0.1), (1.0, 0.5), (10.0, 1.0), (0.02, 0.1)];
/// Maximum change of a coordinate in one step.
const MAX_STEP: f64 = 1.0;

/// A model and its log evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// Model.
    pub model: RegressionModel,
    /// Log evidence, nats.
    pub ln_evidence: f64,
}

/// Options of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct FitOptions {
    /// Length scales that are fitted.
    pub length_scales: LengthScales,
    /// Numbers of the starts; start 0 has the given hyperparameters.
    pub starts: Range<usize>,
    /// Maximum number of evaluations of each start.
    pub max_evaluations: usize,
    /// Largest absolute derivative with respect to a coordinate at which a start has converged, in nats.
    pub tolerance: f64,
    /// Inducing points, chosen with the given hyperparameters; then the bound takes the place of the evidence.
    pub inducing: Option<Inducing>,
}

impl Default for FitOptions {
    /// Returns options with one σ² and all starts.
    fn default() -> Self {
        let starts = 0..EvidenceFit::starts();
        Self {
            length_scales: LengthScales::Shared,
            starts,
            max_evaluations: 200,
            tolerance: 1e-6,
            inducing: None,
        }
    }
}

/// A search for the hyperparameters that maximise the log evidence.
pub struct EvidenceFit {
    rows: Rc<Vec<Vec<f64>>>,
    targets: Rc<Vec<f64>>,
    given: RegressionModel,
    options: FitOptions,
    /// Number of the start in progress; the end of the range of starts at the end.
    start: usize,
    search: Lbfgs,
    /// Evaluation in progress.
    evaluation: Option<Evaluation>,
    points: Points,
    /// Evaluations of the start in progress.
    start_evaluations: usize,
    /// Log evidence of each evaluation of all starts; −∞ without a posterior.
    trace: Vec<f64>,
    best: Option<(Fitted, Option<Ending>)>,
}

/// One evaluation of the evidence or of its bound.
enum Evaluation {
    Exact(Box<EvidenceSolve>),
    Bound(Box<GradientSolve>),
}

/// Inducing points of a search.
enum Points {
    None,
    Choice(Box<PointChoice>),
    Chosen(Rc<Vec<Vec<f64>>>),
}

impl Evaluation {
    fn model(&self) -> &RegressionModel {
        match self {
            Self::Exact(solve) => solve.model(),
            Self::Bound(solve) => solve.model(),
        }
    }

    fn advance(&mut self, budget: &mut Budget) -> Poll<Option<Evidence>> {
        match self {
            Self::Exact(solve) => solve.advance(budget),
            Self::Bound(solve) => solve.advance(budget),
        }
    }
}

impl EvidenceFit {
    /// Creates a search with inputs `rows` (m of N) and `targets` (m) that starts at `given`.
    pub fn new(
        rows: Rc<Vec<Vec<f64>>>,
        targets: Rc<Vec<f64>>,
        given: RegressionModel,
        options: FitOptions,
    ) -> Self {
        let mut fit = Self {
            rows,
            targets,
            given,
            start: options.starts.start,
            search: Lbfgs::new(&[], options.tolerance, MAX_STEP),
            evaluation: None,
            points: Points::None,
            start_evaluations: 0,
            trace: Vec::new(),
            best: None,
            options,
        };
        if let Some(inducing) = fit.options.inducing {
            fit.points = Points::Choice(Box::new(PointChoice::new(prior(&fit.given), &fit.rows, inducing)));
        }
        fit.open_start();
        fit
    }

    /// Returns the number of rows that are searched.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Returns true if the bound of inducing points takes the place of the evidence.
    pub fn is_bound(&self) -> bool {
        self.options.inducing.is_some()
    }

    /// Returns the number of starts.
    pub fn starts() -> usize {
        STARTS.len() + 1
    }

    /// Returns the approximate number of multiply–adds of an evaluation with `m` examples, and with this many inducing points if there are
    /// any.
    pub fn evaluation_cost(m: usize, points: Option<usize>) -> f64 {
        points.map_or_else(|| EvidenceSolve::cost(m), |points| GradientSolve::cost(m, points))
    }

    /// Returns the log evidence of each evaluation so far; −∞ without a posterior.
    pub fn trace(&self) -> &[f64] {
        &self.trace
    }

    /// Returns the number of the start in progress, from 0.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Returns the estimated fraction done.
    pub fn fraction(&self) -> f64 {
        let Range { start, end } = self.options.starts;
        let evaluated = self.start_evaluations as f64 / self.options.max_evaluations as f64;
        (((self.start - start) as f64 + evaluated) / (end - start) as f64).min(1.0)
    }

    /// Returns the best model so far; `None` before the first successful evaluation.
    pub fn best(&self) -> Option<&Fitted> {
        self.best.as_ref().map(|(fitted, _)| fitted)
    }

    /// Returns how the search that found the best model ended; `None` while it is in progress.
    pub fn ending(&self) -> Option<Ending> {
        self.best.as_ref().and_then(|(_, ending)| *ending)
    }

    /// Continues until the budget is spent, and at most to the end of an evaluation. Returns true when all starts have ended.
    pub fn advance(&mut self, budget: &mut Budget) -> bool {
        if self.start >= self.options.starts.end {
            return true;
        }
        if let Points::Choice(choice) = &mut self.points {
            let Poll::Ready(points) = choice.advance(budget) else { return false };
            self.points = Points::Chosen(points);
        }
        let mut evaluation = self.evaluation.take().unwrap_or_else(|| self.open_evaluation());
        match evaluation.advance(budget) {
            Poll::Pending => self.evaluation = Some(evaluation),
            Poll::Ready(evidence) => self.tell(evaluation.model().clone(), evidence),
        }
        self.start >= self.options.starts.end
    }

    fn open_evaluation(&self) -> Evaluation {
        let model = self.model(self.search.ask());
        let (rows, targets) = (Rc::clone(&self.rows), Rc::clone(&self.targets));
        match &self.points {
            Points::Chosen(points) => {
                Evaluation::Bound(Box::new(GradientSolve::new(rows, targets, model, Rc::clone(points))))
            }
            Points::None | Points::Choice(_) => {
                Evaluation::Exact(Box::new(EvidenceSolve::new(rows, targets, model)))
            }
        }
    }

    /// Takes the result of an evaluation, and opens the next start if this one has ended.
    fn tell(&mut self, model: RegressionModel, evidence: Option<Evidence>) {
        self.start_evaluations += 1;
        self.trace.push(evidence.as_ref().map_or(f64::NEG_INFINITY, |evidence| evidence.value));
        let ending = if let Some(Evidence { value: ln_evidence, gradient }) = evidence {
            let gradient = self.gradient(&model, &gradient);
            if self.best().is_none_or(|best| ln_evidence > best.ln_evidence) {
                self.best = Some((Fitted { model, ln_evidence }, None));
            }
            self.search.tell(-ln_evidence, &gradient)
        } else {
            self.search.tell(f64::INFINITY, &vec![0.0; self.search.ask().len()])
        };
        let is_spent = self.start_evaluations >= self.options.max_evaluations;
        if let Some(ending) = ending.or(is_spent.then_some(Ending::MaxIterations)) {
            // The best model comes from this start if its ending is not set yet.
            if let Some((_, best @ None)) = &mut self.best {
                *best = Some(ending);
            }
            self.start += 1;
            self.open_start();
        }
    }

    fn open_start(&mut self) {
        let at = self.start_point();
        self.start_evaluations = 0;
        self.search = Lbfgs::new(&self.coordinates(&at), self.options.tolerance, MAX_STEP);
    }

    fn start_point(&self) -> RegressionModel {
        let Some((factor, noise)) = self.start.checked_sub(1).and_then(|start| STARTS.get(start)) else {
            return self.given.clone();
        };
        let squares: f64 = self.targets.iter().map(|t| t * t).sum();
        let size = (squares / self.targets.len().max(1) as f64).sqrt().max(10.0 * NOISE.0);
        let mut kernel = self.given.kernel.clone();
        kernel.weights.iter_mut().for_each(|w| *w /= factor);
        RegressionModel { kernel, amplitude: size, noise: noise * size }
    }

    /// Returns true if σ² is fitted. It cannot be identified along with the amplitude if K is proportional to the weights.
    fn scale_is_free(&self) -> bool {
        self.options.length_scales == LengthScales::Shared && !self.given.kernel.is_proportional_to_weights()
    }

    /// Returns true if a weight for every input is fitted.
    fn weights_are_free(&self) -> bool {
        self.options.length_scales == LengthScales::PerInput
    }

    /// Returns true if the amplitude is fitted: not with the weights of a kernel that is proportional to them.
    fn amplitude_is_free(&self) -> bool {
        !(self.weights_are_free() && self.given.kernel.is_proportional_to_weights())
    }

    /// Returns the coordinates of a model: σ² or that of every input if they are fitted, amplitude and noise.
    fn coordinates(&self, at: &RegressionModel) -> Vec<f64> {
        let coordinate = |bounds, value| LogBounds::of(bounds).unbounded(libm::log(value));
        let inputs = at.kernel.weights.len() as f64;
        let mut z = Vec::new();
        if self.scale_is_free() {
            z.push(coordinate(SIGMA2, sigma2(at)));
        }
        if self.weights_are_free() {
            z.extend(at.kernel.weights.iter().map(|w| coordinate(SIGMA2, 1.0 / (w * inputs))));
        }
        if self.amplitude_is_free() {
            z.push(coordinate(AMPLITUDE, at.amplitude));
        }
        z.push(coordinate(NOISE, at.noise));
        z
    }

    /// Returns the model at coordinates `z`.
    fn model(&self, z: &[f64]) -> RegressionModel {
        let RegressionModel { mut kernel, mut amplitude, .. } = self.given.clone();
        let mut z = z.iter().copied();
        let mut next = |bounds| libm::exp(LogBounds::of(bounds).value(z.next().unwrap_or_default()));
        if self.scale_is_free() {
            let ratio = sigma2(&self.given) / next(SIGMA2);
            kernel.weights.iter_mut().for_each(|w| *w *= ratio);
        }
        if self.weights_are_free() {
            let inputs = kernel.weights.len() as f64;
            kernel.weights.iter_mut().for_each(|w| *w = 1.0 / (next(SIGMA2) * inputs));
        }
        if self.amplitude_is_free() {
            amplitude = next(AMPLITUDE);
        }
        RegressionModel { kernel, amplitude, noise: next(NOISE) }
    }

    /// Returns the gradient of minus the log evidence with respect to the coordinates.
    fn gradient(&self, at: &RegressionModel, gradient: &EvidenceGradient) -> Vec<f64> {
        let slope = |bounds: (f64, f64), value: f64| LogBounds::of(bounds).slope(libm::log(value));
        let inputs = at.kernel.weights.len() as f64;
        let mut z = Vec::new();
        if self.scale_is_free() {
            z.push(gradient.ln_weights.iter().sum::<f64>() * slope(SIGMA2, sigma2(at)));
        }
        if self.weights_are_free() {
            let both = at.kernel.weights.iter().zip(&gradient.ln_weights);
            z.extend(both.map(|(w, by_w)| by_w * slope(SIGMA2, 1.0 / (w * inputs))));
        }
        if self.amplitude_is_free() {
            z.push(-gradient.ln_amplitude * slope(AMPLITUDE, at.amplitude));
        }
        z.push(-gradient.ln_noise * slope(NOISE, at.noise));
        z
    }
}

/// Returns the σ² that corresponds to the mean weight, 1/(N w̄).
pub fn sigma2(model: &RegressionModel) -> f64 {
    1.0 / model.kernel.weights.iter().sum::<f64>()
}
