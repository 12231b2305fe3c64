//! How settings compare and how a solution was reached: the scan over σ², the fit, and the residuals.

use super::{NOT_YET, empty, point, share};
use crate::figure::{Axis, Curve, Figure, Hue, Marker, Segments, Stroke, minus};
use crate::lab::Residuals;
use crate::math::stats::sorted;
use crate::models::gp::table::{Attempt, Evaluation, FitBy, Method, OwnSnapshot, OwnSpec, Scores};

fn sigma2_axis(spec: &OwnSpec) -> Axis {
    let (low, high) =
        spec.sigma2_grid.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), s| (l.min(*s), h.max(*s)));
    Axis::log("squared length scale, σ²", (0.9 * low, 1.1 * high))
}

/// The solutions of the scan.
fn scanned(snapshot: &OwnSnapshot) -> Vec<(f64, Scores)> {
    snapshot.scan.iter().filter_map(|attempt| Some((attempt.sigma2, attempt.scores?))).collect()
}

/// The first place at which `value` is largest.
fn best(scan: &[(f64, Scores)], value: impl Fn(&Scores) -> f64) -> Option<(f64, Scores)> {
    scan.iter().copied().reduce(|best, next| if value(&next.1) > value(&best.1) { next } else { best })
}

/// A line from below to above at one σ².
fn upright(key: &str, label: &str, hue: Hue, at: f64, range: (f64, f64)) -> Segments {
    Segments::new(key, label, hue, Stroke::Dashed, [[(at, range.0), (at, range.1)]])
}

/// Evidence and leave-one-out probability over σ².
pub fn evidence(spec: &OwnSpec, snapshot: &OwnSnapshot) -> Figure {
    let scan = scanned(snapshot);
    let name = if spec.method == Method::Naive { "−G" } else { "log evidence" };
    let axis = Axis::around("nats", scan.iter().flat_map(|(_, s)| [s.minus_g, s.ln_loo]));
    let range = axis.range;
    let base = empty("scan_evidence", "Evidence over σ²", sigma2_axis(spec), axis);
    let by = |value: fn(&Scores) -> f64| scan.iter().map(move |(sigma2, s)| point(*sigma2, value(s)));
    let curves = [
        Curve::new("evidence", name, Hue::Blue)
            .stroke(Stroke::Solid)
            .marker(Marker::Disc)
            .points(by(|s| s.minus_g)),
        Curve::new("ln_loo", "leave-one-out log probability", Hue::Orange)
            .stroke(Stroke::Solid)
            .marker(Marker::Square)
            .points(by(|s| s.ln_loo)),
    ];
    let (Some(evidence), Some(left_out)) = (best(&scan, |s| s.minus_g), best(&scan, |s| s.ln_loo)) else {
        return base.marks(curves);
    };
    let sentence = format!(
        "The {} is largest, {}, at σ² = {}; the leave-one-out log probability, {}, at σ² = {}.",
        if spec.method == Method::Naive { "−G" } else { "evidence" },
        minus(format_args!("{:.3}", evidence.1.minus_g)),
        evidence.0,
        minus(format_args!("{:.3}", left_out.1.ln_loo)),
        left_out.0
    );
    let caption = format!(
        "Log evidence of all labels, and log probability of each label given the others. {sentence}{}",
        missing(snapshot)
    );
    base.caption(caption).summary(sentence).marks(curves).mark(upright(
        "largest",
        "largest",
        Hue::Ink,
        evidence.0,
        range,
    ))
}

/// Errors over σ².
pub fn errors(spec: &OwnSpec, snapshot: &OwnSnapshot) -> Figure {
    let scan = scanned(snapshot);
    let table = snapshot.main.as_ref().map(|main| &main.table);
    let (rows, tests) = table.map_or((0, 0), |table| (table.labels.len(), table.test_labels.len()));
    let of = |part: usize, all: usize| part as f64 / all.max(1) as f64;
    let loo = |s: &Scores| of(s.loo_errors, rows);
    let test = |s: &Scores| of(s.test_errors, tests);
    let train = |s: &Scores| of(s.train_errors, rows);
    let range = (0.0, 1.05 * scan.iter().map(|(_, s)| loo(s).max(test(s))).fold(0.1, f64::max));
    let base = empty("scan_errors", "Errors over σ²", sigma2_axis(spec), Axis::linear("error rate", range));
    if table.is_none() {
        return base;
    }
    let by =
        |value: &dyn Fn(&Scores) -> f64| scan.iter().map(|(s2, s)| point(*s2, value(s))).collect::<Vec<_>>();
    let line = |key: &str, label: &str, hue, marker| {
        Curve::new(key, label, hue).stroke(Stroke::Solid).marker(marker)
    };
    let mut curves = vec![line("loo", "leave-one-out", Hue::Blue, Marker::Disc).points(by(&loo))];
    if tests > 0 {
        curves.push(line("test", "test", Hue::Orange, Marker::Square).points(by(&test)));
    }
    curves.push(line("train", "training", Hue::Green, Marker::Triangle).points(by(&train)).hidden());
    let (Some(evidence), Some(least)) = (best(&scan, |s| s.minus_g), best(&scan, |s| -(s.loo_errors as f64)))
    else {
        return base.marks(curves);
    };
    let there = |(sigma2, s): (f64, Scores)| {
        let tested =
            if tests > 0 { format!(" and {} test rows", share(s.test_errors, tests)) } else { String::new() };
        format!(
            "at σ² = {sigma2} {} rows in leave-one-out{tested} are misclassified",
            share(s.loo_errors, rows)
        )
    };
    let sentence = format!(
        "Where leave-one-out has the fewest errors, {}; where the evidence is largest, {}.",
        there(least),
        there(evidence)
    );
    let caption = format!("Errors over σ², the other settings as given. {sentence}{}", missing(snapshot));
    base.caption(caption)
        .summary(sentence)
        .marks(curves)
        .mark(upright("largest", "largest evidence", Hue::Ink, evidence.0, range))
        .mark(upright("fewest", "fewest in leave-one-out", Hue::Purple, least.0, range))
}

/// Words for what a scan could not solve.
fn missing(snapshot: &OwnSnapshot) -> String {
    let unsolved = |attempt: &&Attempt| attempt.scores.is_none();
    let without: Vec<String> = snapshot.scan.iter().filter(unsolved).map(|a| a.sigma2.to_string()).collect();
    if without.is_empty() {
        String::new()
    } else {
        format!(" There is no solution at σ² = {}.", without.join(", "))
    }
}

/// What a fit made large, evaluation by evaluation.
pub fn fit(spec: &OwnSpec, snapshot: &OwnSnapshot) -> Figure {
    let what = if spec.fit == FitBy::Evidence { "log evidence" } else { "leave-one-out log probability" };
    let all: Vec<(usize, Evaluation)> = snapshot.evaluations().collect();
    let values =
        || all.iter().enumerate().filter_map(|(i, (start, e))| Some((i as f64 + 1.0, e.value?, *start)));
    // The first steps may be far below everything that matters.
    let sorted = sorted(&values().map(|v| v.1).collect::<Vec<_>>());
    let low = sorted.len() / 10;
    let axis = Axis::linear("evaluation", (0.0, all.len().max(1) as f64 + 1.0));
    let base = empty("fit", "The fit", axis, Axis::around(what, sorted[low..].iter().copied()));
    if all.is_empty() {
        return base;
    }
    let hues = [Hue::Blue, Hue::Orange, Hue::Green, Hue::Purple];
    let starts = all.iter().map(|(start, _)| start + 1).max().unwrap_or(0);
    let curve = |start: usize| {
        let own = values().filter(move |v| v.2 == start).map(|v| point(v.0, v.1));
        Curve::new(format!("start{}", start + 1), format!("start {}", start + 1), hues[start % hues.len()])
            .stroke(Stroke::Solid)
            .marker(Marker::Disc)
            .points(own)
    };
    let sentence = snapshot.reached(spec).map_or(String::new(), |(Evaluation { value, sigma2, v, kappa, .. }, _)| {
        let value = value.map_or(String::new(), |x| minus(format_args!("{x:.3}")));
        format!(
            "After {} evaluations the {what} is {value}, at σ² = {sigma2:.4}, v = {v:.4} and κ = {kappa:.4}.",
            all.len()
        )
    });
    let end = snapshot.best_search();
    let words = end.map_or(String::new(), |end| format!(" How the best start ended: {}.", end.words));
    let caption = format!("Values found while fitting, from several starts. {sentence}{words}");
    base.caption(caption).summary(sentence).marks((0..starts).map(curve))
}

/// How far from a solution each step was.
pub fn residuals(spec: &OwnSpec, snapshot: &OwnSnapshot) -> Figure {
    let none = Residuals::default();
    let main = snapshot.main.as_ref();
    let rows = main.map_or(&none, |main| &main.residuals);
    let iterated = matches!(spec.method, Method::Parallel | Method::Sequential);
    let step = if iterated { "sweep, t" } else { "step, t" };
    let base = rows.figure(step, None);
    let Some(main) = main else { return base.caption(NOT_YET).summary(NOT_YET) };
    let Attempt { outer_iterations, newton_solves, residual, .. } = main.attempt;
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
    base.caption(caption).summary(sentence)
}
