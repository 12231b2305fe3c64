//! What a run on one's own data can be told.

use crate::data::DataRef;
use crate::lab::own::{DATA, IGNORE, LABEL, POSITIVE};
use crate::lab::{Field, Group, Kind, Spec, Values};
use crate::models::feedforward::fields::{BETA, HIDDEN, NORMALISE};

/// Specification of a student of one's own data.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnSpec {
    /// The table.
    pub data: Option<DataRef>,
    /// Name of the column to be learnt; empty for the last one.
    pub label: String,
    /// Which of its two values is +1; empty for the usual one.
    pub positive: String,
    /// Columns that are no inputs, separated by commas.
    pub ignore: String,
    /// Branches K of the student.
    pub hidden: usize,
    /// Inverse temperature β of the output noise.
    pub beta: f64,
    /// Whether every column is brought to zero mean and unit variance.
    pub standardise: bool,
    /// Whether every example is scaled onto the sphere, branch by branch.
    pub normalise: bool,
    /// Whether the report has the fields of every example.
    pub fields: bool,
}

static FIELDS: [Field; 9] = [
    DATA,
    Field {
        help: "The column to be learnt, of two different values. If nothing is said, the last one. One that says train or \
               test is set aside: all rows are learnt from.",
        ..LABEL
    },
    POSITIVE,
    IGNORE,
    Field {
        help: "Branches of the committee; they share the columns in equal parts, in their order. 1 is a perceptron.",
        ..HIDDEN
    },
    Field {
        help: "How far the labels are trusted: each counts as flipped with probability 1/(1+e^β). inf trusts them all.",
        group: Group::Method,
        default: "2",
        ..BETA
    },
    Field {
        key: "standardise",
        label: "Standardise columns",
        symbol: "",
        help: "Brings every column to zero mean and unit variance, as the equations expect; a constant one becomes zero \
               and says nothing.",
        group: Group::Method,
        kind: Kind::Flag,
        default: "true",
    },
    Field {
        help: "Scales every example to the same length, branch by branch; no label can change by it.",
        ..NORMALISE
    },
    Field {
        key: "fields",
        label: "Report fields",
        symbol: "",
        help: "On the command line, the result then has g, z and ln F of every example.",
        group: Group::Run,
        kind: Kind::Flag,
        default: "false",
    },
];

impl Spec for OwnSpec {
    fn fields() -> &'static [Field] {
        &FIELDS
    }

    fn read(values: &Values) -> Self {
        Self {
            data: values.data().cloned(),
            label: values.text("label").to_owned(),
            positive: values.text("positive").to_owned(),
            ignore: values.text("ignore").to_owned(),
            hidden: values.integer("hidden") as usize,
            beta: values.real("beta"),
            standardise: values.flag("standardise"),
            normalise: values.flag("normalise"),
            fields: values.flag("fields"),
        }
    }
}
