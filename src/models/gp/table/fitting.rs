//! The fit of the settings to the user's rows, from several starts, each a unit.

use super::rows::Rows;
use super::{Evaluation, FitBy, Method, OwnSpec, Place, Search, SearchEnd};
use crate::math::stats::order;
use crate::models::gp::fit::{
    FitError, FreeParameters, HyperparameterFit, KAPPA, LengthScales, Objective, Options,
};
use crate::models::gp::solver::hyperparameters::Hyperparameters;
use crate::models::gp::solver::kernel::Kernel;
use crate::models::gp::solver::theory::Theory;

/// A value of less than so many times its lower bound has gone there.
const AT_BOUND: f64 = 1.1;

/// A search under way.
pub struct Fitting {
    fit: HyperparameterFit,
    start: usize,
    /// Evaluations that have been told.
    told: usize,
}

impl Fitting {
    /// A fit of σ² (or the weights), v and κ, from start number `start` near `setting`.
    ///
    /// # Errors
    /// Why there is nothing to fit.
    pub fn new(
        spec: &OwnSpec,
        rows: &Rows,
        setting: Hyperparameters,
        start: usize,
    ) -> Result<Self, FitError> {
        let objective =
            if spec.fit == FitBy::LeaveOneOut { Objective::LeaveOneOut } else { Objective::Evidence };
        let length_scales = if spec.fit_ard { LengthScales::PerInput } else { LengthScales::Shared };
        let theory = if spec.method == Method::Naive { Theory::Naive } else { Theory::Tap };
        let options = Options {
            theory,
            ..Options::new(objective, FreeParameters { length_scales, v: true, kappa: true })
        };
        let fit = HyperparameterFit::new(rows.train.clone(), rows.tau.clone(), setting, options)?.only(start);
        Ok(Self { fit, start, told: 0 })
    }

    /// A slice of work; `true` when the search has ended.
    pub fn advance(&mut self) -> bool {
        self.fit.advance()
    }

    /// Fraction done, as far as it is known.
    pub fn fraction(&self) -> f64 {
        self.fit.fraction()
    }

    /// The evaluations since this was last asked.
    pub fn news(&mut self) -> Vec<Evaluation> {
        let trace = &self.fit.trace()[self.told..];
        self.told += trace.len();
        trace
            .iter()
            .map(|trial| Evaluation {
                value: trial.objective.is_finite().then_some(trial.objective),
                sigma2: trial.at.sigma2,
                v: trial.at.v,
                kappa: trial.at.kappa,
            })
            .collect()
    }

    /// How the search ended.
    pub fn ended(&self) -> SearchEnd {
        let Some(end) = self.fit.best() else {
            return SearchEnd { words: "no start was made".to_owned(), failed: true, place: None };
        };
        let note = self.fit.note().map_or(String::new(), |note| format!("; {note}"));
        let place = end.best.as_ref().map(|trial| {
            let Hyperparameters { kernel, sigma2, v, kappa } = trial.at.clone();
            Place { value: trial.objective, sigma2, v, kappa, weights: kernel.weights }
        });
        SearchEnd { words: end.describe() + &note, failed: !end.ending.is_solution(), place }
    }

    /// The search so far, without its evaluations.
    pub fn search(&self) -> Search {
        Search { start: self.start, evaluations: Vec::new(), end: None }
    }
}

/// The settings at which searches ended, the best one last. Where κ went to its lower bound, 0 comes first: that is where it was
/// going, and a solution there is found from nothing, which with flips is not sure.
pub fn candidates(searches: &[Search], kernel: &Kernel) -> Vec<Hyperparameters> {
    let places = searches.iter().filter_map(|search| search.end.as_ref()?.place.as_ref());
    let places: Vec<&Place> = places.collect();
    let values: Vec<f64> = places.iter().map(|place| place.value).collect();
    let mut candidates = Vec::new();
    for Place { sigma2, v, kappa, weights, .. } in order(&values).into_iter().map(|place| places[place]) {
        let kernel = Kernel { weights: weights.clone(), ..kernel.clone() };
        let setting = Hyperparameters { kernel, sigma2: *sigma2, v: *v, kappa: *kappa };
        let without = Hyperparameters { kappa: 0.0, ..setting.clone() };
        candidates.push(setting);
        if *kappa < AT_BOUND * KAPPA.0 {
            candidates.push(without);
        }
    }
    candidates
}
