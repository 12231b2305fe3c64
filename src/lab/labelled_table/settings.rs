//! Settings shared by the tasks on a user's table with a label.

use crate::data::default_roles::{ColumnRoles, column_roles};
use crate::data::{ColumnChoices, ColumnError, DataRef, Facts, TableChoices};
use crate::fields::{
    CODES, DATA, ESCAPE, EXPORT_FORMAT, ExportFormat, GROUP, ID, IGNORE, LABEL, MISSING, MissingValues,
    ORIGINALS, PREDICT, ReadingSettings, SKIP_MALFORMED, SPLIT, STANDARDISE, TRAIN_FRACTION,
};

crate::spec! {
    /// A table, and the roles of its rows and columns.
    pub struct TableSettings {
        ..reading: ReadingSettings {},
        /// The table.
        data: Option<DataRef> = DATA,
        /// Name of the column to be predicted; empty for the last one.
        label: String = LABEL,
        /// Columns that are no inputs, separated by commas.
        ignore: String = IGNORE,
        /// Name of the column that identifies rows; empty for none.
        id: String = ID,
        /// Name of the group column; empty for none.
        group: String = GROUP,
        /// Name of the train/test column; empty for the only column of such words, if there is one.
        split: String = SPLIT,
        /// Fraction of the rows drawn for training if there is no train/test column.
        train_fraction: f64 = TRAIN_FRACTION,
        /// True if inputs, and a numeric target, are scaled to zero mean and unit variance over the training rows.
        standardise: bool = STANDARDISE,
        /// A second table, whose rows are only predicted.
        predict: Option<DataRef> = PREDICT,
        /// Treatment of rows with missing inputs.
        missing: MissingValues = MISSING,
        /// Texts that mean a missing value, separated by commas.
        na: String = CODES,
        /// True if rows with more or fewer cells than the first are skipped.
        skip_malformed: bool = SKIP_MALFORMED,
        /// True if cells of a saved file that look like formulas are escaped.
        escape: bool = ESCAPE,
        /// True if saved predictions repeat all columns of the table.
        originals: bool = ORIGINALS,
        /// Separator and decimal sign of saved predictions.
        export_format: ExportFormat = EXPORT_FORMAT,
    }
}

impl TableSettings {
    /// Returns true if there are rows to predict, and test rows drawn at random that the predicting fit can learn as well.
    pub fn refits_for_new_rows(&self, facts: &Facts) -> bool {
        self.train_fraction < 1.0 && (self.predict.is_some() || self.has_rows_without_label(facts))
    }

    /// Returns true if the label column has missing values.
    fn has_rows_without_label(&self, facts: &Facts) -> bool {
        let Some(table) = facts.table() else { return false };
        let set_aside = [self.id.as_str(), &self.group];
        let ColumnRoles { label, .. } =
            column_roles(&table.columns, &self.ignore, set_aside, &self.split, &self.label);
        label.is_some_and(|label| label.missing > 0)
    }

    /// Returns the settings for the reader of data. `positive` is the label's value that counts as +1, if it has two values; `seed`
    /// draws the training rows.
    ///
    /// # Errors
    /// If a line number is not valid.
    pub fn choices<'a>(&'a self, positive: &'a str, seed: u64) -> Result<TableChoices<'a>, ColumnError> {
        Ok(TableChoices {
            data: self.data.as_ref(),
            reading: self.reading.reading()?,
            columns: ColumnChoices {
                label: &self.label,
                positive,
                ignore: &self.ignore,
                id: &self.id,
                group: &self.group,
                originals: self.originals,
                split: &self.split,
                missing: self.missing.policy(),
                codes: &self.na,
                skip_malformed: self.skip_malformed,
            },
            train_fraction: self.train_fraction,
            seed,
            standardise: self.standardise,
            predict: self.predict.as_ref(),
        })
    }
}
