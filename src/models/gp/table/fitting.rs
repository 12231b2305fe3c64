//! The fit of the settings to one's own rows.

use super::rows::Rows;
use super::{Evaluation, FitBy, Method, OwnSpec};
use crate::models::gp::fit::{Fit, Free, KAPPA, Objective, Options, Refusal, Scale};
use crate::models::gp::solver::setting::Setting;
use crate::models::gp::solver::tap::MeanField;

/// A value of less than so many times its lower bound has gone there.
const AT_BOUND: f64 = 1.1;

/// A fit under way.
pub struct Fitting {
    fit: Fit,
    /// Evaluations that have been told.
    told: usize,
}

impl Fitting {
    /// A fit of σ² (or the weights), v and κ, begun at `setting`.
    ///
    /// # Errors
    /// Why there is nothing to fit.
    pub fn new(spec: &OwnSpec, rows: &Rows, setting: Setting) -> Result<Self, Refusal> {
        let objective =
            if spec.fit == FitBy::LeaveOneOut { Objective::LeaveOneOut } else { Objective::Evidence };
        let scale = if spec.fit_ard { Scale::PerInput } else { Scale::Shared };
        let theory = if spec.method == Method::Naive { MeanField::Naive } else { MeanField::Tap };
        let options = Options { theory, ..Options::new(objective, Free { scale, v: true, kappa: true }) };
        let fit = Fit::new(rows.train.clone(), rows.tau.clone(), setting, options)?;
        Ok(Self { fit, told: 0 })
    }

    /// A slice of work; `true` when all starts have ended.
    pub fn advance(&mut self) -> bool {
        self.fit.advance()
    }

    /// Fraction done, as far as starts tell.
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
                start: trial.start,
                value: trial.objective.is_finite().then_some(trial.objective),
                sigma2: trial.at.sigma2,
                v: trial.at.v,
                kappa: trial.at.kappa,
            })
            .collect()
    }

    /// The settings at which the starts ended, the best one last. Where κ went to its lower bound, 0 comes first: that is where
    /// it was going, and a solution there is found from nothing, which with flips is not sure.
    pub fn candidates(&self) -> Vec<Setting> {
        let mut ends: Vec<_> =
            self.fit.restarts().iter().filter_map(|restart| restart.best.as_ref()).collect();
        ends.sort_by(|a, b| a.objective.total_cmp(&b.objective));
        let mut candidates = Vec::new();
        for end in ends {
            let setting = end.at.clone();
            let without = Setting { kappa: 0.0, ..setting.clone() };
            candidates.push(setting);
            if end.at.kappa < AT_BOUND * KAPPA.0 {
                candidates.push(without);
            }
        }
        candidates
    }

    /// How the best start ended, in words, and whether that is a failure.
    pub fn ended(&self) -> (String, bool) {
        let Some(best) = self.fit.best() else { return ("no start was made".to_owned(), true) };
        let note = self.fit.note().map_or(String::new(), |note| format!("; {note}"));
        (best.words() + &note, !best.ending.is_solution())
    }
}
