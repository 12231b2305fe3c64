//! The built page in Chromium, driven as a person would: each file is one subject.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::disallowed_methods, reason = "a test compares to within a tolerance")]

mod access;
mod bench;
#[path = "../common/mod.rs"]
mod common;
mod data;
mod downloads;
mod editing;
mod endurance;
mod figures;
mod front;
mod layout;
mod look;
mod offline;
mod opening;
mod running;
mod saved;
mod screenshots;
mod settings;
mod support;
mod table1;
mod timed;
