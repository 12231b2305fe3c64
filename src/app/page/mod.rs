//! The page in a browser: state, components, and the thin layer over the browser's own interfaces.

mod browser;
mod components;
mod kept;
mod shell;
mod state;
mod workers;

pub use shell::open;

use wasm_bindgen::prelude::*;

/// Describes a file, or its first bytes, for the front page: the words of the kinds of data in it, the page of a saved run, and a
/// sentence, separated by vertical bars.
#[wasm_bindgen]
pub fn describe_file(bytes: &[u8], whole: bool) -> String {
    super::file_kinds::describe(bytes, whole).to_string()
}
