//! Figures of the count of solutions: how many there are, and how stable they are.

use super::{AlphaSummary, SolutionsSnapshot, SolutionsSpec};
use crate::figure::{Axis, Curve, Figure, Hue, Mark, Marker, Panel, Point, Segments, Stroke, percent};
use crate::math::stats::{Mean, mean};

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

/// Returns a curve of means with their standard errors. The title of its panel is its name.
fn curve(
    (key, label, hue, marker): (&str, &str, Hue, Marker),
    rows: &[AlphaSummary],
    of: impl Fn(&AlphaSummary) -> Mean,
) -> Curve {
    let points = rows.iter().map(|row| Point::new(row.alpha, of(row).mean).with_se(of(row).se));
    Curve::new(key, label, hue).stroke(Stroke::Solid).marker(marker).points(points).unnamed()
}

/// Returns the number of different solutions against α, and below it the share of the starts that lead to one.
fn number(spec: &SolutionsSpec, rows: &[AlphaSummary]) -> Figure {
    let starts = spec.starts as f64;
    let different =
        curve(("different", "different solutions", Hue::Blue, Marker::Disc), rows, |row| row.different);
    let solved = curve(("solved", "starts with a solution", Hue::Orange, Marker::Square), rows, |row| Mean {
        mean: 100.0 * row.solved.mean,
        se: 100.0 * row.solved.se,
        ..row.solved
    });
    let different = [Mark::from(different)];
    let most = rows.iter().map(|row| row.different.mean).fold(1.0, f64::max);
    let mut count = Axis::linear("solutions", (0.0, (1.15 * most).min(1.04 * starts.max(2.0))));
    count.expand_to_fit(&different);
    let count_range = count.range;
    let panel = |key: &str, y: Axis, title: &str, hue| Panel::new(key, axis(spec), y).titled(title, hue);
    let panels = [
        panel("different", count, "Different solutions found, mean over training sets", Hue::Blue),
        panel(
            "solved",
            Axis::linear("% of starts", (0.0, 105.0)),
            "Starts that find a solution",
            Hue::Orange,
        ),
    ];
    Figure::new("number", "Number of different solutions")
        .panels(1, panels)
        .on(0, [level(spec, ("one", "one solution"), 1.0)])
        .on(0, unstable(rows, "unstable", count_range))
        .on(0, different)
        .on(1, unstable(rows, "unstable_starts", (0.0, 105.0)).map(Segments::unnamed))
        .on(1, [solved])
        .caption(format!(
            "Different solutions of the TAP equations of a {}, {}, from {} random starts for each of {} training sets of N = {} inputs. Error \
             bars: one standard error over the training sets. Dotted: one solution. Vertical line: where the condition of de Almeida and Thouless is violated, by replica theory. A start without a solution has failed on every schedule of the iteration.",
            spec.setting().describe_machine(),
            spec.setting().describe_circumstances(),
            spec.starts,
            spec.sets,
            spec.inputs
        ))
        .found(finding(rows))
}

/// Returns a line at the limit of stability by replica theory; `None` if there is none.
fn unstable(rows: &[AlphaSummary], key: &str, (low, high): (f64, f64)) -> Option<Segments> {
    let alpha = limit_of_stability(rows)?;
    let label = format!("predicted unstable beyond α = {alpha:.1}");
    Some(Segments::new(key, label, Hue::Vermilion, Stroke::Dashed, [[(alpha, low), (alpha, high)]]))
}

/// Returns the α beyond which replica theory predicts that the solution is unstable, interpolated between the α shown; `None` if it
/// predicts no such α.
fn limit_of_stability(rows: &[AlphaSummary]) -> Option<f64> {
    let margins: Vec<(f64, f64)> =
        rows.iter().filter_map(|row| Some((row.alpha, row.theory?.margin))).collect();
    let pair = margins.windows(2).find(|pair| pair[0].1 >= 0.0 && pair[1].1 < 0.0)?;
    let [(a, before), (b, after)] = [pair[0], pair[1]];
    Some(a + (b - a) * before / (before - after))
}

/// Returns a sentence about the uniqueness of the solution.
fn finding(rows: &[AlphaSummary]) -> String {
    let Some(last) = rows.last() else { return "No start has ended yet.".to_owned() };
    let beyond = limit_of_stability(rows).and_then(|limit| {
        let shares = mean(rows.iter().filter(|row| row.alpha > limit).map(|row| row.solved.mean));
        (shares.mean < 1.0).then_some((limit, shares.mean))
    });
    let end = if let Some((limit, share)) = beyond {
        format!(
            "beyond {limit:.1}, where theory predicts instability, {} of the starts find a solution",
            percent(share)
        )
    } else if last.solved.mean == 0.0 {
        format!("with {} per weight, no start finds any", last.alpha)
    } else if last.solved.mean == 1.0 {
        format!(
            "with {} per weight, they find {:.1} different ones on average",
            last.alpha, last.different.mean
        )
    } else {
        format!("with {} per weight, {} of the starts find a solution", last.alpha, percent(last.solved.mean))
    };
    let up_to = |alpha: f64| {
        format!("With up to {alpha} {} per weight", if alpha == 1.0 { "example" } else { "examples" })
    };
    let unique = rows.iter().take_while(|row| row.different.mean == 1.0 && row.solved.mean == 1.0).last();
    match unique {
        Some(row) if row.alpha == last.alpha => {
            format!("{} every start finds the same solution.", up_to(last.alpha))
        }
        Some(row) => {
            format!("{} every start finds the same solution; {end}.", up_to(row.alpha))
        }
        None => format!(
            "Even with {} examples per weight not every start finds the same solution; {end}.",
            rows[0].alpha
        ),
    }
}

/// Returns the smallest eigenvalue of the Hessian, and below it the margin of the de Almeida–Thouless condition, against α.
fn stability(spec: &SolutionsSpec, rows: &[AlphaSummary]) -> Figure {
    let theory = rows.iter().filter_map(|row| Some(Point::new(row.alpha, row.theory?.margin)));
    let theory: Vec<Point> = theory.collect();
    let lost = rows.iter().find(|row| row.theory.is_some_and(|theory| theory.margin < 0.0));
    let summary = match (lost, theory.is_empty()) {
        (Some(row), _) => {
            format!(
                "Replica theory predicts that the solution is unstable from {} examples per weight on.",
                row.alpha
            )
        }
        (None, false) => "Replica theory predicts a stable solution at every α shown.".to_owned(),
        (None, true) => "There is no replica theory for this teacher.".to_owned(),
    };
    let smallest =
        curve(("smallest", "smallest eigenvalue", Hue::Blue, Marker::Disc), rows, |row| row.smallest);
    let margin = curve(("margin", "de Almeida–Thouless margin", Hue::Orange, Marker::Square), rows, |row| {
        row.margin
    });
    let around = |label: &str, curve: &Curve, more: &[Point]| {
        Axis::around(label, curve.points.iter().chain(more).map(|point| point.y).chain([0.0]))
    };
    let panel = |key: &str, y: Axis, title: &str, hue| Panel::new(key, axis(spec), y).titled(title, hue);
    let panels = [
        panel(
            "smallest",
            around("eigenvalue", &smallest, &[]),
            "Smallest eigenvalue of the Hessian (unstable below 0)",
            Hue::Blue,
        ),
        panel(
            "margin",
            around("margin", &margin, &theory),
            "Margin of the condition of de Almeida and Thouless (violated below 0)",
            Hue::Orange,
        ),
    ];
    let predicted = (!theory.is_empty())
        .then(|| Curve::new("theory", "replica theory", Hue::Ink).stroke(Stroke::Dashed).points(theory));
    let dashed = if predicted.is_some() { " Dashed: the same by replica theory, for N → ∞." } else { "" };
    Figure::new("stability", "Stability of the solutions")
        .panels(1, panels)
        .on(0, [level(spec, ("zero", "limit of stability"), 0.0).unnamed(), smallest])
        .on(1, [level(spec, ("zero_margin", "limit of the condition"), 0.0).unnamed()])
        .on(1, predicted)
        .on(1, [margin])
        .caption(format!(
            "Above: smallest eigenvalue of the Hessian at fixed λ over the solutions of a training set. Below: the margin \
             1 − Σ(∂² ln F/∂z²)²/N of the condition of de Almeida and Thouless.{dashed}"
        ))
        .found(summary)
}
