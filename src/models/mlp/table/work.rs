//! The solver of `mlp.data`: starts of fits on each split, one evaluation per step.

use std::rc::Rc;

use super::rows::Split;
use super::{TableFit, TableSnapshot, TableSpec};
use crate::lab::Work;
use crate::lab::labelled_table::numeric::{NumericSummary, PredictedTarget, TargetBaselines};
use crate::math::Budget;
use crate::math::random::{Purpose, Stream};
use crate::models::mlp::fields::Approximation;
use crate::models::mlp::fits::{FitRow, energy_at_mean};
use crate::models::mlp::solver::expectation::predictions;
use crate::models::mlp::solver::fit::{FitResult, NetworkFit, restart, warm_start};
use crate::models::mlp::solver::options::Options;
use crate::models::mlp::solver::precisions::Precisions;

/// Largest element of the gradient at convergence, in nats per posterior standard deviation.
const TOLERANCE: f64 = 1e-3;
/// Number of draws of the weights for the bands of partial dependences, and the unit of their stream.
const DRAWS: usize = 40;
const DRAWS_UNIT: u64 = 4;

/// A unit of work: one start of a fit on a split.
#[derive(Clone, Copy, Debug)]
struct TableUnit {
    split: usize,
    method: Approximation,
    restart: usize,
}

/// Solver for units of one specification.
pub struct TableWork {
    spec: TableSpec,
    table: Rc<NumericSummary>,
    /// The splits, followed by the split with all labelled rows as training rows, if needed.
    splits: Vec<Split>,
    /// Fit that predicts, once the fits on the splits are done.
    predicting: Option<FitRow<TableFit>>,
    unit: TableUnit,
    fit: Option<NetworkFit>,
    /// Scores of predictors without a network, in the first unit of a split.
    baselines: Option<TargetBaselines>,
    fits: Vec<Rc<FitRow<TableFit>>>,
}

impl TableWork {
    /// Creates a solver for the rows of `splits`; `table` summarises the first one. The fit `predicting` is repeated with all labelled
    /// rows.
    pub fn new(
        spec: &TableSpec,
        table: NumericSummary,
        splits: Vec<Split>,
        predicting: Option<FitRow<TableFit>>,
    ) -> Self {
        Self {
            spec: spec.clone(),
            table: Rc::new(table),
            splits,
            predicting,
            unit: TableUnit { split: 0, method: Approximation::ALL[0], restart: 0 },
            fit: None,
            baselines: None,
            fits: Vec::new(),
        }
    }

    /// Returns the prior variances of the weights of the columns; empty with one α.
    fn relevances(&self, precisions: &Precisions) -> Vec<f64> {
        match precisions.alphas.as_slice() {
            [_] => Vec::new(),
            alphas => alphas.iter().take(self.table.names.len()).map(|alpha| 1.0 / alpha).collect(),
        }
    }

    /// Returns the predictions of all rows to predict by a fit of a finished run, with the multiply–adds; `None` if it does not predict.
    pub fn predict(&self, fit: &FitRow<TableFit>) -> Option<(Vec<PredictedTarget>, u64)> {
        let TableFit { split, q, .. } = &fit.details;
        let (split, q) = (self.splits.get(*split)?, q.as_ref()?);
        let weights = q.mean.len();
        let cost = split.queries.count() * weights * (weights + 10);
        Some((split.in_units(&split.predict(q, fit.beta)), cost as u64))
    }

    /// Returns the row of a finished fit; `None` if it has no result.
    fn row(&self, fit: &NetworkFit) -> Option<FitRow<TableFit>> {
        let TableUnit { split: index, method, restart } = self.unit;
        let (split, result) = (&self.splits[index], fit.result()?);
        let problem = &split.problem;
        let predicted = split.predict(&result.q, result.bound.precisions.beta);
        let trained = predictions(problem.shape, &result.q, &problem.examples);
        let errors = trained.iter().enumerate().map(|(n, (mean, _))| mean - problem.examples.target(n));
        let held_out = &split.rows.held_out;
        let effects = held_out.effects(self.spec.seed, |inputs| split.squared_errors(&result.q, inputs));
        let mut stream = Stream::for_purpose(self.spec.seed, Purpose::MlpDraws, DRAWS_UNIT);
        let draws = if effects.is_empty() { Vec::new() } else { result.q.draws(DRAWS, &mut stream) };
        let predicts = [0, self.spec.splits].contains(&index);
        let details = TableFit {
            split: index,
            scores: split.rows.scores(&predicted),
            baselines: self.baselines,
            train_mse: errors.map(|e| e * e).sum::<f64>() / problem.examples.count() as f64,
            dependence: held_out.dependence(&effects, |inputs| split.average(&result.q, &draws, inputs)),
            effects,
            relevances: if index == 0 { self.relevances(&result.bound.precisions) } else { Vec::new() },
            q: predicts.then(|| result.q.clone()),
            predicted: if predicts { split.in_units(&predicted) } else { Vec::new() },
        };
        Some(FitRow::new((method, restart), fit, result, objective(split, method, result), details))
    }
}

/// Returns the criterion for the best start: −ELBO, or the negative log posterior density at the mode. The latter includes the
/// normalisation, because the starts may have different α and β.
fn objective(split: &Split, method: Approximation, result: &FitResult) -> f64 {
    if method.is_ensemble() {
        return result.bound.negative_elbo;
    }
    energy_at_mean(&split.problem, result)
        - 0.5 * split.problem.examples.count() as f64 * libm::log(result.bound.precisions.beta)
        - 0.5 * result.q.mean.len() as f64 * libm::log(result.bound.precisions.alpha())
}

impl Work for TableWork {
    type Snapshot = TableSnapshot;

    fn begin(&mut self, unit: usize) {
        let (index, rest) = (unit % self.spec.restarts, unit / self.spec.restarts);
        let methods = Approximation::ALL;
        let split = rest / methods.len();
        let of_all = split == self.spec.splits;
        let warm = self.predicting.as_ref().filter(|_| of_all);
        let method =
            if of_all { warm.map(|first| first.method) } else { Some(methods[rest % methods.len()]) };
        let (Some(method), Some(rows)) = (method, self.splits.get(split)) else {
            self.fit = None;
            return;
        };
        self.unit = TableUnit { split, method, restart: index };
        let first = !of_all && method == methods[0] && index == 0;
        self.baselines = first.then(|| TargetBaselines::on_tests(&rows.rows, self.spec.bias));
        let options = Options {
            optimiser: self.spec.optimiser.optimiser(),
            scheme: self.spec.scheme.scheme(),
            tolerance: TOLERANCE,
            ..Options::new(method.method(self.spec.factors))
        };
        // A column that is constant among the training rows and not among all rows adds weights.
        let start = warm.and_then(|first| Some(&first.details.q.as_ref()?.mean));
        let start = start.filter(|weights| weights.len() == rows.problem.shape.weights());
        self.fit = Some(match start {
            Some(weights) => warm_start(&rows.problem, options, weights, self.spec.seed),
            None => restart(&rows.problem, options, index, self.spec.seed),
        });
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
        let TableUnit { split, method, restart } = self.unit;
        let evaluations = self.fit.as_ref().map_or(0, NetworkFit::evaluations);
        let prefix = if split == self.spec.splits {
            "all rows, ".to_owned()
        } else if self.spec.splits > 1 {
            format!("split {}, ", split + 1)
        } else {
            String::new()
        };
        format!("{prefix}{}, start {}, evaluation {evaluations}", method.label(), restart + 1)
    }

    fn snapshot(&self) -> TableSnapshot {
        TableSnapshot { table: Some(Rc::clone(&self.table)), fits: self.fits.clone() }
    }
}
