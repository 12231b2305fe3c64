//! A table of text, to be saved as a CSV file.

use serde::{Deserialize, Serialize};

use super::table::quoted;
use crate::math::decimal;

/// What a run says of every row of a table, as a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Records {
    /// Name of the file.
    pub file: String,
    /// The file: a header and one line for each row.
    pub csv: String,
}

impl Records {
    /// A file with these columns and rows. With `escape`, cells that a spreadsheet would take for formulas begin with an apostrophe.
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

/// Whether a spreadsheet may take a cell for a formula: it begins as one, and is no number.
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
