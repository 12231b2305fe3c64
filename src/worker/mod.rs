//! The worker: a loop around experiments that knows nothing of the web, and the thin glue that runs it in one.

mod host;
#[cfg(feature = "worker")]
pub mod web;

#[cfg(test)]
mod tests;

pub use host::{Host, SLICE_MS};
