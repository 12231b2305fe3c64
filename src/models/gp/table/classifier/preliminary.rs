//! A preliminary result of many rows by few inducing points, in a small part of the time. The solve with all points begins at its sites.

use super::solving::ClassifierSolve;
use super::{Activity, ClassifierWork, Unit, propagation_solve};
use crate::data::OTHERS;
use crate::lab::{Ending, Residuals};
use crate::models::gp::inducing_points::preliminary;
use crate::models::gp::solver::hyperparameters::Hyperparameters;

impl ClassifierWork {
    /// Returns the solve of a preliminary result; `None` if the solve with all points takes little time.
    fn preliminary_solve(&self, setting: &Hyperparameters) -> Option<ClassifierSolve> {
        let inducing = preliminary(self.rows.inducing, self.rows.train.len())?;
        Some(ClassifierSolve::Inducing(propagation_solve(&self.rows, setting.clone(), inducing)))
    }

    /// Returns true if the preliminary result is shown: that of the first classifier of two classes.
    pub(super) fn shows_preliminary(&self) -> bool {
        self.unit == Unit::Given && self.rows.is_whole() && self.rows.table.classes[0] != OTHERS
    }

    /// Returns the solve of a preliminary result or, if that with all points takes little time, the latter.
    pub(super) fn first_solve(&mut self, setting: Hyperparameters) -> ClassifierSolve {
        let preliminary = self.preliminary_solve(&setting);
        self.is_preliminary = preliminary.is_some();
        preliminary.unwrap_or_else(|| self.solving(setting))
    }

    /// Begins the solve with all points.
    pub(super) fn refine(&mut self, preliminary: &ClassifierSolve) {
        let solving = self.refined_solve(preliminary);
        if let Some(classifier) = self.classifier() {
            classifier.residuals = Residuals::default();
        }
        self.activity = Activity::Solve(solving);
    }

    /// Returns the solve with all points, which begins at the sites of a preliminary one, if that has found them.
    pub(super) fn refined_solve(&mut self, preliminary: &ClassifierSolve) -> ClassifierSolve {
        self.is_preliminary = false;
        let solve = self.inducing_solve(&self.rows, preliminary.hyperparameters().clone());
        let sites = match preliminary {
            ClassifierSolve::Inducing(solve) if solve.ending().is_some_and(Ending::is_solution) => {
                Some(solve.sites())
            }
            _ => None,
        };
        let solve = match sites {
            Some(sites) => Box::new(solve.beginning_at(sites)),
            None => solve,
        };
        ClassifierSolve::Inducing(solve)
    }
}
