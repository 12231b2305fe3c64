//! Figures of the comparison: the log evidence over σ², the error of each approximation, and the points.

use super::{EvidenceComparison, EvidencePoint, EvidenceSnapshot, EvidenceSpec, largest, largest_error};
use crate::figure::{
    Axis, Curve, Figure, Hue, Marker, Point, Stroke, Thread, Threads, minus, percent, rounded,
};
use crate::math::importance::LogMeanWeight;
use crate::math::resampling::Estimate;
use crate::models::gp::play::{Method, plane};

/// Returns all figures.
pub fn all(spec: &EvidenceSpec, snapshot: &EvidenceSnapshot) -> Vec<Figure> {
    let points = snapshot.points(spec);
    vec![evidence(spec, &points), errors(spec, &points), drawn_points(spec)]
}

/// Returns the colour and the marker of a method.
fn look(method: Method) -> (Hue, Marker) {
    match method {
        Method::Tap => (Hue::Blue, Marker::Disc),
        Method::Naive => (Hue::Green, Marker::Triangle),
        Method::Laplace => (Hue::Vermilion, Marker::Diamond),
        Method::Sampled => (Hue::Ink, Marker::Square),
    }
}

/// Returns the axis of σ².
fn axis(spec: &EvidenceSpec) -> Axis {
    let values = spec.sigma2_grid.iter();
    let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), s| (low.min(*s), high.max(*s)));
    Axis::log("smoothness, σ²", (0.85 * low, 1.18 * high))
}

/// Returns the sampled log evidence.
fn sampled(point: &EvidencePoint) -> Option<f64> {
    Some(point.sampled?.ln_mean)
}

/// Returns the curve of each approximation, from its index and a point.
fn curves(
    points: &[EvidencePoint],
    of: impl Fn(usize, &EvidencePoint) -> Option<Point>,
) -> impl Iterator<Item = Curve> {
    EvidenceComparison::METHODS.into_iter().enumerate().map(move |(place, method)| {
        let (hue, marker) = look(method);
        Curve::new(method.word(), method.label(), hue)
            .stroke(Stroke::Solid)
            .marker(marker)
            .points(points.iter().filter_map(|point| of(place, point)))
    })
}

/// Returns the log evidence over σ² by every method.
pub(super) fn evidence(spec: &EvidenceSpec, points: &[EvidencePoint]) -> Figure {
    let at = |place: usize, point: &EvidencePoint| Some(Point::new(point.sigma2, point.approximate[place]?));
    let exact = |point: &EvidencePoint| {
        let z = point.sampled?;
        Some(Point::new(point.sigma2, z.ln_mean).with_se(z.error_bar()))
    };
    let low = points.iter().filter(|point| point.sampled.is_some_and(|z| z.is_dominated())).filter_map(exact);
    let low: Vec<Point> = low.collect();
    let methods = EvidenceComparison::METHODS.len();
    let best = (0..methods).filter_map(|place| at(place, &largest(points, |p| p.approximate[place])?));
    let rings = best.chain(largest(points, sampled).as_ref().and_then(exact));
    let rings: Vec<Point> = rings.map(|point| Point::new(point.x, point.y)).collect();
    let exact: Vec<Point> = points.iter().filter_map(exact).collect();
    let values = (0..methods).flat_map(|place| points.iter().filter_map(move |point| at(place, point)));
    let values: Vec<f64> = values.chain(exact.iter().copied()).map(|point| point.y).collect();
    let y = Axis::around("log evidence, nats (higher is better)", values);
    let range = y.range;
    let low = Curve::new("low", "reference, unreliable", Hue::Ink).marker(Marker::Diamond).points(low);
    let figure = Figure::new("evidence", "Log evidence over σ²").x(axis(spec)).y(y);
    with_choices(figure, &choices(points), range)
        .marks(curves(points, at))
        .mark(Curve::new("sampled", "reference by sampling", Hue::Ink).marker(Marker::Square).points(exact))
        .mark(low)
        .mark(Curve::new("largest", "largest of each", Hue::Ink).marker(Marker::Circle).points(rings))
        .caption(caption(spec, points))
        .finding_and_summary(finding(points))
}

/// A value of σ² at which the log evidence by some methods is largest.
struct Choice {
    sigma2: f64,
    methods: Vec<Method>,
}

impl Choice {
    /// Returns the names of its methods in a list; that of the reference alone if it is one of them.
    fn names(&self) -> String {
        if self.methods.contains(&Method::Sampled) {
            return "reference".to_owned();
        }
        self.methods.iter().map(|method| method.short()).collect::<Vec<_>>().join(", ")
    }
}

/// Returns the values of σ² that the methods choose, in increasing order.
fn choices(points: &[EvidencePoint]) -> Vec<Choice> {
    let approximate = EvidenceComparison::METHODS.into_iter().enumerate().filter_map(|(place, method)| {
        Some((method, largest(points, |point| point.approximate[place])?.sigma2))
    });
    let reference = largest(points, sampled).map(|best| (Method::Sampled, best.sigma2));
    let mut choices: Vec<Choice> = Vec::new();
    for (method, sigma2) in reference.into_iter().chain(approximate) {
        match choices.iter_mut().find(|choice| choice.sigma2 == sigma2) {
            Some(choice) => choice.methods.push(method),
            None => choices.push(Choice { sigma2, methods: vec![method] }),
        }
    }
    choices.sort_by(|a, b| a.sigma2.total_cmp(&b.sigma2));
    choices
}

/// Adds a vertical line at each chosen σ², in the colour of the method if it is the only one, with its value.
fn with_choices(figure: Figure, choices: &[Choice], (low, high): (f64, f64)) -> Figure {
    choices.iter().fold(figure, |figure, choice| {
        let hue = if let [method] = choice.methods[..] { look(method).0 } else { Hue::Ink };
        let line = Thread::new(choice.names(), [low, high].map(|y| (choice.sigma2, y)));
        let key = format!("best_{}", choice.sigma2);
        let at = (choice.sigma2, low + 0.1 * (high - low));
        figure
            .mark(Threads::new(key, "", hue, [line]))
            .note(at, format!("{}: {}", choice.names(), choice.sigma2))
    })
}

/// Returns a sentence with the σ² of the largest evidence by every method, and how much the others lose by their choice.
fn finding(points: &[EvidencePoint]) -> String {
    let Some(best) = largest(points, sampled) else {
        return "No log evidence is sampled yet.".to_owned();
    };
    let choices = choices(points);
    let (same, others): (Vec<&Choice>, Vec<&Choice>) =
        choices.iter().partition(|choice| choice.sigma2 == best.sigma2);
    let approximate = |choice: &Choice| -> Vec<&str> {
        let methods = choice.methods.iter().filter(|method| **method != Method::Sampled);
        methods.map(|method| method.short()).collect()
    };
    let others = others.iter().map(|choice| {
        let loss = best.sampled.zip(reference(points, choice.sigma2));
        let loss = loss.map_or(String::new(), |(best, there)| format!(", {}", loss_words(best, there)));
        format!(" {}: {}{loss}.", approximate(choice).join(" and "), choice.sigma2)
    });
    let others: String = others.collect();
    let same: Vec<&str> = same.into_iter().flat_map(approximate).collect();
    match same[..] {
        [] => format!("Not exactly: the reference chooses σ² = {}.{others}", best.sigma2),
        [one] => format!("Yes: {one} chooses σ² = {}, as the reference does.{others}", best.sigma2),
        _ => {
            format!("Yes: {} choose σ² = {}, as the reference does.{others}", same.join(" and "), best.sigma2)
        }
    }
}

/// Returns the sampled log evidence at a value of σ², if it is reliable.
fn reference(points: &[EvidencePoint], sigma2: f64) -> Option<LogMeanWeight> {
    points.iter().find(|point| point.sigma2 == sigma2)?.sampled.filter(|z| !z.is_dominated())
}

/// Returns how much less probable the labels are at another σ² than at the best one, by the reference.
fn loss_words(best: LogMeanWeight, there: LogMeanWeight) -> String {
    let loss = best.ln_mean - there.ln_mean;
    if loss <= 2.0 * libm::hypot(best.se, there.se) {
        return "where the reference is almost as high".to_owned();
    }
    match libm::exp(loss) {
        ratio if ratio < 2.0 => format!("where the labels are {} less probable", percent(1.0 - 1.0 / ratio)),
        ratio if ratio < 9.95 => {
            let ratio = format!("{ratio:.1}");
            format!("where the labels are {} times less probable", ratio.trim_end_matches(".0"))
        }
        ratio if ratio < 1e4 => format!("where the labels are {ratio:.0} times less probable"),
        _ => "where the labels are over 10,000 times less probable".to_owned(),
    }
}

/// Returns a sentence with the error of every method at the σ² of the largest sampled evidence; empty without one.
fn errors_at_best(points: &[EvidencePoint]) -> String {
    let Some(best) = largest(points, sampled) else { return String::new() };
    let errors = EvidenceComparison::METHODS.into_iter().enumerate().filter_map(|(place, method)| {
        Some(format!("{} {}", method.label(), minus(format_args!("{:+.2}", best.error(place)?))))
    });
    let known = match best.sampled {
        Some(z) if !z.is_dominated() => format!("known to ± {}", rounded(z.se)),
        _ => format!("unreliable, as the effective sample size is below {}", LogMeanWeight::MIN_ESS),
    };
    let errors = errors.collect::<Vec<_>>().join(", ");
    format!(" Errors at the largest, in nats: {errors}, {known}.")
}

/// Returns the smallest and the largest σ² whose sampled log evidence is within two standard errors of the largest.
fn plausible(points: &[EvidencePoint]) -> Option<(f64, f64)> {
    let best = largest(points, sampled)?.sampled?;
    let near = points.iter().filter(|point| {
        point.sampled.is_some_and(|z| best.ln_mean - z.ln_mean <= 2.0 * libm::hypot(best.se, z.se))
    });
    near.map(|point| (point.sigma2, point.sigma2)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

fn caption(spec: &EvidenceSpec, points: &[EvidencePoint]) -> String {
    let ess = points.iter().filter_map(|point| Some(point.sampled?.ess)).reduce(f64::min);
    let chains = ess.zip(plausible(points)).map_or(String::new(), |(ess, (low, high))| {
        let least = LogMeanWeight::MIN_ESS;
        let few = if ess < least {
            format!(": below {least}, the estimate is probably too low and has no error bar (diamonds)")
        } else {
            String::new()
        };
        let range =
            if low < high { format!("from σ² = {low} to {high}") } else { format!("at σ² = {low} only") };
        format!(
            " It is within two standard errors of its largest value {range}. The smallest effective sample size is {ess:.1}{few}."
        )
    });
    format!(
        "Squares: the reference, annealed importance sampling with {} chains for each σ²; error bars: one standard error, from the scatter of the chains. \
         Curves: its approximations by TAP and the naive theory (−G), and by Laplace. Rings and vertical lines: the largest value of each.{chains}{}",
        spec.chains,
        errors_at_best(points)
    )
}

/// Returns the error of each approximation over σ².
fn errors(spec: &EvidenceSpec, points: &[EvidencePoint]) -> Figure {
    let at = |place: usize, point: &EvidencePoint| {
        Some(Point::new(point.sigma2, point.error(place)?).with_se(point.sampled?.error_bar()))
    };
    // The errors of the naive theory are so large that the others could not be read beside them.
    let shown = |method: &Method| *method != Method::Naive;
    let places = (0..).zip(EvidenceComparison::METHODS).filter(|(_, method)| shown(method));
    let errors = places.flat_map(|(place, _)| points.iter().filter_map(move |point| point.error(place)));
    let values: Vec<f64> = errors.collect();
    let x = axis(spec);
    let zero = [x.range.0, x.range.1].map(|x| Point::new(x, 0.0));
    let summary =
        largest_error(points, 0).map_or("No log evidence is sampled reliably yet.".to_owned(), |largest| {
            let Estimate { value, se } = largest.error;
            format!(
                "The log evidence by TAP is at most {} ± {} off, at σ² = {}.",
                rounded(value.abs()),
                rounded(se),
                largest.sigma2
            )
        });
    Figure::new("errors", "Error of each approximation")
        .x(x)
        .y(Axis::around("log evidence less the reference, nats", values.into_iter().chain([-0.5, 0.5])))
        .mark(Curve::new("zero", "no error", Hue::Ink).stroke(Stroke::Dashed).points(zero))
        .marks(curves(points, at).zip(EvidenceComparison::METHODS).map(|(curve, method)| {
            if shown(&method) { curve } else { curve.hidden() }
        }))
        .caption(
            "Log evidence by each approximation less the reference. Error bars: one standard error of the reference, which \
             the curves share. The largest of several errors is larger than one of them by chance. The naive theory is hidden at first.",
        )
        .summary(summary)
}

/// Returns the figure of the points.
fn drawn_points(spec: &EvidenceSpec) -> Figure {
    let drawn = spec.points();
    let points: Vec<_> = drawn.rows.iter().zip(&drawn.tau).map(|(at, tau)| [at[0], at[1], *tau]).collect();
    let (x, y) = plane::axes();
    Figure::new("points", "The points")
        .x(x)
        .y(y)
        .equal()
        .marks(plane::classes(&points))
        .caption("The points and their labels, which are the same for every σ².")
        .summary(format!("{} points of two classes.", drawn.tau.len()))
}
