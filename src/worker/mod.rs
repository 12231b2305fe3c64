//! The solvers' program: in workers a loop around experiments that knows nothing of the web, with the thin glue that
//! runs it in one; in the page's own thread it says what there is to run and makes figures of snapshots.

mod host;
mod look;
mod query;
#[cfg(feature = "web")]
pub mod web;

#[cfg(test)]
mod tests;

pub use host::{Host, SLICE_MS};
pub use look::{Looked, look};
pub use query::Queries;
