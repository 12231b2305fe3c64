//! Figures of the moments lab: the histogram of the output with the Gaussians of both rules, and the accuracy of each rule.

use super::{GridPoint, InputMoments, MomentsSnapshot, MomentsSpec};
use crate::data::thousands;
use crate::figure::{Axis, Bar, Bars, Curve, Figure, Hue, Mark, Marker, Point, Segments, Stroke, misfit};
use crate::math::special::{INV_SQRT_2PI, density};
use crate::models::nfa::monte_carlo::OutputEstimate;
use crate::models::nfa::shared_figures::range;

/// Number of points of the curve of a Gaussian.
const POINTS: usize = 161;
/// Least difference of means that the headline names, in standard deviations.
const SHIFTED: f64 = 0.05;
/// Heights of the bars of mean ± standard deviation, of Monte Carlo and of both rules, and half the height of their ends, relative to the
/// highest density.
const BAR_HEIGHTS: [f64; 3] = [1.26, 1.18, 1.1];
const BAR_END: f64 = 0.018;
/// Upper end of the axis of the density, relative to the highest density.
const TOP: f64 = 1.36;
/// Absolute skewness above which a distribution is skewed.
const SKEWED: f64 = 0.5;

/// Returns the histogram of the first output with the Gaussians of both rules.
pub fn histogram(spec: &MomentsSpec, snapshot: &MomentsSnapshot) -> Figure {
    let figure = Figure::new("histogram", "Distribution of the output");
    let axes = |x: (f64, f64), y: (f64, f64)| (Axis::linear("output, f", x), Axis::linear("density", y));
    let Some(first @ InputMoments { rules, monte_carlo, .. }) = snapshot.inputs.first() else {
        let (x, y) = axes((-1.0, 1.0), (0.0, 1.0));
        return figure.x(x).y(y).saying("No results yet.");
    };
    let vars: Vec<f64> = (0..2)
        .map(|rule| if spec.interference { rules[rule].f_var[0] } else { first.f_var_independent[rule][0] })
        .collect();
    let means = [rules[0].f_mean[0], rules[1].f_mean[0]];
    let ends = (0..2).flat_map(|rule| {
        let width = 3.0 * vars[rule].sqrt();
        [means[rule] - width, means[rule] + width]
    });
    let bins = monte_carlo.density.len() as f64 * monte_carlo.bins.1;
    let drawn = [monte_carlo.bins.0, monte_carlo.bins.0 + bins].into_iter().filter(|_| monte_carlo.draws > 0);
    let (low, high) = range(ends.chain(drawn));
    let gaussian = |rule: usize| {
        let sd = vars[rule].sqrt();
        let x = move |i: usize| low + (high - low) * i as f64 / (POINTS - 1) as f64;
        (0..POINTS).map(move |i| Point::new(x(i), density((x(i) - means[rule]) / sd) / sd))
    };
    let bars =
        monte_carlo.density.iter().enumerate().map(|(i, density)| {
            Bar::new(monte_carlo.bins.0 + (i as f64 + 0.5) * monte_carlo.bins.1, *density)
        });
    let largest = highest_density(monte_carlo, &vars);
    let (x, y) = axes((low, high), (0.0, if largest > 0.0 { TOP * largest } else { 1.0 }));
    let is_done = monte_carlo.draws >= spec.draws;
    let sampled = monte_carlo.var.first().filter(|_| monte_carlo.draws > 0);
    let sampled = sampled.map(|var| (monte_carlo.mean[0], var.sqrt()));
    let rules = [0, 1].map(|rule| (means[rule], vars[rule].sqrt()));
    let figure = match sampled {
        Some((mean, sd)) => figure.note((mean + sd, BAR_HEIGHTS[0] * largest), "mean ± sd"),
        None => figure,
    };
    figure
        .x(x)
        .y(y)
        .mark(
            Bars::new("draws", "Monte Carlo, the reference", Hue::Ink, monte_carlo.bins.1, bars)
                .settled_if(is_done),
        )
        .mark(
            Curve::new("taylor", "Taylor series", Hue::Vermilion).stroke(Stroke::Dashed).points(gaussian(0)),
        )
        .mark(
            Curve::new("gauss_hermite", "Gauss–Hermite", Hue::Blue).stroke(Stroke::Solid).points(gaussian(1)),
        )
        .marks(moment_bars(sampled, is_done, rules, largest))
        .finding(finding(monte_carlo, means, [vars[0], vars[1]]))
        .saying(histogram_caption(spec, snapshot, first, means, [vars[0], vars[1]]))
}

/// Returns the highest density of the histogram and of Gaussians with these variances.
fn highest_density(monte_carlo: &OutputEstimate, vars: &[f64]) -> f64 {
    let gaussians = vars.iter().map(|var| INV_SQRT_2PI / var.sqrt());
    let all = monte_carlo.density.iter().copied().chain(gaussians);
    all.filter(|density| density.is_finite()).fold(0.0, f64::max)
}

/// Returns mean ± standard deviation as sampled (once there are draws) and by both rules, above a highest density of `largest`.
fn moment_bars(
    sampled: Option<(f64, f64)>,
    is_done: bool,
    rules: [(f64, f64); 2],
    largest: f64,
) -> Vec<Mark> {
    let all = [
        ("draws", Hue::Ink, sampled),
        ("taylor", Hue::Vermilion, Some(rules[0])),
        ("gauss_hermite", Hue::Blue, Some(rules[1])),
    ];
    let bars = all.into_iter().zip(BAR_HEIGHTS).filter_map(|((key, hue, moments), height)| {
        let (bar, dot) = moment_bar(key, hue, moments?, (height * largest, BAR_END * largest));
        let settled = is_done && key == "draws";
        Some([Mark::from(bar.settled_if(settled)), dot.settled_if(settled).into()])
    });
    bars.flatten().collect()
}

/// Returns mean ± standard deviation of the distribution with that key: a horizontal bar with ends at a height in the plot, and a dot at the
/// mean.
fn moment_bar(key: &str, hue: Hue, (mean, sd): (f64, f64), (y, end): (f64, f64)) -> (Segments, Curve) {
    let (low, high) = (mean - sd, mean + sd);
    let lines = [[(low, y), (high, y)], [(low, y - end), (low, y + end)], [(high, y - end), (high, y + end)]];
    let bar = Segments::new(format!("{key}_sd"), "", hue, Stroke::Solid, lines);
    let dot = Curve::new(format!("{key}_mean"), "", hue).marker(Marker::Disc).points([Point::new(mean, y)]);
    (bar.part_of(key), dot.part_of(key))
}

/// Returns the headline: how each rule compares with the draws, and whether the distribution is skewed; empty without draws.
fn finding(monte_carlo: &OutputEstimate, means: [f64; 2], vars: [f64; 2]) -> String {
    let Some(var) = monte_carlo.var.first().filter(|var| monte_carlo.draws > 0 && **var > 0.0) else {
        return String::new();
    };
    let drawn = (monte_carlo.mean[0], var.sqrt());
    let [taylor, gauss_hermite] = [0, 1].map(|rule| compared(drawn, (means[rule], vars[rule].sqrt())));
    let shape = if is_skewed(monte_carlo) { " Neither captures the true skew." } else { "" };
    format!("Taylor series: {taylor}. Gauss–Hermite: {gauss_hermite}.{shape}")
}

/// Compares a mean and a standard deviation (sd) with those of the draws: “17 % too wide and 0.15 sd too low”.
fn compared(drawn: (f64, f64), rule: (f64, f64)) -> String {
    let width = misfit(rule.1 / drawn.1, 0.01);
    let shift = (rule.0 - drawn.0) / drawn.1;
    let side = if shift < 0.0 { "low" } else { "high" };
    let mean = (shift.abs() >= SHIFTED).then(|| format!("{:.2} sd too {side}", shift.abs()));
    let off: Vec<String> = width.into_iter().chain(mean).collect();
    if off.is_empty() { "close to the truth".to_owned() } else { off.join(" and ") }
}

/// Returns true if the histogram of the output is clearly skewed.
fn is_skewed(monte_carlo: &OutputEstimate) -> bool {
    let (start, width) = monte_carlo.bins;
    let middle = |i: usize| start + (i as f64 + 0.5) * width;
    let total: f64 = monte_carlo.density.iter().sum();
    let moment = |power: i32, centre: f64| {
        let bins = monte_carlo.density.iter().enumerate();
        bins.map(|(i, density)| density * (middle(i) - centre).powi(power)).sum::<f64>() / total
    };
    let mean = moment(1, 0.0);
    let [second, third] = [2, 3].map(|power| moment(power, mean));
    third.abs() > SKEWED * second * second.sqrt()
}

/// Returns the caption of the histogram.
fn histogram_caption(
    spec: &MomentsSpec,
    snapshot: &MomentsSnapshot,
    InputMoments { rules, monte_carlo, .. }: &InputMoments,
    means: [f64; 2],
    vars: [f64; 2],
) -> String {
    let both = format!(
        "mean {:.4} and variance {:.4} by the Taylor series, {:.4} and {:.4} by Gauss–Hermite quadrature",
        means[0], vars[0], means[1], vars[1]
    );
    let paths = if spec.interference { "" } else { " The hidden units are treated as independent." };
    let output = if rules[0].f_mean.len() == 1 { "Output" } else { "First output" };
    let which = match snapshot.inputs.len() {
        1 => output.to_owned(),
        count => format!("{output} for the first of {count} inputs"),
    };
    if monte_carlo.draws == 0 {
        return format!("{which}: {both}. Monte Carlo is running.{paths}");
    }
    format!(
        "{which}: {both}; {:.4} ± {:.4} and {:.4} ± {:.4} by {} Monte Carlo draws. Horizontal bars and headline: mean ± standard deviation (sd). Both rules give \
         only a mean and a variance, so each curve is a Gaussian{}.{paths}",
        monte_carlo.mean[0],
        monte_carlo.mean_se[0],
        monte_carlo.var[0],
        monte_carlo.var_se[0],
        thousands(monte_carlo.draws),
        if is_skewed(monte_carlo) { "; the true distribution is skewed" } else { "" }
    )
}

/// Returns the ratios of the variances to the Monte Carlo variance over a range of input variances.
pub fn grid(snapshot: &MomentsSnapshot) -> Figure {
    let points = || snapshot.grid.iter().filter(|point| point.y_var > 0.0 && point.monte_carlo_var > 0.0);
    let (low, high) = points()
        .fold((f64::INFINITY, 0.0_f64), |(low, high), point| (low.min(point.y_var), high.max(point.y_var)));
    let x = if low < high { (0.8 * low, 1.25 * high) } else { (0.001, 10.0) };
    let ratios = |of: fn(&GridPoint) -> f64| {
        points().map(move |point| {
            let ratio = of(point);
            Point::new(point.y_var, ratio).with_se(ratio * point.monte_carlo_var_se / point.monte_carlo_var)
        })
    };
    let curve = |key: &str, label: &str, hue, marker| {
        Curve::new(key, label, hue).stroke(Stroke::Solid).marker(marker)
    };
    let one = [Point::new(x.0, 1.0), Point::new(x.1, 1.0)];
    let mut figure = Figure::new("regime", "Accuracy of the variance")
        .x(Axis::log("median variance of a hidden unit's input, ỹ", x))
        .y(Axis::linear("variance / Monte Carlo variance", (0.0, 3.0)))
        .mark(Curve::new("exact", "exact", Hue::Ink).stroke(Stroke::Dotted).points(one))
        .mark(
            curve("taylor", "Taylor series", Hue::Vermilion, Marker::Square)
                .points(ratios(|point| point.taylor_ratio)),
        )
        .mark(
            curve("gauss_hermite", "Gauss–Hermite", Hue::Blue, Marker::Disc)
                .points(ratios(|point| point.gauss_hermite_ratio)),
        );
    if snapshot.inputs.iter().any(|input| input.rules[0].y_mean.len() > 1) {
        let without = ratios(|point| point.taylor_ratio_without);
        figure = figure.mark(
            curve("without", "Taylor, independent hidden units", Hue::Green, Marker::Triangle)
                .stroke(Stroke::Dashed)
                .points(without),
        );
    }
    let Some(last) = points().next_back() else {
        return figure.saying("Monte Carlo for other input variances is running.");
    };
    let first = points().next().unwrap_or(last);
    figure.saying(format!(
        "Variance of the first output by each rule, divided by the Monte Carlo variance. Error bars: Monte Carlo standard error. At \
         ỹ = {:.3} the ratio is {:.2} for the Taylor series and {:.2} for Gauss–Hermite quadrature; at ỹ = {:.2} the ratios are {:.2} and \
         {:.2}.",
        first.y_var,
        first.taylor_ratio,
        first.gauss_hermite_ratio,
        last.y_var,
        last.taylor_ratio,
        last.gauss_hermite_ratio
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_show_the_moments_above_the_densities() {
        let bars = |sampled| moment_bars(sampled, true, [(1.0, 0.5), (2.0, 0.25)], 2.0);
        let keys: Vec<String> = bars(None).iter().map(|mark| mark.key().to_owned()).collect();
        assert_eq!(keys, ["taylor_sd", "taylor_mean", "gauss_hermite_sd", "gauss_hermite_mean"]);
        let all = bars(Some((3.0, 1.0)));
        let ends = |mark: &Mark| mark.data().take(2).map(|datum| datum.x).collect::<Vec<_>>();
        assert_eq!([0, 2, 4].map(|i| ends(&all[i])), [[2.0, 4.0], [0.5, 1.5], [1.75, 2.25]]);
        assert_eq!([1, 3, 5].map(|i| ends(&all[i])), [[3.0], [1.0], [2.0]]);
        assert!(
            all.iter()
                .all(|mark| mark.vertical_extent().is_some_and(|(low, high)| low > 2.0 && high < 2.0 * TOP))
        );
        let settled: Vec<bool> = all.iter().map(|mark| mark.info().settled).collect();
        assert_eq!(settled, [true, true, false, false, false, false], "both rules follow the live companion");
    }

    #[test]
    fn a_rule_is_compared_with_the_draws_in_width_and_mean() {
        let against = |mean, sd| compared((0.5, 0.4), (mean, sd));
        assert_eq!(against(0.51, 0.399), "close to the truth");
        assert_eq!(against(0.44, 0.468), "17 % too wide and 0.15 sd too low");
        assert_eq!(against(0.5, 0.3), "25 % too narrow");
        assert_eq!(against(0.9, 1.0), "2.50 times too wide and 1.00 sd too high");
    }

    #[test]
    fn a_bell_is_not_skewed_and_a_ramp_is() {
        let of =
            |density: Vec<f64>| OutputEstimate { bins: (-1.0, 0.1), density, ..OutputEstimate::default() };
        let bell = (0..21).map(|i| libm::exp(-0.5 * (f64::from(i - 10) / 3.0).powi(2)));
        assert!(!is_skewed(&of(bell.collect())));
        assert!(is_skewed(&of((0..21).map(|i| f64::from(i).powi(6)).collect())));
        assert!(!is_skewed(&of(Vec::new())));
    }
}
