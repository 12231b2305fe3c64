//! Evaluations of a fit, and how the search from each start ended.

use crate::gp::solver::hyperparameters::Hyperparameters;
use crate::math::Ending;

/// One evaluation of the objective.
#[derive(Clone, Debug, PartialEq)]
pub struct FitEvaluation {
    /// Number of its start, from 0.
    pub start: usize,
    /// Hyperparameters.
    pub at: Hyperparameters,
    /// Objective, in nats; −∞ if there is no fixed point.
    pub objective: f64,
    /// Newton solves.
    pub newton_solves: usize,
}

/// The completed search from one start.
#[derive(Clone, Debug)]
pub struct Restart {
    /// The final evaluation, a cold solve at the best hyperparameters; `None` if there was no fixed point at the start.
    pub best: Option<FitEvaluation>,
    /// Number of evaluations.
    pub evaluations: usize,
    /// Number of evaluations without a fixed point.
    pub failures: usize,
    /// Ending: `MaxIterations` at the limit of evaluations, or if better evaluations have no cold solution; `NoSolution`
    /// if there was no fixed point at the start (`best` is `None`) or the final cold solves found none.
    pub ending: Ending,
    /// True if it converged to the degenerate optimum K ≈ I with log evidence −m ln 2.
    pub degenerate: bool,
    /// Description of the bounds that were reached.
    pub bounds: Option<String>,
}

impl Restart {
    /// Returns a description of how it ended.
    pub fn describe(&self) -> String {
        let Self { evaluations, failures, .. } = self;
        if self.best.is_none() {
            return "no fixed point at the starting values; more noise may help".to_owned();
        }
        let mut words = vec![match self.ending {
            Ending::Converged if self.degenerate => format!(
                "converged to a degenerate optimum after {evaluations} evaluations: K ≈ I, log evidence = −m ln 2"
            ),
            Ending::Converged => format!("converged after {evaluations} evaluations"),
            Ending::Stalled => format!(
                "stalled after {evaluations} evaluations: no further increase within machine precision"
            ),
            Ending::MaxIterations => format!("not converged after {evaluations} evaluations"),
            Ending::NoSolution | Ending::NonFinite => {
                format!("no fixed point found from scratch at the best values of {evaluations} evaluations")
            }
        }];
        if *failures > 0 {
            words.push(format!("{failures} of them without a fixed point"));
        }
        words.extend(self.bounds.clone());
        words.join("; ")
    }
}
