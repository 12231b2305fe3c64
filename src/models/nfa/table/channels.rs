//! Channels and sources: the variance of each channel that the fit explains, and its correlation with each source.

use serde_json::{Value, json};

use super::TableRow;
use crate::figure::{Axis, Dot, Figure, Hue, Marker, Point, Points};
use crate::models::nfa::shared_figures::channel_axis;
use crate::models::nfa::solver::score::correlation;

/// Hue and marker of the sources that are drawn.
const SERIES: [(Hue, Marker); 4] = [
    (Hue::Blue, Marker::Disc),
    (Hue::Orange, Marker::Square),
    (Hue::Green, Marker::Diamond),
    (Hue::Purple, Marker::Circle),
];
/// Distance on the axis of channels between the points of two series.
const SHIFT: f64 = 0.12;

/// Returns the share of the variance of each channel that a reconstruction explains, over the finite cells of `measured`; both are
/// T×m, row by row, with `channels` = m. A share is negative if the mean of the channel is a better prediction, NaN if it is not
/// defined.
pub(super) fn explained(measured: &[f64], reconstruction: &[f64], channels: usize) -> Vec<f64> {
    let share = |k: usize| {
        let cells = measured.iter().zip(reconstruction).skip(k).step_by(channels);
        let known: Vec<(f64, f64)> = cells.filter(|(x, _)| x.is_finite()).map(|(x, r)| (*x, *r)).collect();
        let mean = known.iter().map(|(x, _)| x).sum::<f64>() / known.len() as f64;
        let residual: f64 = known.iter().map(|(x, r)| (x - r) * (x - r)).sum();
        let total: f64 = known.iter().map(|(x, _)| (x - mean) * (x - mean)).sum();
        1.0 - residual / total
    };
    (0..channels).map(share).collect()
}

/// Returns the correlation of each channel with the posterior mean of each source over the rows with a measurement, m of n; NaN if it
/// is not defined.
fn loadings(row: &TableRow) -> Vec<Vec<f64>> {
    let (channels, sources) = (row.names.len(), row.fitted.sources);
    let loading = |k: usize, i: usize| {
        let measured = row.measured.iter().skip(k).step_by(channels);
        let means = row.fitted.means.iter().skip(i).step_by(sources);
        let known = measured.zip(means).filter(|(x, _)| x.is_finite());
        let (x, s): (Vec<f64>, Vec<f64>) = known.map(|(x, s)| (f64::from(*x), f64::from(*s))).unzip();
        correlation(&x, &s)
    };
    (0..channels).map(|k| (0..sources).map(|i| loading(k, i)).collect()).collect()
}

/// Returns the figures of the explained variance and of the loadings.
pub(super) fn figures(row: &TableRow) -> [Figure; 2] {
    [explained_figure(row), loadings_figure(row)]
}

fn series(key: &str, label: &str, at: usize, values: impl Iterator<Item = f64>, names: &[String]) -> Points {
    let (hue, marker) = SERIES[at];
    let dots = values.zip(names).zip(1..).map(|((y, name), k)| {
        Dot::new(Point::new(f64::from(k) + SHIFT * at as f64, y), format!("{name}: {label}"))
    });
    Points::new(key, label, hue, marker, dots.filter(|dot| dot.point.y.is_finite()).collect::<Vec<_>>())
}

fn explained_figure(row: &TableRow) -> Figure {
    let names = &row.names;
    let shares = || row.explained.iter().chain(&row.linear_explained);
    let lowest = shares().filter(|share| share.is_finite()).fold(0.0_f64, |low, share| low.min(*share));
    let figure = Figure::new("explained", "Explained variance of each channel")
        .x(channel_axis(names))
        .y(Axis::linear("share of the variance", (1.05 * lowest, 1.05)));
    if row.explained.is_empty() {
        return figure.saying("The explained variance is computed at the end of the fit.");
    }
    let components = match row.fitted.sources {
        1 => "one principal component".to_owned(),
        count => format!("{count} principal components"),
    };
    figure
        .saying(format!(
            "Share of the variance of each channel that the reconstruction explains, and the share that {components} explain on the same \
             rows. Missing values are not counted; for the components they are replaced by the mean of their channel. A channel far above \
             its square depends nonlinearly on the sources."
        ))
        .mark(series("fit", "reconstruction", 0, row.explained.iter().copied(), names))
        .mark(series("linear", "principal components", 1, row.linear_explained.iter().copied(), names))
}

fn loadings_figure(row: &TableRow) -> Figure {
    let loadings = loadings(row);
    let shown = row.fitted.sources.min(SERIES.len());
    let marks = (0..shown).map(|i| {
        let values = loadings.iter().map(|channel| channel[i]);
        series(&format!("source-{}", i + 1), &format!("source {}", i + 1), i, values, &row.names)
    });
    Figure::new("loadings", "Loadings of each channel")
        .x(channel_axis(&row.names))
        .y(Axis::linear("correlation with the source", (-1.05, 1.05)))
        .saying(
            "Correlation of each channel with the posterior mean of each source, over the rows with a measurement. The sign of a source is \
             arbitrary. A channel that depends on a source without being correlated with it has a nonlinear dependence, such as a square.",
        )
        .marks(marks)
}

/// Returns the report of explained variance, in the order of the columns, and loadings, a row per column.
pub(super) fn report(row: &TableRow) -> Value {
    json!({
        "explained_variance": row.explained,
        "explained_variance_of_principal_components": row.linear_explained,
        "loadings": loadings(row),
    })
}
