//! The numbers behind a figure: a table to read on the page and a CSV to compute with.

use std::fmt::Write as _;

use super::{Curve, Figure};

/// The measured points of a figure, one abscissa a row; curves without markers give their values where
/// they have one at that very abscissa.
#[derive(Clone, Debug, PartialEq)]
pub struct DataTable {
    /// What each column is, the abscissa first.
    pub columns: Vec<String>,
    /// One row per abscissa; `None` where a curve has no point there.
    pub rows: Vec<Vec<Option<String>>>,
}

impl DataTable {
    /// The table of `figure`.
    pub fn of(figure: &Figure) -> Self {
        let mut xs: Vec<f64> = Vec::new();
        for p in figure.measured().flat_map(|c| &c.points) {
            if let Err(place) = xs.binary_search_by(|x| x.total_cmp(&p.x)) {
                xs.insert(place, p.x);
            }
        }
        let map = figure.heat.as_ref().map(|map| map.label.clone() + " there");
        let columns = std::iter::once(figure.x.label.clone())
            .chain(figure.curves.iter().map(|c| c.label.clone()))
            .chain(map)
            .collect();
        let rows = xs
            .iter()
            .map(|&x| {
                std::iter::once(Some(figure.x.name(x).map_or_else(|| plain(x), str::to_owned)))
                    .chain(figure.curves.iter().map(|c| cell(c, x)))
                    .chain(figure.heat.is_some().then(|| {
                        let (x, y) = figure
                            .measured()
                            .flat_map(|c| &c.points)
                            .find(|p| p.x == x)
                            .map(|p| (p.x, p.y))?;
                        figure.under(x, y).map(|value| format!("{:.4}", f64::from(value)))
                    }))
                    .collect()
            })
            .collect();
        Self { columns, rows }
    }
}

impl Figure {
    /// Name of a file with that ending: letters and digits of the title, with hyphens between the words.
    pub fn file(&self, ending: &str) -> String {
        let title = self.title.to_ascii_lowercase();
        let words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        format!("{}.{ending}", words.collect::<Vec<_>>().join("-"))
    }

    /// The curves whose points are measurements; all of them where none has a marker.
    pub fn measured(&self) -> impl DoubleEndedIterator<Item = &Curve> {
        let any = self.curves.iter().any(|c| c.marker.is_some());
        self.curves.iter().filter(move |c| c.marker.is_some() || !any)
    }
}

fn cell(curve: &Curve, x: f64) -> Option<String> {
    let p = curve.points.iter().find(|p| p.x == x)?;
    // Counts are written as such.
    let counts = || curve.points.iter().all(|p| p.y.fract() == 0.0);
    Some(match p.se {
        Some(se) => format!("{:.4} ± {se:.4}", p.y),
        None if counts() => format!("{:.0}", p.y),
        None => format!("{:.4}", p.y),
    })
}

/// A number as short as it can be without losing anything that matters on a page.
fn plain(x: f64) -> String {
    let text = format!("{x:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Every point of every curve with full precision, one a line: `curve,x,y,se`; and every cell of the map, if there is
/// one, as `map,x,y,,value`.
pub fn tidy_csv(figure: &Figure) -> String {
    let mut csv = String::from(if figure.heat.is_some() { "curve,x,y,se,value\n" } else { "curve,x,y,se\n" });
    for curve in &figure.curves {
        for p in &curve.points {
            let se = p.se.map_or(String::new(), |se| se.to_string());
            // Writing to a String cannot fail.
            let _ = match figure.x.name(p.x) {
                Some(name) => writeln!(csv, "{},\"{}\",{},{se}", curve.key, name.replace('"', "\"\""), p.y),
                None => writeln!(csv, "{},{},{},{se}", curve.key, p.x, p.y),
            };
        }
    }
    for (x, y, value) in figure.cells() {
        let _ = writeln!(csv, "map,{x},{y},,{:.7}", f64::from(value));
    }
    csv
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Hue, Marker, Point, Stroke};
    use super::*;

    fn two_curves() -> Figure {
        let dense = (0..=4).map(|i| Point { x: f64::from(i) / 2.0, y: 0.1, se: None });
        Figure {
            id: "f".into(),
            title: String::new(),
            caption: String::new(),
            summary: String::new(),
            x: Axis::linear("α", (0.0, 2.0)),
            y: Axis::linear("ε", (0.0, 1.0)),
            heat: None,
            handles: None,
            curves: vec![
                Curve::new("theory", "theory", Hue::Ink).stroke(Stroke::Dashed).points(dense),
                Curve::new("runs", "runs", Hue::Blue)
                    .marker(Marker::Disc)
                    .points([Point { x: 0.5, y: 0.25, se: Some(0.01) }, Point { x: 0.7, y: 0.2, se: None }]),
            ],
        }
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
        let mut figure = two_curves();
        let points = [1.0, 2.0].map(|x| Point { x, y: 0.25, se: None });
        figure.curves = vec![Curve::new("w", "w", Hue::Blue).marker(Marker::Disc).points(points)];
        figure.x = figure.x.named(vec!["a \"b\", c".into(), "d".into()]);
        assert_eq!(DataTable::of(&figure).rows[0][0].as_deref(), Some("a \"b\", c"));
        assert_eq!(tidy_csv(&figure), "curve,x,y,se\nw,\"a \"\"b\"\", c\",0.25,\nw,\"d\",0.25,\n");
        assert_eq!([0.0, 1.5, 3.0, -1.0].map(|x| figure.x.name(x)), [None; 4]);
    }

    #[test]
    fn counts_are_whole() {
        let mut figure = two_curves();
        let counts = [(0.5, 12.0), (0.7, 0.0)].map(|(x, y)| Point { x, y, se: None });
        figure.curves = vec![Curve::new("n", "n", Hue::Blue).marker(Marker::Disc).points(counts)];
        let rows = DataTable::of(&figure).rows;
        assert_eq!((rows[0][1].as_deref(), rows[1][1].as_deref()), (Some("12"), Some("0")));
    }

    #[test]
    fn names_of_files_are_plain() {
        let file = |title: &str| Figure { title: title.into(), ..two_curves() }.file("csv");
        assert_eq!(file("Exact, sampled"), "exact-sampled.csv");
        assert_eq!(file("P(s) / \"TAP\": 2"), "p-s-tap-2.csv");
    }

    #[test]
    fn the_csv_has_every_point_with_full_precision() {
        let csv = tidy_csv(&two_curves());
        assert_eq!(csv.lines().count(), 1 + 5 + 2);
        assert!(csv.contains("\nruns,0.5,0.25,0.01\n"));
        assert!(csv.contains("\nruns,0.7,0.2,\n"));
    }
}
