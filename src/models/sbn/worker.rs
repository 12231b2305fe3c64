//! The solvers' program of `sbn`. It is the smallest, and so the front page has it look at files.

use wasm_bindgen::prelude::wasm_bindgen;

fn main() {
    meanfield::worker::web::serve(meanfield::models::sbn::MODEL.tasks);
}

/// Looks at a file, or its first bytes ([`meanfield::worker::look()`]): a line for the person, and a line of words for what models
/// take.
#[wasm_bindgen]
pub fn look(bytes: &[u8], whole: bool) -> String {
    let looked = meanfield::worker::look(bytes, whole);
    let words: Vec<&str> = looked.holds.into_iter().map(meanfield::models::Takes::word).collect();
    format!("{}\n{}", looked.says, words.join(" "))
}
