//! First and last lines of a text, as written in the file.

use super::Cells;

/// Number of rows shown at the beginning and at the end.
const FIRST: usize = 5;
const LAST: usize = 3;
/// Maximum number of lines shown at each end.
const MAX_LINES: usize = 12;
/// Maximum number of characters shown of a line.
const MAX_LENGTH: usize = 120;

impl Cells {
    /// Returns the nonblank lines of the first and last rows and the skipped lines around them: each with its number, from
    /// 1, and its text, truncated.
    pub(super) fn excerpt_of(&self, text: &str) -> Vec<(usize, String)> {
        let Some(last_row) = self.lines.last().copied() else { return Vec::new() };
        let end = self.lines.get(FIRST).copied().unwrap_or(last_row).min(MAX_LINES);
        let begin = self.lines[self.lines.len().saturating_sub(LAST)];
        let shown = |(i, line): (usize, &str)| {
            let number = i + 1;
            let is_near = number <= end || (begin..begin + MAX_LINES).contains(&number);
            (is_near && !line.trim().is_empty()).then(|| (number, shortened(line)))
        };
        lines(text).enumerate().filter_map(shown).collect()
    }
}

/// Returns the lines of a text, which end with LF, CR LF or CR.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| line.split('\r'))
}

/// Truncates a line and makes its tabs visible.
fn shortened(line: &str) -> String {
    let mut text: String = line.chars().take(MAX_LENGTH).map(|c| if c == '\t' { '⇥' } else { c }).collect();
    if line.chars().nth(MAX_LENGTH).is_some() {
        text.push('…');
    }
    text
}
