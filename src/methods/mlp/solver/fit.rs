//! A fit from one start: the mode of the posterior by MAP, then Laplace's Gaussian there, or the Gaussian of least free energy
//! starting from the mode. Each step is one evaluation of the objective, so that a fit can be displayed and paused between any two.

use std::f64::consts::TAU;
use std::rc::Rc;

use super::expectation::expected_error;
use super::gaussian::{CovarianceForm, WeightCovariance, WeightGaussian};
use super::hyperprior::Hyperprior;
use super::mode::{Curvature, EvidenceRounds, INITIAL_PRECISIONS};
use super::mode_search::ModeSearch;
use super::network::{NetworkShape, error, hessian};
use super::options::{InferenceMethod, Optimiser, Options, Scheme};
use super::parametrisation::{BoundWithGradient, Parametrisation};
use super::precisions::{Precisions, VariationalBound};
use super::problem::RegressionProblem;
use crate::math::lbfgs::Lbfgs;
use crate::math::minimiser::Minimiser;
use crate::math::random::{Purpose, Stream};
use crate::math::scg::Scg;
use crate::math::{Budget, Ending};

/// Result of a fit, or the best point so far.
#[derive(Clone, Debug, PartialEq)]
pub struct FitResult {
    /// Fitted Gaussian; for MAP one with zero covariance.
    pub q: WeightGaussian,
    /// F, −ELBO, α and β; F and −ELBO are NaN for MAP.
    pub bound: VariationalBound,
    /// <`E_D`> under `q`.
    pub mean_error: f64,
    /// Evaluations of the free energy so far; for MAP and Laplace, of the log posterior.
    pub evaluations: usize,
    /// Number of eigenvalues of the Hessian that Laplace's method clipped.
    pub clipped: usize,
}

/// Minimisation in progress.
enum FitStage {
    Mode {
        search: ModeSearch,
        rounds: EvidenceRounds,
    },
    Ensemble {
        parametrisation: Parametrisation,
        minimiser: Minimiser,
        alternation: Option<Alternation>,
        age: ScaleAge,
    },
}

/// Age of the coordinates of ensemble learning.
struct ScaleAge {
    /// Evaluations by the current minimiser, and the number after which the coordinates are scaled anew.
    evaluations: usize,
    limit: usize,
    /// Value when the coordinates were scaled.
    first: f64,
}

/// State of the alternation of BB98 section 2.1: the means of α and β for which Q is being fitted.
struct Alternation {
    precisions: Precisions,
    rounds: usize,
}

/// A fit by one method from one start, resumable after each evaluation.
pub struct NetworkFit {
    problem: Rc<RegressionProblem>,
    options: Options,
    stage: FitStage,
    /// Source of the initial off-diagonal parameters.
    stream: Stream,
    result: Option<FitResult>,
    ending: Option<Ending>,
    evaluations: usize,
    /// Objective at each evaluation of the current stage.
    trace: Vec<f64>,
}

/// Longest step of L-BFGS in any coordinate.
const MAX_STEP: f64 = 5.0;
/// Pairs kept by L-BFGS.
const MEMORY: usize = 30;
/// Largest element of the gradient at a mode, in nats per posterior standard deviation.
const MODE_TOLERANCE: f64 = 1e-9;
/// The same for a mode that is only a start, or whose α and β will change.
const ROUGH_MODE_TOLERANCE: f64 = 1e-3;
/// Maximum number of evaluations of a mode search.
const MAX_MODE_EVALUATIONS: usize = 6000;
/// Number of evaluations of the free energy after which the coordinates are scaled anew; doubled whenever the objective has decreased by
/// less than `FAR` nats.
const EVALUATIONS_PER_SCALE: usize = 20;
const FAR: f64 = 0.1;
/// Maximum number of rounds of the alternation.
const MAX_ALTERNATIONS: usize = 100;
/// Relative change of α and β below which the alternation ends.
const ALTERNATION_TOLERANCE: f64 = 1e-6;
/// Standard deviation of the prior above which its weights saturate the hidden units.
const SATURATING_SD: f64 = 5.0;
/// Initial size of off-diagonal parameters, in standard deviations. At 0 the gradient by the factors is 0.
const INITIAL_OFF_DIAGONAL: f64 = 0.1;

impl NetworkFit {
    /// Starts a fit with the search for the mode from weights `start`, k.
    pub fn new(problem: Rc<RegressionProblem>, options: Options, start: &[f64], stream: Stream) -> Self {
        let (alpha, beta) = INITIAL_PRECISIONS;
        let rounds = match problem.hyper {
            Hyperprior::Fixed { alpha, beta } => EvidenceRounds::fixed(alpha, beta),
            // The mode at the initial α and β is a good enough start. Re-estimation may drive all weights to 0.
            Hyperprior::Gamma(_) if matches!(options.method, InferenceMethod::Ensemble(_)) => {
                EvidenceRounds::fixed(alpha, beta)
            }
            Hyperprior::Gamma(_) => EvidenceRounds::re_estimating(),
        };
        let search = mode_search(&problem, start, rounds, options.method);
        let stage = FitStage::Mode { search, rounds };
        Self {
            problem,
            options,
            stage,
            stream,
            result: None,
            ending: None,
            evaluations: 0,
            trace: Vec::new(),
        }
    }

    /// Starts ensemble learning at weights `start` without a search for the mode. From the mode, the minimiser rarely reaches a
    /// Gaussian with saturated units, which may have the lower free energy.
    pub fn without_mode_search(
        problem: Rc<RegressionProblem>,
        options: Options,
        start: &[f64],
        stream: Stream,
    ) -> Self {
        let mut fit = Self::new(problem, options, start, stream);
        if let (FitStage::Mode { rounds, .. }, InferenceMethod::Ensemble(form)) = (&fit.stage, options.method)
        {
            let EvidenceRounds { alpha, beta, .. } = *rounds;
            fit.begin_ensemble(form, start, alpha, beta);
        }
        fit
    }

    /// Returns the best point so far; `None` during the search for the mode.
    pub fn result(&self) -> Option<&FitResult> {
        self.result.as_ref()
    }

    /// Returns how the fit ended; `None` while it is in progress.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Returns the objective at each evaluation: −ELBO in ensemble learning, the energy during the search for the mode.
    pub fn trace(&self) -> &[f64] {
        &self.trace
    }

    /// Returns the number of evaluations of the current objective.
    pub fn evaluations(&self) -> usize {
        self.evaluations
    }

    /// Returns the estimated fraction done, 0 to 1.
    pub fn fraction(&self) -> f64 {
        let part = self.evaluations as f64 / (self.evaluations as f64 + 100.0);
        match self.stage {
            _ if self.ending.is_some() => 1.0,
            FitStage::Mode { .. } => 0.2 * part,
            FitStage::Ensemble { .. } => 0.2 + 0.8 * part,
        }
    }

    /// Evaluates the objective once; returns `true` at the end of the fit.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        if self.ending.is_some() {
            return true;
        }
        match self.stage {
            FitStage::Mode { .. } => self.mode_step(budget),
            FitStage::Ensemble { .. } => self.ensemble_step(budget),
        }
        self.ending.is_some()
    }

    fn mode_step(&mut self, budget: &mut Budget) {
        let FitStage::Mode { search, rounds } = &mut self.stage else { return };
        let (value, ended) = search.step(&self.problem, budget);
        self.evaluations += 1;
        self.trace.push(value);
        let limit = (self.evaluations >= MAX_MODE_EVALUATIONS).then_some(Ending::MaxIterations);
        let Some(ending) = ended.or(limit) else { return };
        if ending == Ending::NonFinite {
            self.ending = Some(ending);
            return;
        }
        let (w, rounds) = (search.best(), *rounds);
        budget.spend((self.problem.examples.count() * w.len() * w.len()) as u64);
        if let InferenceMethod::Ensemble(form) = self.options.method {
            self.begin_ensemble(form, &w, rounds.alpha, rounds.beta);
        } else {
            self.end_mode_round(&w, rounds, ending);
        }
    }

    /// Starts ensemble learning at mean `w`, relative to the Gauss–Newton approximation of the Hessian there, which is positive definite.
    fn begin_ensemble(&mut self, form: CovarianceForm, w: &[f64], alpha: f64, beta: f64) {
        let RegressionProblem { shape, examples, hyper, .. } = &*self.problem;
        let (k, curvature) = (w.len(), hessian(*shape, w, examples, true));
        let precision = |i: usize, j: usize| beta * curvature[i * k + j] + if i == j { alpha } else { 0.0 };
        let parametrisation = Parametrisation::whitened(form, k, precision);
        let theta = parametrisation.theta(w, || match form {
            CovarianceForm::Factor(_) | CovarianceForm::Full => INITIAL_OFF_DIAGONAL * self.stream.normal(),
            CovarianceForm::Diagonal => 0.0,
        });
        let alternation = match (self.options.scheme, hyper) {
            // The means of broad priors are far from the data; the mode was found at the initial precisions.
            (Scheme::Alternating, Hyperprior::Gamma(_)) => {
                let groups = self.problem.groups.count(*shape);
                let (alpha, beta) = INITIAL_PRECISIONS;
                Some(Alternation { precisions: Precisions::shared(groups, alpha, beta), rounds: 0 })
            }
            _ => None,
        };
        let minimiser = ensemble_minimiser(self.options, &theta);
        let age = ScaleAge { evaluations: 0, limit: EVALUATIONS_PER_SCALE, first: f64::INFINITY };
        self.stage = FitStage::Ensemble { minimiser, parametrisation, alternation, age };
        (self.evaluations, self.trace) = (0, Vec::new());
    }

    /// Ends a round of the search for the mode: starts the next one, or ends the fit with its result.
    fn end_mode_round(&mut self, w: &[f64], mut rounds: EvidenceRounds, ending: Ending) {
        let RegressionProblem { shape, examples, hyper, .. } = &*self.problem;
        let (shape, n, k) = (*shape, examples.count(), w.len());
        let curvature = Curvature::new(shape, w, examples, rounds.alpha, rounds.beta);
        let error_at_mode = error(shape, w, examples).0;
        if rounds.next(&curvature, w, error_at_mode, n) {
            let search = mode_search(&self.problem, w, rounds, self.options.method);
            self.stage = FitStage::Mode { search, rounds };
            return;
        }
        let precisions = Precisions::shared(1, rounds.alpha, rounds.beta);
        let (q, mean_error, bound, clipped) = if self.options.method == InferenceMethod::Laplace {
            let q = curvature.gaussian(w);
            let mean_error = expected_error(shape, &q, examples).value;
            let bound = hyper.bound(k, n, mean_error, &[q.mean_square()], curvature.ln_det());
            (q, mean_error, VariationalBound { precisions, ..bound }, curvature.clipped)
        } else {
            let q = WeightGaussian { mean: w.to_vec(), covariance: WeightCovariance::Diagonal(vec![0.0; k]) };
            let bound = VariationalBound { precisions, free_energy: f64::NAN, negative_elbo: f64::NAN };
            (q, error_at_mode, bound, 0)
        };
        self.result = Some(FitResult { q, bound, mean_error, evaluations: self.evaluations, clipped });
        self.ending = Some(ending);
    }

    fn ensemble_step(&mut self, budget: &mut Budget) {
        budget.spend(self.problem.cost(self.options.method));
        let FitStage::Ensemble { parametrisation, minimiser, alternation, age } = &mut self.stage else {
            return;
        };
        age.evaluations += 1;
        let fixed = alternation.as_ref().map(|now| &now.precisions);
        let at = parametrisation.evaluate(minimiser.ask(), &self.problem, fixed);
        let lowest = minimiser.best().1;
        let mut ended = minimiser.tell(at.bound.negative_elbo, &at.gradient);
        self.evaluations += 1;
        // Both schemes report the bound with R(α) and S(β) at their optimum.
        let bound = if fixed.is_some() { collapsed_bound(&self.problem, &at) } else { at.bound };
        self.trace.push(bound.negative_elbo);
        if minimiser.best().1 < lowest {
            let BoundWithGradient { q, mean_error, .. } = at;
            self.result = Some(FitResult { q, bound, mean_error, evaluations: self.evaluations, clipped: 0 });
        }
        if let (Some(_), Some(now), Some(result)) = (ended, alternation.as_mut(), &self.result) {
            let precisions = &result.bound.precisions;
            now.rounds += 1;
            if precisions.change_from(&now.precisions) > ALTERNATION_TOLERANCE
                && now.rounds < MAX_ALTERNATIONS
            {
                now.precisions = precisions.clone();
                *minimiser = ensemble_minimiser(self.options, minimiser.best().0);
                *age = ScaleAge { evaluations: 0, first: f64::INFINITY, ..*age };
                ended = None;
            }
        }
        if let Some(result) = &mut self.result {
            result.evaluations = self.evaluations;
        }
        let limit = (self.evaluations >= self.options.max_evaluations).then_some(Ending::MaxIterations);
        self.ending = ended.or(limit);
        if self.ending.is_none() && age.evaluations >= age.limit {
            self.rescale(budget);
        }
    }

    /// Continues ensemble learning in coordinates that are scaled by the curvature at the best point so far. Ends the fit if the objective
    /// has not decreased since the last time: differences are then below its rounding error.
    fn rescale(&mut self, budget: &mut Budget) {
        let FitStage::Ensemble { parametrisation, minimiser, alternation, age } = &mut self.stage else {
            return;
        };
        let (theta, value) = minimiser.best();
        if value >= age.first {
            self.ending = Some(Ending::Stalled);
            return;
        }
        let Some(FitResult { bound, .. }) = &self.result else { return };
        let precisions = alternation.as_ref().map_or(&bound.precisions, |now| &now.precisions);
        budget.spend(self.problem.cost(InferenceMethod::Ensemble(CovarianceForm::Full)));
        let (scaled, theta) = parametrisation.rescaled(theta, |q| self.problem.mean_precision(q, precisions));
        // Far from the optimum the curvature changes; near it, the minimiser's memory is worth more.
        let far = age.first - value > FAR;
        let limit = if far { EVALUATIONS_PER_SCALE } else { 2 * age.limit };
        *age = ScaleAge { evaluations: 0, limit, first: value };
        *parametrisation = scaled;
        *minimiser = ensemble_minimiser(self.options, &theta);
    }
}

/// Returns the bound with R(α) and S(β) at their optimum, from an evaluation at fixed α and β, whose F gives ln|C|.
fn collapsed_bound(problem: &RegressionProblem, at: &BoundWithGradient) -> VariationalBound {
    let (k, squares) = (at.q.mean.len(), problem.group_squares(|i| at.q.square(i)));
    let VariationalBound { precisions, free_energy, .. } = &at.bound;
    let ln_det =
        2.0 * (precisions.energy(at.mean_error, &squares) - free_energy) - k as f64 * (1.0 + libm::log(TAU));
    problem.hyper.bound(k, problem.examples.count(), at.mean_error, &squares, ln_det)
}

fn mode_search(
    problem: &RegressionProblem,
    start: &[f64],
    rounds: EvidenceRounds,
    method: InferenceMethod,
) -> ModeSearch {
    let rough = rounds.in_progress() || matches!(method, InferenceMethod::Ensemble(_));
    let tolerance = if rough { ROUGH_MODE_TOLERANCE } else { MODE_TOLERANCE };
    ModeSearch::new(problem, start, (rounds.alpha, rounds.beta), tolerance)
}

fn ensemble_minimiser(options: Options, start: &[f64]) -> Minimiser {
    match options.optimiser {
        Optimiser::Lbfgs => {
            Minimiser::Lbfgs(Lbfgs::new(start, options.tolerance, MAX_STEP).with_memory(MEMORY))
        }
        Optimiser::Scg => Minimiser::Scg(Scg::new(start, options.tolerance)),
    }
}

/// Starts a fit with the search for the mode from weights `start`, k, such as the mean of a fit to other examples.
pub fn warm_start(problem: &Rc<RegressionProblem>, options: Options, start: &[f64], seed: u64) -> NetworkFit {
    let stream = Stream::for_purpose(seed, Purpose::MlpInitialWeights, u64::MAX);
    NetworkFit::new(Rc::clone(problem), options, start, stream)
}

/// Starts ensemble learning at zero weights, without a search for the mode: this start finds the constant function where random starts
/// miss it.
pub fn start_at_zero(problem: &Rc<RegressionProblem>, options: Options, seed: u64) -> NetworkFit {
    let stream = Stream::for_purpose(seed, Purpose::MlpInitialWeights, u64::MAX - 1);
    let start = vec![0.0; problem.shape.weights()];
    NetworkFit::without_mode_search(Rc::clone(problem), options, &start, stream)
}

/// Starts fit number `index` from random weights. Most starts are at small weights; if α is fixed and the prior is so broad that
/// units saturate, every second start of ensemble learning is drawn from the prior, without a search for the mode.
pub fn restart(problem: &Rc<RegressionProblem>, options: Options, index: usize, seed: u64) -> NetworkFit {
    let NetworkShape { inputs, .. } = problem.shape;
    let outputs = problem.shape.outputs();
    let mut stream = Stream::for_purpose(seed, Purpose::MlpInitialWeights, index as u64);
    let prior_sd = match problem.hyper {
        Hyperprior::Fixed { alpha, .. } => 1.0 / alpha.sqrt(),
        Hyperprior::Gamma(_) => 1.0,
    };
    let ensemble = matches!(options.method, InferenceMethod::Ensemble(_));
    let from_prior = index % 2 == 1 && prior_sd > SATURATING_SD && ensemble;
    let sd = |at: usize| match at < outputs {
        true if from_prior => prior_sd,
        true => 1.0 / (inputs as f64).sqrt(),
        false => 0.5,
    };
    let start: Vec<f64> = (0..problem.shape.weights()).map(|at| stream.normal() * sd(at)).collect();
    let begin = if from_prior { NetworkFit::without_mode_search } else { NetworkFit::new };
    begin(Rc::clone(problem), options, &start, stream)
}
