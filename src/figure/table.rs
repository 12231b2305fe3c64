//! The numbers behind a figure: a table to read on the page and a CSV to compute with.

use std::fmt::Write as _;

use super::summary::rounded;
use super::{Axis, Coordinates, Datum, Figure, Grid, Mark};

/// Rows a table has at most; a CSV has all.
const MOST: usize = 1000;

/// The numbers of a figure for reading. Values at abscissae stand side by side, one abscissa a row: the measured ones, and
/// lines where they have a value at that very abscissa. Places in the plane or in space, and small pictures, have a row each.
#[derive(Clone, Debug, PartialEq)]
pub struct DataTable {
    /// What each column is.
    pub columns: Vec<String>,
    /// The rows; `None` where a mark has no value.
    pub rows: Vec<Vec<Option<String>>>,
    /// Rows that are left out because they are too many to read.
    pub more: usize,
}

impl DataTable {
    /// The table of `figure`.
    pub fn of(figure: &Figure) -> Self {
        let mut table = match figure.coordinates {
            Coordinates::Pictures { .. } => pictures(figure),
            _ if figure.marks.iter().any(Mark::by_abscissa) => by_abscissa(figure),
            _ if figure.grids().any(Grid::is_table) => counts(figure),
            _ => places(figure),
        };
        table.more = table.rows.len().saturating_sub(MOST);
        table.rows.truncate(MOST);
        table
    }
}

/// One row for each abscissa, one column for each mark.
fn by_abscissa(figure: &Figure) -> DataTable {
    let marks = || figure.marks.iter().filter(|mark| mark.by_abscissa());
    let measured: Vec<&Mark> = match marks().filter(|mark| mark.measured()).collect::<Vec<_>>() {
        none if none.is_empty() => marks().collect(),
        some => some,
    };
    let mut xs: Vec<f64> = Vec::new();
    for datum in measured.iter().flat_map(|mark| mark.data()) {
        if let Err(place) = xs.binary_search_by(|x| x.total_cmp(&datum.x)) {
            xs.insert(place, datum.x);
        }
    }
    let map = figure.grids().next_back();
    let columns = std::iter::once(heading(&figure.x, "x").to_owned())
        .chain(marks().map(|mark| named(mark).to_owned()))
        .chain(map.map(|map| map.entry.label.clone() + " there"))
        .collect();
    let row = |&x: &f64| {
        let there = || {
            let y = measured.iter().flat_map(|mark| mark.data()).find(|datum| datum.x == x)?.y;
            figure.under(x, y).map(|(value, _)| format!("{:.4}", f64::from(value)))
        };
        std::iter::once(Some(figure.x.name(x).map_or_else(|| plain(x), str::to_owned)))
            .chain(marks().map(|mark| cell(mark, x)))
            .chain(map.map(|_| there()))
            .collect()
    };
    DataTable { columns, rows: xs.iter().map(row).collect(), more: 0 }
}

/// One row for each datum.
fn places(figure: &Figure) -> DataTable {
    let z = match &figure.coordinates {
        Coordinates::Space { z } => Some(z),
        _ => None,
    };
    let names = names(figure);
    let labelled = figure.marks.iter().flat_map(Mark::data).any(|datum| !datum.label.is_empty());
    let columns = std::iter::once("series")
        .chain([heading(&figure.x, "x"), heading(&figure.y, "y")])
        .chain(z.map(|z| heading(z, "z")))
        .chain(names.iter().copied())
        .chain(labelled.then_some("label"))
        .map(str::to_owned)
        .collect();
    let coordinate = |axis: &super::Axis, v: f64| axis.name(v).map_or_else(|| plain(v), str::to_owned);
    let row = |mark: &Mark, datum: Datum| {
        let name = named(mark);
        std::iter::once(Some(name.to_owned()))
            .chain([Some(coordinate(&figure.x, datum.x)), Some(coordinate(&figure.y, datum.y))])
            .chain(z.map(|z| datum.z.map(|v| coordinate(z, v))))
            .chain(names.iter().map(|name| datum.get(name).map(|value| format!("{value:.4}"))))
            .chain(labelled.then(|| Some(datum.label.to_owned())))
            .collect()
    };
    let rows = figure.marks.iter().flat_map(|mark| mark.data().map(move |datum| row(mark, datum)));
    DataTable { columns, rows: rows.collect(), more: 0 }
}

/// Printed counts as they are printed: a row an ordinate, from above, and the columns of one table after those of the other.
fn counts(figure: &Figure) -> DataTable {
    let tables: Vec<&Grid> = figure.grids().filter(|grid| grid.is_table()).collect();
    let name = |axis: &Axis, v: f64| axis.name(v).map_or_else(|| plain(v), str::to_owned);
    let heads = tables.iter().flat_map(|table| {
        let label =
            if table.entry.label.is_empty() { String::new() } else { format!("{}, ", table.entry.label) };
        let column = move |i: usize| name(&figure.x, table.centre(i, 0).0);
        (0..table.columns).map(move |i| format!("{label}{} {}", heading(&figure.x, "x"), column(i)))
    });
    let columns = std::iter::once(heading(&figure.y, "y").to_owned()).chain(heads).collect();
    let row = |row: usize| {
        let head = tables.first().map(|table| name(&figure.y, table.centre(0, row).1));
        let cells = tables.iter().flat_map(|table| {
            (0..table.columns).map(move |i| table.counts.get(row * table.columns + i).map(u32::to_string))
        });
        std::iter::once(head).chain(cells).collect()
    };
    let rows = tables.iter().map(|table| table.rows()).max().unwrap_or(0);
    DataTable { columns, rows: (0..rows).rev().map(row).collect(), more: 0 }
}

/// One row for each picture.
fn pictures(figure: &Figure) -> DataTable {
    let row = |grid: &Grid| {
        let known = || grid.values.iter().map(|v| f64::from(*v)).filter(|v| v.is_finite());
        let (low, high) = known().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let count = known().count();
        let said = |value: f64| (count > 0).then(|| rounded(value));
        let name = if grid.entry.label.is_empty() { &grid.entry.key } else { &grid.entry.label };
        let mean = known().sum::<f64>() / count.max(1) as f64;
        vec![
            Some(name.clone()),
            Some(format!("{} × {}", grid.columns, grid.rows())),
            Some(count.to_string()),
            said(low),
            said(mean),
            said(high),
        ]
    };
    let columns = ["picture", "pixels", "known", "smallest", "mean", "largest"].map(str::to_owned).into();
    DataTable { columns, rows: figure.grids().map(row).collect(), more: 0 }
}

fn cell(mark: &Mark, x: f64) -> Option<String> {
    let datum = mark.data().find(|datum| datum.x == x)?;
    // Counts are written as such.
    let counts = || mark.data().all(|datum| datum.y.fract() == 0.0);
    let value = match (datum.get("lower"), datum.get("upper"), datum.get("se")) {
        (Some(lower), Some(upper), _) => format!("{lower:.4} to {upper:.4}"),
        (_, _, Some(se)) => format!("{:.4} ± {se:.4}", datum.y),
        _ if counts() => format!("{:.0}", datum.y),
        _ => format!("{:.4}", datum.y),
    };
    Some(if datum.label.is_empty() { value } else { format!("{value} ({})", datum.label) })
}

/// A number as short as it can be without losing anything that matters on a page.
fn plain(x: f64) -> String {
    let text = format!("{x:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The names of all numbers that data of `figure` have beside their place, in order of appearance.
fn names(figure: &Figure) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for (name, _) in
        figure.marks.iter().flat_map(Mark::data).flat_map(|datum| datum.more.into_iter().flatten())
    {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// What a mark is called: its label, or its key where it is the only one and needs none.
fn named(mark: &Mark) -> &str {
    let label = &mark.entry().label;
    if label.is_empty() { mark.key() } else { label }
}

/// What stands over the column of an axis, which may have no label where its categories speak for themselves.
fn heading<'a>(axis: &'a Axis, letter: &'a str) -> &'a str {
    match axis.label.as_str() {
        "" if axis.name(1.0).is_some() => "name",
        "" => letter,
        label => label,
    }
}

/// Every datum of every mark with full precision, one per line: `series,x,y`, then `z`, other numbers and `label` where some
/// datum of the figure has them. What is not finite is left out.
pub fn tidy_csv(figure: &Figure) -> String {
    let data = || figure.marks.iter().flat_map(|mark| mark.data().map(move |datum| (mark, datum)));
    let names = names(figure);
    let (space, labelled) = (figure.in_space(), data().any(|(_, datum)| !datum.label.is_empty()));
    let mut csv = String::from(if space { "series,x,y,z" } else { "series,x,y" });
    for name in names.iter().copied().chain(labelled.then_some("label")) {
        csv.push(',');
        csv.push_str(name);
    }
    csv.push('\n');
    for (mark, datum) in data() {
        // Writing to a String cannot fail.
        let _ = write!(csv, "{}", quoted(mark.key()));
        for (axis, value) in [(&figure.x, datum.x), (&figure.y, datum.y)] {
            let _ = match axis.name(value) {
                Some(name) => write!(csv, ",\"{}\"", name.replace('"', "\"\"")),
                None => write!(csv, ",{value}"),
            };
        }
        for value in space.then_some(datum.z).into_iter().chain(names.iter().map(|name| datum.get(name))) {
            csv.push(',');
            if let Some(value) = value {
                let _ = write!(csv, "{value}");
            }
        }
        if labelled {
            let _ = write!(csv, ",{}", quoted(datum.label));
        }
        csv.push('\n');
    }
    csv
}

/// A text as it may stand in a CSV.
pub(super) fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Band, Colours, Curve, Dot, Hue, Interval, Marker, Point, Points, Stroke};
    use super::*;

    fn base() -> Figure {
        Figure::new("f", "").x(Axis::linear("α", (0.0, 2.0))).y(Axis::linear("ε", (0.0, 1.0)))
    }

    fn two_curves() -> Figure {
        let dense = (0..=4).map(|i| Point::new(f64::from(i) / 2.0, 0.1));
        base().mark(Curve::new("theory", "theory", Hue::Ink).stroke(Stroke::Dashed).points(dense)).mark(
            Curve::new("runs", "runs", Hue::Blue)
                .marker(Marker::Disc)
                .points([Point::new(0.5, 0.25).with_se(0.01), Point::new(0.7, 0.2)]),
        )
    }

    fn measured(key: &str, points: impl IntoIterator<Item = Point>) -> Curve {
        Curve::new(key, key, Hue::Blue).marker(Marker::Disc).points(points)
    }

    #[test]
    fn rows_are_the_measured_abscissae_and_gaps_are_kept() {
        let table = DataTable::of(&two_curves());
        assert_eq!(table.columns, ["α", "theory", "runs"]);
        assert_eq!(
            table.rows,
            [
                vec![Some("0.5".into()), Some("0.1000".into()), Some("0.2500 ± 0.0100".into())],
                vec![Some("0.7".into()), None, Some("0.2000".into())],
            ]
        );
    }

    #[test]
    fn a_named_axis_gives_names_for_numbers() {
        let figure = base()
            .x(Axis::categories("column", vec!["a \"b\", c".into(), "d".into()]))
            .mark(measured("w", [1.0, 2.0].map(|x| Point::new(x, 0.25))));
        assert_eq!(DataTable::of(&figure).rows[0][0].as_deref(), Some("a \"b\", c"));
        assert_eq!(tidy_csv(&figure), "series,x,y\nw,\"a \"\"b\"\", c\",0.25\nw,\"d\",0.25\n");
    }

    #[test]
    fn counts_are_whole() {
        let rows =
            DataTable::of(&base().mark(measured("n", [Point::new(0.5, 12.0), Point::new(0.7, 0.0)]))).rows;
        assert_eq!((rows[0][1].as_deref(), rows[1][1].as_deref()), (Some("12"), Some("0")));
    }

    #[test]
    fn the_csv_has_every_datum_with_full_precision_and_nothing_that_is_not_finite() {
        let mut figure = two_curves();
        let Mark::Curve(runs) = &mut figure.marks[1] else { panic!("a curve") };
        runs.points.push(Point { x: 1.0, y: f64::NAN, se: None });
        runs.points.push(Point { x: 1.5, y: 0.5, se: Some(f64::INFINITY) });
        let csv = tidy_csv(&figure);
        assert_eq!(csv.lines().count(), 1 + 5 + 3);
        assert!(csv.starts_with("series,x,y,se\n") && csv.contains("\nruns,0.5,0.25,0.01\n"));
        assert!(csv.contains("\nruns,0.7,0.2,\n") && csv.ends_with("\nruns,1.5,0.5,\n"), "{csv}");
    }

    #[test]
    fn intervals_labels_and_maps_have_columns_of_their_own() {
        let extent = ((0.0, 2.0), (0.0, 1.0));
        let map = Grid::map("map", "p", 2, vec![0.25, f32::NAN], extent, Colours::Probability);
        let figure = base()
            .mark(Band::new("b", "band", Hue::Blue, [Interval { x: 1.0, lower: 0.25, upper: 0.75 }]))
            .mark(Points::new(
                "p",
                "points",
                Hue::Blue,
                Marker::Disc,
                [Dot::new(Point::new(0.5, 0.5), "3 rows, x")],
            ))
            .mark(map);
        assert_eq!(
            tidy_csv(&figure),
            "series,x,y,lower,upper,value,label\nb,1,0.5,0.25,0.75,,\np,0.5,0.5,,,,\"3 rows, x\"\nmap,0.5,0.5,,,0.25,\n"
        );
        let table = DataTable::of(&figure);
        assert_eq!(table.columns, ["α", "band", "points", "p there"]);
        assert_eq!(
            table.rows,
            [["0.5", "", "0.5000 (3 rows, x)", "0.2500"].map(|s| (!s.is_empty()).then(|| s.to_owned()))]
        );
    }

    #[test]
    fn pictures_have_a_row_each_and_long_tables_end() {
        let grey = Colours::Grey { low: 0.0, high: 1.0 };
        let figure = Figure::new("f", "").pictures(0).mark(Grid::image(
            "one",
            "",
            2,
            &[0.0, 1.0, 0.5, f32::NAN],
            grey,
        ));
        let said = ["one", "2 × 2", "3", "0", "0.500", "1"].map(|s| Some(s.to_owned()));
        assert_eq!(DataTable::of(&figure).rows, [said]);
        let long = base().mark(measured("n", (0..1500).map(|i| Point::new(f64::from(i), 0.0))));
        let table = DataTable::of(&long);
        assert_eq!((table.rows.len(), table.more), (1000, 500));
        assert_eq!(tidy_csv(&long).lines().count(), 1501);
    }
}
