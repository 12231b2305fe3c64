//! Repairs of a table: rows of units, repeated headers and totals are left out, merged cells are filled down.

use super::cell::{any_number, is_missing};
use super::{Cells, SAMPLE};
use crate::reading::Doubt;

/// First words of a row of totals, in lower case.
const TOTALS: [&str; 22] = [
    "total",
    "totals",
    "grand total",
    "sum",
    "subtotal",
    "mean",
    "average",
    "avg",
    "summe",
    "gesamt",
    "gesamtsumme",
    "insgesamt",
    "mittelwert",
    "durchschnitt",
    "somme",
    "moyenne",
    "totale",
    "totaal",
    "suma",
    "media",
    "итого",
    "合计",
];

/// Maximum number of rows of units under the header.
const MAX_UNITS: usize = 3;

impl Cells {
    /// Leaves out rows under a header in row 0: those of the line numbers `given`, or rows of units and repeated headers. Asks about a row
    /// of totals.
    pub fn repair_rows(&mut self, given: Option<&[usize]>, has_header: bool) -> Option<Doubt> {
        let first = usize::from(has_header);
        if let Some(lines) = given {
            self.remove(|cells, row| row >= first && lines.contains(&cells.lines[row]));
            return None;
        }
        let units = if has_header { self.rows_of_units() } else { 0 };
        let mut removed: Vec<usize> = self.lines.iter().skip(1).take(units).copied().collect();
        let repeats = |row: &usize| (0..self.width).all(|c| self.get(*row, c) == self.get(0, c));
        let repeated: Vec<usize> = if has_header {
            (first + units..self.lines.len()).filter(repeats).map(|row| self.lines[row]).collect()
        } else {
            Vec::new()
        };
        if !removed.is_empty() {
            self.remarks.push(format!(
                "{} and {} left out.",
                hold(&removed, "holds units", "hold units"),
                is(&removed)
            ));
        }
        if !repeated.is_empty() {
            let rows = hold(&repeated, "repeats the header", "repeat the header");
            self.remarks.push(format!("{rows} and {} left out.", is(&repeated)));
        }
        removed.extend(repeated);
        let doubt = self.question_about_totals(first, &removed);
        if !removed.is_empty() {
            self.remove(|cells, row| removed.contains(&cells.lines[row]));
        }
        doubt
    }

    /// Returns the number of rows of units: under the header, with words or nothing above columns of numbers.
    fn rows_of_units(&self) -> usize {
        let most = MAX_UNITS.min(self.lines.len().saturating_sub(2));
        (0..most).take_while(|above| self.holds_units(1 + above)).count()
    }

    fn holds_units(&self, row: usize) -> bool {
        let below = row + MAX_UNITS..self.lines.len().min(row + SAMPLE);
        let below = if below.len() < 2 { row + 1..self.lines.len() } else { below };
        let is_number = |r: usize, c: usize| any_number(self.get(r, c)).is_some();
        let is_numeric = |c: &usize| {
            let numbers = below.clone().filter(|r| is_number(*r, *c)).count();
            numbers > 0 && 10 * numbers >= 9 * below.clone().filter(|r| !is_missing(self.get(*r, *c))).count()
        };
        let numeric: Vec<usize> = (0..self.width).filter(is_numeric).collect();
        let words =
            numeric.iter().filter(|c| !is_missing(self.get(row, **c)) && !is_number(row, **c)).count();
        let others_are_empty = (0..self.width).all(|c| numeric.contains(&c) || self.get(row, c).is_empty());
        numeric.iter().all(|c| !is_number(row, *c)) && (words >= 2 || words == 1 && others_are_empty)
    }

    /// Asks whether one of the last rows holds totals. `removed` are the line numbers of rows that are left out anyway.
    fn question_about_totals(&self, first: usize, removed: &[usize]) -> Option<Doubt> {
        let from = self.lines.len().saturating_sub(2).max(first + 2);
        let is_total = |row: &usize| {
            let word =
                (0..self.width).map(|c| self.get(*row, c)).find(|cell| !cell.is_empty()).unwrap_or_default();
            let word = word.trim_end_matches(':').to_lowercase();
            let is_new = (first..*row).all(|r| self.get(r, 0) != self.get(*row, 0));
            TOTALS.contains(&word.as_str()) && is_new
        };
        let row = (from..self.lines.len()).find(is_total)?;
        let (line, word) =
            (self.lines[row], (0..self.width).map(|c| self.get(row, c)).find(|cell| !cell.is_empty())?);
        let lines = removed.iter().chain([&line]).map(usize::to_string).collect::<Vec<_>>().join(",");
        let kept = if removed.is_empty() { "0".to_owned() } else { lines_of(removed) };
        Some(Doubt {
            field: "skip_rows".into(),
            question: format!("Row {line} seems to hold totals (“{word}”). Skip row {line}?"),
            answers: [lines, kept],
        })
    }

    /// Repeats the cell above in empty cells of the columns whose names are in `fill`. The names are in row 0.
    pub fn fill_down(&mut self, columns: &[usize], first: usize) {
        if columns.is_empty() {
            return;
        }
        let mut filled = self.emptied();
        let mut last = vec![String::new(); self.width];
        for row in 0..self.lines.len() {
            for c in 0..self.width {
                let cell = self.get(row, c);
                let repeats = row >= first && columns.contains(&c);
                if !cell.is_empty() || !repeats {
                    cell.clone_into(&mut last[c]);
                }
                filled.0.push_str(&last[c]);
                filled.1.push(filled.0.len());
            }
        }
        (self.text, self.ends) = filled;
    }

    fn emptied(&self) -> (String, Vec<usize>) {
        (String::with_capacity(self.text.len()), Vec::with_capacity(self.ends.len()))
    }

    /// Leaves out the marked rows.
    fn remove(&mut self, is_removed: impl Fn(&Self, usize) -> bool) {
        let (mut text, mut ends) = self.emptied();
        let mut lines = Vec::with_capacity(self.lines.len());
        for row in 0..self.lines.len() {
            if is_removed(self, row) {
                self.reading.skipped.push(self.lines[row]);
                continue;
            }
            for c in 0..self.width {
                text.push_str(self.get(row, c));
                ends.push(text.len());
            }
            lines.push(self.lines[row]);
        }
        (self.text, self.ends, self.lines) = (text, ends, lines);
        self.reading.skipped.sort_unstable();
    }
}

fn lines_of(lines: &[usize]) -> String {
    lines.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
}

fn hold(lines: &[usize], one: &str, several: &str) -> String {
    match lines {
        [line] => format!("Row {line} {one}"),
        lines => {
            let listed: Vec<String> = lines.iter().take(8).map(usize::to_string).collect();
            let more = if lines.len() > 8 { ", …" } else { "" };
            format!("Rows {}{more} {several}", listed.join(", "))
        }
    }
}

fn is(lines: &[usize]) -> &'static str {
    if lines.len() == 1 { "is" } else { "are" }
}
