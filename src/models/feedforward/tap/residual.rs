//! The residual of a solve, sweep by sweep: what there is to see of equations that were not solved.

use serde::{Deserialize, Serialize};

use crate::figure::{Axis, Curve, Figure, Hue, Point, Stroke};
use crate::math::Ending;

/// The state of the iteration after a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Residual {
    /// Number of the sweep.
    pub sweep: usize,
    /// rms change of w or g that the equations ask for, the larger one.
    pub residual: f64,
    /// Share of it that was taken.
    pub damping: f64,
}

/// Residuals kept: every sweep of any solve that goes well.
const KEPT: usize = 1500;

/// Appends a residual; of very many every second one is dropped, again and again, but never the newest.
pub(in crate::models::feedforward) fn keep(residuals: &mut Vec<Residual>, newest: Residual) {
    if residuals.len() >= KEPT {
        let mut even = false;
        residuals.retain(|_| {
            even = !even;
            even
        });
    }
    residuals.push(newest);
}

/// The residuals `rows` of the last solve on their way to `tolerance`. `ending` is `None` while it is under way;
/// `failure` says why there is no solution and what would help, where there is none.
pub(in crate::models::feedforward) fn figure(
    rows: &[Residual],
    tolerance: f64,
    ending: Option<Ending>,
    failure: Option<&str>,
) -> Figure {
    let last = rows.last();
    let end = last.map_or(10, |r| r.sweep.max(10)) as f64;
    let smallest = rows.iter().map(|r| r.residual).filter(|r| *r > 0.0).fold(tolerance, f64::min);
    let largest = rows.iter().map(|r| r.residual).filter(|r| r.is_finite()).fold(1.0, f64::max);
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
    let summary = last.map_or("No sweep is done yet.".to_owned(), |r| {
        let size = if r.residual.is_finite() { format!("{:.1e}", r.residual) } else { "∞".into() };
        format!("{failure}Residual {size} after {} sweeps: {ending}.", r.sweep)
    });
    Figure::new("residual", "Residual")
        .x(Axis::linear("sweep, t", (0.0, end)))
        .y(Axis::log("residual, r", (0.3 * smallest, 3.0 * largest)))
        .caption(caption)
        .summary(summary)
        .marks([
            Curve::new("tolerance", "tolerance", Hue::Ink)
                .stroke(Stroke::Dotted)
                .points([Point::new(0.0, tolerance), Point::new(end, tolerance)]),
            Curve::new("damping", "share of the step taken", Hue::Orange)
                .stroke(Stroke::Dashed)
                .points(rows.iter().map(|r| Point::new(r.sweep as f64, r.damping)))
                .hidden(),
            Curve::new("residual", "residual", Hue::Blue)
                .stroke(Stroke::Solid)
                .points(rows.iter().map(|r| Point::new(r.sweep as f64, r.residual))),
        ])
}

/// The words for a figure that has nothing to show, and why.
pub(in crate::models::feedforward) fn no_solution(why: &str) -> String {
    format!("There is no solution: {why}.")
}
