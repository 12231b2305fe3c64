//! What a fit has to tell: its evaluations, and how the search from each start ended.

use crate::gp::solver::setting::Setting;
use crate::math::Ending;

/// One evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// From which start it came, from 0.
    pub start: usize,
    /// Where.
    pub at: Setting,
    /// The objective, in nats; −∞ where there is no fixed point.
    pub objective: f64,
    /// Newton solves that it took.
    pub newton_solves: usize,
}

/// The search from one start, ended.
#[derive(Clone, Debug)]
pub struct Restart {
    /// Where it ended, with the objective found there from nothing; nothing if it never began.
    pub best: Option<Trial>,
    /// Evaluations.
    pub evaluations: usize,
    /// Those without a fixed point.
    pub failures: usize,
    /// How it ended: `MaxIterations` where the evaluations were used up, `NoSolution` where TAP has no fixed point at the start
    /// (`best` is `None`) or none is found from scratch at the end.
    pub ending: Ending,
    /// Whether it converged to the degenerate optimum at which nothing is learnt: K ≈ I, log evidence −m ln 2.
    pub degenerate: bool,
    /// Words on bounds that were reached.
    pub bounds: Option<String>,
}

impl Restart {
    /// How it ended, in words.
    pub fn words(&self) -> String {
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
