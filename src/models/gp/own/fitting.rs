//! The fit of the settings to one's own rows.

use super::super::fit::{Ended, Fit, Free, Hyperparameters, Objective, Options, Refusal, Restart, Scale};
use super::approximation::Setting;
use super::rows::Rows;
use super::{Evaluation, FitBy, OwnSpec};

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
        let options = Options::new(objective, Free { scale, v: true, kappa: true });
        let start = Hyperparameters { kernel: setting.kernel, v: setting.v, kappa: setting.kappa };
        let fit = Fit::new(rows.train.clone(), rows.tau.clone(), start, options)?;
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
                sigma2: trial.at.sigma2(),
                v: trial.at.v,
                kappa: trial.at.kappa,
            })
            .collect()
    }

    /// The best settings, if any had a solution.
    pub fn best(&self) -> Option<Setting> {
        let at = &self.fit.best()?.at;
        Some(Setting { kernel: at.kernel.clone(), sigma2: at.sigma2(), v: at.v, kappa: at.kappa })
    }

    /// How the best start ended, in words, and whether that is a failure.
    pub fn ended(&self) -> (String, bool) {
        let value =
            |restart: &Restart| restart.best.as_ref().map_or(f64::NEG_INFINITY, |best| best.objective);
        let best = self.fit.restarts().iter().reduce(|a, b| if value(b) > value(a) { b } else { a });
        let Some(best) = best else { return ("no start was made".to_owned(), true) };
        let note = self.fit.note().map_or(String::new(), |note| format!("; {note}"));
        (best.words() + &note, matches!(best.ended, Ended::MaxEvaluations | Ended::NoFixedPoint))
    }
}
