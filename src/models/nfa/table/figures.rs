//! Figures of the task `nfa.data`: the sources of each row, the reconstruction of the channels, and predictions of missing values.

use super::{TableRow, TableSnapshot, channels};
use crate::figure::{Axis, Curve, Dot, Figure, Hue, Marker, Point, Points, Stroke, percent};
use crate::models::nfa::shared_figures::{cost, hidden_units, noise, range, source_costs};

/// Maximum number of figures of single sources, and of single channels.
const MAX_PANELS: usize = 4;

/// Returns all figures.
pub fn figures(snapshot: &TableSnapshot) -> Vec<Figure> {
    let empty = TableRow::default();
    let row = snapshot.shown().unwrap_or(&empty);
    let fitted = &row.fitted;
    let mut figures = vec![plane(row)];
    figures.extend((0..fitted.sources.min(MAX_PANELS)).map(|i| source(row, i)));
    figures.extend((0..row.names.len().min(MAX_PANELS)).map(|k| channel(row, k)));
    figures.extend(channels::figures(row));
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

/// Returns the mean and standard deviation of source i in each row.
fn sources(row: &TableRow, i: usize) -> impl Iterator<Item = (f64, f64)> + Clone {
    let n = row.fitted.sources.max(1);
    let every = move |numbers: &'_ [f32]| {
        numbers.iter().skip(i).step_by(n).map(|s| f64::from(*s)).collect::<Vec<_>>()
    };
    let (means, sds) = (every(&row.fitted.means), every(&row.fitted.sds));
    means.into_iter().zip(sds)
}

/// Returns the first two sources against each other.
fn plane(row: &TableRow) -> Figure {
    let first = sources(row, 0).map(|(mean, _)| mean);
    let second: Vec<f64> = if row.fitted.sources > 1 {
        sources(row, 1).map(|(mean, _)| mean).collect()
    } else {
        row.lines.iter().map(|line| *line as f64).collect()
    };
    let other = if row.fitted.sources > 1 { "source 2" } else { "row number in the file" };
    let dots = first
        .clone()
        .zip(&second)
        .zip(&row.lines)
        .map(|((x, y), line)| Dot::new(Point::new(x, *y), format!("row {line}")));
    let new = new_rows(row);
    let xs = first.clone().chain(new.iter().map(|dot| dot.point.x));
    let ys = second.iter().copied().chain(new.iter().map(|dot| dot.point.y));
    let (x_range, y_range) = (range(xs), range(ys));
    let new = (!new.is_empty())
        .then(|| Points::new("second", "rows of the second file", Hue::Orange, Marker::Square, new));
    let left_out = |which: &str, names: &[String]| match names {
        [] => String::new(),
        names => format!(" {which}, not used: {}.", names.join(", ")),
    };
    let left_out = left_out("Constant columns", &row.constant)
        + &left_out("Columns without numbers", &row.without_numbers);
    let cells = row.measured.len();
    let missing = row.missing_cells().count();
    Figure::new("plane", "First two sources")
        .x(Axis::linear("source 1", x_range))
        .y(Axis::linear(other, y_range))
        .mark(Points::new("rows", if new.is_some() { "learnt rows" } else { "" }, Hue::Blue, Marker::Disc, dots))
        .marks(new)
        .with_records()
        .finding(finding(row))
        .saying(format!(
            "Posterior means of the sources, one point per row, after {} sweeps on {} rows of {} channels; {missing} of {cells} \
             values are missing.{left_out}{} The sign and the order of the sources are not identifiable; \
             without mixtures, nor is their rotation. The CSV of this figure contains all sources and reconstructions.",
            row.fitted.cost.len(),
            row.lines.len(),
            row.names.len(),
            row.treated.remarks()
        ))
}

/// Returns the rows of the second table in the plane of the first two sources.
fn new_rows(row: &TableRow) -> Vec<Dot> {
    let sources = row.second.means.chunks_exact(row.fitted.sources.max(1));
    let dot = |(means, line): (&[f32], &usize)| {
        let y = means.get(1).map_or(*line as f64, |mean| f64::from(*mean));
        Dot::new(Point::new(f64::from(means[0]), y), format!("row {line} of the second file"))
    };
    sources.zip(&row.second.lines).map(dot).collect()
}

/// Returns a sentence on the variance that the sources explain; empty before the fit is finished.
fn finding(row: &TableRow) -> String {
    let Some(share) = row.explained_variance() else { return String::new() };
    let sources = match row.fitted.sources {
        1 => "One source explains".to_owned(),
        count => format!("{count} sources explain"),
    };
    format!(
        "{sources} {} of the variance, averaged over {} channels ({} rows).",
        percent(share),
        row.names.len(),
        row.lines.len()
    )
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
