//! Numbers with their nouns.

/// Returns `1 row`, `2 rows`, `2,000 rows` for the noun `row`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{} {noun}{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// Returns the digits of a count in groups of three: `2,000`.
pub fn thousands(count: usize) -> String {
    if count < 1000 { count.to_string() } else { format!("{},{:03}", thousands(count / 1000), count % 1000) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_in_groups_of_three() {
        assert_eq!([0, 999, 1000, 1_020_030].map(thousands), ["0", "999", "1,000", "1,020,030"]);
        assert_eq!(counted(2000, "row"), "2,000 rows");
    }
}
