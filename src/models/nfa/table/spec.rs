//! Fields and presets of a run on the user's measurements.

use crate::data::DataRef;
use crate::lab::fields::{CODES, DATA, ESCAPE, ID, IGNORE, SEED, SKIP_MALFORMED, STANDARDISE};
use crate::lab::{Group, Preset, Spec, integer};
use crate::models::nfa::fields::Method;

crate::spec! {
    /// Specification of a run on the user's measurements.
    pub struct TableSpec {
        ..method: Method {
            sources = Method::FIELDS.sources.default("2"),
            weight_sd = Method::FIELDS.weight_sd.default("1"),
        },
        /// The table.
        data: Option<DataRef> = DATA.help(
            "A table with one row per sample and one column per channel. Columns must be numeric; empty cells are missing values.",
        ),
        /// Columns that are no channels, separated by commas.
        ignore: String = IGNORE.help(
            "Columns that are not channels, such as row numbers or labels, separated by commas. Put a name that contains a \
             comma in quotes.",
        ),
        /// Name of the column that identifies rows; empty for none.
        id: String = ID.help("Column that identifies the rows, such as a patient number. It is not a channel; saved files contain it."),
        /// Texts that mean a missing value, separated by commas.
        na: String = CODES,
        /// Whether rows with another number of cells than the first are left out.
        skip_malformed: bool = SKIP_MALFORMED,
        /// Whether cells of a saved file that look like formulas are escaped.
        escape: bool = ESCAPE,
        /// Whether every column is brought to unit variance.
        standardise: bool = STANDARDISE.help(
            "Scales every column to unit variance. Switch it off if all columns have the same unit; all are then divided by one \
             number.",
        ),
        /// Fits from different initial weights.
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
    query: "data=example&ignore=diagnosis&sweeps=1000",
}];

impl Spec for TableSpec {}
