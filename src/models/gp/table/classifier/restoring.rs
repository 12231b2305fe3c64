//! The posterior of a classifier of a finished run.

use std::mem;
use std::task::Poll;

use super::solving::{ClassifierPosterior, ClassifierSolve};
use super::{Classifier, ClassifierWork, Method, TableSolution, TableSpec};
use crate::lab::Budget;
use crate::models::gp::solver::approximation::Solve;
use crate::models::gp::solver::hyperparameters::Hyperparameters;
use crate::models::gp::solver::joint::FieldVector;
use crate::models::gp::solver::mean_field::MeanFieldSolver;
use crate::models::gp::solver::prediction::Prediction;
use crate::models::gp::solver::theory::MeanFieldTheory;
use crate::models::gp::table::rows::TableRows;

/// A classifier of a finished run whose posterior is restored: with TAP and naive mean field by one factorisation; with the other methods and
/// with inducing points it is solved for again.
pub struct RestoredClassifier {
    work: ClassifierWork,
    state: State,
}

/// State of the posterior.
enum State {
    /// It is restored, or solved for.
    Solve(ClassifierSolve),
    ClassifierPosterior(ClassifierSolve, ClassifierPosterior),
    /// There is none.
    Unsolved,
}

impl RestoredClassifier {
    /// Prepares the posterior of a `classifier` of a finished run.
    pub fn new(spec: &TableSpec, rows: TableRows, classifier: &Classifier) -> Self {
        let mut work = ClassifierWork::new(spec.clone(), rows, None);
        let solving = classifier.solution.as_ref().map(|solution| work.restored(classifier, solution));
        Self { work, state: solving.map_or(State::Unsolved, State::Solve) }
    }

    /// Does a slice of the work; returns true once the posterior is ready, or if there is none.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        self.state = match mem::replace(&mut self.state, State::Unsolved) {
            State::Solve(solving) => self.solve(solving, budget),
            state => state,
        };
        !matches!(self.state, State::Solve(_))
    }

    /// Returns true if there is a posterior.
    pub fn is_solved(&self) -> bool {
        matches!(self.state, State::ClassifierPosterior(..))
    }

    /// Returns the rows.
    pub fn rows(&self) -> &TableRows {
        &self.work.rows
    }

    /// Returns the hyperparameters; `None` without a posterior.
    pub fn hyperparameters(&self) -> Option<&Hyperparameters> {
        if let State::ClassifierPosterior(solving, _) = &self.state {
            Some(solving.hyperparameters())
        } else {
            None
        }
    }

    /// Returns the predictions of the first of `inputs`, or of a few, with the work done; none without a posterior.
    pub fn predict(&self, inputs: &[Vec<f64>]) -> (Vec<Prediction>, u64) {
        let State::ClassifierPosterior(solving, posterior) = &self.state else { return (Vec::new(), 0) };
        solving.predict(posterior, &self.work.rows.train, inputs)
    }

    /// Returns the field vectors of the first eight of `inputs`, with the work done; `None` without a posterior, and if the covariances are
    /// not positive definite.
    pub fn field_vectors(&self, inputs: &[&[f64]]) -> (Option<Vec<FieldVector>>, u64) {
        let State::ClassifierPosterior(solving, posterior) = &self.state else { return (None, 0) };
        solving.field_vectors(posterior, &self.work.rows.train, inputs)
    }

    /// Does a slice of the solve, or of the posterior of its solution.
    fn solve(&mut self, mut solving: ClassifierSolve, budget: &mut Budget) -> State {
        if self.work.is_preliminary && solving.ending().is_some() {
            return State::Solve(self.work.refined_solve(&solving));
        }
        let work = match solving.ending() {
            None => solving.advance(budget),
            Some(ending) if !ending.is_solution() => return State::Unsolved,
            Some(_) => match solving.advance_posterior() {
                (Poll::Pending, work) => work,
                (Poll::Ready(posterior), work) => {
                    budget.spend(work);
                    return posterior
                        .map_or(State::Unsolved, |posterior| State::ClassifierPosterior(solving, posterior));
                }
            },
        };
        budget.spend(work);
        State::Solve(solving)
    }
}

/// Returns the theory of a method by the double loop; `None` for the others.
fn theory(method: Method) -> Option<MeanFieldTheory> {
    match method {
        Method::Tap => Some(MeanFieldTheory::Tap),
        Method::Naive => Some(MeanFieldTheory::Naive),
        Method::Laplace | Method::Parallel | Method::Sequential => None,
    }
}

impl ClassifierWork {
    /// Returns the solve of a finished classifier: ended if its solution determines the posterior, otherwise before its first step.
    fn restored(&mut self, classifier: &Classifier, solution: &TableSolution) -> ClassifierSolve {
        let values = classifier.solve.hyper;
        let mut setting = self.setting(values.sigma2);
        setting.kernel.weights.clone_from(&solution.weights);
        let setting = Hyperparameters { v: values.v, kappa: values.kappa, ..setting };
        let Some(theory) = theory(self.spec.method).filter(|_| self.rows.inducing.is_none()) else {
            return self.first_solve(setting);
        };
        let examples = (self.rows.train.as_slice(), self.rows.tau.as_slice());
        let at = (solution.gamma.as_slice(), solution.lambda.as_slice());
        ClassifierSolve::Full(Box::new(Solve::restore(examples, setting, MeanFieldSolver::new(theory), at)))
    }
}
