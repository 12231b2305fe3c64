//! The figure of the first two sources.

use super::TableRow;
use crate::data::WordGroups;
use crate::figure::{Axis, Dot, Figure, Hue, Marker, Point, Points, Segments, Stroke, rounded};
use crate::math::stats::median;
use crate::models::nfa::shared_figures::range;

/// Hue and marker of the rows of each word.
const SERIES: [(Hue, Marker); 6] = [
    (Hue::Blue, Marker::Disc),
    (Hue::Orange, Marker::Triangle),
    (Hue::Green, Marker::Square),
    (Hue::Purple, Marker::Diamond),
    (Hue::Sky, Marker::Disc),
    (Hue::Yellow, Marker::Triangle),
];
/// Maximum number of rows with error bars of their own.
const MAX_ERROR_BARS: usize = 60;

/// Returns the mean and standard deviation of source i in each row.
pub(super) fn sources(row: &TableRow, i: usize) -> impl Iterator<Item = (f64, f64)> + Clone {
    let n = row.fitted.sources.max(1);
    let every = move |numbers: &'_ [f32]| {
        numbers.iter().skip(i).step_by(n).map(|s| f64::from(*s)).collect::<Vec<_>>()
    };
    let (means, sds) = (every(&row.fitted.means), every(&row.fitted.sds));
    means.into_iter().zip(sds)
}

/// A row in the plane: means and standard deviations.
type Place = [(f64, f64); 2];

/// Returns the place of each row: source 1, and source 2 or else the row number.
fn places(row: &TableRow) -> Vec<Place> {
    let second: Vec<(f64, f64)> = if row.fitted.sources > 1 {
        sources(row, 1).collect()
    } else {
        row.lines.iter().map(|line| (*line as f64, 0.0)).collect()
    };
    sources(row, 0).zip(second).map(|(x, y)| [x, y]).collect()
}

/// Returns the first two sources against each other, with colours of the words of a column.
pub(super) fn scatter(row: &TableRow) -> Figure {
    let places = places(row);
    let other = if row.fitted.sources > 1 { "source 2" } else { "row number in the file" };
    let new = new_rows(row);
    let xs = places.iter().map(|place| place[0].0).chain(new.iter().map(|dot| dot.point.x));
    let ys = places.iter().map(|place| place[1].0).chain(new.iter().map(|dot| dot.point.y));
    let (x_range, y_range) = (range(xs), range(ys));
    let (bars, on_bars) = error_bars(&places, x_range, y_range);
    let new = (!new.is_empty())
        .then(|| Points::new("second", "rows of the second file", Hue::Ink, Marker::Circle, new));
    let colours = row
        .groups
        .as_ref()
        .map_or(String::new(), |groups| format!(" Colours: {}, which the fit does not use.", groups.name));
    Figure::new("plane", if row.fitted.sources > 1 { "First two sources" } else { "The source of each row" })
        .x(Axis::linear("source 1", x_range))
        .y(Axis::linear(other, y_range))
        .mark(bars)
        .marks(series(row, &places, new.is_some()))
        .marks(new)
        .with_records()
        .saying(format!(
            "Posterior means of the sources, one point per row.{colours} {on_bars} The posterior treats sources and weights as \
                independent, so the error bars are too short. The CSV of this figure contains all sources and reconstructions."
        ))
}

/// Returns the points of the rows: a mark for each word of the grouping column, and one for rows without a word.
fn series(row: &TableRow, places: &[Place], has_new: bool) -> Vec<Points> {
    let dots = |of: &dyn Fn(usize) -> bool| -> Vec<Dot> {
        let rows = places.iter().zip(&row.lines).enumerate().filter(|(t, _)| of(*t));
        rows.map(|(_, ([x, y], line))| Dot::new(Point::new(x.0, y.0), format!("row {line}"))).collect()
    };
    let Some(WordGroups { name, words, of_row }) = &row.groups else {
        let label = if has_new { "rows of the first file" } else { "" };
        return vec![Points::new("rows", label, Hue::Blue, Marker::Disc, dots(&|_| true))];
    };
    let mut all: Vec<Points> = words
        .iter()
        .zip(SERIES)
        .enumerate()
        .map(|(at, (word, (hue, marker)))| {
            let dots = dots(&|t| of_row.get(t).copied().flatten() == Some(at as u32));
            Points::new(format!("rows-{}", at + 1), format!("{name} = {word}"), hue, marker, dots)
        })
        .collect();
    let unknown = dots(&|t| of_row.get(t).copied().flatten().is_none());
    if !unknown.is_empty() {
        all.push(Points::new("rows", format!("{name} missing"), Hue::Ink, Marker::Disc, unknown));
    }
    all
}

/// Returns the error bars of all rows, of one row of typical error if there are many rows, and a sentence on them.
fn error_bars(places: &[Place], x: (f64, f64), y: (f64, f64)) -> (Segments, String) {
    let cross = |[(x, sd_x), (y, sd_y)]: Place| {
        [vec![(x - sd_x, y), (x + sd_x, y)], vec![(x, y - sd_y), (x, y + sd_y)]]
    };
    let typical = |i: usize| median(places.iter().map(|place| place[i].1));
    let (lines, label, words): (Vec<_>, _, _) = if places.is_empty() {
        (Vec::new(), "± 1 posterior sd", String::new())
    } else if places.len() <= MAX_ERROR_BARS {
        let words = "Error bars: one posterior standard deviation.".to_owned();
        (places.iter().flat_map(|place| cross(*place)).collect(), "± 1 posterior sd", words)
    } else {
        let sds = [typical(0), typical(1)];
        let low = |range: (f64, f64), sd: f64| range.0 + sd + 0.03 * (range.1 - range.0);
        let words = format!(
            "The cross in the corner shows the median error bars: one posterior standard deviation, {} for source 1.",
            rounded(sds[0])
        );
        let place = [(low(x, sds[0]), sds[0]), (low(y, sds[1]), sds[1])];
        (cross(place).into(), "typical error bars", words)
    };
    // Row numbers have no error.
    let lines = lines.into_iter().filter(|line| line[0] != line[1]);
    (Segments::new("errors", label, Hue::Ink, Stroke::Solid, lines), words)
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
