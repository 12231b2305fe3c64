//! What a fit has to tell: its evaluations, and how the search from each start ended.

use crate::models::gp::solver::approximation::Setting;

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

/// How the search from one start ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The gradient is as small as asked for.
    Converged,
    /// The gradient is as small because nothing is learnt there: the objective is −m ln 2, as at a σ² so small that K = I.
    Flat,
    /// No step raises the objective any more, though the gradient is not as small.
    Stalled,
    /// The evaluations were used up.
    MaxEvaluations,
    /// There is no fixed point at the start.
    NoFixedPoint,
    /// There is none at the end when it is begun from nothing.
    Lost,
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
    /// How it ended.
    pub ended: Ended,
    /// Words on bounds that were reached.
    pub bounds: Option<String>,
}

impl Restart {
    /// How it ended, in words.
    pub fn words(&self) -> String {
        let Self { evaluations, failures, .. } = self;
        let mut words = vec![match self.ended {
            Ended::Converged => format!("converged after {evaluations} evaluations"),
            Ended::Flat => format!(
                "nothing is learnt where it came to after {evaluations} evaluations: no example says anything of another"
            ),
            Ended::Stalled => format!(
                "as near as rounding allows after {evaluations} evaluations: no step raises the objective"
            ),
            Ended::MaxEvaluations => format!("not yet converged after {evaluations} evaluations"),
            Ended::Lost => format!(
                "after {evaluations} evaluations it came to where no fixed point is found from nothing"
            ),
            Ended::NoFixedPoint => {
                return "no fixed point at the start; more noise would help".to_owned();
            }
        }];
        if *failures > 0 {
            words.push(format!("{failures} of them without a fixed point"));
        }
        words.extend(self.bounds.clone());
        words.join("; ")
    }
}
