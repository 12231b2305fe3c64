//! Description of the end of a run.

use super::task::{Outcome, Status};

impl Status {
    /// Describes how a run ended in one sentence, with its duration if known (`Done in 2.0 s.`).
    pub fn describe(&self, elapsed: Option<&str>) -> String {
        let outcome = match self.outcome {
            Outcome::Converged => "Done",
            Outcome::MaxIterations => "Done, not fully converged",
            Outcome::Diverged => "Diverged",
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
        let status = Status { outcome: Outcome::Diverged, reason: Some("non-finite at sweep 7".into()) };
        assert_eq!(status.describe(Some("2.0 s")), "Diverged (2.0 s): non-finite at sweep 7.");
        assert_eq!(status.describe(None), "Diverged: non-finite at sweep 7.");
    }
}
