//! Reading of tables: many rows, beside the count of their lines, and many columns.

use std::fmt::Write as _;

use meanfield::data::Table;

use super::{Case, Timed, timed};

/// Number of rows of the long table.
const ROWS: usize = 1_000_000;
/// Number of columns of the wide table.
const COLUMNS: usize = 100_000;

pub fn cases() -> Vec<Case> {
    vec![
        Case::new("data/count the lines of 10⁶ rows × 5 columns", count_lines).samples(10).slow(true),
        Case::new("data/read 10⁶ rows × 5 columns", read_rows).samples(10).slow(true),
        Case::new("data/read 20 rows × 100,000 columns", read_columns).samples(10).slow(true),
        Case::new("data/read 1000 rows × 5 columns", || read(long(1000), 1000, 5)),
    ]
}

/// Returns a table of four columns of numbers and one of words.
fn long(rows: usize) -> String {
    let mut text = String::from("age,dose,weight,city,ill\n");
    for i in 0..rows {
        let city = ["Bonn", "Aachen", "Trier"][i % 3];
        writeln!(text, "{},{}.{},{}.25,{city},{}", i % 90, i % 17, i % 10, i % 1013, i % 2).unwrap();
    }
    text
}

fn read(text: String, rows: usize, columns: usize) -> Timed {
    let table = Table::read(text.as_bytes()).unwrap();
    assert_eq!((table.rows(), table.columns.len()), (rows, columns));
    timed(move || Table::read(text.as_bytes()).unwrap().rows())
}

fn count_lines() -> Timed {
    let text = long(ROWS);
    timed(move || text.bytes().filter(|byte| *byte == b'\n').count())
}

fn read_rows() -> Timed {
    read(long(ROWS), ROWS, 5)
}

fn read_columns() -> Timed {
    let line = |cell: &dyn Fn(usize) -> String| (0..COLUMNS).map(cell).collect::<Vec<_>>().join(",") + "\n";
    let mut text = line(&|c| format!("gene {c}"));
    for row in 0..20 {
        text += &line(&|c| format!("{}.{}", (row * c) % 71, c % 10));
    }
    read(text, 20, COLUMNS)
}
