//! Lists of column names in one field: separated by commas, in quotes where a name contains one.

/// Splits a list into its names.
pub fn split_names(list: &str) -> Vec<&str> {
    let (mut names, mut rest) = (Vec::new(), list.trim());
    while !rest.is_empty() {
        let quoted = rest.strip_prefix('"').and_then(|inside| inside.split_once('"'));
        let (name, after) = match quoted {
            Some((name, after)) if after.trim_start().starts_with(',') || after.trim().is_empty() => {
                (name, after.trim_start().trim_start_matches(','))
            }
            _ => rest.split_once(',').unwrap_or((rest, "")),
        };
        names.extend(Some(name.trim()).filter(|name| !name.is_empty()));
        rest = after.trim_start();
    }
    names
}

/// Quotes a name for a list if it contains a comma.
pub fn quoted_name(name: &str) -> String {
    if name.contains(',') { format!("\"{name}\"") } else { name.to_owned() }
}

/// Joins names into a list.
pub(crate) fn join_names<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(quoted_name).collect::<Vec<_>>().join(",")
}
