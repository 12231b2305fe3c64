//! The settings that every task on a user's table shares.

use super::fields::{
    CODES, DATA, ESCAPE, ID, IGNORE, LABEL, MISSING, MissingValues, PREDICT, SKIP_MALFORMED, SPLIT,
    STANDARDISE, TRAIN_FRACTION,
};
use crate::data::{ColumnChoices, DataRef, TableChoices};

crate::spec! {
    /// A table, and what its rows and columns are for.
    pub struct OwnTable {
        /// The table.
        data: Option<DataRef> = DATA,
        /// Name of the column to be predicted; empty for the last one.
        label: String = LABEL,
        /// Columns that are no inputs, separated by commas.
        ignore: String = IGNORE,
        /// Name of the column that identifies rows; empty for none.
        id: String = ID,
        /// Name of the column that tells training from test rows; empty for one of the words train and test, if there is one.
        split: String = SPLIT,
        /// Fraction of the rows that is drawn for training where no column says which.
        train_fraction: f64 = TRAIN_FRACTION,
        /// Whether inputs, and a numeric target, are brought to zero mean and unit variance over the training rows.
        standardise: bool = STANDARDISE,
        /// Another table, whose rows are only predicted.
        predict: Option<DataRef> = PREDICT,
        /// What is done about missing inputs.
        missing: MissingValues = MISSING,
        /// Texts that mean a missing value, separated by commas.
        na: String = CODES,
        /// Whether rows with another number of cells than the first are left out.
        skip_malformed: bool = SKIP_MALFORMED,
        /// Whether cells of a saved file that look like formulas are escaped.
        escape: bool = ESCAPE,
    }
}

impl OwnTable {
    /// These settings for the reader of data; `positive` is the value of the label that is +1, where there are two, and `seed` draws the training rows.
    pub fn choices<'a>(&'a self, positive: &'a str, seed: u64) -> TableChoices<'a> {
        TableChoices {
            data: self.data.as_ref(),
            columns: ColumnChoices {
                label: &self.label,
                positive,
                ignore: &self.ignore,
                id: &self.id,
                split: &self.split,
                missing: self.missing.policy(),
                codes: &self.na,
                skip_malformed: self.skip_malformed,
            },
            train_fraction: self.train_fraction,
            seed,
            standardise: self.standardise,
            predict: self.predict.as_ref(),
        }
    }
}
