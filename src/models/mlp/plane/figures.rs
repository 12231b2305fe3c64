//! Figures of the task with two weights: the posterior and the fits in panels, predictions, KL divergences and convergence.

use super::panels::{Panels, mean_path, other_ellipse};
use super::{ExactPosterior, FITTED, PlaneFit, PlaneSnapshot, PlaneSpec, PlaneTrainingSet};
use crate::figure::{Axis, Bar, Bars, Curve, Figure, Handles, Hue, Marker, Point, minus, percent, rounded};
use crate::lab::Value;
use crate::models::mlp::fields::Approximation;
use crate::models::mlp::figures::{band, convergence, line};
use crate::models::mlp::fits::FitRow;

/// Difference between the KL divergences of two starts, in nats, above which they are in different optima.
const DISTINCT: f64 = 0.05;
/// Share of the probability of a Gaussian outside the region of 99 % of the posterior that is pointed out.
const MUCH: f64 = 0.05;
/// Divergence, in nats, up to which a Gaussian is called close to the posterior.
const CLOSE: f64 = 1.0;
/// Room above and below the curves that fit, relative to their range.
const ROOM: f64 = 0.35;
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
    let panels = Panels::new(spec, snapshot);
    let finished = |method| snapshot.best(method).filter(|row| row.ending.is_some());
    let excluded = FITTED.map(|method| panels.excluded_share(finished(method)?));
    let figure = Figure::new("posterior", "The posterior and its approximations")
        .caption(caption(spec, snapshot, excluded))
        .finding_and_summary(finding(spec, snapshot, excluded));
    let mut figure = panels
        .draw(figure, titles(snapshot), &heights(spec, snapshot))
        .handles(handles(&spec.examples()).on(Panels::editable()));
    for (index, method) in FITTED.into_iter().enumerate() {
        let other = other_optimum(snapshot, method);
        let other = other.map(|row| other_ellipse(row, format!("{}, other optimum", method.label())));
        let path = snapshot.best(method).filter(|row| row.details.path.len() > 1).map(mean_path);
        figure = figure.on(index + 1, other).on(index + 1, path);
    }
    if let (Some(share), Some(row)) = (excluded[0], snapshot.best(Approximation::Laplace))
        && share > MUCH
    {
        figure = figure.note_on(1, far_end(&row.details), "outside 99 %");
    }
    let draws = snapshot.chains.iter().flat_map(|chain| &chain.draws);
    let draws: Vec<Point> = draws.map(|(u, v)| Point::new((*u).into(), (*v).into())).collect();
    let draws = (!draws.is_empty()).then(|| {
        Curve::new("chains", "Monte Carlo draws", Hue::Ink).marker(Marker::Circle).path(draws).hidden()
    });
    settle(figure.on(0, draws), |panel| {
        let column = panel % (FITTED.len() + 1);
        column > 0 && is_finished(snapshot, FITTED[column - 1])
    })
}

/// Marks what is drawn in the panels of finished fits as final.
fn settle(mut figure: Figure, is_done: impl Fn(usize) -> bool) -> Figure {
    for mark in &mut figure.marks {
        let info = mark.info_mut();
        info.settled = is_done(info.panel);
    }
    figure
}

/// Returns true if a start of `method` has ended.
fn is_finished(snapshot: &PlaneSnapshot, method: Approximation) -> bool {
    snapshot.best(method).is_some_and(|row| row.ending.is_some())
}

/// Returns the titles of the upper panels, each with the KL divergence, followed by an ellipsis while the fit is in progress.
fn titles(snapshot: &PlaneSnapshot) -> [String; 4] {
    let [laplace, diagonal, full] = FITTED.map(|method| {
        let name = sentence_case(method.label());
        let Some(row) = snapshot.best(method) else { return format!("{name}: not fitted yet") };
        let in_progress = if row.ending.is_none() { "…" } else { "" };
        match snapshot.kl(row) {
            Some(kl) if kl.is_finite() => format!("{name}: {} nats off{in_progress}", rounded(kl)),
            _ => name,
        }
    });
    ["Exact posterior".to_owned(), laplace, diagonal, full]
}

/// Returns a text with its first letter in upper case.
fn sentence_case(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Returns the axis of the curves: the range of the examples and of the exact predictions, with room for curves that do not fit.
fn heights(spec: &PlaneSpec, snapshot: &PlaneSnapshot) -> Axis {
    let mut axis =
        Axis::around("output, f(x)", spec.examples().iter().map(|(_, t)| *t).chain(band_limits(snapshot)));
    let room = ROOM * (axis.range.1 - axis.range.0);
    axis.range = (axis.range.0 - room, axis.range.1 + room);
    axis
}

/// Returns the end of the longest axis of an ellipse with the smaller u, at about two standard deviations.
fn far_end(PlaneFit { mean: [u, v], covariance: [uu, uv, _], .. }: &PlaneFit) -> (f64, f64) {
    let sd = uu.sqrt();
    (u - 1.8 * sd, v - 1.8 * uv / sd)
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

/// Returns a sentence on the fits; `excluded` are the shares of their probability outside the region of 99 % of the posterior.
fn finding(spec: &PlaneSpec, snapshot: &PlaneSnapshot, excluded: [Option<f64>; 3]) -> String {
    let [Some(laplace), Some(diagonal), Some(full)] = excluded else { return String::new() };
    if spec.twin {
        return "Two opposite sets of weights fit equally well. Each Gaussian covers only one of them and misses half of the probability."
            .to_owned();
    }
    let mut several = [Approximation::Full, Approximation::Diagonal].into_iter();
    if let Some(finding) = several.find_map(|method| optima_finding(snapshot, method)) {
        return finding;
    }
    let divergence = |method| snapshot.kl(snapshot.best(method)?).filter(|kl| kl.is_finite());
    let [Some(laplace_kl), Some(diagonal_kl), Some(full_kl)] = FITTED.map(divergence) else {
        return String::new();
    };
    if laplace > full.min(diagonal) + MUCH {
        let [(best, least), (second, next)] = if full_kl <= diagonal_kl {
            [("Full covariance", full_kl), ("diagonal", diagonal_kl)]
        } else {
            [("Diagonal covariance", diagonal_kl), ("full", full_kl)]
        };
        let [least, next, laplace] = [least, next, laplace_kl].map(rounded);
        return format!(
            "{best} comes closest: {least} nats off (0 is perfect), {second} {next}, Laplace {laplace}."
        );
    }
    let [laplace, diagonal, full] = [laplace_kl, diagonal_kl, full_kl].map(rounded);
    let close = if laplace_kl.max(diagonal_kl).max(full_kl) < CLOSE { "All three are close: " } else { "" };
    format!("{close}Laplace is {laplace} nats off, diagonal {diagonal}, full covariance {full}.")
}

/// Returns a sentence on the starts of `method` that ended in different optima; `None` if all ended in the same.
fn optima_finding(snapshot: &PlaneSnapshot, method: Approximation) -> Option<String> {
    let [best, other] = [snapshot.best(method)?, other_optimum(snapshot, method)?];
    let [best_kl, other_kl] = [rounded(snapshot.kl(best)?), rounded(snapshot.kl(other)?)];
    let starts = snapshot.fits.iter().filter(|row| row.method == method && row.ending.is_some()).count();
    let reached = starts - in_other_optima(snapshot, method).count();
    let covariance = if method == Approximation::Diagonal { "diagonal" } else { "full" };
    Some(format!(
        "The fit with a {covariance} covariance can get stuck: {reached} of {starts} starts reach the best ellipse ({best_kl} nats off), others \
         end at a worse one ({other_kl} nats off)."
    ))
}

fn caption(spec: &PlaneSpec, snapshot: &PlaneSnapshot, excluded: [Option<f64>; 3]) -> String {
    let exact = "Upper panels: input weight u and output weight v of the network f(x) = v s(u x). Grey: regions with 50, 90 and 99 % of \
                 the exact posterior, by quadrature. Ellipses: the fitted Gaussians at one and two standard deviations. Red hatching: \
                 weights inside the larger ellipse but outside the 99 % region. Nats off: the Kullback–Leibler \
                 divergence of the Gaussian from the posterior. Dots: 20 draws from each distribution. Lower panels: the \
                 curves of these draws and the training examples; drag an example and everything follows. Red: draws outside the \
                 99 % region.";
    let shares = match excluded {
        [Some(laplace), Some(diagonal), Some(full)] => format!(
            " Outside that region lie {} of Laplace’s mass, {} of the diagonal Gaussian’s, and {} of the full one’s.",
            percent(laplace),
            percent(diagonal),
            percent(full)
        ),
        _ => String::new(),
    };
    let modes = if spec.twin {
        " The posterior density is the same at (u, v) and (−u, −v). A single Gaussian covers one of the two modes, which adds \
         ln 2 = 0.693 to its divergence."
    } else {
        " Only one of two symmetric modes is shown: the posterior density is the same at (−u, −v). A single Gaussian misses the \
         other mode, which adds ln 2 = 0.693 to each divergence."
    };
    let data = match spec.set {
        PlaneTrainingSet::Figure1 => {
            " The paper prints neither its data nor α and β; these four points were chosen so that the free energies match \
             the printed values."
        }
        _ => "",
    };
    let others = if FITTED.into_iter().any(|method| other_optimum(snapshot, method).is_some()) {
        " Dashed: the best fit of the same kind that ended in another optimum."
    } else {
        ""
    };
    format!("{exact}{shares}{others}{modes}{data}")
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
        let done = row.ending.is_some();
        let band = band(format!("{word}_band"), format!("{reads} ± 2 sd"), hue, x, predicted);
        let line = line(word, reads, hue, x, predicted);
        figure = figure.mark(band.settled_if(done)).mark(line.settled_if(done));
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
    let all_done = FITTED.into_iter().all(|method| is_finished(snapshot, method));
    let names = FITTED.iter().map(|method| method.label().to_owned()).collect();
    let lowest_top = if printed.is_some() { PRINTED[0] } else { 1.0 };
    let highest = kl.iter().chain(&free).map(|bar| bar.value).fold(lowest_top, f64::max);
    let ln_z = snapshot.exact.as_ref().map(|exact| minus(format_args!("{:.4}", exact.ln_z)));
    let ln_z = ln_z.map_or(String::new(), |ln_z| format!(" ln Z = {ln_z}."));
    let agreement = if printed.is_some() {
        " The values printed in Figure 1 of the paper (41, 4.6, 3.9) agree with F, without ln Z; these four points were chosen to match them."
    } else {
        ""
    };
    Figure::new("kl", "Divergence from the posterior")
        .x(Axis::categories("approximation", names))
        .y(Axis::linear("divergence and free energy, nats", (0.0, 1.1 * highest)).or_log())
        .caption(format!(
            "Divergence of each fit from the normalised posterior, KL = F + ln Z, and the free energy F.{ln_z}{agreement}"
        ))
        .summary(kl_summary(snapshot))
        .mark(Bars::new("kl", "KL", Hue::Blue, WIDTH, kl).settled_if(all_done))
        .mark(Bars::new("free_energy", "F", Hue::Sky, WIDTH, free).settled_if(all_done))
        .marks(printed)
}

/// Returns a sentence with the KL divergence of the best start of each fit.
fn kl_summary(snapshot: &PlaneSnapshot) -> String {
    let kl = |row: &FitRow<PlaneFit>| Some(format!("{} {}", row.method.label(), rounded(snapshot.kl(row)?)));
    let all: Vec<String> = snapshot.best_fits().filter_map(kl).collect();
    if all.is_empty() {
        String::new()
    } else {
        format!("KL divergence from the posterior in nats: {}.", all.join(", "))
    }
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
