//! Figures of a single run: weights, predictions against the exact ones, overlaps of a growing training set, cavity fields, residuals.

use std::iter;

use super::{
    Exact, ExactReference, GrowthPoint, PosteriorAverages, SingleSnapshot, SingleSpec, SolutionSummary,
    cosine, largest_difference,
};
use crate::figure::{Axis, Bar, Bars, Curve, Figure, Hue, Mark, Marker, Point, Stroke};
use crate::math::mixing::MixingCriterion;
use crate::math::special::{density, phi};
use crate::models::feedforward::fields::TeacherKind;
use crate::models::feedforward::residual::{self, no_solution};
use crate::models::feedforward::tap::Tap;
use crate::models::feedforward::theory::errors::test_input_count;

/// Returns all figures, the weights first; if the solve failed, the residuals first, and no figure of the missing solution.
pub fn all(spec: &SingleSpec, snapshot: &SingleSnapshot) -> Vec<Figure> {
    let failure = snapshot.failure(spec);
    let tolerance = Tap::default().tolerance;
    let residual = residual::figure(&snapshot.residuals, tolerance, snapshot.ending, failure.as_deref());
    if let Some(why) = failure {
        let growth = spec.warm_start.then(|| growth(spec, snapshot)).map(|figure| {
            let caption = format!("{} {}", no_solution(&why), figure.caption);
            figure.caption(caption)
        });
        return iter::once(residual).chain(growth).collect();
    }
    let exact = snapshot.exact();
    let mut figures = vec![weights(spec, snapshot, exact.as_ref())];
    if let (Some(solution), Some(exact)) = (&snapshot.solution, &exact) {
        figures.push(predictions(spec, exact, solution));
    }
    if spec.warm_start {
        figures.push(growth(spec, snapshot));
    }
    figures.push(cavity(spec, snapshot));
    figures.push(residual);
    figures
}

fn point(x: f64, y: f64) -> Point {
    Point::new(x, y)
}

fn weights(spec: &SingleSpec, snapshot: &SingleSnapshot, exact: Option<&ExactReference>) -> Figure {
    let solution = snapshot.solution.as_ref();
    let none: &[f64] = &[];
    let (teacher, w, q) = solution.map_or((none, none, 0.0), |s| (&s.teacher, &s.weights, s.q));
    let reach = teacher.iter().chain(w).fold(1.0_f64, |most, w| most.max(w.abs())) * 1.08;
    let pairs = |w: &[f64]| teacher.iter().zip(w).map(|(x, y)| point(*x, *y)).collect::<Vec<_>>();
    let mut curves = Vec::new();
    if spec.is_matched() {
        curves.push(
            Curve::new("shrunken", "slope predicted by theory, q", Hue::Ink)
                .stroke(Stroke::Dashed)
                .points([point(-reach, -q * reach), point(reach, q * reach)]),
        );
    }
    // Present before its draws, so that the legend does not change when they come in.
    let reference = exact;
    let exact = exact.map(|exact| &exact.averages);
    if spec.exact != Exact::No {
        let points = exact.into_iter().flat_map(|exact| teacher.iter().zip(&exact.mean).zip(&exact.se));
        let points = points.map(|((x, y), se)| Point::new(*x, *y).with_se(*se));
        curves
            .push(Curve::new("exact", "exact posterior", Hue::Orange).marker(Marker::Circle).points(points));
    }
    curves.push(Curve::new("tap", "TAP", Hue::Blue).marker(Marker::Disc).points(pairs(w)));
    let (caption, summary) = match solution {
        Some(s) => (weights_caption(spec, s, exact), weights_summary(spec, s)),
        None => (
            "Mean weights against the teacher's: there is no solution yet.".to_owned(),
            "There is no solution yet.".to_owned(),
        ),
    };
    Figure::new("weights", "Weights")
        .x(Axis::linear("teacher's weight, w₀", (-reach, reach)))
        .y(Axis::linear("learner's mean weight, ⟨w⟩", (-reach, reach)))
        .marks(curves)
        .caption(caption)
        .finding(solution.map_or_else(String::new, |solution| finding(spec, solution, reference)))
        .summary(summary)
}

fn weights_caption(
    spec: &SingleSpec,
    solution: &SolutionSummary,
    exact: Option<&PosteriorAverages>,
) -> String {
    let sampled = exact.map_or(String::new(), |exact| {
        let cosine = cosine(&solution.weights, &exact.mean);
        format!(
            " Circles: the exact posterior mean by Monte Carlo (effective sample size {:.0}); its cosine with the weights by TAP is \
             {cosine:.4}, an angle of {:.1}°.{}",
            exact.effective,
            degrees(cosine),
            mixing_warning(exact)
        )
    });
    let whose = if spec.teacher == TeacherKind::Random {
        "weights w₀ that no label depends on"
    } else {
        "the teacher's weights w₀"
    };
    let line = if spec.is_matched() { " Dashed: the teacher's weights shrunk by the overlap q." } else { "" };
    format!(
        "Mean weights ⟨w⟩ of the {} after {} examples, {}, against {whose}.{line}{sampled}",
        spec.describe_machine(),
        solution.labels.len(),
        spec.describe_circumstances()
    )
}

fn weights_summary(spec: &SingleSpec, solution: &SolutionSummary) -> String {
    // For K = 1 and a matched teacher the error is exact, from an angle.
    let measured = if spec.hidden > 1 || !spec.is_matched() {
        let count = test_input_count(spec.inputs);
        let se = (solution.bayes * (1.0 - solution.bayes) / count as f64).sqrt();
        format!(" ± {se:.3}, at {count} fresh inputs")
    } else {
        String::new()
    };
    format!(
        "{} mean weights against the teacher's: overlap with the teacher {:.3}, with themselves {:.3}; the error of the Bayes \
         prediction is {:.3}{measured}.",
        solution.weights.len(),
        solution.r,
        solution.q,
        solution.bayes,
    )
}

/// Returns sentences on the weights and the errors of the learner and of the exact posterior.
fn finding(spec: &SingleSpec, solution: &SolutionSummary, exact: Option<&ExactReference>) -> String {
    // A teacher of another architecture has no weights of the learner's kind.
    let correlation = spec.is_matched().then(|| cosine(&solution.weights, &solution.teacher));
    // Weights of 0 have no direction.
    let known = correlation
        .filter(|correlation| correlation.is_finite())
        .map(|correlation| format!("The learner's weights correlate with the teacher's ({correlation:.2})."));
    let misses = |error: f64| format!("TAP misclassifies {:.1} % of new inputs", 100.0 * error);
    // Random labels cannot be predicted.
    let error = (spec.teacher != TeacherKind::Random).then(|| match exact {
        Some(exact) => {
            format!("{}; exact: {:.1} %.", misses(exact.tap_bayes), 100.0 * exact.bayes)
        }
        None => misses(solution.bayes) + ".",
    });
    let angle = || {
        let cosine = cosine(&solution.weights, &exact?.averages.mean);
        Some(format!("TAP's weights point {:.1}° away from the exact ones.", degrees(cosine)))
    };
    let sentences: Vec<String> = known.into_iter().chain(error).collect();
    if sentences.is_empty() { angle().unwrap_or_default() } else { sentences.join(" ") }
}

/// Returns the angle with this cosine.
fn degrees(cosine: f64) -> f64 {
    libm::acos(cosine.clamp(-1.0, 1.0)).to_degrees()
}

/// Returns a warning, after a space, if the chains of the exact posterior have not mixed.
fn mixing_warning(exact: &PosteriorAverages) -> String {
    exact.mixing.map_or(String::new(), MixingCriterion::warning)
}

fn predictions(spec: &SingleSpec, exact: &ExactReference, solution: &SolutionSummary) -> Figure {
    let averages = &exact.averages;
    let points = averages.outputs.iter().zip(&solution.outputs).map(|(x, y)| point(*x, *y));
    let caption = format!(
        "Probability of the output +1 at {} fresh inputs: by TAP, eq. (9), against the exact posterior (effective \
             sample size {:.0}). The largest difference is {:.3}; the fraction of inputs misclassified is {:.3} by TAP \
             and {:.3} exactly. On the diagonal both agree.{}",
        averages.outputs.len(),
        averages.effective,
        largest_difference(&solution.outputs, &averages.outputs),
        exact.tap_bayes,
        exact.bayes,
        mixing_warning(averages)
    );
    let summary = format!("TAP's predictive probabilities against exact ones, {}.", spec.describe_machine());
    Figure::new("predictions", "TAP against the exact posterior")
        .x(Axis::linear("exact probability, p", (0.0, 1.0)))
        .y(Axis::linear("by TAP, p", (0.0, 1.0)))
        .equal()
        .caption(caption)
        .summary(summary)
        .marks([
            Curve::new("diagonal", "equal", Hue::Ink)
                .stroke(Stroke::Dashed)
                .points([point(0.0, 0.0), point(1.0, 1.0)]),
            Curve::new("tap", "fresh inputs", Hue::Blue).marker(Marker::Circle).points(points),
        ])
}

fn growth(spec: &SingleSpec, snapshot: &SingleSnapshot) -> Figure {
    let line = |key: &str, label: &str, hue, pick: fn(&GrowthPoint) -> f64| {
        let points = snapshot.growth.iter().map(|g| point(g.alpha, pick(g)));
        Curve::new(key, label, hue).stroke(Stroke::Solid).points(points)
    };
    let theory = |key: &str, label: &str, hue, pick: fn(&GrowthPoint) -> f64| {
        let points = snapshot.theory.iter().map(|g| point(g.alpha, pick(g)));
        Curve::new(key, label, hue).stroke(Stroke::Dashed).points(points)
    };
    let mut curves = Vec::new();
    if spec.is_matched() {
        curves.push(theory("theory_q", "theory, q = R", Hue::Blue, |g| g.q));
        curves.push(theory("theory_opt", "theory, error", Hue::Vermilion, |g| g.opt));
    }
    curves.push(line("q", "q", Hue::Blue, |g| g.q));
    curves.push(line("r", "R", Hue::Green, |g| g.r));
    curves.push(line("opt", "error of ⟨w⟩", Hue::Vermilion, |g| g.opt));
    let theory = spec.describe_theory();
    let comparison = match (spec.is_matched(), spec.ignores_correlation()) {
        (false, _) => {
            " The learner assumes a teacher of its own architecture, so q and R separate.".to_owned()
        }
        (true, true) => format!(
            " The learner ignores the correlation of its inputs, so q and R separate. Dashed: {theory}."
        ),
        (true, false) => format!(
            " On average q = R (Nishimori identity): the learner can infer its own error from q. Dashed: {theory}."
        ),
    };
    let last = snapshot.growth.last();
    let mut y = Axis::linear("overlap and error, q, R, ε", (-0.05, 1.0));
    let curves: Vec<Mark> = curves.into_iter().map(Mark::from).collect();
    y.expand_to_fit(&curves);
    let caption = format!(
        "Overlap of the mean weights with themselves (q) and with the teacher (R), and the error of the network with weights ⟨w⟩, as \
             the training set of this run grows; each solve starts from the last.{comparison}"
    );
    Figure::new("growth", "As the training set grows")
        .x(Axis::linear("examples per weight, α = m/N", (0.0, spec.alpha * 1.02)))
        .y(y)
        .caption(caption)
        .summary(last.map_or("No solve has finished yet.".into(), |g| {
            format!(
                "At {:.2} examples per weight q = {:.3}, R = {:.3} and the error is {:.3}.",
                g.alpha, g.q, g.r, g.opt
            )
        }))
        .marks(curves)
}

/// Returns the histogram of the cavity fields times their labels, and its density in theory, which is exact for Gaussian fields.
fn cavity(spec: &SingleSpec, snapshot: &SingleSnapshot) -> Figure {
    const BINS: usize = 24;
    let hidden = spec.hidden;
    let solution = snapshot.solution.as_ref();
    let fields: Vec<f64> = solution
        .map_or(Vec::new(), |s| s.z.iter().enumerate().map(|(i, z)| z * s.labels[i / hidden]).collect());
    let theory_q = snapshot.theory_q(spec);
    let q = solution.map_or(0.5, |s| theory_q.unwrap_or(s.q)).clamp(1e-6, 1.0 - 1e-9);
    let spread = (q / (1.0 - q)).sqrt();
    let reach = fields.iter().fold(3.0 * spread, |most, t| most.max(t.abs()));
    let width = 2.0 * reach / BINS as f64;
    let mut counts = [0_usize; BINS];
    for t in &fields {
        counts[(((t + reach) / width) as usize).min(BINS - 1)] += 1;
    }
    let height = |count: usize| count as f64 / (fields.len().max(1) as f64 * width);
    let edge = |i: usize| -reach + width * i as f64;
    let bars = counts.iter().enumerate().map(|(i, count)| Bar::new(edge(i) + 0.5 * width, height(*count)));
    // Density of t = yz: P(t) = N(t; 0, q/λ) (1 + τ (2Φ(t) − 1) P(this vote decides)).
    let contrast = 1.0 - 2.0 * spec.flip_probability();
    let decides = contrast * decision_probability(hidden);
    let curve = (0..=160).map(|i| {
        let t = -reach + 2.0 * reach * f64::from(i) / 160.0;
        point(t, density(t / spread) / spread * (1.0 + decides * (2.0 * phi(t) - 1.0)))
    });
    let top = counts.iter().map(|c| height(*c)).fold(0.6 / spread, f64::max) * 1.1;
    let mut dashed = String::new();
    let histogram = Bars::new("cavity", "cavity fields", Hue::Blue, width, bars);
    let mut marks: Vec<Mark> = vec![histogram.into()];
    if let (true, Some(_)) = (spec.is_matched(), solution) {
        dashed = match theory_q {
            Some(_) => {
                format!(" Dashed: the density expected with the variance of {}.", spec.describe_theory())
            }
            None => " Dashed: the density expected with the variance that the learner assumes.".to_owned(),
        };
        marks.push(Curve::new("theory", "theory", Hue::Ink).stroke(Stroke::Dashed).points(curve).into());
    }
    let wrong = fields.iter().filter(|t| **t < 0.0).count();
    let caption = cavity_caption(spec, solution, &dashed);
    Figure::new("cavity", "Cavity fields")
        .x(Axis::linear("cavity field, y z", (-reach, reach)))
        .y(Axis::linear("density, P", (0.0, top)))
        .caption(caption)
        .summary(format!(
            "Histogram of {} cavity fields, of which {wrong} disagree with their label.",
            fields.len()
        ))
        .marks(marks)
}

fn cavity_caption(spec: &SingleSpec, solution: Option<&SolutionSummary>, dashed: &str) -> String {
    let loo = solution.map_or("There is no solution yet.".into(), |s| {
        let counted = if spec.hidden == 1 {
            "their fraction is the leave-one-out error".to_owned()
        } else {
            format!("each example has {} fields, and the leave-one-out error of their vote is", spec.hidden)
        };
        format!("Fields left of 0 disagree with their label; {counted}, {:.3} here.{dashed}", s.loo_bayes)
    });
    format!(
        "Cavity fields: the field of each example with its own contribution removed, times its label, in units of the \
         standard deviation √λ. {loo}"
    )
}

/// Returns the probability that one vote of `hidden` decides if the others are fair coins, where a tie counts half.
fn decision_probability(hidden: usize) -> f64 {
    let (others, half) = (hidden - 1, hidden / 2);
    (0..half).map(|j| (others - j) as f64 / (half - j) as f64 / 2.0).product::<f64>()
        / 2.0_f64.powi((others - half) as i32)
}

#[cfg(test)]
mod tests {
    use super::decision_probability;

    #[test]
    fn decision_probability_is_binomial() {
        // C(K−1, ⌊K/2⌋)/2^(K−1).
        for (hidden, exact) in [(1, 1.0), (2, 0.5), (3, 0.5), (4, 0.375), (5, 0.375), (7, 20.0 / 64.0)] {
            assert!((decision_probability(hidden) - exact).abs() < 1e-15, "{hidden}");
        }
        assert!((decision_probability(101) - 0.079_589_237).abs() < 1e-8);
    }
}
