//! Predictions and scores of a solution.

use super::solving::{ClassifierPosterior, ClassifierSolve};
use super::{Activity, ClassifierWork, Unit, summary};
use crate::lab::labelled_table::{PermutedProbabilities, RowPredictions};
use crate::models::gp::propagation::RowValues;
use crate::models::gp::solver::prediction::Prediction;
use crate::models::gp::solver::solution::Solution;
use crate::models::gp::table::{Method, SolutionScores, SolveSummary, TableSolution};

impl ClassifierWork {
    /// Predicts a few rows; after the last, adds the scores and predictions to the snapshot.
    pub(super) fn predict(
        &mut self,
        solving: ClassifierSolve,
        posterior: ClassifierPosterior,
        mut rows: Vec<Prediction>,
    ) -> u64 {
        let tests = self.rows.table.test_labels.len();
        // The scan scores test rows only.
        let most = if let Unit::Scan(_) = self.unit { tests } else { self.rows.predicted.len() };
        if rows.len() < most {
            let rest = &self.rows.predicted[rows.len()..most];
            let (predicted, work) = solving.predict(&posterior, &self.rows.train, rest);
            rows.extend(predicted);
            self.activity = Activity::Predict(solving, posterior, rows);
            return work;
        }
        let unlabelled_and_second = rows.split_off(tests);
        let (points, minus_g) = (posterior.points(), posterior.minus_g());
        let values = posterior.rows();
        let scores = self.scores(minus_g, &values, &rows);
        let ending = solving.ending().filter(|_| !self.is_preliminary);
        let solve = SolveSummary { scores: Some(scores), ..summary(&solving, ending) };
        if let Unit::Scan(_) = self.unit {
            self.snapshot.scan.push(solve);
            return 0;
        }
        let mut unlabelled = unlabelled_and_second;
        let second = unlabelled.split_off(self.rows.table.unlabelled_lines.len());
        let solution = TableSolution {
            weights: solving.hyperparameters().kernel.weights.clone(),
            x: values.x,
            lambda: values.lambda,
            gamma: values.gamma,
            points,
            is_preliminary: self.is_preliminary,
            effects: Vec::new(),
            permuted: PermutedProbabilities::default(),
            no_effects: None,
            predictions: RowPredictions { left_out: values.left_out, test: rows, unlabelled, second },
        };
        if let Some(classifier) = self.classifier() {
            (classifier.solve, classifier.solution) = (solve, Some(solution));
        }
        if self.is_preliminary {
            self.refine(&solving);
        } else {
            self.begin_effects(solving, posterior);
        }
        0
    }

    fn scores(&self, minus_g: f64, values: &RowValues, test: &[Prediction]) -> SolutionScores {
        let errors = |rows: &[Prediction], labels: &[f64]| {
            rows.iter().zip(labels).filter(|(row, label)| row.misses(**label)).count()
        };
        SolutionScores {
            minus_g,
            ln_evidence: (self.spec.method != Method::Naive).then_some(minus_g),
            ln_loo: values.ln_loo,
            loo_errors: errors(&values.left_out, &self.rows.tau),
            train_errors: Solution::errors(&values.h, &self.rows.tau),
            test_errors: errors(test, &self.rows.table.test_labels),
        }
    }
}
