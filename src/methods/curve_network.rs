//! A network with one input, BB98: its regression problem, and its predictions in the units of the examples. It is a separate module
//! since pages of several models fit it.

use std::rc::Rc;

use crate::math::{Budget, Ending};
use crate::mlp::solver::examples::ExampleBlocks;
use crate::mlp::solver::expectation::predictions;
use crate::mlp::solver::fit::{NetworkFit, restart, start_at_zero};
use crate::mlp::solver::gaussian::{CovarianceForm, WeightGaussian};
use crate::mlp::solver::hyperprior::Hyperprior;
use crate::mlp::solver::network::NetworkShape;
use crate::mlp::solver::options::{InferenceMethod, Options};
use crate::mlp::solver::precisions::PriorGroups;
use crate::mlp::solver::problem::RegressionProblem;

/// Ensemble learning with a full covariance.
const FULL: InferenceMethod = InferenceMethod::Ensemble(CovarianceForm::Full);
/// Largest element of the gradient at convergence, in nats.
const TOLERANCE: f64 = 1e-5;

/// A network with one input, and the prior of its precisions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveNetwork {
    /// Number of hidden units H.
    pub hidden: usize,
    /// True if hidden units have a bias.
    pub bias: bool,
    /// Prior of α and β.
    pub hyper: Hyperprior,
}

impl CurveNetwork {
    /// Returns the network of `mlp.curve` with its default settings and `hidden` hidden units.
    pub const fn usual(hidden: usize) -> Self {
        Self { hidden, bias: true, hyper: Hyperprior::PAPER }
    }
}

/// The regression problem of a network with one input.
#[derive(Clone, Debug)]
pub struct CurveProblem {
    /// The problem of the standardised examples.
    pub problem: Rc<RegressionProblem>,
    /// Standardisation of the examples.
    pub scaling: Standardisation,
}

/// Standardisation (z − shift)/scale of inputs and targets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standardisation {
    /// Shift and scale of x.
    pub x: (f64, f64),
    /// Shift and scale of t.
    pub t: (f64, f64),
}

impl Standardisation {
    /// Returns the standardisation of t to mean 0; with `standardise`, of both x and t to mean 0 and variance 1.
    fn of(examples: &[(f64, f64)], standardise: bool) -> Self {
        let count = examples.len().max(1) as f64;
        let moments = |pick: fn(&(f64, f64)) -> f64| {
            let mean = examples.iter().map(pick).sum::<f64>() / count;
            let square = examples.iter().map(pick).map(|v| (v - mean) * (v - mean)).sum::<f64>() / count;
            (mean, if square > 0.0 { square.sqrt() } else { 1.0 })
        };
        let (x, t) = (moments(|e| e.0), moments(|e| e.1));
        if standardise { Self { x, t } } else { Self { x: (0.0, 1.0), t: (t.0, 1.0) } }
    }

    /// Returns the inputs of a network of `width` inputs, including the bias, at `x`, row by row.
    fn rows(self, x: &[f64], width: usize) -> Vec<f64> {
        let (centre, scale) = self.x;
        x.iter().flat_map(|x| [(x - centre) / scale, 1.0].into_iter().take(width)).collect()
    }
}

impl CurveProblem {
    /// Returns the problem of examples x and t. Targets have mean 0; with `standardise`, inputs and targets have mean 0 and variance 1.
    pub fn new(examples: &[(f64, f64)], network: CurveNetwork, standardise: bool) -> Self {
        let CurveNetwork { hidden, bias, hyper } = network;
        let scaling = Standardisation::of(examples, standardise);
        let (x, t): (Vec<f64>, Vec<f64>) = examples.iter().copied().unzip();
        let t: Vec<f64> = t.iter().map(|t| (t - scaling.t.0) / scaling.t.1).collect();
        let width = 1 + usize::from(bias);
        let examples = ExampleBlocks::new(&scaling.rows(&x, width), width, &t);
        let shape = NetworkShape { hidden, inputs: width };
        Self {
            problem: Rc::new(RegressionProblem { shape, examples, hyper, groups: PriorGroups::Shared }),
            scaling,
        }
    }

    /// Returns the inputs of the network at `x`.
    pub fn queries(&self, x: &[f64]) -> ExampleBlocks {
        let width = self.problem.shape.inputs;
        ExampleBlocks::unlabelled(&self.scaling.rows(x, width), width)
    }

    /// Starts fit number `index` with the given method.
    pub fn fit(&self, options: Options, index: usize, seed: u64) -> NetworkFit {
        restart(&self.problem, Options { tolerance: TOLERANCE, ..options }, index, seed)
    }

    /// Starts a fit of ensemble learning at weights of zero.
    pub fn fit_from_zero(&self, options: Options, seed: u64) -> NetworkFit {
        start_at_zero(&self.problem, Options { tolerance: TOLERANCE, ..options }, seed)
    }

    /// Returns mean and standard deviation of f under `q` at each query, in units of t.
    pub fn predict(&self, q: &WeightGaussian, queries: &ExampleBlocks) -> Vec<(f64, f64)> {
        let (shift, scale) = self.scaling.t;
        let in_units = |(mean, var): (f64, f64)| (scale * mean + shift, scale * var.sqrt());
        predictions(self.problem.shape, q, queries).into_iter().map(in_units).collect()
    }

    /// Returns the approximate multiply–adds of a fit.
    pub fn fit_cost(&self, method: InferenceMethod) -> f64 {
        let mode = 400.0 * self.problem.cost(InferenceMethod::Map) as f64;
        match method {
            InferenceMethod::Ensemble(_) => mode + 150.0 * self.problem.cost(method) as f64,
            _ => 2.0 * mode,
        }
    }
}

/// A fit by ensemble learning with a full covariance from one start.
pub struct EnsembleFit {
    curve: CurveProblem,
    queries: ExampleBlocks,
    fit: NetworkFit,
}

/// Result of an [`EnsembleFit`], in units of t.
#[derive(Clone, Debug, PartialEq)]
pub struct EnsembleCurve {
    /// Negative lower bound on the log evidence, nats.
    pub negative_elbo: f64,
    /// Standard deviation of the noise of a target.
    pub noise: f64,
    /// Mean and standard deviation of f at each input.
    pub predicted: Vec<(f64, f64)>,
}

impl EnsembleFit {
    /// Prepares start number `index` of a fit that predicts at the inputs `x`.
    pub fn new(curve: CurveProblem, x: &[f64], index: usize, seed: u64) -> Self {
        Self { queries: curve.queries(x), fit: curve.fit(Options::new(FULL), index, seed), curve }
    }

    /// Returns the approximate multiply–adds of a start.
    pub fn cost(curve: &CurveProblem) -> f64 {
        curve.fit_cost(FULL)
    }

    /// Makes one evaluation; returns true after the last.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        self.fit.step(budget)
    }

    /// Returns the estimated fraction that is done.
    pub fn fraction(&self) -> f64 {
        self.fit.fraction()
    }

    /// Returns the number of evaluations so far.
    pub fn evaluations(&self) -> usize {
        self.fit.evaluations()
    }

    /// Returns how the fit ended; `None` while it is in progress.
    pub fn ending(&self) -> Option<Ending> {
        self.fit.ending()
    }

    /// Returns the result so far; `None` before the first.
    pub fn result(&self) -> Option<EnsembleCurve> {
        let result = self.fit.result()?;
        let (_, scale) = self.curve.scaling.t;
        Some(EnsembleCurve {
            negative_elbo: result.bound.negative_elbo,
            noise: scale / result.bound.precisions.beta.sqrt(),
            predicted: self.curve.predict(&result.q, &self.queries),
        })
    }
}
