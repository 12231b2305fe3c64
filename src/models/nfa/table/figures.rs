//! Figures of the task `nfa.data`: the dependence of the columns on the sources, the sources of each row, the reconstruction of the
//! columns, and predictions of missing values.

use super::scatter::{scatter, sources};
use super::{TableRow, TableSnapshot, channels};
use crate::figure::{Axis, Curve, Dot, Figure, Hue, Marker, Point, Points, Stroke};
use crate::models::nfa::shared_figures::{cost, hidden_units, noise, range, source_costs};

/// Maximum number of figures of single sources, and of single channels.
const MAX_PANELS: usize = 4;

/// Returns all figures; `count` is the number of sources.
pub fn figures(snapshot: &TableSnapshot, count: usize) -> Vec<Figure> {
    let empty = TableRow::default();
    let row = snapshot.shown().unwrap_or(&empty);
    let fitted = &row.fitted;
    let mut figures =
        vec![channels::loadings_figure(row, count), scatter(row), channels::explained_figure(row)];
    figures.extend((0..fitted.sources.min(MAX_PANELS)).map(|i| source(row, i)));
    figures.extend((0..row.names.len().min(MAX_PANELS)).map(|k| channel(row, k)));
    if row.missing_cells().next().is_some() {
        figures.push(filled(row));
    }
    let others = snapshot.rows.iter().filter(|other| other.restart != row.restart);
    figures.push(cost(fitted, others.map(|row| (format!("restart {}", row.restart + 1), &row.fitted))));
    figures.push(source_costs(fitted));
    figures.push(hidden_units(fitted));
    figures.push(noise(fitted, &row.names, None));
    figures
}

/// Returns the points of means with standard deviations against line numbers.
fn by_row<'a>(
    row: &'a TableRow,
    values: impl Iterator<Item = (f64, f64)> + 'a,
) -> impl Iterator<Item = Point> + 'a {
    row.lines.iter().zip(values).map(|(line, (mean, sd))| Point::new(*line as f64, mean).with_se(sd))
}

/// Returns the axis of line numbers.
fn rows_axis(row: &TableRow) -> Axis {
    Axis::linear("row number in the file", range(row.lines.iter().map(|line| *line as f64)))
}

/// Returns source i in each row.
fn source(row: &TableRow, i: usize) -> Figure {
    let name = format!("source {}", i + 1);
    Figure::new(format!("source-{}", i + 1), format!("Source {}", i + 1))
        .x(rows_axis(row))
        .y(Axis::linear(name, range(sources(row, i).map(|(mean, _)| mean))))
        .mark(Curve::new("mean", "", Hue::Blue).marker(Marker::Disc).points(by_row(row, sources(row, i))))
        .saying(format!(
            "Posterior mean of source {} in every row. Error bars: posterior standard deviations. The posterior treats sources and \
             weights as independent, so the error bars are too short.",
            i + 1
        ))
}

/// Returns channel k and its reconstruction in each row.
fn channel(row: &TableRow, k: usize) -> Figure {
    let width = row.names.len().max(1);
    let every = |numbers: &[f32]| -> Vec<f64> {
        numbers.iter().skip(k).step_by(width).map(|x| f64::from(*x)).collect()
    };
    let (measured, mean, sd) =
        (every(&row.measured), every(&row.reconstruction), every(&row.reconstruction_sd));
    let values = measured.iter().copied().chain(mean.iter().copied());
    let points = by_row(row, mean.iter().copied().zip(sd.iter().copied()));
    let observed = row.lines.iter().zip(&measured).map(|(line, x)| Point::new(*line as f64, *x));
    Figure::new(format!("channel-{}", k + 1), format!("Channel {}", row.names[k]))
        .x(rows_axis(row))
        .y(Axis::linear(row.names[k].clone(), range(values)))
        .mark(Curve::new("reconstruction", "reconstruction", Hue::Orange).stroke(Stroke::Solid).marker(Marker::Circle).points(points))
        .mark(Curve::new("measured", "measured", Hue::Blue).marker(Marker::Disc).points(observed))
        .saying(format!(
            "Channel {} and its reconstruction from the sources. Error bars: one standard deviation of a new measurement.",
            row.names[k]
        ))
}

/// Returns the predictions of the missing cells, of which there is at least one.
fn filled(row: &TableRow) -> Figure {
    let width = row.names.len().max(1);
    let dots: Vec<Dot> = row
        .missing_cells()
        .filter_map(|(t, k)| {
            let cell = t * width + k;
            let (mean, sd) = (row.reconstruction.get(cell)?, row.reconstruction_sd.get(cell)?);
            let point = Point::new(row.lines[t] as f64, f64::from(*mean)).with_se(f64::from(*sd));
            Some(Dot::new(point, row.names[k].clone()))
        })
        .collect();
    let caption = match (row.missing_cells().count(), dots.len()) {
        (missing, 0) => format!("{missing} values are missing; they are predicted at the end of the fit."),
        (_, some) => format!(
            "Predictions of the {some} missing values. Error bars: one standard deviation of a new measurement. The label of a point is \
             its column."
        ),
    };
    Figure::new("filled", "Predictions of missing values")
        .x(rows_axis(row))
        .y(Axis::linear("value", range(dots.iter().map(|dot| dot.point.y))))
        .mark(Points::new("filled", "", Hue::Vermilion, Marker::Diamond, dots))
        .saying(caption)
}
