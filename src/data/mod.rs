//! Data: what generators draw and what users bring. Facts, hashes and complaints are plain, because the page
//! shows them; tables are read where the solvers are.

// Tests compare to within a tolerance.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod artefact;
#[cfg(feature = "solver")]
mod channels;
#[cfg(feature = "solver")]
mod choosing;
pub mod columns;
#[cfg(feature = "solver")]
mod dataset;
#[cfg(feature = "solver")]
mod decoding;
mod facts;
#[cfg(feature = "report")]
pub mod folder;
#[cfg(feature = "solver")]
pub mod folds;
#[cfg(feature = "solver")]
mod forms;
#[cfg(feature = "solver")]
mod hashing;
#[cfg(feature = "solver")]
mod images;
#[cfg(feature = "solver")]
mod info;
#[cfg(feature = "solver")]
mod inputs;
pub mod known;
#[cfg(feature = "solver")]
mod missing;
#[cfg(feature = "solver")]
mod prepare;
#[cfg(feature = "solver")]
mod reader;
mod reference;
#[cfg(feature = "solver")]
mod scaling;
#[cfg(feature = "solver")]
mod split;
#[cfg(feature = "solver")]
mod store;
#[cfg(feature = "solver")]
mod table;
#[cfg(feature = "solver")]
pub mod teacher;
#[cfg(feature = "solver")]
pub mod toy;
#[cfg(feature = "solver")]
mod treatment;

use meanfield_math as math;

pub use artefact::Artefact;
#[cfg(feature = "solver")]
pub use channels::Channels;
#[cfg(feature = "solver")]
pub use choosing::OTHERS;
#[cfg(feature = "solver")]
pub use dataset::{Chosen, Dataset, Ids, Part, Target, Wanted};
pub use facts::{
    ColumnFacts, ColumnKind, Content, DataProblem, Facts, Header, Malformed, Misfit, TableFacts,
};
#[cfg(feature = "solver")]
pub use images::Images;
#[cfg(feature = "solver")]
pub use info::TableInfo;
#[cfg(feature = "solver")]
pub use inputs::Input;
#[cfg(feature = "solver")]
pub use missing::Missing;
#[cfg(feature = "solver")]
pub use prepare::{Choices, Needs};
pub use reference::{DataRef, Given, Hash, Incoming};

/// How a gzip file begins.
pub const GZIP: [u8; 2] = [0x1f, 0x8b];
#[cfg(feature = "solver")]
pub use scaling::{Scale, Scaling};
#[cfg(feature = "solver")]
pub use store::{Store, moderate};
#[cfg(feature = "solver")]
pub use table::{Column, Table};
#[cfg(feature = "solver")]
pub use treatment::Treatment;
