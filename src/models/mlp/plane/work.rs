//! The solver of `mlp` and `mlp.plane`: the exact posterior, starts of fits, one evaluation per step, and Monte Carlo chains.

use std::rc::Rc;

use super::exact::exact_posterior;
use super::{FITTED, PlaneChain, PlaneFit, PlaneSnapshot, PlaneSpec};
use crate::lab::Work;
use crate::math::Budget;
use crate::math::random::{Purpose, Stream};
use crate::models::mlp::exact::chain::{UNTEMPERED, WeightChain, followed_inputs};
use crate::models::mlp::fields::Approximation;
use crate::models::mlp::fits::{FitRow, elbo_trace};
use crate::models::mlp::solver::examples::ExampleBlocks;
use crate::models::mlp::solver::expectation::predictions;
use crate::models::mlp::solver::fit::{NetworkFit, restart};
use crate::models::mlp::solver::options::{InferenceMethod, Options};
use crate::models::mlp::solver::problem::RegressionProblem;

/// Number of Monte Carlo chains, unless there are none.
pub const CHAINS: usize = 4;
/// Approximate number of multiply–adds of the exact posterior, its map and its predictions.
const EXACT_COST: u64 = 2_000_000;
/// Number of draws of a chain that are shown.
const SHOWN_DRAWS: usize = 250;

/// A unit of work, with the index of the start or chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlaneUnit {
    Exact,
    Fit(Approximation, usize),
    Chain(usize),
}

/// Solver for units of one specification.
pub struct PlaneWork {
    spec: PlaneSpec,
    problem: Rc<RegressionProblem>,
    /// True if each evaluation of a fit ends a slice, so that it is displayed.
    show_each_evaluation: bool,
    restarts: usize,
    unit: PlaneUnit,
    fit: Option<NetworkFit>,
    /// Means of the fit in progress.
    path: Vec<(f32, f32)>,
    chain: Option<WeightChain>,
    done: PlaneSnapshot,
}

/// Returns the number of units without chains.
pub fn units(restarts: usize) -> usize {
    1 + FITTED.len() * restarts
}

impl PlaneWork {
    /// Creates a solver that makes `restarts` starts of each fit.
    pub fn new(spec: &PlaneSpec, restarts: usize) -> Self {
        Self {
            spec: spec.clone(),
            problem: spec.problem(),
            show_each_evaluation: false,
            restarts,
            unit: PlaneUnit::Exact,
            fit: None,
            path: Vec::new(),
            chain: None,
            done: PlaneSnapshot::default(),
        }
    }

    /// Ends a slice after each evaluation of a fit, so that it is displayed.
    #[must_use]
    pub fn showing_each_evaluation(self) -> Self {
        Self { show_each_evaluation: true, ..self }
    }

    fn begin_fit(&self, method: Approximation, index: usize) -> NetworkFit {
        let options = Options {
            optimiser: self.spec.optimiser.optimiser(),
            max_evaluations: self.spec.evaluations,
            ..Options::new(method.method(1))
        };
        restart(&self.problem, options, index, self.spec.seed)
    }

    /// Starts a chain from a fit with full covariance at default options.
    fn begin_chain(&self, index: usize) -> Option<WeightChain> {
        let options = Options::new(Approximation::Full.method(1));
        let mut fit = restart(&self.problem, options, 0, self.spec.seed);
        while !fit.step(&mut Budget::slice()) {}
        let stream = Stream::for_purpose(self.spec.seed, Purpose::MlpChain, index as u64);
        let observed = (Rc::new(self.queries()), followed_inputs(PlaneSpec::DRAWN));
        let problem = Rc::clone(&self.problem);
        let chain = WeightChain::new(problem, observed, fit.result()?, self.spec.hmc, UNTEMPERED, stream);
        Some(chain.keeping_weights())
    }

    /// Returns the inputs of predictions.
    fn queries(&self) -> ExampleBlocks {
        ExampleBlocks::unlabelled(&self.spec.inputs(), 1)
    }

    /// Returns the row of the fit in progress; `None` before its first result.
    fn fit_row(&self) -> Option<FitRow<PlaneFit>> {
        let (PlaneUnit::Fit(method, index), Some(fit)) = (self.unit, &self.fit) else { return None };
        let result = fit.result()?;
        let predicted = predictions(self.problem.shape, &result.q, &self.queries());
        let c = |i, j| result.q.covariance.at(i, j, 2);
        let details = PlaneFit {
            mean: with_positive_u(&result.q.mean),
            covariance: [c(0, 0), c(0, 1), c(1, 1)],
            trace: elbo_trace(method, fit),
            path: self.path.clone(),
            predicted: predicted.into_iter().map(|(mean, var)| (mean, var.sqrt())).collect(),
        };
        // α and β are fixed: F orders the starts as the KL divergence does.
        Some(FitRow::new((method, index), fit, result, result.bound.free_energy, details))
    }

    fn chain_row(&self) -> Option<PlaneChain> {
        let chain = self.chain.as_ref()?;
        let every = (self.spec.hmc / SHOWN_DRAWS).max(1);
        let draws = chain.weights().as_chunks::<2>().0.iter().step_by(every);
        let draws = draws.map(|w| with_positive_u(w)).map(|[u, v]| (u as f32, v as f32)).collect();
        Some(PlaneChain { draws, row: chain.row() })
    }

    fn fit_step(&mut self, budget: &mut Budget) -> bool {
        let Some(fit) = &mut self.fit else { return true };
        let done = fit.step(budget);
        if let Some(result) = fit.result() {
            let [u, v] = with_positive_u(&result.q.mean);
            let at = (u as f32, v as f32);
            if self.path.last() != Some(&at) {
                self.path.push(at);
            }
        }
        if self.show_each_evaluation {
            budget.spend(Budget::SLICE);
        }
        done
    }
}

/// Returns (u, v) or (−u, −v), whichever has u ≥ 0; both have the same posterior density.
fn with_positive_u(w: &[f64]) -> [f64; 2] {
    let sign = if w[0] < 0.0 { -1.0 } else { 1.0 };
    [sign * w[0], sign * w[1]]
}

impl Work for PlaneWork {
    type Snapshot = PlaneSnapshot;

    fn begin(&mut self, unit: usize) {
        let fits = FITTED.len() * self.restarts;
        self.unit = match unit.checked_sub(1) {
            None => PlaneUnit::Exact,
            Some(at) if at < fits => PlaneUnit::Fit(FITTED[at / self.restarts], at % self.restarts),
            Some(at) => PlaneUnit::Chain(at - fits),
        };
        match self.unit {
            PlaneUnit::Exact => {}
            PlaneUnit::Fit(method, index) => {
                self.fit = Some(self.begin_fit(method, index));
                self.path.clear();
            }
            PlaneUnit::Chain(index) => self.chain = self.begin_chain(index),
        }
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        match self.unit {
            PlaneUnit::Exact => {
                self.done.exact = Some(exact_posterior(&self.spec));
                budget.spend(EXACT_COST);
                true
            }
            PlaneUnit::Fit(..) => {
                let done = self.fit_step(budget);
                if done {
                    let row = self.fit_row();
                    self.done.fits.extend(row);
                    self.fit = None;
                }
                done
            }
            PlaneUnit::Chain(_) => {
                let done = self.chain.as_mut().is_none_or(|chain| chain.step(budget));
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
        let fit = self.fit.as_ref().map(NetworkFit::fraction);
        fit.or_else(|| self.chain.as_ref().map(WeightChain::fraction)).unwrap_or(0.0)
    }

    fn note(&self) -> String {
        match self.unit {
            PlaneUnit::Exact => "exact posterior".to_owned(),
            PlaneUnit::Fit(method, index) => {
                let evaluations = self.fit.as_ref().map_or(0, NetworkFit::evaluations);
                format!("{}, start {}, evaluation {evaluations}", method.label(), index + 1)
            }
            PlaneUnit::Chain(index) => format!("chain {}", index + 1),
        }
    }

    fn snapshot(&self) -> PlaneSnapshot {
        let mut all = self.done.clone();
        all.fits.extend(self.fit_row());
        all.chains.extend(self.chain_row());
        all
    }
}

/// Returns numbers and costs of units: the exact posterior, the starts of the fits, and the chains.
pub fn costs(spec: &PlaneSpec) -> [(usize, f64); 3] {
    let problem = spec.problem();
    let evaluation = problem.cost(InferenceMethod::Laplace) as f64;
    let chains = if spec.hmc > 0 { CHAINS } else { 0 };
    let draws = (spec.hmc * 20) as f64 * problem.cost(InferenceMethod::Map) as f64;
    [(1, EXACT_COST as f64), (FITTED.len() * spec.restarts, 30.0 * evaluation), (chains, draws.max(1.0))]
}
