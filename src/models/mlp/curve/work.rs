//! The work: fits one evaluation a step, and chains.

use std::rc::Rc;

use super::examples::Frame;
use super::{CurveSnapshot, CurveSpec, FITTED, FitRow};
use crate::lab::{ChainRow, Work};
use crate::math::Budget;
use crate::math::random::Stream;
use crate::models::mlp::exact::chain::{LADDER, WeightChain, followed_inputs};
use crate::models::mlp::fields::Approximation;
use crate::models::mlp::solver::examples::ExampleBlocks;
use crate::models::mlp::solver::expectation::predictions;
use crate::models::mlp::solver::fit::{NetworkFit, restart};
use crate::models::mlp::solver::mode::energy;
use crate::models::mlp::solver::options::{InferenceMethod, Options};
use crate::models::mlp::solver::problem::RegressionProblem;

/// Chains that there are, if any.
pub const CHAINS: usize = 4;
/// Purpose of a random stream.
const CHAIN: u64 = 2;
/// Largest element of a gradient at the end, in nats.
const TOLERANCE: f64 = 1e-5;

/// What a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Fit(Approximation, usize),
    Chain(usize),
}

/// Some units of one specification.
pub struct CurveWork {
    spec: CurveSpec,
    problem: Rc<RegressionProblem>,
    frame: Frame,
    restarts: usize,
    queries: Rc<ExampleBlocks>,
    unit: Unit,
    /// The fit under way; of a chain, the one that gives its mass.
    fit: Option<NetworkFit>,
    chain: Option<WeightChain>,
    done: CurveSnapshot,
}

impl CurveWork {
    /// Before its first unit, with so many starts of each fit; `table` are the rows of the table, if there is one.
    pub fn new(spec: &CurveSpec, restarts: usize, table: Vec<(f64, f64)>) -> Self {
        let done = CurveSnapshot { table, ..CurveSnapshot::default() };
        let examples = done.examples(spec);
        let (problem, frame) = spec.problem(&examples);
        Self {
            spec: spec.clone(),
            problem,
            frame,
            restarts,
            queries: Rc::new(spec.queries(&examples, frame)),
            unit: Unit::Chain(0),
            fit: None,
            chain: None,
            done,
        }
    }

    fn begin_fit(&self, method: Approximation, index: usize) -> NetworkFit {
        let mut options = Options::new(method.method(self.spec.factors));
        options.optimiser = self.spec.optimiser.optimiser();
        options.scheme = self.spec.scheme.scheme();
        options.tolerance = TOLERANCE;
        restart(&self.problem, options, index, self.spec.seed)
    }

    /// The fit under way as a row, once there is something of it.
    fn fit_row(&self) -> Option<FitRow> {
        let (Unit::Fit(method, index), Some(fit)) = (self.unit, &self.fit) else { return None };
        let found = fit.result()?;
        let (q, bound, shape) = (&found.q, found.bound, self.problem.shape);
        let k = shape.weights();
        let ensemble = matches!(method.method(self.spec.factors), InferenceMethod::Ensemble(_));
        let least = if ensemble {
            bound.negative_elbo
        } else {
            energy(shape, &q.mean, &self.problem.examples, bound.alpha, bound.beta).0
        };
        let (shift, scale) = self.frame.t;
        let moved = |(mean, var): (f64, f64)| (scale * mean + shift, scale * var.sqrt());
        let fitted = predictions(shape, q, &self.problem.examples);
        let errors = fitted.iter().enumerate().map(|(n, (mean, _))| mean - self.problem.examples.target(n));
        let sd = |i: usize| q.covariance.variance(i, k).sqrt();
        Some(FitRow {
            method,
            restart: index,
            free_energy: bound.free_energy,
            negative_elbo: bound.negative_elbo,
            least,
            alpha: bound.alpha,
            beta: bound.beta / (scale * scale),
            evaluations: found.evaluations,
            clipped: found.clipped,
            trace: if ensemble { fit.trace().iter().map(|v| *v as f32).collect() } else { Vec::new() },
            weights: (0..k).map(|i| (q.mean[i] as f32, sd(i) as f32)).collect(),
            predicted: predictions(shape, q, &self.queries).into_iter().map(moved).collect(),
            train_mse: scale * scale * errors.map(|e| e * e).sum::<f64>()
                / self.problem.examples.count() as f64,
            ending: fit.ending(),
        })
    }

    fn chain_row(&self) -> Option<ChainRow> {
        let chain = self.chain.as_ref()?;
        let mut row = chain.row();
        let (count, (shift, scale)) = (row.count as f64, self.frame.t);
        for (sum, squares) in &mut row.sums {
            // (af + c)² = a²f² + 2acf + c².
            *sum *= scale;
            *squares *= scale * scale;
            *squares += 2.0 * shift * *sum + count * shift * shift;
            *sum += count * shift;
        }
        Some(row)
    }

    /// A fit first, whose covariance is the mass; `true` when all draws are made.
    fn chain_step(&mut self, index: usize, budget: &mut Budget) -> bool {
        if let Some(chain) = &mut self.chain {
            return chain.step(budget);
        }
        let Some(fit) = &mut self.fit else { return true };
        if !fit.step(budget) {
            return false;
        }
        let stream = Stream::aside(self.spec.seed, index as u64, CHAIN);
        let (problem, queries) =
            (Rc::clone(&self.problem), (Rc::clone(&self.queries), followed_inputs(CurveSpec::DRAWN)));
        self.chain = fit
            .result()
            .map(|found| WeightChain::new(problem, queries, found, self.spec.hmc, LADDER, stream));
        self.fit = None;
        self.chain.is_none()
    }
}

impl Work for CurveWork {
    type Snapshot = CurveSnapshot;

    fn begin(&mut self, unit: usize) {
        let fits = FITTED.len() * self.restarts;
        self.unit = match unit.checked_sub(fits) {
            None => Unit::Fit(FITTED[unit / self.restarts], unit % self.restarts),
            Some(chain) => Unit::Chain(chain),
        };
        self.fit = Some(match self.unit {
            Unit::Fit(method, index) => self.begin_fit(method, index),
            Unit::Chain(index) => self.begin_fit(Approximation::Full, index),
        });
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        match self.unit {
            Unit::Fit(..) => {
                let done = self.fit.as_mut().is_none_or(|fit| fit.step(budget));
                if done {
                    let row = self.fit_row();
                    self.done.fits.extend(row);
                    self.fit = None;
                }
                done
            }
            Unit::Chain(index) => {
                let done = self.chain_step(index, budget);
                if done {
                    let row = self.chain_row();
                    self.done.chains.extend(row);
                    self.chain = None;
                }
                done
            }
        }
    }

    fn fraction(&self) -> f64 {
        match (self.unit, &self.fit, &self.chain) {
            (Unit::Fit(..), Some(fit), _) => fit.fraction(),
            (Unit::Chain(_), Some(fit), _) => 0.1 * fit.fraction(),
            (_, _, Some(chain)) => 0.1 + 0.9 * chain.fraction(),
            _ => 0.0,
        }
    }

    fn note(&self) -> String {
        match self.unit {
            Unit::Fit(method, index) => {
                let evaluations = self.fit.as_ref().map_or(0, NetworkFit::evaluations);
                format!("{}, start {}, evaluation {evaluations}", method.reads(), index + 1)
            }
            Unit::Chain(index) => format!("chain {}", index + 1),
        }
    }

    fn snapshot(&self) -> CurveSnapshot {
        let mut all = self.done.clone();
        all.fits.extend(self.fit_row());
        all.chains.extend(self.chain_row());
        all
    }
}

/// What units cost with so many examples: those of each method, and chains.
pub fn costs(spec: &CurveSpec, examples: usize) -> (Vec<f64>, (usize, f64)) {
    let (problem, _) = spec.problem(&vec![(0.0, 0.0); examples]);
    let fit = |approximation: &Approximation| {
        let method = approximation.method(spec.factors);
        let mode = 400.0 * problem.cost(InferenceMethod::Map) as f64;
        match method {
            InferenceMethod::Ensemble(_) => mode + 150.0 * problem.cost(method) as f64,
            _ => 2.0 * mode,
        }
    };
    let draws = 1.5 * 15.0 * (LADDER.0 * spec.hmc) as f64 * problem.cost(InferenceMethod::Map) as f64;
    let chains = if spec.hmc > 0 { CHAINS } else { 0 };
    (FITTED.iter().map(fit).collect(), (chains, draws.max(1.0)))
}
