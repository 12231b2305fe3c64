//! Data: what generators draw and what users bring. Facts, hashes and complaints are plain, because the page
//! shows them; tables are read where the solvers are.

// Tests compare to within a tolerance.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod artefact;
mod channels;
mod choosing;
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
mod reader;
mod reference;
mod scaling;
mod split;
mod store;
mod table;
pub mod teacher;
pub mod toy;
mod treatment;

use meanfield_math as math;

pub use artefact::Artefact;
pub use channels::Channels;
pub use choosing::OTHERS;
pub use dataset::{Chosen, Dataset, Ids, Part, Target, Wanted};
pub use facts::{
    ColumnFacts, ColumnKind, Content, DataProblem, Facts, Header, Malformed, Misfit, TableFacts,
};
pub use images::Images;
pub use info::TableInfo;
pub use inputs::Input;
pub use missing::Missing;
pub use prepare::{Choices, Needs};
pub use reference::{DataRef, Given, Hash, Incoming};

/// How a gzip file begins.
pub const GZIP: [u8; 2] = [0x1f, 0x8b];
pub use scaling::{Scale, Scaling};
pub use store::{Store, moderate};
pub use table::{Column, Table};
pub use treatment::Treatment;
