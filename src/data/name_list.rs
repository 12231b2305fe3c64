//! Lists of column names in one field: separated by commas, in double or single quotes where a name contains a comma or a quote.

/// Splits a list into its names.
pub fn split_names(list: &str) -> Vec<&str> {
    let (mut names, mut rest) = (Vec::new(), list.trim());
    while !rest.is_empty() {
        let quoted = ['"', '\''].into_iter().find_map(|quote| in_quotes(rest, quote));
        let (name, after) = quoted.unwrap_or_else(|| rest.split_once(',').unwrap_or((rest, "")));
        names.extend(Some(name.trim()).filter(|name| !name.is_empty()));
        rest = after.trim_start();
    }
    names
}

/// Splits a list that begins with a name in quotes into this name and the text after its comma. The name ends at the first quote
/// before a comma or the end, so that it may contain others.
fn in_quotes(list: &str, quote: char) -> Option<(&str, &str)> {
    let inside = list.strip_prefix(quote)?;
    inside.match_indices(quote).find_map(|(end, _)| {
        let after = inside[end + 1..].trim_start();
        let is_end = after.is_empty() || after.starts_with(',');
        is_end.then(|| (&inside[..end], after.strip_prefix(',').unwrap_or(after)))
    })
}

/// Quotes a name for a list if it contains a comma, or begins with a quote.
pub fn quoted_name(name: &str) -> String {
    if !name.contains(',') && !name.starts_with(['"', '\'']) {
        name.to_owned()
    } else if name.contains('"') {
        format!("'{name}'")
    } else {
        format!("\"{name}\"")
    }
}

/// Joins names into a list.
pub(crate) fn join_names<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(quoted_name).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_names_are_split_again() {
        for name in ["a", "a,b", "remark \"A\", free text", "\"x\"", "it's, so", "'t is", "5\" pipe"] {
            assert_eq!(split_names(&join_names([name, "z", name])), [name, "z", name], "{name}");
        }
    }
}
