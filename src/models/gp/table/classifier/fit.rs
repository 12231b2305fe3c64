//! The searches of a fit, and the classifier at their best optimum that has a solution.

use super::{Activity, ClassifierWork, Unit};
use crate::lab::Budget;
use crate::models::gp::solver::hyperparameters::Hyperparameters;
use crate::models::gp::table::searches::Search;
use crate::models::gp::table::start_search::{StartSearch, candidates, settings_of};
use crate::models::gp::table::{FitEnd, FitStart};

impl ClassifierWork {
    /// Begins a search at a `setting`.
    pub(super) fn begin_search(&mut self, setting: Hyperparameters, search: Search) {
        let (rows, end) = match StartSearch::new(&self.spec, &self.rows, setting, search) {
            Ok(search) => {
                let rows = search.rows();
                self.activity = Activity::Search(Box::new(search));
                (rows, None)
            }
            Err(refusal) => (0, Some(FitEnd::refused(&refusal.to_string()))),
        };
        self.snapshot.starts.push(FitStart { start: search.number(), rows, evaluations: Vec::new(), end });
    }

    /// Begins the last search, or to solve if there is none.
    pub(super) fn begin_fitted(&mut self, search: Search) {
        let origin = self.origin();
        if search.evaluations(&self.spec, self.rows.searched()) < 2 {
            return self.begin_classifier(origin);
        }
        self.begin_search(origin, search);
        if !matches!(self.activity, Activity::Search(_)) {
            self.begin_candidates();
        }
    }

    /// Returns the settings at which the last search begins: those of all rows for a fold, otherwise those of the best start. A fold does
    /// not take fitted relevances, which depend on the rows that it holds out.
    fn origin(&self) -> Hyperparameters {
        if let Some(fitted) = self.origin {
            return Hyperparameters { v: fitted.v, kappa: fitted.kappa, ..self.setting(fitted.sigma2) };
        }
        let given = self.setting(self.spec.sigma2);
        let starts = self.starts();
        let best =
            starts.iter().filter(|start| start.optimum().is_some()).max_by(|a, b| FitStart::compare(a, b));
        best.and_then(FitStart::optimum)
            .map_or_else(|| given.clone(), |best| settings_of(best, &given.kernel))
    }

    /// Returns the searches of the earlier stages and of this one.
    fn starts(&self) -> Vec<FitStart> {
        [self.before.starts.as_slice(), &self.snapshot.starts].concat()
    }

    /// Begins to solve at the best optimum; the others follow if it has no solution from scratch.
    fn begin_candidates(&mut self) {
        let given = self.setting(self.spec.sigma2);
        self.candidates = candidates(&self.starts(), &given.kernel);
        // If no search has an optimum, the given settings have no solution, and this solve reports it.
        let setting = self.candidates.pop().unwrap_or(given);
        self.begin_classifier(setting);
    }

    /// Makes a step of a search; returns the work done.
    pub(super) fn search(&mut self, mut search: Box<StartSearch>) -> u64 {
        let ended = search.advance();
        let share = if ended { 1.0 } else { search.fraction() };
        if let Some(start) = self.snapshot.starts.last_mut() {
            start.evaluations.extend(search.new_evaluations());
            start.end = ended.then(|| search.end());
        }
        match self.unit {
            Unit::Fitted(_) => self.advance_to(share * self.search_share()),
            _ => self.advance_to(share),
        }
        if !ended {
            self.activity = Activity::Search(search);
        } else if let Unit::Fitted(_) = self.unit {
            self.steps = 0;
            self.begin_candidates();
        }
        // The search works in slices.
        Budget::SLICE
    }

    /// Returns the share of the search in the expected cost of the unit, of which the rest is a solve.
    pub(super) fn search_share(&self) -> f64 {
        if let Unit::Fitted(search) = self.unit {
            let cost = search.cost(&self.spec, self.rows.train.len());
            cost / (1.0 + cost)
        } else {
            0.0
        }
    }
}
