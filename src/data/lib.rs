//! Data: what generators draw and what users bring. Facts, hashes and complaints are plain, because the page
//! shows them; tables are read where the solvers are.

// Tests compare to within a tolerance.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod artefact;
mod channels;
mod column_roles;
pub mod columns;
mod dataset;
mod decoding;
mod facts;
pub mod folder;
pub mod folds;
mod forms;
mod hashing;
mod images;
mod info;
mod inputs;
pub mod known;
mod missing;
mod prepare;
mod preprocessing;
mod reader;
mod reference;
mod scaling;
mod split;
mod store;
mod table;
pub mod teacher;
pub mod toy;

use meanfield_math as math;

pub use artefact::Artefact;
pub use channels::Channels;
pub use column_roles::OTHERS;
pub use dataset::{ColumnChoices, Dataset, RowIds, RowRole, Target, TargetKind};
pub use facts::{
    ColumnError, ColumnFacts, ColumnKind, DataProblem, Facts, FileContent, Header, MalformedRow, TableFacts,
};
pub use images::Images;
pub use info::TableSummary;
pub use inputs::CodedInput;
pub use missing::MissingPolicy;
pub use prepare::{DataRequirements, TableChoices};
pub use reference::{DataRef, Hash, IncomingFile, LoadedFile};

/// How a gzip file begins.
pub const GZIP: [u8; 2] = [0x1f, 0x8b];
pub use preprocessing::Preprocessing;
pub use scaling::{ColumnScale, Scaling};
pub use store::{Store, check_magnitude};
pub use table::{Column, Table};
