//! Residuals of an iteration, step by step, and their figure.

use serde::{Deserialize, Serialize};

use crate::figure::{Axis, Curve, Figure, Hue, Point, Stroke};
use crate::math::Residual;

/// Residuals of a solve, thinned if there are very many.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Residuals(Vec<Residual>);

/// Largest number of residuals kept. Solves that converge quickly keep every step.
const KEPT: usize = 1500;

impl Residuals {
    /// Appends a residual. If the limit is reached, drops every second one first.
    pub fn push(&mut self, newest: Residual) {
        if self.0.len() >= KEPT {
            let mut even = false;
            self.0.retain(|_| {
                even = !even;
                even
            });
        }
        self.0.push(newest);
    }

    /// Removes all residuals, before another solve.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the residuals kept, in the order of their steps.
    pub fn rows(&self) -> &[Residual] {
        &self.0
    }

    /// Returns the newest residual.
    pub fn last(&self) -> Option<&Residual> {
        self.0.last()
    }

    /// Returns the figure of the residuals over steps. `step` labels the axis (`sweep, t`); `tolerance` is in the measure of the
    /// residuals. The model adds caption and summary.
    pub fn figure(&self, step: &str, tolerance: Option<f64>) -> Figure {
        let end = self.last().map_or(10, |last| last.step.max(10)) as f64;
        let drawn = || self.0.iter().filter(|r| r.residual.is_finite() && r.residual > 0.0);
        let smallest = drawn().map(|r| r.residual).fold(tolerance.unwrap_or(1e-9), f64::min);
        let largest = drawn().map(|r| r.residual).fold(1.0, f64::max);
        let at = |r: &Residual, y: f64| Point::new(r.step as f64, y);
        let limit = tolerance.map(|tolerance| {
            Curve::new("tolerance", "tolerance", Hue::Ink)
                .stroke(Stroke::Dotted)
                .points([Point::new(0.0, tolerance), Point::new(end, tolerance)])
        });
        let damped = self.0.iter().any(|r| r.damping < 1.0);
        let damping = damped.then(|| {
            Curve::new("damping", "share of the step taken", Hue::Orange)
                .stroke(Stroke::Dashed)
                .points(self.0.iter().map(|r| at(r, r.damping)))
                .hidden()
        });
        Figure::new("residual", "Residual")
            .x(Axis::linear(step, (0.0, end)))
            .y(Axis::log("residual, r", (0.3 * smallest, 3.0 * largest)))
            .marks(limit)
            .marks(damping)
            .marks([Curve::new("residual", "residual", Hue::Blue)
                .stroke(Stroke::Solid)
                .points(drawn().map(|r| at(r, r.residual)))])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn residuals(count: usize, damping: f64) -> Residuals {
        let mut residuals = Residuals::default();
        (1..=count).for_each(|step| {
            residuals.push(Residual { step, residual: 1.0 / step as f64, damping });
        });
        residuals
    }

    #[test]
    fn many_residuals_are_thinned_evenly_and_the_newest_is_kept() {
        let few = residuals(KEPT, 1.0);
        assert_eq!(few.rows().len(), KEPT);
        for count in [KEPT + 1, 5 * KEPT, 100_000] {
            let many = residuals(count, 1.0);
            assert!((KEPT / 2..=KEPT).contains(&many.rows().len()));
            assert_eq!((many.rows()[0].step, many.last().map(|r| r.step)), (1, Some(count)));
        }
    }

    #[test]
    fn the_axis_spans_the_tolerance_to_the_largest_finite_residual() {
        let mut residuals = residuals(20, 0.5);
        residuals.push(Residual { step: 21, residual: f64::INFINITY, damping: 0.5 });
        residuals.push(Residual { step: 22, residual: 40.0, damping: 0.5 });
        let figure = residuals.figure("sweep, t", Some(1e-6));
        assert_eq!((figure.x.range, figure.y.range), ((0.0, 22.0), (0.3 * 1e-6, 120.0)));
        assert_eq!(
            figure.find("residual").map(crate::figure::Mark::len),
            Some(21),
            "an infinite residual is not drawn"
        );
        assert!(figure.find("damping").is_some() && figure.find("tolerance").is_some());
        let undamped = super::tests::residuals(3, 1.0).figure("step", None);
        assert!(undamped.find("damping").is_none() && undamped.find("tolerance").is_none());
    }
}
