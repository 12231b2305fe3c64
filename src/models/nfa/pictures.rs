//! Figures that learning from built-in data and from a table have in common.

use super::fit::Fitted;
use super::solver::cost::Parts;
use super::solver::learning::Phase;
use crate::figure::{Axis, Bar, Bars, Curve, Figure, Hue, Marker, Point, Segments, Stroke};

/// Points of a curve at most.
const MOST: usize = 400;

/// From the smallest to the largest of `values`, with some room; 0 to 1 of none.
pub fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values
        .filter(|x| x.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    if low > high {
        return (0.0, 1.0);
    }
    let room = if high > low { 0.04 * (high - low) } else { 0.5 + 0.1 * low.abs() };
    (low - room, high + room)
}

/// The cost and its parts over the sweeps; `others` are drawn as thin totals.
pub fn cost<'a>(fitted: &Fitted, others: impl Iterator<Item = (String, &'a Fitted)>) -> Figure {
    let others: Vec<(String, &Fitted)> = others.collect();
    let longest = others.iter().map(|(_, other)| other.cost.len()).fold(fitted.cost.len(), usize::max);
    // The fall of the first sweeps would hide everything after them.
    let settled = |fitted: &Fitted| {
        let from =
            fitted.phases.iter().find(|(_, phase)| *phase == Phase::All).map_or(0, |(from, _)| from + 10);
        fitted.cost.iter().skip(from.min(fitted.cost.len() / 2)).map(Parts::total).collect::<Vec<_>>()
    };
    let shown = others.iter().map(|(_, other)| *other).chain([fitted]).flat_map(settled);
    let y = range(shown);
    let curve = |key: &str, label: &str, hue: Hue, fitted: &Fitted, pick: fn(&Parts) -> f64| {
        let every = fitted.cost.len().div_ceil(MOST).max(1);
        let last = fitted.cost.len().saturating_sub(1);
        let kept =
            fitted.cost.iter().enumerate().filter(move |(sweep, _)| sweep % every == 0 || *sweep == last);
        Curve::new(key, label, hue)
            .points(kept.map(|(sweep, cost)| Point::new((sweep + 1) as f64, pick(cost))))
    };
    let mut curves: Vec<Curve> = others
        .iter()
        .enumerate()
        .map(|(i, (name, other))| {
            let hue = [Hue::Sky, Hue::Green, Hue::Purple, Hue::Yellow, Hue::Vermilion][i % 5];
            curve(&format!("other-{i}"), name, hue, other, Parts::total).stroke(Stroke::Dashed)
        })
        .collect();
    curves.push(curve("total", "cost", Hue::Ink, fitted, Parts::total).stroke(Stroke::Solid));
    let part = |key: &str, label: &str, hue, pick| {
        curve(key, label, hue, fitted, pick).stroke(Stroke::DashDot).hidden()
    };
    curves.push(part("data", "data term", Hue::Blue, |cost| cost.data));
    curves.push(part("sources", "source term", Hue::Orange, |cost| cost.sources));
    curves.push(part("weights", "weight term", Hue::Green, |cost| cost.weights));
    curves.push(part("hyper", "hyperparameter term", Hue::Purple, |cost| cost.hyper));
    let borders = fitted.phases.iter().skip(1).map(|(sweep, _)| {
        let x = *sweep as f64 + 0.5;
        [(x, y.0), (x, y.1)]
    });
    Figure::new("cost", "Convergence of the cost")
        .x(Axis::linear("sweep", (0.0, longest.max(1) as f64)))
        .y(Axis::linear("cost, nats", y))
        .mark(Segments::new("phases", "phases", Hue::Ink, Stroke::Dotted, borders))
        .marks(curves)
        .caption(format!(
            "Cost in nats after each sweep{}; lower is better. The cost is an upper bound on the negative log evidence, up to the error \
             of the moments. Dotted lines separate the phases{}. Rejected sweeps (they increased the cost): {}.",
            if fitted.done { "" } else { " so far" },
            phases_in_words(fitted),
            fitted.taken_back
        ))
        .summary(match fitted.cost.last().map(Parts::total) {
            Some(cost) if cost.is_finite() => {
                format!("After {} sweeps the cost is {cost:.1} nats.", fitted.cost.len())
            }
            Some(_) => format!("After {} sweeps the cost is not finite.", fitted.cost.len()),
            None => "No sweep is complete yet.".to_owned(),
        })
}

/// The phases that there were.
fn phases_in_words(fitted: &Fitted) -> String {
    let words = fitted.phases.iter().map(|(sweep, phase)| {
        let what = match phase {
            Phase::Network => "network only",
            Phase::Sources => "with sources",
            Phase::All => "with hyperparameters",
            Phase::Rotated => "after rotation by FastICA",
            Phase::Mixtures => "with mixtures",
        };
        format!("{what} from sweep {}", sweep + 1)
    });
    let words: Vec<String> = words.collect();
    if words.is_empty() { String::new() } else { format!(": {}", words.join(", ")) }
}

/// What each source costs, in bits a sample.
pub fn source_costs(fitted: &Fitted) -> Figure {
    let bits: Vec<f64> = fitted.per_source.iter().map(|nats| nats / std::f64::consts::LN_2).collect();
    let bars = bits.iter().enumerate().map(|(i, bits)| Bar::new((i + 1) as f64, *bits));
    Figure::new("source-bits", "Description length of each source")
        .x(Axis::linear("source", (0.4, bits.len().max(1) as f64 + 0.6)))
        .y(Axis::linear("bits per sample", (0.0, range(bits.iter().copied().chain([0.0])).1)))
        .mark(Bars::new("bits", "", Hue::Blue, 0.7, bars))
        .saying(format!(
            "Description length of each source in bits per sample: the Kullback–Leibler divergence of its posterior from its prior. It is \
             0 for an unused source. {}",
            listed(&bits, "bits per sample")
        ))
}

/// What the weights of each hidden unit cost, in bits.
pub fn hidden_units(fitted: &Fitted) -> Figure {
    let bits: Vec<f64> = fitted.per_hidden.iter().map(|nats| nats / std::f64::consts::LN_2).collect();
    let bars = bits.iter().enumerate().map(|(j, bits)| Bar::new((j + 1) as f64, *bits));
    Figure::new("hidden-bits", "Description length of each hidden unit")
        .x(Axis::linear("hidden unit", (0.4, bits.len().max(1) as f64 + 0.6)))
        .y(Axis::linear("bits", (0.0, range(bits.iter().copied().chain([0.0])).1)))
        .mark(Bars::new("bits", "", Hue::Green, 0.7, bars))
        .saying(format!(
            "Description length of the input and output weights of each hidden unit. {} of {} units have less than a third of a bit per \
             weight: they are not used.",
            fitted.unused(),
            bits.len()
        ))
}

/// The estimated noise of each channel, and the true one where it is known.
pub fn noise(fitted: &Fitted, names: &[String], truth: Option<f64>) -> Figure {
    let points = fitted.noise.iter().enumerate().map(|(k, sd)| Point::new((k + 1) as f64, *sd));
    let most = range(fitted.noise.iter().copied().chain(truth).chain([0.0])).1;
    let ends = (0.4, names.len().max(1) as f64 + 0.6);
    let line = truth.map(|sd| {
        Curve::new("truth", "true noise", Hue::Ink)
            .stroke(Stroke::Dashed)
            .points([Point::new(ends.0, sd), Point::new(ends.1, sd)])
    });
    let figure = Figure::new("noise", "Noise of each channel")
        .x(Axis::linear("channel", ends))
        .y(Axis::linear("noise standard deviation", (0.0, most)))
        .marks(line)
        .mark(Curve::new("noise", "estimated noise", Hue::Vermilion).marker(Marker::Disc).points(points));
    let told =
        truth.map_or(String::new(), |sd| format!(" The true value is {sd:.3}; it is not given to the fit."));
    figure.saying(format!(
        "Estimated noise standard deviation of each channel; mean {:.4}.{told} Until sweep 100 it is fixed at 0.3 \
         times the scale of the data.",
        fitted.mean_noise()
    ))
}

/// A few numbers in words.
fn listed(values: &[f64], unit: &str) -> String {
    let words: Vec<String> = values.iter().map(|value| format!("{value:.2}")).collect();
    if words.is_empty() { String::new() } else { format!("Values: {} {unit}.", words.join(", ")) }
}
