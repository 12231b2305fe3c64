//! The learning-curve figure. Simulation and theory of the same quantity have one colour; theory is dashed.

use super::spec::CurveVariances;
use super::texts::{caption, finding, summary};
use super::{CurveMeans, CurveSnapshot, CurveSpec, SolveSummary, TheoryRow};
use crate::figure::{Axis, Band, Curve, Figure, Hue, Interval, Mark, Marker, Point, Stroke, Thread, Threads};
use crate::math::stats::Mean;

/// Largest number of runs that are drawn one by one.
pub(super) const MAX_THREADS: usize = 50;

/// Key of the estimates of single learners.
const ESTIMATES: &str = "estimates";

/// Returns the figure of the runs and of the theory at their α.
pub fn learning_curve(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Vec<Figure> {
    let means: Vec<CurveMeans> = (0..spec.ratios().count()).map(|i| snapshot.means(i)).collect();
    let mut figure = frame(spec, &snapshot.theory);
    figure = figure.marks(label_noise(spec, &snapshot.theory));
    if !spec.is_matched() && spec.beta.is_finite() {
        figure = figure.mark(noise_band(spec, spec.ratios().zip(&means).map(|(x, at)| (x, at.bayes.mean))));
    }
    let figure = figure.marks(threads(spec, snapshot));
    let figure = figure.marks(theory_curves(spec, &snapshot.theory));
    let mut figure = figure.marks(measured_curves(spec, &means));
    let Figure { y, marks, .. } = &mut figure;
    // The estimates of single learners are far from their mean, and hidden at first.
    let on_axis: Vec<Mark> = marks.iter().filter(|mark| mark.key() != ESTIMATES).cloned().collect();
    y.expand_to_fit(&on_axis);
    vec![
        figure
            .finding(finding(spec, &means, &snapshot.theory))
            .caption(caption(spec, snapshot.runs.len(), snapshot.runs.len().min(MAX_THREADS)))
            .summary(summary(spec, snapshot, &means)),
    ]
}

/// Returns the figure of the theory alone.
pub fn theory_curve(spec: &CurveSpec, rows: &[TheoryRow]) -> Vec<Figure> {
    vec![frame(spec, rows).marks(label_noise(spec, rows)).marks(theory_curves(spec, rows))]
}

/// Returns the figure without marks: axes, and the note on the theory.
fn frame(spec: &CurveSpec, rows: &[TheoryRow]) -> Figure {
    let end = spec.end();
    let figure = Figure::new("curve", "Learning curve")
        .x(Axis::linear("examples per weight, α = m/N", (0.0, end * 1.02)).or_log())
        .y(Axis::linear("error rate, ε", (0.0, 0.55)).or_log());
    // The note is to the right of a point on the highest curve. Curves decrease, so that it does not cover them.
    let highest = |t: &TheoryRow| {
        let clean = if spec.hidden == 1 { t.bayes } else { t.opt };
        if spec.beta.is_finite() { clean.max(spec.noisy(t.bayes)) } else { clean }
    };
    let noted = rows.iter().filter(|t| t.ratio <= 0.35 * end).max_by(|a, b| a.ratio.total_cmp(&b.ratio));
    match noted.filter(|_| shows_theory(spec)) {
        Some(at) => figure.note((at.ratio, highest(at)), "dashed: theory, without data"),
        None => figure,
    }
}

/// Returns true if the theory is drawn; the paper's figure of the committee has none.
fn shows_theory(spec: &CurveSpec) -> bool {
    spec.is_matched() && !(spec.as_in_paper() && spec.hidden > 1)
}

/// Returns the area between the errors on true and on noisy labels by theory, if there is one and the labels are noisy.
fn label_noise(spec: &CurveSpec, rows: &[TheoryRow]) -> Option<Band> {
    let noisy = spec.is_matched() && spec.beta.is_finite();
    let shown = rows.iter().filter(|t| t.ratio <= spec.end());
    noisy.then(|| noise_band(spec, shown.map(|t| (t.ratio, t.bayes))))
}

/// Returns the area between errors on true labels, given by α, and those on noisy labels.
fn noise_band(spec: &CurveSpec, clean: impl Iterator<Item = (f64, f64)>) -> Band {
    let intervals = clean.map(|(x, clean)| Interval { x, lower: clean, upper: spec.noisy(clean) });
    Band::new("label_noise", "extra error from flipped labels", Hue::Yellow, intervals)
        .hidden_if(spec.as_in_paper())
}

/// Returns the curves of the first runs: their errors, and their own estimates.
fn threads(spec: &CurveSpec, snapshot: &CurveSnapshot) -> [Threads; 2] {
    let of = |key: &str, label: &str, hue, pick: fn(&SolveSummary) -> f64| {
        let runs = snapshot.runs.iter().take(MAX_THREADS).map(|run| {
            let solved = spec.ratios().zip(&run.solves).filter(|(_, solve)| solve.converged);
            Thread::new(format!("run {}", run.run + 1), solved.map(|(x, solve)| (x, pick(solve))))
        });
        Threads::new(key, label, hue, runs)
    };
    [
        of(ESTIMATES, "one learner's estimate each", Hue::Green, |solve| solve.loo_bayes).hidden(),
        of("learners", "one learner each, true labels", Hue::Blue, |solve| solve.bayes)
            .hidden_if(spec.as_in_paper()),
    ]
}

/// Returns the dashed curves of the theory.
fn theory_curves(spec: &CurveSpec, rows: &[TheoryRow]) -> Vec<Curve> {
    if !spec.is_matched() {
        return Vec::new();
    }
    let curve = |key: &str, label: &str, hue, pick: &dyn Fn(&TheoryRow) -> Option<f64>| {
        let shown = rows.iter().filter(|t| t.ratio <= spec.end());
        let points = shown.filter_map(|t| Some(Point::new(t.ratio, pick(t)?)));
        Curve::new(key, label, hue).stroke(Stroke::Dashed).points(points)
    };
    // Each has the colour of the measured curve beside it, and a note says what is dashed.
    let main = |curve: Curve| if shows_theory(spec) { curve.unnamed() } else { curve.hidden() };
    let mut curves = vec![finite_size(spec, rows)];
    if spec.hidden == 1 {
        curves.push(
            curve("theory_training", "predicted, training error", Hue::Purple, &|t| t.training).hidden(),
        );
        curves
            .push(main(curve("theory_clean", "predicted error, true labels", Hue::Blue, &|t| Some(t.bayes))));
    } else {
        let large = curve("theory_large", "predicted, K → ∞", Hue::Ink, &|t| t.bayes_large);
        curves.push(large.stroke(Stroke::DashDot).hidden());
        curves.push(main(curve("theory_opt", "predicted, network ⟨w⟩", Hue::Orange, &|t| Some(t.opt))));
        curves.push(main(curve("theory_clean", "predicted, Bayes", Hue::Blue, &|t| Some(t.bayes))));
    }
    if spec.beta.is_finite() {
        let noisy = |t: &TheoryRow| Some(spec.noisy(t.bayes));
        curves.push(main(curve("theory_noisy", "predicted error, noisy labels", Hue::Vermilion, &noisy)));
    }
    curves
}

/// Returns the curve of theory at m/(N−K). A row without that value is drawn at a smaller α instead.
fn finite_size(spec: &CurveSpec, rows: &[TheoryRow]) -> Curve {
    let points = rows.iter().filter_map(|t| match t.bayes_finite {
        Some(y) => Some(Point::new(t.ratio, y)),
        None => Some(Point::new(t.ratio / spec.finite_size_factor(), t.bayes)).filter(|p| p.x <= spec.end()),
    });
    let label = format!("predicted at m/(N−{}), heuristic", spec.hidden);
    Curve::new("theory_finite", label, Hue::Sky).stroke(Stroke::Dotted).points(points).hidden()
}

/// Returns the means over the runs. In the paper's figures they are joined by the paper's lines.
fn measured_curves(spec: &CurveSpec, means: &[CurveMeans]) -> Vec<Mark> {
    let paper = spec.as_in_paper();
    let measured = |key: &str,
                    label: &str,
                    (hue, marker, stroke),
                    pick: fn(&CurveMeans) -> Mean,
                    map: &dyn Fn(f64) -> f64| {
        let points = spec.ratios().zip(means).map(|(x, means)| point(x, pick(means), map));
        let curve = Curve::new(key, label, hue).marker(marker).points(points);
        if paper { curve.stroke(stroke) } else { curve }
    };
    let same = |x: f64| x;
    let estimate = if paper { Marker::Diamond } else { Marker::Ring };
    let of_bayes = if spec.hidden == 1 { Stroke::Dotted } else { Stroke::Dashed };
    let tilted = (Hue::Purple, Marker::Circle, Stroke::Solid);
    let training = (Hue::Purple, Marker::Triangle, Stroke::Solid);
    let training = measured("training", "training error", training, |s| s.train_bayes, &same);
    let mut curves = vec![
        measured("training_tilted", "training error, tilted", tilted, |s| s.train_tilted, &same).hidden(),
        training.hidden_if(!paper),
    ];
    if spec.hidden > 1 {
        let (own, opt) =
            ((Hue::Sky, estimate, Stroke::DashDot), (Hue::Orange, Marker::Circle, Stroke::Dotted));
        let label = "own estimate, network ⟨w⟩";
        curves.push(measured("moving_control_opt", label, own, |s| s.loo_opt, &same).hidden_if(!paper));
        curves.push(measured("opt", "error on true labels, network ⟨w⟩", opt, |s| s.opt, &same));
    }
    let clean = if spec.hidden > 1 { "error on true labels, Bayes" } else { "error on true labels" };
    curves.push(measured("clean", clean, (Hue::Blue, Marker::Disc, Stroke::Solid), |s| s.bayes, &same));
    if spec.beta.is_finite() {
        let (style, noisy) = ((Hue::Vermilion, Marker::Square, Stroke::Solid), |x: f64| spec.noisy(x));
        curves.push(measured("noisy", "error on noisy labels", style, |s| s.bayes, &noisy));
    }
    let label = "the learner's own estimate, without a test set";
    curves.push(measured("moving_control", label, (Hue::Green, estimate, of_bayes), |s| s.loo_bayes, &same));
    if spec.variance == CurveVariances::Own {
        let own = (Hue::Ink, Marker::Diamond, Stroke::Dotted);
        curves.push(measured(
            "moving_control_own",
            "own estimate, a variance for each example",
            own,
            |s| s.own_loo,
            &same,
        ));
    }
    curves.into_iter().map(Mark::from).collect()
}

fn point(x: f64, mean: Mean, map: &dyn Fn(f64) -> f64) -> Point {
    let y = map(mean.mean);
    // The map is affine, so that it maps the error bar like a difference.
    Point::new(x, y).with_se((map(mean.mean + mean.se) - y).abs())
}
