//! Figures of the task `sbn.bound`: gaps against the weight standard deviation, single patterns, and two iterations for the bound
//! (22).

use super::{BoundSnapshot, BoundSpec, PatternCase, WeightSdRow, file_figures};
use crate::figure::{Axis, Curve, Figure, Hue, Mark, Marker, Point, Stroke, minus};
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

/// Returns the means of the importance sampling estimates: with error bars where they are reliable, and where few draws dominate one.
fn sampled_curves(snapshot: &BoundSnapshot) -> [Curve; 2] {
    // The scatter over the networks does not contain the bias of estimates that few draws dominate.
    let (known, few): (Vec<_>, Vec<_>) = snapshot
        .rows
        .iter()
        .filter(|row| !row.cases.is_empty())
        .map(|row| (row.dominated() > 0, row.sd, row.mean(|case| case.estimate)))
        .partition(|(dominated, ..)| !dominated);
    let reliable = Curve::new("estimate", "importance sampling", Hue::Orange)
        .stroke(Stroke::Solid)
        .marker(Marker::Disc)
        .points(known.into_iter().map(|(_, sd, mean)| Point::new(sd, mean.mean).with_se(mean.se)));
    let unreliable = Curve::new("dominated", "importance sampling, unreliable", Hue::Orange)
        .marker(Marker::Circle)
        .points(few.into_iter().map(|(_, sd, mean)| Point::new(sd, mean.mean)));
    [reliable, unreliable]
}

/// Returns the mean differences from ln P against the weight standard deviation.
fn gaps(snapshot: &BoundSnapshot) -> Figure {
    let curve = |key: &str, label: &str, hue, of: fn(&PatternCase) -> f64| {
        let points = snapshot.rows.iter().filter(|row| !row.cases.is_empty()).map(|row| {
            let mean = row.mean(of);
            Point::new(row.sd, mean.mean).with_se(mean.se)
        });
        Curve::new(key, label, hue).stroke(Stroke::Solid).marker(Marker::Disc).points(points)
    };
    let [sampled, dominated] = sampled_curves(snapshot);
    let marks = [
        curve("bound", "mean-field bound, Gaussian inputs", Hue::Blue, |case| case.bound),
        curve("factorial", "strict bound, same means", Hue::Green, |case| case.factorial_bound),
        curve("strict", "strict bound of 1996", Hue::Purple, |case| case.strict_bound),
        sampled,
        dominated,
    ]
    .map(Mark::from);
    let mut y = Axis::linear("difference from ln P (nats)", (-0.5, 0.1));
    y.expand_to_fit(&marks);
    let largest_sd = snapshot.rows.iter().map(|row| row.sd).fold(0.5, f64::max);
    let exceeding: usize = snapshot.rows.iter().map(WeightSdRow::exceeding).sum();
    let count: usize = snapshot.rows.iter().map(|row| row.cases.len()).sum();
    let largest = snapshot
        .rows
        .iter()
        .filter(|row| !row.cases.is_empty())
        .map(|row| (row.sd, row.mean(|case| case.bound).mean));
    let largest = largest.reduce(|a, b| if b.1 < a.1 { b } else { a });
    let finding = largest.map_or("No network is solved yet.".to_owned(), |(sd, mean)| {
        let strict = if exceeding > 0 { ", so it is not a strict bound" } else { "" };
        format!(
            "The mean-field bound is on average {:.2} nats {} ln P for weights of standard deviation {sd}. It exceeds ln P in \
             {exceeding} of {count} networks{strict}.",
            mean.abs(),
            if mean > 0.0 { "above" } else { "below" }
        )
    });
    Figure::new("gaps", "Difference between the bound and ln P")
        .x(Axis::linear("standard deviation of the weights", (0.0, 1.05 * largest_sd)))
        .y(y)
        .marks(marks)
        .caption(format!(
            "Means over random networks, with one pattern sampled from each; ln P by enumeration. Error bars: one standard error over the \
             networks. The mean-field bound, SJ98 eq. (24), assumes Gaussian inputs and can exceed ln P. The strict bound of \
             eq. (6) uses the same means μ and never does, nor does that of Saul, Jaakkola and Jordan (1996); at the largest weights the \
             mean of the latter differs from that of (24) by {} nats. {}",
            difference(snapshot),
            sampling(snapshot)
        ))
        .found(finding)
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
        "Circles without error bars: in some networks ({}) the effective sample size of importance sampling is below {few}, so that \
         the mean is too low.",
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
    Figure::new("patterns", "Bound against ln P for each pattern")
        .x(axis("ln P(V) (nats)"))
        .y(axis("mean-field bound (nats)"))
        .equal()
        .mark(
            Curve::new("equal", "bound = ln P", Hue::Ink)
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
            "The iteration of the paper never loosens the bound here; after {STEPS} steps the bound is {last:.3}."
        )
    } else {
        format!("The iteration of the paper loosens the bound in {rises} of {STEPS} steps, to {last:.3}.")
    };
    let steepness = spec.v * xi::optimum(spec.m, spec.v) * (1.0 - xi::optimum(spec.m, spec.v));
    Figure::new("tightening", "Bound of one unit under two iterations")
        .x(Axis::linear("step", (-0.5, STEPS as f64 + 0.5)))
        .y(Axis::around("bound (22) (nats)", paper.iter().chain(&safe).copied()))
        .mark(
            Curve::new("best", "minimum", Hue::Ink)
                .stroke(Stroke::Dashed)
                .points([Point::new(0.0, best), Point::new(STEPS as f64, best)]),
        )
        .mark(curve("paper", "iteration (23)", Hue::Vermilion, &paper))
        .mark(curve("safe", "safeguarded steps", Hue::Blue, &safe))
        .caption(format!(
            "The bound (22) on ⟨ln(1 + eᶻ)⟩ for one unit whose input has mean {} and variance {}, starting from ξ = {START}; lower is \
             tighter. {summary} The derivative of (23) at its solution is −vξ(1 − ξ) = −{steepness:.2}; the iteration cannot converge if \
             this is below −1. Safeguarded steps reach {:.3}; the minimum is {best:.3}.",
            minus(format_args!("{}", spec.m)),
            spec.v,
            safe[STEPS]
        ))
        .summary(summary)
}
