//! The sources that a fit has found: colours of the points, and figures of estimated against true sources.

use super::{LearnSpec, VariantFit};
use crate::figure::{Axis, Curve, Dot, Figure, Hue, Marker, Point, Points, Shades, Stroke, minus, percent};
use crate::math::stats::sorted;
use crate::models::nfa::shared_figures::range;
use crate::models::nfa::simulated::SimulatedData;
use crate::models::nfa::solver::score;

/// Maximum number of points of a panel, so that they do not hide each other.
const MAX_POINTS: usize = 1_000;
/// Maximum number of panels of single sources.
const MAX_PANELS: usize = 8;
/// Rank correlation from which a single source counts as found.
const FOUND: f64 = 0.9;
/// Fraction of the values beyond either end of the colour scale.
const BEYOND: f64 = 0.02;

/// An estimated source that the colours of points show.
pub struct FoundSource {
    /// Name for captions: `estimated source`.
    pub label: String,
    /// Estimate of each sample, T.
    estimate: Vec<f64>,
    /// Values of the darkest and the lightest colour.
    range: (f32, f32),
}

impl FoundSource {
    /// Returns the single source once it is estimated, or the chosen one of several once they are matched with the true ones.
    pub fn of(spec: &LearnSpec, shown: Option<&VariantFit>) -> Option<Self> {
        let row = shown?;
        let (estimate, label) = if spec.data.true_sources() == 1 && row.fitted.sources == 1 {
            let means = row.fitted.means.iter().map(|s| f64::from(*s)).collect();
            (estimates_sources(row).then_some(means)?, "estimated source".to_owned())
        } else {
            let chosen = spec.coloured_source();
            (matched(row, chosen)?, format!("estimate of source {}", chosen + 1))
        };
        let ordered = sorted(&estimate);
        let margin = (BEYOND * estimate.len() as f64) as usize;
        let range = (*ordered.get(margin)? as f32, *ordered.iter().rev().nth(margin)? as f32);
        Some(Self { label, estimate, range })
    }

    /// Returns the colours of these samples.
    fn shades(&self, samples: impl Iterator<Item = usize>) -> Shades {
        let values = samples.map(|sample| self.estimate.get(sample).map_or(f32::NAN, |s| *s as f32));
        Shades::new(self.label.clone(), self.range, values)
    }
}

/// Returns the colours of these samples: grey before a source is found.
pub fn colours(found: Option<&FoundSource>, samples: impl Iterator<Item = usize>) -> Shades {
    found.map_or_else(|| Shades::new("", (0.0, 1.0), []), |found| found.shades(samples))
}

/// Returns true once the fit estimates the sources. The first sweeps adapt the network only.
fn estimates_sources(row: &VariantFit) -> bool {
    row.fitted.phases.len() > 1
}

/// Returns the standardised estimate that is matched with true source `i`, with the sign of that; `None` before the end of the fit
/// and without a match.
fn matched(row: &VariantFit, i: usize) -> Option<Vec<f64>> {
    let scores = row.scores.as_ref()?;
    let score = scores.final_score();
    let partner = score.partner.get(i).copied().flatten()?;
    let n = row.fitted.sources.max(1);
    let estimate: Vec<f64> =
        scores.final_estimate.iter().skip(partner).step_by(n).map(|s| f64::from(*s)).collect();
    let mean = estimate.iter().sum::<f64>() / estimate.len() as f64;
    let sd = (estimate.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / estimate.len() as f64).sqrt();
    let sign = if score.correlation[i] < 0.0 { -1.0 } else { 1.0 };
    Some(estimate.into_iter().map(|estimate| sign * (estimate - mean) / sd).collect())
}

/// Returns the rank correlation of the estimated with the true source; `None` unless there is one of each.
pub fn rank_correlation(spec: &LearnSpec, data: &SimulatedData, row: &VariantFit) -> Option<f64> {
    if spec.data.true_sources() > 1 || row.fitted.sources > 1 {
        return None;
    }
    let truth: Vec<f64> = data.sources.iter().map(|s| s[0]).collect();
    let estimate: Vec<f64> = row.fitted.means.iter().map(|s| f64::from(*s)).collect();
    (truth.len() == estimate.len()).then(|| score::rank_correlation(&truth, &estimate).abs())
}

/// Returns a sentence on how well the sources were found; `None` without scores.
pub fn found_sources(spec: &LearnSpec, data: &SimulatedData, row: &VariantFit) -> Option<String> {
    let circumstances = if spec.missing > 0.0 {
        format!("With {} of the values missing, the", percent(spec.missing).replace(' ', "\u{a0}"))
    } else {
        "The".to_owned()
    };
    if let Some(rho) = rank_correlation(spec, data, row) {
        let how = if rho >= FOUND { "recovers their order" } else { "recovers their order only in part" };
        let rho = if (0.9995..1.0).contains(&rho) { "> 0.999".to_owned() } else { format!("{rho:.3}") };
        return Some(format!(
            "One hidden number places each point. {circumstances} network {how} (rank correlation {rho})."
        ));
    }
    let scores = row.scores.as_ref()?;
    let (network, linear) = (scores.final_score().db, scores.linear_ica.db);
    let (hidden, them) = match spec.data.true_sources() {
        1 => ("One hidden source moves each point".to_owned(), "it"),
        several => (format!("{several} hidden sources move each point"), "them"),
    };
    // The ratio of signal to error, from decibels.
    let error = |decibels: f64| percent(libm::pow(10.0, -0.1 * decibels)).replace(' ', "\u{a0}");
    Some(format!(
        "{hidden}. {circumstances} network recovers {them} with an error of {} of the variance; a linear method (ICA): {}.",
        error(network),
        error(linear)
    ))
}

/// Returns the estimated against the true source, for a single source.
pub fn order(data: &SimulatedData, shown: Option<&VariantFit>, found: Option<&FoundSource>) -> Figure {
    let numbers = |of: fn(&VariantFit) -> &Vec<f32>| -> Vec<f64> {
        shown.map_or(Vec::new(), |row| of(row).iter().map(|s| f64::from(*s)).collect())
    };
    let (estimate, sds) = (numbers(|row| &row.fitted.means), numbers(|row| &row.fitted.sds));
    let truth: Vec<f64> = data.sources.iter().map(|s| s[0]).collect();
    let points = truth.iter().zip(&estimate).zip(&sds).map(|((x, y), sd)| Point::new(*x, *y).with_se(*sd));
    let dots = points.map(|point| Dot::new(point, "").size(0.7));
    let shades = Some(colours(found, 0..truth.len()));
    let figure = Figure::new("order", "Estimated against true source")
        .x(Axis::linear("true source, s", range(truth.iter().copied())))
        .y(Axis::linear("posterior mean, s̄", range(estimate.iter().copied())))
        .mark(Points::new("source", "", Hue::Blue, Marker::Disc, dots).shaded(shades))
        .with_records();
    if estimate.len() < truth.len() {
        return figure.saying("No fit yet.");
    }
    let rho = score::rank_correlation(&truth, &estimate);
    figure
        .marks(matching_line(&truth, &estimate))
        .caption(format!(
            "Posterior mean of the source against the true source, in the colours of the points. Dotted: equality, after \
             matching sign, mean and standard deviation. The source is identified only up to its sign and a monotonic transformation: a smooth \
             bend is not an error; scatter is. The rank correlation is {rho:.4}. Error bars: posterior standard deviations, \
             which are too short, because the posterior treats sources and weights as independent."
        ))
        .finding_and_summary(order_finding(rho))
        .summary(format!("Rank correlation of the estimated source with the true source: {rho:.4}."))
}

/// Returns a sentence on the rank correlation of the estimate with the true source.
fn order_finding(rho: f64) -> String {
    if rho.abs() < FOUND {
        return format!(
            "Rank correlation of the estimate with the true source: {}.",
            minus(format_args!("{rho:.3}"))
        );
    }
    "The order is recovered; the source is known only up to a smooth bend.".to_owned()
}

/// Returns the line on which an estimate with the sign, the mean and the standard deviation of this one would equal the true source;
/// `None` if either is constant.
fn matching_line(truth: &[f64], estimate: &[f64]) -> Option<Curve> {
    let moments = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        (mean, values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>().sqrt())
    };
    let ((x, across), (y, up)) = (moments(truth), moments(estimate));
    let products = truth.iter().zip(estimate).map(|(s, estimate)| (s - x) * (estimate - y));
    let sign = products.sum::<f64>().signum();
    let (low, high) = range(truth.iter().copied());
    let at = |s: f64| Point::new(s, y + sign * up / across * (s - x));
    (across > 0.0 && up > 0.0).then(|| {
        let label = "equality, scale matched";
        Curve::new("diagonal", label, Hue::Ink).stroke(Stroke::Dotted).points([at(low), at(high)])
    })
}

/// Returns a panel for each true source, that of the colours first.
pub fn panels(
    spec: &LearnSpec,
    data: &SimulatedData,
    shown: Option<&VariantFit>,
    found: Option<&FoundSource>,
) -> Vec<Figure> {
    let coloured = spec.coloured_source();
    let truth = data.sources.first().map_or(0, Vec::len).min(MAX_PANELS);
    let others = (0..truth).filter(|i| *i != coloured);
    std::iter::once(coloured).chain(others).map(|i| panel(data, shown, found, i)).collect()
}

/// Returns the estimated source matched with true source i, against it.
fn panel(data: &SimulatedData, shown: Option<&VariantFit>, found: Option<&FoundSource>, i: usize) -> Figure {
    let range = (-4.0, 4.0);
    let figure = Figure::new(format!("source-{}", i + 1), format!("Source {}", i + 1))
        .x(Axis::linear("true source", range))
        .y(Axis::linear("estimated source, standardised", range))
        .equal()
        .with_records();
    let scored = shown.and_then(|row| Some((row, row.scores.as_ref()?)));
    let Some((row, scores)) = scored else {
        return figure.saying("The sources are matched with the true sources at the end of the fit.");
    };
    let Some(estimate) = matched(row, i) else {
        return figure.saying(
            "No estimated source is matched with this one: the fit has fewer sources than the data.",
        );
    };
    let score = scores.final_score();
    let drawn = data.sources.iter().zip(&estimate).enumerate().take(MAX_POINTS);
    let (samples, dots): (Vec<usize>, Vec<Dot>) = drawn
        .map(|(sample, (s, estimate))| (sample, Dot::new(Point::new(s[i], *estimate), "").size(0.5)))
        .filter(|(_, dot)| dot.point.y.is_finite())
        .unzip();
    let diagonal = [Point::new(range.0, range.0), Point::new(range.1, range.1)];
    let named = found.map_or(String::new(), |found| format!(" Colours: {}.", found.label));
    figure
        .mark(Curve::new("diagonal", "", Hue::Ink).stroke(Stroke::Dotted).points(diagonal))
        .mark(
            Points::new("found", "", Hue::Blue, Marker::Disc, dots)
                .shaded(Some(colours(found, samples.into_iter()))),
        )
        .caption(format!(
            "Source {}: signal-to-noise ratio {:.1} dB (linear ICA: {:.1} dB). Sign and scale are not identifiable.{named}",
            i + 1,
            score.each[i],
            scores.linear_ica.each[i]
        ))
        .summary(format!("Source {} is estimated with a signal-to-noise ratio of {:.1} dB.", i + 1, score.each[i]))
}
