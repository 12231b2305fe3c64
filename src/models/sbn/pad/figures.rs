//! The pad and what is seen beside it. The first three are figures of the experiment as well, which the pad's lie over.

use super::run::{example, image};
use super::{Pass, Seen};
use crate::figure::{
    Axis, Bar, Bars, Colours, Curve, Figure, Grid, Handles, Hue, Marker, Point, Stroke, minus,
};
use crate::lab::Pixels;
use crate::models::sbn::digits::prepare::{Bits, GREY, PIXELS, SIDE, is_on};
use crate::models::sbn::learn::{Canvas, LEVELS, LearnSpec};

const GREYS: Colours = Colours::Grey { low: 0.0, high: 1.0 };
/// The axis of bounds, in nats: no likelier images than certain ones, and unlikelier ones are not told apart.
const LEAST: f64 = -150.0;

/// All of them.
pub fn all(spec: &LearnSpec, seen: Option<&Seen>) -> Vec<Figure> {
    let mut figures = vec![drawing(spec), bounds(seen), dreams(seen)];
    figures.extend(seen.into_iter().flat_map(|seen| {
        let means = units(seen, ("means", "Means μ after each pass", "μ"), |pass| &pass.mu);
        let xi = units(seen, ("xi", "Parameters ξ after each pass", "ξ"), |pass| &pass.xi);
        [completed(seen), settling(seen), means, xi, drawn(spec, seen), fields(seen)]
    }));
    figures
}

/// A figure of pictures has axes that are not drawn.
fn pictures(id: &str, title: &str, columns: usize) -> Figure {
    Figure::new(id, title)
        .x(Axis::linear("column", (0.5, SIDE as f64 + 0.5)))
        .y(Axis::linear("row", (0.5, SIDE as f64 + 0.5)))
        .pictures(columns)
}

/// Shades of an image, NaN where a pixel is missing.
fn shades(image: Bits, missing: Bits) -> Vec<f32> {
    let shade = |i: usize| match (is_on(missing, i), is_on(image, i)) {
        (true, _) => f32::NAN,
        (false, true) => 1.0,
        (false, false) => 0.0,
    };
    (0..PIXELS).map(shade).collect()
}

/// The drawing, which can be drawn on.
pub fn drawing(spec: &LearnSpec) -> Figure {
    let fields = LearnSpec::FIELDS;
    let (image, missing) = image(spec);
    let (field, shown, side) = match spec.canvas {
        Canvas::Grid => {
            let pixels = Pixels::of_shades(SIDE, 2, shades(image, missing));
            (fields.drawing.key, spec.drawing.clone().unwrap_or(pixels), SIDE)
        }
        Canvas::Pen => {
            let first = || Pixels::of_shades(GREY, LEVELS, example().into_iter().map(|ink| ink as f32));
            (fields.ink.key, spec.ink.clone().unwrap_or_else(first), GREY)
        }
    };
    let ink = image.count_ones();
    let lost = match missing.count_ones() {
        0 => String::new(),
        lost => format!("; {lost} missing pixels are summed over"),
    };
    let canvas = Grid::image("ink", "drawing", side, &shown.shades(), GREYS);
    let reduced = (spec.canvas == Canvas::Pen)
        .then(|| Grid::image("reduced", "input of the networks", SIDE, &shades(image, missing), GREYS));
    pictures("drawing", "Draw a digit", 0)
        .mark(canvas)
        .marks(reduced)
        .caption(
            "Draw a digit, or mark pixels as missing: each network sums over their values. The other figures are updated while you \
             draw.",
        )
        .summary(format!("A drawing of {PIXELS} pixels with {ink} pixels of ink{lost}."))
        .handles(Handles::new(field, &shown).grid("ink").with(fields.canvas.key, spec.canvas))
}

/// The bound of each network.
pub fn bounds(seen: Option<&Seen>) -> Figure {
    let rows = || seen.into_iter().flat_map(|seen| &seen.rows);
    let best = seen.map(|seen| seen.rows[seen.best].digit);
    let bars = |key: &str, label: &str, hue, chosen: bool| {
        let these = rows().filter(move |row| (Some(row.digit) == best) == chosen);
        let bar = |row: &super::Row| Bar {
            base: LEAST,
            ..Bar::new(f64::from(row.digit) + 1.0, row.bound.max(LEAST))
        };
        Bars::new(key, label, hue, 0.7, these.map(bar))
    };
    let summary = seen.map_or("No bounds are computed yet.".to_owned(), |seen| {
        let row = &seen.rows[seen.best];
        format!(
            "Predicted digit: {}. Its network has the largest bound, {} nats. Its class probability, by Bayes' rule applied to the \
             bounds, is {:.3}.",
            row.digit,
            minus(format_args!("{:.1}", row.bound)),
            seen.probabilities()[seen.best]
        )
    });
    let figure = Figure::new("bounds", "Bounds on the log probability of the drawing");
    let figure = match seen.map(|seen| &seen.rows[seen.best]) {
        Some(row) => figure.note((f64::from(row.digit) + 1.0, row.bound.max(LEAST)), "predicted digit"),
        None => figure,
    };
    figure
        .x(Axis::categories("digit of the network", (0..10).map(|digit| digit.to_string()).collect()))
        .y(Axis::linear("bound on ln P (nats)", (LEAST, 0.0)))
        .caption(
            "The bound (24) on the log probability of the drawing under each network. The longest bar gives the predicted class. The bound \
             relies on a Gaussian approximation and can slightly exceed ln P.",
        )
        .finding(if seen.is_some() { summary.clone() } else { String::new() })
        .summary(summary)
        .mark(bars("others", "other networks", Hue::Sky, false))
        .mark(bars("best", "largest bound", Hue::Vermilion, true))
}

/// One image drawn from each network.
pub fn dreams(seen: Option<&Seen>) -> Figure {
    let rows = seen.into_iter().flat_map(|seen| &seen.rows);
    let each = rows.map(|row| {
        Grid::image(format!("dream_{}", row.digit), row.digit.to_string(), SIDE, &row.dream, GREYS)
    });
    let marks: Vec<Grid> = each.collect();
    pictures("dreams", "One sample of each network", 10)
        .caption(
            "One ancestral sample of each network: hidden units are sampled from the top layer down. Grey level: probability of \
             ink given the hidden units above.",
        )
        .summary("One sample of each network.")
        .marks(marks)
}

/// The drawing with its missing pixels filled in by the best network.
fn completed(seen: &Seen) -> Figure {
    let digit = seen.rows[seen.best].digit;
    let filled: Vec<f32> =
        (0..PIXELS)
            .map(|i| {
                if is_on(seen.missing, i) {
                    seen.filled[i]
                } else {
                    f32::from(u8::from(is_on(seen.image, i)))
                }
            })
            .collect();
    let gap = seen.rows[seen.best].bound - seen.estimate.ln_p;
    pictures("completed", "Missing pixels filled in", 3)
        .mark(Grid::image("seen", "observed pixels", SIDE, &shades(seen.image, seen.missing), GREYS))
        .mark(Grid::image("filled", "missing pixels filled in", SIDE, &filled, GREYS))
        .mark(Grid::image("expected", "means of all pixels", SIDE, &seen.filled, GREYS))
        .caption(format!(
            "Network of digit {digit}. Missing pixels are filled in by their means ξ; the last picture shows the means of all pixels \
             given the hidden units. Importance sampling estimates ln P of the observed pixels as {} ± {:.2} nats ({} draws, \
             effective sample size {:.0}); the bound minus this estimate is {} nats.",
            minus(format_args!("{:.2}", seen.estimate.ln_p)), seen.estimate.se, seen.estimate.draws, seen.estimate.ess,
            minus(format_args!("{gap:+.1}"))
        ))
        .summary(format!("The drawing completed by the network of digit {digit}."))
}

/// The bound, pass by pass.
fn settling(seen: &Seen) -> Figure {
    let digit = seen.rows[seen.looked].digit;
    let bounds = seen.passes.iter().enumerate();
    let points = bounds.map(|(at, pass)| Point::new((at + 1) as f64, pass.bound));
    let curve = Curve::new("bound", "bound (24)", Hue::Blue).stroke(Stroke::Solid).marker(Marker::Disc);
    let values = seen.passes.iter().map(|pass| pass.bound);
    let mut changes = seen
        .passes
        .windows(2)
        .map(|pair| pair[0].mu.iter().zip(&pair[1].mu).map(|(a, b)| (a - b).abs()).fold(0.0_f32, f32::max));
    let last = changes.next_back().unwrap_or_default();
    Figure::new("settling", "Bound after each pass")
        .x(Axis::linear("pass", (0.5, seen.passes.len() as f64 + 0.5)))
        .y(Axis::around("bound on ln P (nats)", values))
        .mark(curve.points(points))
        .caption(format!(
            "Bound (24) for the drawing under the network of digit {digit} while the mean field equations are solved. Passes alternate \
             upwards and downwards. The largest change of a mean in the last pass is {last:.4}."
        ))
        .summary(format!("The bound under the network of digit {digit} over {} passes.", seen.passes.len()))
}

/// A number for each hidden unit and pass: one row for each unit, one column for each pass.
fn units(seen: &Seen, (key, title, symbol): (&str, &str, &str), of: fn(&Pass) -> &[f32]) -> Figure {
    let (digit, passes) = (seen.rows[seen.looked].digit, seen.passes.len());
    let count = seen.passes.first().map_or(0, |pass| of(pass).len());
    let values = (0..count).flat_map(|unit| seen.passes.iter().map(move |pass| of(pass)[unit])).collect();
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

/// Samples of the network that is shown, with clamped top units.
fn drawn(spec: &LearnSpec, seen: &Seen) -> Figure {
    let digit = seen.rows[seen.looked].digit;
    let each = seen
        .drawn
        .iter()
        .enumerate()
        .map(|(i, shades)| Grid::image(format!("sample_{i}"), format!("{}", i + 1), SIDE, shades, GREYS));
    let held = spec.clamp.iter().enumerate().filter(|(_, state)| **state >= 0.0);
    let held: Vec<String> = held.map(|(k, state)| format!("{} at {state}", k + 1)).collect();
    let held = if held.is_empty() { "none".to_owned() } else { held.join(", ") };
    pictures("drawn", "Samples of one network", 6)
        .marks(each)
        .caption(format!("Ancestral samples of the network of digit {digit}. Clamped top units: {held}."))
        .summary(format!("Samples of the network of digit {digit}."))
}

/// Weights to the pixels.
fn fields(seen: &Seen) -> Figure {
    let digit = seen.rows[seen.looked].digit;
    let most = seen.fields.iter().flatten().fold(1e-6_f32, |most, w| most.max(w.abs()));
    let colours = Colours::Diverging { low: -most, centre: 0.0, high: most };
    let each =
        seen.fields.iter().enumerate().map(|(k, weights)| {
            Grid::image(format!("unit_{k}"), format!("{}", k + 1), SIDE, weights, colours)
        });
    pictures("fields", "Weights to the pixels", 9)
        .marks(each)
        .caption(format!(
            "Weights from each unit of the lowest hidden layer to the pixels, in the network of digit {digit}. Largest absolute weight: \
             {most:.1}."
        ))
        .summary(format!("Weights of {} hidden units to the pixels.", seen.fields.len()))
}
