//! Figures of the task with two weights: the posterior with the fits as ellipses, predictions, KL divergences and convergence.

use super::{ExactPosterior, FITTED, PlaneFit, PlaneSnapshot, PlaneSpec, PlaneTrainingSet};
use crate::figure::{
    Axis, Bar, Bars, Colours, Curve, Ellipse, Ellipses, Figure, Grid, Handles, Hue, Marker, Point, Segments,
    Stroke, minus, rounded,
};
use crate::lab::Value;
use crate::models::mlp::fields::Approximation;
use crate::models::mlp::figures::{band, convergence, line};
use crate::models::mlp::fits::FitRow;

/// Difference between the KL divergences of two starts, in nats, above which they are in different optima.
const DISTINCT: f64 = 0.05;
/// Size of the ellipses in standard deviations; in two dimensions, they hold 86 % of the mass.
const LEVEL: f64 = 2.0;
/// KL divergences printed in BB98, Figure 1, in the order of [`FITTED`].
const PRINTED: [f64; 3] = [41.0, 4.6, 3.9];

/// Returns the figures that follow the controls.
pub fn live(spec: &PlaneSpec, snapshot: &PlaneSnapshot) -> Vec<Figure> {
    vec![posterior(spec, snapshot), predictions(spec, snapshot), divergences(spec, snapshot)]
}

/// Returns all figures.
pub fn all(spec: &PlaneSpec, snapshot: &PlaneSnapshot) -> Vec<Figure> {
    let mut figures = live(spec, snapshot);
    figures.push(search(snapshot));
    figures
}

fn posterior(spec: &PlaneSpec, snapshot: &PlaneSnapshot) -> Figure {
    let figure = Figure::new("posterior", "Posterior of the two weights").caption(caption(spec, snapshot));
    let Some(ExactPosterior { map, columns, window, contours, .. }) = &snapshot.exact else {
        return figure
            .x(Axis::linear("input weight, u", (0.0, 1.0)))
            .y(Axis::linear("output weight, v", (0.0, 1.0)));
    };
    let highest = map.iter().fold(0.0_f32, |highest, density| highest.max(*density));
    // The darkest cell is grey, so that outlines stand out.
    let colours = Colours::Grey { low: 0.0, high: 1.7 * highest.max(f32::MIN_POSITIVE) };
    let grid =
        Grid::map("density", "posterior density", *columns, map.clone(), (window[0], window[1]), colours);
    let contours = contours.iter().map(|ends| ends.map(|(u, v)| (f64::from(u), f64::from(v))));
    let ellipses = snapshot.best_fits().map(|row| {
        let (key, label) = (row.method.word(), label_with_kl(snapshot, row));
        outline(row, key.to_owned(), label, 1.0, Stroke::Solid)
    });
    let others = FITTED.into_iter().filter_map(|method| other_optimum(snapshot, method)).map(|row| {
        let (key, label) = (format!("{}_other", row.method.word()), label_with_kl(snapshot, row));
        outline(row, key, format!("other optimum: {label}"), 1.0, Stroke::Dashed)
    });
    let mirrored = snapshot.best_fits().filter(|_| spec.twin).map(|row| {
        let (word, reads) = (row.method.word(), row.method.label());
        outline(row, format!("{word}_twin"), format!("{reads} at (−u, −v)"), -1.0, Stroke::Dotted)
    });
    let draws = snapshot.chains.iter().flat_map(|chain| &chain.draws);
    let draws: Vec<Point> = draws.map(|(u, v)| Point::new((*u).into(), (*v).into())).collect();
    let draws = (!draws.is_empty()).then(|| {
        Curve::new("draws", "Monte Carlo draws", Hue::Ink).marker(Marker::Circle).path(draws).hidden()
    });
    let figure = match snapshot.best(Approximation::Laplace).map(|row| row.details.mean) {
        Some([u, v]) => figure.note((u, v), "Laplace’s Gaussian is centred here"),
        None => figure,
    };
    figure
        .x(Axis::linear("input weight, u", with_optima(window[0], |[u, _]| u, snapshot)))
        .y(Axis::linear("output weight, v", with_optima(window[1], |[_, v]| v, snapshot)))
        .found(finding(spec, snapshot))
        .mark(grid.smooth())
        .mark(Segments::new("contours", "50, 90 and 99 % of the mass", Hue::Ink, Stroke::Solid, contours))
        .marks(ellipses)
        .marks(others)
        .marks(mirrored)
        .marks(snapshot.best_fits().filter(|row| row.details.path.len() > 1).map(mean_path))
        .marks(draws)
}

/// Returns the ellipse of a fit at (u, v), or with `sign` −1 at (−u, −v).
fn outline(row: &FitRow<PlaneFit>, key: String, label: String, sign: f64, stroke: Stroke) -> Ellipses {
    let PlaneFit { mean: [u, v], covariance, .. } = row.details;
    let ellipse = Ellipse { mean: (sign * u, sign * v), covariance, label: row.method.label().to_owned() };
    Ellipses::new(key, label, row.method.hue(), LEVEL, [ellipse]).outlined(stroke)
}

/// Returns the path of the mean of a fit, hidden at first.
fn mean_path(row: &FitRow<PlaneFit>) -> Curve {
    let points = row.details.path.iter().map(|(u, v)| Point::new((*u).into(), (*v).into()));
    let (word, reads) = (row.method.word(), row.method.label());
    Curve::new(format!("{word}_path"), format!("{reads}: path of the mean"), row.method.hue())
        .stroke(Stroke::Dotted)
        .path(points)
        .hidden()
}

/// Returns the name of a method with its KL divergence, followed by an ellipsis while the fit is in progress.
fn label_with_kl(snapshot: &PlaneSnapshot, row: &FitRow<PlaneFit>) -> String {
    let in_progress = if row.ending.is_none() { "…" } else { "" };
    match snapshot.kl(row) {
        Some(kl) if kl.is_finite() => format!("{}, KL {}{in_progress}", row.method.label(), rounded(kl)),
        _ => row.method.label().to_owned(),
    }
}

/// Extends a range so that it holds the means of all finished fits.
fn with_optima(range: (f64, f64), of: fn([f64; 2]) -> f64, snapshot: &PlaneSnapshot) -> (f64, f64) {
    let finished = snapshot.fits.iter().filter(|row| row.ending.is_some());
    let means = finished.map(|row| of(row.details.mean)).filter(|mean| mean.is_finite());
    means.fold(range, |(low, high), mean| (low.min(mean), high.max(mean)))
}

/// Returns the finished starts of `method` that ended in another optimum than the best one.
fn in_other_optima(
    snapshot: &PlaneSnapshot,
    method: Approximation,
) -> impl Iterator<Item = &FitRow<PlaneFit>> {
    let best = snapshot.best(method).map_or(f64::INFINITY, |row| row.free_energy);
    let rows = snapshot.fits.iter().filter(move |row| row.method == method && row.ending.is_some());
    rows.filter(move |row| row.free_energy > best + DISTINCT)
}

/// Returns the best start of `method` in another optimum than the best one, if there is any.
fn other_optimum(snapshot: &PlaneSnapshot, method: Approximation) -> Option<&FitRow<PlaneFit>> {
    in_other_optima(snapshot, method).min_by(|a, b| a.free_energy.total_cmp(&b.free_energy))
}

/// Returns a sentence with the KL divergences of the fits.
fn finding(spec: &PlaneSpec, snapshot: &PlaneSnapshot) -> String {
    let kl = |method| snapshot.best(method).and_then(|row| snapshot.kl(row)).filter(|kl| kl.is_finite());
    let [Some(laplace), Some(diagonal), Some(full)] = FITTED.map(kl) else { return String::new() };
    let [laplace_kl, diagonal_kl, full_kl] = [laplace, diagonal, full].map(rounded);
    if spec.twin {
        return format!(
            "The posterior has two equal modes. Each Gaussian covers only one, which adds ln 2 = 0.693 nats to its KL divergence: \
             Laplace {laplace_kl}, diagonal {diagonal_kl}, full covariance {full_kl}."
        );
    }
    let mut several = [Approximation::Full, Approximation::Diagonal].into_iter();
    if let Some(finding) = several.find_map(|method| optima_finding(snapshot, method)) {
        return finding;
    }
    if laplace > full + 0.5 {
        format!(
            "Laplace spills outside the posterior: {laplace_kl} nats off. Ensemble learning: {diagonal_kl} and {full_kl}."
        )
    } else {
        format!(
            "KL divergence from the posterior in nats: Laplace {laplace_kl}, diagonal {diagonal_kl}, full covariance {full_kl}."
        )
    }
}

/// Returns a sentence on the starts of `method` that ended in different optima; `None` if all ended in the same.
fn optima_finding(snapshot: &PlaneSnapshot, method: Approximation) -> Option<String> {
    let [best, other] = [snapshot.best(method)?, other_optimum(snapshot, method)?];
    let [best_kl, other_kl] = [rounded(snapshot.kl(best)?), rounded(snapshot.kl(other)?)];
    let starts = snapshot.fits.iter().filter(|row| row.method == method && row.ending.is_some()).count();
    let reached = starts - in_other_optima(snapshot, method).count();
    let covariance = if method == Approximation::Diagonal { "diagonal" } else { "full" };
    Some(format!(
        "The fit with a {covariance} covariance has more than one optimum. The best one, at a KL divergence of {best_kl} nats, is \
         reached by {reached} of {starts} starts; the next one is at {other_kl}."
    ))
}

fn caption(spec: &PlaneSpec, snapshot: &PlaneSnapshot) -> String {
    let exact = "Grey: the exact posterior of the weights of f(x) = v s(u x), by quadrature; the contours enclose 50, 90 and \
                 99 % of its mass. Ellipses: the fitted Gaussians at two standard deviations. KL is the Kullback–Leibler \
                 divergence of the Gaussian from the normalised posterior, in nats.";
    let modes = if spec.twin {
        " Dotted: the same Gaussians at (−u, −v), where the posterior density is the same. An equal mixture of the two would have \
         a KL smaller by ln 2 = 0.693, provided that they do not overlap."
    } else {
        " Only one of two symmetric modes is shown: the posterior density is the same at (−u, −v). A single Gaussian misses the \
         other mode, which adds ln 2 = 0.693 to each KL."
    };
    let data = match spec.set {
        PlaneTrainingSet::Figure1 => {
            " The paper prints neither its data nor α and β; these four points were chosen so that the free energies match \
             the printed values."
        }
        _ => "",
    };
    let others = if FITTED.into_iter().any(|method| other_optimum(snapshot, method).is_some()) {
        " Dashed: for each method, the best fit that ended in another optimum."
    } else {
        ""
    };
    format!("{exact}{others}{modes}{data}")
}

fn predictions(spec: &PlaneSpec, snapshot: &PlaneSnapshot) -> Figure {
    let inputs = spec.inputs();
    let x = &inputs[..PlaneSpec::DRAWN];
    let examples = spec.examples();
    let mut figure = Figure::new("fits", "Fits: mean of f(x) ± 2 sd")
        .x(Axis::linear("input, x", (x[0], x[x.len() - 1])))
        .y(Axis::around("output, f(x)", examples.iter().map(|(_, t)| *t).chain(band_limits(snapshot))))
        .caption(
            "Lines: mean of f(x) under the exact posterior and under each Gaussian. Bands: two standard deviations of f, without \
             the noise of the targets. Points: training examples; drag a point to update all fits.",
        )
        .summary(sd_summary(snapshot));
    if let Some(ExactPosterior { predicted, .. }) = &snapshot.exact {
        figure = figure.mark(band("exact_band", "exact ± 2 sd", Hue::Ink, x, predicted)).mark(line(
            "exact",
            "exact",
            Hue::Ink,
            x,
            predicted,
        ));
    }
    for row in snapshot.best_fits() {
        let (word, reads, hue) = (row.method.word(), row.method.label(), row.method.hue());
        let predicted = &row.details.predicted;
        figure = figure
            .mark(band(format!("{word}_band"), format!("{reads} ± 2 sd"), hue, x, predicted))
            .mark(line(word, reads, hue, x, predicted));
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

/// Returns handles that make the examples editable.
fn handles(examples: &[(f64, f64)]) -> Handles {
    let points = examples.iter().map(|(x, t)| [*x, *t]).collect();
    Handles::new(PlaneSpec::FIELDS.points.key, &Value::Points(points))
        .with(PlaneSpec::FIELDS.set.key, PlaneTrainingSet::Own)
}

/// Iterates over the limits of the exact band, which the y axis includes.
fn band_limits(snapshot: &PlaneSnapshot) -> impl Iterator<Item = f64> {
    let predicted = snapshot.exact.iter().flat_map(|exact| &exact.predicted[..PlaneSpec::DRAWN]);
    predicted.flat_map(|(mean, sd)| [mean - 2.2 * sd, mean + 2.2 * sd])
}

/// Returns a sentence with the standard deviation of f at the right end of the plot.
fn sd_summary(snapshot: &PlaneSnapshot) -> String {
    let at_end = |predicted: &[(f64, f64)]| rounded(predicted[PlaneSpec::DRAWN - 1].1);
    let Some(exact) = &snapshot.exact else { return String::new() };
    let fits = snapshot.best_fits();
    let fits: Vec<String> =
        fits.map(|row| format!("{} {}", row.method.label(), at_end(&row.details.predicted))).collect();
    format!(
        "Standard deviation of f at the right end of the plot: exact {}; {}.",
        at_end(&exact.predicted),
        fits.join(", ")
    )
}

fn divergences(spec: &PlaneSpec, snapshot: &PlaneSnapshot) -> Figure {
    const WIDTH: f64 = 0.25;
    let rows: Vec<(usize, &FitRow<PlaneFit>)> =
        FITTED.iter().enumerate().filter_map(|(i, method)| Some((i, snapshot.best(*method)?))).collect();
    let at = |i: usize, shift: f64| 1.0 + i as f64 + shift;
    let bars = |shift: f64, value: &dyn Fn(&FitRow<PlaneFit>) -> f64| -> Vec<Bar> {
        rows.iter().map(|(i, row)| Bar::new(at(*i, shift), value(row))).collect()
    };
    let kl = bars(-WIDTH, &|row| snapshot.kl(row).unwrap_or(f64::NAN));
    let free = bars(0.0, &|row| row.free_energy);
    let printed = (spec.set == PlaneTrainingSet::Figure1).then(|| {
        let bars = PRINTED.iter().enumerate().map(|(i, value)| Bar::new(at(i, WIDTH), *value));
        Bars::new("printed", "printed in the paper", Hue::Ink, WIDTH, bars)
    });
    let names = FITTED.iter().map(|method| method.label().to_owned()).collect();
    let lowest_top = if printed.is_some() { PRINTED[0] } else { 1.0 };
    let highest = kl.iter().chain(&free).map(|bar| bar.value).fold(lowest_top, f64::max);
    let ln_z = snapshot.exact.as_ref().map(|exact| minus(format_args!("{:.4}", exact.ln_z)));
    let ln_z = ln_z.map_or(String::new(), |ln_z| format!(" ln Z = {ln_z}."));
    Figure::new("kl", "Divergence from the posterior")
        .x(Axis::categories("approximation", names))
        .y(Axis::linear("nats", (0.0, 1.1 * highest)).or_log())
        .caption(format!(
            "Divergence of each fit from the normalised posterior, KL = F + ln Z, and the free energy F.{ln_z} The values printed in \
             Figure 1 of the paper (41, 4.6, 3.9) agree with F, without ln Z; the four points of the default training set were \
             chosen for this agreement."
        ))
        .summary(finding(spec, snapshot))
        .mark(Bars::new("kl", "KL", Hue::Blue, WIDTH, kl))
        .mark(Bars::new("free_energy", "F", Hue::Sky, WIDTH, free))
        .marks(printed)
}

fn search(snapshot: &PlaneSnapshot) -> Figure {
    let starts = FITTED.iter().filter_map(|method| {
        let finished = snapshot.fits.iter().filter(|row| row.method == *method && row.ending.is_some());
        let values: Vec<String> =
            finished.map(|row| rounded(snapshot.kl(row).unwrap_or(row.free_energy))).collect();
        (!values.is_empty()).then(|| format!("{} {}", method.label(), values.join(", ")))
    });
    let starts = starts.collect::<Vec<_>>().join("; ");
    let rows = snapshot.fits.iter().map(|row| {
        let best = snapshot.best(row.method).is_some_and(|best| best.restart == row.restart);
        (row, &row.details.trace[..], best)
    });
    convergence(rows, (0.5, 10.0), &format!("KL at the end of each start: {starts}."))
}
