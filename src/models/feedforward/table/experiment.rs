//! The experiment: solve, and look at the solution.

use std::mem;

use super::{Fields, OwnSnapshot, OwnSolution, OwnSpec, SOLVER};
use crate::data::teacher::Examples;
use crate::data::{Dataset, Part, TableInfo};
use crate::lab::{Budget, Ending, Residual, Residuals, Work};
use crate::math::lanes::exp;
use crate::models::feedforward::tap::likelihood::Likelihood;
use crate::models::feedforward::tap::solution::{Solution, error_share};
use crate::models::feedforward::tap::{State, TrainingSet};

/// Under way.
pub struct OwnWork {
    likelihood: Likelihood,
    fields: bool,
    rows: Dataset,
    examples: Examples,
    state: Option<State>,
    residuals: Residuals,
    seen: OwnSnapshot,
}

impl OwnWork {
    /// Before its first sweep.
    pub fn new(spec: &OwnSpec, rows: Dataset) -> Self {
        let mut examples = Examples::new(rows.width());
        for i in rows.of(Part::Train) {
            examples.push(rows.row(i), rows.sign(i));
        }
        Self {
            likelihood: Likelihood::new(spec.hidden, spec.beta),
            fields: spec.fields,
            rows,
            examples,
            state: None,
            residuals: Residuals::default(),
            seen: OwnSnapshot::default(),
        }
    }
}

impl Work for OwnWork {
    type Snapshot = OwnSnapshot;

    fn begin(&mut self, _unit: usize) {}

    fn step(&mut self, budget: &mut Budget) -> bool {
        let problem = TrainingSet::new(&self.examples, self.examples.len(), self.likelihood);
        let state = self.state.get_or_insert_with(|| SOLVER.init(&problem));
        let ending = SOLVER.run(&problem, state, budget, |state| {
            self.seen.sweeps = state.total_sweeps();
            if let Some((residual, damping)) = state.last() {
                self.residuals.push(Residual { step: state.total_sweeps(), residual, damping });
            }
        });
        let Some(ending) = ending else { return false };
        let solution = state.solution(&problem);
        self.seen.ending = Some(ending);
        if ending == Ending::Converged {
            self.seen.solved = Some(self.look_at(solution));
        } else {
            self.seen.residuals = mem::take(&mut self.residuals);
        }
        true
    }

    /// Nobody knows how many sweeps it will take; most need fewer than a hundred.
    fn fraction(&self) -> f64 {
        self.seen.sweeps as f64 / (self.seen.sweeps + 100) as f64
    }

    fn note(&self) -> String {
        format!("sweep {}", self.seen.sweeps)
    }

    fn snapshot(&self) -> OwnSnapshot {
        self.seen.clone()
    }
}

impl OwnWork {
    fn look_at(&self, solution: Solution) -> OwnSolution {
        let table = TableInfo::of(&self.rows);
        let (likelihood, labels) = (self.likelihood, &table.labels);
        let cavity = || solution.z.chunks_exact(likelihood.hidden());
        // ⟨F⟩ is a probability but for its factor 1/(1+e^−β).
        let right = 1.0 - likelihood.flip_probability();
        let mut order: Vec<usize> = (0..solution.weights.len()).collect();
        order.sort_by(|a, b| solution.weights[*b].abs().total_cmp(&solution.weights[*a].abs()));
        let plus = |z: &[f64]| probability(right * exp(likelihood.ln_f(z, 1.0)));
        let predictions: Vec<f64> = cavity().map(plus).collect();
        let unseen = |part| {
            self.rows.of(part).map(|i| plus(&solution.fields_at(self.rows.row(i)))).collect::<Vec<_>>()
        };
        let test = unseen(Part::Test);
        let count = |share: f64| (2.0 * share * labels.len() as f64).round() / 2.0;
        let of_tests = |share: f64| (2.0 * share * test.len() as f64).round() / 2.0;
        OwnSolution {
            order,
            test_errors: of_tests(error_share(test.iter().map(|p| p - 0.5), &table.test_labels)),
            unlabelled: unseen(Part::Unlabelled),
            second: unseen(Part::Second),
            test,
            loo_errors: count(error_share(predictions.iter().map(|p| p - 0.5), labels)),
            predictions,
            train_errors: count(solution.training_bayes(labels)),
            train_errors_tilted: count(solution.training_tilted(labels, &likelihood)),
            fields: self.fields.then(|| Fields {
                g: solution.g.clone(),
                z: solution.z.clone(),
                ln_f: cavity().zip(labels).map(|(z, y)| likelihood.ln_f(z, *y)).collect(),
            }),
            weights: solution.weights,
            lambda: solution.lambda,
            table,
        }
    }
}

/// Fields of 0 are even odds, but for rounding.
pub(super) fn probability(p: f64) -> f64 {
    if (p - 0.5).abs() < 1e-12 { 0.5 } else { p }
}
