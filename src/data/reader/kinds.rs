//! Types of cells that are known to the detection of the separator: numbers, dates, times, addresses and plain words.

/// Returns true for a number in any notation: signs, percent and currency, thousands separators, exponent, parentheses.
pub(super) fn is_number_like(cell: &str) -> bool {
    let digits = cell.bytes().filter(u8::is_ascii_digit).count();
    if digits == 0 || cell.len() > 40 {
        return false;
    }
    let groups = cell.trim_matches(|c: char| !c.is_ascii_digit()).split([' ', '\u{a0}', '\u{202f}']).skip(1);
    // Blanks separate thousands: 1 234.5, but not two numbers.
    if !groups.into_iter().all(|group| group.split(['.', ',']).next().is_some_and(|whole| whole.len() == 3)) {
        return false;
    }
    let mut last = ' ';
    cell.chars().all(|c| {
        let fits = match c {
            '0'..='9' | '+' | '-' | '−' | '%' | '$' | '€' | '£' | '¥' | '(' | ')' => true,
            'e' | 'E' => last.is_ascii_digit() || last == '.',
            // Marks stand between digits, or a decimal point before or after them.
            '.' => last != '.' && last != ',',
            ',' | '\'' | '’' => last.is_ascii_digit(),
            ' ' | '\u{a0}' | '\u{202f}' => last != ' ',
            _ => false,
        };
        last = c;
        fits
    }) && cell.matches(',').count() <= 1 + cell.len() / 3
        && !cell.ends_with(',')
}

/// Returns true for an empty cell, a date or time, an address of the web or of mail, or words without characters that may separate cells.
pub(super) fn has_known_type(cell: &str) -> bool {
    if cell.is_empty() || cell.contains("://") && !cell.contains([' ', '\t']) {
        return true;
    }
    let separates = |c: char| matches!(c, ',' | ';' | '\t' | '|' | '"' | '~' | '^' | '*');
    let has_letter = |text: &str| text.chars().any(char::is_alphabetic);
    // Lists inside a cell are often divided by bars.
    let is_list = || {
        cell.split('|').count() > 2
            && cell.split('|').all(|part| {
                let part = part.trim();
                is_number_like(part) || has_letter(part) && !part.contains(separates)
            })
    };
    has_letter(cell) && !cell.contains(separates)
        || is_time(cell)
        || is_list()
        || matches!(cell, "?" | "-" | "." | "–" | "—" | "+")
}

/// Returns true for digits divided by signs of dates and times.
pub(super) fn is_time(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_digit())
        && cell.contains([':', '-', '/'])
        && cell
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, ':' | '-' | '/' | '.' | ' ' | 'T' | 'Z' | '+'))
}
