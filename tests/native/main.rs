//! What is tested without a browser: the house's rules, the contract of every task, and each model against its oracles.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::disallowed_methods, reason = "a test compares to within a tolerance")]

mod architecture;
mod claims;
#[path = "../common/mod.rs"]
mod common;
mod conformance;
mod drawn;
mod feedforward;
mod fields;
mod files;
mod gallery;
mod golden;
mod gp;
mod hostile;
mod mlp;
mod nfa;
mod notes;
mod random;
mod registration;
mod saved;
mod sbn;
mod shared;
mod specification;
mod tables;
mod toy;
