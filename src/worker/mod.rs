//! A web worker: a loop around experiments that does not depend on the web, and the layer that runs it in a browser.

mod host;
#[cfg(feature = "web")]
pub mod web;

#[cfg(test)]
mod tests;

pub use host::{Host, TURN_MS};
