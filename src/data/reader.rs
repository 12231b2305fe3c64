//! From bytes to cells: encoding, separator, quotes and line breaks.

use csv::{ReaderBuilder, StringRecord};

use super::{DataProblem, Header};

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
    /// A row with another number of cells, at which reading stopped: its line and cells.
    pub ragged: Option<(usize, usize)>,
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

/// Whether a cell says that nothing is known.
pub(super) fn missing(cell: &str) -> bool {
    cell.is_empty() || cell == "?" || cell.eq_ignore_ascii_case("na") || cell.eq_ignore_ascii_case("nan")
}

/// A finite number; with `decimal_comma` also 1,5.
pub(super) fn number(cell: &str, decimal_comma: bool) -> Option<f64> {
    let parsed = if decimal_comma && cell.contains(',') && !cell.contains('.') {
        cell.replacen(',', ".", 1).parse()
    } else {
        cell.parse()
    };
    parsed.ok().filter(|x: &f64| x.is_finite())
}

/// Splits a file into cells.
///
/// # Errors
/// If it is empty or not text. Ragged rows are left to who knows the names of the columns.
pub(super) fn read(bytes: &[u8]) -> Result<Cells, DataProblem> {
    let problem = |row, why: &str| DataProblem { row: Some(row), column: None, why: why.to_owned() };
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(problem(1, "this is UTF-16 text; save it as UTF-8"));
    }
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let row = 1 + Lines::default().until(bytes, e.valid_up_to());
        problem(row, "not UTF-8 text; save it as UTF-8")
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(problem(1, "the file is empty"));
    }
    if text.contains('\0') {
        return Err(problem(1, "this is no text"));
    }
    let separator = separator(text);
    let squeezed = (separator == b' ').then(|| squeeze(text));
    Ok(split(squeezed.as_deref().unwrap_or(text), separator))
}

fn split(text: &str, separator: u8) -> Cells {
    let mut cells = Cells {
        text: String::with_capacity(text.len()),
        ends: Vec::new(),
        width: 0,
        lines: Vec::new(),
        decimal_comma: separator != b',',
        ragged: None,
    };
    let mut counted = Lines::default();
    records(text, separator, |record, start| {
        let line = 1 + counted.until(text.as_bytes(), start);
        // A line of nothing but blanks ends many a file.
        if record.len() == 1 && record[0].trim().is_empty() {
            return true;
        }
        if cells.lines.is_empty() {
            cells.width = record.len();
        } else if record.len() != cells.width {
            cells.ragged = Some((line, record.len()));
            return false;
        }
        for cell in record {
            // Names and values are shown in lines.
            cells.text.extend(cell.trim().chars().map(|c| if c.is_control() { ' ' } else { c }));
            cells.ends.push(cells.text.len());
        }
        cells.lines.push(line);
        true
    });
    cells
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
    for separator in [b',', b';', b'\t', b' '] {
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
