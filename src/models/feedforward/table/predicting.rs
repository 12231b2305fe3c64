//! Predictions of the rows of a second file by the posterior of the weights of a finished run.

use std::ops::Range;

use super::student::probability;
use super::{TableSnapshot, TableSolution, TableSpec};
use crate::data::{Dataset, RowRole, TableSummary};
use crate::lab::{Budget, Predictions};
use crate::models::feedforward::tap::likelihood::Likelihood;

/// Predictions of new rows by the solutions of a finished run.
pub struct StudentPredictions {
    rows: Dataset,
    hidden: usize,
    /// Solutions that predict: the fitted one and that at the given β.
    solutions: Vec<TableSolution>,
    /// Rows of the second file that are left to be predicted.
    left: Range<usize>,
    /// Indices of the rows of the second file.
    second: Vec<usize>,
    /// Probabilities of +1 by each solution.
    p: Vec<Vec<f64>>,
}

impl StudentPredictions {
    /// Prepares the predictions of the second rows of `rows`.
    pub fn new(spec: &TableSpec, rows: Dataset, finished: &TableSnapshot) -> Self {
        let second: Vec<usize> = rows.of(RowRole::Second).collect();
        let solutions = [&finished.solution, &finished.before_fit].into_iter().flatten().cloned();
        let solutions: Vec<TableSolution> = solutions.collect();
        let p = vec![Vec::new(); solutions.len()];
        Self { rows, hidden: spec.hidden, solutions, left: 0..second.len(), second, p }
    }
}

impl Predictions for StudentPredictions {
    type Snapshot = TableSnapshot;

    fn step(&mut self, budget: &mut Budget) -> bool {
        let width = self.rows.width();
        let cost = self.solutions.len() * width * (width / self.hidden + 1);
        for row in self.left.by_ref() {
            let input = self.rows.row(self.second[row]);
            for (solution, p) in self.solutions.iter().zip(&mut self.p) {
                let likelihood = Likelihood::new(self.hidden, solution.beta);
                p.push(probability(&likelihood, &solution.weight_posterior().fields_at(input)));
            }
            if !budget.spend(cost as u64) {
                break;
            }
        }
        self.left.is_empty()
    }

    fn fraction(&self) -> f64 {
        self.left.start as f64 / self.second.len().max(1) as f64
    }

    fn complete(&mut self, mut finished: TableSnapshot) -> TableSnapshot {
        let table = TableSummary::of(&self.rows);
        let solutions = [&mut finished.solution, &mut finished.before_fit].into_iter().flatten();
        for (solution, p) in solutions.zip(&mut self.p) {
            solution.table = table.clone();
            solution.p.second = std::mem::take(p);
        }
        finished
    }
}
