//! Which columns of a table are the label, the split and the inputs: by name, or by what stands in them. The page and the
//! solvers ask the same functions, so that what is offered is what is taken.

use super::{ColumnFacts, ColumnKind};

/// A column as far as its part in a table depends on it: its name, and its distinct words where it holds words.
pub struct ColumnOutline<'a> {
    /// From the header.
    pub name: &'a str,
    /// `None` for a column of numbers.
    pub words: Option<&'a [String]>,
}

/// Index of the column that tells training from test rows where none is named: the only one, apart from the `label`, of such
/// words.
pub fn split_column<'a>(columns: impl Iterator<Item = ColumnOutline<'a>>, label: &str) -> Option<usize> {
    let mut found = columns.enumerate().filter(|(_, column)| column.name != label && column.tells_a_split());
    let first = found.next();
    first.filter(|_| found.next().is_none()).map(|(place, _)| place)
}

/// Index of the column to be learnt, in a table without its split column: the one that is named, or else the last.
pub fn label_column<'a>(mut names: impl ExactSizeIterator<Item = &'a str>, label: &str) -> Option<usize> {
    if label.is_empty() { names.len().checked_sub(1) } else { names.position(|name| name == label) }
}

/// The train/test column and the label column that a form chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColumnRoles<'a> {
    /// Tells training from test rows.
    pub split: Option<&'a ColumnFacts>,
    /// Is learnt.
    pub label: Option<&'a ColumnFacts>,
}

/// What a form with these texts makes of a table's columns, as a solver would.
pub fn parts<'a>(
    columns: &'a [ColumnFacts],
    ignored: &str,
    id: &str,
    split: &str,
    label: &str,
) -> ColumnRoles<'a> {
    let ignored = entries(ignored);
    let taken = |name: &str| name == id || ignored.contains(&name);
    let mut left: Vec<_> = columns.iter().filter(|column| !taken(&column.name)).collect();
    let outlines = left.iter().map(|column| ColumnOutline {
        name: &column.name,
        words: (column.kind == ColumnKind::Text).then_some(column.values.as_slice()),
    });
    let place = if split.is_empty() {
        split_column(outlines, label)
    } else {
        left.iter().position(|column| column.name == split)
    };
    let split = place.map(|place| left.remove(place));
    let place = label_column(left.iter().map(|column| column.name.as_str()), label);
    ColumnRoles { split, label: place.map(|place| left[place]) }
}

impl ColumnOutline<'_> {
    /// Whether its words say training or test, both of them and nothing else.
    fn tells_a_split(&self) -> bool {
        let sides: Vec<_> = self.words.unwrap_or_default().iter().map(|word| word_side(word)).collect();
        let kept = sides.contains(&Some(SplitValue::Test)) || sides.contains(&Some(SplitValue::Validation));
        sides.contains(&Some(SplitValue::Train)) && kept && !sides.contains(&None)
    }
}

/// What a word of a split says of its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SplitValue {
    Train,
    Validation,
    Test,
}

/// What a word says of its row, if it is one of those that people use.
pub(super) fn word_side(word: &str) -> Option<SplitValue> {
    match word.to_ascii_lowercase().as_str() {
        "train" | "training" | "learn" => Some(SplitValue::Train),
        "valid" | "validation" | "val" | "dev" => Some(SplitValue::Validation),
        "test" | "testing" | "holdout" => Some(SplitValue::Test),
        _ => None,
    }
}

/// The names in a list: between commas, or in quotes where they have one.
pub fn entries(list: &str) -> Vec<&str> {
    let (mut entries, mut rest) = (Vec::new(), list.trim());
    while !rest.is_empty() {
        let quoted = rest.strip_prefix('"').and_then(|inside| inside.split_once('"'));
        let (name, after) = match quoted {
            Some((name, after)) if after.trim_start().starts_with(',') || after.trim().is_empty() => {
                (name, after.trim_start().trim_start_matches(','))
            }
            _ => rest.split_once(',').unwrap_or((rest, "")),
        };
        entries.extend(Some(name.trim()).filter(|name| !name.is_empty()));
        rest = after.trim_start();
    }
    entries
}

/// A name as it stands in such a list.
pub fn entry(name: &str) -> String {
    if name.contains(',') { format!("\"{name}\"") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_split_is_the_only_column_of_such_words() {
        let words = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        let (part, colours) = (words(&["Train", "HOLDOUT"]), words(&["red", "train"]));
        let split = |columns: &[(&str, Option<&[String]>)], label: &str| {
            split_column(columns.iter().map(|(name, words)| ColumnOutline { name, words: *words }), label)
        };
        let table = [("x", None), ("c", Some(colours.as_slice())), ("part", Some(part.as_slice()))];
        assert_eq!(split(&table, ""), Some(2));
        assert_eq!(split(&table, "part"), None, "it is the label");
        assert_eq!(split(&[table[2], table[2]], ""), None, "which of them?");
        assert_eq!(split(&[("x", Some(&part[..1]))], ""), None, "training rows only");
    }

    #[test]
    fn the_label_is_the_last_column_but_the_split() {
        let column = |name: &str, values: &[&str]| ColumnFacts {
            name: name.into(),
            kind: ColumnKind::Text,
            missing: 0,
            values: values.iter().map(|value| (*value).into()).collect(),
            counts: vec![],
        };
        let columns = [column("a", &["1"]), column("y", &["no", "yes"]), column("part", &["Test", "Train"])];
        let named = |ignored, split, label| {
            let ColumnRoles { split, label } = parts(&columns, ignored, "", split, label);
            (split.map(|column| column.name.as_str()), label.map(|column| column.name.as_str()))
        };
        assert_eq!(named("", "", ""), (Some("part"), Some("y")), "whatever its letters");
        assert_eq!(named("", "a", ""), (Some("a"), Some("part")));
        assert_eq!(named("", "", "part"), (None, Some("part")), "it is the label");
        assert_eq!(named("y,part", "", ""), (None, Some("a")));
        assert_eq!(named("", "z", "z"), (None, None));
        let ColumnRoles { label, .. } = parts(&columns, "", "y", "", "");
        assert_eq!(label.map(|column| column.name.as_str()), Some("a"), "y identifies the rows");
    }
}
