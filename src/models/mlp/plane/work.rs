//! The work of both experiments: the exact posterior, fits one evaluation a step, and chains.

use std::rc::Rc;

use super::{Drawn, FITTED, FitRow, PlaneSnapshot, PlaneSpec, Truth};
use crate::lab::Work;
use crate::math::Budget;
use crate::math::random::Stream;
use crate::models::mlp::exact::chain::{UNTEMPERED, WeightChain, followed_inputs};
use crate::models::mlp::exact::two_weights::TwoWeightPosterior;
use crate::models::mlp::fields::Approximation;
use crate::models::mlp::solver::examples::ExampleBlocks;
use crate::models::mlp::solver::expectation::predictions;
use crate::models::mlp::solver::fit::{NetworkFit, restart};
use crate::models::mlp::solver::options::{InferenceMethod, Options};
use crate::models::mlp::solver::problem::RegressionProblem;

/// Chains that there are, if any.
pub const CHAINS: usize = 4;
/// Purpose of a random stream.
const CHAIN: u64 = 2;
/// Columns and rows of the map.
const COLUMNS: usize = 128;
const ROWS: usize = 96;
/// Multiply–adds of the exact posterior, its map and its predictions.
const TRUTH: u64 = 2_000_000;
/// Draws of a chain that are kept to be shown.
const SHOWN_DRAWS: usize = 250;

/// What a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Truth,
    Fit(Approximation, usize),
    Chain(usize),
}

/// Some units of one specification.
pub struct PlaneWork {
    spec: PlaneSpec,
    problem: Rc<RegressionProblem>,
    /// Whether each evaluation is a slice of its own, so that fits are seen on their way.
    slowly: bool,
    restarts: usize,
    unit: Unit,
    fit: Option<NetworkFit>,
    /// Means of the fit on its way.
    path: Vec<(f32, f32)>,
    chain: Option<WeightChain>,
    done: PlaneSnapshot,
}

/// How many units there are.
pub fn units(restarts: usize, chains: bool) -> usize {
    1 + FITTED.len() * restarts + if chains { CHAINS } else { 0 }
}

impl PlaneWork {
    /// With so many starts of each fit.
    pub fn new(spec: &PlaneSpec, restarts: usize, slowly: bool) -> Self {
        Self {
            spec: spec.clone(),
            problem: spec.problem(),
            slowly,
            restarts,
            unit: Unit::Truth,
            fit: None,
            path: Vec::new(),
            chain: None,
            done: PlaneSnapshot::default(),
        }
    }

    fn begin_fit(&self, method: Approximation, index: usize) -> NetworkFit {
        let mut options = Options::new(method.method(1));
        options.optimiser = self.spec.optimiser.optimiser();
        options.max_evaluations = self.spec.evaluations;
        restart(&self.problem, options, index, self.spec.seed)
    }

    /// The chain begins at a full covariance, whatever else is fitted.
    fn begin_chain(&self, index: usize) -> Option<WeightChain> {
        let mut fit = restart(&self.problem, Options::new(Approximation::Full.method(1)), 0, self.spec.seed);
        while !fit.step(&mut Budget::slice()) {}
        let at = Rc::new(ExampleBlocks::unlabelled(&self.spec.inputs(), 1));
        let stream = Stream::aside(self.spec.seed, index as u64, CHAIN);
        let problem = Rc::clone(&self.problem);
        let seen = (at, followed_inputs(PlaneSpec::DRAWN));
        Some(
            WeightChain::new(problem, seen, fit.result()?, self.spec.hmc, UNTEMPERED, stream)
                .keeping_weights(),
        )
    }

    /// The fit under way as a row, once there is something of it.
    fn fit_row(&self) -> Option<FitRow> {
        let (Unit::Fit(method, index), Some(fit)) = (self.unit, &self.fit) else { return None };
        let found = fit.result()?;
        let at = ExampleBlocks::unlabelled(&self.spec.inputs(), 1);
        let predicted = predictions(self.problem.shape, &found.q, &at);
        let c = |i, j| found.q.covariance.at(i, j, 2);
        let trace = if method == Approximation::Laplace { &[] } else { fit.trace() };
        Some(FitRow {
            method,
            restart: index,
            mean: upright(&found.q.mean),
            covariance: [c(0, 0), c(0, 1), c(1, 1)],
            free_energy: found.bound.free_energy,
            negative_elbo: found.bound.negative_elbo,
            evaluations: found.evaluations,
            trace: trace.iter().map(|value| *value as f32).collect(),
            path: self.path.clone(),
            ending: fit.ending(),
            predicted: predicted.into_iter().map(|(mean, var)| (mean, var.sqrt())).collect(),
        })
    }

    fn chain_row(&self) -> Option<Drawn> {
        let chain = self.chain.as_ref()?;
        let every = (self.spec.hmc / SHOWN_DRAWS).max(1);
        let draws = chain.weights().as_chunks::<2>().0.iter().step_by(every);
        let draws = draws.map(|w| upright(w)).map(|[u, v]| (u as f32, v as f32)).collect();
        Some(Drawn { draws, row: chain.row() })
    }

    fn fit_step(&mut self, budget: &mut Budget) -> bool {
        let Some(fit) = &mut self.fit else { return true };
        let done = fit.step(budget);
        if let Some(found) = fit.result() {
            let [u, v] = upright(&found.q.mean);
            let at = (u as f32, v as f32);
            if self.path.last() != Some(&at) {
                self.path.push(at);
            }
        }
        if self.slowly {
            budget.spend(Budget::SLICE);
        }
        done
    }
}

/// The twin with u ≥ 0.
fn upright(w: &[f64]) -> [f64; 2] {
    let sign = if w[0] < 0.0 { -1.0 } else { 1.0 };
    [sign * w[0], sign * w[1]]
}

/// The exact posterior of `spec`, in a window that holds nearly all of it.
fn truth(spec: &PlaneSpec) -> Truth {
    let (x, t): (Vec<f64>, Vec<f64>) = spec.examples().into_iter().unzip();
    let plane = TwoWeightPosterior::new(&x, &t, spec.alpha, spec.beta);
    let most = 1.1 * plane.quantile(0.99).max(1e-3);
    let (low, high) = plane.output_weight_range(most);
    let (low, high) = (low.min(0.0), high.max(0.0));
    let room = 0.05 * (high - low);
    let reach = room + high.max(-low);
    let window =
        if spec.twin { [(-most, most), (-reach, reach)] } else { [(0.0, most), (low - room, high + room)] };
    let along = |(from, to): (f64, f64), count: usize| -> Vec<f64> {
        (0..count).map(|i| from + (to - from) * (i as f64 + 0.5) / count as f64).collect()
    };
    let map = plane.densities(&along(window[0], COLUMNS), &along(window[1], ROWS));
    let cell = (window[0].1 - window[0].0) * (window[1].1 - window[1].0) / (COLUMNS * ROWS) as f64;
    // Of a window on one twin the other half is not there.
    let mass = if spec.twin { 1.0 } else { 0.5 };
    let predicted = plane.predictions(&spec.inputs()).into_iter().map(|(mean, var)| (mean, var.sqrt()));
    let levels = levels(&map, cell / mass);
    let inside = |(_, v): &(f64, f64)| (window[1].0..=window[1].1).contains(v);
    let single = |(u, v): (f64, f64)| (u as f32, v as f32);
    let contours = levels.iter().flat_map(|level| plane.contour(f64::from(*level), window[0]));
    let contours = contours.filter(|ends| ends.iter().all(inside)).map(|ends| ends.map(single));
    Truth {
        ln_z: plane.ln_z(),
        contours: contours.collect(),
        levels,
        map: map.iter().map(|density| *density as f32).collect(),
        columns: COLUMNS,
        window,
        predicted: predicted.collect(),
    }
}

/// The densities that 50, 90 and 99 % of the mass lie above.
fn levels(map: &[f64], cell: f64) -> Vec<f32> {
    let mut sorted = map.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let mut levels = Vec::new();
    let (mut mass, mut wanted) = (0.0, [0.5, 0.9, 0.99].into_iter().peekable());
    for density in sorted {
        mass += density * cell;
        if wanted.next_if(|share| mass >= *share).is_some() {
            levels.push(density as f32);
        }
    }
    levels
}

impl Work for PlaneWork {
    type Snapshot = PlaneSnapshot;

    fn begin(&mut self, unit: usize) {
        let fits = FITTED.len() * self.restarts;
        self.unit = match unit.checked_sub(1) {
            None => Unit::Truth,
            Some(at) if at < fits => Unit::Fit(FITTED[at / self.restarts], at % self.restarts),
            Some(at) => Unit::Chain(at - fits),
        };
        match self.unit {
            Unit::Truth => {}
            Unit::Fit(method, index) => {
                self.fit = Some(self.begin_fit(method, index));
                self.path.clear();
            }
            Unit::Chain(index) => self.chain = self.begin_chain(index),
        }
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        match self.unit {
            Unit::Truth => {
                self.done.truth = Some(truth(&self.spec));
                budget.spend(TRUTH);
                true
            }
            Unit::Fit(..) => {
                let done = self.fit_step(budget);
                if done {
                    let row = self.fit_row();
                    self.done.fits.extend(row);
                    self.fit = None;
                }
                done
            }
            Unit::Chain(_) => {
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
            Unit::Truth => "exact posterior".to_owned(),
            Unit::Fit(method, index) => {
                let evaluations = self.fit.as_ref().map_or(0, NetworkFit::evaluations);
                format!("{}, start {}, evaluation {evaluations}", method.reads(), index + 1)
            }
            Unit::Chain(index) => format!("chain {}", index + 1),
        }
    }

    fn snapshot(&self) -> PlaneSnapshot {
        let mut all = self.done.clone();
        all.fits.extend(self.fit_row());
        all.chains.extend(self.chain_row());
        all
    }
}

/// What the cost of a fit is to that of the exact posterior.
pub fn costs(spec: &PlaneSpec, restarts: usize) -> [(usize, f64); 3] {
    let problem = spec.problem();
    let evaluation = problem.cost(InferenceMethod::Laplace) as f64;
    let chains = if spec.hmc > 0 { CHAINS } else { 0 };
    let draws = (spec.hmc * 20) as f64 * problem.cost(InferenceMethod::Map) as f64;
    [(1, TRUTH as f64), (FITTED.len() * restarts, 30.0 * evaluation), (chains, draws.max(1.0))]
}
