//! Detection of separator, quote and escape by the consistency of a sample: van den Burg, Nazábal and Sutton, “Wrangling messy CSV
//! files by detecting row and type patterns”, Data Mining and Knowledge Discovery 33, 1799 (2019).
//!
//! For every candidate the sample is split into cells. The score is the product of a pattern score, which is large if rows have the
//! same number of cells and many of them, and a type score, the share of cells whose type is known. Deviations: the number of
//! different row patterns is the inverse of their concentration, 1/Σp², instead of their count, so that one malformed row does not
//! halve the score; the pattern score is per row, so that quotes around line breaks do not lower it, and is multiplied by the share
//! of rows with the usual number of cells, as in García, “Detecting CSV file dialects by table uniformity measurement and data type
//! inference”, Data Science 7, 55 (2024).

use std::collections::BTreeMap;

use super::kinds::{has_known_type, is_number_like, is_time};
use super::squeeze;

/// The characters that divide a text into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub separator: u8,
    pub quote: u8,
    /// True if a quote inside quotes is preceded by a backslash instead of being doubled.
    pub backslash: bool,
}

impl Dialect {
    /// Returns the dialect with double quotes.
    pub fn separated_by(separator: u8) -> Self {
        Self { separator, quote: b'"', backslash: false }
    }
}

/// Usual separators, the preferred one of two equally good ones first.
const USUAL: [u8; 5] = [b',', b';', b'\t', b'|', b' '];
/// Separators that are considered if no usual one divides the rows evenly.
const RARE: [u8; 6] = [b':', b'~', b'^', b'*', b'#', b'&'];
/// Maximum number of lines of the sample.
const LINES: usize = 200;
/// Maximum size of the sample in bytes.
const BYTES: usize = 1 << 18;
/// Value of a row of one cell in the pattern score, as in the paper.
const SINGLE: f64 = 1e-3;
/// Least share of rows with the same number of cells, at least two, for a separator to divide the rows evenly.
const EVEN: f64 = 0.6;

/// Returns the beginning of a text, whole lines.
pub(super) fn sample(text: &str) -> &str {
    let end = text.bytes().enumerate().filter(|(_, b)| matches!(b, b'\n' | b'\r')).map(|(i, _)| i + 1);
    let end = end.take_while(|end| *end <= BYTES).take(LINES).last();
    if text.len() <= BYTES && text.bytes().filter(|b| matches!(b, b'\n' | b'\r')).take(LINES).count() < LINES
    {
        return text;
    }
    &text[..end.unwrap_or_else(|| text.floor_char_boundary(BYTES))]
}

/// Returns the most consistent dialect of a text. A given separator is kept.
pub(super) fn detect(text: &str, separator: Option<u8>) -> Dialect {
    let sample = sample(text);
    let squeezed = squeeze(sample);
    let text_for = |separator: u8| if separator == b' ' { squeezed.as_str() } else { sample };
    let best = |separators: &[u8]| {
        let mut best: Option<(Dialect, Score)> = None;
        for separator in separators {
            for dialect in dialects(text_for(*separator), *separator) {
                let score = Score::of(text_for(*separator), dialect);
                // An apostrophe at the start of a cell is not a quote if nothing closes it.
                if dialect.quote == b'\'' && score.is_open && sample.len() == text.len() {
                    continue;
                }
                if best.is_none_or(|(_, other)| score.value > other.value * (1.0 + 1e-9)) {
                    best = Some((dialect, score));
                }
            }
        }
        best
    };
    if let Some((dialect, _)) = best(separator.as_slice()) {
        return dialect;
    }
    // Words with blanks are not several cells.
    let usual = best(&USUAL).filter(|(dialect, score)| dialect.separator != b' ' || score.is_of_numbers);
    if let Some((dialect, _)) = usual.filter(|(_, score)| score.even >= EVEN) {
        return dialect;
    }
    let lines = || sample.lines().filter(|line| !line.trim().is_empty());
    let has_colons = lines().any(|line| is_time(line.trim()) || line.contains("://"));
    let rare = best(&RARE).filter(|(dialect, score)| {
        score.even > 0.9
            && lines().count() > 2
            && !(dialect.separator == b':' && has_colons)
            && usual.is_none_or(|(_, usual)| score.value > usual.value)
    });
    let best = rare.or(usual.filter(|(_, score)| score.even > 0.0));
    best.map_or(Dialect::separated_by(b','), |(dialect, _)| dialect)
}

/// Returns the dialects to be compared for a separator: double quotes, and single quotes and backslashes where they occur.
fn dialects(sample: &str, separator: u8) -> Vec<Dialect> {
    let double = Dialect::separated_by(separator);
    let mut all = vec![double];
    if sample.contains("\\\"") {
        all.push(Dialect { backslash: true, ..double });
    }
    let at_start = |(i, _): (usize, &str)| {
        let before = sample.as_bytes()[..i].last().copied();
        before.is_none_or(|b| b == separator || matches!(b, b'\n' | b'\r'))
    };
    if sample.match_indices('\'').any(at_start) {
        all.push(Dialect { quote: b'\'', ..double });
    }
    all
}

/// The consistency of a sample in one dialect.
#[derive(Clone, Copy, Debug)]
struct Score {
    /// Product of pattern score and type score.
    value: f64,
    /// Share of rows with the most frequent number of cells, if that is at least two.
    even: f64,
    /// True if a cell is a number.
    is_of_numbers: bool,
    /// True if the last quote is not closed.
    is_open: bool,
}

impl Score {
    fn of(sample: &str, dialect: Dialect) -> Self {
        let (mut widths, mut known, mut cells) = (BTreeMap::<usize, usize>::new(), 0.0, 0);
        let (mut rows, mut is_of_numbers) = (0, false);
        let is_open = each_row(sample, dialect, |row| {
            if row.iter().all(|cell| cell.text.trim().is_empty()) {
                return;
            }
            rows += 1;
            is_of_numbers |= row.iter().any(|cell| is_number_like(cell.text.trim()));
            *widths.entry(row.len()).or_default() += 1;
            cells += row.len();
            known += row.iter().map(Piece::weight).sum::<f64>();
        });
        let (rows, cells) = (f64::from(rows).max(1.0), (cells as f64).max(1.0));
        let patterns =
            1.0 / widths.values().map(|count| (*count as f64 / rows).powi(2)).sum::<f64>().max(SINGLE);
        let pattern: f64 = widths
            .iter()
            .map(|(width, count)| *count as f64 * ((*width as f64 - 1.0) / *width as f64).max(SINGLE))
            .sum();
        let even = widths.iter().filter(|(width, _)| **width > 1).map(|(_, count)| *count as f64 / rows);
        let even = even.fold(0.0, f64::max);
        let value = pattern / rows / patterns * even.max(SINGLE) * (known / cells);
        Self { value, even, is_of_numbers, is_open }
    }
}

/// A cell of the sample.
struct Piece<'a> {
    text: &'a str,
    quoted: bool,
}

impl Piece<'_> {
    /// Returns 1 if the type of the cell is known, otherwise 0.
    fn weight(&self) -> f64 {
        let text = self.text.trim().trim_matches('\'');
        f64::from(u8::from(self.quoted || is_number_like(text) || has_known_type(text)))
    }
}

/// Calls `each` with the cells of every row. Returns true if the last quote is not closed.
fn each_row<'a>(text: &'a str, dialect: Dialect, mut each: impl FnMut(&[Piece<'a>])) -> bool {
    let bytes = text.as_bytes();
    let (mut row, mut start, mut quoted, mut inside) = (Vec::new(), 0, false, false);
    let (mut i, mut is_open) = (0, false);
    while i <= bytes.len() {
        let byte = bytes.get(i).copied();
        if inside {
            match byte {
                Some(b'\\') if dialect.backslash => i += 1,
                Some(b) if b == dialect.quote => {
                    if bytes.get(i + 1) == Some(&dialect.quote) {
                        i += 1;
                    } else {
                        inside = false;
                    }
                }
                None => (inside, is_open) = (false, true),
                Some(_) => {}
            }
            if byte.is_some() {
                i += 1;
            }
            continue;
        }
        match byte {
            Some(b) if b == dialect.quote && text[start..i].trim_start_matches(' ').is_empty() => {
                (quoted, inside) = (true, true);
            }
            Some(b) if b != dialect.separator && !matches!(b, b'\n' | b'\r') => {}
            _ => {
                // A cell that goes on after its closing quote is not a quoted cell.
                let text = &text[start..i.min(text.len())];
                let whole = quoted
                    && text.trim_end().len() > 1
                    && text.trim_end().ends_with(char::from(dialect.quote));
                row.push(Piece { text, quoted: whole });
                (start, quoted) = (i + 1, false);
                if byte != Some(dialect.separator) {
                    each(&row);
                    row.clear();
                }
            }
        }
        i += 1;
    }
    is_open
}

/// Returns true if a quote in the source of a record takes in line breaks and is not closed, or closed inside a word.
pub(super) fn is_misquoted(source: &str, dialect: Dialect) -> bool {
    if !source.trim_end().contains(['\n', '\r']) {
        return false;
    }
    let (quote, separator) = (char::from(dialect.quote), char::from(dialect.separator));
    let mut rest = source.trim_start_matches(['\n', '\r']);
    loop {
        if let Some(inner) = rest.strip_prefix(quote) {
            let Some(end) = closing_quote(inner, dialect) else { return true };
            rest = &inner[end + 1..];
            let after = rest.trim_start_matches(' ');
            let is_whole =
                after.is_empty() || rest.starts_with(separator) || after.starts_with([separator, '\n', '\r']);
            if !is_whole && inner[..end].contains(['\n', '\r']) {
                return true;
            }
        }
        let Some(next) = rest.find([separator, '\n', '\r']) else { return false };
        if !rest[next..].starts_with(separator) {
            return false;
        }
        rest = &rest[next + 1..];
    }
}

/// Returns the position of the quote that ends a quoted cell.
fn closing_quote(inner: &str, dialect: Dialect) -> Option<usize> {
    let bytes = inner.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        if dialect.backslash && bytes[i] == b'\\' {
            i += 1;
        } else if bytes[i] == dialect.quote {
            if dialect.backslash || bytes.get(i + 1) != Some(&dialect.quote) {
                return Some(i);
            }
            i += 1;
        }
        i += 1;
    }
    None
}
