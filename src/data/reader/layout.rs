//! Layout of a text that is divided into records: the lines above the table, its number of columns, and notes under it.

use csv::StringRecord;

use super::cell::{any_number, is_missing};
use super::dialect::Dialect;
use super::{Cells, SAMPLE, records};

/// Maximum number of records above the table.
const MAX_ABOVE: usize = 50;

/// The layout of a table.
#[derive(Debug)]
pub(super) struct Layout {
    /// Number of cells per row.
    pub width: usize,
    /// Number of records above the table.
    above: usize,
    /// True if the header has no name for the column of row names, as R writes it.
    pub has_row_names: bool,
    /// True if notes in one cell are skipped.
    skips_notes: bool,
    /// Share of sampled records with the most frequent number of cells.
    pub even: f64,
}

/// An outline of a record.
#[expect(clippy::struct_excessive_bools, reason = "independent properties")]
struct Outline {
    width: usize,
    is_comment: bool,
    /// True if only the first cell has text.
    is_note: bool,
    /// True if no cell is a number.
    is_words: bool,
    /// True if no cell is missing.
    is_known: bool,
    /// True if the last cell is empty.
    is_open: bool,
    filled: usize,
}

impl Layout {
    /// Determines the layout from the first records. Records above the table are looked for if `skips_notes`.
    pub fn of(text: &str, dialect: Dialect, skips_notes: bool) -> Self {
        let mut sample: Vec<Outline> = Vec::new();
        records(text, dialect, |record, _, _| {
            sample.push(Outline::of(record));
            sample.len() < SAMPLE
        });
        let filled = || sample.iter().filter(|record| record.filled > 0);
        let count = |width: usize| filled().filter(|record| record.width == width).count();
        let usual = filled().map(|record| record.width).max_by_key(|width| count(*width)).unwrap_or(1);
        let even = count(usual) as f64 / filled().count().max(1) as f64;
        // A separator at the end of every line except the header does not make a column.
        let first = filled().find(|record| !record.is_comment).map_or(usual, |record| record.width);
        let is_trailing = usual > 1 && first + 1 == usual && filled().skip(1).all(|record| record.is_open);
        let usual = usual - usize::from(is_trailing);
        let mut layout = Self { width: usual, above: 0, has_row_names: false, skips_notes, even };
        layout.above = layout.records_above(&sample);
        let top = sample.iter().skip(layout.above).find(|record| !layout.is_aside(record));
        if let Some(top) = top.filter(|top| top.width != usual) {
            layout.has_row_names = top.width + 1 == usual && top.is_words && top.is_known;
            layout.width = if layout.has_row_names { usual } else { top.width };
        }
        layout
    }

    /// Returns the number of records above the table: those before the first one of the usual number of cells, if that one consists
    /// of names, or if all records before it are notes.
    fn records_above(&self, sample: &[Outline]) -> usize {
        let is_full =
            |record: &Outline| record.width == self.width && !self.is_aside(record) && record.filled > 0;
        let Some(top) =
            sample.iter().take(MAX_ABOVE).position(is_full).filter(|_| self.skips_notes && self.width > 1)
        else {
            return 0;
        };
        let others: Vec<&Outline> =
            sample[..top].iter().filter(|record| record.filled > 0 && !self.is_aside(record)).collect();
        let is_table = sample[top + 1..].iter().any(|record| record.width == self.width);
        match others.as_slice() {
            [] => 0,
            // R writes no name for the column of row names.
            [only]
                if only.width + 1 == self.width
                    && only.is_words
                    && only.is_known
                    && !sample[top].is_words =>
            {
                0
            }
            _ if sample[top].is_words && is_table => top,
            _ => 0,
        }
    }

    /// Returns true for a comment or a note in one cell.
    fn is_aside(&self, record: &Outline) -> bool {
        record.is_comment && record.width != self.width
            || self.skips_notes
                && record.is_note
                && record.is_words
                && (record.width == self.width && self.width > 1 || self.width > 2)
    }

    /// Returns true if the record of this index is above the table, or a comment or a note.
    pub fn is_skipped(&self, record: &StringRecord, index: usize) -> bool {
        if index < self.above {
            return true;
        }
        let first = record.iter().next().unwrap_or_default();
        // The fast path: most records are rows.
        if record.len() == self.width && (index >= SAMPLE || !record.iter().skip(1).all(str::is_empty)) {
            return false;
        }
        if record.len() != self.width && first.trim_start().starts_with('#') {
            return true;
        }
        self.skips_notes && index < SAMPLE && self.is_aside(&Outline::of(record))
            || self.skips_notes && record.len() == 1 && self.width > 2 && any_number(first.trim()).is_none()
    }
}

impl Outline {
    fn of(record: &StringRecord) -> Self {
        let is_empty = |cell: &str| cell.trim().is_empty();
        let filled = record.iter().filter(|cell| !is_empty(cell)).count();
        Self {
            width: record.len(),
            is_comment: record.iter().next().is_some_and(|cell| cell.trim_start().starts_with('#')),
            is_note: filled == 1 && record.iter().next().is_some_and(|cell| !is_empty(cell)),
            is_words: record.iter().all(|cell| any_number(cell.trim()).is_none()),
            is_known: !record.iter().any(|cell| is_missing(cell.trim())),
            is_open: record.iter().next_back().is_none_or(is_empty),
            filled,
        }
    }
}

/// Adds the remarks on lines that were left out: their numbers and texts.
pub(super) fn describe(cells: &mut Cells, layout: &Layout, notes: &[(usize, String)]) {
    let first_row = cells.lines.first().copied().unwrap_or(usize::MAX);
    let is_comment = |(_, text): &(usize, String)| text.starts_with('#');
    for (line, text) in notes.iter().filter(|note| !is_comment(note)).take(3) {
        let place = if *line < first_row { "above" } else { "under" };
        let text: String = text.chars().take(40).collect();
        cells.remarks.push(format!("Line {line} was skipped: “{text}” stands alone {place} the table."));
    }
    let more = notes.iter().filter(|note| !is_comment(note)).count().saturating_sub(3);
    if more > 0 {
        cells.remarks.push(format!("{more} more lines were skipped: see the line numbers above."));
    }
    if layout.has_row_names {
        cells.remarks.push(
            "The first line has one name fewer than there are columns: the first column is called “row”."
                .into(),
        );
    }
    let comments = notes.iter().filter(|note| is_comment(note)).count();
    if comments > 0 {
        let (lines, are) =
            if comments == 1 { ("line", "is a comment and was") } else { ("lines", "are comments and were") };
        cells.remarks.push(format!("{comments} {lines} with # in front {are} skipped."));
    }
    if cells.invisible > 0 {
        let cell = if cells.invisible == 1 { "1 cell".into() } else { format!("{} cells", cells.invisible) };
        cells.remarks.push(format!("Invisible characters were removed from {cell}."));
    }
    cells.reading.skipped.extend(notes.iter().map(|(line, _)| *line));
}
