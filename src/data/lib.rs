//! Data of Mean Field Lab: generated data sets, and files of the user.
//!
//! Descriptions, hashes and errors are plain values, because the page shows them. Tables are read where the solvers run.

// Tests compare to within a tolerance.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod advice;
mod artefact;
mod carried;
mod channels;
mod column_choices;
mod counted;
mod dataset;
mod decoding;
pub mod default_roles;
mod error;
mod facts;
pub mod folder;
pub mod folds;
mod forms;
mod groups;
mod hash;
mod images;
mod inputs;
pub mod known;
mod missing;
pub mod name_list;
mod prepare;
mod preprocessing;
mod reader;
mod reading;
mod reference;
mod scaling;
mod split;
mod store;
mod summary;
mod table;
mod target;
pub mod teacher;
pub mod toy;
pub mod toy_curve;

#[cfg(test)]
#[path = "../../tests/common/needs.rs"]
mod needs;

use meanfield_math as math;

pub use artefact::Artefact;
pub use carried::{CarriedColumns, RowTexts};
pub use channels::{Channels, WordGroups};
pub use column_choices::ColumnChoices;
pub use counted::{counted, thousands};
pub use dataset::Dataset;
pub use error::{ColumnError, DataError};
pub use facts::{ColumnFacts, ColumnKind, Facts, FileContent, Header, MalformedRow, SourceLine, TableFacts};
pub use hash::{Hash, IncomingFile, LoadedFile};
pub use images::Images;
pub use inputs::CodedInput;
pub use missing::MissingPolicy;
pub use prepare::{DataRequirements, TableChoices};
pub use preprocessing::Preprocessing;
pub use reading::{DecimalSign, Doubt, Encoding, Reading, ReadingChoices, Repair};
pub use reference::DataRef;
pub use scaling::{ColumnScale, Scaling};
pub use split::RowRole;
pub use store::{GZIP, Store, check_magnitude, contents};
pub use summary::TableSummary;
pub use table::{Column, Table};
pub use target::{OTHERS, Target, TargetKind};
