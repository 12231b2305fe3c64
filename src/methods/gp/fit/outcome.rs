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
    /// The best evaluation; `None` if there was no fixed point at the start.
    pub best: Option<FitEvaluation>,
    /// Evaluations to return to, in this order, if there is no solution from scratch at the best one, since warm starts follow a solution
    /// to where none is found from scratch: halfway back to the first evaluation, halfway from there, and so on to the first, a cold
    /// solve.
    pub earlier: Vec<FitEvaluation>,
    /// Number of evaluations.
    pub evaluations: usize,
    /// Number of evaluations without a fixed point.
    pub failures: usize,
    /// Ending: `MaxIterations` at the end of its budget; `NoSolution` if there was no fixed point at the start, so that `best` is
    /// `None`.
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
            Ending::MaxIterations | Ending::NoSolution | Ending::NonFinite => {
                format!("not converged after {evaluations} evaluations; the best of them is the result")
            }
        }];
        if *failures > 0 {
            words.push(format!("{failures} of them without a fixed point"));
        }
        words.extend(self.bounds.clone());
        words.join("; ")
    }
}
