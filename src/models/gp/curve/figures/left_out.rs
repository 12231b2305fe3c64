//! The figure of leave-one-out predictions beside retraining.

use super::{Context, NOTHING};
use crate::figure::{Axis, Curve, Figure, Hue, Marker, Point, Segments, Stroke, minus, rounded};
use crate::math::special::NORMAL_95;

/// Returns the prediction of each target from the others, with its 95 % interval, and the same by retraining.
pub(super) fn left_out(context: &Context) -> Figure {
    let figure = Figure::new("left_out", "Each point predicted from the others").x(context.input_axis());
    let Some(result) = context.result else { return figure.y(context.output_axis()).saying(NOTHING) };
    let at = |values: &[(f64, f64)]| -> Vec<Point> {
        context.examples.iter().zip(values).map(|((x, _), (mean, _))| Point::new(*x, *mean)).collect()
    };
    let intervals = context.examples.iter().zip(&result.left_out).map(|((x, _), (mean, var))| {
        let half = NORMAL_95 * var.sqrt();
        [(*x, mean - half), (*x, mean + half)]
    });
    let outside = context.examples.iter().zip(&result.left_out);
    let outside = outside.filter(|((_, t), (mean, var))| (t - mean).abs() > NORMAL_95 * var.sqrt());
    let outside: Vec<Point> = outside.map(|((x, t), _)| Point::new(*x, *t)).collect();
    let ring = || Curve::new("outside", "outside", Hue::Red).marker(Marker::Ring);
    let outside = (!outside.is_empty()).then(|| ring().points(outside));
    let (low, high) = context.output_axis().range;
    let y = Axis::linear("target, t", (low, high));
    let densities = result.left_out_densities(&context.examples);
    let within = result.left_out_within(&context.examples);
    let agreement = context.snapshot.largest_difference().map_or(String::new(), |difference| {
        format!(" Retraining without each point agrees to within {}.", rounded(difference))
    });
    figure
        .y(y)
        .mark(Segments::new("intervals", "95 % interval", Hue::Orange, Stroke::Solid, intervals))
        .mark(Curve::new("closed", "predicted", Hue::Orange).marker(Marker::Square).points(at(&result.left_out)))
        .mark(
            Curve::new("retrained", "retrained", Hue::Green)
                .marker(Marker::Circle)
                .points(at(&context.snapshot.retrained))
                .hidden(),
        )
        .mark(context.points())
        .marks(outside)
        .caption(format!(
            "Squares with bars: mean and 95 % interval of each target given the others, in closed form. Rings: targets \
             outside their interval; about one in twenty is expected. Total log density {} nats.{agreement}",
            minus(format_args!("{:.2}", densities.iter().sum::<f64>()))
        ))
        .finding_and_summary(format!(
            "{within} of {} points lie in the 95 % interval predicted from the others.",
            densities.len()
        ))
}
