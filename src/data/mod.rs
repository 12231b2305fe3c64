//! Data: what generators draw and what people bring. Facts, hashes and complaints are plain, because the page
//! shows them; tables are read where the solvers are.

#[cfg(feature = "solver")]
mod artefact;
pub mod columns;
mod facts;
#[cfg(feature = "report")]
pub mod folder;
#[cfg(feature = "solver")]
mod forms;
#[cfg(feature = "solver")]
mod hashing;
#[cfg(feature = "solver")]
mod images;
pub mod known;
#[cfg(feature = "solver")]
mod reader;
mod reference;
#[cfg(feature = "solver")]
pub mod split;
#[cfg(feature = "solver")]
mod standardise;
#[cfg(feature = "solver")]
mod store;
#[cfg(feature = "solver")]
mod supervised;
#[cfg(feature = "solver")]
mod table;
#[cfg(feature = "solver")]
pub mod teacher;
#[cfg(feature = "solver")]
pub mod toy;

#[cfg(feature = "solver")]
pub use artefact::Artefact;
pub use facts::{ColumnFacts, ColumnKind, Content, DataProblem, Facts, Header, Misfit, TableFacts};
#[cfg(feature = "solver")]
pub use images::Images;
pub use reference::{DataRef, Hash};
#[cfg(feature = "solver")]
pub use store::Store;
#[cfg(feature = "solver")]
pub use supervised::Supervised;
#[cfg(feature = "solver")]
pub(crate) use supervised::listed;
#[cfg(feature = "solver")]
pub use table::{Column, Table};
