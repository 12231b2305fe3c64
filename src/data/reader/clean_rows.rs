//! Repairs of a table: rows of units, repeated headers and totals are left out, merged cells are filled down.

use super::cell::{any_number, is_missing};
use super::texts::Texts;
use super::{Cells, SAMPLE};
use crate::reading::{Doubt, Repair};

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

/// Maximum number of rows of totals at the end.
const MAX_TOTALS: usize = 3;

/// Maximum number of cells of a row in a preview.
const LISTED: usize = 4;

/// Maximum number of rows of units under the header.
const MAX_UNITS: usize = 3;

impl Cells {
    /// Leaves out rows under a header in row 0: those of the line numbers `given`, or rows of units and repeated headers. Asks about rows
    /// of totals.
    pub fn repair_rows(&mut self, given: Option<&[usize]>, has_header: bool) -> Option<Doubt> {
        let first = usize::from(has_header);
        if let Some(lines) = given {
            self.removed = lines.iter().copied().filter(|line| *line > 0).collect();
            self.removed.sort_unstable();
            self.remove(first);
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
        if !removed.is_empty() {
            self.repairs.push(Repair::new(
                "skip_rows",
                "0",
                format!("Keep {}", hold(&removed, "", "").trim_end().to_lowercase()),
            ));
        }
        removed.sort_unstable();
        self.removed = removed;
        let doubt = self.question_about_totals(first);
        self.remove(first);
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
        let others_are_empty =
            || (0..self.width).all(|c| numeric.binary_search(&c).is_ok() || self.get(row, c).is_empty());
        numeric.iter().all(|c| !is_number(row, *c)) && (words >= 2 || words == 1 && others_are_empty())
    }

    /// Asks whether the last rows hold totals.
    fn question_about_totals(&self, first: usize) -> Option<Doubt> {
        let from = self.lines.len().saturating_sub(MAX_TOTALS).max(first + 2);
        let word = |row: usize| {
            (0..self.width).map(|c| self.get(row, c)).find(|cell| !cell.is_empty()).unwrap_or("")
        };
        let is_total = |row: &usize| {
            let word = word(*row).trim_end_matches(':').to_lowercase();
            let is_new = (first..*row).all(|r| self.get(r, 0) != self.get(*row, 0));
            TOTALS.contains(&word.as_str()) && is_new
        };
        let totals: Vec<usize> = (from..self.lines.len()).filter(is_total).collect();
        let row = *totals.first()?;
        let lines: Vec<usize> = totals.iter().map(|row| self.lines[*row]).collect();
        let rows = hold(&lines, "", "").trim_end().to_lowercase();
        let all = self.removed.iter().chain(&lines).copied().collect::<Vec<_>>();
        let kept = if self.removed.is_empty() { "0".to_owned() } else { lines_of(&self.removed) };
        let preview = |left_out: usize, last: usize| {
            let cells: Vec<&str> = (0..self.width.min(LISTED)).map(|c| self.get(last, c)).collect();
            format!("{} rows, the last is {}", self.lines.len() - first - left_out, cells.join(", "))
        };
        let removed = self.removed.len();
        let last = (first..self.lines.len()).rev().find(|row| !totals.contains(row)).unwrap_or(row);
        Some(Doubt {
            field: "skip_rows".into(),
            question: format!(
                "{} to hold totals (“{}”). Skip {rows}?",
                hold(&lines, "seems", "seem"),
                word(row)
            ),
            answers: [lines_of(&all), kept],
            previews: [preview(removed + totals.len(), last), preview(removed, self.lines.len() - 1)],
        })
    }

    /// Repeats the cell above in empty cells of the columns whose names are in `fill`. The names are in row 0.
    pub fn fill_down(&mut self, columns: &[usize], first: usize) {
        if columns.is_empty() {
            return;
        }
        let mut filled = Texts::with_capacity(self.texts.bytes());
        let mut last = vec![String::new(); self.width];
        for row in 0..self.lines.len() {
            for c in 0..self.width {
                let cell = self.get(row, c);
                let repeats = row >= first && columns.contains(&c);
                if !cell.is_empty() || !repeats {
                    cell.clone_into(&mut last[c]);
                }
                filled.push_copy(&last[c]);
            }
        }
        self.texts = filled;
    }

    /// Leaves out the rows from `first` on whose line numbers are in `removed`.
    fn remove(&mut self, first: usize) {
        if self.removed.is_empty() {
            return;
        }
        let mut texts = Texts::with_capacity(self.texts.bytes());
        let mut lines = Vec::with_capacity(self.lines.len());
        for row in 0..self.lines.len() {
            if row >= first && self.removed.binary_search(&self.lines[row]).is_ok() {
                self.reading.skipped.push(self.lines[row]);
                continue;
            }
            (0..self.width).for_each(|c| texts.push_copy(self.get(row, c)));
            lines.push(self.lines[row]);
        }
        (self.texts, self.lines) = (texts, lines);
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
