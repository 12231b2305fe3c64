//! CSV files of text.

use serde::{Deserialize, Serialize};

use super::tidy::quoted;
use crate::math::decimal;

/// A CSV file with the results of a run for each row of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Records {
    /// Name of the file.
    pub file: String,
    /// Contents: a header and one line per row.
    pub csv: String,
}

impl Records {
    /// Returns a file with these columns and rows. If `escape` is true, puts an apostrophe before cells that a spreadsheet would
    /// take for formulas.
    pub fn new(
        file: String,
        columns: Vec<String>,
        rows: impl IntoIterator<Item = Vec<String>>,
        escape: bool,
    ) -> Self {
        let mut csv = String::new();
        for cells in std::iter::once(columns).chain(rows) {
            for (i, cell) in cells.iter().enumerate() {
                if i > 0 {
                    csv.push(',');
                }
                if escape && is_formula(cell) {
                    csv.push_str(&quoted(&format!("'{cell}")));
                } else {
                    csv.push_str(&quoted(cell));
                }
            }
            csv.push('\n');
        }
        Self { file, csv }
    }
}

/// Returns true if a spreadsheet may take a cell for a formula: it begins like one and is not a number.
fn is_formula(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && decimal(cell).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_escaped_on_request() {
        let cells = ["=1+1", "-1.5", "-a", "@b,c", "d"].map(str::to_owned).to_vec();
        let csv = |escape| Records::new(String::new(), cells.clone(), [], escape).csv;
        assert_eq!(csv(false), "=1+1,-1.5,-a,\"@b,c\",d\n");
        assert_eq!(csv(true), "'=1+1,-1.5,'-a,\"'@b,c\",d\n");
    }
}
