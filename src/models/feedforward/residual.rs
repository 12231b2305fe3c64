//! The figure of the residuals of a solve.

use crate::figure::Figure;
use crate::lab::Residuals;
use crate::math::Ending;

/// Returns the figure of the `residuals` of the last solve, the larger of the root mean square changes of w and of g, with the
/// `tolerance`. `ending` is `None` while the solve is in progress. `failure` is the reason and the advice if there is no solution.
pub(super) fn figure(
    residuals: &Residuals,
    tolerance: f64,
    ending: Option<Ending>,
    failure: Option<&str>,
) -> Figure {
    let ending = match ending {
        Some(Ending::Converged | Ending::Stalled) => "it reached the tolerance",
        Some(Ending::MaxIterations) => "it did not reach the tolerance with any damping",
        Some(Ending::NoSolution | Ending::NonFinite) => "it diverged with every damping",
        None => "it is in progress",
    };
    let failure = failure.map_or(String::new(), |why| format!("{} ", no_solution(why)));
    let caption = format!(
        "{failure}Residual of the equations after each sweep of the last solve: the root mean square change of w or of g, whichever is \
             larger. At a jump the solver restarts with smaller steps."
    );
    let failed = !failure.is_empty();
    let summary = residuals.last().map_or("No sweep is done yet.".to_owned(), |r| {
        let size = if r.residual.is_finite() { format!("{:.1e}", r.residual) } else { "∞".into() };
        format!("{failure}Residual {size} after {} sweeps: {ending}.", r.step)
    });
    let finding = if failed { summary.clone() } else { String::new() };
    residuals.figure("sweep, t", Some(tolerance)).caption(caption).finding(finding).summary(summary)
}

/// Returns the text of a figure without a solution.
pub(super) fn no_solution(why: &str) -> String {
    format!("There is no solution: {why}.")
}
