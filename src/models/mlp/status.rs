//! How a run ended, read off the best start of each fit.

use super::fields::Approximation;
use crate::lab::{Ending, Outcome, Status};

/// Converged, if all of these fits have; of each what was fitted, how it ended (`None` if it has not), and after how many
/// evaluations.
pub fn status(fits: impl Iterator<Item = (Approximation, Option<Ending>, usize)>) -> Status {
    let failed = fits.filter(|(_, ending, _)| !ending.is_some_and(Ending::is_solution));
    let reasons: Vec<String> = failed
        .map(|(method, ending, evaluations)| match ending {
            Some(Ending::MaxIterations) | None => {
                format!("{}: not converged after {evaluations} evaluations", method.label())
            }
            _ => format!("{}: a value is not finite", method.label()),
        })
        .collect();
    let outcome = if reasons.is_empty() { Outcome::Converged } else { Outcome::MaxIterations };
    Status { outcome, reason: (!reasons.is_empty()).then(|| reasons.join("; ")) }
}
