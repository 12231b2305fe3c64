//! Fields and presets of the task `nfa.data`.

use crate::data::DataRef;
use crate::lab::fields::{CODES, DATA, ESCAPE, ID, IGNORE, SEED, SKIP_MALFORMED, STANDARDISE};
use crate::lab::{Group, Preset, Spec, integer};
use crate::models::nfa::fields::LearningSettings;

crate::spec! {
    /// Specification of a fit to a user's table.
    pub struct TableSpec {
        ..method: LearningSettings {
            sources = LearningSettings::FIELDS.sources.default("2"),
            weight_sd = LearningSettings::FIELDS.weight_sd.default("1"),
        },
        /// The table.
        data: Option<DataRef> = DATA.help(
            "A table with one row per sample and one column per channel. Columns must be numeric; empty cells are missing values.",
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
pub const PRESETS: &[Preset] = &[Preset {
    label: "Example: simulated patients",
    help: "200 simulated patients of the example table, with two sources.",
    query: "data=example&ignore=diagnosis&sweeps=1000&moments=gauss_hermite",
}];

impl Spec for TableSpec {}
