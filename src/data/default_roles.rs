//! Roles of a table's columns: label, train/test split and inputs, chosen by name or by their values. The page and the solvers
//! use the same functions, so that the page offers the columns that a solver takes.

use super::facts::{ColumnFacts, ColumnKind};
use super::name_list::split_names;

/// The properties of a column that determine its role.
pub struct ColumnOutline<'a> {
    /// Name from the header.
    pub name: &'a str,
    /// Distinct words; `None` for a column of numbers.
    pub words: Option<&'a [String]>,
}

/// Returns the index of the default split column: the only column, apart from the `label`, with only words for training and test.
pub fn split_column<'a>(columns: impl Iterator<Item = ColumnOutline<'a>>, label: &str) -> Option<usize> {
    let mut found = columns.enumerate().filter(|(_, column)| column.name != label && column.is_split());
    let first = found.next();
    first.filter(|_| found.next().is_none()).map(|(index, _)| index)
}

/// Returns the index of the label column among columns without the split: the one named `label`, by default the last.
pub fn label_column<'a>(mut names: impl ExactSizeIterator<Item = &'a str>, label: &str) -> Option<usize> {
    if label.is_empty() { names.len().checked_sub(1) } else { names.position(|name| name == label) }
}

/// Returns the default positive value (+1) of a label, given its distinct values as in [`ColumnFacts::values`]: the last of two.
/// `None` if there are more or fewer values.
pub fn default_positive(values: &[String]) -> Option<&String> {
    match values {
        [_, positive] => Some(positive),
        _ => None,
    }
}

/// The split and label columns of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColumnRoles<'a> {
    /// Column that separates training from test rows.
    pub split: Option<&'a ColumnFacts>,
    /// Column to be learnt.
    pub label: Option<&'a ColumnFacts>,
}

/// Returns the roles of a table's columns, given the texts of a form. `ignored` is a list of names; the ID and group
/// columns have no other role.
pub fn column_roles<'a>(
    columns: &'a [ColumnFacts],
    ignored: &str,
    [id, group]: [&str; 2],
    split: &str,
    label: &str,
) -> ColumnRoles<'a> {
    let ignored = split_names(ignored);
    let taken = |name: &str| [id, group].contains(&name) || ignored.contains(&name);
    let mut left: Vec<_> = columns.iter().filter(|column| !taken(&column.name)).collect();
    let outlines = left.iter().map(|column| ColumnOutline {
        name: &column.name,
        words: (column.kind == ColumnKind::Text).then_some(column.values.as_slice()),
    });
    let index = if split.is_empty() {
        split_column(outlines, label)
    } else {
        left.iter().position(|column| column.name == split)
    };
    let split = index.map(|index| left.remove(index));
    let index = label_column(left.iter().map(|column| column.name.as_str()), label);
    ColumnRoles { split, label: index.map(|index| left[index]) }
}

impl ColumnOutline<'_> {
    /// Returns true if its words stand for training and for validation or test, and for nothing else.
    fn is_split(&self) -> bool {
        let values: Vec<_> =
            self.words.unwrap_or_default().iter().map(|word| SplitValue::of_word(word)).collect();
        let has = |value| values.contains(&Some(value));
        has(SplitValue::Train)
            && (has(SplitValue::Test) || has(SplitValue::Validation))
            && !values.contains(&None)
    }
}

/// The meaning of a cell of a split column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SplitValue {
    Train,
    Validation,
    Test,
}

impl SplitValue {
    /// Returns the meaning of one of the usual words; `None` for other words.
    pub fn of_word(word: &str) -> Option<Self> {
        match word.to_ascii_lowercase().as_str() {
            "train" | "training" | "learn" => Some(Self::Train),
            "valid" | "validation" | "val" | "dev" => Some(Self::Validation),
            "test" | "testing" | "holdout" => Some(Self::Test),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_split_is_the_only_column_of_training_and_test_words() {
        let words = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        let (part, colours) = (words(&["Train", "HOLDOUT"]), words(&["red", "train"]));
        let split = |columns: &[(&str, Option<&[String]>)], label: &str| {
            split_column(columns.iter().map(|(name, words)| ColumnOutline { name, words: *words }), label)
        };
        let table = [("x", None), ("c", Some(colours.as_slice())), ("part", Some(part.as_slice()))];
        assert_eq!(split(&table, ""), Some(2));
        assert_eq!(split(&table, "part"), None, "it is the label");
        assert_eq!(split(&[table[2], table[2]], ""), None, "ambiguous");
        assert_eq!(split(&[("x", Some(&part[..1]))], ""), None, "training rows only");
    }

    #[test]
    fn the_label_is_the_last_column_apart_from_the_split() {
        let column = |name: &str, values: &[&str]| ColumnFacts {
            name: name.into(),
            kind: ColumnKind::Text,
            missing: 0,
            values: values.iter().map(|value| (*value).into()).collect(),
            counts: vec![],
        };
        let columns = [column("a", &["1"]), column("y", &["no", "yes"]), column("part", &["Test", "Train"])];
        let named = |ignored, split, label| {
            let ColumnRoles { split, label } = column_roles(&columns, ignored, [""; 2], split, label);
            (split.map(|column| column.name.as_str()), label.map(|column| column.name.as_str()))
        };
        assert_eq!(named("", "", ""), (Some("part"), Some("y")), "upper and lower case are the same");
        assert_eq!(named("", "a", ""), (Some("a"), Some("part")));
        assert_eq!(named("", "", "part"), (None, Some("part")), "it is the label");
        assert_eq!(named("y,part", "", ""), (None, Some("a")));
        assert_eq!(named("", "z", "z"), (None, None));
        let ColumnRoles { label, .. } = column_roles(&columns, "", ["y", ""], "", "");
        assert_eq!(label.map(|column| column.name.as_str()), Some("a"), "y identifies the rows");
    }

    #[test]
    fn the_default_positive_value_is_the_last_of_two() {
        let values = ["no", "yes", "maybe"].map(str::to_owned);
        assert_eq!(default_positive(&values[..2]).map(String::as_str), Some("yes"));
        assert_eq!((default_positive(&values), default_positive(&values[..1])), (None, None));
    }
}
