//! Figures of the regression: the posterior, draws, log evidence over σ², leave-one-out, and covariances.

mod covariances;
mod draws;
mod left_out;

use super::network::STARTS;
use super::view::SCAN;
use super::{RegressionPoints, RegressionResult, RegressionSnapshot, RegressionSpec};
use crate::figure::{
    Axis, Band, Curve, Figure, Handles, Hue, Interval, Marker, Point, Stroke, minus, percent, rounded,
};
use crate::lab::Value;
use crate::math::special::{NORMAL_50, NORMAL_95};
use crate::math::stats::{order, sorted};

/// Minimum margin below and above the targets, relative to their range.
const MIN_MARGIN: f64 = 0.45;
/// Maximum margin.
const MAX_MARGIN: f64 = 1.0;
/// Caption of a figure without results.
const NOTHING: &str = "No results yet.";

/// Returns all figures.
pub fn all(spec: &RegressionSpec, snapshot: &RegressionSnapshot) -> Vec<Figure> {
    let context = Context::new(spec, snapshot);
    vec![
        posterior(&context),
        draws::draws(&context),
        evidence(&context),
        left_out::left_out(&context),
        covariances::function(&context),
        covariances::matrix(&context),
    ]
}

/// Settings and results that all figures share.
struct Context<'a> {
    spec: &'a RegressionSpec,
    snapshot: &'a RegressionSnapshot,
    result: Option<&'a RegressionResult>,
    /// x and t of each example, m.
    examples: Vec<(f64, f64)>,
    /// Inputs of the drawn curves.
    x: Vec<f64>,
}

impl<'a> Context<'a> {
    fn new(spec: &'a RegressionSpec, snapshot: &'a RegressionSnapshot) -> Self {
        let examples = spec.points();
        let mut x = spec.inputs(&examples);
        x.truncate(RegressionSpec::DRAWN);
        Self { spec, snapshot, result: snapshot.result.as_ref(), examples, x }
    }

    fn input_axis(&self) -> Axis {
        Axis::linear("input, x", RegressionSpec::view(&self.examples))
    }

    /// Returns the centre of the widest interval between neighbouring points; `None` for fewer than two points.
    fn gap_between_points(&self) -> Option<f64> {
        let x = sorted(&self.examples.iter().map(|(x, _)| *x).collect::<Vec<_>>());
        let gaps = x.windows(2).map(|pair| (pair[1] - pair[0], 0.5 * (pair[0] + pair[1])));
        gaps.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, centre)| centre)
    }

    /// Returns an output axis that covers the targets with a margin on both sides, in which points can be dragged, and the band for new
    /// points unless it is so wide that the targets would seem flat.
    fn output_axis(&self) -> Axis {
        let targets = self.examples.iter().map(|(_, t)| *t);
        let (low, high) = targets.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), t| (l.min(t), h.max(t)));
        let span = (high - low).max(1e-3);
        let ends = self.result.into_iter().flat_map(|result| {
            let drawn = &result.predicted[..result.predicted.len().min(self.x.len())];
            drawn.iter().map(|(mean, sd)| (*mean, NORMAL_95 * libm::hypot(*sd, result.hyper.noise)))
        });
        let (lower, upper) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), (mean, half)| {
            (l.min(mean - half), h.max(mean + half))
        });
        let margin = 0.05 * (upper - lower).max(0.0);
        let room = |needed: f64| needed.clamp(MIN_MARGIN * span, MAX_MARGIN * span);
        let below = room(if lower.is_finite() { low - lower + margin } else { 0.0 });
        let above = room(if upper.is_finite() { upper - high + margin } else { 0.0 });
        Axis::linear("output, f(x)", (low - below, high + above))
    }

    /// Returns a band of `size` standard deviations around a mean.
    fn band(
        &self,
        (key, label, hue): (&str, &str, Hue),
        size: f64,
        at: impl Fn(usize) -> (f64, f64),
    ) -> Band {
        let interval = |(i, x): (usize, &f64)| {
            let (mean, sd) = at(i);
            Interval { x: *x, lower: mean - size * sd, upper: mean + size * sd }
        };
        Band::new(key, label, hue, self.x.iter().enumerate().map(interval))
    }

    fn points(&self) -> Curve {
        let points = self.examples.iter().map(|(x, t)| Point::new(*x, *t));
        Curve::new("examples", "points", Hue::Ink).marker(Marker::Disc).points(points)
    }
}

/// Returns the figure of the posterior, in which the points are edited.
fn posterior(context: &Context) -> Figure {
    let Context { spec, result, examples, x, .. } = context;
    let y = context.output_axis();
    let mut figure = Figure::new("bands", "Posterior of f, and band for new points")
        .x(context.input_axis())
        .y(y.clone())
        .caption(
            "Line: posterior mean of the curve f. Blue: 50 % and 95 % bands for f. Grey: 95 % band for a new point, which also has noise s. \
             All are exact for this model; they ignore the uncertainty of its settings.",
        );
    if let Some(result) = result {
        let f = |i: usize| result.predicted[i];
        let observed = |i: usize| (f(i).0, libm::hypot(f(i).1, result.hyper.noise));
        let mean = x.iter().zip(&result.predicted).map(|(x, (mean, _))| Point::new(*x, *mean));
        figure = figure
            .mark(context.band(("new_95", "95 % for new points", Hue::Ink), NORMAL_95, observed).opacity(0.1))
            .mark(
                context
                    .band(("new_50", "50 % for new points", Hue::Ink), NORMAL_50, observed)
                    .opacity(0.15)
                    .hidden(),
            )
            .mark(context.band(("f_95", "95 % for the curve", Hue::Sky), NORMAL_95, f).opacity(0.3))
            .mark(context.band(("f_50", "50 % for the curve", Hue::Blue), NORMAL_50, f).opacity(0.6))
            .mark(Curve::new("mean", "mean", Hue::Blue).stroke(Stroke::Solid).points(mean))
            .finding_and_summary(finding(context, result) + &network_finding(context, result));
    }
    figure = with_network(figure, context);
    let rule: Vec<Point> = x.iter().filter_map(|x| Some(Point::new(*x, spec.noise_free(*x)?))).collect();
    if !rule.is_empty() {
        let rule = Curve::new("rule", "true function", Hue::Green).stroke(Stroke::Dashed).points(rule);
        figure = figure.mark(rule);
    }
    let editable = examples.iter().map(|(x, t)| [*x, *t]).collect();
    let fields = RegressionSpec::FIELDS;
    let handles =
        Handles::new(fields.points.key, &Value::Points(editable)).with(fields.set.key, RegressionPoints::Own);
    if let Some(gap) = context.input_axis().widest_gap(examples.iter().map(|(x, _)| *x)) {
        figure = figure.note((gap, y.range.0 + 0.06 * (y.range.1 - y.range.0)), "no data here");
    }
    figure.mark(context.points()).handles(handles)
}

/// Adds the curve of the network and its band, if there is one, and describes them.
fn with_network(figure: Figure, context: &Context) -> Figure {
    let Some(network) = context.snapshot.network() else { return figure };
    let mean = context.x.iter().zip(&network.predicted).map(|(x, (mean, _))| Point::new(*x, *mean));
    let mean = Curve::new("network", "network", Hue::Orange).stroke(Stroke::DashDot).points(mean);
    let band = |i: usize| network.predicted[i];
    let band = context.band(("network_95", "network: 95 % for the curve", Hue::Orange), NORMAL_95, band);
    let is_done = network.ending.is_some();
    let caption = format!(
        "{} Orange: a network with {} hidden {} on the same points, fitted by ensemble learning with a full covariance (the best of {STARTS} \
         starts), with its 95 % band for the curve. The network is an approximation; its noise level is estimated.",
        figure.caption,
        context.spec.network,
        if context.spec.network == 1 { "unit" } else { "units" },
    );
    figure.mark(band.outlined().settled_if(is_done)).mark(mean.settled_if(is_done)).caption(caption)
}

/// Returns a sentence, after a blank, on the half-widths of both bands at the last input that is drawn; empty without a network.
fn network_finding(context: &Context, result: &RegressionResult) -> String {
    let last = context.x.len() - 1;
    let network = context.snapshot.network().filter(|network| network.ending.is_some());
    network.map_or(String::new(), |network| {
        let [ours, theirs] =
            [result.predicted[last].1, network.predicted[last].1].map(|sd| two_digits(NORMAL_95 * sd));
        let x = minus(format_args!("{:.1}", context.x[last]));
        format!(" Beyond the points, at x = {x}, the Gaussian process gives ±{ours}, the network ±{theirs}.")
    })
}

/// Returns a sentence with the smallest and the largest half-width of the band of the curve; and the coverage or, if the function is
/// unknown, the points within their interval.
fn finding(context: &Context, result: &RegressionResult) -> String {
    let band = match result.coverage(context.spec, &context.examples) {
        Some(share) => format!("The grey band contains {} of new points", percent(share)),
        None => format!(
            "{} of {} points lie in their leave-one-out interval",
            result.left_out_within(&context.examples),
            context.examples.len()
        ),
    };
    let half_width = |(_, sd): &(f64, f64)| NORMAL_95 * sd;
    let widths = result.predicted[..RegressionSpec::DRAWN].iter().map(half_width);
    let (narrow, wide) = widths.fold((f64::INFINITY, 0.0_f64), |(a, b), width| (a.min(width), b.max(width)));
    let between = context.gap_between_points().map(|centre| {
        let nearest = order(&context.x.iter().map(|x| (x - centre).abs()).collect::<Vec<_>>())[0];
        half_width(&result.predicted[nearest])
    });
    let between = between
        .filter(|width| *width > 2.0 * narrow)
        .map_or(String::new(), |width| format!(", ±{} in the widest gap between them", two_digits(width)));
    format!(
        "The 95 % band of the curve is ±{} near the points{between}, widening to ±{}. {band}.",
        two_digits(narrow),
        two_digits(wide)
    )
}

/// Formats a half-width to two significant digits.
fn two_digits(width: f64) -> String {
    // The exponent after rounding: 0.0996 is 0.10.
    let rounded: f64 = format!("{width:.1e}").parse().unwrap_or(width);
    let decimals =
        if rounded > 0.0 { (1.0 - libm::log10(rounded).floor()).clamp(0.0, 6.0) as usize } else { 0 };
    format!("{rounded:.decimals$}")
}

/// Returns the figure of the log evidence over σ².
fn evidence(context: &Context) -> Figure {
    let mut figure = Figure::new("evidence", "Log evidence over σ²");
    let axis = |here: f64| Axis::log("smoothness, σ²", (here.min(SCAN.0), here.max(SCAN.1)));
    let Some(result) = context.result else {
        return figure.x(axis(SCAN.0)).y(Axis::linear("log evidence, nats", (-1.0, 0.0))).saying(NOTHING);
    };
    let hyper = result.hyper;
    let curve = result.scan.iter().filter_map(|(sigma2, z)| Some(Point::new(*sigma2, (*z)?)));
    let curve: Vec<Point> = curve.collect();
    let best = result.best_of_scan();
    // Small evidences would compress the part of the curve near the maximum.
    let top = best.map_or(result.ln_evidence, |(_, z)| z.max(result.ln_evidence));
    let lowest = curve.iter().map(|point| point.y).fold(result.ln_evidence, f64::min);
    let low = lowest.max(top - 4.0 * (top - result.ln_evidence).max(10.0));
    let here = Point::new(hyper.sigma2, result.ln_evidence);
    let largest = best.map(|(sigma2, z)| Point::new(sigma2, z));
    figure = figure
        .x(axis(hyper.sigma2))
        .y(Axis::around("log evidence, nats", [low, top]))
        .mark(Curve::new("evidence", "log evidence", Hue::Blue).stroke(Stroke::Solid).points(curve))
        .mark(Curve::new("largest", "largest", Hue::Ink).marker(Marker::Circle).points(largest))
        .mark(Curve::new("here", "this model", Hue::Vermilion).marker(Marker::Disc).points([here]));
    let here = rounded(hyper.sigma2);
    let found = match best.map(|(sigma2, z)| (sigma2, z - result.ln_evidence)) {
        Some((sigma2, gain)) if gain >= 0.05 => format!(
            "With σ² = {} the points would be {} times as probable as with σ² = {here}.",
            rounded(sigma2),
            rounded(libm::exp(gain))
        ),
        Some(_) => format!("No other smoothness makes the points more probable than σ² = {here}."),
        None => format!("The smoothness is σ² = {here}."),
    };
    figure
        .caption(format!(
            "Exact ln p(targets | σ²) for amplitude {} and noise {}. Where it is low, the points do not support this σ²; where it is \
             flat, they do not determine it. Log evidence of this model: {} nats.",
            rounded(hyper.amplitude),
            rounded(hyper.noise),
            minus(format_args!("{:.2}", result.ln_evidence))
        ))
        .finding_and_summary(found)
}
