//! A fold of cross-validation: the model with the fitted hyperparameters and, if relevances are fitted, that with one length scale.

use serde::{Deserialize, Serialize};

use super::model_work::ModelWork;
use super::{RegressionSolution, SolvedModel};
use crate::lab::Budget;
use crate::lab::labelled_table::numeric::{PredictedTarget, TargetRow};
use crate::lab::labelled_table::{FoldLosses, Kept};

/// A fold of cross-validation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RegressionFold {
    /// Held-out rows, as indices among the training rows.
    pub held_out: Vec<usize>,
    /// The model of the other rows; its test rows are those held out.
    pub model: SolvedModel,
    /// The same with one length scale, if relevances are fitted.
    pub one_length_scale: Option<SolvedModel>,
}

impl RegressionFold {
    /// Returns the model with these settings. The given ones are not compared with fitted ones, and have no model beside theirs.
    pub fn of(&self, kept: Kept) -> Option<&SolvedModel> {
        match kept {
            Kept::OneLengthScale => self.one_length_scale.as_ref(),
            Kept::Given | Kept::Fitted => Some(&self.model),
        }
    }

    /// Returns the solution with these settings.
    pub fn solution(&self, kept: Kept) -> Option<&RegressionSolution> {
        self.of(kept)?.solution.as_ref()
    }

    /// Returns minus the log density of each held-out target; `training` are all training rows.
    pub fn losses(&self, training: &[TargetRow]) -> FoldLosses {
        let of = |kept| -> Option<Vec<f64>> {
            let loss = |(row, at): (&usize, &PredictedTarget)| -at.ln_density(training[*row].target);
            Some(self.held_out.iter().zip(&self.solution(kept)?.predictions.test).map(loss).collect())
        };
        [None, of(Kept::OneLengthScale), of(Kept::Fitted)]
    }
}

/// The work on a fold.
pub struct FoldWork {
    held_out: Vec<usize>,
    model: ModelWork,
    one_length_scale: Option<ModelWork>,
    model_is_done: bool,
}

impl FoldWork {
    /// Prepares the models of the rows without `held_out`: with the fitted hyperparameters, and with one length scale if that is compared.
    pub fn new(held_out: Vec<usize>, model: ModelWork, one_length_scale: Option<ModelWork>) -> Self {
        let one_length_scale = one_length_scale.map(ModelWork::without_left_out);
        Self { held_out, model: model.without_left_out(), one_length_scale, model_is_done: false }
    }

    /// Works for a slice; returns true when the work is done.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        if !self.model_is_done {
            self.model_is_done = self.model.step(budget);
            return self.model_is_done && self.one_length_scale.is_none();
        }
        self.one_length_scale.as_mut().is_none_or(|one| one.step(budget))
    }

    /// Returns the estimated fraction done.
    pub fn fraction(&self) -> f64 {
        match &self.one_length_scale {
            Some(one) => 0.7 * self.model.fraction() + 0.3 * one.fraction(),
            None => self.model.fraction(),
        }
    }

    /// Describes the current step.
    pub fn note(&self) -> String {
        match &self.one_length_scale {
            Some(one) if self.model_is_done => format!("one length scale: {}", one.note()),
            _ => self.model.note(),
        }
    }

    /// Returns the fold; `None` if no model has been found.
    pub fn result(&self) -> Option<RegressionFold> {
        let one_length_scale = self.one_length_scale.as_ref().and_then(|one| one.solved().cloned());
        let model = self.model.solved().cloned()?;
        Some(RegressionFold { held_out: self.held_out.clone(), model, one_length_scale })
    }
}
