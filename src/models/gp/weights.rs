//! Weights of the columns.

use crate::figure::Figure;
use crate::lab::labelled_table::{RelevanceWords, relevance_figure};

/// Returns the figure of the weights of the inputs `names` times N, the largest first; without `weights` only its axes.
pub fn weights_figure(names: &[String], weights: Option<&[f64]>) -> Figure {
    let relevances: Option<Vec<f64>> =
        weights.map(|weights| weights.iter().map(|w| w * weights.len() as f64).collect());
    let words = RelevanceWords {
        noun: "weight",
        axis: "weight, N wᵢ",
        caption: "Weights of the columns in the covariance function, times N: relevance over σ².",
    };
    relevance_figure(names, relevances.as_deref(), words)
}
