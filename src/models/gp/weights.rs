//! Weights of the columns.

use crate::figure::{Axis, Bar, Bars, Figure, Hue};
use crate::lab::labelled_table::empty_figure;
use crate::math::stats::order;

/// Share of the largest weight above which a column counts as relevant.
const RELEVANT: f64 = 0.01;

const COLUMN: &str = "column, most relevant first";
const WEIGHT: &str = "weight, N wᵢ";

/// Returns the figure of the weights of the inputs `names` times N, the largest first; without `weights` only its axes.
pub fn weights_figure(names: &[String], weights: Option<&[f64]>) -> Figure {
    let unit = (0.0, 1.0);
    let base = empty_figure(
        "weights",
        "Relevance of the columns",
        Axis::linear(COLUMN, unit),
        Axis::linear(WEIGHT, unit),
    );
    let Some(weights) = weights else { return base };
    let count = weights.len();
    let falling: Vec<f64> = weights.iter().map(|w| -w * count as f64).collect();
    let order = order(&falling);
    let weights: Vec<f64> = order.iter().map(|j| -falling[*j]).collect();
    let names: Vec<String> = order.iter().map(|j| names[*j].clone()).collect();
    let most = weights.first().copied().unwrap_or(1.0);
    let relevant = weights.iter().filter(|w| **w > RELEVANT * most).count();
    let sentence = format!(
        "{relevant} of {count} columns have more than a hundredth of the largest weight; the largest: {}.",
        names[..names.len().min(3)].join(", ")
    );
    let least = weights.iter().copied().filter(|w| *w > 0.0).fold(most, f64::min);
    let mut y = Axis::linear(WEIGHT, (0.0, 1.08 * most));
    if least > 0.0 && least < 0.1 * most {
        y = y.or_log();
    }
    let caption = format!(
        "Weights of the columns in the covariance function, times N: relevance over σ². They suggest which columns matter; \
             collinear columns share or trade their weight. They are point estimates, so there are no error bars. {sentence}"
    );
    let bars = weights.iter().zip(1..).map(|(w, rank)| Bar::new(f64::from(rank), *w));
    base.x(Axis::categories(COLUMN, names)).y(y).caption(caption).summary(sentence).mark(Bars::new(
        "weight",
        "",
        Hue::Blue,
        0.7,
        bars,
    ))
}
