//! Fields and presets of the task `nfa.data`.

use crate::data::DataRef;
use crate::lab::fields::{
    CODES, DATA, DecimalChoice, ESCAPE, EXPORT_FORMAT, EncodingChoice, ExportFormat, HeaderChoice, ID,
    IGNORE, ORIGINALS, PREDICT, ReadingSettings, SEED, SKIP_MALFORMED, STANDARDISE, SeparatorChoice,
};
use crate::lab::{Group, Preset, Record, Spec, integer};
use crate::models::nfa::fields::LearningSettings;

/// Fields of the reading of the table.
const READING: <ReadingSettings as Record>::Fields = ReadingSettings::FIELDS;

crate::spec! {
    /// Specification of a fit to a user's table.
    pub struct TableSpec {
        ..method: LearningSettings {
            sources = LearningSettings::FIELDS.sources.default("2"),
            weight_sd = LearningSettings::FIELDS.weight_sd.default("1"),
        },
        /// Character between cells.
        separator: SeparatorChoice = READING.separator,
        /// Decimal sign.
        decimal: DecimalChoice = READING.decimal,
        /// Header.
        header: HeaderChoice = READING.header,
        /// Number of lines above the table; empty for detection.
        skip_lines: String = READING.skip_lines,
        /// Encoding.
        encoding: EncodingChoice = READING.encoding,
        /// Line numbers of rows that are left out; empty for detection, 0 for none.
        skip_rows: String = READING.skip_rows,
        /// Columns in which empty cells repeat the cell above.
        fill_down: String = READING.fill_down,
        /// Texts that are words although they usually stand for a missing value.
        words: String = READING.words,
        /// True if words that differ only in case or blanks are one value.
        merge_case: bool = READING.merge_case,
        /// The table.
        data: Option<DataRef> = DATA.help(
            "A table with one row per sample and one column per channel. Columns of words are left out; empty cells are missing values.",
        ),
        /// A second table, whose rows are not used in the fit.
        predict: Option<DataRef> = PREDICT.help(
            "Optional: another table with the same channels. The sources of its rows are inferred, and its missing values predicted, by \
             the fit to the first table.",
        ),
        /// Columns that are not channels, separated by commas.
        ignore: String = IGNORE.help(
            "Columns that are not channels, such as row numbers or labels, separated by commas. Put a name that contains a \
             comma in quotes.",
        ),
        /// Name of the column that identifies the rows; empty for none.
        id: String = ID.help("Column that identifies the rows, such as a patient number. It is not a channel; saved files contain it."),
        /// Texts that denote a missing value, separated by commas.
        na: String = CODES,
        /// True if rows with a wrong number of cells are skipped.
        skip_malformed: bool = SKIP_MALFORMED,
        /// True if cells of a saved file that look like formulas are escaped.
        escape: bool = ESCAPE,
        /// True if the saved file repeats all columns of the table.
        originals: bool = ORIGINALS.help("Repeats all columns of the table, as they are written, in the saved file."),
        /// Separator and decimal sign of the saved file.
        export_format: ExportFormat = EXPORT_FORMAT,
        /// True if every column is scaled to unit variance.
        standardise: bool = STANDARDISE.help(
            "Scales every column to unit variance. Switch it off if all columns have the same unit; all are then divided by one \
             number.",
        ),
        /// Number of fits from different initial weights.
        restarts: usize = integer(1, 16)
            .label("Restarts")
            .help("Number of fits from different initial weights. The fit with the lowest cost is shown.")
            .group(Group::Run),
        /// Seed of all random numbers.
        seed: u64 = SEED,
    }
}

/// One-click specifications.
pub const PRESETS: &[Preset] = &[Preset::new(
    "Example: simulated patients",
    "200 simulated patients, fitted with two hidden sources.",
    "data=example&sweeps=1000&moments=gauss_hermite",
)];

impl Spec for TableSpec {}

impl TableSpec {
    /// Returns the settings of the reading of the table.
    pub(super) fn reading(&self) -> ReadingSettings {
        ReadingSettings {
            separator: self.separator,
            decimal: self.decimal,
            header: self.header,
            skip_lines: self.skip_lines.clone(),
            encoding: self.encoding,
            skip_rows: self.skip_rows.clone(),
            fill_down: self.fill_down.clone(),
            words: self.words.clone(),
            merge_case: self.merge_case,
        }
    }
}
