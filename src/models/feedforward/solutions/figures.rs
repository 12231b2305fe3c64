//! Figures of the count of solutions: how many there are, and how stable they are.

use super::{AlphaSummary, SolutionsSnapshot, SolutionsSpec};
use crate::figure::{Axis, Curve, Figure, Hue, Mark, Marker, Point, Stroke, percent};
use crate::math::stats::Mean;

/// Returns all figures.
pub fn all(spec: &SolutionsSpec, snapshot: &SolutionsSnapshot) -> Vec<Figure> {
    let rows = snapshot.summaries(spec);
    vec![number(spec, &rows), stability(spec, &rows)]
}

/// Returns the axis of α.
fn axis(spec: &SolutionsSpec) -> Axis {
    let end = (0..spec.alphas.len()).map(|index| spec.ratio(index)).fold(0.0, f64::max);
    Axis::linear("examples per weight, α = m/N", (0.0, 1.04 * end))
}

/// Returns a dotted line at the height `y`.
fn level(spec: &SolutionsSpec, (key, label): (&str, &str), y: f64) -> Curve {
    let (start, end) = axis(spec).range;
    Curve::new(key, label, Hue::Ink).stroke(Stroke::Dotted).points([start, end].map(|x| Point::new(x, y)))
}

/// Returns a curve of means with their standard errors.
fn curve(
    (key, label, hue, marker): (&str, &str, Hue, Marker),
    rows: &[AlphaSummary],
    of: impl Fn(&AlphaSummary) -> Mean,
) -> Curve {
    let points = rows.iter().map(|row| Point::new(row.alpha, of(row).mean).with_se(of(row).se));
    Curve::new(key, label, hue).stroke(Stroke::Solid).marker(marker).points(points)
}

/// Returns the number of different solutions against α.
fn number(spec: &SolutionsSpec, rows: &[AlphaSummary]) -> Figure {
    let starts = spec.starts as f64;
    let marks = [
        curve(("different", "different solutions", Hue::Blue, Marker::Disc), rows, |row| row.different),
        curve(("solved", "starts with a solution", Hue::Orange, Marker::Square), rows, |row| Mean {
            mean: starts * row.solved.mean,
            se: starts * row.solved.se,
            ..row.solved
        }),
    ]
    .map(Mark::from);
    let mut y = Axis::linear("number", (0.0, starts * 1.04));
    y.expand_to_fit(&marks);
    Figure::new("number", "Number of different solutions")
        .x(axis(spec))
        .y(y)
        .mark(level(spec, ("one", "one solution"), 1.0))
        .marks(marks)
        .caption(format!(
            "Different solutions of the TAP equations of a {}, {}, from {} random starts for each of {} training sets of N = {} inputs. Error \
             bars: one standard error over the training sets. A start without a solution has failed on every schedule of the iteration.",
            spec.setting().describe_machine(),
            spec.setting().describe_circumstances(),
            spec.starts,
            spec.sets,
            spec.inputs
        ))
        .found(finding(rows))
}

/// Returns a sentence about the uniqueness of the solution.
fn finding(rows: &[AlphaSummary]) -> String {
    let Some(last) = rows.last() else { return "No start has ended yet.".to_owned() };
    let unsolved = format!("{} of the starts find no solution", percent(1.0 - last.solved.mean));
    let end = if last.solved.mean == 0.0 {
        format!("At α = {} no start finds a solution", last.alpha)
    } else {
        format!(
            "At α = {} a training set has {:.1} solutions on average; {unsolved}",
            last.alpha, last.different.mean
        )
    };
    let unique = rows.iter().take_while(|row| row.different.mean == 1.0 && row.solved.mean == 1.0).last();
    match unique {
        Some(row) if row.alpha == last.alpha => {
            format!("Every start leads to the same solution at every α up to {}.", last.alpha)
        }
        Some(row) => format!("Every start leads to the same solution up to α = {}. {end}.", row.alpha),
        None => format!("At no α does every start lead to the same solution. {end}."),
    }
}

/// Returns the smallest eigenvalue of the Hessian and the margin of the de Almeida–Thouless condition against α.
fn stability(spec: &SolutionsSpec, rows: &[AlphaSummary]) -> Figure {
    let theory = rows.iter().filter_map(|row| Some(Point::new(row.alpha, row.theory?.margin)));
    let theory: Vec<Point> = theory.collect();
    let lost = rows.iter().find(|row| row.theory.is_some_and(|theory| theory.margin < 0.0));
    let marks = [
        curve(("smallest", "smallest eigenvalue", Hue::Blue, Marker::Disc), rows, |row| row.smallest),
        curve(("margin", "de Almeida–Thouless margin", Hue::Orange, Marker::Square), rows, |row| {
            row.margin
        }),
    ];
    let values = marks.iter().flat_map(|curve| &curve.points).chain(&theory).map(|point| point.y);
    let values: Vec<f64> = values.chain([0.0]).collect();
    let summary = match (lost, theory.is_empty()) {
        (Some(row), _) => {
            format!("By replica theory, the condition is violated at α = {} and beyond.", row.alpha)
        }
        (None, false) => "By replica theory, the condition holds at every α shown.".to_owned(),
        (None, true) => "There is no replica theory for this teacher.".to_owned(),
    };
    let predicted = (!theory.is_empty()).then(|| {
        Curve::new("theory", "margin, replica theory", Hue::Ink).stroke(Stroke::Dashed).points(theory)
    });
    let dashed = if predicted.is_some() { " Dashed: the same by replica theory, for N → ∞." } else { "" };
    Figure::new("stability", "Stability of the solutions")
        .x(axis(spec))
        .y(Axis::around("stability", values))
        .mark(level(spec, ("zero", "limit of stability"), 0.0))
        .marks(predicted)
        .marks(marks)
        .caption(format!(
            "Smallest eigenvalue of the Hessian at fixed λ over the solutions of a training set, and the margin 1 − Σ(∂² ln F/∂z²)²/N of the \
             condition of de Almeida and Thouless, which is violated below 0.{dashed} {summary}"
        ))
        .summary(summary)
}
