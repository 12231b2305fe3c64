//! The settings of which the results are shown: the given or fitted ones, as the folds of cross-validation favour.

use super::{
    Classifier, ClassifierSnapshot, FitBy, HyperparameterValues, Optimum, SearchEvaluation, SolveSummary,
    TableSpec,
};
use crate::lab::labelled_table::{Fold, HeldOutComparison, Kept};

impl ClassifierSnapshot {
    /// Compares the settings in the folds so far.
    pub(super) fn compare(&mut self, folds: &[Fold<HyperparameterValues>]) {
        let labels = self.given.as_ref().map_or(&[][..], |given| &given.table.labels);
        if !labels.is_empty() {
            self.comparison = HeldOutComparison::of_classes(folds, labels);
        }
    }

    /// Returns the settings that are kept. Relevances wait for the folds.
    pub(super) fn kept(&self) -> Kept {
        let one = self.one_length_scale.as_ref();
        self.comparison.kept(one.is_some_and(|one| one.solution.is_some()))
    }

    /// Returns the classifier of the results: that with the settings that are kept, or another if it has no solution.
    pub(super) fn shown(&self) -> Option<&Classifier> {
        let of = |kept| match kept {
            Kept::Given => self.given.as_ref(),
            Kept::OneLengthScale => self.one_length_scale.as_ref(),
            Kept::Fitted => self.fitted.as_ref(),
        };
        let all = self.kept().order().into_iter().filter_map(of);
        all.clone().find(|classifier| classifier.solution.is_some()).or_else(|| all.clone().next())
    }

    /// Returns true if settings have been fitted.
    pub(super) fn is_fitted(&self) -> bool {
        self.fitted.as_ref().is_some_and(|fitted| fitted.solution.is_some())
    }

    /// Returns the settings at which folds begin: those fitted to all rows, and those of one length scale; `None` without a solution.
    pub(super) fn fold_origins(&self) -> [Option<HyperparameterValues>; 2] {
        [&self.fitted, &self.one_length_scale]
            .map(|fitted| Some(fitted.as_ref().filter(|fitted| fitted.solution.is_some())?.solve.hyper))
    }

    /// Returns the fitted settings and the weights of the inputs: those of the solution, or the best found so far. While relevances
    /// are fitted, that is the best end of a search, since the weights of each evaluation are not kept. There are none if the given settings
    /// are kept.
    pub(super) fn best_found(&self, spec: &TableSpec) -> Option<(SearchEvaluation, &[f64])> {
        if !spec.is_tuned() || self.kept() == Kept::Given {
            return None;
        }
        let fitted = if self.kept() == Kept::OneLengthScale { &self.one_length_scale } else { &self.fitted };
        if let Some(Classifier { solve, solution: Some(solution), .. }) = fitted
            && let SolveSummary { hyper, scores: Some(scores), .. } = solve
        {
            let value = Some(if spec.fit == FitBy::Evidence { scores.minus_g } else { scores.ln_loo });
            return Some((SearchEvaluation { value, hyper: *hyper }, &solution.weights));
        }
        if spec.fit_ard {
            let Optimum { value, hyper, weights } = self.best_start()?.optimum.as_ref()?;
            return Some((SearchEvaluation { value: Some(*value), hyper: *hyper }, weights));
        }
        let solved = self
            .starts
            .iter()
            .flat_map(|start| start.evaluations.iter().filter_map(|e| Some((start.rows, e.value?, *e))));
        let best = solved.max_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        best.map(|(_, _, best)| (best, &[][..]))
    }
}
