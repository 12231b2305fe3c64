//! Predictions of the rows of a second file by a classifier of a finished run.

use std::mem;
use std::ops::Range;
use std::task::Poll;

use super::solving::{Solved, Solving};
use super::{Classifier, ClassifierWork, Method, TableSolution, TableSpec};
use crate::data::TableSummary;
use crate::lab::Budget;
use crate::models::gp::solver::approximation::Solve;
use crate::models::gp::solver::hyperparameters::Hyperparameters;
use crate::models::gp::solver::mean_field::MeanFieldSolver;
use crate::models::gp::solver::prediction::Prediction;
use crate::models::gp::solver::theory::Theory;
use crate::models::gp::table::rows::TableRows;

/// Predictions of new rows by one classifier. With TAP and naive mean field the posterior is restored by one factorisation; with the other
/// methods and with inducing points it is solved for again.
pub struct ClassifierPredictions {
    work: ClassifierWork,
    step: PredictionStep,
    predicted: Vec<Prediction>,
}

/// Rows of both files, and the predictions of those of the second one.
pub struct PredictedRows {
    /// Rows and columns.
    pub table: TableSummary,
    /// Predictions of the rows of the second file.
    pub second: Vec<Prediction>,
}

/// The next step of the predictions.
enum PredictionStep {
    /// Restores the posterior, or solves for it.
    Solve(Solving),
    Predict(Solving, Solved),
    Done,
}

impl ClassifierPredictions {
    /// Prepares the predictions of the second rows of `rows` by a `classifier` of a finished run.
    pub fn new(spec: &TableSpec, rows: TableRows, classifier: &Classifier) -> Self {
        let mut work = ClassifierWork::new(spec.clone(), rows, None);
        let solving = classifier.solution.as_ref().map(|solution| work.restored(classifier, solution));
        let step = solving.map_or(PredictionStep::Done, PredictionStep::Solve);
        Self { work, step, predicted: Vec::new() }
    }

    /// Makes a step; returns true after the last.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        self.step = match mem::replace(&mut self.step, PredictionStep::Done) {
            PredictionStep::Solve(solving) => self.solve(solving, budget),
            PredictionStep::Predict(solving, posterior) => self.predict(solving, posterior, budget),
            PredictionStep::Done => PredictionStep::Done,
        };
        matches!(self.step, PredictionStep::Done)
    }

    /// Returns the estimated fraction that is done.
    pub fn fraction(&self) -> f64 {
        match self.step {
            PredictionStep::Solve(_) => 0.0,
            PredictionStep::Predict(..) => {
                0.5 + 0.5 * self.predicted.len() as f64 / self.second().len().max(1) as f64
            }
            PredictionStep::Done => 1.0,
        }
    }

    /// Returns the rows and their predictions.
    pub fn finish(self) -> PredictedRows {
        PredictedRows { table: self.work.rows.table, second: self.predicted }
    }

    /// Returns the indices of the rows of the second file among the predicted rows.
    fn second(&self) -> Range<usize> {
        let table = &self.work.rows.table;
        let all = self.work.rows.predicted.len();
        all - table.second_lines.len()..all
    }

    /// Does a slice of the solve, or of the posterior of its solution.
    fn solve(&mut self, mut solving: Solving, budget: &mut Budget) -> PredictionStep {
        if self.work.is_preliminary && solving.ending().is_some() {
            return PredictionStep::Solve(self.work.refined_solve(&solving));
        }
        let work = match solving.ending() {
            None => solving.advance(budget),
            Some(ending) if !ending.is_solution() => return PredictionStep::Done,
            Some(_) => match solving.advance_posterior() {
                (Poll::Pending, work) => work,
                (Poll::Ready(posterior), work) => {
                    budget.spend(work);
                    let predict = |posterior| PredictionStep::Predict(solving, posterior);
                    return posterior.map_or(PredictionStep::Done, predict);
                }
            },
        };
        budget.spend(work);
        PredictionStep::Solve(solving)
    }

    fn predict(&mut self, solving: Solving, posterior: Solved, budget: &mut Budget) -> PredictionStep {
        let rows = &self.work.rows;
        let rest = &rows.predicted[self.second()][self.predicted.len()..];
        if rest.is_empty() {
            return PredictionStep::Done;
        }
        let (predicted, work) = solving.predict(&posterior, &rows.train, rest);
        budget.spend(work);
        self.predicted.extend(predicted);
        PredictionStep::Predict(solving, posterior)
    }
}

/// Returns the theory of a method by the double loop; `None` for the others.
fn theory(method: Method) -> Option<Theory> {
    match method {
        Method::Tap => Some(Theory::Tap),
        Method::Naive => Some(Theory::Naive),
        Method::Laplace | Method::Parallel | Method::Sequential => None,
    }
}

impl ClassifierWork {
    /// Returns the solve of a finished classifier: ended if its solution determines the posterior, otherwise before its first step.
    fn restored(&mut self, classifier: &Classifier, solution: &TableSolution) -> Solving {
        let values = classifier.solve.hyper;
        let mut setting = self.setting(values.sigma2);
        setting.kernel.weights.clone_from(&solution.weights);
        let setting = Hyperparameters { v: values.v, kappa: values.kappa, ..setting };
        let Some(theory) = theory(self.spec.method).filter(|_| self.rows.inducing.is_none()) else {
            return self.first_solve(setting);
        };
        let examples = (self.rows.train.as_slice(), self.rows.tau.as_slice());
        let at = (solution.gamma.as_slice(), solution.lambda.as_slice());
        Solving::Full(Box::new(Solve::restore(examples, setting, MeanFieldSolver::new(theory), at)))
    }
}
