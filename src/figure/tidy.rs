//! Data of a figure as a CSV file.

use std::fmt::Write as _;

use super::Figure;
use super::table::{labelled, names, panel_of};

/// Returns all finite data with full precision, one per line: `panel` in a figure of panels, `series,x,y`, then `z`, further numbers
/// and `label` if a datum of the figure has them.
pub fn tidy_csv(figure: &Figure) -> String {
    let (names, space, labelled) = (names(figure), figure.in_space(), labelled(figure));
    let mut csv = String::from(if figure.all_panels().is_empty() { "" } else { "panel," });
    csv.push_str(if space { "series,x,y,z" } else { "series,x,y" });
    for name in &names {
        csv.push(',');
        csv.push_str(name);
    }
    csv.push_str(if labelled { ",label\n" } else { "\n" });
    // Writing to a String cannot fail.
    let number = |csv: &mut String, value: Option<f64>| {
        let _ = match value {
            Some(value) => write!(csv, ",{value}"),
            None => write!(csv, ","),
        };
    };
    for mark in &figure.marks {
        let (x, y) = figure.axes(mark.info().panel);
        for datum in mark.data() {
            if let Some(panel) = panel_of(figure, mark) {
                let _ = write!(csv, "{},", quoted(&panel.key, ','));
            }
            csv.push_str(&quoted(mark.key(), ','));
            for (axis, value) in [(x, datum.x), (y, datum.y)] {
                match axis.name(value) {
                    Some(name) => drop(write!(csv, ",\"{}\"", name.replace('"', "\"\""))),
                    None => number(&mut csv, Some(value)),
                }
            }
            if space {
                number(&mut csv, datum.z);
            }
            for name in &names {
                number(&mut csv, datum.get(name));
            }
            if labelled {
                let _ = write!(csv, ",{}", quoted(datum.label, ','));
            }
            csv.push('\n');
        }
    }
    csv
}

/// Quotes a text for a file with this separator if necessary.
pub(super) fn quoted(text: &str, separator: char) -> String {
    if text.contains([separator, '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}
