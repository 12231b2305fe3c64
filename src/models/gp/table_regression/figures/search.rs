//! The fit: log evidence of each evaluation.

use crate::figure::{Axis, Curve, Figure, Hue, Marker, Point, Stroke, rounded};
use crate::models::gp::table_regression::{EvidenceSearch, ProcessRegressionSnapshot, ProcessRegressionSpec};

/// Number of nats per row below the largest log evidence that the axis shows.
const SHOWN: f64 = 3.0;

/// Returns the figure of the log evidence per row, evaluation by evaluation: of the best start, and of the search on all training rows.
pub fn search(spec: &ProcessRegressionSpec, snapshot: &ProcessRegressionSnapshot) -> Figure {
    let per_row = |search: &EvidenceSearch| -> Vec<Point> {
        let values = (1..).map(f64::from).zip(&search.trace);
        let rows = search.rows.max(1) as f64;
        values.filter_map(|(at, value)| Some(Point::new(at, (*value)? / rows))).collect()
    };
    let starts: Vec<Vec<Point>> = snapshot.starts.iter().map(per_row).collect();
    let last = snapshot.search.as_ref().map(per_row).unwrap_or_default();
    let one = snapshot.one_length_scale_search.as_ref().map(per_row);
    let all = || starts.iter().flatten().chain(&last).chain(one.iter().flatten());
    let label = "log evidence per row, nats";
    let base = Figure::new("fit", "Fit of the hyperparameters");
    if all().next().is_none() {
        let unit = (0.0, 1.0);
        return base
            .x(Axis::linear("evaluation", unit))
            .y(Axis::linear(label, unit))
            .saying("The fit has not begun yet.");
    }
    let most = all().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
    let shown = all().map(|p| p.y).filter(|y| *y > most - SHOWN);
    let end = all().map(|p| p.x).fold(1.0, f64::max);
    let (continued, name) = match &snapshot.search {
        Some(EvidenceSearch { rows, is_bound: true, .. }) => {
            let continued =
                format!("{rows} training rows, where the values are lower bounds by inducing points");
            (continued, format!("bound on {rows} rows"))
        }
        _ => ("all training rows".to_owned(), "all training rows".to_owned()),
    };
    let beside = if one.is_some() { ", with relevances and with one length scale" } else { "" };
    let of_starts = starts.iter().flatten().copied();
    let of_one = one.iter().flatten().copied();
    let one_length_scale = Curve::new("one", "one length scale", Hue::Green);
    let one_length_scale = one_length_scale.stroke(Stroke::Solid).marker(Marker::Square).points(of_one);
    base.x(Axis::linear("evaluation", (0.0, end + 1.0)))
        .y(Axis::around(label, shown))
        .finding_and_summary(sentence(spec, snapshot))
        .caption(format!(
            "Log evidence per row of each evaluation. The starts are searched briefly, on at most 300 rows and with one σ²; the best one is \
             continued on {continued}{beside}. Values far below the largest are not shown."
        ))
        .mark(Curve::new("starts", "starts", Hue::Sky).marker(Marker::Disc).points(of_starts))
        .mark(Curve::new("all", name, Hue::Blue).stroke(Stroke::Solid).marker(Marker::Disc).points(last))
        .marks(one.is_some().then_some(one_length_scale))
}

/// Returns a sentence with the best hyperparameters so far.
fn sentence(spec: &ProcessRegressionSpec, snapshot: &ProcessRegressionSnapshot) -> String {
    let Some(values) = snapshot.best_found() else { return String::new() };
    let both = snapshot.before_fit().zip(snapshot.shown());
    let gain = both.map_or(String::new(), |(given, (_, fitted))| {
        format!(
            " The log evidence is {}; {} with the given values.",
            rounded(fitted.ln_evidence),
            rounded(given.ln_evidence)
        )
    });
    let kernel = spec.given(values.weights.len()).kernel;
    format!(
        "Best so far: σ² {}, amplitude {}, noise {}, in standard deviations of the training targets.{gain}",
        rounded(values.sigma2(&kernel)),
        rounded(values.amplitude),
        rounded(values.noise)
    )
}
