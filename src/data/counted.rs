//! Numbers with their nouns.

/// Returns `1 row`, `2 rows` for the noun `row`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
