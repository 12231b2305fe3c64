//! The posterior with the fits as ellipses, their predictions, their divergences, and the convergence of the fits.

use super::{FITTED, FitRow, PlaneSnapshot, PlaneSpec, PointSet, Truth};
use crate::figure::{
    Axis, Bar, Bars, Colours, Curve, Ellipse, Ellipses, Figure, Grid, Handles, Hue, Marker, Point, Segments,
    Stroke, minus, rounded,
};
use crate::lab::Value;
use crate::models::mlp::bands::{band, line};
use crate::models::mlp::fields::Approximation;

/// At this distance, in standard deviations, an ellipse of two dimensions holds 86 % of its Gaussian.
const LEVEL: f64 = 2.0;
/// The values that the paper prints beside its Figure 1.
const PRINTED: [f64; 3] = [41.0, 4.6, 3.9];

/// The figures that follow the controls.
pub fn live(spec: &PlaneSpec, snapshot: &PlaneSnapshot) -> Vec<Figure> {
    vec![posterior(spec, snapshot), predictions(spec, snapshot), divergences(spec, snapshot)]
}

/// These and what only a whole run has.
pub fn all(spec: &PlaneSpec, snapshot: &PlaneSnapshot) -> Vec<Figure> {
    let mut figures = live(spec, snapshot);
    figures.push(search(snapshot));
    figures
}

fn ellipse(row: &FitRow, sign: f64) -> Ellipse {
    let [u, v] = row.mean;
    Ellipse { mean: (sign * u, sign * v), covariance: row.covariance, label: row.method.label().to_owned() }
}

/// A method with the divergence of its fit.
fn name(snapshot: &PlaneSnapshot, row: &FitRow) -> String {
    let going = if row.ending.is_none() { "…" } else { "" };
    match snapshot.kl(row) {
        Some(kl) if kl.is_finite() => format!("{}, KL {}{going}", row.method.label(), rounded(kl)),
        _ => row.method.label().to_owned(),
    }
}

fn posterior(spec: &PlaneSpec, snapshot: &PlaneSnapshot) -> Figure {
    let figure = Figure::new("posterior", "Posterior of the two weights").caption(caption(spec));
    let Some(Truth { map, columns, window, contours, .. }) = &snapshot.truth else {
        return figure
            .x(Axis::linear("input weight, u", (0.0, 1.0)))
            .y(Axis::linear("output weight, v", (0.0, 1.0)));
    };
    let most = map.iter().fold(0.0_f32, |most, density| most.max(*density));
    // Grey at its darkest, so that outlines stand out.
    let colours = Colours::Grey { low: 0.0, high: 1.7 * most.max(f32::MIN_POSITIVE) };
    let grid =
        Grid::map("density", "posterior density", *columns, map.clone(), (window[0], window[1]), colours);
    let wide = |(u, v): (f32, f32)| (f64::from(u), f64::from(v));
    let lines = contours.iter().map(|ends| ends.map(wide));
    let best: Vec<&FitRow> = FITTED.iter().filter_map(|method| snapshot.best(*method)).collect();
    let outlines = best.iter().map(|row| {
        Ellipses::new(row.method.word(), name(snapshot, row), row.method.hue(), LEVEL, [ellipse(row, 1.0)])
            .outlined(Stroke::Solid)
    });
    let paths = best.iter().filter(|row| row.path.len() > 1).map(|row| {
        let points = row.path.iter().map(|(u, v)| Point::new((*u).into(), (*v).into()));
        Curve::new(
            format!("{}_path", row.method.word()),
            format!("{}: path of the mean", row.method.label()),
            row.method.hue(),
        )
        .stroke(Stroke::Dotted)
        .path(points)
        .hidden()
    });
    let twins = best.iter().filter(|_| spec.twin).map(|row| {
        let label = format!("{} at (−u, −v)", row.method.label());
        Ellipses::new(
            format!("{}_twin", row.method.word()),
            label,
            row.method.hue(),
            LEVEL,
            [ellipse(row, -1.0)],
        )
        .outlined(Stroke::Dotted)
    });
    let draws = snapshot.chains.iter().flat_map(|chain| &chain.draws);
    let draws: Vec<Point> = draws.map(|(u, v)| Point::new((*u).into(), (*v).into())).collect();
    let draws = (!draws.is_empty()).then(|| {
        Curve::new("draws", "Monte Carlo draws", Hue::Ink).marker(Marker::Circle).path(draws).hidden()
    });
    let figure = match snapshot.best(Approximation::Laplace) {
        Some(row) => figure.note((row.mean[0], row.mean[1]), "Laplace’s Gaussian is centred here"),
        None => figure,
    };
    figure
        .x(Axis::linear("input weight, u", window[0]))
        .y(Axis::linear("output weight, v", window[1]))
        .found(finding(snapshot))
        .mark(grid.smooth())
        .mark(Segments::new("contours", "50, 90 and 99 % of the mass", Hue::Ink, Stroke::Solid, lines))
        .marks(outlines)
        .marks(twins)
        .marks(paths)
        .marks(draws)
}

/// The divergences of the fits, in a sentence.
fn finding(snapshot: &PlaneSnapshot) -> String {
    let of = |method| snapshot.best(method).and_then(|row| snapshot.kl(row)).filter(|kl| kl.is_finite());
    match (of(Approximation::Laplace), of(Approximation::Diagonal), of(Approximation::Full)) {
        (Some(laplace), Some(diagonal), Some(full)) if laplace > full + 0.5 => format!(
            "Laplace's Gaussian is centred at the mode and extends beyond the curved posterior: its KL divergence is {} nats. Ensemble \
             learning reaches {} with a diagonal covariance and {} with a full covariance.",
            rounded(laplace),
            rounded(diagonal),
            rounded(full)
        ),
        (Some(laplace), Some(diagonal), Some(full)) => format!(
            "KL divergence from the posterior in nats: Laplace {}, diagonal {}, full covariance {}.",
            rounded(laplace),
            rounded(diagonal),
            rounded(full)
        ),
        _ => String::new(),
    }
}

fn caption(spec: &PlaneSpec) -> String {
    let truth = "Grey: the exact posterior of the weights of f(x) = v s(u x), by quadrature; the contours enclose 50, 90 and \
                 99 % of its mass. Ellipses: the fitted Gaussians at two standard deviations. KL is the Kullback–Leibler \
                 divergence of the Gaussian from the normalised posterior, in nats.";
    let twin = if spec.twin {
        " Dotted: the same Gaussians at (−u, −v), where the posterior density is the same. An equal mixture of the two would have \
         a KL smaller by ln 2 = 0.693, provided that they do not overlap."
    } else {
        " Only one of two symmetric modes is shown: the posterior density is the same at (−u, −v). A single Gaussian misses the \
         other mode, which adds ln 2 = 0.693 to each KL."
    };
    let ours = match spec.set {
        PointSet::Figure1 => {
            " The paper prints neither its data nor α and β; these four points were chosen so that the free energies match \
             the printed values."
        }
        _ => "",
    };
    format!("{truth}{twin}{ours}")
}

fn predictions(spec: &PlaneSpec, snapshot: &PlaneSnapshot) -> Figure {
    let inputs = spec.inputs();
    let x = &inputs[..PlaneSpec::DRAWN];
    let examples = spec.examples();
    let mut figure = Figure::new("fits", "Fits: mean of f(x) ± 2 sd")
        .x(Axis::linear("input, x", (x[0], x[x.len() - 1])))
        .y(Axis::around("output, f(x)", examples.iter().map(|(_, t)| *t).chain(edges(snapshot))))
        .caption(
            "Lines: mean of f(x) under the exact posterior and under each Gaussian. Bands: two standard deviations of f, without \
             the noise of the targets. Points: training examples; drag a point to update all fits.",
        )
        .summary(spread(snapshot));
    if let Some(truth) = &snapshot.truth {
        figure = figure.mark(band("exact_band", "exact ± 2 sd", Hue::Ink, x, &truth.predicted)).mark(line(
            "exact",
            "exact",
            Hue::Ink,
            x,
            &truth.predicted,
        ));
    }
    for row in FITTED.iter().filter_map(|method| snapshot.best(*method)) {
        let (word, reads, hue) = (row.method.word(), row.method.label(), row.method.hue());
        figure = figure
            .mark(band(format!("{word}_band"), format!("{reads} ± 2 sd"), hue, x, &row.predicted))
            .mark(line(word, reads, hue, x, &row.predicted));
    }
    if let Some(sampled) = snapshot.sampled() {
        figure = figure.mark(line("hmc", "Monte Carlo", Hue::Purple, x, &sampled.predicted).hidden());
        figure.caption.push_str(&sampled.describe());
    }
    let points = examples.iter().map(|(x, t)| Point::new(*x, *t));
    figure
        .mark(Curve::new("examples", "examples", Hue::Ink).marker(Marker::Disc).points(points))
        .handles(handles(&examples))
}

/// The examples can be edited in the figure.
fn handles(examples: &[(f64, f64)]) -> Handles {
    let points = examples.iter().map(|(x, t)| [*x, *t]).collect();
    Handles::new(PlaneSpec::FIELDS.points.key, &Value::Points(points))
        .with(PlaneSpec::FIELDS.set.key, PointSet::Own)
}

/// Ends of the exact band.
fn edges(snapshot: &PlaneSnapshot) -> impl Iterator<Item = f64> {
    let predicted = snapshot.truth.iter().flat_map(|truth| &truth.predicted[..PlaneSpec::DRAWN]);
    predicted.flat_map(|(mean, sd)| [mean - 2.2 * sd, mean + 2.2 * sd])
}

fn spread(snapshot: &PlaneSnapshot) -> String {
    let at_end = |predicted: &[(f64, f64)]| rounded(predicted[PlaneSpec::DRAWN - 1].1);
    let Some(truth) = &snapshot.truth else { return String::new() };
    let fits = FITTED.iter().filter_map(|method| snapshot.best(*method));
    let fits: Vec<String> =
        fits.map(|row| format!("{} {}", row.method.label(), at_end(&row.predicted))).collect();
    format!(
        "Standard deviation of f at the right end of the plot: exact {}; {}.",
        at_end(&truth.predicted),
        fits.join(", ")
    )
}

fn divergences(spec: &PlaneSpec, snapshot: &PlaneSnapshot) -> Figure {
    const WIDTH: f64 = 0.25;
    let rows: Vec<(usize, &FitRow)> =
        FITTED.iter().enumerate().filter_map(|(i, method)| Some((i, snapshot.best(*method)?))).collect();
    let at = |i: usize, shift: f64| 1.0 + i as f64 + shift;
    let bars = |shift: f64, value: &dyn Fn(&FitRow) -> f64| -> Vec<Bar> {
        rows.iter().map(|(i, row)| Bar::new(at(*i, shift), value(row))).collect()
    };
    let kl = bars(-WIDTH, &|row| snapshot.kl(row).unwrap_or(f64::NAN));
    let free = bars(0.0, &|row| row.free_energy);
    let printed = (spec.set == PointSet::Figure1).then(|| {
        let bars = PRINTED.iter().enumerate().map(|(i, value)| Bar::new(at(i, WIDTH), *value));
        Bars::new("printed", "printed in the paper", Hue::Ink, WIDTH, bars)
    });
    let names = FITTED.iter().map(|method| method.label().to_owned()).collect();
    let highest = kl.iter().chain(&free).map(|bar| bar.value).fold(1.0, f64::max).max(if printed.is_some() {
        41.0
    } else {
        1.0
    });
    let ln_z = snapshot
        .truth
        .as_ref()
        .map_or(String::new(), |truth| format!(" ln Z = {}.", minus(format_args!("{:.4}", truth.ln_z))));
    Figure::new("kl", "Divergence from the posterior")
        .x(Axis::categories("approximation", names))
        .y(Axis::linear("nats", (0.0, 1.1 * highest)).or_log())
        .caption(format!(
            "Divergence of each fit from the normalised posterior, KL = F + ln Z, and the free energy F.{ln_z} The values printed in \
             Figure 1 of the paper (41, 4.6, 3.9) agree with F, without ln Z; the four points of the default training set were \
             chosen for this agreement."
        ))
        .summary(finding(snapshot))
        .mark(Bars::new("kl", "KL", Hue::Blue, WIDTH, kl))
        .mark(Bars::new("free_energy", "F", Hue::Sky, WIDTH, free))
        .marks(printed)
}

fn search(snapshot: &PlaneSnapshot) -> Figure {
    let ensemble = || snapshot.fits.iter().filter(|row| row.trace.len() > 1);
    let shown = |row: &&FitRow| snapshot.best(row.method).is_some_and(|best| best.restart == row.restart);
    let curves = ensemble().map(|row| {
        let points =
            row.trace.iter().enumerate().map(|(i, value)| Point::new(1.0 + i as f64, f64::from(*value)));
        let (word, reads, start) = (row.method.word(), row.method.label(), row.restart + 1);
        let curve =
            Curve::new(format!("{word}_{start}"), format!("{reads}, start {start}"), row.method.hue());
        let curve =
            curve.stroke(if row.restart == 0 { Stroke::Solid } else { Stroke::Dashed }).points(points);
        if shown(&row) { curve } else { curve.hidden() }
    });
    let last = ensemble().filter_map(|row| row.trace.last()).map(|value| f64::from(*value));
    let (low, high) =
        last.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    let range = if low <= high { (low - 0.5, high + 10.0) } else { (0.0, 1.0) };
    let longest = ensemble().map(|row| row.trace.len()).max().unwrap_or(10) as f64;
    let starts: Vec<String> = FITTED
        .iter()
        .filter_map(|method| {
            let rows: Vec<String> = snapshot
                .fits
                .iter()
                .filter(|row| row.method == *method && row.ending.is_some())
                .map(|row| rounded(snapshot.kl(row).unwrap_or(row.free_energy)))
                .collect();
            (!rows.is_empty()).then(|| format!("{} {}", method.label(), rows.join(", ")))
        })
        .collect();
    Figure::new("search", "Convergence of the fits")
        .x(Axis::linear("evaluations of free energy and gradient", (0.0, longest.max(10.0))))
        .y(Axis::linear("−ELBO, nats", range))
        .caption(format!(
            "Negative evidence lower bound (−ELBO) at each evaluation, including the trial points of the line searches. KL at the \
             end of each start: {}.",
            starts.join("; ")
        ))
        .marks(curves)
}
