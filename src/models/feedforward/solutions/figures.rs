//! Figures of the count of solutions: in which training sets one is found, how many there are, and how stable they are.

use super::{AlphaSummary, SetOutcome, SolutionsSnapshot, SolutionsSpec};
use crate::figure::{Axis, Bar, Bars, Curve, Figure, Hue, Marker, Panel, Point, Segments, Stroke, rounded};
use crate::math::stats::Mean;

/// Width of a bar relative to the smallest distance of two bars.
const BAR_WIDTH: f64 = 0.8;
/// Range of the width of a bar relative to the axis.
const BAR_WIDTHS: [f64; 2] = [0.01, 0.1];
/// Range of an axis of percentages, with room for the ends of error bars.
const PERCENTAGES: (f64, f64) = (-3.0, 103.0);

/// Returns all figures.
pub fn all(spec: &SolutionsSpec, snapshot: &SolutionsSnapshot) -> Vec<Figure> {
    let rows = snapshot.summaries(spec);
    vec![outcomes(spec, snapshot, &rows), number(spec, &rows), stability(spec, &rows)]
}

/// Returns the axis of α.
fn axis(spec: &SolutionsSpec) -> Axis {
    let end = ratios(spec).last().copied().unwrap_or(0.0);
    Axis::linear("examples per weight, α = m/N", (0.0, 1.06 * end))
}

/// Returns the values of α in ascending order.
fn ratios(spec: &SolutionsSpec) -> Vec<f64> {
    let mut all: Vec<f64> = (0..spec.alphas.len()).map(|index| spec.ratio(index)).collect();
    all.sort_by(f64::total_cmp);
    all
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

/// Returns the numbers of training sets with one solution, several, and none, as bars on top of each other at each α.
fn outcomes(spec: &SolutionsSpec, snapshot: &SolutionsSnapshot, rows: &[AlphaSummary]) -> Figure {
    let x = axis(spec);
    let ratios = ratios(spec);
    let gap = ratios.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 0.0);
    let [least, most] = BAR_WIDTHS.map(|width| width * x.range.1);
    let width = (BAR_WIDTH * gap.fold(0.5, f64::min)).clamp(least, most);
    let bars = |outcome: SetOutcome, hue| {
        let bar = |row: &AlphaSummary| {
            let [base, value] = row.stacked(outcome).map(|count| count as f64);
            (value > base).then_some(Bar { base, ..Bar::new(row.alpha, value) })
        };
        Bars::new(outcome.key(), outcome.label(), hue, width, rows.iter().filter_map(bar))
    };
    let hues = [Hue::Blue, Hue::Orange, Hue::Purple, Hue::Ink];
    let counts = (0.0, 1.03 * spec.sets as f64);
    Figure::new("outcomes", "Training sets with one solution, several, or none")
        .x(x)
        .y(Axis::counts("number of training sets", counts))
        .marks(SetOutcome::ALL.into_iter().zip(hues).map(|(outcome, hue)| bars(outcome, hue)))
        .marks(unstable(rows, "unstable", counts))
        .caption(format!(
            "Solutions of the TAP equations of a {}, {}, found from {} random starts in each of {} training sets of N = {} inputs. Vertical \
                line: beyond it, replica theory predicts that the condition of de Almeida and Thouless is violated. A start has no \
                solution if no schedule of the iteration (damping and number of sweeps) converges.",
            spec.setting().describe_machine(),
            spec.setting().describe_circumstances(),
            spec.starts,
            spec.sets,
            spec.inputs
        ))
        .finding_and_summary(finding(spec, snapshot, rows))
}

/// Returns the number of different solutions of a training set against α, and below it the share of the starts that lead to one.
fn number(spec: &SolutionsSpec, rows: &[AlphaSummary]) -> Figure {
    let different =
        curve(("different", "different solutions", Hue::Blue, Marker::Disc), rows, |row| row.where_found);
    let solved = curve(("solved", "starts with a solution", Hue::Orange, Marker::Square), rows, |row| Mean {
        mean: 100.0 * row.solved.mean,
        se: 100.0 * row.solved.se,
        ..row.solved
    });
    let most = different.points.iter().map(|point| point.y + point.se.unwrap_or(0.0)).fold(1.0, f64::max);
    let count = Axis::linear("solutions", (0.0, 1.15 * most));
    let count_range = count.range;
    let panel = |key: &str, y: Axis, title: &str, hue| Panel::new(key, axis(spec), y).titled(title, hue);
    let panels = [
        panel("different", count, "Different solutions, where a start finds one", Hue::Blue),
        panel("solved", Axis::linear("% of starts", PERCENTAGES), "Starts that find a solution", Hue::Orange),
    ];
    Figure::new("number", "Number of different solutions")
        .panels(1, panels)
        .on(0, [level(spec, ("one", "one solution"), 1.0)])
        .on(0, unstable(rows, "unstable", count_range))
        .on(0, [different])
        .on(1, unstable(rows, "unstable_starts", PERCENTAGES).map(Segments::unnamed))
        .on(1, [solved])
        .caption(
            "Above: number of different solutions, averaged over the training sets in which at least one start finds one. Below: share of \
                starts that find one, averaged over all training sets. Error bars: one standard error over the training sets. Dotted: one solution.",
        )
        .finding_and_summary(count_finding(rows))
}

/// Returns a sentence about the number of different solutions.
fn count_finding(rows: &[AlphaSummary]) -> String {
    let most = rows.iter().filter(|row| row.where_found.mean.is_finite());
    let Some(most) = most.max_by(|a, b| a.where_found.mean.total_cmp(&b.where_found.mean)) else {
        return "No start has found a solution.".to_owned();
    };
    if most.where_found.mean > 1.0 {
        let (count, alpha) = (most.where_found.mean, rounded(most.alpha));
        format!("Where a solution is found, starts find {count:.1} different ones on average at α = {alpha}.")
    } else {
        "In each training set, all starts that find a solution find the same one.".to_owned()
    }
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

/// Returns a sentence about where there is one solution. It has about the same length during the run and at its end.
fn finding(spec: &SolutionsSpec, snapshot: &SolutionsSnapshot, rows: &[AlphaSummary]) -> String {
    let (limit, measured) = (limit_of_stability(rows), || rows.iter().filter(|row| row.sets > 0));
    let unique = measured().take_while(|row| row.share(SetOutcome::Every) == 1.0).last();
    let per_weight = |alpha: f64| {
        format!("{} {} per weight", rounded(alpha), if alpha == 1.0 { "example" } else { "examples" })
    };
    if !snapshot.is_complete(spec) {
        let so_far = unique.map_or_else(
            || "Each training set is solved from several random starts".to_owned(),
            |row| format!("One solution up to {} so far", per_weight(row.alpha)),
        );
        return match limit {
            Some(limit) => format!("{so_far}. Theory predicts instability beyond {limit:.1}."),
            None => format!("{so_far}. Results at larger α follow."),
        };
    }
    let after = measured().skip_while(|row| unique.is_some_and(|unique| row.alpha <= unique.alpha));
    let Some(last) = after.last() else {
        let end = unique.map_or_else(String::new, |row| per_weight(row.alpha));
        return format!("One solution, the same from every random start, up to {end}.");
    };
    let below = match unique {
        Some(row) => format!("; up to {}, always one", rounded(row.alpha)),
        None => String::new(),
    };
    let beyond = limit.filter(|limit| last.alpha > *limit);
    let affected =
        beyond.map_or_else(|| vec![last], |limit| measured().filter(|row| row.alpha > limit).collect());
    let place = match beyond {
        Some(limit) => format!("Beyond {limit:.1} examples per weight (unstable in theory)"),
        None => format!("At {}", per_weight(last.alpha)),
    };
    let count = |outcome| affected.iter().map(|row| row.outcomes[outcome as usize]).sum::<usize>();
    let (none, several) = (count(SetOutcome::Nowhere), count(SetOutcome::Several));
    let (count, word) =
        if several > none { (several, "several solutions") } else { (none, "no solution found") };
    if count == 0 {
        return format!("{place}, not every start finds a solution{below}.");
    }
    let all: usize = affected.iter().map(|row| row.sets).sum();
    format!("{place}, {word} in {count} of {all} training sets{below}.")
}

/// Returns the smallest eigenvalue of the Hessian, and below it the margin of the de Almeida–Thouless condition, against α.
fn stability(spec: &SolutionsSpec, rows: &[AlphaSummary]) -> Figure {
    let theory = rows.iter().filter_map(|row| Some(Point::new(row.alpha, row.theory?.margin)));
    let theory: Vec<Point> = theory.collect();
    let lost = rows.iter().find(|row| row.theory.is_some_and(|theory| theory.margin < 0.0));
    let summary = match (lost, theory.is_empty()) {
        (Some(row), _) => {
            format!(
                "Replica theory predicts that its symmetric solution is unstable from {} examples per weight on.",
                row.alpha
            )
        }
        (None, false) => {
            "Replica theory predicts that its symmetric solution is stable at every α shown.".to_owned()
        }
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
        .finding_and_summary(summary)
}
