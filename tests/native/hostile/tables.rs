//! Tables with a few corrupted characters: each is rejected with a reason, or read without losing a row, a column or a digit unless that is
//! reported.

use std::collections::BTreeSet;

use meanfield::data::{ReadingChoices, Table};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::common::property::for_all;

/// Texts that are inserted into a table or replace its characters.
const WRONG: [&str; 24] = [
    ",", ";", "\t", "|", "\"", "'", "\n", "\r\n", "\r", " ", ".", "-", "0", "7", "a", "é", "#", "%", "$",
    "(", ")", "\u{200b}", "\u{a0}", "NA",
];

/// A table before it is corrupted; only the first `width` cells of each row are used.
#[derive(Debug)]
struct Cells {
    separator: char,
    line_break: &'static str,
    header: bool,
    width: usize,
    rows: Vec<Vec<String>>,
}

impl Cells {
    fn text(&self) -> String {
        let line = |cells: Vec<String>| cells.join(&self.separator.to_string()) + self.line_break;
        let header = self.header.then(|| line((0..self.width).map(|c| format!("name{c}")).collect()));
        let rows = self.rows.iter().map(|row| line(row[..self.width].to_vec()));
        header.into_iter().chain(rows).collect()
    }
}

fn cells() -> impl Strategy<Value = Cells> {
    let cell = prop_oneof![
        4 => "[0-9]{1,4}",
        4 => "-?[0-9]{1,3}\\.[0-9]{1,3}",
        3 => "[a-z]{1,6}",
        1 => Just("NA".to_owned()),
        1 => Just(String::new()),
        1 => "\"[a-z]{1,3}, [0-9]{1,3}\"",
    ];
    let separator = prop::sample::select(vec![',', ';', '\t', '|']);
    let rows = prop::collection::vec(prop::collection::vec(cell, 5), 3..14);
    (separator, any::<bool>(), any::<bool>(), 2..=5_usize, rows).prop_map(
        |(separator, windows, header, width, rows)| Cells {
            separator,
            line_break: if windows { "\r\n" } else { "\n" },
            header,
            width,
            rows,
        },
    )
}

/// Replaces, inserts or removes one character.
fn change(text: &mut String, position: Index, how: u8, wrong: usize) {
    let positions: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    if positions.is_empty() {
        return;
    }
    let at = positions[position.index(positions.len())];
    if how > 0 {
        text.remove(at);
    }
    if how < 2 {
        text.insert_str(at, WRONG[wrong]);
    }
}

/// Returns the lines that contain a letter or digit, with their numbers from 1. Lines end with LF, CR LF or CR.
fn lines(text: &str) -> Vec<(usize, String)> {
    let all = text.replace("\r\n", "\n").replace('\r', "\n");
    let numbered = all.split('\n').enumerate().map(|(i, line)| (i + 1, line.to_owned()));
    numbered.filter(|(_, line)| line.contains(char::is_alphanumeric)).collect()
}

/// Returns the letters and digits of texts, sorted.
fn characters<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut all: Vec<char> = texts.into_iter().flat_map(str::chars).filter(|c| c.is_alphanumeric()).collect();
    all.sort_unstable();
    all.into_iter().collect()
}

/// Checks that every letter and digit of the file is in a row, in the header or in a line that is reported as skipped.
fn assert_nothing_lost(text: &str, table: &Table) {
    let header = table.reading.header;
    let left_out: BTreeSet<usize> =
        table.reading.skipped.iter().copied().chain(table.malformed.iter().map(|row| row.line)).collect();
    let starts: BTreeSet<usize> =
        left_out.iter().copied().chain(header).chain(table.lines.iter().copied()).collect();
    assert_eq!(starts.len(), left_out.len() + table.rows() + usize::from(header.is_some()), "{text:?}");
    // A line that begins no row continues the previous row inside a quoted cell.
    let of_rows = lines(text).into_iter().filter(|(line, _)| {
        let start = starts.range(..=line).next_back();
        assert!(start.is_some(), "line {line} of {text:?}");
        start.is_some_and(|start| !left_out.contains(start) && Some(*start) != header)
    });
    let of_rows: Vec<String> = of_rows.map(|(_, line)| line).collect();
    let read = Table::texts_as(text.as_bytes(), &ReadingChoices::default()).unwrap();
    assert_eq!(read.len(), table.rows() + 1, "{text:?}");
    let read = characters(read[1..].iter().flatten().map(String::as_str));
    assert_eq!(read, characters(of_rows.iter().map(String::as_str)), "{text:?}");
}

pub fn check_reading(cases: u32) {
    let changes = prop::collection::vec((any::<Index>(), 0..3_u8, 0..WRONG.len()), 0..4);
    for_all(cases, (cells(), changes), |(cells, changes)| {
        let mut text = cells.text();
        for (position, how, wrong) in changes {
            change(&mut text, position, how, wrong);
        }
        match Table::read(text.as_bytes()) {
            Ok(table) => assert_nothing_lost(&text, &table),
            Err(problem) => assert!(problem.to_string().len() > 10, "{problem}"),
        }
    });
}
