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

/// Returns true if a cell stands for a missing value.
pub(crate) fn is_missing(cell: &str) -> bool {
    is_among(&MISSING, cell)
}

fn is_among(words: &[&str], cell: &str) -> bool {
    words.iter().any(|word| cell.eq_ignore_ascii_case(word))
}

/// Returns true if a cell in a column of numbers stands for a missing value.
pub(crate) fn is_blank(cell: &str) -> bool {
    is_among(&BLANK, cell)
}

/// Returns true for one digit or more and nothing else.
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

/// Parses a number as it is written in tables: with a unit sign and a minus sign before or after it, in either order, as in $-5, -$5, 5 €
/// and 5-; negative in parentheses, as in (828) and ($828); with thousands separators, as in 1,234.5, 1.234,5, 1 234.5, 1'234.5 and
/// 12,34,567.5. Returns the unit sign as well.
pub(crate) fn amount(cell: &str, sign: DecimalSign) -> Option<(f64, Option<char>)> {
    let (mut text, mut unit, mut is_negative) = (cell, None, None);
    loop {
        if let Some((rest, found)) = without_unit(text).filter(|_| unit.is_none()) {
            (text, unit) = (rest, Some(found));
        } else if let Some((rest, negative)) = without_sign(text).filter(|_| is_negative.is_none()) {
            (text, is_negative) = (rest, Some(negative));
        } else {
            break;
        }
    }
    let is_unsigned = text.starts_with(|c: char| c.is_ascii_digit() || c == sign.character());
    let size = number(text, sign).or_else(|| grouped(text, sign)).filter(|_| is_unsigned)?;
    Some((if is_negative == Some(true) { -size } else { size }, unit))
}

/// Parses a number as it is written in tables, with either decimal sign.
pub(crate) fn any_amount(cell: &str) -> Option<f64> {
    amount(cell, DecimalSign::Point).or_else(|| amount(cell, DecimalSign::Comma)).map(|(x, _)| x)
}

/// Removes a unit sign at the start or at the end, and returns it.
fn without_unit(text: &str) -> Option<(&str, char)> {
    let unit = |c: &char| UNITS.contains(c);
    if let Some(first) = text.chars().next().filter(unit) {
        return Some((text[first.len_utf8()..].trim_start(), first));
    }
    let last = text.chars().next_back().filter(unit)?;
    Some((text[..text.len() - last.len_utf8()].trim_end(), last))
}

/// Removes a sign at the start or at the end, or parentheses; returns true with it if the number is negative.
fn without_sign(text: &str) -> Option<(&str, bool)> {
    if let Some(inside) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        return Some((inside.trim(), true));
    }
    if let Some(size) = text.strip_prefix(['-', '−']) {
        return Some((size.trim_start(), true));
    }
    if let Some(size) = text.strip_prefix('+') {
        return Some((size.trim_start(), false));
    }
    let size = text.strip_suffix('-')?;
    size.ends_with(|c: char| c.is_ascii_digit() || UNITS.contains(&c)).then_some((size, true))
}

/// Parses a number without signs that has thousands separators.
fn grouped(cell: &str, sign: DecimalSign) -> Option<f64> {
    let mark = sign.thousands();
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
