//! A web worker: a loop around experiments that knows nothing of the web, and the thin layer that runs it in a browser.

mod host;
#[cfg(feature = "web")]
pub mod web;

#[cfg(test)]
mod tests;

pub use host::{Host, SLICE_MS};
