//! Figures of the covariance function: one row of it as curves, and the whole matrix as a picture.

use super::{Context, NOTHING};
use crate::figure::{Axis, Colours, Curve, Figure, Grid, Hue, Point, Segments, Stroke, minus, rounded};
use crate::models::gp::curve::RegressionSpec;

/// Number of inputs of a row of the picture.
const ROWS: usize = 61;

/// Returns the figure of the covariance with f(x₀) before and after the data.
pub(super) fn function(context: &Context) -> Figure {
    let figure = Figure::new("covariance", "Covariance function").x(context.input_axis());
    let Some(result) = context.result else {
        return figure.y(Axis::linear("covariance of f(x) and f(x₀)", (0.0, 1.0))).saying(NOTHING);
    };
    let at = context.x[RegressionSpec::reference()];
    let curve = |key: &str, label: &str, hue: Hue, pick: fn(&(f32, f32)) -> f32| {
        let values = context.x.iter().zip(&result.covariance);
        let points = values.map(|(x, both)| Point::new(*x, pick(both).into()));
        Curve::new(key, label, hue).stroke(Stroke::Solid).points(points)
    };
    let prior = curve("prior", "before the data", Hue::Orange, |both| both.0);
    let posterior = curve("posterior", "after the data", Hue::Blue, |both| both.1);
    let values: Vec<f64> = prior.points.iter().chain(&posterior.points).map(|point| point.y).collect();
    let y = Axis::around("covariance of f(x) and f(x₀)", values.into_iter().chain([0.0]));
    let (_, sd) = result.predicted[RegressionSpec::reference()];
    let prior_sd = result.prior_sd[RegressionSpec::reference()];
    let reference =
        Segments::new("place", "x₀", Hue::Ink, Stroke::Dotted, [[(at, y.range.0), (at, y.range.1)]]);
    figure
        .y(y)
        .mark(reference)
        .mark(prior)
        .mark(posterior)
        .caption(
            "Covariance of f(x) with f(x₀), where x₀ is the dotted line: a² K(x, x₀) before the data, and the posterior covariance after. \
             Points between x and x₀ remove most of it.",
        )
        .finding_and_summary(format!(
            "At x₀ = {} the data reduce the standard deviation of f from {} to {}.",
            minus(format_args!("{at:.2}")),
            rounded(prior_sd.into()),
            rounded(sd)
        ))
}

/// Returns the picture of the prior covariance matrix of f at equally spaced inputs.
pub(super) fn matrix(context: &Context) -> Figure {
    let figure = Figure::new("matrix", "Covariance matrix K").equal();
    let (Some(result), Some((low, high))) = (context.result, ends(&context.x)) else {
        return figure.x(context.input_axis()).y(context.input_axis()).saying(NOTHING);
    };
    let model = result.hyper.model(context.spec);
    let width = (high - low) / ROWS as f64;
    let at = |i: usize| [low + (i as f64 + 0.5) * width];
    let values: Vec<f32> =
        (0..ROWS * ROWS).map(|cell| model.covariance(&at(cell / ROWS), &at(cell % ROWS)) as f32).collect();
    let (least, largest) =
        values.iter().fold((0.0_f32, 0.0_f32), |(low, high), value| (low.min(*value), high.max(*value)));
    let colours = Colours::Sequential { low: least, high: largest.max(least + f32::EPSILON) };
    let correlation = |distance: f64| {
        let (a, b) = ([0.5 * (low + high) - 0.5 * distance], [0.5 * (low + high) + 0.5 * distance]);
        let scale = (model.covariance(&a, &a) * model.covariance(&b, &b)).sqrt();
        if scale > 0.0 { model.covariance(&a, &b) / scale } else { 0.0 }
    };
    figure
        .x(Axis::linear("input, x", (low, high)))
        .y(Axis::linear("input, x′", (low, high)))
        .mark(
            Grid::map("covariance", "covariance of f(x) and f(x′)", ROWS, values, ((low, high), (low, high)), colours)
                .smooth(),
        )
        .caption(
            "Prior covariance a² K(x, x′) of every pair of inputs. A stationary function has equal values along diagonals; a periodic one \
             repeats them; a linear one grows with the product of the inputs.",
        )
        .finding_and_summary(format!(
            "Before the data, values of f that are 0.5 and 1 apart have correlations of {} and {}.",
            minus(format_args!("{:.2}", correlation(0.5))),
            minus(format_args!("{:.2}", correlation(1.0)))
        ))
}

/// Returns the smallest and the largest of ascending inputs.
fn ends(x: &[f64]) -> Option<(f64, f64)> {
    Some((*x.first()?, *x.last()?))
}
