//! Detection of the separator.

use super::{SAMPLE, number, records};

/// Returns the separator for which the rows agree best in their number of cells and contain the most numbers.
pub(super) fn separator(text: &str) -> u8 {
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

/// Returns the share of rows with the usual number of cells (at least two), and the share of numbers among the cells.
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
    // A few malformed rows must not change the separator.
    (if share > 0.8 { 1.0 } else { share }, numbers as f64 / cells.max(1) as f64)
}

/// Reduces each run of blanks and tabs outside quotes to one blank, and removes those at the ends of lines.
pub(super) fn squeeze(text: &str) -> String {
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
