//! Relevances of the columns.

use super::empty_figure;
use crate::figure::{Axis, Bar, Bars, Figure, Hue};
use crate::math::stats::order;

/// Share of the largest relevance above which a column counts as relevant.
const RELEVANT: f64 = 0.01;

const COLUMN: &str = "column, most relevant first";

/// Words for the numbers that a model takes as relevances.
#[derive(Clone, Copy, Debug)]
pub struct RelevanceWords {
    /// Noun, as in "weight".
    pub noun: &'static str,
    /// Label of the axis.
    pub axis: &'static str,
    /// First sentences of the caption.
    pub caption: &'static str,
}

/// Returns the figure of the relevances of the columns `names`, the largest first; without `relevances` only its axes.
pub fn relevance_figure(names: &[String], relevances: Option<&[f64]>, words: RelevanceWords) -> Figure {
    let unit = (0.0, 1.0);
    let base = empty_figure(
        "weights",
        "Relevance of the columns",
        Axis::linear(COLUMN, unit),
        Axis::linear(words.axis, unit),
    );
    let Some(relevances) = relevances else { return base };
    let count = relevances.len();
    let falling: Vec<f64> = relevances.iter().map(|of| -of).collect();
    let order = order(&falling);
    let relevances: Vec<f64> = order.iter().map(|j| -falling[*j]).collect();
    let names: Vec<String> = order.iter().map(|j| names[*j].clone()).collect();
    let most = relevances.first().copied().unwrap_or(1.0);
    let relevant = relevances.iter().filter(|of| **of > RELEVANT * most).count();
    let sentence = format!(
        "{relevant} of {count} columns have a {} above 1 % of the largest; the largest: {}.",
        words.noun,
        names[..names.len().min(3)].join(", ")
    );
    let least = relevances.iter().copied().filter(|of| *of > 0.0).fold(most, f64::min);
    let mut y = Axis::linear(words.axis, (0.0, 1.08 * most));
    if least > 0.0 && least < 0.1 * most {
        y = y.or_log();
    }
    let caption = format!(
        "{} They suggest which columns matter; among collinear columns, the split of the {} is arbitrary. They are point estimates, so there are no \
         error bars. {sentence}",
        words.caption, words.noun
    );
    let bars = relevances.iter().zip(1..).map(|(of, rank)| Bar::new(f64::from(rank), *of));
    base.x(Axis::categories(COLUMN, names)).y(y).caption(caption).summary(sentence).mark(Bars::new(
        "weight",
        "",
        Hue::Blue,
        0.7,
        bars,
    ))
}
