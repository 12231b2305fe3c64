//! The work: fits one evaluation a step, each on its split.

use std::f64::consts::TAU;
use std::rc::Rc;

use super::rows::Split;
use super::{Baselines, FITTED, FitRow, INTERVALS, Scores, TableInfo, TableSnapshot, TableSpec};
use crate::lab::Work;
use crate::math::Budget;
use crate::math::bayesian_regression::BayesianRegression;
use crate::models::mlp::fields::Approximation;
use crate::models::mlp::solver::expectation::predictions;
use crate::models::mlp::solver::fit::{NetworkFit, restart};
use crate::models::mlp::solver::mode::energy;
use crate::models::mlp::solver::options::{InferenceMethod, Options};

/// Largest element of a gradient at the end, in nats.
const TOLERANCE: f64 = 1e-4;

/// Some units of one specification.
pub struct TableWork {
    spec: TableSpec,
    table: Rc<TableInfo>,
    splits: Vec<Split>,
    /// Split, method and start of the unit under way.
    unit: (usize, Approximation, usize),
    fit: Option<NetworkFit>,
    /// Of the split under way, in its first unit.
    baselines: Option<Baselines>,
    fits: Vec<Rc<FitRow>>,
}

impl TableWork {
    /// Before its first unit.
    pub fn new(spec: &TableSpec, table: TableInfo, splits: Vec<Split>) -> Self {
        let unit = (0, FITTED[0], 0);
        Self {
            spec: spec.clone(),
            table: Rc::new(table),
            splits,
            unit,
            fit: None,
            baselines: None,
            fits: Vec::new(),
        }
    }

    fn row(&self, fit: &NetworkFit) -> Option<FitRow> {
        let (index, method, start) = self.unit;
        let (split, found) = (&self.splits[index], fit.result()?);
        let (q, bound, problem) = (&found.q, found.bound, &split.problem);
        let ensemble = matches!(method.method(self.spec.factors), InferenceMethod::Ensemble(_));
        let least = if ensemble {
            bound.negative_elbo
        } else {
            // The modes of one split have other α and β, and are compared by what they fit.
            energy(problem.shape, &q.mean, &problem.examples, bound.alpha, bound.beta).0
                - 0.5 * problem.examples.count() as f64 * libm::log(bound.beta)
                - 0.5 * q.mean.len() as f64 * libm::log(bound.alpha)
        };
        let noise = 1.0 / bound.beta;
        // Mean of f and standard deviation of a new target.
        let said: Vec<(f64, f64)> = predictions(problem.shape, q, &split.queries)
            .into_iter()
            .map(|(mean, var)| (mean, (var + noise).sqrt()))
            .collect();
        let trained = predictions(problem.shape, q, &problem.examples);
        let errors = trained.iter().enumerate().map(|(n, (mean, _))| mean - problem.examples.target(n));
        Some(FitRow {
            split: index,
            method,
            restart: start,
            negative_elbo: bound.negative_elbo,
            least,
            alpha: bound.alpha,
            beta: bound.beta,
            evaluations: found.evaluations,
            ending: fit.ending(),
            scores: scores(split, &said),
            baselines: self.baselines,
            train_mse: errors.map(|e| e * e).sum::<f64>() / problem.examples.count() as f64,
            said: match index {
                0 => said.into_iter().map(|(mean, sd)| split.in_units(mean, sd)).collect(),
                _ => Vec::new(),
            },
        })
    }
}

/// What the test rows say; `said` begins with them, as the network sees targets.
fn scores(split: &Split, said: &[(f64, f64)]) -> Option<Scores> {
    let count = split.tests.len() as f64;
    if split.tests.is_empty() {
        return None;
    }
    let (mut mse, mut ln_density, mut inside) = (0.0, 0.0, [0.0; 3]);
    for (t, (mean, sd)) in split.tests.iter().zip(said) {
        let off = t - mean;
        mse += off * off / count;
        let in_units = split.in_units(0.0, *sd).1;
        ln_density -= (0.5 * libm::log(TAU * in_units * in_units) + 0.5 * (off / sd) * (off / sd)) / count;
        for (inside, (_, half)) in inside.iter_mut().zip(INTERVALS) {
            *inside += f64::from(u8::from(off.abs() <= half * sd)) / count;
        }
    }
    let rmse = split.in_units(0.0, mse.sqrt()).1;
    Some(Scores { mse, rmse, ln_density, coverage: inside })
}

/// What the test rows say of predictors without a network.
fn without_network(split: &Split) -> Baselines {
    let (examples, tests) = (&split.problem.examples, split.tests.len());
    let inputs: Vec<f64> = (0..examples.count()).flat_map(|n| examples.row(n)).collect();
    let targets: Vec<f64> = (0..examples.count()).map(|n| examples.target(n)).collect();
    let sd = (targets.iter().map(|t| t * t).sum::<f64>() / targets.len().max(1) as f64).sqrt();
    let linear = BayesianRegression::new(&inputs, &targets).map(|found| {
        let predict = |n: usize| found.predict(&split.queries.row(n).collect::<Vec<_>>());
        (0..tests).map(predict).collect::<Vec<_>>()
    });
    Baselines {
        mean: scores(split, &vec![(0.0, sd.max(f64::MIN_POSITIVE)); tests]),
        linear: linear.and_then(|said| scores(split, &said)),
    }
}

impl Work for TableWork {
    type Snapshot = TableSnapshot;

    fn begin(&mut self, unit: usize) {
        let (start, rest) = (unit % self.spec.restarts, unit / self.spec.restarts);
        let (method, split) = (FITTED[rest % FITTED.len()], rest / FITTED.len());
        self.unit = (split, method, start);
        self.baselines = (method == FITTED[0] && start == 0).then(|| without_network(&self.splits[split]));
        let mut options = Options::new(method.method(self.spec.factors));
        options.optimiser = self.spec.optimiser.optimiser();
        options.scheme = self.spec.scheme.scheme();
        options.tolerance = TOLERANCE;
        self.fit = Some(restart(&self.splits[split].problem, options, start, self.spec.seed));
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        let done = self.fit.as_mut().is_none_or(|fit| fit.step(budget));
        if done && let Some(fit) = self.fit.take() {
            let row = self.row(&fit);
            self.fits.extend(row.map(Rc::new));
        }
        done
    }

    fn fraction(&self) -> f64 {
        self.fit.as_ref().map_or(0.0, NetworkFit::fraction)
    }

    fn note(&self) -> String {
        let (split, method, start) = self.unit;
        let evaluations = self.fit.as_ref().map_or(0, NetworkFit::evaluations);
        let of = if self.spec.splits > 1 { format!("split {}, ", split + 1) } else { String::new() };
        format!("{of}{}, start {}, evaluation {evaluations}", method.reads(), start + 1)
    }

    fn snapshot(&self) -> TableSnapshot {
        TableSnapshot { table: Some(Rc::clone(&self.table)), fits: self.fits.clone() }
    }
}
