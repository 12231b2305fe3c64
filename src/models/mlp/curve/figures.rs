//! Bands of each approximation, estimates of α and β, the weights, and the convergence of the fits.

use super::work::CHAINS;
use super::{CurveSnapshot, CurveSpec, FITTED, FitRow, PointSet};
use crate::figure::{
    Axis, Bar, Bars, Colours, Curve, Figure, Grid, Handles, Hue, Marker, Point, Segments, Stroke, rounded,
};
use crate::lab::{ChainSummary, Value};
use crate::models::mlp::bands::{band, line};
use crate::models::mlp::fields::Approximation;

/// An output weight within this many standard deviations of 0, whose unit's input weights all are, belongs to a unit that is off.
const OFF: f32 = 1.0;

/// The figures that follow points as they are moved.
pub fn live(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Vec<Figure> {
    vec![bands(spec, snapshot), weights(spec, snapshot)]
}

/// All figures.
pub fn figures(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Vec<Figure> {
    vec![bands(spec, snapshot), precisions(spec, snapshot), weights(spec, snapshot), search(snapshot)]
}

fn best(snapshot: &CurveSnapshot) -> impl Iterator<Item = &FitRow> {
    FITTED.iter().filter_map(|method| snapshot.best(*method))
}

/// All chains together.
pub fn sampled(snapshot: &CurveSnapshot) -> Option<ChainSummary> {
    ChainSummary::of(&snapshot.chains.iter().collect::<Vec<_>>())
}

/// Root mean square difference of the mean of f from that of the chains, over the inputs that are drawn.
pub fn difference(row: &FitRow, sampled: &ChainSummary) -> f64 {
    let pairs = row.predicted.iter().zip(&sampled.predicted).take(CurveSpec::DRAWN);
    let sum: f64 = pairs.map(|(a, b)| (a.0 - b.0) * (a.0 - b.0)).sum();
    (sum / CurveSpec::DRAWN as f64).sqrt()
}

fn bands(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Figure {
    let examples = snapshot.examples(spec);
    let inputs = spec.inputs(&examples);
    let x = &inputs[..CurveSpec::DRAWN];
    let sampled = sampled(snapshot);
    let targets = examples.iter().map(|(_, t)| *t);
    let (low, high) = targets.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), t| (l.min(t), h.max(t)));
    let (low, high) = if low <= high { (low, high) } else { (-1.0, 1.0) };
    let room = 0.4 * (high - low).max(1e-3);
    let mut figure = Figure::new("bands", "Fits: mean of f(x) ± 2 sd")
        .x(Axis::linear("input, x", (x[0], x[x.len() - 1])))
        .y(Axis::linear("output, f(x)", (low - room, high + room)));
    let last = examples.iter().map(|(x, _)| *x).fold(f64::NEG_INFINITY, f64::max);
    let middle = f64::midpoint(last, x[x.len() - 1]);
    if last < middle && !snapshot.fits.is_empty() {
        figure = figure.note((middle, low - 0.9 * room), "no data here");
    }
    if let Some(sampled) = &sampled {
        figure = figure
            .mark(band("hmc_band", "Monte Carlo ± 2 sd", Hue::Ink, x, &sampled.predicted))
            .mark(line("hmc", "Monte Carlo", Hue::Ink, x, &sampled.predicted));
    }
    for row in best(snapshot) {
        let (word, reads, hue) = (row.method.word(), row.method.label(), row.method.hue());
        let (mut shade, mut mean) = (
            band(format!("{word}_band"), format!("{reads} ± 2 sd"), hue, x, &row.predicted),
            line(word, reads, hue, x, &row.predicted),
        );
        // Three at a time can be told apart.
        if matches!(row.method, Approximation::Factor | Approximation::Map) {
            (shade, mean) = (shade.hidden(), mean.hidden());
        }
        figure = if row.method == Approximation::Map { figure } else { figure.mark(shade) };
        figure = figure.mark(mean);
    }
    let rule = x.iter().filter_map(|x| Some(Point::new(*x, spec.rule(*x)?)));
    let rule: Vec<Point> = rule.collect();
    let rule = (!rule.is_empty()).then(|| {
        Curve::new("rule", "noise-free function", Hue::Yellow).stroke(Stroke::Dashed).points(rule).hidden()
    });
    let points = examples.iter().map(|(x, t)| Point::new(*x, *t));
    let own = examples.iter().map(|(x, t)| [*x, *t]).collect();
    let handles = Handles::new(CurveSpec::FIELDS.points.key, &Value::Points(own))
        .with(CurveSpec::FIELDS.set.key, PointSet::Own);
    figure
        .marks(rule)
        .mark(Curve::new("examples", "examples", Hue::Ink).marker(Marker::Disc).points(points))
        .handles(handles)
        .caption(caption(snapshot, sampled.as_ref()))
        .found(finding(spec, snapshot, sampled.as_ref()))
}

/// How wide each band is where there are no data, in a sentence.
fn finding(spec: &CurveSpec, snapshot: &CurveSnapshot, sampled: Option<&ChainSummary>) -> String {
    let at_end = |predicted: &[(f64, f64)]| rounded(predicted[CurveSpec::DRAWN - 1].1);
    let fits: Vec<String> = best(snapshot)
        .filter(|row| row.method != Approximation::Map)
        .map(|row| format!("{} {}", row.method.label(), at_end(&row.predicted)))
        .collect();
    if fits.is_empty() {
        return String::new();
    }
    let chains = sampled.map_or(String::new(), |s| {
        // Said when all draws are there: before, it would come and go. In the legend it would move all names.
        let mixed =
            if s.mixed() || s.count < CHAINS * spec.hmc { "" } else { " (the chains have not mixed)" };
        format!(", Monte Carlo {}{mixed}", at_end(&s.predicted))
    });
    format!(
        "Standard deviation of f beyond the data, at the right end of the plot: {}{chains}.",
        fits.join(", ")
    )
}

fn caption(snapshot: &CurveSnapshot, sampled: Option<&ChainSummary>) -> String {
    let chains = sampled.map_or(String::new(), |sampled| {
        let far: Vec<String> = best(snapshot)
            .map(|row| format!("{} {}", row.method.label(), rounded(difference(row, sampled))))
            .collect();
        let far = far.join(", ");
        format!(
            "{} RMS difference between each mean of f and the Monte Carlo mean: {far}.",
            sampled.describe()
        )
    });
    format!(
        "Lines: mean of f(x). Bands: two standard deviations of f, without the noise of the targets. MAP and the factor covariance \
         are hidden at first; switch them on in the legend.{chains}"
    )
}

fn precisions(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Figure {
    let rows: Vec<(f64, &FitRow)> = (1..).map(f64::from).zip(best(snapshot)).collect();
    let noise = rows.iter().map(|(at, row)| Bar::new(*at, 1.0 / row.beta.sqrt()));
    let truth = (!matches!(spec.set, PointSet::Own | PointSet::Table | PointSet::Growing)).then(|| {
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
        PointSet::Table if highest > 0.0 => highest,
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

/// Weights in units of their standard deviation, unit by unit.
fn weights(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Figure {
    let figure = Figure::new("weights", "Hinton diagram of the weights")
        .x(Axis::linear("weight", (0.0, 1.0)))
        .y(Axis::linear("hidden unit", (0.0, 1.0)));
    let Some(row) = snapshot.best(Approximation::Full).or_else(|| snapshot.best(Approximation::Diagonal))
    else {
        return figure.saying("No weights yet.");
    };
    let (hidden, inputs) = (spec.hidden, row.weights.len() / spec.hidden - 1);
    let ratio = |at: usize| {
        let (mean, sd) = row.weights[at];
        mean / sd.max(f32::MIN_POSITIVE)
    };
    let unit = |j: usize| (0..inputs).map(move |c| j * inputs + c).chain([hidden * inputs + j]);
    let off = (0..hidden).filter(|j| unit(*j).all(|at| ratio(at).abs() < OFF)).count();
    // Rows from below, the first unit on top.
    let values: Vec<f32> = (0..hidden).rev().flat_map(unit).map(ratio).collect();
    let far = values.iter().fold(1.0_f32, |most, value| most.max(value.abs())).min(1e6);
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
            rounded(f64::from(far))
        ))
        .mark(
            Grid::map(
                "weights",
                "mean / sd",
                inputs + 1,
                values,
                extent,
                Colours::Diverging { low: -far, centre: 0.0, high: far },
            )
            .squares(),
        )
}

fn search(snapshot: &CurveSnapshot) -> Figure {
    let ensemble = || snapshot.fits.iter().filter(|row| row.trace.len() > 1);
    let shown = |row: &FitRow| snapshot.best(row.method).is_some_and(|best| best.restart == row.restart);
    let curves = ensemble().map(|row| {
        let at = |(i, value): (usize, &f32)| Point::new(1.0 + i as f64, f64::from(*value));
        let (word, reads, start) = (row.method.word(), row.method.label(), row.restart + 1);
        let curve =
            Curve::new(format!("{word}_{start}"), format!("{reads}, start {start}"), row.method.hue())
                .stroke(if row.restart == 0 { Stroke::Solid } else { Stroke::Dashed })
                .points(row.trace.iter().enumerate().map(at));
        if shown(row) { curve } else { curve.hidden() }
    });
    let last = || ensemble().filter_map(|row| row.trace.last()).map(|value| f64::from(*value));
    let (low, high) =
        last().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    let range = if low <= high { (low - 1.0, high + 15.0) } else { (0.0, 1.0) };
    let longest = ensemble().map(|row| row.trace.len()).max().unwrap_or(10) as f64;
    let starts = FITTED.iter().filter_map(|method| {
        let rows = snapshot.fits.iter().filter(|row| row.method == *method && row.negative_elbo.is_finite());
        let values: Vec<String> = rows.map(|row| rounded(row.negative_elbo)).collect();
        (!values.is_empty()).then(|| format!("{} {}", method.label(), values.join(", ")))
    });
    Figure::new("search", "Convergence of the fits")
        .x(Axis::linear("evaluations of free energy and gradient", (0.0, longest.max(10.0))))
        .y(Axis::linear("−ELBO, nats", range))
        .caption(format!(
            "Negative evidence lower bound (−ELBO) at each evaluation, including the trial points of the line searches. Values at the end \
             of each start: {}.",
            starts.collect::<Vec<_>>().join("; ")
        ))
        .marks(curves)
}
