//! The cloud with the fitted curve, sources against the true sources, and the cost.

use super::{CLOUD_POINTS, Compare, LearnSnapshot, LearnSpec, Row};
use crate::figure::{
    Axis, Cloud, CrossSection, Curve, Dot, Figure, Hue, Marker, Point, Points, Stroke, Tube,
};
use crate::math::stats::sorted;
use crate::models::nfa::fit::{CurvePoint, Fitted};
use crate::models::nfa::pictures::{cost, hidden_units, noise, range, source_costs};
use crate::models::nfa::problems::{Problem, helix_at};
use crate::models::nfa::solver::learning::Updates;

/// Points of a panel at most: more hide each other.
const MOST_POINTS: usize = 1_000;
/// Every so many points of the learnt curve is a section of its tube.
const TUBE_EVERY: usize = 2;
/// Panels of single sources at most.
const MOST_PANELS: usize = 8;
/// Points of the true curve.
const TRUE_CURVE: usize = 161;

/// All figures, the cloud or the sources first.
pub fn figures(spec: &LearnSpec, snapshot: &LearnSnapshot) -> Vec<Figure> {
    let problem = spec.problem();
    let shown = snapshot.shown(spec);
    let none = Fitted::default();
    let fitted = shown.map_or(&none, |row| &row.fitted);
    let mut figures = vec![cloud(spec, &problem, shown)];
    if spec.data.true_sources() > 1 || spec.sources > 1 {
        figures.extend(panels(&problem, shown));
    } else {
        figures.push(order(&problem, shown));
    }
    let others = snapshot.rows.iter().filter(|row| shown.is_none_or(|shown| shown.unit != row.unit));
    figures.push(cost(fitted, others.map(|row| (name(spec, row), &row.fitted))));
    if spec.hmc > 0 {
        figures.push(error_bars(spec, snapshot));
    }
    if spec.compare == Compare::Sources {
        figures.push(numbers_of_sources(spec, snapshot));
    }
    figures.push(source_costs(fitted));
    figures.push(hidden_units(fitted));
    let channels: Vec<String> = (1..=spec.data.channels()).map(|k| format!("x{k}")).collect();
    figures.push(noise(fitted, &channels, Some(problem.noise)));
    figures
}

/// What tells a unit from others.
fn name(spec: &LearnSpec, row: &Row) -> String {
    let (variant, restart) = spec.unit(row.unit);
    let what = match spec.compare {
        Compare::Nothing => return format!("restart {}", restart + 1),
        Compare::Sources => format!("{} sources", variant.sources),
        Compare::Updates if variant.updates == Updates::Block => "block updates".to_owned(),
        Compare::Updates => "updates of the papers".to_owned(),
    };
    if spec.restarts == 1 { what } else { format!("{what}, restart {}", restart + 1) }
}

/// The first three channels, with the learnt curve or the learnt places.
fn cloud(spec: &LearnSpec, problem: &Problem, shown: Option<&Row>) -> Figure {
    let rows = super::run::with_holes(spec, problem);
    let measured: Vec<[f64; 3]> =
        rows.iter().map(|row| [row[0], row[1], row[2]]).take(CLOUD_POINTS).collect();
    let axis = |k: usize, name: &str| Axis::linear(name, range(problem.rows.iter().map(|row| row[k])));
    let title =
        if spec.sources == 1 { "Measurements and fitted curve" } else { "Measurements and fitted values" };
    let mut figure = Figure::new("cloud", title)
        .x(axis(0, "channel 1, x₁"))
        .y(axis(1, "channel 2, x₂"))
        .z(axis(2, "channel 3, x₃"))
        .mark(Cloud::new("data", "measurements", Hue::Sky).marker(Marker::Disc).points(measured));
    if spec.data.true_sources() == 1 {
        let s = |i: usize| -3.2 + 6.4 * i as f64 / (TRUE_CURVE - 1) as f64;
        let truth = (0..TRUE_CURVE).map(|i| helix_at(s(i)));
        figure = figure
            .mark(Cloud::new("truth", "true curve", Hue::Ink).stroke(Stroke::Dotted).points(truth).hidden());
    }
    let Some(row) = shown else { return figure.saying("Measurements; no fit yet.") };
    let fitted = &row.fitted;
    if let [_, .., _] = fitted.curve.as_slice() {
        let place = |p: &CurvePoint| [p.mean[0], p.mean[1], p.mean[2]];
        let sections = (0..fitted.curve.len()).step_by(TUBE_EVERY).map(|i| {
            let (before, after) =
                (&fitted.curve[i.saturating_sub(1)], &fitted.curve[(i + 1).min(fitted.curve.len() - 1)]);
            let (a, b) = (place(before), place(after));
            let here = &fitted.curve[i];
            let spread: f64 = here.sd.iter().map(|sd| sd * sd).sum::<f64>() / here.sd.len() as f64;
            CrossSection {
                centre: place(here),
                along: [b[0] - a[0], b[1] - a[1], b[2] - a[2]],
                radius: spread.sqrt(),
            }
        });
        figure = figure
            .mark(Tube::new("tube", "one standard deviation of a new measurement", Hue::Orange, sections))
            .mark(
                Cloud::new("curve", "fitted curve", Hue::Vermilion)
                    .stroke(Stroke::Solid)
                    .points(fitted.curve.iter().map(place)),
            );
        if let Some(end) = fitted.curve.last() {
            figure = figure.note_in_space(place(end), "learned from the points alone");
        }
    }
    if !row.places.is_empty() {
        let places = row.places.iter().map(|place| place.map(f64::from));
        let mark = Cloud::new("fitted", "fitted values", Hue::Vermilion).marker(Marker::Disc).points(places);
        figure = figure.mark(mark);
    }
    figure.caption(cloud_caption(spec, row)).found(finding(problem, fitted))
}

/// Noise and unused units, in a sentence.
fn finding(problem: &Problem, fitted: &Fitted) -> String {
    if !fitted.done {
        return format!(
            "After {} sweeps the estimated noise standard deviation is {:.3}.",
            fitted.cost.len(),
            fitted.mean_noise()
        );
    }
    let unused = match fitted.unused() {
        0 => "all hidden units are used".to_owned(),
        1 => "one hidden unit is not used".to_owned(),
        some => format!("{some} of {} hidden units are not used", fitted.per_hidden.len()),
    };
    format!(
        "The estimated noise standard deviation is {:.3} (true value {:.3}); {unused}.",
        fitted.mean_noise(),
        problem.noise
    )
}

fn cloud_caption(spec: &LearnSpec, row: &Row) -> String {
    if row.fitted.curve.is_empty() {
        let scores = row.scores.as_ref().map_or(String::new(), |scores| {
            format!(
                " Reconstruction of the noise-free values: {:.1} dB by the network, {:.1} dB by {} principal components.",
                scores.observation_nfa, scores.observation_pca, row.fitted.sources
            )
        });
        let channels = match spec.data.channels() {
            3 => String::new(),
            all => format!(" in the first three of {all} channels"),
        };
        return format!(
            "Measurements{channels}, and fitted values: the posterior mean of the network output for each sample.{scores}{}",
            left_out(spec)
        );
    }
    "Points: measurements. Line: posterior mean of the network output as a function of the source. Radius of the tube: standard \
         deviation of a new measurement, from the noise and the weight uncertainty, averaged over the channels. The factorial posterior \
         treats the weights as independent, so the contribution of the weights is underestimated."
        .to_owned()
        + &left_out(spec)
}

/// How many of the points are drawn, in a sentence, where it is not all of them.
fn left_out(spec: &LearnSpec) -> String {
    if spec.samples <= CLOUD_POINTS {
        return String::new();
    }
    format!(" The first {CLOUD_POINTS} of {} samples are drawn; all are fitted.", spec.samples)
}

/// Standard deviations of the sources by the chains against those of the fit.
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
    let caution = if sampled.mixed() { "" } else { " The chains have not mixed." };
    figure
        .mark(Curve::new("diagonal", "equal", Hue::Ink).stroke(Stroke::Dotted).points([
            Point::new(both.0, both.0),
            Point::new(both.1, both.1),
        ]))
        .mark(Points::new("sds", "sources", Hue::Blue, Marker::Disc, dots))
        .caption(format!(
            "Posterior standard deviation of every source of every sample: of the factorial posterior, and of {} Monte Carlo draws \
             of sources and weights together, with the noise and the prior scales as estimated.{}",
            sampled.count,
            sampled.describe()
        ))
        .found(format!(
            "The error bars of the factorial posterior are {than} than those of Monte Carlo: the median ratio is {ratio:.2}.{caution}"
        ))
}

/// The median of the first numbers over the second.
pub fn median_ratio(pairs: &[(f64, f64)]) -> Option<f64> {
    let ratios: Vec<f64> = pairs.iter().map(|(a, b)| a / b).filter(|r| r.is_finite()).collect();
    sorted(&ratios).get(ratios.len() / 2).copied()
}

/// Of one source: the estimate against the true source.
fn order(problem: &Problem, shown: Option<&Row>) -> Figure {
    let found: Vec<f64> =
        shown.map_or(Vec::new(), |row| row.fitted.means.iter().map(|s| f64::from(*s)).collect());
    let sds: Vec<f64> =
        shown.map_or(Vec::new(), |row| row.fitted.sds.iter().map(|s| f64::from(*s)).collect());
    let known: Vec<f64> = problem.sources.iter().map(|s| s[0]).collect();
    let points = known.iter().zip(&found).zip(&sds).map(|((x, y), sd)| Point::new(*x, *y).with_se(*sd));
    let figure = Figure::new("order", "Estimated against true source")
        .x(Axis::linear("true source, s", range(known.iter().copied())))
        .y(Axis::linear("posterior mean, s̄", range(found.iter().copied())))
        .mark(Curve::new("source", "", Hue::Blue).marker(Marker::Disc).points(points))
        .with_records();
    if found.len() < known.len() {
        return figure.saying("No fit yet.");
    }
    let rho = crate::models::nfa::solver::score::rank_correlation(&known, &found);
    figure
        .caption(format!(
            "Posterior mean of the source against the true source. Error bars: posterior standard deviations. The source is identified \
             only up to its sign and a monotonic transformation, so the rank correlation is reported: {rho:.4}. The posterior treats \
             sources and weights as independent, so the error bars are too short."
        ))
        .summary(format!("Rank correlation of the estimated source with the true source: {rho:.4}."))
}

/// A panel for each known source.
fn panels(problem: &Problem, shown: Option<&Row>) -> Vec<Figure> {
    let known = problem.sources.first().map_or(0, Vec::len);
    (0..known.min(MOST_PANELS)).map(|i| panel(problem, shown, i)).collect()
}

fn panel(problem: &Problem, shown: Option<&Row>, i: usize) -> Figure {
    let reach = (-4.0, 4.0);
    let figure = Figure::new(format!("source-{}", i + 1), format!("Source {}", i + 1))
        .x(Axis::linear("true source", reach))
        .y(Axis::linear("estimated source, standardised", reach))
        .equal()
        .with_records();
    let scored = shown.and_then(|row| Some((row, row.scores.as_ref()?)));
    let Some((row, scores)) = scored else {
        return figure.saying("The sources are matched with the true sources at the end of the fit.");
    };
    let score = scores.last();
    let Some(j) = score.partner[i] else {
        return figure.saying(
            "No estimated source is matched with this one: the fit has fewer sources than the data.",
        );
    };
    let n = row.fitted.sources.max(1);
    let found: Vec<f64> = scores.read_out.iter().skip(j).step_by(n).map(|s| f64::from(*s)).collect();
    let mean = found.iter().sum::<f64>() / found.len() as f64;
    let sd = (found.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / found.len() as f64).sqrt();
    let sign = if score.correlation[i] < 0.0 { -1.0 } else { 1.0 };
    let dots = problem
        .sources
        .iter()
        .zip(&found)
        .take(MOST_POINTS)
        .map(|(s, found)| Dot::new(Point::new(s[i], sign * (found - mean) / sd), "").size(0.5));
    let diagonal = [Point::new(reach.0, reach.0), Point::new(reach.1, reach.1)];
    figure
        .mark(Curve::new("diagonal", "", Hue::Ink).stroke(Stroke::Dotted).points(diagonal))
        .mark(Points::new("found", "", Hue::Blue, Marker::Disc, dots))
        .caption(format!(
            "Source {}: signal-to-noise ratio {:.1} dB (linear ICA: {:.1} dB). Sign and scale are not identifiable.",
            i + 1,
            score.each[i],
            scores.linear_ica.each[i]
        ))
        .summary(format!("Source {} is estimated with a signal-to-noise ratio of {:.1} dB.", i + 1, score.each[i]))
}

/// The lowest cost of each number of sources.
fn numbers_of_sources(spec: &LearnSpec, snapshot: &LearnSnapshot) -> Figure {
    let most = spec.variants().len();
    let done: Vec<(usize, f64)> = (1..=most)
        .filter_map(|n| {
            let rows = snapshot.rows.iter().filter(|row| row.fitted.done && row.fitted.sources == n);
            let best = rows.map(|row| row.fitted.final_cost()).fold(f64::INFINITY, f64::min);
            best.is_finite().then_some((n, best))
        })
        .collect();
    let figure = Figure::new("sources", "Cost by number of sources")
        .x(Axis::linear("number of sources, n", (0.5, most as f64 + 0.5)))
        .y(Axis::linear("cost, nats", range(done.iter().map(|(_, cost)| *cost))));
    let points = done.iter().map(|(n, cost)| Point::new(*n as f64, *cost));
    let figure = figure
        .mark(Curve::new("cost", "", Hue::Blue).stroke(Stroke::Solid).marker(Marker::Disc).points(points));
    match done.iter().min_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((best, _)) if done.len() == most => figure
            .caption(format!(
                "The cost is lowest with {best} sources; the true number is {}. The cost is an upper bound on the negative log \
                 evidence, up to the error of the moments, and so it penalises every source.",
                spec.data.true_sources()
            ))
            .summary(format!("The cost is lowest with {best} sources.")),
        _ => figure.saying("Cost by number of sources, for the finished fits."),
    }
}
