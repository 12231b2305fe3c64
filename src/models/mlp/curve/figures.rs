//! Figures of a regression in one dimension: predictions, estimated noise, weights and convergence.

use super::work::CHAINS;
use super::{CurveSnapshot, CurveSpec, CurveTrainingSet};
use crate::figure::{
    Axis, Bar, Bars, Colours, Curve, Figure, Grid, Handles, Hue, Marker, Point, Segments, Stroke, minus,
    misfit, rounded,
};
use crate::lab::{ChainSummary, Value};
use crate::models::mlp::fields::Approximation;
use crate::models::mlp::figures::{band, convergence, line};

/// Error of a curve at the points, relative to that of the best curve, from which it is said to miss them.
const FAR: f64 = 2.5;

/// Returns the figures that follow points as they are dragged.
pub fn live(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Vec<Figure> {
    vec![predictions(spec, snapshot), weights(spec, snapshot)]
}

/// Returns all figures.
pub fn all(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Vec<Figure> {
    vec![predictions(spec, snapshot), noise(spec, snapshot), weights(spec, snapshot), search(snapshot)]
}

fn predictions(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Figure {
    let examples = snapshot.examples(spec);
    let inputs = spec.inputs(&examples);
    let x = &inputs[..CurveSpec::DRAWN];
    let sampled = snapshot.sampled();
    let targets = examples.iter().map(|(_, t)| *t);
    let (low, high) = targets.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), t| (l.min(t), h.max(t)));
    let (low, high) = if low <= high { (low, high) } else { (-1.0, 1.0) };
    let room = 0.5 * (high - low).max(1e-3);
    let axis = Axis::linear("input, x", (x[0], x[x.len() - 1]));
    let gap = axis.widest_gap(examples.iter().map(|(x, _)| *x)).filter(|_| !snapshot.fits.is_empty());
    let mut figure = Figure::new("bands", "Fits: mean of f(x) ± 2 sd")
        .x(axis)
        .y(Axis::linear("output, f(x)", (low - room, high + room)));
    if let Some(sampled) = &sampled {
        // Chains that disagree are no reference.
        let disagree = disagree(spec, sampled);
        let label = if disagree { "Monte Carlo ± 2 sd, chains not mixed" } else { "Monte Carlo ± 2 sd" };
        let shade =
            band("hmc_band", format!("{label}, band"), Hue::Ink, x, &sampled.predicted).part_of("hmc");
        let mean = line("hmc", label, Hue::Ink, x, &sampled.predicted);
        figure = figure.mark(shade.hidden_if(disagree)).mark(mean.hidden_if(disagree));
    }
    figure = add_fits(figure, x, snapshot);
    let noise_free = x.iter().filter_map(|x| Some(Point::new(*x, spec.noise_free(*x)?)));
    let noise_free: Vec<Point> = noise_free.collect();
    let noise_free = (!noise_free.is_empty()).then(|| {
        let curve = Curve::new("rule", "noise-free function", Hue::Yellow).stroke(Stroke::Dashed);
        curve.points(noise_free).hidden()
    });
    let finding = finding(spec, snapshot, sampled.as_ref(), empty_place(x, gap));
    if gap.is_some() && !finding.is_empty() {
        figure = mark_comparison(figure, empty_place(x, gap).1, (low - room, high + room));
    }
    let points = examples.iter().map(|(x, t)| Point::new(*x, *t));
    let editable = examples.iter().map(|(x, t)| [*x, *t]).collect();
    let handles = Handles::new(CurveSpec::FIELDS.points.key, &Value::Points(editable))
        .with(CurveSpec::FIELDS.set.key, CurveTrainingSet::Own);
    figure
        .marks(noise_free)
        .mark(Curve::new("examples", "examples", Hue::Ink).marker(Marker::Disc).points(points))
        .handles(handles)
        .caption(caption(spec, snapshot, sampled.as_ref()))
        .finding_and_summary(finding)
}

/// Adds a band and a line for each fit; for MAP, which has no variance, only the line. At first one band is shown beside that of Monte
/// Carlo: several are hard to tell apart. Laplace's line is shown without its band, which is often wider than the plot.
fn add_fits(mut figure: Figure, x: &[f64], snapshot: &CurveSnapshot) -> Figure {
    for row in snapshot.best_fits() {
        let (word, reads, hue) = (row.method.word(), row.method.label(), row.method.hue());
        let (predicted, done) = (&row.details.predicted, row.ending.is_some());
        let shade = band(format!("{word}_band"), format!("{reads}: band, ± 2 sd"), hue, x, predicted);
        let shade = shade.outlined().settled_if(done);
        let (label, shade, shown) = match row.method {
            Approximation::Map => (reads.to_owned(), None, false),
            Approximation::Laplace => (format!("{reads}, mean"), Some(shade.hidden()), true),
            method => {
                let shown = method == IN_VIEW;
                let label = format!("ensemble learning ({reads}) ±\u{a0}2\u{a0}sd");
                (label, Some(shade.part_of(word).hidden_if(!shown)), shown)
            }
        };
        let mean = line(word, &label, hue, x, predicted).settled_if(done).hidden_if(!shown);
        figure = figure.marks(shade).mark(mean);
    }
    figure
}

/// Method whose band is shown at first.
const IN_VIEW: Approximation = Approximation::Full;

/// Marks the input without data at which the finding compares the bands.
fn mark_comparison(figure: Figure, at: f64, (bottom, top): (f64, f64)) -> Figure {
    let line = [(at, bottom), (at, top)];
    let line = Segments::new("compared", "bands compared here", Hue::Ink, Stroke::Dotted, [line]);
    figure
        .note((at, bottom + 0.05 * (top - bottom)), "no data: bands compared here")
        .mark(line.thin().unnamed())
}

/// Returns true if the curve of a method is shown at first.
fn shown_at_first(method: Approximation) -> bool {
    matches!(method, IN_VIEW | Approximation::Laplace)
}

/// Returns true if the chains have not mixed after all draws; before, R̂ fluctuates.
fn disagree(spec: &CurveSpec, sampled: &ChainSummary) -> bool {
    !sampled.has_mixed() && sampled.count >= CHAINS * spec.hmc
}

/// Returns the input nearest the middle of the widest interval without data, with its index; the last one if no interval is wide.
fn empty_place(x: &[f64], gap: Option<f64>) -> (usize, f64) {
    let far = |index: usize| gap.map_or(0.0, |gap| (x[index] - gap).abs());
    let nearest = (0..x.len()).rev().min_by(|a, b| far(*a).total_cmp(&far(*b))).unwrap_or(0);
    (nearest, x[nearest])
}

/// Returns a sentence on the band that is shown at first, at an input without data: its width relative to that of Monte Carlo or, without
/// such a reference, the width.
fn finding(
    spec: &CurveSpec,
    snapshot: &CurveSnapshot,
    sampled: Option<&ChainSummary>,
    (index, x): (usize, f64),
) -> String {
    let Some(row) = snapshot.best(IN_VIEW).filter(|row| row.ending.is_some()) else { return String::new() };
    let there = |predicted: &[(f64, f64)]| predicted[index].1;
    let sd = there(&row.details.predicted);
    let (agreed, disagreeing) = match sampled {
        Some(sampled) if disagree(spec, sampled) => (None, " The Monte Carlo chains have not mixed."),
        sampled => (sampled, ""),
    };
    let width = match agreed {
        None => format!("±{}", rounded(2.0 * sd)),
        Some(sampled) => too_wide(sd / there(&sampled.predicted)),
    };
    let misses = missing(spec, snapshot);
    format!(
        "{misses}The band of ensemble learning is {width} where there are no data (x = {}).{disagreeing}",
        minus(format_args!("{x:.1}"))
    )
}

/// Returns a sentence on the widths of the bands of the other methods, in the same place; empty without a reference.
fn other_bands(spec: &CurveSpec, snapshot: &CurveSnapshot, sampled: &ChainSummary) -> String {
    let examples = snapshot.examples(spec);
    let inputs = spec.inputs(&examples);
    let x = &inputs[..CurveSpec::DRAWN];
    let axis = Axis::linear("", (x[0], x[x.len() - 1]));
    let (index, at) = empty_place(x, axis.widest_gap(examples.iter().map(|(x, _)| *x)));
    let others = snapshot
        .best_fits()
        .filter(|row| row.ending.is_some() && !matches!(row.method, IN_VIEW | Approximation::Map));
    let widths: Vec<String> = others
        .map(|row| {
            let ratio = row.details.predicted[index].1 / sampled.predicted[index].1;
            format!("{} {}", row.method.label(), too_wide(ratio))
        })
        .collect();
    if widths.is_empty() || disagree(spec, sampled) {
        return String::new();
    }
    format!(" Other bands at x = {}: {}.", minus(format_args!("{at:.1}")), widths.join(", "))
}

/// Returns a sentence, followed by a blank, on the methods whose curves miss the points: with an error several times that of the best;
/// empty without any.
fn missing(spec: &CurveSpec, snapshot: &CurveSnapshot) -> String {
    let examples = snapshot.examples(spec);
    let inputs = spec.inputs(&examples);
    let typical = |predicted: &[(f64, f64)]| {
        // Inputs that are drawn are equally spaced, and closer than the curve bends.
        let step = (inputs[CurveSpec::DRAWN - 1] - inputs[0]) / (CurveSpec::DRAWN - 1) as f64;
        let error = |(x, t): &(f64, f64)| t - predicted[((x - inputs[0]) / step).round() as usize].0;
        let squares = examples.iter().map(|example| error(example).powi(2)).sum::<f64>();
        (squares / examples.len().max(1) as f64).sqrt()
    };
    let shown = snapshot.best_fits().filter(|row| shown_at_first(row.method) && row.ending.is_some());
    let errors: Vec<(&str, f64)> =
        shown.map(|row| (row.method.label(), typical(&row.details.predicted))).collect();
    let least = errors.iter().map(|(_, error)| *error).fold(f64::INFINITY, f64::min);
    let far: Vec<String> = (errors.iter().filter(|(_, error)| *error > FAR * least))
        .map(|(name, _)| format!("{name} misses the points. "))
        .collect();
    far.concat()
}

/// Describes the width of a band, given relative to the right one.
fn too_wide(ratio: f64) -> String {
    misfit(ratio, 0.05).unwrap_or_else(|| "right".to_owned())
}

fn caption(spec: &CurveSpec, snapshot: &CurveSnapshot, sampled: Option<&ChainSummary>) -> String {
    let chains = sampled.map_or(String::new(), |sampled| {
        if disagree(spec, sampled) {
            return format!("{} Its curve is under “More curves”.", sampled.describe());
        }
        let differences: Vec<String> = snapshot
            .best_fits()
            .map(|row| format!("{} {}", row.method.label(), rounded(row.details.rms_difference(sampled))))
            .collect();
        let differences = differences.join(", ");
        format!(
            "{}{} RMS difference between each mean of f and the Monte Carlo mean: {differences}.",
            sampled.describe(),
            other_bands(spec, snapshot, sampled)
        )
    });
    format!(
        "Lines: mean of f(x). Bands: two standard deviations of f, without the noise of the targets. Monte Carlo samples from \
         the exact posterior. Laplace’s band and the other methods are under “More curves”.{chains}"
    )
}

/// Returns the figure of the noise standard deviation 1/√β under each approximation.
fn noise(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Figure {
    let rows: Vec<(f64, _)> = (1..).map(f64::from).zip(snapshot.best_fits()).collect();
    let noise = rows.iter().map(|(at, row)| Bar::new(*at, 1.0 / row.beta.sqrt()));
    let truth =
        (!matches!(spec.set, CurveTrainingSet::Own | CurveTrainingSet::Table | CurveTrainingSet::Growing))
            .then(|| {
                let end = rows.len().max(1) as f64 + 0.5;
                Segments::new(
                    "true",
                    "true value",
                    Hue::Ink,
                    Stroke::Dashed,
                    [[(0.5, spec.noise), (end, spec.noise)]],
                )
            });
    let words: Vec<String> = rows
        .iter()
        .map(|(_, row)| {
            let elbo = if row.negative_elbo.is_finite() {
                format!(", −ELBO {}", rounded(row.negative_elbo))
            } else {
                String::new()
            };
            format!("{}: α {}, β {}{elbo}", row.method.label(), rounded(row.alpha), rounded(row.beta))
        })
        .collect();
    let highest = rows.iter().map(|(_, row)| 1.0 / row.beta.sqrt()).fold(0.0, f64::max);
    let highest = match spec.set {
        CurveTrainingSet::Table if highest > 0.0 => highest,
        _ => highest.max(spec.noise).max(1e-3),
    };
    Figure::new("noise", "Estimated noise")
        .x(Axis::categories("approximation", rows.iter().map(|(_, row)| row.method.label().to_owned()).collect()))
        .y(Axis::linear("noise standard deviation, 1/√β", (0.0, 1.15 * highest)))
        .caption(format!(
            "Noise standard deviation 1/√β under each approximation. {}. −ELBO is an upper bound on the negative log evidence. For Laplace \
             it is the same bound, evaluated at a Gaussian that does not minimise it.",
            words.join("; ")
        ))
        .mark(Bars::new("noise", "estimate", Hue::Blue, 0.6, noise))
        .marks(truth)
}

/// Returns the Hinton diagram of the weights in units of their standard deviation, one row per hidden unit.
fn weights(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Figure {
    let figure = Figure::new("weights", "Hinton diagram of the weights")
        .x(Axis::linear("weight", (0.0, 1.0)))
        .y(Axis::linear("hidden unit", (0.0, 1.0)));
    let Some(row) = snapshot.best(Approximation::Full).or_else(|| snapshot.best(Approximation::Diagonal))
    else {
        return figure.saying("No weights yet.");
    };
    let hidden = spec.hidden;
    let inputs = row.details.weights.len() / hidden - 1;
    let off = row.details.units_off(hidden);
    // Rows are listed from below; the first unit is on top.
    let values: Vec<f32> = row.details.unit_weights(hidden).into_iter().rev().flatten().collect();
    let largest = values.iter().fold(1.0_f32, |most, value| most.max(value.abs())).min(1e6);
    let mut names = vec!["input weight".to_owned()];
    if inputs > 1 {
        names.push("bias".into());
    }
    names.push("output weight".into());
    let extent = ((0.5, inputs as f64 + 1.5), (0.5, hidden as f64 + 0.5));
    let units = (1..=hidden).rev().map(|j| format!("unit {j}")).collect();
    figure
        .x(Axis::categories("weight", names))
        .y(Axis::categories("hidden unit", units))
        .caption(format!(
            "Hinton diagram of the {}: the area of a square is |mean| / sd of a weight, largest {}; orange is positive, blue negative. \
             {off} of {hidden} units are off: all of their weights are within one standard deviation of 0.",
            row.method.label(),
            rounded(f64::from(largest))
        ))
        .mark(
            Grid::map(
                "weights",
                "mean / sd",
                inputs + 1,
                values,
                extent,
                Colours::Diverging { low: -largest, centre: 0.0, high: largest },
            )
            .squares()
            .settled_if(row.ending.is_some()),
        )
}

fn search(snapshot: &CurveSnapshot) -> Figure {
    let starts = Approximation::ALL.iter().filter_map(|method| {
        let rows = snapshot.fits.iter().filter(|row| row.method == *method && row.negative_elbo.is_finite());
        let values: Vec<String> = rows.map(|row| rounded(row.negative_elbo)).collect();
        (!values.is_empty()).then(|| format!("{} {}", method.label(), values.join(", ")))
    });
    let starts = starts.collect::<Vec<_>>().join("; ");
    let rows = snapshot.fits.iter().map(|row| {
        let best = snapshot.best(row.method).is_some_and(|best| best.restart == row.restart);
        (row, &row.details.trace[..], best)
    });
    convergence(rows, (1.0, 15.0), &format!("Values at the end of each start: {starts}."))
}
