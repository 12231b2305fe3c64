//! Outcome of a run.

use serde::{Deserialize, Serialize};

use crate::math::Ending;

/// Outcome of a run, with its reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// Outcome.
    pub outcome: Outcome,
    /// Reason why it did not converge or has no result.
    pub reason: Option<String>,
}

/// Outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Every solve reached its tolerance.
    Converged,
    /// Some solves did not converge or have no solution, but the run has a result.
    #[serde(rename = "max_iterations")]
    Partial,
    /// The run has no result: no solution was found, or the solve became non-finite.
    NoResult,
}

impl From<Ending> for Outcome {
    /// Returns the outcome of a run that is a single solve and has a result only if the solve converges.
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Converged | Ending::Stalled => Self::Converged,
            Ending::MaxIterations | Ending::NoSolution | Ending::NonFinite => Self::NoResult,
        }
    }
}

impl Status {
    /// Everything converged.
    pub const CONVERGED: Self = Self { outcome: Outcome::Converged, reason: None };

    /// Describes how a run ended in one sentence, with its duration if known (`Done in 2.0 s.`).
    pub fn describe(&self, elapsed: Option<&str>) -> String {
        let outcome = match self.outcome {
            Outcome::Converged => "Done",
            Outcome::Partial => "Done, not fully converged",
            Outcome::NoResult => "No result",
        };
        match (&self.reason, elapsed) {
            (Some(reason), Some(elapsed)) => format!("{outcome} ({elapsed}): {reason}."),
            (Some(reason), None) => format!("{outcome}: {reason}."),
            (None, Some(elapsed)) => format!("{outcome} in {elapsed}."),
            (None, None) => format!("{outcome}."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_has_duration_and_reason() {
        assert_eq!(Status::CONVERGED.describe(Some("2.0 s")), "Done in 2.0 s.");
        let status = Status { outcome: Outcome::NoResult, reason: Some("non-finite at sweep 7".into()) };
        assert_eq!(status.describe(Some("2.0 s")), "No result (2.0 s): non-finite at sweep 7.");
        assert_eq!(status.describe(None), "No result: non-finite at sweep 7.");
    }
}
