//! How much each input counts.

use super::{empty, solved};
use crate::figure::{Axis, Bar, Bars, Figure, Hue};
use crate::math::stats::order;
use crate::models::gp::table::OwnSnapshot;

/// Weights of the inputs, the largest first: each as 1/σ² of its own, N w.
pub fn weights(snapshot: &OwnSnapshot) -> Figure {
    let label = "weight, N wᵢ";
    let base = empty(
        "weights",
        "Relevance of the columns",
        Axis::linear("column, most relevant first", (0.0, 1.0)),
        Axis::linear(label, (0.0, 1.0)),
    );
    let Some((main, solved)) = solved(snapshot) else { return base };
    let count = solved.weights.len();
    let falling: Vec<f64> = solved.weights.iter().map(|w| -w * count as f64).collect();
    let order: Vec<(f64, &String)> =
        order(&falling).into_iter().map(|j| (-falling[j], &main.table.names[j])).collect();
    let most = order.first().map_or(1.0, |first| first.0);
    let names: Vec<String> = order.iter().map(|(_, name)| (*name).clone()).collect();
    let relevant = order.iter().filter(|(w, _)| *w > 0.01 * most).count();
    let first: Vec<&str> = names.iter().take(3).map(String::as_str).collect();
    let sentence = format!(
        "{relevant} of {count} columns have more than a hundredth of the largest weight; the largest: {}.",
        first.join(", ")
    );
    let bars = order.iter().enumerate().map(|(i, (w, _))| Bar::new(i as f64 + 1.0, *w));
    let least = order.iter().map(|o| o.0).filter(|w| *w > 0.0).fold(most, f64::min);
    let mut y = Axis::linear(label, (0.0, 1.08 * most));
    if least > 0.0 && least < 0.1 * most {
        y = y.or_log();
    }
    let caption = format!(
        "Weights of the columns in the covariance function, times N: relevance over σ². They suggest which columns matter; \
             collinear columns share or trade their weight. They are point estimates, so there are no error bars. {sentence}"
    );
    base.x(Axis::categories("column, most relevant first", names))
        .y(y)
        .caption(caption)
        .summary(sentence)
        .mark(Bars::new("weight", "", Hue::Blue, 0.7, bars))
}
