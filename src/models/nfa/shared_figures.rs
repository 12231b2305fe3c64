//! Figures shared by the tasks `nfa` and `nfa.data`.

use super::fit::FitSummary;
use super::solver::cost::CostParts;
use super::solver::learning::LearningPhase;
use crate::figure::{Axis, Bar, Bars, Curve, Figure, Hue, Marker, Point, Segments, Stroke};

/// Minimum increase of the cost above its lowest value that is reported, in nats.
const RISE: f64 = 2.0;
/// Maximum number of points of a curve.
const MAX_POINTS: usize = 400;

/// Returns the range of the finite `values` with a margin; (0, 1) if there are none.
pub fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values
        .filter(|x| x.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    if low > high {
        return (0.0, 1.0);
    }
    let margin = if high > low { 0.04 * (high - low) } else { 0.5 + 0.1 * low.abs() };
    (low - margin, high + margin)
}

/// Returns the cost and its parts over the sweeps; the total costs of `others` are dashed.
pub fn cost<'a>(fitted: &FitSummary, others: impl Iterator<Item = (String, &'a FitSummary)>) -> Figure {
    let others: Vec<(String, &FitSummary)> = others.collect();
    let longest = others.iter().map(|(_, other)| other.cost.len()).fold(fitted.cost.len(), usize::max);
    let y = range(others.iter().map(|(_, other)| *other).chain([fitted]).flat_map(late_costs));
    let other_curves = others.iter().enumerate().map(|(i, (name, other))| {
        let hue = [Hue::Sky, Hue::Green, Hue::Purple, Hue::Yellow, Hue::Vermilion][i % 5];
        cost_curve(&format!("other-{i}"), name, hue, other, CostParts::total).stroke(Stroke::Dashed)
    });
    let part = |key: &str, label: &str, hue, of| {
        cost_curve(key, label, hue, fitted, of).stroke(Stroke::DashDot).hidden()
    };
    let curves = [
        cost_curve("total", "cost", Hue::Ink, fitted, CostParts::total).stroke(Stroke::Solid),
        part("data", "data term", Hue::Blue, |cost| cost.data),
        part("sources", "source term", Hue::Orange, |cost| cost.sources),
        part("weights", "weight term", Hue::Green, |cost| cost.weights),
        part("hyper", "hyperparameter term", Hue::Purple, |cost| cost.hyper),
    ];
    let lowest = lowest(fitted);
    let rise = lowest.map_or(String::new(), |(sweep, cost)| {
        format!(
            " The cost was {:.1} nats lower after sweep {sweep}: the variance updates are not guaranteed to decrease it, and small increases \
             are accepted. Gauss–Hermite quadrature usually avoids this.",
            fitted.final_cost() - cost
        )
    });
    let lowest = lowest.map(|(sweep, cost)| {
        Curve::new("lowest", "lowest cost", Hue::Ink)
            .marker(Marker::Circle)
            .points([Point::new(sweep as f64, cost)])
    });
    let borders = fitted.phases.iter().skip(1).map(|(sweep, _)| {
        let x = *sweep as f64 + 0.5;
        [(x, y.0), (x, y.1)]
    });
    Figure::new("cost", "Convergence of the cost")
        .x(Axis::linear("sweep", (0.0, longest.max(1) as f64)))
        .y(Axis::linear("cost, nats", y))
        .mark(Segments::new("phases", "phases", Hue::Ink, Stroke::Dotted, borders))
        .marks(other_curves.chain(curves).chain(lowest))
        .caption(format!(
            "Cost in nats after each sweep{}; lower is better. The cost is an upper bound on the negative log evidence, up to the error \
             of the moments. Dotted lines separate the phases{}. Rejected sweeps (they increased the cost): {}.{rise}",
            if fitted.done { "" } else { " so far" },
            phase_list(fitted),
            fitted.rejected
        ))
        .summary(match fitted.cost.last().map(CostParts::total) {
            Some(cost) if cost.is_finite() => {
                format!("After {} sweeps the cost is {cost:.1} nats.", fitted.cost.len())
            }
            Some(_) => format!("After {} sweeps the cost is not finite.", fitted.cost.len()),
            None => "No sweep is complete yet.".to_owned(),
        })
}

/// Returns the sweep, from 1, with the lowest cost of the last phase, and that cost; `None` if the cost did not rise visibly after it.
fn lowest(fitted: &FitSummary) -> Option<(usize, f64)> {
    let from = fitted.phases.last()?.0;
    let costs = fitted.cost.iter().enumerate().skip(from).map(|(sweep, cost)| (sweep + 1, cost.total()));
    let lowest = costs.min_by(|a, b| a.1.total_cmp(&b.1))?;
    (fitted.final_cost() > lowest.1 + RISE).then_some(lowest)
}

/// Returns the total costs without those of the first phases, whose decrease would hide all others.
fn late_costs(fitted: &FitSummary) -> impl Iterator<Item = f64> {
    let all_from = fitted.phases.iter().find(|(_, phase)| *phase == LearningPhase::All);
    let from = all_from.map_or(0, |(from, _)| from + 10);
    fitted.cost.iter().skip(from.min(fitted.cost.len() / 2)).map(CostParts::total)
}

/// Returns the curve of a part of the cost over the sweeps.
fn cost_curve(key: &str, label: &str, hue: Hue, fitted: &FitSummary, of: fn(&CostParts) -> f64) -> Curve {
    let every = fitted.cost.len().div_ceil(MAX_POINTS).max(1);
    let last = fitted.cost.len().saturating_sub(1);
    let shown = fitted.cost.iter().enumerate().filter(|(sweep, _)| sweep % every == 0 || *sweep == last);
    Curve::new(key, label, hue).points(shown.map(|(sweep, cost)| Point::new((sweep + 1) as f64, of(cost))))
}

/// Returns the phases so far as a list in words.
fn phase_list(fitted: &FitSummary) -> String {
    let words = fitted.phases.iter().map(|(sweep, phase)| {
        let name = match phase {
            LearningPhase::Network => "network only",
            LearningPhase::Sources => "with sources",
            LearningPhase::All => "with hyperparameters",
            LearningPhase::Rotated => "after rotation by FastICA",
            LearningPhase::Mixtures => "with mixtures",
        };
        format!("{name} from sweep {}", sweep + 1)
    });
    let words: Vec<String> = words.collect();
    if words.is_empty() { String::new() } else { format!(": {}", words.join(", ")) }
}

/// Returns the cost of each source, in bits per sample.
pub fn source_costs(fitted: &FitSummary) -> Figure {
    let bits: Vec<f64> = fitted.per_source.iter().map(|nats| nats / std::f64::consts::LN_2).collect();
    let bars = bits.iter().enumerate().map(|(i, bits)| Bar::new((i + 1) as f64, *bits));
    Figure::new("source-bits", "Bits of each source")
        .x(Axis::linear("source", (0.4, bits.len().max(1) as f64 + 0.6)))
        .y(Axis::linear("bits per sample", (0.0, range(bits.iter().copied().chain([0.0])).1)))
        .mark(Bars::new("bits", "", Hue::Blue, 0.7, bars))
        .saying(format!(
            "Description length of each source in bits per sample: the Kullback–Leibler divergence of its posterior from its prior. It is \
             0 for an unused source. {}",
            listed(&bits, "bits per sample")
        ))
}

/// Returns the cost of the weights of each hidden unit, in bits.
pub fn hidden_units(fitted: &FitSummary) -> Figure {
    let bits: Vec<f64> = fitted.per_hidden.iter().map(|nats| nats / std::f64::consts::LN_2).collect();
    let bars = bits.iter().enumerate().map(|(j, bits)| Bar::new((j + 1) as f64, *bits));
    Figure::new("hidden-bits", "Bits of each hidden unit")
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

/// Returns the axis of channels, with their names.
pub fn channel_axis(names: &[String]) -> Axis {
    Axis::categories("channel", names.to_vec())
}

/// Returns the estimated noise of each channel, and the true noise if it is known.
pub fn noise(fitted: &FitSummary, names: &[String], truth: Option<f64>) -> Figure {
    let points = fitted.noise.iter().enumerate().map(|(k, sd)| Point::new((k + 1) as f64, *sd));
    let ends = channel_axis(names).range;
    let line = truth.map(|sd| {
        Curve::new("truth", "true noise", Hue::Ink)
            .stroke(Stroke::Dashed)
            .points([Point::new(ends.0, sd), Point::new(ends.1, sd)])
    });
    let figure = Figure::new("noise", "Noise of each channel")
        .x(channel_axis(names))
        .y(noise_axis(fitted.noise.iter().copied().chain(truth)))
        .marks(line)
        .mark(Curve::new("noise", "estimated noise", Hue::Vermilion).marker(Marker::Disc).points(points));
    let true_value =
        truth.map_or(String::new(), |sd| format!(" The true value is {sd:.3}; it is not given to the fit."));
    figure.saying(format!(
        "Estimated noise standard deviation of each channel; mean {:.4}.{true_value} Until sweep 100 it is fixed at 0.3 \
         times the scale of the data.",
        fitted.mean_noise()
    ))
}

/// Ratio of the largest to the smallest noise above which the axis is logarithmic; on a linear axis, one channel would dwarf the rest.
const MAX_LINEAR_RATIO: f64 = 30.0;

/// Returns the axis of the channel noise, which may differ by orders of magnitude between channels.
fn noise_axis(noise: impl Iterator<Item = f64> + Clone) -> Axis {
    const LABEL: &str = "noise standard deviation";
    let positive = noise.clone().filter(|sd| *sd > 0.0 && sd.is_finite());
    let (smallest, largest) = positive.fold((f64::INFINITY, 0.0_f64), |(a, b), sd| (a.min(sd), b.max(sd)));
    if largest > MAX_LINEAR_RATIO * smallest {
        Axis::log(LABEL, (smallest / 1.5, largest * 1.5))
    } else {
        Axis::linear(LABEL, (0.0, range(noise.chain([0.0])).1))
    }
}

/// Returns a sentence that lists the values.
fn listed(values: &[f64], unit: &str) -> String {
    let words: Vec<String> = values.iter().map(|value| format!("{value:.2}")).collect();
    if words.is_empty() { String::new() } else { format!("Values: {} {unit}.", words.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Scale;

    #[test]
    fn noise_of_very_different_channels_is_on_a_logarithmic_axis() {
        let axis = |noise: &[f64]| noise_axis(noise.iter().copied());
        let wide = axis(&[0.1, 0.4, 145.0]);
        assert!(wide.scale == Scale::Log && wide.range.0 < 0.1 && wide.range.1 > 145.0, "{wide:?}");
        let narrow = axis(&[0.1, 0.4, 2.0]);
        assert!(narrow.scale == Scale::Linear && narrow.range.0 == 0.0 && narrow.range.1 > 2.0, "{narrow:?}");
        assert_eq!(axis(&[]).scale, Scale::Linear);
    }
}
