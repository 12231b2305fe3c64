//! One search of a fit, and the settings that the classifier takes from all of them.

use super::rows::TableRows;
use super::searches::Search;
use super::{FitBy, FitEnd, FitStart, HyperparameterValues, Method, Optimum, SearchEvaluation, TableSpec};
use crate::models::gp::fit::{
    FitError, FitEvaluation, FreeParameters, HyperparameterFit, KAPPA, LengthScales, Objective, Options,
    STARTS,
};
use crate::models::gp::solver::hyperparameters::Hyperparameters;
use crate::models::gp::solver::kernel::Kernel;
use crate::models::gp::solver::theory::MeanFieldTheory;

/// Multiple of the lower bound below which a parameter counts as being at the bound.
const AT_BOUND: f64 = 1.1;
/// Largest derivative of the objective with respect to the logarithm of a hyperparameter at which a search has converged, in nats per row:
/// of the starts, and of the other searches.
const TOLERANCES: (f64, f64) = (1e-3, 1e-4);

/// A search under way.
pub struct StartSearch {
    fit: HyperparameterFit,
    /// Number of rows that it searches.
    rows: usize,
    /// Number of evaluations already returned.
    returned: usize,
}

impl StartSearch {
    /// Prepares a search of σ² (or the weights), v and possibly κ, near `setting`.
    ///
    /// # Errors
    /// The reason that nothing can be fitted.
    pub fn new(
        spec: &TableSpec,
        rows: &TableRows,
        setting: Hyperparameters,
        search: Search,
    ) -> Result<Self, FitError> {
        let objective =
            if spec.fit == FitBy::LeaveOneOut { Objective::LeaveOneOut } else { Objective::Evidence };
        let theory = if spec.method == Method::Naive { MeanFieldTheory::Naive } else { MeanFieldTheory::Tap };
        let (start, (train, tau), tolerance) = match search {
            Search::Start(start) => (start, rows.sample(spec.seed), TOLERANCES.0),
            Search::AllRows | Search::Fold => (0, rows.search_rows(spec.seed), TOLERANCES.1),
        };
        let is_start = matches!(search, Search::Start(_));
        let length_scales =
            if spec.fit_ard && !is_start { LengthScales::PerInput } else { LengthScales::Shared };
        // The last start shows how much κ gains.
        let kappa = setting.kappa > 0.0 || search == Search::Start(STARTS - 1);
        let options = Options {
            theory,
            max_evaluations: search.evaluations(spec, rows.searched()),
            tolerance: tolerance * train.len() as f64,
            ..Options::new(objective, FreeParameters { length_scales, v: true, kappa })
        };
        let rows = train.len();
        let fit = HyperparameterFit::new(train, tau, setting, options)?.only(start);
        Ok(Self { fit, rows, returned: 0 })
    }

    /// Returns the number of rows that it searches.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Works for a slice; returns true when the search has ended.
    pub fn advance(&mut self) -> bool {
        self.fit.advance()
    }

    /// Returns the fraction of its budget that is spent.
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
            return FitEnd::refused("no start was made");
        };
        let note = self.fit.note().map_or(String::new(), |note| format!("; {note}"));
        let optimum = |trial: &FitEvaluation| Optimum {
            value: trial.objective,
            hyper: HyperparameterValues::of(&trial.at),
            weights: trial.at.kernel.weights.clone(),
        };
        FitEnd {
            message: end.describe() + &note,
            failed: !end.ending.is_solution(),
            optimum: end.best.as_ref().map(optimum),
            earlier: end.earlier.iter().map(optimum).collect(),
        }
    }
}

/// Returns the settings of an optimum; the kernel has the kind and period of `kernel`.
pub fn settings_of(optimum: &Optimum, kernel: &Kernel) -> Hyperparameters {
    let HyperparameterValues { sigma2, v, kappa } = optimum.hyper;
    let kernel = Kernel { weights: optimum.weights.clone(), ..kernel.clone() };
    Hyperparameters { kernel, sigma2, v, kappa }
}

/// Returns the settings to solve at, the first one last: the best optimum, the evaluations to return to from it, and the optima of the
/// other searches. An optimum with κ at its lower bound is followed by κ = 0, which is tried first: the search was approaching it, and
/// without flips a solution is found from scratch.
pub fn candidates(starts: &[FitStart], kernel: &Kernel) -> Vec<Hyperparameters> {
    let mut ends: Vec<&FitStart> = starts.iter().filter(|start| start.optimum().is_some()).collect();
    ends.sort_by(|a, b| FitStart::compare(a, b));
    let best = ends.pop();
    let earlier = best.and_then(|best| best.end.as_ref()).map_or(&[][..], |end| &end.earlier);
    let optima = ends.into_iter().filter_map(FitStart::optimum);
    let optima = optima.chain(earlier.iter().rev()).chain(best.and_then(FitStart::optimum));
    let mut candidates = Vec::new();
    for setting in optima.map(|optimum| settings_of(optimum, kernel)) {
        let without_flips = Hyperparameters { kappa: 0.0, ..setting.clone() };
        let is_at_bound = setting.kappa > 0.0 && setting.kappa < AT_BOUND * KAPPA.0;
        candidates.push(setting);
        candidates.extend(is_at_bound.then_some(without_flips));
    }
    candidates
}
