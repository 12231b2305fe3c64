//! A fit from one start: the mode of the posterior, then Laplace's Gaussian there, or the Gaussian of least free energy, begun at
//! the mode. One evaluation a step, so that it can be watched, paused or dropped between any two.

use std::rc::Rc;

use super::coordinates::{Coordinates, Form};
use super::expectation::expected_error;
use super::gaussian::{Covariance, Gaussian};
use super::hyper::{Bound, Hyper};
use super::inputs::Examples;
use super::mode::{Curvature, FIRST, Rounds, energy};
use super::network::{Shape, error, hessian};
use crate::math::lbfgs::Lbfgs;
use crate::math::minimiser::Minimiser;
use crate::math::random::{Purpose, Stream};
use crate::math::scg::Scg;
use crate::math::{Budget, Ending};

/// What is fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The weights of largest posterior density alone.
    Map,
    /// Laplace's Gaussian at the mode.
    Laplace,
    /// The Gaussian of least free energy.
    Ensemble(Form),
}

/// How the free energy is minimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimiser {
    /// Limited-memory BFGS, 30 pairs.
    Lbfgs,
    /// Scaled conjugate gradients, as in the paper.
    Scg,
}

/// How α and β with Gamma priors are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// In one search over everything: R and S are always at their optimum.
    Collapsed,
    /// The paper's: Q at fixed means of α and β, then these again.
    Alternating,
}

/// Options of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// What is fitted.
    pub method: Method,
    /// Of ensemble learning; the mode is always searched by L-BFGS.
    pub optimiser: Optimiser,
    /// For Gamma priors.
    pub scheme: Scheme,
    /// No element of the gradient is larger at the end, in nats a unit.
    pub tolerance: f64,
    /// Evaluations of the free energy at most.
    pub most_evaluations: usize,
}

impl Options {
    /// `method` by L-BFGS over everything.
    pub fn new(method: Method) -> Self {
        Self {
            method,
            optimiser: Optimiser::Lbfgs,
            scheme: Scheme::Collapsed,
            tolerance: 1e-6,
            most_evaluations: 5000,
        }
    }
}

/// A network, its examples and what is known of α and β.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Units and inputs.
    pub shape: Shape,
    /// Inputs and targets.
    pub examples: Examples,
    /// α and β.
    pub hyper: Hyper,
}

impl Problem {
    /// Multiply–adds of an evaluation of the free energy, roughly.
    pub fn cost(&self, method: Method) -> u64 {
        let Shape { hidden, inputs } = self.shape;
        let (h, d, k) = (hidden as u64, inputs as u64, self.shape.weights() as u64);
        let pairs = h * (h + 1) / 2;
        let (each, once) = match method {
            Method::Map => (h * (4 * d + 60), 0),
            Method::Ensemble(Form::Diagonal) => (h * (6 * d + 700), 8 * k),
            Method::Ensemble(Form::Factor(s)) => (pairs * 1400 + h * d * (6 + 4 * s as u64), 20 * k),
            Method::Laplace | Method::Ensemble(Form::Full) => (pairs * (1400 + 2 * d * d), k * k * k),
        };
        (self.examples.count().div_ceil(8) as u64 * 8) * each + once + 200
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The Gaussian; at the mode alone, one without variance.
    pub q: Gaussian,
    /// F, −ELBO, α and β; F and −ELBO are NaN for the mode alone.
    pub bound: Bound,
    /// <`E_D`> under it.
    pub mean_error: f64,
    /// Evaluations of the free energy so far; of the posterior for the mode and Laplace's Gaussian.
    pub evaluations: usize,
    /// Eigenvalues that Laplace's method had to clip.
    pub clipped: usize,
}

/// What is under way.
enum Stage {
    Mode { search: Lbfgs, rounds: Rounds },
    Ensemble { coordinates: Coordinates, search: Minimiser, alternation: Option<Alternation> },
}

/// The paper's alternation: α and β as they are fixed now.
struct Alternation {
    alpha: f64,
    beta: f64,
    rounds: usize,
}

/// A fit of one method from one start, resumable step by step.
pub struct Fit {
    problem: Rc<Problem>,
    options: Options,
    stage: Stage,
    /// For what the mode does not say: where factors begin.
    stream: Stream,
    found: Option<Found>,
    ending: Option<Ending>,
    evaluations: usize,
    /// −ELBO of each evaluation of ensemble learning, −ln of the posterior density of each of a mode's.
    trace: Vec<f64>,
}

/// The longest step of a search in any coordinate.
const LONGEST: f64 = 5.0;
const MEMORY: usize = 30;
/// Largest element of the gradient at a mode, by a weight; and at one that is only a start, or whose α and β will change.
const MODE: f64 = 1e-8;
const ROUGH_MODE: f64 = 1e-3;
/// Evaluations of a mode search at most.
const MOST_MODE: usize = 6000;
/// Rounds of the alternation at most, and the relative change of α and β that ends it.
const MOST_ROUNDS: usize = 100;
const SETTLED: f64 = 1e-6;
/// Weights of a prior this wide saturate their units.
const SATURATING: f64 = 5.0;
/// Size of the factors at the start, in standard deviations: at 0 their gradient is 0.
const FIRST_FACTORS: f64 = 0.1;

impl Fit {
    /// A fit that begins at weights `start`.
    pub fn new(problem: Rc<Problem>, options: Options, start: &[f64], stream: Stream) -> Self {
        let rounds = match problem.hyper {
            Hyper::Fixed { alpha, beta } => Rounds::fixed(alpha, beta),
            // As a start the mode at the first values does; re-estimated ones may lie where nothing is learnt.
            Hyper::Gamma(_) if matches!(options.method, Method::Ensemble(_)) => {
                Rounds::fixed(FIRST.0, FIRST.1)
            }
            Hyper::Gamma(_) => Rounds::re_estimating(),
        };
        let stage = Stage::Mode { search: mode_search(start, rounds, options.method), rounds };
        Self { problem, options, stage, stream, found: None, ending: None, evaluations: 0, trace: Vec::new() }
    }

    /// The same without a search for the mode: from there, units that are saturated have hardly a way back, and a Gaussian that
    /// has them may be the better one.
    pub fn away_from_the_mode(problem: Rc<Problem>, options: Options, start: &[f64], stream: Stream) -> Self {
        let mut fit = Self::new(problem, options, start, stream);
        if let (Stage::Mode { rounds, .. }, Method::Ensemble(_)) = (&fit.stage, options.method) {
            let Rounds { alpha, beta, .. } = *rounds;
            fit.open(start, alpha, beta);
        }
        fit
    }

    /// The best so far; of a mode search nothing before its end.
    pub fn found(&self) -> Option<&Found> {
        self.found.as_ref()
    }

    /// How it ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// One value an evaluation of what is being minimised; it starts anew after the mode search.
    pub fn trace(&self) -> &[f64] {
        &self.trace
    }

    /// Evaluations so far of what is being minimised.
    pub fn evaluations(&self) -> usize {
        self.evaluations
    }

    /// Fraction done, as far as it is known.
    pub fn fraction(&self) -> f64 {
        let part = self.evaluations as f64 / (self.evaluations as f64 + 100.0);
        match self.stage {
            _ if self.ending.is_some() => 1.0,
            Stage::Mode { .. } => 0.2 * part,
            Stage::Ensemble { .. } => 0.2 + 0.8 * part,
        }
    }

    /// Makes one evaluation of what is minimised; `true` when the fit has ended.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        if self.ending.is_some() {
            return true;
        }
        match self.stage {
            Stage::Mode { .. } => self.mode_step(budget),
            Stage::Ensemble { .. } => self.ensemble_step(budget),
        }
        self.ending.is_some()
    }

    fn mode_step(&mut self, budget: &mut Budget) {
        let Problem { shape, examples, .. } = &*self.problem;
        let (shape, n) = (*shape, examples.count());
        budget.spend(self.problem.cost(Method::Map));
        let Stage::Mode { search, rounds } = &mut self.stage else { return };
        let (value, gradient) = energy(shape, search.ask(), examples, rounds.alpha, rounds.beta);
        self.evaluations += 1;
        self.trace.push(value);
        let ended = search.tell(value, &gradient);
        let Some(ending) = ended.or((self.evaluations >= MOST_MODE).then_some(Ending::MaxIterations)) else {
            return;
        };
        if ending == Ending::NonFinite {
            self.ending = Some(ending);
            return;
        }
        let (w, rounds) = (search.best().0.to_vec(), *rounds);
        budget.spend((n * w.len() * w.len()) as u64);
        if let Method::Ensemble(_) = self.options.method {
            self.open(&w, rounds.alpha, rounds.beta);
        } else {
            self.close_mode(&w, rounds, ending);
        }
    }

    /// From the mode to the Gaussian: standard deviations by the diagonal of the Hessian.
    fn open(&mut self, w: &[f64], alpha: f64, beta: f64) {
        let Problem { shape, examples, .. } = &*self.problem;
        let (k, curvature) = (w.len(), hessian(*shape, w, examples, false));
        let sds = (0..k).map(|i| 1.0 / (beta * curvature[i * k + i] + alpha).max(alpha).sqrt()).collect();
        self.stage = ensemble(&self.problem, self.options, w, sds, &mut self.stream);
        (self.evaluations, self.trace) = (0, Vec::new());
    }

    /// The end of a mode search, or of one of its rounds.
    fn close_mode(&mut self, w: &[f64], mut rounds: Rounds, ending: Ending) {
        let Problem { shape, examples, hyper } = &*self.problem;
        let (shape, n, k) = (*shape, examples.count(), w.len());
        let curvature = Curvature::new(shape, w, examples, rounds.alpha, rounds.beta);
        let plain = error(shape, w, examples).0;
        if rounds.next(&curvature, w, plain, n) {
            self.stage = Stage::Mode { search: mode_search(w, rounds, self.options.method), rounds };
            return;
        }
        let (alpha, beta) = (rounds.alpha, rounds.beta);
        let (q, mean_error, bound, clipped) = if self.options.method == Method::Laplace {
            let q = curvature.gaussian(w);
            let mean_error = expected_error(shape, &q, examples).value;
            let bound = hyper.bound(k, n, mean_error, q.mean_square(), curvature.ln_det());
            (q, mean_error, Bound { alpha, beta, ..bound }, curvature.clipped)
        } else {
            let q = Gaussian { mean: w.to_vec(), covariance: Covariance::Diagonal(vec![0.0; k]) };
            (q, plain, Bound { alpha, beta, free_energy: f64::NAN, negative_elbo: f64::NAN }, 0)
        };
        self.found = Some(Found { q, bound, mean_error, evaluations: self.evaluations, clipped });
        self.ending = Some(ending);
    }

    fn ensemble_step(&mut self, budget: &mut Budget) {
        let Problem { shape, examples, hyper } = &*self.problem;
        budget.spend(self.problem.cost(self.options.method));
        let Stage::Ensemble { coordinates, search, alternation } = &mut self.stage else { return };
        let fixed = alternation.as_ref().map(|now| Hyper::Fixed { alpha: now.alpha, beta: now.beta });
        let at = coordinates.evaluate(search.ask(), *shape, examples, fixed.unwrap_or(*hyper));
        let before = search.best().1;
        let value = at.bound.negative_elbo;
        let asked = search.ask().to_vec();
        self.evaluations += 1;
        let mut ended = search.tell(value, &at.gradient);
        let better = search.best().1 < before;
        // What is shown of the alternation is the bound with R and S at their optimum, as of the other scheme.
        let bound = if fixed.is_some() {
            let q = coordinates.gaussian(&asked);
            // F says ln|C|.
            let ln_det = 2.0
                * (at.bound.beta * at.mean_error + 0.5 * at.bound.alpha * q.mean_square()
                    - at.bound.free_energy)
                - asked_constant(q.mean.len());
            hyper.bound(q.mean.len(), examples.count(), at.mean_error, q.mean_square(), ln_det)
        } else {
            at.bound
        };
        self.trace.push(bound.negative_elbo);
        if better {
            let q = coordinates.gaussian(&asked);
            let mean_error = at.mean_error;
            self.found = Some(Found { q, bound, mean_error, evaluations: self.evaluations, clipped: 0 });
        }
        if let (Some(_), Some(now), Some(found)) = (ended, alternation.as_mut(), &self.found) {
            let Bound { alpha, beta, .. } = found.bound;
            let change = (alpha / now.alpha - 1.0).abs().max((beta / now.beta - 1.0).abs());
            now.rounds += 1;
            if change > SETTLED && now.rounds < MOST_ROUNDS {
                (now.alpha, now.beta) = (alpha, beta);
                *search = minimiser(self.options, search.best().0);
                ended = None;
            }
        }
        if let Some(found) = &mut self.found {
            found.evaluations = self.evaluations;
        }
        self.ending =
            ended.or((self.evaluations >= self.options.most_evaluations).then_some(Ending::MaxIterations));
    }
}

/// k (1 + ln 2π).
fn asked_constant(k: usize) -> f64 {
    k as f64 * (1.0 + libm::log(std::f64::consts::TAU))
}

fn mode_search(start: &[f64], rounds: Rounds, method: Method) -> Lbfgs {
    let rough = rounds.going_on() || matches!(method, Method::Ensemble(_));
    Lbfgs::new(start, if rough { ROUGH_MODE } else { MODE }, 1.0).with_memory(MEMORY)
}

fn minimiser(options: Options, start: &[f64]) -> Minimiser {
    match options.optimiser {
        Optimiser::Lbfgs => {
            Minimiser::Lbfgs(Lbfgs::new(start, options.tolerance, LONGEST).with_memory(MEMORY))
        }
        Optimiser::Scg => Minimiser::Scg(Scg::new(start, options.tolerance)),
    }
}

fn ensemble(problem: &Problem, options: Options, mean: &[f64], sds: Vec<f64>, stream: &mut Stream) -> Stage {
    let Method::Ensemble(form) = options.method else {
        unreachable!("only ensemble learning fits a Gaussian")
    };
    let coordinates = Coordinates::new(form, sds);
    let theta = coordinates.theta(mean, || match form {
        Form::Factor(_) | Form::Full => FIRST_FACTORS * stream.normal(),
        Form::Diagonal => 0.0,
    });
    let alternation = match (options.scheme, problem.hyper) {
        // The means of the priors are far off; the first values are where the mode was searched.
        (Scheme::Alternating, Hyper::Gamma(_)) => {
            Some(Alternation { alpha: FIRST.0, beta: FIRST.1, rounds: 0 })
        }
        _ => None,
    };
    Stage::Ensemble { search: minimiser(options, &theta), coordinates, alternation }
}

/// Restart `index`: it begins at small weights; where α is given and a prior so wide that units saturate, every other one begins
/// at weights as large as the prior's, away from the mode.
pub fn restart(problem: &Rc<Problem>, options: Options, index: usize, seed: u64) -> Fit {
    let Shape { inputs, .. } = problem.shape;
    let outputs = problem.shape.outputs();
    let mut stream = Stream::for_purpose(seed, Purpose::MlpInitialWeights, index as u64);
    let prior = match problem.hyper {
        Hyper::Fixed { alpha, .. } => 1.0 / alpha.sqrt(),
        Hyper::Gamma(_) => 1.0,
    };
    let wide = index % 2 == 1 && prior > SATURATING && matches!(options.method, Method::Ensemble(_));
    let sd = |at: usize| match at < outputs {
        true if wide => prior,
        true => 1.0 / (inputs as f64).sqrt(),
        false => 0.5,
    };
    let start: Vec<f64> = (0..problem.shape.weights()).map(|at| stream.normal() * sd(at)).collect();
    let begin = if wide { Fit::away_from_the_mode } else { Fit::new };
    begin(Rc::clone(problem), options, &start, stream)
}
