//! Images of digits from a table with one row per image, a column of digits and columns of pixels.

use super::preprocessing::{GREY, PIXELS, SIDE};
use crate::data::{Column, DataError, Images, Table};

/// Names of the column of digits, in lower case.
const LABELS: [&str; 5] = ["label", "digit", "class", "target", "y"];
/// Largest intensity of a byte.
const WHITE: f64 = 255.0;

/// Returns the images of a table, 28×28 or 10×10 pixels, with their digits.
///
/// # Errors
/// If the table has a wrong number of columns, cells that are not numbers from 0 to 255, or no column of digits.
pub fn images(table: &Table) -> Result<(Images, Vec<u8>), DataError> {
    table.check_complete()?;
    let side = match table.columns.len() - 1 {
        pixels if pixels == GREY * GREY => GREY,
        PIXELS => SIDE,
        other => {
            return Err(DataError::new(format!(
                "a table of digits has one column of digits and 784 or 100 columns of pixels; this one has {other} others"
            )));
        }
    };
    let mut columns = Vec::with_capacity(table.columns.len());
    for (name, column) in table.names.iter().zip(&table.columns) {
        let problem = |row: Option<usize>, why: &str| DataError {
            row: row.map(|row| table.lines[row]),
            column: Some(name.clone()),
            why: why.into(),
        };
        let Column::Numbers(numbers) = column else {
            return Err(problem(None, "digits and pixels must be numbers"));
        };
        if let Some(row) = numbers.iter().position(|x| !(0.0..=WHITE).contains(x)) {
            return Err(problem(Some(row), "a number from 0 to 255 is needed"));
        }
        columns.push(numbers);
    }
    let digits = |c: &usize| columns[*c].iter().all(|x| *x <= 9.0 && x.fract() == 0.0);
    let named = |c: &usize| LABELS.contains(&table.names[*c].to_lowercase().as_str());
    let last = columns.len() - 1;
    // Of the first and the last column, the one with more different digits; a pixel may take the values 0 and 1 only.
    let different = |c: &usize| (0..10).filter(|digit| columns[*c].contains(&f64::from(*digit))).count();
    let either = || [last, 0].into_iter().filter(digits).max_by_key(different);
    let label = (0..=last).find(named).or_else(either).filter(digits);
    let label = label.ok_or_else(|| {
        DataError::new("the first or last column, or one called label, must hold the digits 0 to 9")
    })?;
    let labels = columns.remove(label);
    let pixels = columns;
    // Intensities from 0 to 1 or to 255.
    let largest = pixels.iter().flat_map(|column| column.iter()).fold(0.0_f64, |largest, x| largest.max(*x));
    let scale = if largest <= 1.0 { WHITE } else { 1.0 };
    let byte = |row: usize| pixels.iter().map(move |column| (scale * column[row]) as u8);
    let bytes = (0..table.rows()).flat_map(byte).collect();
    let images = Images { rows: side, columns: side, pixels: bytes, labels: None };
    Ok((images, labels.iter().map(|x| *x as u8).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a table of a digit in column `at` and 100 pixels; pixel p of row r is 1 if r + p is a multiple of three.
    fn text(at: usize, name: &str) -> String {
        let line = |cell: &dyn Fn(usize) -> String, digit: String| {
            let mut cells: Vec<String> = (0..PIXELS).map(cell).collect();
            cells.insert(at, digit);
            cells.join(",")
        };
        let header = line(&|p| format!("p{p}"), name.to_owned());
        let row = |r: usize| line(&|p| u8::from((r + p).is_multiple_of(3)).to_string(), (r % 10).to_string());
        std::iter::once(header).chain((0..12).map(row)).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_row_with_a_wrong_number_of_cells_is_an_error() {
        let broken = text(0, "label") + "\n1,0,0";
        let problem = images(&Table::read(broken.as_bytes()).unwrap()).unwrap_err();
        assert_eq!(
            (problem.row, problem.why.as_str()),
            (Some(14), "this row has 3 cells, the first one 101")
        );
    }

    #[test]
    fn the_column_of_digits_is_found_by_name_or_position() {
        for (at, name) in [(0, "label"), (0, "n"), (PIXELS, "n"), (7, "digit")] {
            let (images, labels) = images(&Table::read(text(at, name).as_bytes()).unwrap()).unwrap();
            assert_eq!((images.rows, images.count()), (SIDE, 12));
            assert_eq!(labels[..11], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0]);
            for r in 0..12 {
                let expected: Vec<u8> =
                    (0..PIXELS).map(|p| 255 * u8::from((r + p).is_multiple_of(3))).collect();
                assert_eq!(images.image(r), expected, "{name} at {at}, row {r}");
            }
        }
    }

    #[test]
    fn other_tables_are_refused() {
        let read = |text: &str| images(&Table::read(text.as_bytes()).unwrap()).unwrap_err().to_string();
        assert!(read("a,b\n1,2\n").contains("784 or 100"));
        assert!(read(&text(0, "label").replacen("\n0,", "\n12,", 1)).contains("the digits 0 to 9"));
        assert!(read(&text(0, "label").replacen("\n0,1,", "\n0,-1,", 1)).contains("0 to 255"));
        assert!(read(&text(0, "label").replacen("\n0,1,", "\n0,x,", 1)).contains("must be numbers"));
    }
}
