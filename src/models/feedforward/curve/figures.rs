//! The learning-curve figure. Simulation and theory of the same quantity have one colour; theory is dashed.

use super::spec::CurveVariances;
use super::{CurveMeans, CurveSnapshot, CurveSpec, TheoryRow};
use crate::figure::{Axis, Curve, Figure, Hue, Marker, Point, Stroke};
use crate::math::stats::Mean;

/// Largest number of inputs N for which the finding is about the theory for N → ∞.
const FEW_INPUTS: usize = 20;

/// Returns the figure of the runs and of the theory at their α.
pub fn learning_curve(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Vec<Figure> {
    let means: Vec<CurveMeans> = (0..spec.ratios().count()).map(|i| snapshot.means(i)).collect();
    let measured =
        |key: &str, label: &str, hue, marker, pick: fn(&CurveMeans) -> Mean, map: &dyn Fn(f64) -> f64| {
            let points = spec.ratios().zip(&means).map(|(x, means)| point(x, pick(means), map));
            Curve::new(key, label, hue).marker(marker).points(points)
        };
    let same = |x: f64| x;
    let noisy = |x: f64| spec.noisy(x);
    let mut figure = theory_figure(spec, &snapshot.theory);
    let loo =
        measured("moving_control", "leave-one-out", Hue::Green, Marker::Diamond, |s| s.loo_bayes, &same);
    figure = figure.marks(own_leave_one_out(spec, &means));
    figure = figure.marks([
        loo.stroke(Stroke::Dotted),
        measured(
            "training_tilted",
            "training error, tilted",
            Hue::Purple,
            Marker::Circle,
            |s| s.train_tilted,
            &same,
        )
        .hidden(),
        measured("training", "training error", Hue::Purple, Marker::Triangle, |s| s.train_bayes, &same)
            .hidden(),
    ]);
    if spec.hidden > 1 {
        let loo = measured(
            "moving_control_opt",
            "leave-one-out, ⟨w⟩",
            Hue::Sky,
            Marker::Diamond,
            |s| s.loo_opt,
            &same,
        );
        figure = figure.mark(loo.stroke(Stroke::Dotted)).mark(measured(
            "opt",
            "network ⟨w⟩",
            Hue::Orange,
            Marker::Circle,
            |s| s.opt,
            &same,
        ));
    }
    let label = if spec.hidden > 1 { "Bayes prediction" } else { "test error, true labels" };
    figure = figure.mark(measured("clean", label, Hue::Blue, Marker::Disc, |s| s.bayes, &same));
    if spec.beta.is_finite() {
        let label = "test error, noisy labels";
        figure = figure.mark(measured("noisy", label, Hue::Vermilion, Marker::Square, |s| s.bayes, &noisy));
    }
    let shown = &mut figure;
    shown.y.expand_to_fit(&shown.marks);
    vec![
        figure
            .finding(finding(spec, &means, &snapshot.theory))
            .caption(caption(spec, snapshot.runs.len()))
            .summary(summary(spec, snapshot, &means)),
    ]
}

/// Returns the leave-one-out estimate with a cavity variance for each example, if it is asked for.
fn own_leave_one_out(spec: &CurveSpec, means: &[CurveMeans]) -> Option<Curve> {
    let points = spec.ratios().zip(means).map(|(x, means)| point(x, means.own_loo, &|y| y));
    let curve = Curve::new("moving_control_own", "leave-one-out, λ of each example", Hue::Ink);
    (spec.variance == CurveVariances::Own)
        .then(|| curve.marker(Marker::Diamond).stroke(Stroke::Dotted).points(points))
}

/// Returns the figure of the theory alone.
pub fn theory_curve(spec: &CurveSpec, rows: &[TheoryRow]) -> Vec<Figure> {
    vec![theory_figure(spec, rows)]
}

fn theory_figure(spec: &CurveSpec, rows: &[TheoryRow]) -> Figure {
    let end = spec.end();
    let curve = |key: &str, label: &str, hue, pick: &dyn Fn(&TheoryRow) -> Option<f64>| {
        let shown = rows.iter().filter(|t| t.ratio <= end);
        let points = shown.filter_map(|t| Some(Point::new(t.ratio, pick(t)?)));
        Curve::new(key, label, hue).stroke(Stroke::Dashed).points(points)
    };
    let mut curves = Vec::new();
    if spec.matched() {
        curves.push(finite_size(spec, rows));
        if spec.hidden == 1 {
            curves.push(
                curve("theory_training", "theory, training error", Hue::Purple, &|t| t.training).hidden(),
            );
            curves.push(curve("theory_clean", "theory, true labels", Hue::Blue, &|t| Some(t.bayes)));
        } else {
            curves.push(
                curve("theory_large", "theory, K → ∞", Hue::Ink, &|t| t.bayes_large)
                    .stroke(Stroke::DashDot)
                    .hidden(),
            );
            curves.push(curve("theory_opt", "theory, ⟨w⟩", Hue::Orange, &|t| Some(t.opt)));
            curves.push(curve("theory_clean", "theory, Bayes", Hue::Blue, &|t| Some(t.bayes)));
        }
        if spec.beta.is_finite() {
            let noisy = |t: &TheoryRow| Some(spec.noisy(t.bayes));
            curves.push(curve("theory_noisy", "theory, noisy labels", Hue::Vermilion, &noisy));
        }
    }
    let noted = rows.iter().filter(|t| t.ratio <= 0.35 * end).max_by(|a, b| a.ratio.total_cmp(&b.ratio));
    // The note is to the right of a point on the highest curve. Curves decrease, so that it does not cover them.
    let highest = |t: &TheoryRow| {
        let clean = if spec.hidden == 1 { t.bayes } else { t.opt };
        if spec.beta.is_finite() { clean.max(spec.noisy(t.bayes)) } else { clean }
    };
    let noted = noted.filter(|_| spec.matched()).map(|t| (t.ratio, highest(t)));
    let figure = Figure::new("curve", "Learning curve");
    let figure = match noted {
        Some(at) => figure.note(at, "dashed: theory, no fit"),
        None => figure,
    };
    figure
        .x(Axis::linear("examples per weight, α = m/N", (0.0, end * 1.02)).or_log())
        .y(Axis::linear("error rate, ε", (0.0, 0.55)).or_log())
        .marks(curves)
}

/// Returns the curve of theory at m/(N−K). A row without that value is drawn at a smaller α instead.
fn finite_size(spec: &CurveSpec, rows: &[TheoryRow]) -> Curve {
    let points = rows.iter().filter_map(|t| match t.bayes_finite {
        Some(y) => Some(Point::new(t.ratio, y)),
        None => Some(Point::new(t.ratio / spec.finite_size_factor(), t.bayes)).filter(|p| p.x <= spec.end()),
    });
    let label = format!("theory at m/(N−{}), heuristic", spec.hidden);
    Curve::new("theory_finite", label, Hue::Sky).stroke(Stroke::Dotted).points(points).hidden()
}

fn point(x: f64, mean: Mean, map: &dyn Fn(f64) -> f64) -> Point {
    let y = map(mean.mean);
    // The map is affine, so that it maps the error bar like a difference.
    Point::new(x, y).with_se((map(mean.mean + mean.se) - y).abs())
}

/// Returns the largest of the differences that are finite.
fn largest(differences: impl Iterator<Item = f64>) -> Option<f64> {
    differences.map(f64::abs).filter(|difference| difference.is_finite()).reduce(f64::max)
}

/// Returns a sentence on the largest difference between the leave-one-out estimate and the test error, and for few inputs on that
/// between the error and the theory for many.
fn finding(spec: &CurveSpec, means: &[CurveMeans], theory: &[TheoryRow]) -> String {
    let test_error = |clean: f64| if spec.beta.is_finite() { spec.noisy(clean) } else { clean };
    let known = spec.ratios().zip(means).filter_map(|(ratio, at)| {
        let theory = theory.iter().find(|row| row.ratio == ratio)?;
        Some(at.bayes.mean - theory.bayes)
    });
    let from_theory = largest(known);
    let from_theory = from_theory.filter(|_| spec.matched() && spec.inputs <= FEW_INPUTS);
    let differences = means.iter().map(|at| at.loo_bayes.mean - test_error(at.bayes.mean));
    match (largest(differences), from_theory) {
        (None, _) => "No run is finished yet.".to_owned(),
        (Some(largest), _) if spec.ignores_correlation() => format!(
            "Ignoring the correlation of the inputs breaks the leave-one-out estimate: it is off by up to {largest:.3}."
        ),
        (Some(largest), Some(from_theory)) => format!(
            "With only {} inputs, the test error is within {from_theory:.3} of the N → ∞ theory at every training-set size; the leave-one-out \
             estimate is within {largest:.3} of the test error.",
            spec.inputs
        ),
        (Some(largest), None) => format!(
            "The leave-one-out estimate needs no test data and is within {largest:.3} of the test error at every size."
        ),
    }
}

fn caption(spec: &CurveSpec, runs: usize) -> String {
    let noisy = if spec.beta.is_finite() {
        "Squares: the same predictions scored on fresh noisy labels. Diamonds: the leave-one-out estimate of that error \
         from the training set alone (the paper's “moving control”)."
    } else {
        "Diamonds: the leave-one-out estimate of that error from the training set alone (the paper's “moving control”)."
    };
    let limit = if spec.ignores_correlation() { " It is valid for uncorrelated inputs only." } else { "" };
    let opt = if spec.hidden > 1 {
        " Circles: the committee whose weights are the posterior mean ⟨w⟩; light blue diamonds: its leave-one-out estimate."
    } else {
        ""
    };
    let theory = if spec.matched() {
        format!(" Dashed: {}, for N → ∞; it uses no data and nothing is fitted.", spec.describe_theory())
    } else {
        " There is no theory for this teacher.".to_owned()
    };
    let runs = match runs {
        0 => "; no run is finished yet".to_owned(),
        runs => format!(
            ", averaged over {}; bars are one standard error. Training sets of a run are nested, so neighbouring points are \
             correlated",
            count_of_runs(runs)
        ),
    };
    let truth = spec.describe_truth();
    format!(
        "Learning curve of the {}, {}, N\u{a0}=\u{a0}{}{runs}. Discs: error of the Bayes prediction against \
         {truth}.{opt} {noisy}{limit}{theory} Triangles, if switched on: training error, scored on the noisy labels.",
        spec.describe_machine(),
        spec.describe_circumstances(),
        spec.inputs
    )
}

fn count_of_runs(runs: usize) -> String {
    if runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") }
}

fn summary(spec: &CurveSpec, snapshot: &CurveSnapshot, means: &[CurveMeans]) -> String {
    let (machine, noise) = (spec.describe_machine(), spec.describe_circumstances());
    let last = spec.ratios().enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
    let (Some((i, alpha)), false) = (last, snapshot.runs.is_empty()) else {
        return format!("Learning curve of the {machine}, {noise}: no run is finished yet.");
    };
    let clean = means[i].bayes;
    let theory = snapshot
        .theory
        .get(i)
        .map_or(String::new(), |t| format!("; {} gives {:.3}", spec.describe_theory(), t.bayes));
    let (truth, runs) = (spec.describe_truth(), count_of_runs(snapshot.runs.len()));
    let error = if clean.mean.is_finite() {
        format!("the error against {truth} is {:.3} over {runs}", clean.mean)
    } else {
        format!("none of {runs} has a solution")
    };
    format!("Learning curve of the {machine}, {noise}: with {alpha} examples per weight {error}{theory}.")
}
