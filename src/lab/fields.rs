//! Fields that tasks of several models have, declared once.

use super::field::{Group, Role};
use super::typed::{TypedField, data, flag, real, seed, text};
use crate::data::DataRef;

/// The seed of a run's random numbers.
pub const SEED: TypedField<u64> = seed()
    .label("Seed")
    .help("Seed of all random numbers; the same seed gives the same results on every machine.")
    .group(Group::Run);

/// The table.
pub const DATA: TypedField<Option<DataRef>> = data(Role::Data).label("Your data").help(
    "A table with one row per example. All columns must be numeric, except the label and ignored ones.",
);

/// Which column is the label.
pub const LABEL: TypedField<String> = text(200)
    .label("Label")
    .symbol("y")
    .help("Column to predict; it must have two different values. Default: the last column.")
    .role(Role::Label);

/// Which of the label's values is +1.
pub const POSITIVE: TypedField<String> = text(200)
    .label("Positive value")
    .help(
        "Value of the label that counts as +1. Default: the larger number; a word such as yes, true, ill or M; or the \
         later in the alphabet.",
    )
    .role(Role::Positive);

/// Which columns are no inputs.
pub const IGNORE: TypedField<String> = text(2000)
    .label("Ignored columns")
    .help(
        "Columns that are not inputs, such as row numbers or comments, separated by commas. Put a name that contains a \
         comma in quotes.",
    )
    .role(Role::Ignored);

/// Which column tells training from test rows.
pub const SPLIT: TypedField<String> = text(200)
    .label("Train/test column")
    .help("Column with the words train and test (or 1 and 0). Default: the only column of such words, if there is one.")
    .role(Role::Split);

/// How many rows are for training where no column says it.
pub const TRAIN_FRACTION: TypedField<f64> = real((1e-6, 1.0), (0.05, 1.0, 0.05))
    .label("Training fraction")
    .help("Fraction of the rows drawn for training where there is no train/test column. The others are test rows.")
    .default("1")
    .role(Role::Rows);

/// Whether columns are brought to one scale.
pub const STANDARDISE: TypedField<bool> = flag()
    .label("Standardise columns")
    .help("Scales every input to zero mean and unit variance over the training rows.")
    .default("true")
    .role(Role::Rows);

/// Another table.
pub const PREDICT: TypedField<Option<DataRef>> = data(Role::SecondData)
    .label("Rows to predict")
    .help("Optional: another table with the same input columns, whose rows are only predicted.");
