//! Data of a figure: a table to read.

use super::summary::rounded;
use super::{Axis, Figure, FigureKind, Grid, Mark, Panel};

/// Largest number of rows of a table.
const MAX_ROWS: usize = 1000;

/// Data of a figure for reading. Values at the same abscissa share a row: those of measurements, and those of lines that have a
/// value there. Points in the plane or in space and small pictures have a row each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DataTable {
    /// Headings of the columns.
    pub columns: Vec<String>,
    /// Cells row by row; `None` if a mark has no value.
    pub rows: Vec<Vec<Option<String>>>,
    /// Number of omitted rows.
    pub more: usize,
}

impl DataTable {
    /// Adds a column.
    fn column(&mut self, name: &str) {
        self.columns.push(name.to_owned());
    }

    /// Returns the table of a figure with at most 1000 rows.
    pub fn of(figure: &Figure) -> Self {
        let mut table = match figure.kind {
            FigureKind::Pictures { .. } => pictures(figure),
            FigureKind::Panels { .. } => places(figure),
            _ if figure.marks.iter().any(Mark::by_abscissa) => by_abscissa(figure),
            _ if figure.grids().any(Grid::is_table) => counts(figure),
            _ => places(figure),
        };
        table.more = table.rows.len().saturating_sub(MAX_ROWS);
        table.rows.truncate(MAX_ROWS);
        table
    }
}

/// Returns one row per abscissa and one column per mark.
fn by_abscissa(figure: &Figure) -> DataTable {
    let marks: Vec<&Mark> = figure.marks.iter().filter(|mark| mark.by_abscissa()).collect();
    let measured = marks.iter().any(|mark| mark.is_measured());
    // Each abscissa with the first ordinate there, in the order of the marks.
    let mut abscissae: Vec<(f64, f64)> = (marks.iter().filter(|mark| mark.is_measured() == measured))
        .flat_map(|mark| mark.data().map(|datum| (datum.x, datum.y)))
        .collect();
    abscissae.sort_by(|a, b| a.0.total_cmp(&b.0));
    abscissae.dedup_by(|a, b| a.0.total_cmp(&b.0).is_eq());
    let map = figure.grids().next_back();
    let mut table = DataTable::default();
    table.column(heading(&figure.x, "x"));
    for mark in &marks {
        table.column(label_or_key(mark));
    }
    if let Some(map) = map {
        table.columns.push(map.info.label.clone() + " there");
    }
    for (x, y) in abscissae {
        let mut row = vec![Some(coordinate(&figure.x, x))];
        for mark in &marks {
            row.push(cell(mark, x));
        }
        if map.is_some() {
            row.push(figure.under(0, x, y).map(|(value, _)| format!("{:.4}", f64::from(value))));
        }
        table.rows.push(row);
    }
    table
}

/// Returns one row per datum.
fn places(figure: &Figure) -> DataTable {
    let z = match &figure.kind {
        FigureKind::Space { z } => Some(z),
        _ => None,
    };
    let (names, labelled) = (names(figure), labelled(figure));
    let panels = figure.all_panels();
    let mut table = DataTable::default();
    if !panels.is_empty() {
        table.column("panel");
    }
    table.column("series");
    table.column(&common_heading(figure, |(x, _)| x, "x"));
    table.column(&common_heading(figure, |(_, y)| y, "y"));
    if let Some(z) = z {
        table.column(heading(z, "z"));
    }
    for name in &names {
        table.column(name);
    }
    if labelled {
        table.column("label");
    }
    for mark in &figure.marks {
        let (x, y) = figure.axes(mark.info().panel);
        for datum in mark.data() {
            let mut row: Vec<Option<String>> = Vec::with_capacity(table.columns.len());
            row.extend(panel_of(figure, mark).map(|panel| Some(panel.name().to_owned())));
            row.push(Some(label_or_key(mark).to_owned()));
            row.extend([Some(coordinate(x, datum.x)), Some(coordinate(y, datum.y))]);
            if let Some(z) = z {
                row.push(datum.z.map(|v| coordinate(z, v)));
            }
            for name in &names {
                row.push(datum.get(name).map(|value| format!("{value:.4}")));
            }
            if labelled {
                row.push(Some(datum.label.to_owned()));
            }
            table.rows.push(row);
        }
    }
    table
}

/// Returns the panel of a mark; `None` in a figure without panels.
pub(super) fn panel_of<'a>(figure: &'a Figure, mark: &Mark) -> Option<&'a Panel> {
    figure.all_panels().get(mark.info().panel)
}

/// Returns the heading of an axis of the figure, or of all different axes of its panels.
fn common_heading<'a>(
    figure: &'a Figure,
    axis: fn((&'a Axis, &'a Axis)) -> &'a Axis,
    letter: &'a str,
) -> String {
    let mut headings: Vec<&str> = Vec::new();
    for panel in 0..figure.all_panels().len().max(1) {
        let heading = heading(axis(figure.axes(panel)), letter);
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    headings.join(" or ")
}

/// Returns printed counts as printed: one row per ordinate, from above; the columns of several tables stand side by side.
fn counts(figure: &Figure) -> DataTable {
    let grids: Vec<&Grid> = figure.grids().filter(|grid| grid.is_table()).collect();
    let mut table = DataTable::default();
    table.column(heading(&figure.y, "y"));
    let rows = grids.iter().map(|grid| grid.rows()).max().unwrap_or(0);
    for grid in &grids {
        let label = if grid.info.label.is_empty() { String::new() } else { format!("{}, ", grid.info.label) };
        for column in 0..grid.columns {
            let name = coordinate(&figure.x, grid.centre(column, 0).0);
            table.columns.push(format!("{label}{} {name}", heading(&figure.x, "x")));
        }
    }
    for index in (0..rows).rev() {
        let mut row = vec![grids.first().map(|grid| coordinate(&figure.y, grid.centre(0, index).1))];
        for grid in &grids {
            for column in 0..grid.columns {
                row.push(grid.counts.get(index * grid.columns + column).map(u32::to_string));
            }
        }
        table.rows.push(row);
    }
    table
}

/// Returns one row per picture.
fn pictures(figure: &Figure) -> DataTable {
    let mut table = DataTable::default();
    for name in ["picture", "pixels", "known", "smallest", "mean", "largest"] {
        table.column(name);
    }
    for grid in figure.grids() {
        let (mut low, mut high, mut sum, mut count) = (f64::INFINITY, f64::NEG_INFINITY, 0.0, 0_usize);
        for value in grid.values.iter().copied().map(f64::from).filter(|value| value.is_finite()) {
            (low, high, sum, count) = (low.min(value), high.max(value), sum + value, count + 1);
        }
        let cell = |value: f64| (count > 0).then(|| rounded(value));
        let name = if grid.info.label.is_empty() { &grid.info.key } else { &grid.info.label };
        table.rows.push(vec![
            Some(name.clone()),
            Some(format!("{} × {}", grid.columns, grid.rows())),
            Some(count.to_string()),
            cell(low),
            cell(sum / count.max(1) as f64),
            cell(high),
        ]);
    }
    table
}

/// Formats the value of a mark at an abscissa, if it has one.
fn cell(mark: &Mark, x: f64) -> Option<String> {
    let datum = mark.data().find(|datum| datum.x == x)?;
    let counts = || mark.data().all(|datum| datum.y.fract() == 0.0);
    let value = match (datum.get("lower"), datum.get("upper"), datum.get("se")) {
        (Some(lower), Some(upper), _) => format!("{lower:.4} to {upper:.4}"),
        (_, _, Some(se)) => format!("{:.4} ± {se:.4}", datum.y),
        _ if counts() => format!("{:.0}", datum.y),
        _ => format!("{:.4}", datum.y),
    };
    Some(if datum.label.is_empty() { value } else { format!("{value} ({})", datum.label) })
}

/// Formats a coordinate: its name on a categorical axis, or a number.
fn coordinate(axis: &Axis, v: f64) -> String {
    axis.name(v).map_or_else(|| plain(v), str::to_owned)
}

/// Formats a number with up to six decimals.
fn plain(x: f64) -> String {
    let text = format!("{x:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns the names of the further numbers of all data, in order of appearance.
pub(super) fn names(figure: &Figure) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for mark in &figure.marks {
        for datum in mark.data() {
            for (name, _) in datum.more.into_iter().flatten() {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
    }
    names
}

/// Returns true if a datum of `figure` has a label.
pub(super) fn labelled(figure: &Figure) -> bool {
    figure.marks.iter().any(|mark| mark.data().any(|datum| !datum.label.is_empty()))
}

/// Returns the label of a mark, or its key if it has none.
fn label_or_key(mark: &Mark) -> &str {
    let label = &mark.info().label;
    if label.is_empty() { mark.key() } else { label }
}

/// Returns the heading of the column of an axis, which may have no label.
fn heading<'a>(axis: &'a Axis, letter: &'a str) -> &'a str {
    match axis.label.as_str() {
        "" if axis.name(1.0).is_some() => "name",
        "" => letter,
        label => label,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tidy_csv;
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
    fn rows_are_the_measured_abscissae_and_missing_values_are_empty() {
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
    fn a_categorical_axis_gives_names_for_numbers() {
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
    fn the_csv_has_all_finite_data_with_full_precision() {
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
    fn intervals_labels_and_maps_have_their_own_columns() {
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
    fn data_of_panels_have_a_column_with_the_panel() {
        let panels = [("exact", "Exact, by quadrature"), ("curves", "")].map(|(key, title)| {
            let y = Axis::linear(if title.is_empty() { "f" } else { "v" }, (0.0, 1.0));
            Panel::new(key, Axis::linear("u", (0.0, 1.0)), y).titled(title, Hue::Ink)
        });
        let figure = Figure::new("f", "")
            .panels(2, panels)
            .on(0, [measured("a", [Point::new(0.5, 0.25)])])
            .on(1, [measured("b", [Point::new(1.0, 0.75)])]);
        assert_eq!(tidy_csv(&figure), "panel,series,x,y\nexact,a,0.5,0.25\ncurves,b,1,0.75\n");
        let table = DataTable::of(&figure);
        assert_eq!(table.columns, ["panel", "series", "u", "v or f"]);
        let rows = [["Exact, by quadrature", "a", "0.5", "0.25"], ["curves", "b", "1", "0.75"]];
        assert_eq!(table.rows, rows.map(|row| row.map(|cell| Some(cell.to_owned())).to_vec()));
    }

    #[test]
    fn pictures_have_a_row_each_and_long_tables_are_cut() {
        let grey = Colours::Grey { low: 0.0, high: 1.0 };
        let figure = Figure::new("f", "").pictures(0).mark(Grid::image(
            "one",
            "",
            2,
            &[0.0, 1.0, 0.5, f32::NAN],
            grey,
        ));
        let row = ["one", "2 × 2", "3", "0", "0.500", "1"].map(|s| Some(s.to_owned()));
        assert_eq!(DataTable::of(&figure).rows, [row]);
        let long = base().mark(measured("n", (0..1500).map(|i| Point::new(f64::from(i), 0.0))));
        let table = DataTable::of(&long);
        assert_eq!((table.rows.len(), table.more), (1000, 500));
        assert_eq!(tidy_csv(&long).lines().count(), 1501);
    }
}
