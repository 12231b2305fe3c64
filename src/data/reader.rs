//! From text to cells: separator, quotes, line breaks, comments and rows of another width.

use csv::{ReaderBuilder, StringRecord};

use super::decoding::decode;
use super::{DataProblem, Header, MalformedRow};
use crate::math::decimal;

/// Rows looked at to find the separator and the header.
const SAMPLE: usize = 200;

/// All cells of a file as text, and where they stood.
#[derive(Debug)]
pub(super) struct Cells {
    text: String,
    /// End of each cell in `text`, row by row.
    ends: Vec<usize>,
    /// Cells of a row.
    pub width: usize,
    /// Line on which each row begins, from 1.
    pub lines: Vec<usize>,
    /// Whether 1,5 is a number.
    pub decimal_comma: bool,
    /// Rows with another number of cells, which are left out.
    pub malformed: Vec<MalformedRow>,
    /// What a person should know of how the file was read, each a sentence.
    pub remarks: Vec<String>,
}

impl Cells {
    /// The text of a cell.
    pub fn get(&self, row: usize, column: usize) -> &str {
        let i = row * self.width + column;
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.text[start..self.ends[i]]
    }

    /// The number in a cell.
    pub fn number(&self, row: usize, column: usize) -> Option<f64> {
        number(self.get(row, column), self.decimal_comma)
    }

    /// Whether the first row names the columns: neither numbers nor marks for missing ones in it, but numbers under it,
    /// or else only words that never come again. With numbers in it there is doubt where it has the only word of a column.
    pub fn header(&self) -> Header {
        let below = 1..self.lines.len().min(SAMPLE);
        let first: Vec<&str> = (0..self.width).map(|c| self.get(0, c)).collect();
        let datum = |c: usize| self.number(0, c).is_some() || !first[c].is_empty() && missing(first[c]);
        let numbers = |c: usize| below.clone().filter(|r| self.number(*r, c).is_some()).count();
        let over_numbers = |c: usize| !missing(first[c]) && numbers(c) > 0;
        if (0..self.width).any(datum) {
            let only = |c: &usize| {
                let word = |r| !missing(self.get(r, *c)) && self.number(r, *c).is_none();
                word(0) && over_numbers(*c) && !below.clone().any(word)
            };
            return match (0..self.width).find(only) {
                Some(c) => Header::Doubtful(first[c].to_owned()),
                None => Header::None,
            };
        }
        let unique = || {
            let once = |c: usize| first[..c].iter().all(|cell| *cell != first[c]);
            (0..self.width).all(|c| once(c) && below.clone().all(|r| self.get(r, c) != first[c]))
        };
        let named =
            !first.iter().all(|cell| cell.is_empty()) && ((0..self.width).any(over_numbers) || unique());
        if named { Header::Found } else { Header::None }
    }
}

/// What spreadsheets, databases and statistics programs write where nothing is known, in small letters.
const MISSING: [&str; 17] = [
    "", "?", "na", "n/a", "n.a.", "#n/a", "<na>", "#na", "nan", "-nan", "null", "#null!", "#value!",
    "#div/0!", "#name?", "#ref!", "#num!",
];

/// What means so only among numbers: elsewhere it may be a word like others.
const BLANK: [&str; 5] = [".", "-", "–", "—", "none"];

/// Signs of units before or after a number.
const UNITS: [char; 5] = ['%', '$', '€', '£', '¥'];

/// Whether a cell says that nothing is known.
pub(super) fn missing(cell: &str) -> bool {
    among(&MISSING, cell)
}

fn among(words: &[&str], cell: &str) -> bool {
    words.iter().any(|word| cell.eq_ignore_ascii_case(word))
}

/// Whether a cell says that nothing is known, if it stands among numbers.
pub(super) fn blank(cell: &str) -> bool {
    among(&BLANK, cell)
}

/// A finite number, also with a minus sign (−) in place of a hyphen; with `decimal_comma` also 1,5.
pub(super) fn number(cell: &str, decimal_comma: bool) -> Option<f64> {
    let parsed = if let Some(size) = cell.strip_prefix('−') {
        return number(size, decimal_comma).filter(|x| x.is_sign_positive()).map(|x| -x);
    } else if decimal_comma && cell.contains(',') && !cell.contains('.') {
        decimal(&cell.replacen(',', ".", 1))
    } else {
        decimal(cell)
    };
    parsed.filter(|x| x.is_finite())
}

/// A cell without the sign of a unit, and that sign, if it has one.
pub(super) fn without_unit(cell: &str) -> (&str, Option<char>) {
    let unit = |c: Option<char>| c.filter(|c| UNITS.contains(c));
    let (before, after) = (unit(cell.chars().next()), unit(cell.chars().next_back()));
    (cell.trim_matches(UNITS).trim(), before.or(after))
}

/// A number whose thousands are separated by blanks or by `mark`, which is a comma where the decimal sign is a point and the other
/// way round: 1,234.5, 1.234,5 and 1 234.5. `None` without such a separator.
pub(super) fn grouped(cell: &str, mark: char) -> Option<f64> {
    const BLANKS: [char; 3] = [' ', '\u{a0}', '\u{202f}'];
    let decimal = if mark == ',' { '.' } else { ',' };
    let whole = &cell[..cell.find(decimal).unwrap_or(cell.len())];
    let separator = whole.chars().find(|c| *c == mark || BLANKS.contains(c))?;
    let mut groups = whole.trim_start_matches('-').split(separator);
    let digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let first = groups.next().is_some_and(|first| (1..=3).contains(&first.len()) && digits(first));
    let plain = first && groups.all(|group| group.len() == 3 && digits(group));
    plain.then(|| number(&cell.replace(separator, "").replace(decimal, "."), false))?
}

/// Splits a file into cells.
///
/// # Errors
/// If it is empty or not text.
pub(super) fn read(bytes: &[u8]) -> Result<Cells, DataProblem> {
    let decoded = decode(bytes)?;
    let (said, text) = said_separator(&decoded.text);
    let separator = said.unwrap_or_else(|| separator(text));
    let squeezed = (separator == b' ').then(|| squeeze(text));
    let mut cells = split(squeezed.as_deref().unwrap_or(text), separator, usize::from(said.is_some()));
    cells.remarks.extend(decoded.remark.map(str::to_owned));
    if cells.lines.is_empty() {
        return Err(DataProblem { row: Some(1), column: None, why: "there are only comments".into() });
    }
    Ok(cells)
}

/// The separator of a first line such as `sep=;`, which Excel writes and obeys, and the text after it.
fn said_separator(text: &str) -> (Option<u8>, &str) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    match first.trim_end_matches('\r').as_bytes() {
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', separator] if separator.is_ascii() => {
            (Some(*separator), rest)
        }
        _ => (None, text),
    }
}

/// The cells of a text that comes after so many lines.
fn split(text: &str, separator: u8, before: usize) -> Cells {
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
    let (mut counted, mut comments, mut row_names) = (Lines::default(), 0_usize, false);
    records(text, separator, |record, start| {
        let line = before + 1 + counted.until(text.as_bytes(), start);
        // A line of nothing but blanks, or of empty cells, ends many a file.
        if record.iter().all(|cell| cell.trim().is_empty()) {
            return true;
        }
        // “#id” may be the name of a column: a comment has other cells than a row.
        if record[0].trim_start().starts_with('#') && record.len() != usual {
            comments += 1;
            return true;
        }
        // The title of a sheet stands alone above the names of its columns.
        let alone = record.iter().skip(1).all(|cell| cell.trim().is_empty());
        if cells.lines.is_empty() && alone && (record.len() == usual && usual > 1 || usual > 2) {
            let title = record[0].trim();
            cells.remarks.push(format!("Line {line} was skipped: “{title}” stands alone above the table."));
            return true;
        }
        if cells.lines.is_empty() {
            // R leaves out the name of the column of row names.
            row_names =
                record.len() + 1 == usual && (0..record.len()).all(|c| number(&record[c], true).is_none());
            cells.width = record.len() + usize::from(row_names);
            if row_names {
                cells.text.push_str("row");
                cells.ends.push(cells.text.len());
            }
        } else if record.len() != cells.width {
            // A separator at the end of a line is one too many.
            let trailing = record.len() == cells.width + 1 && record[cells.width].trim().is_empty();
            if !trailing {
                cells.malformed.push(MalformedRow { line, cells: record.len() });
                return true;
            }
        }
        let width = cells.width;
        for cell in record.iter().take(width) {
            // Names and values are shown in lines.
            cells.text.extend(unquoted(cell.trim()).chars().map(|c| if c.is_control() { ' ' } else { c }));
            cells.ends.push(cells.text.len());
        }
        cells.lines.push(line);
        true
    });
    if row_names {
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

/// A cell without single quotes around it, which databases write; double ones are gone already.
fn unquoted(cell: &str) -> &str {
    let inside = cell.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    inside.map_or(cell, str::trim)
}

/// The number of cells that most rows have, of those looked at.
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
    // A separator at the end of every line but the header's makes no column.
    usual - usize::from(trailing && usual > 1 && widths.first().is_some_and(|first| first + 1 == usual))
}

/// Calls `each` with every record and the byte at which it begins, until it says `false`.
fn records(text: &str, separator: u8, mut each: impl FnMut(&StringRecord, usize) -> bool) {
    let mut reader = ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut record = StringRecord::new();
    // It is UTF-8 and in memory: nothing can fail.
    while matches!(reader.read_record(&mut record), Ok(true)) {
        let from = record.position().map_or(0, |p| p.byte() as usize);
        // Line breaks before a record are not yet part of it.
        let blank = text.as_bytes()[from..].iter().take_while(|b| matches!(b, b'\n' | b'\r')).count();
        if !each(&record, from + blank) {
            break;
        }
    }
}

/// Counts the line breaks (LF, CR LF or CR) before a place, going on from the last one.
#[derive(Default)]
struct Lines {
    at: usize,
    breaks: usize,
}

impl Lines {
    fn until(&mut self, bytes: &[u8], place: usize) -> usize {
        for i in self.at..place {
            let lone = || bytes.get(i + 1) != Some(&b'\n');
            self.breaks += usize::from(bytes[i] == b'\n' || bytes[i] == b'\r' && lone());
        }
        self.at = self.at.max(place);
        self.breaks
    }
}

/// The separator whose rows agree in their number of cells and have the most numbers in them.
fn separator(text: &str) -> u8 {
    let sample = text.lines().take(SAMPLE).map(str::len).sum::<usize>() + SAMPLE;
    let sample = &text[..text.floor_char_boundary(sample.min(text.len()))];
    let squeezed = squeeze(sample);
    let mut best = (b',', (0.0, 0.0));
    for separator in [b',', b';', b'\t', b'|', b' '] {
        let score = score(if separator == b' ' { &squeezed } else { sample }, separator);
        if score > best.1 {
            best = (separator, score);
        }
    }
    best.0
}

/// Share of rows with the usual number of cells (at least two), and share of numbers among their cells.
fn score(sample: &str, separator: u8) -> (f64, f64) {
    let (mut widths, mut numbers, mut cells) = (Vec::new(), 0, 0);
    records(sample, separator, |record, _| {
        if record.len() > 1 || !record[0].trim().is_empty() {
            // The first row may be a header.
            if !widths.is_empty() {
                cells += record.len();
                numbers += record.iter().filter(|c| number(c.trim(), separator != b',').is_some()).count();
            }
            widths.push(record.len());
        }
        widths.len() < SAMPLE
    });
    let agree = |width: usize| widths.iter().filter(|w| **w == width).count();
    let most = widths.iter().copied().filter(|w| *w > 1).map(agree).max().unwrap_or(0);
    let share = most as f64 / widths.len().max(1) as f64;
    // A row or two that are broken must not choose another separator.
    (if share > 0.8 { 1.0 } else { share }, numbers as f64 / cells.max(1) as f64)
}

/// One blank for every run of them outside quotes, none at the ends of lines.
fn squeeze(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut quoted, mut owed) = (false, false);
    for c in text.chars() {
        match c {
            ' ' | '\t' if !quoted => owed = true,
            '\n' | '\r' if !quoted => {
                // CR, blanks and LF are two line breaks.
                if owed && c == '\n' && out.ends_with('\r') {
                    out.push(' ');
                }
                owed = false;
                out.push(c);
            }
            _ => {
                if owed && !out.is_empty() && !out.ends_with(['\n', '\r']) {
                    out.push(' ');
                }
                owed = false;
                quoted ^= c == '"';
                out.push(c);
            }
        }
    }
    out
}
