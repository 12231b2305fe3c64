//! The solvers' program: in workers a loop around experiments that knows nothing of the web, with the thin glue that
//! runs it in one; in the page's own thread it makes figures of their snapshots.

mod host;
mod show;
#[cfg(feature = "worker")]
pub mod web;

#[cfg(test)]
mod tests;

pub use host::{Host, SLICE_MS};
pub use show::show;
