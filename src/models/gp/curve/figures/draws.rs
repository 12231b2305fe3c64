//! The figure of functions drawn from the prior and the posterior.

use super::{Context, NOTHING};
use crate::figure::{Axis, Curve, Figure, Hue, Marker, Panel, Point, Stroke, Thread, Threads, rounded};
use crate::math::special::NORMAL_95;

/// Returns two panels: prior and posterior, each with its band and functions drawn with the same random numbers.
pub(super) fn draws(context: &Context) -> Figure {
    let x = context.input_axis();
    let y = shared_output_axis(context);
    let panels = [("prior", "Before the data"), ("posterior", "After the data")];
    let panels = panels.map(|(key, title)| Panel::new(key, x.clone(), y.clone()).titled(title, Hue::Ink));
    let mut figure =
        Figure::new("draws", "Functions drawn from prior and posterior").wide().panels(2, panels);
    let Some(result) = context.result else { return figure.saying(NOTHING) };
    let prior = |i: usize| (0.0, f64::from(result.prior_sd[i]));
    let posterior = |i: usize| result.predicted[i];
    let threads = |key: &str, draws: &[Vec<f32>]| {
        let line = |(i, f): (usize, &Vec<f32>)| {
            let points = context.x.iter().zip(f).map(|(x, f)| (*x, f64::from(*f)));
            Thread::new(format!("function {}", i + 1), points)
        };
        Threads::new(key, "drawn functions", Hue::Vermilion, draws.iter().enumerate().map(line))
    };
    let mean = |key: &str, at: &dyn Fn(usize) -> (f64, f64)| {
        let points = context.x.iter().enumerate().map(|(i, x)| Point::new(*x, at(i).0));
        Curve::new(key, "mean", Hue::Blue).stroke(Stroke::Solid).points(points)
    };
    let points = context.examples.iter().map(|(x, t)| Point::new(*x, *t));
    let examples = Curve::new("examples", "points", Hue::Ink).marker(Marker::Disc).points(points);
    figure = figure
        .on(0, [context.band(("prior_band", "95 % for f", Hue::Sky), NORMAL_95, prior).unnamed()])
        .on(0, [threads("prior_draws", &result.prior_draws).unnamed()])
        .on(0, [mean("prior_mean", &prior).unnamed()])
        .on(1, [context.band(("posterior_band", "95 % for f", Hue::Sky), NORMAL_95, posterior)])
        .on(1, [threads("posterior_draws", &result.posterior_draws)])
        .on(1, [mean("posterior_mean", &posterior)])
        .on(1, [examples]);
    let mean_sd = |sd: &mut dyn Iterator<Item = f64>, count: usize| sd.sum::<f64>() / count.max(1) as f64;
    let before = mean_sd(&mut result.prior_sd.iter().map(|sd| f64::from(*sd)), result.prior_sd.len());
    let after = mean_sd(&mut result.fitted.iter().map(|(_, sd)| *sd), result.fitted.len());
    figure
        .caption(
            "Each function on the right uses the same random numbers as one on the left, multiplied by the Cholesky factor of a covariance \
             matrix. The functions therefore change smoothly when you drag a setting or a point.",
        )
        .finding_and_summary(format!(
            "Average standard deviation of f: {} before the data, over x; {} after the data, at the points.",
            rounded(before),
            rounded(after)
        ))
}

/// Returns the shared output axis: it covers the targets and 2.2 prior standard deviations, the latter up to a limit.
fn shared_output_axis(context: &Context) -> Axis {
    let mut axis = context.output_axis();
    let Some(result) = context.result else { return axis };
    let prior = result.prior_sd.iter().map(|sd| f64::from(*sd)).fold(0.0, f64::max);
    let size = (2.2 * prior).min(1.3 * (axis.range.1 - axis.range.0));
    axis.range = (axis.range.0.min(-size), axis.range.1.max(size));
    axis
}
