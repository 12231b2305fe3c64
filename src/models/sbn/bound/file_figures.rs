//! Figures of the network of a file: bound, factorial bound and estimate compared with ln P, and the solution.

use super::PatternCase;
use super::texts::likelier;
use crate::figure::{Axis, Curve, Figure, Hue, Mark, Marker, Point, Stroke, minus};

/// Returns both figures.
pub fn figures(case: Option<&PatternCase>) -> Vec<Figure> {
    vec![values(case), units(case)]
}

/// Returns the bounds and the estimate with ln P.
fn values(case: Option<&PatternCase>) -> Figure {
    let names =
        ["mean-field bound", "strict bound of 1996", "strict bound, same means", "importance sampling"];
    let figure = Figure::new("own", "Bound and ln P of this network");
    let x_axis = Axis::categories("", names.map(str::to_owned).to_vec());
    let Some(case) = case else {
        return figure
            .x(x_axis)
            .y(Axis::linear("log probability, nats", (-1.0, 0.0)))
            .saying("The mean field equations are being solved.");
    };
    let values = [
        (case.bound, 0.0),
        (case.strict_bound, 0.0),
        (case.factorial_bound, 0.0),
        (case.estimate, case.sampled().error_bar()),
    ];
    let points = values.into_iter().enumerate().filter(|(_, (value, _))| value.is_finite());
    let points: Vec<Point> =
        points.map(|(i, (value, se))| Point::new(i as f64 + 1.0, value).with_se(se)).collect();
    let mut marks = Vec::<Mark>::new();
    if case.ln_p.is_finite() {
        let exact = [Point::new(0.5, case.ln_p), Point::new(4.5, case.ln_p)];
        marks.push(Curve::new("exact", "exact", Hue::Ink).stroke(Stroke::Dashed).points(exact).into());
    }
    let ys: Vec<f64> =
        points.iter().map(|point| point.y).chain(Some(case.ln_p)).filter(|y| y.is_finite()).collect();
    marks.push(
        Curve::new("found", "bounds and estimate", Hue::Blue).marker(Marker::Disc).points(points).into(),
    );
    figure
        .x(x_axis)
        .y(Axis::around("log probability, nats", ys))
        .marks(marks)
        .caption(format!(
            "Mean-field bound {}; exact log probability {}. The mean field equations were solved in {} passes; the largest difference of \
             the two sides of SJ98 eqs. (8) and (9) is {:.1e}. The mean-field bound, eq. (24), assumes Gaussian inputs and can exceed ln P; the strict bound of eq. (6) with the same means μ \
             never does. Error bar: \
             standard error of the importance sampling estimate, whose effective sample size is {:.1}{}; it is too low on average, the more so the \
             smaller that is.",
            nats(case.bound),
            if case.ln_p.is_finite() { nats(case.ln_p) } else { "not enumerated".to_owned() },
            case.passes,
            case.residual,
            case.estimate_ess,
            if case.sampled().is_dominated() { ", too few for an error bar" } else { "" }
        ))
        .finding_and_summary(finding(case))
}

/// Returns a sentence with the bound and ln P, or its estimate.
fn finding(case: &PatternCase) -> String {
    if case.ln_p.is_finite() {
        return format!(
            "The mean-field bound makes the pattern {} than it is.",
            likelier(case.bound - case.ln_p)
        );
    }
    format!(
        "The mean-field bound makes the pattern {} than importance sampling estimates{}. With more than 20 hidden units the exact value \
         is not enumerated.",
        likelier(case.bound - case.estimate),
        if case.sampled().is_dominated() {
            " (unreliable: its effective sample size is below 5)"
        } else {
            ""
        }
    )
}

/// Writes nats with four decimals.
fn nats(x: f64) -> String {
    minus(format_args!("{x:.4}"))
}

/// Returns μ and ξ of every unit, by layer.
fn units(case: Option<&PatternCase>) -> Figure {
    let curve = |key: &str, label: &str, hue, marker, of: fn(&PatternCase) -> &Vec<Vec<f64>>| {
        let values = case.into_iter().flat_map(move |case| of(case).iter().flatten());
        let points = values.enumerate().map(|(i, value)| Point::new(i as f64 + 1.0, *value));
        Curve::new(key, label, hue).marker(marker).points(points)
    };
    let sizes: Vec<usize> = case.into_iter().flat_map(|case| case.mu.iter().map(Vec::len)).collect();
    let count: usize = sizes.iter().sum();
    let sizes = sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    Figure::new("solution", "Solution of the mean field equations")
        .x(Axis::linear("unit, from the top layer", (0.5, count.max(1) as f64 + 0.5)))
        .y(Axis::linear("μ, ξ", (0.0, 1.0)))
        .mark(curve("mu", "mean μ", Hue::Blue, Marker::Disc, |case| &case.mu))
        .mark(curve("xi", "parameter ξ", Hue::Vermilion, Marker::Circle, |case| &case.xi))
        .saying(format!("Means μ and parameters ξ of all units; the layers have {sizes} units. μ of a visible unit is its state."))
}
