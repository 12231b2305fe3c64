//! A solve of the full model or by inducing points, with one set of operations.

use std::task::Poll;

use crate::lab::{Budget, Ending};
use crate::models::gp::propagation::solve::PropagationSolve;
use crate::models::gp::propagation::{PropagationPosterior, RowValues};
use crate::models::gp::solver::approximation::{Effort, Solve};
use crate::models::gp::solver::hyperparameters::Hyperparameters;
use crate::models::gp::solver::joint::FieldVector;
use crate::models::gp::solver::posterior::Posterior;
use crate::models::gp::solver::prediction::Prediction;

/// Number of rows that are predicted together by inducing points.
const BLOCK: usize = 8;

/// A solve in progress.
pub enum ClassifierSolve {
    /// Of the full model.
    Full(Box<Solve>),
    /// By inducing points.
    Inducing(Box<PropagationSolve>),
}

/// A posterior.
pub enum ClassifierPosterior {
    /// Of the full model.
    Full(Box<Posterior>),
    /// By inducing points.
    Inducing(Box<PropagationPosterior>),
}

impl ClassifierSolve {
    /// Continues for a slice of work, which is spent or returned.
    pub fn advance(&mut self, budget: &mut Budget) -> u64 {
        match self {
            Self::Full(solve) => {
                solve.advance();
                solve.work()
            }
            Self::Inducing(solve) => {
                solve.advance(budget);
                0
            }
        }
    }

    /// Returns how the solve ended; `None` while it is in progress.
    pub fn ending(&self) -> Option<Ending> {
        match self {
            Self::Full(solve) => solve.ending(),
            Self::Inducing(solve) => solve.ending(),
        }
    }

    /// Returns true if the latest slice of work did not complete a step.
    pub fn is_within_step(&self) -> bool {
        match self {
            Self::Full(solve) => solve.is_within_step(),
            Self::Inducing(solve) => solve.is_within_step(),
        }
    }

    /// Returns the work and precision so far.
    pub fn effort(&self) -> Effort {
        match self {
            Self::Full(solve) => solve.effort(),
            Self::Inducing(solve) => solve.effort(),
        }
    }

    /// Returns the fraction of each step that is taken.
    pub fn damping(&self) -> f64 {
        match self {
            Self::Full(solve) => solve.damping(),
            Self::Inducing(_) => 1.0,
        }
    }

    /// Returns the hyperparameters.
    pub fn hyperparameters(&self) -> &Hyperparameters {
        match self {
            Self::Full(solve) => solve.hyperparameters(),
            Self::Inducing(solve) => solve.hyperparameters(),
        }
    }

    /// Does a slice of the work for the posterior of a solution, and returns it with the work done; pending until the last slice.
    pub fn advance_posterior(&mut self) -> (Poll<Option<ClassifierPosterior>>, u64) {
        match self {
            Self::Full(solve) => {
                let posterior = solve.advance_posterior();
                (
                    posterior.map(|found| found.map(|found| ClassifierPosterior::Full(Box::new(found)))),
                    solve.work(),
                )
            }
            Self::Inducing(solve) => {
                (Poll::Ready(solve.take_posterior().map(ClassifierPosterior::Inducing)), 0)
            }
        }
    }

    /// Returns the predictions of the first of `inputs`, or of a few, with the work done; `train` are the training rows.
    pub fn predict(
        &self,
        posterior: &ClassifierPosterior,
        train: &[Vec<f64>],
        inputs: &[Vec<f64>],
    ) -> (Vec<Prediction>, u64) {
        match (self, posterior) {
            (Self::Full(solve), ClassifierPosterior::Full(posterior)) => {
                let (m, width) = (train.len(), inputs.first().map_or(0, Vec::len));
                let first = inputs.iter().take(1);
                let predicted = first.map(|input| solve.predict(posterior, train.iter(), input)).collect();
                (predicted, (m * (m / 2 + width)) as u64)
            }
            (_, ClassifierPosterior::Inducing(posterior)) => {
                let block = &inputs[..inputs.len().min(BLOCK)];
                (posterior.predict_block(block), posterior.block_cost())
            }
            // A solve by inducing points has no full posterior.
            (Self::Inducing(_), ClassifierPosterior::Full(_)) => (Vec::new(), 0),
        }
    }
}

impl ClassifierSolve {
    /// Returns the field vectors of the first eight of `inputs`, with the work done; `train` are the training rows. `None` if the
    /// covariances are not positive definite.
    pub fn field_vectors(
        &self,
        posterior: &ClassifierPosterior,
        train: &[Vec<f64>],
        inputs: &[&[f64]],
    ) -> (Option<Vec<FieldVector>>, u64) {
        match posterior {
            ClassifierPosterior::Full(posterior) => {
                let kernel = &self.hyperparameters().kernel;
                let (m, width) = (train.len(), inputs.first().map_or(0, |input| input.len()));
                let work = BLOCK * m * (m / 2 + width);
                (posterior.field_vectors(kernel, train, inputs), work as u64)
            }
            ClassifierPosterior::Inducing(posterior) => {
                (Some(posterior.field_vectors(inputs)), posterior.block_cost())
            }
        }
    }
}

impl ClassifierPosterior {
    /// Returns the number of inducing points; `None` for the full model.
    pub fn points(&self) -> Option<usize> {
        match self {
            Self::Full(_) => None,
            Self::Inducing(posterior) => Some(posterior.points()),
        }
    }

    /// Returns −G, or the log evidence by expectation propagation or Laplace's approximation.
    pub fn minus_g(&self) -> f64 {
        match self {
            Self::Full(posterior) => posterior.minus_g,
            Self::Inducing(posterior) => posterior.ln_evidence,
        }
    }

    /// Returns the values at the training rows.
    pub fn rows(&self) -> RowValues {
        match self {
            Self::Inducing(posterior) => posterior.rows.clone(),
            Self::Full(posterior) => {
                let Posterior { x, gamma, lambda, h, left_out, ln_loo, .. } = &**posterior;
                let vectors = [x, gamma, lambda, h].map(Clone::clone);
                let [x, gamma, lambda, h] = vectors;
                RowValues { x, gamma, lambda, h, left_out: left_out.clone(), ln_loo: *ln_loo }
            }
        }
    }
}
