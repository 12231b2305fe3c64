//! Fields shared by tasks of several models.

use super::field::{Group, Role};
use super::input_error::InputError;
use super::spec::{Record as _, Spec};
use super::typed::{TypedField, choice, data, flag, integer, real, reals, seed, text};
use super::values::Values;
use crate::data::{
    CarriedColumns, ColumnError, DataRef, DecimalSign, Encoding, MissingPolicy, ReadingChoices, name_list,
};
use crate::figure::FileNotation;

/// Seed of the random streams.
pub const SEED: TypedField<u64> = seed()
    .label("Seed")
    .help("Seed of all random numbers; the same seed gives the same results on every machine.")
    .group(Group::Run);

/// Inputs at which the report gives predictions; the help is the task's.
pub const PREDICT_AT: TypedField<Vec<f64>> =
    reals((-1e3, 1e3), 200).label("Predict at").group(Group::Run).role(Role::Report);

/// Main table.
pub const DATA: TypedField<Option<DataRef>> = data(Role::Data).label("Your data").help(
    "A table with one row per example. A column of at most twelve different words is used as indicators (0 or 1).",
);

/// Column to predict.
pub const LABEL: TypedField<String> = text(200)
    .label("Label")
    .symbol("y")
    .help("Column to predict; it must have two different values. Default: the last column.")
    .role(Role::Label);

/// Value of the label that counts as +1.
pub const POSITIVE: TypedField<String> = text(200)
    .label("Positive value")
    .help(
        "Value of the label that counts as +1. Default of two values: the larger number; a word such as yes, true, ill or M; \
         or the later in the alphabet. Of more values, the others are one class.",
    )
    .role(Role::Positive);

/// Columns that are not inputs.
pub const IGNORE: TypedField<String> = text(2000)
    .label("Ignored columns")
    .help(
        "Columns that are not inputs, such as row numbers or comments, separated by commas. Put a name that contains a \
         comma in quotes.",
    )
    .role(Role::Ignored);

/// Column that identifies the rows.
pub const ID: TypedField<String> = text(200)
    .label("ID column")
    .help("Column that identifies the rows, such as a patient number. It is not an input; files of predictions contain it.")
    .role(Role::Id)
    .more();

/// Group column: rows with equal values form a group.
pub const GROUP: TypedField<String> = text(200)
    .label("Group column")
    .help(
        "Column that names the group of each row, such as a patient. Rows of one group are kept together in cross-validation folds and \
         in the random split into training and test rows; so are duplicate rows. The column is not an input.",
    )
    .role(Role::Group)
    .more();

/// Column that separates training and test rows.
pub const SPLIT: TypedField<String> = text(200)
    .label("Train/test column")
    .help("Column with the words train and test (or 1 and 0). Default: the only column of such words, if there is one.")
    .role(Role::Split);

/// Fraction of training rows if no column separates them.
pub const TRAIN_FRACTION: TypedField<f64> = real((1e-6, 1.0), (0.05, 1.0, 0.05))
    .label("Training fraction")
    .help("Fraction of the rows drawn for training where there is no train/test column. The others are test rows.")
    .default("1")
    .role(Role::Rows);

/// Switch of the standardisation of inputs.
pub const STANDARDISE: TypedField<bool> = flag()
    .label("Standardise columns")
    .help("Scales every input to zero mean and unit variance over the training rows.")
    .default("true")
    .role(Role::Rows);

crate::choice! {
    /// Treatment of rows with a missing input.
    pub enum MissingValues {
        Refuse = "refuse" "stop with an error",
        Skip = "skip" "skip the row",
        Impute = "impute" "impute the mean",
    }
}

impl MissingValues {
    /// Returns the setting of the data reader.
    pub fn policy(self) -> MissingPolicy {
        match self {
            Self::Refuse => MissingPolicy::Refuse,
            Self::Skip => MissingPolicy::Skip,
            Self::Impute => MissingPolicy::Impute,
        }
    }
}

/// Treatment of rows with a missing input.
pub const MISSING: TypedField<MissingValues> = choice()
    .label("Missing values")
    .help(
        "What to do with a row in which an input is missing: stop with an error, skip the row, or impute the mean of the \
         training rows.",
    )
    .role(Role::Rows)
    .more();

/// Texts for missing values.
pub const CODES: TypedField<String> = text(2000)
    .label("Missing-value codes")
    .help("Texts that mean a missing value, separated by commas, such as -999. Always understood: empty, NA, n/a, NULL, NaN and ?; among numbers also -, . and none.")
    .role(Role::Reading)
    .more();

/// Switch to skip malformed rows.
pub const SKIP_MALFORMED: TypedField<bool> = flag()
    .label("Skip malformed rows")
    .help("Skips rows with more or fewer cells than the first row. Otherwise such a row is an error.")
    .role(Role::Reading)
    .more();

crate::choice! {
    /// Character between the cells of a table.
    pub enum SeparatorChoice {
        Detect = "detect" "detect",
        Comma = "comma" "comma ,",
        Semicolon = "semicolon" "semicolon ;",
        Tab = "tab" "tab",
        Bar = "bar" "vertical bar |",
        Blank = "blank" "blanks",
        Colon = "colon" "colon :",
    }
}

crate::choice! {
    /// Decimal sign of a table.
    pub enum DecimalChoice {
        Detect = "detect" "detect",
        Point = "point" "point, as in 1,234.5",
        Comma = "comma" "comma, as in 1.234,5",
    }
}

crate::choice! {
    /// Header of a table.
    pub enum HeaderChoice {
        Detect = "detect" "detect",
        Yes = "yes" "the first row",
        No = "no" "none",
    }
}

crate::choice! {
    /// Encoding of a table.
    pub enum EncodingChoice {
        Detect = "detect" "detect",
        Utf8 = "utf-8" "UTF-8",
        Utf16 = "utf-16" "UTF-16",
        Windows1252 = "windows-1252" "Windows-1252",
    }
}

crate::spec! {
    /// Choices in the reading of a file as a table.
    pub struct ReadingSettings {
        /// Character between cells.
        separator: SeparatorChoice = choice()
            .label("Separator")
            .help("Character between the cells of the file.")
            .role(Role::Reading)
            .more(),
        /// Decimal sign.
        decimal: DecimalChoice = choice()
            .label("Decimal sign")
            .help("Sign before the decimals of numbers; the other one separates thousands.")
            .role(Role::Reading)
            .more(),
        /// Header.
        header: HeaderChoice = choice()
            .label("Header")
            .help("Row with the names of the columns.")
            .role(Role::Reading)
            .more(),
        /// Number of lines above the table; empty for detection.
        skip_lines: String = text(7)
            .label("Lines above the table")
            .help("Number of lines that are skipped at the beginning of the file. Default: detected.")
            .role(Role::Reading)
            .more(),
        /// Encoding.
        encoding: EncodingChoice = choice()
            .label("Encoding")
            .help("How the bytes of the file stand for characters.")
            .role(Role::Reading)
            .more(),
        /// Line numbers of rows that are left out; empty for detection, 0 for none.
        skip_rows: String = text(2000)
            .label("Skipped rows")
            .help(
                "Line numbers of rows that are left out, separated by commas, such as a row of totals; 0 for none. Default: rows of \
                 units under the header, and rows that repeat the header.",
            )
            .role(Role::Reading)
            .more(),
        /// Columns in which empty cells repeat the cell above.
        fill_down: String = text(2000)
            .label("Fill down")
            .help("Columns in which an empty cell repeats the one above, as where cells were merged; names separated by commas.")
            .role(Role::Reading)
            .more(),
        /// Texts that are words although they usually stand for a missing value.
        words: String = text(200)
            .label("Words that are not missing")
            .help("Texts that are words in this table although they usually stand for a missing value, such as NA for Namibia.")
            .role(Role::Reading)
            .more(),
        /// True if words that differ only in case or blanks are one value.
        merge_case: bool = flag()
            .label("Merge case and blanks")
            .help("Reads words in lower case with single blanks, so that words that differ only in these are one value.")
            .role(Role::Reading)
            .more(),
    }
}

impl Spec for ReadingSettings {}

impl ReadingSettings {
    /// Returns the choices among the values of a task; `None` if it has no such fields, or a number of lines is not valid.
    pub fn choices_in(values: &Values) -> Option<ReadingChoices> {
        let has_fields = values.iter().any(|(key, _)| key == Self::FIELDS.separator.key);
        if has_fields { Self::read(values).reading().ok() } else { None }
    }

    /// Returns the choices for the reader of tables.
    ///
    /// # Errors
    /// If a number of lines is not valid.
    pub fn reading(&self) -> Result<ReadingChoices, ColumnError> {
        let number = |field: &'static str, text: &str| {
            text.trim().parse::<usize>().map_err(|_| ColumnError {
                field,
                given: text.to_owned(),
                accepted: "line numbers, or nothing for detection".into(),
                nearest: Some(String::new()),
            })
        };
        let list = |names: &str| name_list::split_names(names).into_iter().map(str::to_owned).collect();
        let rows = name_list::split_names(&self.skip_rows);
        let rows: Result<Vec<usize>, ColumnError> =
            rows.into_iter().map(|row| number("skip_rows", row)).collect();
        let lines = self.skip_lines.trim();
        Ok(ReadingChoices {
            separator: match self.separator {
                SeparatorChoice::Detect => None,
                SeparatorChoice::Comma => Some(b','),
                SeparatorChoice::Semicolon => Some(b';'),
                SeparatorChoice::Tab => Some(b'\t'),
                SeparatorChoice::Bar => Some(b'|'),
                SeparatorChoice::Blank => Some(b' '),
                SeparatorChoice::Colon => Some(b':'),
            },
            decimal: match self.decimal {
                DecimalChoice::Detect => None,
                DecimalChoice::Point => Some(DecimalSign::Point),
                DecimalChoice::Comma => Some(DecimalSign::Comma),
            },
            header: match self.header {
                HeaderChoice::Detect => None,
                HeaderChoice::Yes => Some(true),
                HeaderChoice::No => Some(false),
            },
            skip_lines: match lines {
                "" => None,
                lines => Some(number("skip_lines", lines)?),
            },
            encoding: match self.encoding {
                EncodingChoice::Detect => None,
                EncodingChoice::Utf8 => Some(Encoding::Utf8),
                EncodingChoice::Utf16 => Some(Encoding::Utf16),
                EncodingChoice::Windows1252 => Some(Encoding::Windows1252),
            },
            skip_rows: Some(rows?).filter(|rows| !rows.is_empty()),
            fill_down: list(&self.fill_down),
            words: list(&self.words),
            merge_case: self.merge_case,
            keeps_text: false,
        })
    }
}

/// Switch to escape cells of saved files that look like formulas.
pub const ESCAPE: TypedField<bool> = flag()
    .label("Escape formulas")
    .help(
        "In saved predictions, puts an apostrophe before text that starts with =, +, - or @, so that a spreadsheet does not \
         evaluate it.",
    )
    .role(Role::Display)
    .more();

/// Switch to repeat the columns of the table in saved files.
pub const ORIGINALS: TypedField<bool> = flag()
    .label("Original columns")
    .help("Repeats all columns of the table, as they are written, in saved predictions.")
    .role(Role::Rows)
    .more();

crate::choice! {
    /// Separator and decimal sign of saved files.
    pub enum ExportFormat {
        Standard = "standard" "comma, decimal point",
        Table = "table" "as in the table",
    }
}

impl ExportFormat {
    /// Returns the notation of a file with these columns of a table. Blanks between cells become tabs.
    pub fn notation(self, carried: &CarriedColumns, escape: bool) -> FileNotation {
        let standard = FileNotation { escape, ..FileNotation::default() };
        match self {
            Self::Standard => standard,
            Self::Table => {
                let separator = if carried.separator == ' ' { '\t' } else { carried.separator };
                FileNotation { separator, decimal: carried.decimal, ..standard }
            }
        }
    }
}

/// Separator and decimal sign of saved files.
pub const EXPORT_FORMAT: TypedField<ExportFormat> = choice()
    .label("Format of saved predictions")
    .help("Separator and decimal sign of saved predictions: a comma and a point, or those of the table.")
    .role(Role::Display)
    .more();

/// Number of folds of the cross-validation; 0 for none.
pub const FOLDS: TypedField<usize> = integer(0, 50)
    .keyed("folds")
    .slider(0, 10)
    .label("Cross-validation folds")
    .help(
        "Number of cross-validation folds of the training rows, 2 or more; 0 for none. Each fold is predicted from the others, and \
         settings that are fitted are fitted again in each.",
    )
    .group(Group::Run)
    .default("0");

/// Rejects a single fold.
pub fn check_folds(folds: usize) -> Option<InputError> {
    (folds == 1).then(|| FOLDS.error(1).expected("0, or a number from 2 to 50").nearest("2"))
}

/// Probability above which a row is predicted positive.
pub const THRESHOLD: TypedField<f64> = real((0.0, 1.0), (0.01, 0.99, 0.01))
    .label("Decision threshold")
    .help(
        "A row is predicted positive if its probability is larger than this. Changes the confusion matrix, precision and \
         recall, not the fit.",
    )
    .default("0.5")
    .group(Group::Run)
    .role(Role::Display);

/// Table whose rows are only predicted.
pub const PREDICT: TypedField<Option<DataRef>> = data(Role::SecondData)
    .label("Rows to predict")
    .help("Optional: another table with the same input columns, whose rows are only predicted.");
