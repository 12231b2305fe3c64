//! The posterior of a regression, of all examples or by inducing points, with one set of operations.

use std::rc::Rc;
use std::task::{Poll, ready};

use super::bound::BoundPosterior;
use super::bound::leave_out::BoundLeaveOut;
use super::bound::solve::{BoundSolve, prior};
use super::leave_out::LeaveOut;
use super::solve::RegressionSolve;
use super::{Normal, RegressionModel, RegressionPosterior};
use crate::gp::inducing::Inducing;
use crate::gp::inducing::choice::PointChoice;
use crate::math::Budget;
use crate::math::lanes::LANES;

/// Inputs and targets of the examples.
#[derive(Clone, Debug)]
pub struct Examples {
    /// Inputs, n of N.
    pub inputs: Rc<Vec<Vec<f64>>>,
    /// Targets, n.
    pub targets: Rc<Vec<f64>>,
}

/// The computation of a posterior, which can be paused.
pub struct TargetSolve {
    examples: Examples,
    model: RegressionModel,
    step: Step,
}

enum Step {
    Exact(Box<RegressionSolve>),
    Choose(PointChoice),
    Bound(Box<BoundSolve>),
}

/// A posterior of f.
#[derive(Clone, Debug)]
pub enum TargetPosterior {
    /// Exact.
    Exact(Box<RegressionPosterior>),
    /// By inducing points.
    Bound(Box<BoundPosterior>),
}

/// The computation of leave-one-out predictions, which can be paused.
#[derive(Clone, Debug, Default)]
pub struct TargetLeaveOut {
    exact: LeaveOut,
    bound: BoundLeaveOut,
}

impl TargetSolve {
    /// Prepares the posterior of `model`, by inducing points if there are `inducing` ones.
    pub fn new(examples: Examples, model: RegressionModel, inducing: Option<Inducing>) -> Self {
        let step = if let Some(inducing) = inducing {
            Step::Choose(PointChoice::new(prior(&model), &examples.inputs, inducing))
        } else {
            let Examples { inputs, targets } = examples.clone();
            Step::Exact(Box::new(RegressionSolve::new(inputs, targets, model.clone())))
        };
        Self { examples, model, step }
    }

    /// Returns the fraction done; 0 for an exact posterior.
    pub fn fraction(&self) -> f64 {
        match &self.step {
            Step::Exact(_) | Step::Choose(_) => 0.0,
            Step::Bound(solve) => solve.fraction(),
        }
    }

    /// Continues until the budget is spent. Returns the posterior when it is complete; `None` if it cannot be computed in double
    /// precision.
    pub fn advance(&mut self, budget: &mut Budget) -> Poll<Option<TargetPosterior>> {
        loop {
            match &mut self.step {
                Step::Exact(solve) => {
                    let posterior = ready!(solve.advance(budget));
                    return Poll::Ready(posterior.map(|found| TargetPosterior::Exact(Box::new(found))));
                }
                Step::Choose(choice) => {
                    let points = ready!(choice.advance(budget));
                    let Examples { inputs, targets } = self.examples.clone();
                    let solve = BoundSolve::new(inputs, targets, self.model.clone(), points);
                    self.step = Step::Bound(Box::new(solve));
                }
                Step::Bound(solve) => {
                    let posterior = ready!(solve.advance(budget));
                    return Poll::Ready(posterior.map(|found| TargetPosterior::Bound(Box::new(found))));
                }
            }
        }
    }
}

impl TargetPosterior {
    /// Returns the model.
    pub fn model(&self) -> &RegressionModel {
        match self {
            Self::Exact(posterior) => posterior.model(),
            Self::Bound(posterior) => posterior.model(),
        }
    }

    /// Returns the log evidence, or its lower bound.
    pub fn ln_evidence(&self) -> f64 {
        match self {
            Self::Exact(posterior) => posterior.ln_evidence(),
            Self::Bound(posterior) => posterior.bound(),
        }
    }

    /// Returns the posterior by inducing points, if it is one.
    pub fn bound(&self) -> Option<&BoundPosterior> {
        match self {
            Self::Exact(_) => None,
            Self::Bound(posterior) => Some(posterior),
        }
    }

    /// Returns the number of covariances of an input with others that a prediction takes: all examples, or the points.
    pub fn covariances(&self) -> usize {
        match self {
            Self::Exact(posterior) => posterior.len(),
            Self::Bound(posterior) => posterior.points(),
        }
    }

    /// Returns the number of multiply–adds of [`Self::predict_block`].
    pub fn block_cost(&self) -> u64 {
        match self {
            Self::Exact(posterior) => {
                let m = posterior.len() as u64;
                LANES as u64 * m * (m / 2 + 40)
            }
            Self::Bound(posterior) => posterior.block_cost(),
        }
    }

    /// Returns the mean and variance of f at each of at most eight inputs.
    pub fn predict_block(&self, inputs: &[&[f64]]) -> Vec<Normal> {
        match self {
            Self::Exact(posterior) => posterior.predict_block(inputs.iter().copied()),
            Self::Bound(posterior) => posterior.predict_block(inputs),
        }
    }

    /// Returns the mean of f at each of `inputs`.
    pub fn means<'a>(&self, inputs: impl Iterator<Item = &'a [f64]>) -> Vec<f64> {
        match self {
            Self::Exact(posterior) => posterior.means(inputs),
            Self::Bound(posterior) => posterior.means(inputs),
        }
    }

    /// Returns the mean and variance of the average of f over `inputs`.
    pub fn average(&self, inputs: &[&[f64]]) -> Normal {
        match self {
            Self::Exact(posterior) => posterior.average(inputs),
            Self::Bound(posterior) => posterior.average(inputs),
        }
    }
}

impl TargetLeaveOut {
    /// Continues until the budget is spent. Returns the prediction of each target from all other examples, n, when they are complete: mean
    /// and variance, including the noise. The posterior and its examples must be the same in each call.
    pub fn advance(
        &mut self,
        posterior: &TargetPosterior,
        examples: &Examples,
        budget: &mut Budget,
    ) -> Option<Vec<Normal>> {
        match posterior {
            TargetPosterior::Exact(posterior) => self.exact.advance(posterior, budget),
            TargetPosterior::Bound(posterior) => {
                self.bound.advance(posterior, &examples.inputs, &examples.targets, budget)
            }
        }
    }
}
