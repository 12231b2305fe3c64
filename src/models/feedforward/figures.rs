//! The learning-curve figure. Simulation and theory of one quantity share a colour; theory is dashed.

use super::{CurveSnapshot, CurveSpec, Solve, TheoryRow};
use crate::figure::{Axis, Curve, Figure, Hue, Marker, Point, Stroke};
use crate::math::stats::Mean;

/// The runs, and the theory at their α.
pub fn learning_curve(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Vec<Figure> {
    let measured =
        |key: &str, label: &str, hue, marker, pick: fn(&Solve) -> f64, map: &dyn Fn(f64) -> f64| {
            let points = spec.ratios().enumerate().map(|(i, x)| point(x, snapshot.average(i, pick), map));
            Curve::new(key, label, hue).marker(marker).points(points)
        };
    let same = |x: f64| x;
    let noisy = |x: f64| spec.noisy(x);
    let mut figure = theory_figure(spec, &snapshot.theory);
    let loo = measured(
        "moving_control",
        "moving control",
        Hue::Green,
        Marker::Diamond,
        |s| s.moving_control,
        &same,
    );
    figure.curves.extend([
        loo.stroke(Stroke::Dotted),
        measured("training", "training error", Hue::Purple, Marker::Triangle, |s| s.training, &same),
        measured("clean", "error, clean labels", Hue::Blue, Marker::Disc, |s| s.clean, &same),
    ]);
    if spec.beta.is_finite() {
        let label = "error, noisy labels";
        figure.curves.push(measured("noisy", label, Hue::Vermilion, Marker::Square, |s| s.clean, &noisy));
    }
    figure.caption = caption(spec, snapshot.runs.len());
    figure.summary = summary(spec, snapshot);
    vec![figure]
}

/// Theory alone, on a fine grid.
pub fn theory_curve(spec: &CurveSpec, rows: &[TheoryRow]) -> Vec<Figure> {
    vec![theory_figure(spec, rows)]
}

fn theory_figure(spec: &CurveSpec, rows: &[TheoryRow]) -> Figure {
    let curve = |key: &str, label: &str, hue, pick: &dyn Fn(&TheoryRow) -> f64| {
        let mut points: Vec<Point> =
            rows.iter().map(|t| Point { x: t.ratio, y: pick(t), se: None }).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Curve::new(key, label, hue).stroke(Stroke::Dashed).points(points)
    };
    let mut curves = vec![
        curve("theory_training", "theory, training", Hue::Purple, &|t| t.training),
        curve("theory_clean", "theory, clean", Hue::Blue, &|t| t.clean),
    ];
    if spec.beta.is_finite() {
        curves.push(curve("theory_noisy", "theory, noisy", Hue::Vermilion, &|t| spec.noisy(t.clean)));
    }
    let end = spec.ratios().fold(0.0, f64::max);
    Figure {
        id: "curve".into(),
        title: "Learning curve".into(),
        caption: String::new(),
        summary: String::new(),
        x: Axis::linear("examples per weight, α = m/N", (0.0, end * 1.02)).or_log(),
        y: Axis::linear("error rate, ε", (0.0, 0.55)).or_log(),
        curves,
    }
}

fn point(x: f64, mean: Mean, map: &dyn Fn(f64) -> f64) -> Point {
    let y = map(mean.mean);
    // The map is affine, so it carries the error bar as it carries a difference.
    let se = (map(mean.mean + mean.se) - y).abs();
    Point { x, y, se: se.is_finite().then_some(se) }
}

fn caption(spec: &CurveSpec, runs: usize) -> String {
    let noisy = if spec.beta.is_finite() {
        " Squares: the same predictions scored on fresh noisy labels, which moving control (diamonds) estimates \
          from the training set alone."
    } else {
        " Diamonds: moving control, the leave-one-out estimate from the training set alone."
    };
    format!(
        "Learning curve of the simple perceptron with {}, N\u{a0}=\u{a0}{}, averaged over {runs} runs; bars are one standard \
         error. Discs: prediction error against the noiseless teacher.{noisy} Triangles: training error. Dashed: \
         replica theory for N → ∞, which uses no data.",
        spec.noise_in_words(),
        spec.inputs
    )
}

fn summary(spec: &CurveSpec, snapshot: &CurveSnapshot) -> String {
    let last = spec.ratios().enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
    let (Some((i, alpha)), false) = (last, snapshot.runs.is_empty()) else {
        return format!(
            "Learning curve of the perceptron with {}: no run is finished yet.",
            spec.noise_in_words()
        );
    };
    let clean = snapshot.average(i, |s| s.clean);
    let theory =
        snapshot.theory.get(i).map_or(String::new(), |t| format!("; replica theory says {:.3}", t.clean));
    format!(
        "Learning curve of the perceptron with {}: with {alpha} examples a weight the error against the noiseless \
         teacher is {:.3} over {} runs{theory}.",
        spec.noise_in_words(),
        clean.mean,
        snapshot.runs.len()
    )
}
