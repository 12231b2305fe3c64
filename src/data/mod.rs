//! Data: what generators draw and what people bring. Facts, hashes and complaints are plain, because the page
//! shows them; tables are read where the solvers are.

mod facts;
#[cfg(feature = "solver")]
mod reader;
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

pub use facts::{ColumnFacts, ColumnKind, DataProblem, DataRef, Facts, Hash, Header, Misfit};
#[cfg(feature = "solver")]
pub use store::Store;
#[cfg(feature = "solver")]
pub use supervised::Supervised;
#[cfg(feature = "solver")]
pub(crate) use supervised::listed;
#[cfg(feature = "solver")]
pub use table::{Column, Table};
