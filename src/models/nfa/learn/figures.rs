//! Figures of the task `nfa`: the data with the fitted curve, estimated against true sources, and the cost.

use super::recovery::{FoundSource, colours, found_sources, order, panels};
use super::stages::stages;
use super::{CLOUD_POINTS, ComparedFits, LearnSnapshot, LearnSpec, VariantFit};
use crate::data::thousands;
use crate::figure::{
    Axis, Cloud, CrossSection, Curve, Dot, Figure, Hue, Marker, Point, Points, Stroke, Tube,
};
use crate::math::stats::sorted;
use crate::models::nfa::fit::{CurvePoint, FitSummary};
use crate::models::nfa::shared_figures::{cost, hidden_units, noise, range, source_costs};
use crate::models::nfa::simulated::{SimulatedData, helix_at};
use crate::models::nfa::solver::learning::UpdateRule;

/// Number of points of the fitted curve per section of its tube.
const TUBE_EVERY: usize = 2;
/// Ratio of the estimated to the true noise of a channel above which a fit has failed.
const FAILED: f64 = 1.5;
/// Number of points of the true curve.
const TRUE_CURVE: usize = 161;

/// Returns all figures, the cloud first.
pub fn figures(spec: &LearnSpec, snapshot: &LearnSnapshot) -> Vec<Figure> {
    let data = spec.simulate();
    let shown = snapshot.shown(spec);
    let none = FitSummary::default();
    let fitted = shown.map_or(&none, |row| &row.fitted);
    let found = FoundSource::of(spec, shown);
    let mut figures = vec![cloud(spec, &data, shown, found.as_ref())];
    if spec.data.true_sources() > 1 || spec.sources > 1 {
        figures.extend(panels(spec, &data, shown, found.as_ref()));
        figures.push(stages(shown));
    } else {
        figures.push(order(&data, shown, found.as_ref()));
    }
    let others = snapshot.rows.iter().filter(|row| shown.is_none_or(|shown| shown.unit != row.unit));
    figures.push(cost(fitted, others.map(|row| (label(spec, row), &row.fitted))));
    if spec.hmc > 0 {
        figures.push(error_bars(spec, snapshot));
    }
    if spec.compare == ComparedFits::Sources {
        figures.push(numbers_of_sources(spec, snapshot));
    }
    figures.push(source_costs(fitted));
    figures.push(hidden_units(fitted));
    let channels: Vec<String> = (1..=spec.data.channels()).map(|k| format!("x{k}")).collect();
    figures.push(noise(fitted, &channels, Some(data.noise)));
    figures
}

/// Returns the label of a unit in the figure of the cost.
fn label(spec: &LearnSpec, row: &VariantFit) -> String {
    let (fit, restart) = spec.unit(row.unit);
    let variant = match spec.compare {
        ComparedFits::Nothing => return format!("restart {}", restart + 1),
        ComparedFits::Sources => format!("{} sources", fit.sources),
        ComparedFits::Updates if fit.updates == UpdateRule::Block => "block updates".to_owned(),
        ComparedFits::Updates => "updates of the papers".to_owned(),
    };
    if spec.restarts == 1 { variant } else { format!("{variant}, restart {}", restart + 1) }
}

/// Returns the measurements in the first three channels, with the fitted curve or the fitted values. At first, the
/// measurements stand alone.
fn cloud(
    spec: &LearnSpec,
    data: &SimulatedData,
    shown: Option<&VariantFit>,
    found: Option<&FoundSource>,
) -> Figure {
    let rows = spec.measurements(data);
    let drawn = rows.iter().map(|row| [row[0], row[1], row[2]]).take(CLOUD_POINTS).enumerate();
    let drawn: Vec<(usize, [f64; 3])> =
        drawn.filter(|(_, point)| point.iter().all(|x| x.is_finite())).collect();
    let shades = Some(colours(found, drawn.iter().map(|(sample, _)| *sample)));
    let measured = Cloud::new("data", "points (colour: source)", Hue::Sky).marker(Marker::Disc);
    let measured = measured.points(drawn.into_iter().map(|(_, point)| point)).shaded(shades);
    let axis = |k: usize, name: &str| Axis::linear(name, range(data.rows.iter().map(|row| row[k])));
    let title = if spec.sources == 1 { "Measurements and fitted curve" } else { "Measurements" };
    let mut figure = Figure::new("cloud", title)
        .x(axis(0, "channel 1, x₁"))
        .y(axis(1, "channel 2, x₂"))
        .z(axis(2, "channel 3, x₃"))
        .mark(measured);
    if spec.data.true_sources() == 1 {
        let s = |i: usize| -3.2 + 6.4 * i as f64 / (TRUE_CURVE - 1) as f64;
        let truth = (0..TRUE_CURVE).map(|i| helix_at(s(i)));
        figure = figure
            .mark(Cloud::new("truth", "true curve", Hue::Ink).stroke(Stroke::Dotted).points(truth).hidden());
    }
    let Some(row) = shown else { return figure.saying("Measurements; no fit yet.") };
    let fitted = &row.fitted;
    if let ([_, .., _], true) = (fitted.curve.as_slice(), fitted.cost.len() > 1) {
        let centre = |p: &CurvePoint| [p.mean[0], p.mean[1], p.mean[2]];
        let sections = (0..fitted.curve.len()).step_by(TUBE_EVERY).map(|i| {
            let (before, after) =
                (&fitted.curve[i.saturating_sub(1)], &fitted.curve[(i + 1).min(fitted.curve.len() - 1)]);
            let (a, b) = (centre(before), centre(after));
            let here = &fitted.curve[i];
            let spread: f64 = here.sd.iter().map(|sd| sd * sd).sum::<f64>() / here.sd.len() as f64;
            CrossSection {
                centre: centre(here),
                along: [b[0] - a[0], b[1] - a[1], b[2] - a[2]],
                radius: spread.sqrt(),
            }
        });
        figure = figure.mark(Tube::new("tube", "1 sd of a new measurement", Hue::Ink, sections)).mark(
            Cloud::new("curve", "fitted curve", Hue::Ink)
                .stroke(Stroke::Solid)
                .points(fitted.curve.iter().map(centre)),
        );
    }
    if !row.fitted_values.is_empty() {
        let values = row.fitted_values.iter().map(|value| value.map(f64::from));
        let mark = Cloud::new("fitted", "fitted values", Hue::Vermilion).marker(Marker::Disc).points(values);
        figure = figure.mark(mark.hidden());
    }
    figure.caption(cloud_caption(spec, data, row, found)).finding_and_summary(finding(spec, data, row))
}

/// Returns a sentence on the sources that were found, or on the failure of the fit.
fn finding(spec: &LearnSpec, data: &SimulatedData, row: &VariantFit) -> String {
    let fitted = &row.fitted;
    if !fitted.done {
        return format!(
            "After {} sweeps the estimated noise standard deviation is {:.3}.",
            fitted.cost.len(),
            fitted.mean_noise()
        );
    }
    let channels = fitted.noise.iter().enumerate();
    let noisiest = channels.max_by(|a, b| a.1.total_cmp(b.1)).filter(|(_, sd)| **sd > FAILED * data.noise);
    if let Some((channel, sd)) = noisiest {
        return format!(
            "The fit fails: it attributes part of the signal to noise. In channel {} the estimated noise standard deviation is {sd:.3}, \
             {:.1} times the true value ({:.3}).",
            channel + 1,
            sd / data.noise,
            data.noise
        );
    }
    found_sources(spec, data, row).unwrap_or_else(|| noise_words(data, fitted))
}

/// Returns a sentence on the noise and on unused units.
fn noise_words(data: &SimulatedData, fitted: &FitSummary) -> String {
    let unused = match fitted.unused() {
        0 => "all hidden units are used".to_owned(),
        1 => "one hidden unit is not used".to_owned(),
        some => format!("{some} of {} hidden units are not used", fitted.per_hidden.len()),
    };
    format!(
        "The estimated noise standard deviation is {:.3} (true value {:.3}); {unused}.",
        fitted.mean_noise(),
        data.noise
    )
}

/// Returns the caption of the cloud.
fn cloud_caption(
    spec: &LearnSpec,
    data: &SimulatedData,
    row: &VariantFit,
    found: Option<&FoundSource>,
) -> String {
    let channels = match spec.data.channels() {
        3 => String::new(),
        all => format!(" in the first three of {all} channels"),
    };
    let colours = found.map_or(String::new(), |found| format!(" Their colours show the {}.", found.label));
    let fit = if row.fitted.curve.is_empty() {
        let scores = row.scores.as_ref().map_or(String::new(), |scores| {
            format!(
                " Reconstruction of the noise-free values: {:.1} dB by the network, {:.1} dB by {} principal components.",
                scores.observation_nfa, scores.observation_pca, row.fitted.sources
            )
        });
        format!(
            "Fitted values (under “More curves”): the posterior mean of the network output for each sample.{scores}"
        )
    } else {
        "Line: posterior mean of the network output as a function of the source. Radius of the tube: standard deviation of a new \
         measurement, from the noise and the weight uncertainty, averaged over the channels. The factorial posterior treats the \
         weights as independent, so the contribution of the weights is underestimated."
            .to_owned()
    };
    let noise = if row.fitted.done { format!(" {}", noise_words(data, &row.fitted)) } else { String::new() };
    format!("Points: measurements{channels}.{colours} {fit}{noise}{}", drawn_samples(spec))
}

/// Returns a sentence on the number of points drawn, if not all samples are drawn.
fn drawn_samples(spec: &LearnSpec) -> String {
    if spec.samples <= CLOUD_POINTS {
        return String::new();
    }
    format!(" The first {CLOUD_POINTS} of {} samples are drawn; all are fitted.", spec.samples)
}

/// Returns the standard deviations of the sources by Monte Carlo against those of the fit.
fn error_bars(spec: &LearnSpec, snapshot: &LearnSnapshot) -> Figure {
    let pairs = snapshot.error_bars(spec);
    let both = range(pairs.iter().flat_map(|(fitted, sampled)| [*fitted, *sampled]));
    let figure = Figure::new("error-bars", "Error bars of the sources")
        .x(Axis::linear("posterior sd, variational", both))
        .y(Axis::linear("posterior sd, Monte Carlo", both))
        .equal();
    let (Some(ratio), Some(sampled)) = (median_ratio(&pairs), snapshot.sampled()) else {
        return figure.saying("The chains begin when the fit has ended.");
    };
    let dots = pairs.iter().map(|(fitted, sampled)| Dot::new(Point::new(*fitted, *sampled), "").size(0.7));
    let than = if ratio < 1.0 { "narrower" } else { "wider" };
    let caution = if sampled.has_mixed() { "" } else { " The chains have not mixed." };
    figure
        .mark(Curve::new("diagonal", "equal", Hue::Ink).stroke(Stroke::Dotted).points([
            Point::new(both.0, both.0),
            Point::new(both.1, both.1),
        ]))
        .mark(Points::new("sds", "sources", Hue::Blue, Marker::Disc, dots))
        .caption(format!(
            "Posterior standard deviation of every source of every sample: of the factorial posterior, and of {} Monte Carlo draws \
             of sources and weights together, with the noise and the prior scales as estimated.{}",
            thousands(sampled.count),
            sampled.describe()
        ))
        .finding_and_summary(format!(
            "The error bars of the factorial posterior are {than} than those of Monte Carlo: the median ratio is {ratio:.2}.{caution}"
        ))
}

/// Returns the median ratio of the first to the second numbers.
pub fn median_ratio(pairs: &[(f64, f64)]) -> Option<f64> {
    let ratios: Vec<f64> = pairs.iter().map(|(a, b)| a / b).filter(|r| r.is_finite()).collect();
    sorted(&ratios).get(ratios.len() / 2).copied()
}

/// Returns the lowest cost for each number of sources.
fn numbers_of_sources(spec: &LearnSpec, snapshot: &LearnSnapshot) -> Figure {
    let max_sources = spec.variants().len();
    let done: Vec<(usize, f64)> = (1..=max_sources)
        .filter_map(|n| {
            let rows = snapshot.rows.iter().filter(|row| row.fitted.done && row.fitted.sources == n);
            let best = rows.map(|row| row.fitted.final_cost()).fold(f64::INFINITY, f64::min);
            best.is_finite().then_some((n, best))
        })
        .collect();
    let figure = Figure::new("sources", "Cost by number of sources")
        .x(Axis::linear("number of sources, n", (0.5, max_sources as f64 + 0.5)))
        .y(Axis::linear("cost, nats", range(done.iter().map(|(_, cost)| *cost))));
    let points = done.iter().map(|(n, cost)| Point::new(*n as f64, *cost));
    let figure = figure
        .mark(Curve::new("cost", "", Hue::Blue).stroke(Stroke::Solid).marker(Marker::Disc).points(points));
    match done.iter().min_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((best, _)) if done.len() == max_sources => figure
            .caption(format!(
                "The cost is lowest with {best} sources; the true number is {}. The cost is an upper bound on the negative log \
                 evidence, up to the error of the moments, and so it penalises every source.",
                spec.data.true_sources()
            ))
            .summary(format!("The cost is lowest with {best} sources.")),
        _ => figure.saying("Cost by number of sources, for the finished fits."),
    }
}
