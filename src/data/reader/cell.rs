//! Meaning of the text in a cell: number or missing value.

use crate::math::decimal;

/// Texts for missing values in spreadsheets, databases and statistics programs, in lower case.
const MISSING: [&str; 17] = [
    "", "?", "na", "n/a", "n.a.", "#n/a", "<na>", "#na", "nan", "-nan", "null", "#null!", "#value!",
    "#div/0!", "#name?", "#ref!", "#num!",
];

/// Texts for missing values in columns of numbers. In columns of words they are words.
const BLANK: [&str; 5] = [".", "-", "–", "—", "none"];

/// Unit signs before or after a number.
const UNITS: [char; 5] = ['%', '$', '€', '£', '¥'];

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

/// Parses a finite number. It may have a minus sign (−) in place of a hyphen and, with `decimal_comma`, a comma as in 1,5.
pub(crate) fn number(cell: &str, decimal_comma: bool) -> Option<f64> {
    let parsed = if let Some(size) = cell.strip_prefix('−') {
        return number(size, decimal_comma).filter(|x| x.is_sign_positive()).map(|x| -x);
    } else if decimal_comma && cell.contains(',') && !cell.contains('.') {
        decimal(&cell.replacen(',', ".", 1))
    } else {
        decimal(cell)
    };
    parsed.filter(|x| x.is_finite())
}

/// Splits a cell into the text without unit signs and the unit sign.
pub(crate) fn without_unit(cell: &str) -> (&str, Option<char>) {
    let unit = |c: Option<char>| c.filter(|c| UNITS.contains(c));
    let (before, after) = (unit(cell.chars().next()), unit(cell.chars().next_back()));
    (cell.trim_matches(UNITS).trim(), before.or(after))
}

/// Parses a number with separators of thousands, as in 1,234.5, 1.234,5 and 1 234.5. The separator is a blank or `mark`; the decimal
/// sign is a point if `mark` is a comma, otherwise a comma. `None` without a separator.
pub(crate) fn grouped(cell: &str, mark: char) -> Option<f64> {
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
