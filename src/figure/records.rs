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

/// A cell of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A text, which is written as it is.
    Text(String),
    /// A number, with a decimal point.
    Number(String),
}

impl Cell {
    /// Returns a cell with a text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Returns a cell with a number.
    pub fn number(number: impl ToString + Copy) -> Self {
        Self::Number(number.to_string())
    }
}

/// Format of a file of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileNotation {
    /// Character between cells.
    pub separator: char,
    /// Sign before the decimals of numbers.
    pub decimal: char,
    /// True to put an apostrophe before cells that a spreadsheet would take for formulas.
    pub escape: bool,
}

impl Default for FileNotation {
    fn default() -> Self {
        Self { separator: ',', decimal: '.', escape: false }
    }
}

impl Records {
    /// Returns a file with these columns and rows.
    pub fn new(
        file: String,
        columns: Vec<String>,
        rows: impl IntoIterator<Item = Vec<Cell>>,
        notation: FileNotation,
    ) -> Self {
        let mut csv = String::new();
        let head = columns.into_iter().map(Cell::Text).collect();
        for cells in std::iter::once(head).chain(rows) {
            for (i, cell) in cells.into_iter().enumerate() {
                if i > 0 {
                    csv.push(notation.separator);
                }
                let text = match cell {
                    Cell::Number(number) if notation.decimal == '.' => number,
                    Cell::Number(number) => number.replace('.', &notation.decimal.to_string()),
                    Cell::Text(text) if notation.escape && is_formula(&text) => format!("'{text}"),
                    Cell::Text(text) => text,
                };
                csv.push_str(&quoted(&text, notation.separator));
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
        let csv = |escape| {
            Records::new(String::new(), cells.clone(), [], FileNotation { escape, ..FileNotation::default() })
                .csv
        };
        assert_eq!(csv(false), "=1+1,-1.5,-a,\"@b,c\",d\n");
        assert_eq!(csv(true), "'=1+1,-1.5,'-a,\"'@b,c\",d\n");
    }

    #[test]
    fn numbers_have_the_decimal_sign_of_the_file_and_texts_are_not_changed() {
        let row =
            vec![Cell::number(-0.5), Cell::text("1.50"), Cell::number(f32::MIN_POSITIVE), Cell::text("a;b")];
        let csv = |separator, decimal| {
            let notation = FileNotation { separator, decimal, escape: true };
            Records::new(String::new(), vec!["x".into()], [row.clone()], notation).csv
        };
        assert!(csv(';', ',').starts_with("x\n-0,5;1.50;0,0"), "{}", csv(';', ','));
        assert!(csv(';', ',').ends_with(";\"a;b\"\n"));
        assert!(csv(',', ',').starts_with("x\n\"-0,5\",1.50,\"0,0"));
    }
}
