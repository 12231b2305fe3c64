//! What every task that takes a person's own table is told, and where it finds that table. The fields are shared by the
//! forms of all models.

use super::field::{Field, Group, InputError, Kind};
use crate::data::{DataRef, Store, Table};

/// The table.
pub const DATA: Field = Field {
    key: "data",
    label: "Your data",
    symbol: "",
    help: "A table with a row an example: numbers in every column but the label and those ignored.",
    group: Group::Problem,
    kind: Kind::Data,
    default: "",
};

/// Which column is the label.
pub const LABEL: Field = Field {
    key: "label",
    label: "Label",
    symbol: "y",
    help: "The column to be learnt, of two different values. If nothing is said, the last one.",
    group: Group::Problem,
    kind: Kind::Text { most: 200 },
    default: "",
};

/// Which of the label's values is +1.
pub const POSITIVE: Field = Field {
    key: "positive",
    label: "Positive value",
    symbol: "",
    help: "Which value of the label is +1. If nothing is said: the larger number, a word such as yes, true, ill or M, or else the \
           later by the alphabet.",
    group: Group::Problem,
    kind: Kind::Text { most: 200 },
    default: "",
};

/// Which columns are no inputs.
pub const IGNORE: Field = Field {
    key: "ignore",
    label: "Ignored columns",
    symbol: "",
    help: "Names of columns that are no inputs, such as row numbers or remarks, separated by commas; one with a comma \
           in it in quotes.",
    group: Group::Problem,
    kind: Kind::Text { most: 2000 },
    default: "",
};

/// The table that a field names.
///
/// # Errors
/// If it names none, or one that has not been loaded.
pub fn loaded<'a>(field: &str, named: Option<&DataRef>, data: &'a Store) -> Result<&'a Table, InputError> {
    named.and_then(|named| data.table(named)).ok_or_else(|| InputError {
        field: field.into(),
        given: named.map(ToString::to_string).unwrap_or_default(),
        accepted: "a CSV file that has been loaded is needed".into(),
        nearest: None,
    })
}
