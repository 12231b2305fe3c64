//! Tests without a browser: rules of the sources, the contract of every task, and each model against independent numbers.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::disallowed_methods, reason = "a test compares to within a tolerance")]

mod architecture;
mod claims;
mod command_line;
#[path = "../common/mod.rs"]
mod common;
mod conformance;
mod drawn;
mod fields;
mod files;
mod gallery;
mod golden;
mod hostile;
mod notes;
mod predicting;
mod presets;
mod random;
mod refutations;
mod registration;
mod replay;
mod saved;
mod shared;
mod specification;
mod tables;
mod toy;

// Each model against independent numbers.
mod feedforward;
mod gp;
mod mlp;
mod nfa;
mod sbn;
