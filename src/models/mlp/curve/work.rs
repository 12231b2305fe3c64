//! The solver of `mlp.curve`: starts of fits, one evaluation per step, and Monte Carlo chains.

use std::rc::Rc;

use super::{CurveFit, CurveSnapshot, CurveSpec};
use crate::lab::{ChainStats, Work};
use crate::math::Budget;
use crate::math::random::{Purpose, Stream};
use crate::methods::curve_network::CurveProblem;
use crate::models::mlp::exact::chain::{LADDER, WeightChain, followed_inputs};
use crate::models::mlp::fields::Approximation;
use crate::models::mlp::fits::{FitRow, elbo_trace, energy_at_mean};
use crate::models::mlp::solver::examples::ExampleBlocks;
use crate::models::mlp::solver::expectation::predictions;
use crate::models::mlp::solver::fit::NetworkFit;
use crate::models::mlp::solver::options::{InferenceMethod, Options};

/// Number of Monte Carlo chains, unless there are none.
pub const CHAINS: usize = 4;

/// A unit of work, with the index of the start or chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CurveUnit {
    Fit(Approximation, usize),
    Chain(usize),
}

/// Solver for units of one specification.
pub struct CurveWork {
    spec: CurveSpec,
    curve: CurveProblem,
    restarts: usize,
    queries: Rc<ExampleBlocks>,
    unit: CurveUnit,
    /// Fit in progress; in the unit of a chain, the fit that gives its mass matrix.
    fit: Option<NetworkFit>,
    chain: Option<WeightChain>,
    done: CurveSnapshot,
}

impl CurveWork {
    /// Creates a solver that makes `restarts` starts of each fit. `table` holds x and t of the rows of the table, if there is one.
    pub fn new(spec: &CurveSpec, restarts: usize, table: Vec<(f64, f64)>) -> Self {
        let done = CurveSnapshot { table, ..CurveSnapshot::default() };
        let examples = done.examples(spec);
        let curve = spec.problem(&examples);
        Self {
            spec: spec.clone(),
            restarts,
            queries: Rc::new(curve.queries(&spec.inputs(&examples))),
            curve,
            unit: CurveUnit::Chain(0),
            fit: None,
            chain: None,
            done,
        }
    }

    fn options(&self, method: Approximation) -> Options {
        Options {
            optimiser: self.spec.optimiser.optimiser(),
            scheme: self.spec.scheme.scheme(),
            ..Options::new(method.method(self.spec.factors))
        }
    }

    fn begin_fit(&self, method: Approximation, index: usize) -> NetworkFit {
        self.curve.fit(self.options(method), index, self.spec.seed)
    }

    /// Begins an additional start of ensemble learning, at weights of zero. It follows the others.
    pub fn begin_at_zero(&mut self, method: Approximation) {
        self.unit = CurveUnit::Fit(method, self.restarts);
        self.fit = Some(self.curve.fit_from_zero(self.options(method), self.spec.seed));
    }

    /// Returns the row of the fit in progress, in units of x and t; `None` before its first result.
    fn fit_row(&self) -> Option<FitRow<CurveFit>> {
        let (CurveUnit::Fit(method, index), Some(fit)) = (self.unit, &self.fit) else { return None };
        let result = fit.result()?;
        let (q, problem) = (&result.q, &self.curve.problem);
        let k = problem.shape.weights();
        let objective =
            if method.is_ensemble() { result.bound.negative_elbo } else { energy_at_mean(problem, result) };
        let (_, scale) = self.curve.scaling.t;
        let fitted = predictions(problem.shape, q, &problem.examples);
        let errors = fitted.iter().enumerate().map(|(n, (mean, _))| mean - problem.examples.target(n));
        let sd = |i: usize| q.covariance.variance(i, k).sqrt();
        let details = CurveFit {
            clipped: result.clipped,
            trace: elbo_trace(method, fit),
            weights: (0..k).map(|i| (q.mean[i] as f32, sd(i) as f32)).collect(),
            predicted: self.curve.predict(q, &self.queries),
            train_mse: scale * scale * errors.map(|e| e * e).sum::<f64>() / problem.examples.count() as f64,
        };
        let row = FitRow::new((method, index), fit, result, objective, details);
        Some(FitRow { beta: row.beta / (scale * scale), ..row })
    }

    /// Returns the row of the chain in progress, in units of t.
    fn chain_row(&self) -> Option<ChainStats> {
        let chain = self.chain.as_ref()?;
        let mut row = chain.row();
        let (count, (shift, scale)) = (row.count as f64, self.curve.scaling.t);
        for (sum, squares) in &mut row.sums {
            // (af + c)² = a²f² + 2acf + c².
            *sum *= scale;
            *squares *= scale * scale;
            *squares += 2.0 * shift * *sum + count * shift * shift;
            *sum += count * shift;
        }
        Some(row)
    }

    /// Advances the fit that gives the mass matrix, then the chain; returns `true` when all draws are made.
    fn chain_step(&mut self, index: usize, budget: &mut Budget) -> bool {
        if let Some(chain) = &mut self.chain {
            return chain.step(budget);
        }
        let Some(fit) = &mut self.fit else { return true };
        if !fit.step(budget) {
            return false;
        }
        let stream = Stream::for_purpose(self.spec.seed, Purpose::MlpChain, index as u64);
        let observed = (Rc::clone(&self.queries), followed_inputs(CurveSpec::DRAWN));
        self.chain = fit.result().map(|result| {
            WeightChain::new(Rc::clone(&self.curve.problem), observed, result, self.spec.hmc, LADDER, stream)
        });
        self.fit = None;
        self.chain.is_none()
    }
}

impl Work for CurveWork {
    type Snapshot = CurveSnapshot;

    fn begin(&mut self, unit: usize) {
        let fits = Approximation::ALL.len() * self.restarts;
        self.unit = match unit.checked_sub(fits) {
            None => CurveUnit::Fit(Approximation::ALL[unit / self.restarts], unit % self.restarts),
            Some(chain) => CurveUnit::Chain(chain),
        };
        self.fit = Some(match self.unit {
            CurveUnit::Fit(method, index) => self.begin_fit(method, index),
            CurveUnit::Chain(index) => self.begin_fit(Approximation::Full, index),
        });
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        match self.unit {
            CurveUnit::Fit(..) => {
                let done = self.fit.as_mut().is_none_or(|fit| fit.step(budget));
                if done {
                    let row = self.fit_row();
                    self.done.fits.extend(row);
                    self.fit = None;
                }
                done
            }
            CurveUnit::Chain(index) => {
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
            (CurveUnit::Fit(..), Some(fit), _) => fit.fraction(),
            (CurveUnit::Chain(_), Some(fit), _) => 0.1 * fit.fraction(),
            (_, _, Some(chain)) => 0.1 + 0.9 * chain.fraction(),
            _ => 0.0,
        }
    }

    fn note(&self) -> String {
        match self.unit {
            CurveUnit::Fit(method, index) => {
                let evaluations = self.fit.as_ref().map_or(0, NetworkFit::evaluations);
                format!("{}, start {}, evaluation {evaluations}", method.label(), index + 1)
            }
            CurveUnit::Chain(index) => format!("chain {}", index + 1),
        }
    }

    fn snapshot(&self) -> CurveSnapshot {
        let mut all = self.done.clone();
        all.fits.extend(self.fit_row());
        all.chains.extend(self.chain_row());
        all
    }
}

/// Returns the costs of a start of each method, and number and cost of the chains, for `examples` examples.
pub fn costs(spec: &CurveSpec, examples: usize) -> (Vec<f64>, (usize, f64)) {
    let curve = spec.problem(&vec![(0.0, 0.0); examples]);
    let fit = |approximation: &Approximation| curve.fit_cost(approximation.method(spec.factors));
    let draws = 1.5 * 15.0 * (LADDER.0 * spec.hmc) as f64 * curve.problem.cost(InferenceMethod::Map) as f64;
    let chains = if spec.hmc > 0 { CHAINS } else { 0 };
    (Approximation::ALL.iter().map(fit).collect(), (chains, draws.max(1.0)))
}
