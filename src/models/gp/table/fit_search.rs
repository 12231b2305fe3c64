//! The searches of a fit, with their evaluations and endings.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::searches::GAIN_OF_KAPPA;
use crate::models::gp::fit::STARTS;
use crate::models::gp::solver::hyperparameters::Hyperparameters;

/// One search of a fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitStart {
    /// Number of the start, from 0; the search of all rows that follows the starts has the next number.
    pub start: usize,
    /// Number of rows that it searches.
    pub rows: usize,
    /// Evaluations in their order.
    pub evaluations: Vec<SearchEvaluation>,
    /// Ending; `None` while the search is running.
    pub end: Option<FitEnd>,
}

/// Ending of the search from one start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitEnd {
    /// Ending in words.
    pub message: String,
    /// True if the search did not converge.
    pub failed: bool,
    /// Best point, if there is any.
    pub optimum: Option<Optimum>,
    /// Points to return to, in this order, if the best one has no solution from scratch.
    pub earlier: Vec<Optimum>,
}

/// Best point of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Optimum {
    /// Objective in nats.
    pub value: f64,
    /// σ², v and κ.
    pub hyper: HyperparameterValues,
    /// Weights of the inputs, N.
    pub weights: Vec<f64>,
}

/// One evaluation of a fit's objective.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchEvaluation {
    /// Log evidence or leave-one-out log probability, in nats; `None` without a solution.
    pub value: Option<f64>,
    /// σ², v and κ.
    pub hyper: HyperparameterValues,
}

/// Hyperparameters without the relevances.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HyperparameterValues {
    /// Squared length scale σ².
    pub sigma2: f64,
    /// Noise variance v of the latent function.
    pub v: f64,
    /// Probability κ that a label is flipped.
    pub kappa: f64,
}

impl HyperparameterValues {
    /// Returns those of a solve.
    pub fn of(setting: &Hyperparameters) -> Self {
        Self { sigma2: setting.sigma2, v: setting.v, kappa: setting.kappa }
    }
}

impl FitEnd {
    /// Returns the ending of a search that never began.
    pub(super) fn refused(message: &str) -> Self {
        Self { message: message.to_owned(), failed: true, optimum: None, earlier: Vec::new() }
    }
}

impl FitStart {
    /// Returns the best point, if there is any.
    pub(super) fn optimum(&self) -> Option<&Optimum> {
        self.end.as_ref()?.optimum.as_ref()
    }

    /// Orders searches that have an optimum, best last: the search of all rows after the starts, then by number of rows, then by
    /// objective less the minimum gain required of κ.
    pub(super) fn compare(a: &Self, b: &Self) -> Ordering {
        let merit =
            |optimum: &Optimum| optimum.value - if optimum.hyper.kappa > 0.0 { GAIN_OF_KAPPA } else { 0.0 };
        let merit = |start: &Self| start.optimum().map_or(f64::NEG_INFINITY, merit);
        let rank = |start: &Self| (start.start >= STARTS, start.rows);
        rank(a).cmp(&rank(b)).then(merit(a).total_cmp(&merit(b)))
    }
}
