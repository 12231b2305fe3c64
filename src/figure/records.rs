//! A table of text, to be saved as a CSV file.

use serde::{Deserialize, Serialize};

use super::table::quoted;

/// What a run says of every row of a table, as a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Records {
    /// Name of the file.
    pub file: String,
    /// The file: a header and a line a row.
    pub csv: String,
}

impl Records {
    /// A file with these columns and no row yet.
    pub fn new(file: String, columns: &[String]) -> Self {
        let mut records = Self { file, csv: String::new() };
        records.row(columns);
        records
    }

    /// Adds a row, a cell a column.
    pub fn row(&mut self, cells: &[String]) {
        for (i, cell) in cells.iter().enumerate() {
            if i > 0 {
                self.csv.push(',');
            }
            self.csv.push_str(&quoted(cell));
        }
        self.csv.push('\n');
    }
}
