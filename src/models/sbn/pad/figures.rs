//! Figures of the pad. The first three are also figures of the task `sbn`, which those of the pad replace.

use super::input::{example, image};
use super::{DrawingResult, NetworkResult, PassTrace};
use crate::data::thousands;
use crate::figure::{
    Axis, Bar, Bars, Colours, Curve, Figure, Grid, Handles, Hue, Marker, Point, Stroke, minus, percent,
    with_error,
};
use crate::lab::Pixels;
use crate::math::stats::order;
use crate::models::sbn::digits::preprocessing::{Bits, GREY, PIXELS, SIDE, is_on};
use crate::models::sbn::spec::{Canvas, LEVELS, LearnSpec};

/// Colours of binary images and probabilities.
const GREYS: Colours = Colours::Grey { low: 0.0, high: 1.0 };
/// Lower end of the axis of bounds, in nats; smaller bounds are drawn there.
const MIN_BOUND: f64 = -150.0;

/// Words for a drawing without ink.
const NOTHING_DRAWN: &str = "Nothing is drawn yet.";

/// Returns all figures.
pub fn figures(spec: &LearnSpec, result: Option<&DrawingResult>) -> Vec<Figure> {
    let mut figures = vec![drawing(spec, result), network_samples(spec, result), bounds(result)];
    if let Some(result) = result.filter(|result| result.is_blank()) {
        // These two do not depend on the drawing.
        let chosen = spec.look.digit().map(|_| [detailed_samples(spec, result), pixel_weights(result)]);
        figures.extend(chosen.into_iter().flatten());
        return figures;
    }
    figures.extend(result.into_iter().flat_map(|result| {
        let means = units(result, ("means", "Means μ after each pass", "μ"), |pass| &pass.mu);
        let xi = units(result, ("xi", "Parameters ξ after each pass", "ξ"), |pass| &pass.xi);
        [
            completed(result),
            convergence(result),
            means,
            xi,
            detailed_samples(spec, result),
            pixel_weights(result),
        ]
    }));
    figures
}

/// Returns a figure of images, without visible axes.
fn pictures(id: &str, title: &str, columns: usize) -> Figure {
    Figure::new(id, title)
        .x(Axis::linear("column", (0.5, SIDE as f64 + 0.5)))
        .y(Axis::linear("row", (0.5, SIDE as f64 + 0.5)))
        .pictures(columns)
}

/// Returns the grey levels of an image; NaN for missing pixels.
fn shades(image: Bits, missing: Bits) -> Vec<f32> {
    let shade = |i: usize| match (is_on(missing, i), is_on(image, i)) {
        (true, _) => f32::NAN,
        (false, true) => 1.0,
        (false, false) => 0.0,
    };
    (0..PIXELS).map(shade).collect()
}

/// Returns the drawing, which can be edited. Hidden pixels show the means under the network that finds the drawing most probable,
/// once there is a result.
pub fn drawing(spec: &LearnSpec, result: Option<&DrawingResult>) -> Figure {
    let fields = LearnSpec::FIELDS;
    let (image, missing) = image(spec);
    let (field, pixels, side) = match spec.canvas {
        Canvas::Grid => {
            let pixels = Pixels::of_shades(SIDE, 2, shades(image, missing));
            (fields.drawing.key, spec.drawing.clone().unwrap_or(pixels), SIDE)
        }
        Canvas::Pen => {
            let initial = || Pixels::of_shades(GREY, LEVELS, example().into_iter().map(|ink| ink as f32));
            (fields.ink.key, spec.ink.clone().unwrap_or_else(initial), GREY)
        }
    };
    let canvas = match (spec.canvas, result) {
        // Before there is a result, hidden pixels have the colour of those without ink.
        (Canvas::Grid, None) => filled_drawing(image, missing, &[0.0; PIXELS]),
        (Canvas::Grid, Some(result)) if !result.is_blank() => filled_drawing(image, missing, &result.filled),
        (Canvas::Grid, Some(_)) => Grid::image("ink", "", side, &pixels.shades(), GREYS),
        (Canvas::Pen, _) => Grid::image("ink", "your drawing", side, &pixels.shades(), GREYS),
    };
    let reduced = (spec.canvas == Canvas::Pen)
        .then(|| Grid::image("reduced", "what the networks see", SIDE, &shades(image, missing), GREYS));
    let (ink, hidden) = (image.count_ones(), missing.count_ones());
    let summary = match (ink, hidden) {
        (0, _) => NOTHING_DRAWN.to_owned(),
        (ink, 0) => format!("A drawing of {PIXELS} pixels with {ink} pixels of ink."),
        (_, hidden) => {
            let visible = PIXELS - hidden as usize;
            format!("Orange: {hidden} hidden pixels, filled in from {visible} visible ones.")
        }
    };
    pictures("drawing", "Draw a digit", 0)
        .mark(canvas)
        .marks(reduced)
        .caption(match spec.canvas {
            Canvas::Pen => "The networks see the drawing reduced to 10×10 pixels.",
            Canvas::Grid if hidden == 0 => "No pixel is hidden: the networks see the whole drawing.",
            Canvas::Grid => "Orange: the probability of ink in a hidden pixel, by the most probable network.",
        })
        .finding(if ink > 0 && hidden > 0 { summary.clone() } else { String::new() })
        .summary(summary)
        .handles(Handles::new(field, &pixels).grid("ink").with(fields.canvas.key, spec.canvas))
}

/// Returns the drawing with its hidden pixels filled in.
fn filled_drawing(image: Bits, missing: Bits, means: &[f32]) -> Grid {
    let (shades, hidden) = filled_shades(image, missing, means);
    Grid::image("ink", "", SIDE, &shades, GREYS).filled_in(&hidden)
}

/// Returns the grey levels of an image with the means of its missing pixels, and true for each of those.
fn filled_shades(image: Bits, missing: Bits, means: &[f32]) -> (Vec<f32>, Vec<bool>) {
    let hidden: Vec<bool> = (0..PIXELS).map(|i| is_on(missing, i)).collect();
    let ink = shades(image, 0).into_iter().zip(means).zip(&hidden);
    (ink.map(|((ink, mean), hidden)| if *hidden { *mean } else { ink }).collect(), hidden)
}

/// Returns the bound of each network; without bars if nothing is drawn.
pub fn bounds(result: Option<&DrawingResult>) -> Figure {
    let blank = result.is_some_and(DrawingResult::is_blank);
    let result = result.filter(|_| !blank);
    let rows = || result.into_iter().flat_map(|result| &result.rows);
    let best = result.map(|result| result.rows[result.best].digit);
    let bars = |key: &str, label: &str, hue, chosen: bool| {
        let these = rows().filter(move |row| (Some(row.digit) == best) == chosen);
        let bar = |row: &NetworkResult| Bar {
            base: MIN_BOUND,
            ..Bar::new(f64::from(row.digit) + 1.0, row.bound.max(MIN_BOUND))
        };
        Bars::new(key, label, hue, 0.7, these.map(bar))
    };
    let without = if blank { NOTHING_DRAWN } else { "No bounds are computed yet." };
    let summary = result.map_or(without.to_owned(), |result| {
        let row = &result.rows[result.best];
        format!(
            "Predicted digit: {}. Its network has the largest bound, {} nats. Its class probability, by Bayes' rule applied to the \
             bounds, is {:.3}.",
            row.digit,
            minus(format_args!("{:.1}", row.bound)),
            result.probabilities()[result.best]
        )
    });
    Figure::new("bounds", "Bound of each network")
        .x(Axis::categories("digit of the network", (0..10).map(|digit| digit.to_string()).collect()))
        .y(Axis::linear("bound on ln P (nats)", (MIN_BOUND, 0.0)))
        .caption(
            format!(
                "The mean-field bound, SJ98 eq. (24), on the log probability of the drawing under each network. The longest bar gives the \
                 predicted class. The bound relies on a Gaussian approximation and can slightly exceed ln P. {summary}"
            ),
        )
        .finding(match result {
            Some(result) => verdict(result, &result.probabilities()),
            None if blank => summary.clone(),
            None => String::new(),
        })
        .summary(summary)
        .mark(bars("others", "other networks", Hue::Sky, false))
        .mark(bars("best", "predicted digit", Hue::Vermilion, true))
}

/// Returns a sample of each network with the probability of its digit; the most probable one is framed.
pub fn network_samples(spec: &LearnSpec, result: Option<&DrawingResult>) -> Figure {
    let rows = result.map_or(&[][..], |result| &result.rows);
    let read = result.filter(|result| !result.is_blank());
    let probabilities = read.map(DrawingResult::probabilities);
    let each = rows.iter().enumerate().map(|(index, row)| {
        let share = probabilities.as_ref().map(|all| all[index]);
        let words = share.map_or(String::new(), |share| format!(": {}", percent(share)));
        let best = read.is_some_and(|result| result.best == index);
        let label = format!("{}{words}", row.digit);
        Grid::image(format!("dream_{}", row.digit), label, SIDE, &spec.shown.shades(&row.sample), GREYS)
            .framed(best)
            .share(share.unwrap_or(0.0))
    });
    let each: Vec<Grid> = each.collect();
    let summary = match (read.zip(probabilities.as_ref()), result) {
        (Some((result, probabilities)), _) => verdict(result, probabilities),
        (None, Some(_)) => NOTHING_DRAWN.to_owned(),
        (None, None) => String::new(),
    };
    pictures("dreams", "Each network imagines its digit", 0)
        .caption(format!(
            "Pictures: one sample of each network, independent of the drawing. {} Bars: the probability of each digit given \
             the drawing, by Bayes' rule with equal priors and a fast bound in place of each exact probability.",
            spec.shown.caption()
        ))
        .finding(summary.clone())
        .summary(if summary.is_empty() { "One sample of each network.".to_owned() } else { summary })
        .marks(each)
}

/// Returns the two most probable digits in a sentence.
fn verdict(result: &DrawingResult, probabilities: &[f64]) -> String {
    let order = order(&probabilities.iter().map(|p| -p).collect::<Vec<_>>());
    let named = |index: usize| format!("{} ({})", result.rows[index].digit, percent(probabilities[index]));
    match order[..] {
        [best, next, ..] if probabilities[next] >= 0.005 => {
            format!("Most likely a {}, then a {}.", named(best), named(next))
        }
        [best, ..] => format!("Most likely a {}.", named(best)),
        [] => String::new(),
    }
}

/// Returns the drawing with its missing pixels filled in by the best network.
fn completed(result: &DrawingResult) -> Figure {
    let digit = result.rows[result.best].digit;
    let (filled, _) = filled_shades(result.image, result.missing, &result.filled);
    let gap = result.rows[result.best].bound - result.estimate.ln_p.ln_mean;
    pictures("completed", "Missing pixels filled in", 3)
        .mark(Grid::image("seen", "observed pixels", SIDE, &shades(result.image, result.missing), GREYS))
        .mark(Grid::image("filled", "missing pixels filled in", SIDE, &filled, GREYS))
        .mark(Grid::image("expected", "means of all pixels", SIDE, &result.filled, GREYS))
        .caption(format!(
            "Network of digit {digit}. Missing pixels are filled in by their means ξ; the last picture shows the means of all pixels \
             given the hidden units. Importance sampling estimates ln P of the observed pixels as {} from {} draws; the bound minus this \
             estimate is {} nats.",
            with_error(&result.estimate.ln_p, 2),
            thousands(result.estimate.draws),
            minus(format_args!("{gap:+.1}"))
        ))
        .summary(format!("The drawing completed by the network of digit {digit}."))
}

/// Returns the bound after each pass.
fn convergence(result: &DrawingResult) -> Figure {
    let digit = result.rows[result.detailed].digit;
    let bounds = result.passes.iter().enumerate();
    let points = bounds.map(|(at, pass)| Point::new((at + 1) as f64, pass.bound));
    let curve = Curve::new("bound", "bound", Hue::Blue).stroke(Stroke::Solid).marker(Marker::Disc);
    let values = result.passes.iter().map(|pass| pass.bound);
    let mut changes = result
        .passes
        .windows(2)
        .map(|pair| pair[0].mu.iter().zip(&pair[1].mu).map(|(a, b)| (a - b).abs()).fold(0.0_f32, f32::max));
    let last = changes.next_back().unwrap_or_default();
    Figure::new("settling", "Bound after each pass")
        .x(Axis::linear("pass", (0.5, result.passes.len() as f64 + 0.5)))
        .y(Axis::around("bound on ln P (nats)", values))
        .mark(curve.points(points))
        .caption(format!(
            "The bound for the drawing under the network of digit {digit} while the mean field equations are solved. Passes alternate \
             upwards and downwards. The largest change of a mean in the last pass is {last:.4}."
        ))
        .summary(format!("The bound under the network of digit {digit} over {} passes.", result.passes.len()))
}

/// Returns a value of each hidden unit (rows) after each pass (columns).
fn units(
    result: &DrawingResult,
    (key, title, symbol): (&str, &str, &str),
    of: fn(&PassTrace) -> &[f32],
) -> Figure {
    let (digit, passes) = (result.rows[result.detailed].digit, result.passes.len());
    let count = result.passes.first().map_or(0, |pass| of(pass).len());
    let values = (0..count).flat_map(|unit| result.passes.iter().map(move |pass| of(pass)[unit])).collect();
    let (x, y) = ((0.5, passes as f64 + 0.5), (0.5, count as f64 + 0.5));
    let colours = Colours::Sequential { low: 0.0, high: 1.0 };
    Figure::new(key, title)
        .x(Axis::linear("pass", x))
        .y(Axis::linear("hidden unit", y))
        .mark(Grid::map(key, symbol, passes, values, (x, y), colours))
        .caption(format!(
            "{symbol} of the {count} hidden units of the network of digit {digit} for the drawing; the units are numbered from the top \
             layer. Before the first pass all means are ½."
        ))
        .summary(format!("{symbol} of {count} hidden units over {passes} passes."))
}

/// Returns samples of the network shown in detail, with clamped top units.
fn detailed_samples(spec: &LearnSpec, result: &DrawingResult) -> Figure {
    let digit = result.rows[result.detailed].digit;
    let each = result.samples.iter().enumerate().map(|(i, sample)| {
        Grid::image(format!("sample_{i}"), format!("{}", i + 1), SIDE, &spec.shown.shades(sample), GREYS)
    });
    let clamped = spec.clamp.iter().enumerate().filter(|(_, state)| **state >= 0.0);
    let clamped: Vec<String> = clamped.map(|(k, state)| format!("{} at {state}", k + 1)).collect();
    let clamped = if clamped.is_empty() { "none".to_owned() } else { clamped.join(", ") };
    pictures("drawn", "Samples of one network", 6)
        .marks(each)
        .caption(format!(
            "Ancestral samples of the network of digit {digit}. Clamped top units: {clamped}. {}",
            spec.shown.caption()
        ))
        .summary(format!("Samples of the network of digit {digit}."))
}

/// Returns the weights to the pixels of the network shown in detail.
fn pixel_weights(result: &DrawingResult) -> Figure {
    let digit = result.rows[result.detailed].digit;
    let largest = result.weights.iter().flatten().fold(1e-6_f32, |largest, w| largest.max(w.abs()));
    let colours = Colours::Diverging { low: -largest, centre: 0.0, high: largest };
    let each =
        result.weights.iter().enumerate().map(|(k, weights)| {
            Grid::image(format!("unit_{k}"), format!("{}", k + 1), SIDE, weights, colours)
        });
    pictures("fields", "Weights to the pixels", 9)
        .marks(each)
        .caption(format!(
            "Weights from each unit of the lowest hidden layer to the pixels, in the network of digit {digit}. Largest absolute weight: \
             {largest:.1}."
        ))
        .summary(format!("Weights of {} hidden units to the pixels.", result.weights.len()))
}
