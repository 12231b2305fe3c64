//! The full model beside the model by inducing points, on a random part of the training rows.

use std::task::Poll;

use super::solving::{ClassifierPosterior, ClassifierSolve};
use super::{Activity, ClassifierWork, Unit};
use crate::lab::Budget;
use crate::math::scores::log_loss;
use crate::models::gp::table::Comparison;
use crate::models::gp::table::rows::TableRows;

/// The work on a comparison.
pub struct ComparisonWork {
    rows: TableRows,
    /// Solves that are left: by inducing points, and before it that of the full model.
    solves: Vec<ClassifierSolve>,
    posterior: Option<ClassifierPosterior>,
    /// Probabilities of the test rows by the models so far, the current one last.
    probabilities: Vec<Vec<f64>>,
    points: usize,
}

impl ComparisonWork {
    /// Prepares the comparison of two solves for `rows`, the full one first.
    pub fn new(rows: TableRows, [full, inducing]: [ClassifierSolve; 2]) -> Self {
        Self {
            rows,
            solves: vec![inducing, full],
            posterior: None,
            probabilities: vec![Vec::new()],
            points: 0,
        }
    }

    /// Works for a slice. Returns the work that is not spent, and at the end the comparison, which is `None` if a model has no solution.
    fn step(&mut self, budget: &mut Budget) -> (u64, Poll<Option<Comparison>>) {
        let Some(solving) = self.solves.last_mut() else { return (0, Poll::Ready(None)) };
        if let Some(posterior) = &self.posterior {
            let known = self.probabilities.last_mut();
            let known = known.expect("the list begins with that of the first model");
            if let Some(rest @ [_, ..]) = self.rows.predicted.get(known.len()..) {
                let (rows, work) = solving.predict(posterior, &self.rows.train, rest);
                known.extend(rows.iter().map(|row| row.p));
                return (work, Poll::Pending);
            }
            self.points = posterior.points().unwrap_or(self.points);
            self.posterior = None;
            self.solves.pop();
            if self.solves.is_empty() {
                return (0, Poll::Ready(Some(self.result())));
            }
            self.probabilities.push(Vec::new());
            return (0, Poll::Pending);
        }
        let Some(ending) = solving.ending() else {
            return (solving.advance(budget), Poll::Pending);
        };
        if !ending.is_solution() {
            return (0, Poll::Ready(None));
        }
        let (posterior, work) = solving.advance_posterior();
        match posterior {
            Poll::Ready(None) => (work, Poll::Ready(None)),
            Poll::Ready(found) => {
                self.posterior = found;
                (work, Poll::Pending)
            }
            Poll::Pending => (work, Poll::Pending),
        }
    }

    fn result(&self) -> Comparison {
        let labels = &self.rows.table.test_labels;
        let count = labels.len() as f64;
        let loss = |p: &[f64]| {
            p.iter().zip(labels).map(|(p, label)| log_loss(*p, *label > 0.0)).sum::<f64>() / count
        };
        let (full, inducing) = (&self.probabilities[0], &self.probabilities[1]);
        let off = full.iter().zip(inducing).map(|(a, b)| (a - b).abs());
        Comparison {
            rows: self.rows.train.len(),
            tests: labels.len(),
            points: self.points,
            full: loss(full),
            inducing: loss(inducing),
            difference: off.sum::<f64>() / count,
        }
    }
}

impl ClassifierWork {
    /// Begins to compare inducing points with the full model if the classifier of this unit is that of the results.
    pub(super) fn begin_comparison(&mut self, solving: &ClassifierSolve) {
        let is_last = matches!(self.unit, Unit::Fitted(_)) || !self.spec.is_tuned();
        if let Some(rows) = self.rows.compared(self.spec.seed).filter(|_| is_last) {
            let setting = solving.hyperparameters();
            let full = ClassifierSolve::Full(self.full_solve(&rows, setting.clone()));
            let inducing = ClassifierSolve::Inducing(self.inducing_solve(&rows, setting.clone()));
            self.activity = Activity::Compare(Box::new(ComparisonWork::new(rows, [full, inducing])));
        }
    }

    /// Continues the comparison; returns the work done that is not spent.
    pub(super) fn compare(&mut self, mut work: Box<ComparisonWork>, budget: &mut Budget) -> u64 {
        let (spent, comparison) = work.step(budget);
        match comparison {
            Poll::Pending => self.activity = Activity::Compare(work),
            Poll::Ready(comparison) => {
                if let Some(classifier) = self.classifier() {
                    classifier.comparison = comparison;
                }
            }
        }
        spent
    }
}
