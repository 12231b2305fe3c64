//! Reading of CSV text into cells: separator, quotes, line breaks, comments and malformed rows.

mod cell;
mod separator;

use csv::{ReaderBuilder, StringRecord};

use super::decoding::decode;
use super::error::DataProblem;
use super::facts::{Header, MalformedRow};

pub(super) use cell::{grouped, is_blank, is_missing, number, without_unit};
use separator::{separator, squeeze};

/// Number of rows from which separator and header are determined.
const SAMPLE: usize = 200;

/// The cells of a file as text.
#[derive(Debug)]
pub(super) struct Cells {
    text: String,
    /// End of each cell in `text`, row by row.
    ends: Vec<usize>,
    /// Number of cells per row.
    pub width: usize,
    /// Line number of each row, from 1.
    pub lines: Vec<usize>,
    /// True if 1,5 is a number.
    pub decimal_comma: bool,
    /// Rows with another number of cells, which are not included.
    pub malformed: Vec<MalformedRow>,
    /// Remarks on how the file was read, each a sentence.
    pub remarks: Vec<String>,
}

impl Cells {
    /// Returns the text of a cell.
    pub fn get(&self, row: usize, column: usize) -> &str {
        let i = row * self.width + column;
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.text[start..self.ends[i]]
    }

    /// Returns the number in a cell; `None` if it is not a number.
    pub fn number(&self, row: usize, column: usize) -> Option<f64> {
        number(self.get(row, column), self.decimal_comma)
    }

    /// Determines if the first row is a header: it has neither numbers nor missing values, and it stands above numbers or
    /// consists of words that do not recur. A first row with numbers is doubtful if it also has the only word of a column.
    pub fn header(&self) -> Header {
        let below = 1..self.lines.len().min(SAMPLE);
        let first: Vec<&str> = (0..self.width).map(|c| self.get(0, c)).collect();
        let is_value = |c: usize| self.number(0, c).is_some() || !first[c].is_empty() && is_missing(first[c]);
        let has_numbers = |c: usize| below.clone().any(|r| self.number(r, c).is_some());
        let above_numbers = |c: usize| !is_missing(first[c]) && has_numbers(c);
        if (0..self.width).any(is_value) {
            let is_only_word = |c: &usize| {
                let is_word = |r| !is_missing(self.get(r, *c)) && self.number(r, *c).is_none();
                is_word(0) && above_numbers(*c) && !below.clone().any(is_word)
            };
            return match (0..self.width).find(is_only_word) {
                Some(c) => Header::Doubtful(first[c].to_owned()),
                None => Header::None,
            };
        }
        let is_unique = |c: usize| {
            let occurs_before = first[..c].contains(&first[c]);
            !occurs_before && below.clone().all(|r| self.get(r, c) != first[c])
        };
        let has_names = first.iter().any(|cell| !cell.is_empty());
        if has_names && ((0..self.width).any(above_numbers) || (0..self.width).all(is_unique)) {
            Header::Found
        } else {
            Header::None
        }
    }
}

/// Splits a file into cells.
///
/// # Errors
/// If the file is empty or not text.
pub(super) fn read(bytes: &[u8]) -> Result<Cells, DataProblem> {
    let decoded = decode(bytes)?;
    let (declared, text) = declared_separator(&decoded.text);
    let separator = declared.unwrap_or_else(|| separator(text));
    let squeezed = (separator == b' ').then(|| squeeze(text));
    let mut cells = split(squeezed.as_deref().unwrap_or(text), separator, usize::from(declared.is_some()));
    cells.remarks.extend(decoded.remark.map(str::to_owned));
    if cells.lines.is_empty() {
        return Err(DataProblem { row: Some(1), column: None, why: "there are only comments".into() });
    }
    Ok(cells)
}

/// Returns the separator in a first line such as `sep=;`, which Excel writes and reads, and the text after this line.
fn declared_separator(text: &str) -> (Option<u8>, &str) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    match first.trim_end_matches('\r').as_bytes() {
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', separator] if separator.is_ascii() => {
            (Some(*separator), rest)
        }
        _ => (None, text),
    }
}

/// Splits a text into cells. The text follows `skipped` lines of the file.
fn split(text: &str, separator: u8, skipped: usize) -> Cells {
    let mut cells = Cells {
        text: String::with_capacity(text.len()),
        ends: Vec::new(),
        width: 0,
        lines: Vec::new(),
        decimal_comma: separator != b',',
        malformed: Vec::new(),
        remarks: Vec::new(),
    };
    let usual = usual_width(text, separator);
    let (mut counter, mut comments, mut has_row_names) = (LineCounter::default(), 0_usize, false);
    records(text, separator, |record, start| {
        let line = skipped + 1 + counter.breaks_before(text.as_bytes(), start);
        // Many files end with lines of blanks or empty cells.
        if record.iter().all(|cell| cell.trim().is_empty()) {
            return true;
        }
        // “#id” may be the name of a column: a comment has another number of cells than a row.
        if record[0].trim_start().starts_with('#') && record.len() != usual {
            comments += 1;
            return true;
        }
        if cells.lines.is_empty() {
            if is_title(record, usual) {
                let title = record[0].trim();
                cells
                    .remarks
                    .push(format!("Line {line} was skipped: “{title}” stands alone above the table."));
                return true;
            }
            has_row_names = lacks_row_name(record, usual);
            cells.width = record.len() + usize::from(has_row_names);
            if has_row_names {
                cells.push("row");
            }
        } else if record.len() != cells.width && !ends_with_separator(record, cells.width) {
            cells.malformed.push(MalformedRow { line, cells: record.len() });
            return true;
        }
        record.iter().take(cells.width).for_each(|cell| cells.push(cell));
        cells.lines.push(line);
        true
    });
    if has_row_names {
        cells.remarks.push(
            "The first line has one name fewer than there are columns: the first column is called “row”."
                .into(),
        );
    }
    if comments > 0 {
        let (lines, are) =
            if comments == 1 { ("line", "is a comment and was") } else { ("lines", "are comments and were") };
        cells.remarks.push(format!("{comments} {lines} with # in front {are} skipped."));
    }
    cells
}

impl Cells {
    /// Appends a cell.
    fn push(&mut self, cell: &str) {
        // Control characters would break the lines in which names and values are shown.
        self.text.extend(unquoted(cell.trim()).chars().map(|c| if c.is_control() { ' ' } else { c }));
        self.ends.push(self.text.len());
    }
}

/// True if a record before the table is the title of a sheet: text in the first cell only.
fn is_title(record: &StringRecord, usual: usize) -> bool {
    record.iter().skip(1).all(|cell| cell.trim().is_empty())
        && (record.len() == usual && usual > 1 || usual > 2)
}

/// True if a header has no name for the column of row names, as R writes it.
fn lacks_row_name(header: &StringRecord, usual: usize) -> bool {
    header.len() + 1 == usual && header.iter().all(|cell| number(cell, true).is_none())
}

/// True if a record has one extra cell because of a separator at the end of its line.
fn ends_with_separator(record: &StringRecord, width: usize) -> bool {
    record.len() == width + 1 && record[width].trim().is_empty()
}

/// Removes single quotes around a cell, as written by databases. The CSV reader removes double quotes.
fn unquoted(cell: &str) -> &str {
    let inside = cell.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    inside.map_or(cell, str::trim)
}

/// Returns the most frequent number of cells among the first rows.
fn usual_width(text: &str, separator: u8) -> usize {
    let (mut widths, mut trailing) = (Vec::new(), true);
    records(text, separator, |record, _| {
        if record.len() > 1 || !record[0].trim().is_empty() {
            trailing &= widths.is_empty() || record[record.len() - 1].trim().is_empty();
            widths.push(record.len());
        }
        widths.len() < SAMPLE
    });
    let count = |width: usize| widths.iter().filter(|w| **w == width).count();
    let usual = widths.iter().copied().max_by_key(|width| count(*width)).unwrap_or(1);
    // A separator at the end of every line except the header does not make a column.
    usual - usize::from(trailing && usual > 1 && widths.first().is_some_and(|first| first + 1 == usual))
}

/// Calls `each` with every record and the byte offset of its start, until it returns false.
fn records(text: &str, separator: u8, mut each: impl FnMut(&StringRecord, usize) -> bool) {
    let mut reader = ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut record = StringRecord::new();
    // Reading UTF-8 from memory cannot fail.
    while matches!(reader.read_record(&mut record), Ok(true)) {
        let position = record.position().map_or(0, |p| p.byte() as usize);
        // The position includes line breaks before the record.
        let blank = text.as_bytes()[position..].iter().take_while(|b| matches!(b, b'\n' | b'\r')).count();
        if !each(&record, position + blank) {
            break;
        }
    }
}

/// A counter of line breaks (LF, CR LF or CR) that continues from its last position.
#[derive(Default)]
struct LineCounter {
    position: usize,
    breaks: usize,
}

impl LineCounter {
    /// Returns the number of line breaks before `position`.
    fn breaks_before(&mut self, bytes: &[u8], position: usize) -> usize {
        for i in self.position..position {
            let is_lone = || bytes.get(i + 1) != Some(&b'\n');
            self.breaks += usize::from(bytes[i] == b'\n' || bytes[i] == b'\r' && is_lone());
        }
        self.position = self.position.max(position);
        self.breaks
    }
}
