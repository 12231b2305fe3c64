//! What is said of the residuals of a solve, sweep by sweep.

use crate::figure::Figure;
use crate::lab::Residuals;
use crate::math::Ending;

/// The `residuals` of the last solve on their way to `tolerance`: the root mean square change of w or g that the equations ask
/// for, the larger one. `ending` is `None` while it is under way; `failure` says why there is no solution and what would help,
/// where there is none.
pub(super) fn figure(
    residuals: &Residuals,
    tolerance: f64,
    ending: Option<Ending>,
    failure: Option<&str>,
) -> Figure {
    let ending = match ending {
        Some(Ending::Converged | Ending::Stalled) => "it reached the tolerance",
        Some(Ending::MaxIterations) => "it never reached the tolerance, by any fall-back",
        Some(Ending::NoSolution | Ending::NonFinite) => "it diverged, by every fall-back",
        None => "it is under way",
    };
    let failure = failure.map_or(String::new(), |why| format!("{} ", no_solution(why)));
    let caption = format!(
        "{failure}How far the equations are from being solved after each sweep of the last solve: the root mean square \
             change that they ask for, of w or g. Jumps are fall-backs, which begin anew with smaller steps."
    );
    let summary = residuals.last().map_or("No sweep is done yet.".to_owned(), |r| {
        let size = if r.residual.is_finite() { format!("{:.1e}", r.residual) } else { "∞".into() };
        format!("{failure}Residual {size} after {} sweeps: {ending}.", r.step)
    });
    residuals.figure("sweep, t", Some(tolerance)).caption(caption).summary(summary)
}

/// The words for a figure that has nothing to show, and why.
pub(super) fn no_solution(why: &str) -> String {
    format!("There is no solution: {why}.")
}
