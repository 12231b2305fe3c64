//! The scan over σ², the fit, and the residuals.

use super::share;
use crate::figure::{Axis, Curve, Figure, Hue, Marker, Point, Segments, Stroke, minus};
use crate::lab::Residuals;
use crate::lab::labelled_table::{NO_SOLUTION_YET, empty_figure};
use crate::math::stats::sorted;
use crate::models::gp::fit::STARTS;
use crate::models::gp::table::{
    ClassifierSnapshot, FitBy, FitStart, HyperparameterValues, Method, SearchEvaluation, SolutionScores,
    SolveSummary, TableSpec,
};

fn sigma2_axis(spec: &TableSpec) -> Axis {
    let (low, high) =
        spec.sigma2_grid.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), s| (l.min(*s), h.max(*s)));
    Axis::log("smoothness, σ²", (0.9 * low, 1.1 * high))
}

/// Returns the values of σ² with a solution, and its scores.
fn scanned(snapshot: &ClassifierSnapshot) -> Vec<(f64, SolutionScores)> {
    snapshot.scan.iter().filter_map(|solve| Some((solve.hyper.sigma2, solve.scores?))).collect()
}

/// Returns the first solution at which `value` is largest.
fn best(
    scan: &[(f64, SolutionScores)],
    value: impl Fn(&SolutionScores) -> f64,
) -> Option<(f64, SolutionScores)> {
    scan.iter().copied().reduce(|best, next| if value(&next.1) > value(&best.1) { next } else { best })
}

/// Returns the curve of a score over σ².
fn curve(
    scan: &[(f64, SolutionScores)],
    (key, label): (&str, &str),
    (hue, marker): (Hue, Marker),
    value: impl Fn(&SolutionScores) -> f64,
) -> Curve {
    let points = scan.iter().map(|(sigma2, scores)| Point::new(*sigma2, value(scores)));
    Curve::new(key, label, hue).stroke(Stroke::Solid).marker(marker).points(points)
}

/// Returns the vertical line at one σ².
fn vertical(key: &str, label: &str, hue: Hue, at: f64, range: (f64, f64)) -> Segments {
    Segments::new(key, label, hue, Stroke::Dashed, [[(at, range.0), (at, range.1)]])
}

/// Returns the figure of log evidence and leave-one-out log probability over σ².
pub fn evidence(spec: &TableSpec, snapshot: &ClassifierSnapshot) -> Figure {
    let scan = scanned(snapshot);
    let (label, name) =
        if spec.method == Method::Naive { ("−G", "−G") } else { ("log evidence", "evidence") };
    let axis = Axis::around("log probability, nats", scan.iter().flat_map(|(_, s)| [s.minus_g, s.ln_loo]));
    let range = axis.range;
    let ln_loo = ("ln_loo", "leave-one-out log probability");
    let base = empty_figure("scan_evidence", "Evidence over σ²", sigma2_axis(spec), axis).marks([
        curve(&scan, ("evidence", label), (Hue::Blue, Marker::Disc), |s| s.minus_g),
        curve(&scan, ln_loo, (Hue::Orange, Marker::Square), |s| s.ln_loo),
    ]);
    let (Some(evidence), Some(left_out)) = (best(&scan, |s| s.minus_g), best(&scan, |s| s.ln_loo)) else {
        return base;
    };
    let sentence = format!(
        "The {name} is largest, {}, at σ² = {}; the leave-one-out log probability, {}, at σ² = {}.",
        minus(format_args!("{:.3}", evidence.1.minus_g)),
        evidence.0,
        minus(format_args!("{:.3}", left_out.1.ln_loo)),
        left_out.0
    );
    let caption = format!(
        "Log evidence of all labels, and log probability of each label given the others. {sentence}{}",
        unsolved(snapshot)
    );
    base.caption(caption).summary(sentence).mark(vertical("largest", "largest", Hue::Ink, evidence.0, range))
}

/// Returns the figure of the error rates over σ².
pub fn errors(spec: &TableSpec, snapshot: &ClassifierSnapshot) -> Figure {
    let scan = scanned(snapshot);
    let table = snapshot.shown().map(|shown| &shown.table);
    let (rows, tests) = table.map_or((0, 0), |table| (table.labels.len(), table.test_labels.len()));
    let rate = |errors: usize, rows: usize| errors as f64 / rows.max(1) as f64;
    let loo = |s: &SolutionScores| rate(s.loo_errors, rows);
    let test = |s: &SolutionScores| rate(s.test_errors, tests);
    let range = (0.0, 1.05 * scan.iter().map(|(_, s)| loo(s).max(test(s))).fold(0.1, f64::max));
    let base =
        empty_figure("scan_errors", "Errors over σ²", sigma2_axis(spec), Axis::linear("error rate", range));
    if table.is_none() {
        return base;
    }
    let tested = (tests > 0).then(|| curve(&scan, ("test", "test"), (Hue::Orange, Marker::Square), test));
    let trained = (Hue::Green, Marker::Triangle);
    let base = base
        .mark(curve(&scan, ("loo", "leave-one-out"), (Hue::Blue, Marker::Disc), loo))
        .marks(tested)
        .mark(curve(&scan, ("train", "training"), trained, |s| rate(s.train_errors, rows)).hidden());
    let (Some(evidence), Some(least)) = (best(&scan, |s| s.minus_g), best(&scan, |s| -(s.loo_errors as f64)))
    else {
        return base;
    };
    let errors_at = |(sigma2, s): (f64, SolutionScores)| {
        let tested =
            if tests > 0 { format!(" and {} test rows", share(s.test_errors, tests)) } else { String::new() };
        let left_out = share(s.loo_errors, rows);
        format!("at σ² = {sigma2} {left_out} rows in leave-one-out{tested} are misclassified")
    };
    let sentence = format!(
        "Where leave-one-out has the fewest errors, {}; where the evidence is largest, {}.",
        errors_at(least),
        errors_at(evidence)
    );
    let caption = format!("Errors over σ², the other settings as given. {sentence}{}", unsolved(snapshot));
    base.caption(caption)
        .summary(sentence)
        .mark(vertical("largest", "largest evidence", Hue::Ink, evidence.0, range))
        .mark(vertical("fewest", "fewest in leave-one-out", Hue::Purple, least.0, range))
}

/// Names the values of σ² without a solution.
fn unsolved(snapshot: &ClassifierSnapshot) -> String {
    let unsolved = snapshot.scan.iter().filter(|solve| solve.scores.is_none());
    let values: Vec<String> = unsolved.map(|solve| solve.hyper.sigma2.to_string()).collect();
    if values.is_empty() {
        String::new()
    } else {
        format!(" There is no solution at σ² = {}.", values.join(", "))
    }
}

/// Returns the figure of the objective of the fit for each row, evaluation by evaluation.
pub fn fit(spec: &TableSpec, snapshot: &ClassifierSnapshot) -> Figure {
    let what = if spec.fit == FitBy::Evidence { "log evidence" } else { "leave-one-out log probability" };
    let all: Vec<(&FitStart, SearchEvaluation)> = snapshot.evaluations().collect();
    let values = || {
        let value = |(i, (start, e)): (usize, &(&FitStart, SearchEvaluation))| {
            Some((i as f64 + 1.0, e.value? / start.rows.max(1) as f64, start.start))
        };
        all.iter().enumerate().filter_map(value)
    };
    // The axis omits the lowest tenth: the first steps may be far below the optimum.
    let sorted = sorted(&values().map(|v| v.1).collect::<Vec<_>>());
    let low = sorted.len() / 10;
    let axis = Axis::linear("evaluation", (0.0, all.len().max(1) as f64 + 1.0));
    let each = format!("{what} per row");
    let base = empty_figure("fit", "The fit", axis, Axis::around(&each, sorted[low..].iter().copied()));
    if all.is_empty() {
        return base;
    }
    let hues = [Hue::Blue, Hue::Orange, Hue::Green, Hue::Purple, Hue::Ink];
    let curve = |search: &FitStart| {
        let start = search.start;
        let name = if start < STARTS { format!("start {}", start + 1) } else { "all rows".to_owned() };
        let points = values().filter(move |v| v.2 == start).map(|v| Point::new(v.0, v.1));
        Curve::new(format!("start{}", start + 1), name, hues[start % hues.len()])
            .stroke(Stroke::Solid)
            .marker(Marker::Disc)
            .points(points)
    };
    let best = snapshot.best_found(spec);
    let sentence = best.map_or(String::new(), |(SearchEvaluation { value, hyper }, _)| {
        let value = value.map_or(String::new(), |x| minus(format_args!("{x:.3}")));
        let HyperparameterValues { sigma2, v, kappa } = hyper;
        format!(
            "After {} evaluations the {what} is {value}, at σ² = {sigma2:.4}, v = {v:.4} and κ = {kappa:.4}.",
            all.len()
        )
    });
    let end = snapshot.best_start();
    let ending = end.map_or(String::new(), |end| format!(" How the best search ended: {}.", end.message));
    let rows = snapshot.starts.first().map_or(0, |start| start.rows);
    let caption = format!(
        "Values found while fitting: short searches of {rows} rows from several starts, and a search of all rows from the best of \
         them. The last start fits κ as well, which is kept if it gains more than a nat. {sentence}{ending}"
    );
    base.caption(caption).summary(sentence).marks(snapshot.starts.iter().map(curve))
}

/// Returns the figure of the residual after each step.
pub fn residuals(spec: &TableSpec, snapshot: &ClassifierSnapshot) -> Figure {
    let none = Residuals::default();
    let main = snapshot.shown();
    let rows = main.map_or(&none, |main| &main.residuals);
    let step = if spec.method.is_iteration() { "sweep, t" } else { "step, t" };
    let base = rows.figure(step, None);
    let Some(main) = main else { return base.caption(NO_SOLUTION_YET).summary(NO_SOLUTION_YET) };
    let SolveSummary { outer_iterations, newton_solves, residual, .. } = main.solve;
    let how = match spec.method {
        Method::Parallel => {
            format!("{outer_iterations} sweeps of the parallel iteration, damped by {}", spec.damping)
        }
        Method::Sequential => format!("{outer_iterations} sweeps of the sequential iteration"),
        Method::Tap => {
            format!("{newton_solves} Newton solves and {outer_iterations} updates of the variances")
        }
        Method::Naive | Method::Laplace => format!("{newton_solves} Newton solves"),
    };
    let sentence = format!("After {how} the residual is {residual:.1e}.");
    let caption =
        format!("Residual of the equations after each step, relative to the largest element. {sentence}");
    let failed = main.solve.ending.is_some() && main.solution.is_none();
    let finding = if failed { format!("No solution was found. {sentence}") } else { String::new() };
    base.caption(caption).finding(finding).summary(sentence)
}
