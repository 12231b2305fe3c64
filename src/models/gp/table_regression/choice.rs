//! The model of which the results are shown: with relevances where the folds favour them, otherwise with one length scale.

use super::{EvidenceSearch, ModelValues, ProcessRegressionSnapshot, RegressionSolution, SolvedModel};
use crate::lab::labelled_table::numeric::PredictedTarget;
use crate::lab::labelled_table::{FoldLosses, HeldOutComparison, HeldOutScore, Kept, RowPredictions};

impl ProcessRegressionSnapshot {
    /// Compares relevances with one length scale in the folds so far.
    pub fn compare(&mut self) {
        let Some(table) = self.table.as_ref().filter(|_| self.one_length_scale.is_some()) else { return };
        let losses: Vec<FoldLosses> = self.folds.iter().map(|fold| fold.losses(&table.training)).collect();
        self.held_out = HeldOutComparison::of(HeldOutScore::LogDensity, &losses);
    }

    /// Returns the settings that are kept. Relevances wait for the folds.
    pub fn kept(&self) -> Kept {
        let one = self.one_length_scale.as_ref();
        self.held_out.kept(one.is_some_and(|one| one.solution.is_some()))
    }

    /// Returns the model whose results are shown, and its solution: the first with a solution among that with the settings that are kept
    /// and those that replace it.
    pub fn shown(&self) -> Option<(&SolvedModel, &RegressionSolution)> {
        let of = |kept| match kept {
            Kept::Given => self.given.as_deref(),
            Kept::OneLengthScale => self.one_length_scale.as_deref(),
            Kept::Fitted => self.fitted.as_deref(),
        };
        let mut models = self.kept().order().into_iter().filter_map(of);
        models.find_map(|model| Some((model, model.solution.as_ref()?)))
    }

    /// Returns the solution before the fit, if that of a fit is shown.
    pub fn before_fit(&self) -> Option<&RegressionSolution> {
        let is_solved = |model: &SolvedModel| model.solution.is_some();
        let is_fitted =
            [&self.fitted, &self.one_length_scale].into_iter().flatten().any(|fit| is_solved(fit));
        self.given.as_ref().filter(|_| is_fitted)?.solution.as_ref()
    }

    /// Returns the search on all training rows whose settings are kept.
    pub fn kept_search(&self) -> Option<&EvidenceSearch> {
        match self.kept() {
            Kept::OneLengthScale => self.one_length_scale_search.as_ref(),
            Kept::Given | Kept::Fitted => self.search.as_ref(),
        }
    }

    /// Returns the best model that the searches have found so far.
    pub fn best_found(&self) -> Option<&ModelValues> {
        let searched = self.kept_search().and_then(|search| search.best.as_ref());
        searched.or_else(|| self.best_start()).map(|(values, _)| values)
    }

    /// Returns the best model of the starts and its log evidence.
    pub fn best_start(&self) -> Option<&(ModelValues, f64)> {
        let best = self.starts.iter().filter_map(|search| search.best.as_ref());
        best.reduce(|a, b| if b.1 > a.1 { b } else { a })
    }

    /// Returns the predictions of all rows, those of new rows by the model that has learnt the test rows, if there is one. The second
    /// element is the number of rows that this model has learnt.
    pub fn predictions(&self) -> Option<(RowPredictions<PredictedTarget>, usize)> {
        let (shown, solution) = self.shown()?;
        let mut rows = solution.predictions.clone();
        let refitted = self.refitted.as_ref().and_then(|model| Some((model, model.solution.as_ref()?)));
        let Some((refitted, all)) = refitted else { return Some((rows, shown.rows)) };
        (rows.unlabelled, rows.second) = (all.predictions.unlabelled.clone(), all.predictions.second.clone());
        Some((rows, refitted.rows))
    }
}
