//! The full model beside the model by inducing points, on a random part of the training rows.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::RegressionSolution;
use super::model_work::ModelWork;
use super::rows::RegressionRows;
use crate::figure::rounded;
use crate::lab::Budget;
use crate::lab::labelled_table::numeric::{PredictedTarget, TestScores};
use crate::models::gp::regression::RegressionModel;

/// Scores of two models of the same rows, with the same hyperparameters, on the same other rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Number of rows that both have learnt.
    pub rows: usize,
    /// Number of inducing points.
    pub points: usize,
    /// Scores of the full model.
    pub full: TestScores,
    /// Scores of the model by inducing points.
    pub inducing: TestScores,
    /// Mean absolute difference of the predictive means, in units of the table.
    pub difference: f64,
    /// Log evidence of the full model, nats.
    pub ln_evidence: f64,
    /// Its lower bound by the inducing points, nats.
    pub bound: f64,
}

/// The work on a comparison.
pub struct ComparisonWork {
    /// The rows, for the full model.
    rows: Rc<RegressionRows>,
    full: ModelWork,
    inducing: ModelWork,
    full_is_done: bool,
}

impl ComparisonWork {
    /// Prepares the comparison of two posteriors of `model`, on rows that are drawn by `seed`.
    pub fn new(rows: &RegressionRows, model: &RegressionModel, seed: u64) -> Self {
        let [full, inducing] = rows.compared(seed).map(Rc::new);
        Self {
            rows: Rc::clone(&full),
            full: ModelWork::solve(full, model.clone(), seed).without_left_out(),
            inducing: ModelWork::solve(inducing, model.clone(), seed).without_left_out(),
            full_is_done: false,
        }
    }

    /// Works for a slice; returns true when the work is done.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        if self.full_is_done {
            return self.inducing.step(budget);
        }
        self.full_is_done = self.full.step(budget);
        false
    }

    /// Returns the estimated fraction done.
    pub fn fraction(&self) -> f64 {
        0.8 * self.full.fraction() + 0.2 * self.inducing.fraction()
    }

    /// Returns the comparison; `None` before the end, or if a model has no solution.
    pub fn result(&self) -> Option<Comparison> {
        let (full, inducing) = (self.full.solved()?, self.inducing.solved()?);
        let (exact, bound) = (full.solution.as_ref()?, inducing.solution.as_ref()?);
        let scale = &self.rows.rows.scale;
        let targets: Vec<f64> = self.rows.rows.tests.iter().map(|t| scale.in_units(*t, 0.0).0).collect();
        let scores = |solution: &RegressionSolution| {
            TestScores::of_predictions(&targets, &solution.predictions.test, scale.unit())
        };
        let pairs = exact.predictions.test.iter().zip(&bound.predictions.test);
        let off = |(a, b): (&PredictedTarget, &PredictedTarget)| (a.mean - b.mean).abs();
        Some(Comparison {
            rows: full.rows,
            points: inducing.points?,
            full: scores(exact)?,
            inducing: scores(bound)?,
            difference: pairs.map(off).sum::<f64>() / targets.len() as f64,
            ln_evidence: exact.ln_evidence,
            bound: bound.ln_evidence,
        })
    }
}

impl Comparison {
    /// Returns a sentence, preceded by a blank.
    pub fn sentence(&self) -> String {
        let Self { rows, points, full, inducing, difference, .. } = self;
        format!(
            " On {rows} random training rows, {points} inducing points and the full model differ by {} in the predictive mean of {} others, on \
             average; root mean squared error {} and {}.",
            rounded(*difference),
            full.rows,
            rounded(inducing.rmse),
            rounded(full.rmse)
        )
    }
}
