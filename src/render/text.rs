//! Estimated widths of text and line breaking, independent of installed fonts.

/// Returns the estimated width of `text` in CSS pixels at a font size of `size` pixels. It fits the wide fallback fonts, so that no
/// text is cut off.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(em).sum::<f64>() * size
}

/// Returns the width of a character in em.
fn em(c: char) -> f64 {
    match c {
        '\u{2009}' | '\u{200a}' | '\u{202f}' => 0.2,
        'i' | 'j' | 'l' | '\'' | '|' | 'ı' => 0.3,
        ' ' | '.' | ',' | ':' | ';' | '\u{a0}' => 0.33,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '!' | '/' | 'I' | 'ι' => 0.41,
        '⁰' | '¹' | '²' | '³' | '⁴'..='⁹' | '⁻' | '₀'..='₉' | '°' | '\u{300}'..='\u{36f}' => {
            0.42
        }
        's' | 'c' | 'z' | '"' | '–' | 'J' => 0.55,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '—' => 0.97,
        '+' | '−' | '=' | '×' | '<' | '>' | '≤' | '≥' | '±' | '≈' | '→' | '∞' => 0.84,
        'A'..='Z' | 'Γ'..='Ω' => 0.76,
        // Scripts with square characters.
        '\u{2e80}'..='\u{d7ff}' | '\u{1f000}'.. => 1.05,
        _ => 0.64,
    }
}

/// Breaks text into as few lines of at most `max` pixels as possible, of even length. A longer word has its own line.
pub(super) fn wrap(text: &str, size: f64, max: f64) -> Vec<String> {
    let greedy = fill(text, size, max);
    if greedy.len() < 2 {
        return greedy;
    }
    // The smallest width with the same number of lines makes them even.
    let mut best = greedy;
    let mut measure = max;
    while measure > 0.4 * max {
        measure -= 0.04 * max;
        let lines = fill(text, size, measure);
        if lines.len() > best.len() || lines.iter().any(|l| width(l, size) > measure) {
            break;
        }
        best = lines;
    }
    best
}

/// Breaks text greedily.
fn fill(text: &str, size: f64, max: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words(text, size, max) {
        let word = word.as_str();
        match lines.last_mut() {
            Some(line) if width(line, size) + width(" ", size) + width(word, size) <= max => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

/// Splits text into words; words in parentheses stay together if they fit on a line.
fn words(text: &str, size: f64, max: f64) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    // A no-break space is part of a word.
    let breaks = |c: char| c.is_whitespace() && c != '\u{a0}';
    for word in text.split(breaks).filter(|word| !word.is_empty()) {
        match words.last_mut() {
            Some(last)
                if last.matches('(').count() > last.matches(')').count()
                    && width(last, size) + width(" ", size) + width(word, size) <= max =>
            {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.into()),
        }
    }
    words
}

/// Shortens text with an ellipsis to at most `max` pixels.
pub(super) fn fit(text: &str, size: f64, max: f64) -> String {
    if width(text, size) <= max {
        return text.into();
    }
    let mut out = String::new();
    let mut used = width("…", size);
    for c in text.chars() {
        used += em(c) * size;
        if used > max {
            break;
        }
        out.push(c);
    }
    format!("{}…", out.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_and_are_even() {
        let lines = wrap("moving control (leave one out)", 12.0, 140.0);
        assert_eq!(lines, ["moving control", "(leave one out)"]);
        assert_eq!(wrap("training error", 12.0, 140.0), ["training error"]);
        let lines = wrap("replica theory (noisy labels) (before)", 12.0, 180.0);
        assert_eq!(lines, ["replica theory", "(noisy labels) (before)"]);
        assert!(wrap("", 12.0, 140.0).is_empty());
        assert_eq!(wrap("averyverylongsinglewordindeed", 12.0, 40.0).len(), 1);
    }

    #[test]
    fn a_long_text_is_shortened() {
        let s = fit("a rather long legend for a phone", 11.0, 90.0);
        assert!(s.ends_with('…') && width(&s, 11.0) <= 90.0);
        assert_eq!(fit("short", 11.0, 90.0), "short");
        assert_eq!(fit("short", 11.0, 0.0), "…");
    }
}
