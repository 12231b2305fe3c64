//! Reading of CSV text into cells: encoding, separator, quotes, line breaks, comments and malformed rows.

mod cell;
mod clean_rows;
mod decimal;
mod dialect;
mod excerpt;
mod header;
mod kinds;
mod layout;
#[cfg(test)]
mod suites;
mod texts;

use csv::{ReaderBuilder, StringRecord};

use super::decoding::decode;
use super::error::DataError;
use super::facts::MalformedRow;
use super::reading::{Reading, ReadingChoices, Repair};

pub(super) use cell::{amount, any_amount, any_number, digits, is_blank, is_missing, number};
pub(super) use decimal::{Decimals, decide};
use dialect::{Dialect, is_misquoted};
use layout::Layout;
use texts::Texts;

/// Number of rows from which layout and header are determined.
const SAMPLE: usize = 200;

/// Maximum length of a text in bytes, so that the ends of cells fit into 32 bits.
const MAX_TEXT: usize = 1 << 31;

/// A line break inside a cell, in a file whose rows end with CR LF.
const INNER_BREAK: char = '\u{1e}';

/// Zero-width characters.
const INVISIBLE: [char; 6] = ['\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}', '\u{ad}'];

/// The cells of a file as text.
#[derive(Debug)]
pub(super) struct Cells {
    /// Texts of the cells, row by row.
    texts: Texts,
    /// Number of cells per row.
    pub width: usize,
    /// Line number of each row, from 1.
    pub lines: Vec<usize>,
    /// Character between cells.
    pub separator: u8,
    /// Rows with another number of cells, which are not included.
    pub malformed: Vec<MalformedRow>,
    /// Remarks on how the file was read, each a sentence.
    pub remarks: Vec<String>,
    /// Repairs that the remarks suggest.
    pub repairs: Vec<Repair>,
    /// Line numbers of rows that were left out by choice, or because they hold units or repeat the header.
    pub removed: Vec<usize>,
    /// Decisions so far.
    pub reading: Reading,
    /// Numbers and texts of the first and last lines of the file.
    pub excerpt: Vec<(usize, String)>,
    /// True if the header has no name for the column of row names, as in tables written by R.
    has_row_names: bool,
    /// Number of cells from which invisible characters were removed.
    invisible: usize,
}

impl Cells {
    /// Returns the text of a cell.
    pub fn get(&self, row: usize, column: usize) -> &str {
        self.texts.get(row * self.width + column)
    }

    /// Appends a cell, in Unicode's normalisation form C and without invisible characters.
    fn push(&mut self, cell: &str) {
        use unicode_normalization::UnicodeNormalization as _;

        let cell = unquoted(cell.trim());
        // The fast path: most cells need no change.
        if cell.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            return self.texts.push_copy(cell);
        }
        let is_visible = |c: &char| !INVISIBLE.contains(c);
        self.invisible += usize::from(cell.contains(INVISIBLE));
        let text: String = cell.chars().filter(is_visible).nfc().collect();
        self.texts.push(text.trim_matches(|c: char| c.is_whitespace() || c.is_control()).chars());
    }
}

/// Splits a file into cells.
///
/// # Errors
/// If the file is empty or not text, or a quote is not closed.
pub(super) fn read(bytes: &[u8], choices: &ReadingChoices) -> Result<Cells, DataError> {
    let decoded = decode(bytes, choices.encoding)?;
    if decoded.text.len() > MAX_TEXT {
        return Err(DataError::new("the text is longer than 2 GiB"));
    }
    let mut remarks: Vec<String> = decoded.remark.into_iter().map(str::to_owned).collect();
    let (declared, text) = declared_separator(&decoded.text);
    let mut skipped = usize::from(declared.is_some());
    let text = without_lines(text, choices.skip_lines.map_or(0, |lines| lines.saturating_sub(skipped)));
    skipped = choices.skip_lines.unwrap_or(skipped).max(skipped);
    let joined = join_broken_rows(text, choices.separator.or(declared));
    if joined.is_some() {
        remarks.push(
            "Rows end with CR LF; single line breaks inside them belong to their cells and are blanks."
                .into(),
        );
    }
    let text = joined.as_deref().unwrap_or(text);
    let dialect = dialect::detect(text, choices.separator.or(declared));
    let squeezed = if dialect.separator == b' ' {
        Some(squeeze(text))
    } else {
        without_blanks_before_quotes(text, dialect)
    };
    let text = squeezed.as_deref().unwrap_or(text);
    let layout = Layout::of(text, dialect, choices.skip_lines.is_none());
    let mut cells = split(text, dialect, &layout, skipped)?;
    cells.reading.encoding = decoded.encoding;
    cells.excerpt = cells.excerpt_of(&decoded.text);
    cells.remarks.splice(0..0, remarks);
    if cells.lines.is_empty() {
        return Err(DataError { row: Some(1), column: None, why: "there are only comments".into() });
    }
    Ok(cells)
}

/// Returns the text after `lines` lines.
fn without_lines(text: &str, lines: usize) -> &str {
    let mut rest = text;
    for _ in 0..lines {
        let Some(end) = rest.find(['\n', '\r']) else { return "" };
        rest = rest[end..].strip_prefix("\r\n").unwrap_or(&rest[end + 1..]);
    }
    rest
}

/// Returns the separator in a first line such as `sep=;`, which Excel writes and reads, and the text after this line.
fn declared_separator(text: &str) -> (Option<u8>, &str) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    match first.trim_end_matches('\r').trim_matches('"').as_bytes() {
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', separator] if separator.is_ascii() => {
            (Some(*separator), rest)
        }
        _ => (None, text),
    }
}

/// Marks line breaks inside cells in a file whose rows end with CR LF and whose cells contain bare LF without quotes. `None` for other
/// files.
fn join_broken_rows(text: &str, separator: Option<u8>) -> Option<String> {
    let sample = dialect::sample(text);
    let (pairs, all) = (sample.matches("\r\n").count(), sample.matches('\n').count());
    if pairs < 2 || all == pairs {
        return None;
    }
    let joined = |text: &str| {
        let mut out = String::with_capacity(text.len());
        let mut last = ' ';
        for c in text.chars() {
            out.push(if c == '\n' && last != '\r' { INNER_BREAK } else { c });
            last = c;
        }
        out
    };
    let candidate = joined(sample);
    let even = |text: &str| Layout::of(text, dialect::detect(text, separator), true).even;
    (even(&candidate) >= 0.99 && even(sample) < 0.99).then(|| joined(text))
}

/// Splits a text into cells. The text follows `skipped` lines of the file.
///
/// # Errors
/// If a quote is not closed.
fn split(text: &str, dialect: Dialect, layout: &Layout, skipped: usize) -> Result<Cells, DataError> {
    let mut cells = Cells::new(text, dialect, layout, skipped);
    let mut counter = LineCounter::default();
    let (mut index, mut problem, mut notes) = (0, None, Vec::new());
    records(text, dialect, |record, start, end| {
        let line = skipped + 1 + counter.breaks_before(text.as_bytes(), start);
        index += 1;
        // Many files end with lines of blanks or empty cells.
        if record.iter().all(|cell| cell.trim().is_empty()) {
            return true;
        }
        let source = &text[start..end];
        // Before the check for notes: an unclosed quote in a first cell turns everything after it into one cell.
        if is_misquoted(source, dialect)
            || record.len() > 1 && has_swallowed_rows(record, source, layout.width, dialect)
        {
            problem = Some(unclosed(record, line));
            return false;
        }
        if layout.is_skipped(record, index - 1) {
            notes.push((line, record.iter().next().unwrap_or_default().trim().to_owned()));
            return true;
        }
        if cells.lines.is_empty() && layout.has_row_names && record.len() + 1 == cells.width {
            cells.push("row");
        } else if record.len() != cells.width && !ends_with_separator(record, cells.width) {
            cells.malformed.push(MalformedRow { line, cells: record.len() });
            return true;
        }
        let (is_first, width) = (cells.lines.is_empty(), cells.width);
        for (c, cell) in record.iter().take(width).enumerate() {
            cells.push(if is_first && c == 0 { uncommented(cell) } else { cell });
        }
        cells.lines.push(line);
        true
    });
    if let Some(problem) = problem {
        return Err(problem);
    }
    layout::describe(&mut cells, layout, &notes);
    Ok(cells)
}

impl Cells {
    /// Returns no cells, with room for those of a text that follows `skipped` lines of the file.
    fn new(text: &str, dialect: Dialect, layout: &Layout, skipped: usize) -> Self {
        Self {
            texts: Texts::with_capacity(text.len() + 1),
            width: layout.width,
            lines: Vec::new(),
            separator: dialect.separator,
            malformed: Vec::new(),
            remarks: Vec::new(),
            repairs: Vec::new(),
            removed: Vec::new(),
            reading: Reading {
                separator: (layout.width > 1).then(|| char::from(dialect.separator)),
                quote: char::from(dialect.quote),
                decimal: '.',
                skipped: (1..=skipped).collect(),
                ..Reading::default()
            },
            excerpt: Vec::new(),
            has_row_names: layout.has_row_names,
            invisible: 0,
        }
    }
}

/// Returns the first name without a leading “# ”, as written by NumPy.
fn uncommented(name: &str) -> &str {
    let bare = name.trim().strip_prefix("# ").map(str::trim_start);
    bare.filter(|bare| !bare.is_empty()).unwrap_or(name)
}

/// Returns true if a cell of several lines contains a whole row: a quote was not closed.
fn has_swallowed_rows(record: &StringRecord, source: &str, width: usize, dialect: Dialect) -> bool {
    if !source.trim_end().contains(['\n', '\r']) {
        return false;
    }
    let full = |line: &str| line.split(char::from(dialect.separator)).count() == width;
    let swallowed = |cell: &str| {
        let inner: Vec<&str> =
            cell.split(['\n', '\r']).skip(1).filter(|line| !line.trim().is_empty()).collect();
        let whole = inner.iter().filter(|line| full(line)).count();
        whole > 0 && 2 * whole >= inner.len()
    };
    width > 1 && record.iter().any(swallowed)
}

/// Returns the error of a quote that is not closed in the record that starts at `line`.
fn unclosed(record: &StringRecord, line: usize) -> DataError {
    let breaks = |cell: &str| cell.matches('\n').count().max(cell.matches('\r').count());
    let opens = record.iter().position(|cell| breaks(cell) > 0).unwrap_or(0);
    let before: usize = record.iter().take(opens).map(breaks).sum();
    let swallowed = record.get(opens).map_or(0, breaks);
    DataError {
        row: Some(line + before),
        column: None,
        why: format!(
            "a quote opens in cell {} and is not closed in this line; it would take in the next {swallowed} lines. Close the quote or \
             remove it",
            opens + 1
        ),
    }
}

/// Returns true if a record has one extra cell because of a separator at the end of its line.
fn ends_with_separator(record: &StringRecord, width: usize) -> bool {
    record.len() == width + 1 && record[width].trim().is_empty()
}

/// Removes single quotes around a cell, as written by databases. The CSV reader removes double quotes.
fn unquoted(cell: &str) -> &str {
    let inside = cell.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    inside.map_or(cell, str::trim)
}

/// Calls `each` with every record and the byte offsets of its start and end, until it returns false.
fn records(text: &str, dialect: Dialect, mut each: impl FnMut(&StringRecord, usize, usize) -> bool) {
    let mut reader = ReaderBuilder::new()
        .delimiter(dialect.separator)
        .quote(dialect.quote)
        .double_quote(!dialect.backslash)
        .escape(dialect.backslash.then_some(b'\\'))
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut record = StringRecord::new();
    // Reading UTF-8 from memory cannot fail.
    while matches!(reader.read_record(&mut record), Ok(true)) {
        let position = record.position().map_or(0, |p| p.byte() as usize);
        // The position includes line breaks before the record.
        let blank = text.as_bytes()[position..].iter().take_while(|b| matches!(b, b'\n' | b'\r')).count();
        if !each(&record, position + blank, reader.position().byte() as usize) {
            break;
        }
    }
}

/// Reduces each run of blanks and tabs outside quotes to one blank, and removes those at the ends of lines.
fn squeeze(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut quoted, mut pending) = (false, false);
    for c in text.chars() {
        match c {
            ' ' | '\t' if !quoted => pending = true,
            '\n' | '\r' if !quoted => {
                // CR and LF with blanks between them are two line breaks.
                if pending && c == '\n' && out.ends_with('\r') {
                    out.push(' ');
                }
                pending = false;
                out.push(c);
            }
            _ => {
                if pending && !out.is_empty() && !out.ends_with(['\n', '\r']) {
                    out.push(' ');
                }
                pending = false;
                quoted ^= c == '"';
                out.push(c);
            }
        }
    }
    out
}

/// Removes blanks between a separator and a quote, which would make the quote a part of the cell. `None` if there are none.
fn without_blanks_before_quotes(text: &str, dialect: Dialect) -> Option<String> {
    let (separator, quote) = (char::from(dialect.separator), char::from(dialect.quote));
    if !dialect::sample(text).contains(&format!("{separator} {quote}")) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut quoted = false;
    for (i, c) in text.char_indices() {
        let is_padding = c == ' ' && !quoted && out.ends_with(separator) && text[i + 1..].starts_with(quote);
        quoted ^= c == quote;
        if !is_padding {
            out.push(c);
        }
    }
    Some(out)
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
            let is_break =
                bytes[i] == b'\n' || bytes[i] == INNER_BREAK as u8 || bytes[i] == b'\r' && is_lone();
            self.breaks += usize::from(is_break);
        }
        self.position = self.position.max(position);
        self.breaks
    }
}
