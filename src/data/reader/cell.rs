//! Meaning of the text in a cell: number or missing value.

use crate::math::decimal;
use crate::reading::DecimalSign;

/// Texts for missing values in spreadsheets, databases and statistics programs, in lower case.
const MISSING: [&str; 17] = [
    "", "?", "na", "n/a", "n.a.", "#n/a", "<na>", "#na", "nan", "-nan", "null", "#null!", "#value!",
    "#div/0!", "#name?", "#ref!", "#num!",
];

/// Texts for missing values in columns of numbers. In columns of words they are words.
const BLANK: [&str; 5] = [".", "-", "–", "—", "none"];

/// Unit signs before or after a number.
const UNITS: [char; 5] = ['%', '$', '€', '£', '¥'];

/// Blanks and apostrophes between groups of digits.
const GAPS: [char; 5] = [' ', '\u{a0}', '\u{202f}', '\'', '’'];

/// True if a cell stands for a missing value.
pub(crate) fn is_missing(cell: &str) -> bool {
    is_among(&MISSING, cell)
}

fn is_among(words: &[&str], cell: &str) -> bool {
    words.iter().any(|word| cell.eq_ignore_ascii_case(word))
}

/// True if a cell in a column of numbers stands for a missing value.
pub(crate) fn is_blank(cell: &str) -> bool {
    is_among(&BLANK, cell)
}

/// True for one digit or more and nothing else.
pub(crate) fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Parses a finite number without signs of units and thousands. It may have a minus sign (−) in place of a hyphen.
pub(crate) fn number(cell: &str, sign: DecimalSign) -> Option<f64> {
    let parsed = if let Some(size) = cell.strip_prefix('−') {
        return number(size, sign).filter(|x| x.is_sign_positive()).map(|x| -x);
    } else if sign == DecimalSign::Comma {
        match cell.contains('.') {
            true => None,
            false if cell.contains(',') => decimal(&cell.replacen(',', ".", 1)),
            false => decimal(cell),
        }
    } else {
        decimal(cell)
    };
    parsed.filter(|x| x.is_finite())
}

/// Parses a finite number with either decimal sign.
pub(crate) fn any_number(cell: &str) -> Option<f64> {
    number(cell, DecimalSign::Point).or_else(|| number(cell, DecimalSign::Comma))
}

/// Splits a cell into the text without unit signs and the unit sign.
pub(crate) fn without_unit(cell: &str) -> (&str, Option<char>) {
    let unit = |c: Option<char>| c.filter(|c| UNITS.contains(c));
    let (before, after) = (unit(cell.chars().next()), unit(cell.chars().next_back()));
    (cell.trim_matches(UNITS).trim(), before.or(after))
}

/// Returns a cell without unit signs, and without signs or parentheses around the number.
pub(super) fn bare(cell: &str) -> &str {
    let mut text = cell;
    if !cell.as_bytes().first().is_some_and(u8::is_ascii_digit)
        || !cell.as_bytes().last().is_some_and(u8::is_ascii_digit)
    {
        text = text.trim_matches(|c| UNITS.contains(&c) || matches!(c, '(' | ')' | '-' | '+' | '−' | ' '));
    }
    text
}

/// Parses a number as bookkeepers write it: with separators of thousands, as in 1,234.5, 1.234,5, 1 234.5, 1'234.5 and 12,34,567.5; with a
/// sign at the end, as in 5-; negative in parentheses, as in (828).
pub(crate) fn written_number(cell: &str, sign: DecimalSign) -> Option<f64> {
    let negated = cell
        .strip_prefix('(')
        .and_then(|inside| inside.strip_suffix(')'))
        .or_else(|| cell.strip_suffix('-').filter(|size| size.ends_with(|c: char| c.is_ascii_digit())));
    if let Some(size) = negated {
        let (size, _) = without_unit(size.trim());
        let size = plain_or_grouped(size, sign)?;
        return size.is_sign_positive().then_some(-size);
    }
    plain_or_grouped(cell, sign)
}

fn plain_or_grouped(cell: &str, sign: DecimalSign) -> Option<f64> {
    number(cell, sign).or_else(|| grouped(cell, sign))
}

/// Parses a number with separators of thousands.
fn grouped(cell: &str, sign: DecimalSign) -> Option<f64> {
    let mark = sign.thousands();
    if let Some(size) = cell.strip_prefix(['-', '−']) {
        let size = grouped(size.trim_start(), sign)?;
        return size.is_sign_positive().then_some(-size);
    }
    let (_, currency) = without_unit(cell);
    let cell = if currency.is_some() { without_unit(cell).0 } else { cell };
    let whole = &cell[..cell.find(sign.character()).unwrap_or(cell.len())];
    let separator = whole.chars().find(|c| *c == mark || GAPS.contains(c))?;
    let parts: Vec<&str> = whole.split(separator).collect();
    let (first, last) = (parts[0], parts[parts.len() - 1]);
    let inner = &parts[1..parts.len() - 1];
    // India writes groups of two digits before the last three.
    let even = |size: usize| inner.iter().all(|part| part.len() == size);
    let is_plain = parts.iter().all(|part| digits(part))
        && last.len() == 3
        && (1..=3).contains(&first.len())
        && (even(3) || even(2) && separator == ',' && first.len() <= 2);
    is_plain
        .then(|| number(&cell.replace(separator, "").replace(sign.character(), "."), DecimalSign::Point))?
}
