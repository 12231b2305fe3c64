//! Figures of the task `sbn.bound`: gaps against the weight standard deviation, single patterns, and two iterations for the bound
//! (22).

use super::texts::misjudged;
use super::{BoundSnapshot, BoundSpec, PatternCase, WeightSdRow, file_figures};
use crate::figure::{Axis, Curve, Dot, Figure, Hue, Mark, Marker, Point, Points, Stroke, minus};
use crate::math::importance::LogMeanWeight;
use crate::models::sbn::network::xi;

/// Number of steps of the iterations for ξ.
const STEPS: usize = 24;
/// Initial ξ of the iterations.
const START: f64 = 0.6;

/// Returns all figures.
pub fn figures(spec: &BoundSpec, snapshot: &BoundSnapshot) -> Vec<Figure> {
    let mut figures = if spec.reads_file() {
        file_figures::figures(snapshot.from_file.as_ref())
    } else {
        vec![gaps(snapshot), patterns(snapshot)]
    };
    figures.push(tightening(spec));
    figures
}

/// Returns the means of the importance sampling estimates: with error bars where they are reliable, and without where the
/// effective sample size of one is small.
fn sampled_curves(snapshot: &BoundSnapshot) -> [Curve; 2] {
    // The scatter over the networks does not contain the bias of estimates of small effective sample size.
    let (known, few): (Vec<_>, Vec<_>) = snapshot
        .rows
        .iter()
        .filter(|row| !row.cases.is_empty())
        .map(|row| (row.dominated() > 0, relative(row, |case| case.estimate)))
        .partition(|(dominated, _)| !dominated);
    let reliable = Curve::new("estimate", "importance sampling", Hue::Orange)
        .stroke(Stroke::Solid)
        .marker(Marker::Disc)
        .points(known.into_iter().map(|(_, point)| point));
    let unreliable = Curve::new("dominated", "importance sampling, unreliable", Hue::Orange)
        .marker(Marker::Circle)
        .points(few.into_iter().map(|(_, point)| Point::new(point.x, point.y)));
    [reliable, unreliable]
}

/// Returns the mean of a log probability over the networks of a row, as a probability relative to the exact one, in per cent.
fn relative(row: &WeightSdRow, of: fn(&PatternCase) -> f64) -> Point {
    let mean = row.mean(of);
    let ratio = libm::exp(mean.mean);
    Point::new(row.sd, 100.0 * (ratio - 1.0)).with_se(100.0 * ratio * mean.se)
}

/// Returns the bound of each network relative to its exact probability, in per cent: of those where it is too high, and of the others.
fn networks(snapshot: &BoundSnapshot) -> [Points; 2] {
    let of = |key: &str, label: &str, hue, size, exceeds: bool| {
        let cases = snapshot.rows.iter().flat_map(|row| row.cases.iter().map(move |case| (row.sd, case)));
        let these = cases.filter(|(_, case)| case.exceeds() == exceeds);
        let dot = |(sd, case): (f64, &PatternCase)| {
            Dot::new(Point::new(sd, 100.0 * libm::expm1(case.bound - case.ln_p)), "").size(size)
        };
        Points::new(key, label, hue, Marker::Disc, these.map(dot))
    };
    [
        of("networks", "one network each", Hue::Sky, 0.5, false),
        of("exceeding", "one network, bound too high", Hue::Red, 0.9, true),
    ]
}

/// Returns the mean differences from ln P against the weight standard deviation: that of the mean-field bound; the others are hidden at
/// first.
fn gaps(snapshot: &BoundSnapshot) -> Figure {
    let curve = |key: &str, label: &str, hue, of: fn(&PatternCase) -> f64| {
        let rows = snapshot.rows.iter().filter(|row| !row.cases.is_empty());
        let points = rows.map(|row| relative(row, of));
        Curve::new(key, label, hue).stroke(Stroke::Solid).marker(Marker::Disc).points(points)
    };
    let [sampled, dominated] = sampled_curves(snapshot);
    let [below, above] = networks(snapshot).map(Mark::from);
    let marks = [
        below,
        dominated.hidden().into(),
        sampled.hidden().into(),
        curve("strict", "strict bound of 1996", Hue::Purple, |case| case.strict_bound).hidden().into(),
        curve("factorial", "strict bound, same means", Hue::Green, |case| case.factorial_bound)
            .hidden()
            .into(),
        curve("bound", "mean of the bounds", Hue::Blue, |case| case.bound).into(),
        above,
    ];
    let mut y = Axis::linear("bound minus exact probability, % of exact", (-40.0, 5.0));
    y.expand_to_fit(&marks);
    let largest_sd = snapshot.rows.iter().map(|row| row.sd).fold(0.5, f64::max);
    let ends = [0.0, 1.05 * largest_sd].map(|x| Point::new(x, 0.0));
    let exact = Curve::new("exact", "exact", Hue::Ink).stroke(Stroke::Dashed).points(ends);
    let exceeding: usize = snapshot.rows.iter().map(WeightSdRow::exceeding).sum();
    let count: usize = snapshot.rows.iter().map(|row| row.cases.len()).sum();
    let largest = snapshot
        .rows
        .iter()
        .filter(|row| !row.cases.is_empty())
        .map(|row| (row.sd, row.mean(|case| case.bound).mean));
    let largest = largest.reduce(|a, b| if b.1 < a.1 { b } else { a });
    let finding = largest.map_or("No network is solved yet.".to_owned(), |(sd, mean)| {
        let size = misjudged(mean);
        let exceeding = if exceeding == 0 { "none".to_owned() } else { exceeding.to_string() };
        format!(
            "At weight size {sd}, the bound is {size} on average. Across all sizes, it is too high in {exceeding} of {count} networks."
        )
    });
    Figure::new("gaps", "Bound and exact probability")
        .x(Axis::linear("size of the weights (standard deviation)", (0.0, 1.05 * largest_sd)))
        .y(y)
        .mark(exact)
        .marks(marks)
        .caption(format!(
            "Dots: random networks, each with one pattern sampled from it and its exact P by enumeration. Line: the mean of ln(bound/P) over \
             them, as a per cent of P, with one standard error. The mean-field bound, SJ98 eq. (24), assumes Gaussian inputs and can exceed ln \
             P. Hidden \
             at first: the strict bound of eq. (6) with the same means μ and that of Saul, Jaakkola and Jordan (1996), which never exceed \
             it; at the largest weights the mean of the latter differs from that of the mean-field bound by {} nats. {}",
            difference(snapshot),
            sampling(snapshot)
        ))
        .finding_and_summary(finding)
}

/// Describes the mean of the strict bound less (24) at the largest weights.
fn difference(snapshot: &BoundSnapshot) -> String {
    let less = snapshot.rows.last().map_or(f64::NAN, |row| row.strict_less_approximate().mean);
    minus(format_args!("{less:.2}"))
}

/// Describes the reliability of the importance sampling estimates.
fn sampling(snapshot: &BoundSnapshot) -> String {
    let few = LogMeanWeight::MIN_ESS;
    let unreliable = snapshot.rows.iter().filter(|row| row.dominated() > 0);
    let list: Vec<String> =
        unreliable.map(|row| format!("{} of {} at {}", row.dominated(), row.cases.len(), row.sd)).collect();
    if list.is_empty() {
        return format!("The effective sample size of every importance sampling estimate is at least {few}.");
    }
    format!(
        "Circles without error bars: in some networks ({}) the effective sample size of importance sampling is below {few}, so that the \
        mean is probably too low.",
        list.join(", ")
    )
}

/// Returns the bound against ln P for each pattern.
fn patterns(snapshot: &BoundSnapshot) -> Figure {
    let cases = || snapshot.rows.iter().flat_map(|row| &row.cases);
    let values = cases().flat_map(|case| [case.ln_p, case.bound]);
    let axis = |label: &str| Axis::around(label, values.clone());
    let range = axis("").range;
    let points = cases().map(|case| Point::new(case.ln_p, case.bound));
    Figure::new("patterns", "Bound and exact value of each pattern")
        .x(axis("exact log probability, ln P (nats)"))
        .y(axis("mean-field bound (nats)"))
        .equal()
        .mark(
            Curve::new("equal", "bound = exact", Hue::Ink)
                .stroke(Stroke::Dashed)
                .points([Point::new(range.0, range.0), Point::new(range.1, range.1)]),
        )
        .mark(Curve::new("patterns", "patterns", Hue::Blue).marker(Marker::Circle).points(points))
        .caption("The mean-field bound against ln P for one pattern of each network. Above the dashed line the bound exceeds ln P.")
        .summary(format!("{} patterns.", cases().count()))
}

/// Returns the bound (22) after each step of the iteration of the paper, and of the safeguarded iteration.
pub fn iterations(spec: &BoundSpec) -> (Vec<f64>, Vec<f64>) {
    let trace = |step: fn(f64, f64, f64) -> f64| {
        let mut now = START;
        let mut bounds = vec![xi::bound(now, spec.m, spec.v)];
        for _ in 0..STEPS {
            now = step(now, spec.m, spec.v);
            bounds.push(xi::bound(now, spec.m, spec.v));
        }
        bounds
    };
    (trace(xi::paper_step), trace(xi::safe_step))
}

/// Returns the figure of the iteration (23) of the paper and of the safeguarded iteration.
fn tightening(spec: &BoundSpec) -> Figure {
    let (paper, safe) = iterations(spec);
    let curve = |key: &str, label: &str, hue, bounds: &[f64]| {
        let points = bounds.iter().enumerate().map(|(step, bound)| Point::new(step as f64, *bound));
        Curve::new(key, label, hue)
            .stroke(Stroke::Solid)
            .marker(Marker::Disc)
            .points(points.collect::<Vec<_>>())
    };
    let best = xi::bound(xi::optimum(spec.m, spec.v), spec.m, spec.v);
    let rises = paper.windows(2).filter(|pair| pair[1] > pair[0] + 1e-9).count();
    let last = paper[STEPS];
    let summary = if rises == 0 {
        format!(
            "The paper's iteration never loosens the bound here; it ends at {last:.3}, the best is {best:.3}."
        )
    } else {
        format!(
            "The paper's iteration loosens the bound in {rises} of {STEPS} steps: it ends at {last:.3}, the best is {best:.3}."
        )
    };
    let steepness = spec.v * xi::optimum(spec.m, spec.v) * (1.0 - xi::optimum(spec.m, spec.v));
    Figure::new("tightening", "Tightening the bound of one unit")
        .x(Axis::linear("step", (-0.5, STEPS as f64 + 0.5)))
        .y(Axis::around("bound of one unit, lower is tighter (nats)", paper.iter().chain(&safe).copied()))
        .mark(
            Curve::new("best", "best bound", Hue::Ink)
                .stroke(Stroke::Dashed)
                .points([Point::new(0.0, best), Point::new(STEPS as f64, best)]),
        )
        .mark(curve("paper", "the paper's iteration", Hue::Vermilion, &paper))
        .mark(curve("safe", "safeguarded steps", Hue::Blue, &safe))
        .caption(format!(
            "Bound on ⟨ln(1 + eᶻ)⟩, SJ98 eq. (22), for one unit whose input has mean {} and variance {}, starting from ξ = {START}. The \
             derivative of the paper's iteration, eq. (23), at its solution is −vξ(1 − ξ) = −{steepness:.2}; it cannot converge if this is \
             below −1. Safeguarded steps reach {:.3}.",
            minus(format_args!("{}", spec.m)),
            spec.v,
            safe[STEPS]
        ))
        .finding_and_summary(summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page shows one bound; the others are behind “More curves”.
    #[test]
    fn one_bound_is_shown_at_first() {
        let figure = gaps(&BoundSnapshot::default());
        let shown: Vec<&str> =
            figure.curves().filter(|curve| !curve.info.hidden).map(|curve| &*curve.info.key).collect();
        assert_eq!(shown, ["exact", "bound"]);
        assert_eq!(figure.curves().count(), 6);
    }
}
