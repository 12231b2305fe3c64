//! The search of a fit from one start.

use super::rows::TableRows;
use super::{FitBy, FitEnd, FitStart, HyperparameterValues, Method, Optimum, SearchEvaluation, TableSpec};
use crate::math::stats::order;
use crate::models::gp::fit::{
    FitError, FitEvaluation, FreeParameters, HyperparameterFit, KAPPA, LengthScales, Objective, Options,
};
use crate::models::gp::solver::hyperparameters::Hyperparameters;
use crate::models::gp::solver::kernel::Kernel;
use crate::models::gp::solver::theory::Theory;

/// Multiple of the lower bound below which a parameter counts as being at the bound.
const AT_BOUND: f64 = 1.1;

/// A search under way.
pub struct StartSearch {
    fit: HyperparameterFit,
    /// Number of evaluations already returned.
    returned: usize,
}

impl StartSearch {
    /// Prepares a fit of σ² (or the weights), v and κ, from start number `start` near `setting`.
    ///
    /// # Errors
    /// The reason that nothing can be fitted.
    pub fn new(
        spec: &TableSpec,
        rows: &TableRows,
        setting: Hyperparameters,
        start: usize,
    ) -> Result<Self, FitError> {
        let objective =
            if spec.fit == FitBy::LeaveOneOut { Objective::LeaveOneOut } else { Objective::Evidence };
        let scale = if spec.fit_ard { LengthScales::PerInput } else { LengthScales::Shared };
        let theory = if spec.method == Method::Naive { Theory::Naive } else { Theory::Tap };
        let options = Options {
            theory,
            ..Options::new(objective, FreeParameters { length_scales: scale, v: true, kappa: true })
        };
        let fit = HyperparameterFit::new(rows.train.clone(), rows.tau.clone(), setting, options)?.only(start);
        Ok(Self { fit, returned: 0 })
    }

    /// Works for a slice; returns true when the search has ended.
    pub fn advance(&mut self) -> bool {
        self.fit.advance()
    }

    /// Returns the fraction done, an estimate.
    pub fn fraction(&self) -> f64 {
        self.fit.fraction()
    }

    /// Returns the evaluations since the last call.
    pub fn new_evaluations(&mut self) -> Vec<SearchEvaluation> {
        let trace = &self.fit.trace()[self.returned..];
        self.returned += trace.len();
        let evaluation = |trial: &FitEvaluation| SearchEvaluation {
            value: trial.objective.is_finite().then_some(trial.objective),
            hyper: HyperparameterValues::of(&trial.at),
        };
        trace.iter().map(evaluation).collect()
    }

    /// Returns the ending of the search.
    pub fn end(&self) -> FitEnd {
        let Some(end) = self.fit.best() else {
            return FitEnd { message: "no start was made".to_owned(), failed: true, optimum: None };
        };
        let note = self.fit.note().map_or(String::new(), |note| format!("; {note}"));
        let optimum = end.best.as_ref().map(|trial| Optimum {
            value: trial.objective,
            hyper: HyperparameterValues::of(&trial.at),
            weights: trial.at.kernel.weights.clone(),
        });
        FitEnd { message: end.describe() + &note, failed: !end.ending.is_solution(), optimum }
    }
}

/// Returns the optima of the starts as settings, the best one last. An optimum with κ at its lower bound is followed by κ = 0, which is
/// tried first: the search was approaching it, and without flips a solution is found from scratch.
pub fn candidates(starts: &[FitStart], kernel: &Kernel) -> Vec<Hyperparameters> {
    let optima: Vec<&Optimum> =
        starts.iter().filter_map(|start| start.end.as_ref()?.optimum.as_ref()).collect();
    let values: Vec<f64> = optima.iter().map(|optimum| optimum.value).collect();
    let mut candidates = Vec::new();
    for Optimum { hyper, weights, .. } in order(&values).into_iter().map(|i| optima[i]) {
        let HyperparameterValues { sigma2, v, kappa } = *hyper;
        let kernel = Kernel { weights: weights.clone(), ..kernel.clone() };
        let setting = Hyperparameters { kernel, sigma2, v, kappa };
        let without_flips = Hyperparameters { kappa: 0.0, ..setting.clone() };
        candidates.push(setting);
        if kappa < AT_BOUND * KAPPA.0 {
            candidates.push(without_flips);
        }
    }
    candidates
}
