//! What a run on one's own data can be told.

use crate::data::DataRef;
use crate::lab::fields::{
    CODES, DATA, IGNORE, LABEL, MISSING, MissingValues, POSITIVE, PREDICT, SEED, SKIP_MALFORMED, SPLIT,
    STANDARDISE, TRAIN_FRACTION,
};
use crate::lab::{Group, Role, Spec, flag};
use crate::models::feedforward::fields::Setting;

crate::spec! {
    /// Specification of a student of one's own data.
    pub struct OwnSpec {
        /// The table.
        data: Option<DataRef> = DATA,
        /// Name of the column to be learnt; empty for the last one.
        label: String = LABEL,
        /// Which of its two values is +1; empty for the usual one.
        positive: String = POSITIVE,
        /// Columns that are no inputs, separated by commas.
        ignore: String = IGNORE,
        /// Name of the column that tells training from test rows; empty for one of the words train and test, if there is one.
        split: String = SPLIT,
        /// Fraction of the rows that is drawn for training where no column says which.
        train_fraction: f64 = TRAIN_FRACTION,
        /// Another table, whose rows are only predicted.
        predict: Option<DataRef> = PREDICT,
        /// What is done about missing inputs.
        missing: MissingValues = MISSING,
        /// Texts that mean a missing value, separated by commas.
        na: String = CODES,
        /// Whether rows with another number of cells than the first are left out.
        skip_malformed: bool = SKIP_MALFORMED,
        /// Branches K of the student.
        hidden: usize = Setting::FIELDS.hidden.help(
            "Branches of the committee; they share the columns in equal parts, in their order. 1 is a perceptron.",
        ),
        /// Inverse temperature β of the output noise.
        beta: f64 = Setting::FIELDS
            .beta
            .help("Assumed reliability of the labels: each is flipped with probability 1/(1+e^β). inf assumes none is.")
            .group(Group::Method)
            .default("2"),
        /// Whether every column is brought to zero mean and unit variance.
        standardise: bool = STANDARDISE,
        /// Whether every example is scaled onto the sphere, branch by branch.
        normalise: bool = Setting::FIELDS
            .normalise
            .help("Scales every example to the same length, branch by branch, which changes no label."),
        /// Seed of the split, where it is drawn.
        seed: u64 = SEED.help("Seed of the draw of training rows.") => train_fraction not ["1"],
        /// Whether the report has the fields of every example.
        fields: bool = flag()
            .label("Report fields")
            .help("Adds g, z and ln F of every example to the result on the command line.")
            .group(Group::Run)
            .role(Role::Report),
    }
}

impl Spec for OwnSpec {}
